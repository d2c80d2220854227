"""The graph of memories and what they name: the trail that answers `why`, and how two memories are connected. Reads only."""

from __future__ import annotations

from clew.embed.everyday import nearness, words
from clew.errors import StoreDamaged
from clew.limits import HOPS, QUESTION_BYTES, TRAIL_LIMIT
from clew.model import Link, Trail, TrailNode
from clew.patterns import compiled
from clew.rules import trail
from clew.rules.entities import exact_keys
from clew.rules.intake import whole
from clew.rules.shapes import HEX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clew.embed.base import Embedder
    from clew.model import Filter, Hit
    from clew.rules.trail import Expand
    from clew.store.base import Store

FAN = 64  # edges of one node that a walk follows in each direction


def neighbourhood(store: Store, scope: Sequence[int], which: Filter) -> Expand:
    """Neighbours that belong to the scope and pass the filter: no walk leaves them, so no text of another project comes through an edge."""

    def expand(nodes: Sequence[int]) -> tuple[Iterable[tuple[int, int, str]], Mapping[int, int]]:
        edges = store.edges_of(nodes, most=FAN)
        open_to_us = _inside(store, scope, which, {row[1] for row in edges.rows})
        return [row[:3] for row in edges.rows if row[1] in open_to_us], edges.degrees

    return expand


def _inside(store: Store, scope: Sequence[int], which: Filter, nodes: set[int]) -> set[int]:
    memories, entities = sorted(n for n in nodes if n > 0), sorted(-n for n in nodes if n < 0)
    passed = store.admitted(memories, scope, which) if memories else set()
    return passed | {-e for e in store.entities(entities, scope)} if entities else passed


def seeds(store: Store, embedder: Embedder | None, question: str, hits: Sequence[Hit], scope: Sequence[int]) -> list[tuple[int, float]]:
    """(memory, score) where the trail of a question begins, best first, among the hits of its recall; none when none bears on it."""
    if not hits:
        return []
    asked = question[:QUESTION_BYTES]
    near = nearness(embedder, embedder.embed(asked)) if embedder else 0.0
    return trail.seeds_of(hits, trail.asked(asked, everyday=near, worldly=_worldly(store, scope)))


def exactly(question: str) -> frozenset[str]:
    """The keys of the tickets, pull requests and commits that a question is wholly about."""
    return trail.wholly(question, exact_keys)


def naming(store: Store, keys: Iterable[str], scope: Sequence[int]) -> list[tuple[int, float]]:
    """(memory, score) of those that name one of these things, best first: what is about it before what mentions it; at most SEEDS."""
    found = store.entities_named(scope, sorted(keys))
    things = sorted({-entity for ids in found.values() for entity in ids})
    rows = store.edges_of(things, most=FAN).rows if things else ()
    worth = {other: max(trail.NAMED[relation] for _, known, relation, *_ in rows if known == other) for _, other, *_ in rows}
    return trail.cut(sorted(worth.items(), key=lambda one: (-one[1], one[0])))


def saying(hits: Iterable[Hit], keys: Iterable[str]) -> list[tuple[int, float]]:
    """(memory, score) of the hits whose text holds the digits of one of these commits: with no word before them they may name anything."""
    digits = [key for key in keys if compiled(HEX).fullmatch(key)]
    texts = [(hit, f"{hit.memory.summary}\n{hit.memory.detail}".casefold()) for hit in hits]
    return trail.cut((hit.memory.id, hit.score) for hit, text in texts if any(key in text for key in digits))


def _worldly(store: Store, scope: Sequence[int]) -> float:
    try:
        return len(store.known(scope, words())) / len(words())
    except StoreDamaged:
        return 0.0  # its recall said so already, and answered by meaning alone


def why(
    store: Store, seeds: Sequence[tuple[int, float]], scope: Sequence[int], which: Filter, *, max_hops: int = 2, limit: int = 20
) -> Trail:
    """What the seeds (node, score; best first) hang together with, at most `limit` memories by hop, relevance and number.

    Where there are more, those that links lead to are shown before those that share names. Both directions; entities only where they lead
    from one shown memory to another. Raises InvalidInput for hops or a limit out of bounds.
    """
    whole(max_hops, "max_hops", HOPS)
    whole(limit, "limit", TRAIL_LIMIT)
    inside = _inside(store, scope, which, {node for node, _ in seeds})
    begun = [s for s in seeds if s[0] in inside]
    reached = trail.walk(begun, neighbourhood(store, scope, which), max_hops=max_hops, degrees=store.degrees)
    memories = [r for r in reached if r.node > 0 or r.hop == 0]
    shown = trail.nearest(memories, limit)
    ways = {node for r in shown for node in r.path}
    return _trail(store, scope, [r for r in reached if r.node in ways], left_out=len(memories) - len(shown))


def path(store: Store, a: int, b: int, scope: Sequence[int], which: Filter) -> Trail:
    """The shortest connection of two memories, from `a` to `b`, `hop` counting along it; empty when there is none of at most HOPS."""
    way = trail.shortest(a, b, neighbourhood(store, scope, which), max_hops=HOPS)
    hops = [sum(node > 0 for node in way[:place]) for place in range(len(way))]
    return _trail(store, scope, [trail.Reached(n, h, 1.0, way[: i + 1]) for i, (n, h) in enumerate(zip(way, hops, strict=True))])


def _trail(store: Store, scope: Sequence[int], reached: Sequence[trail.Reached], left_out: int = 0) -> Trail:
    memories = store.fetch([r.node for r in reached if r.node > 0])
    entities = store.entities([-r.node for r in reached if r.node < 0], scope)
    links = _links_among(store, [r.node for r in reached])
    hung = trail.hung(reached, ((k.src, k.dst) for k in links if k.src > 0 and k.dst > 0))
    nodes = tuple(TrailNode(r.node, r.hop, r.path, r.relevance, memories.get(r.node), entities.get(-r.node)) for r in hung)
    return Trail(nodes, links, left_out)


def _links_among(store: Store, nodes: Sequence[int]) -> tuple[Link, ...]:
    among = set(nodes)
    rows = store.edges_of(sorted(among), most=FAN).rows if nodes else ()
    return tuple(
        sorted({Link(n, r, o, at, by) if out else Link(o, r, n, at, by) for n, o, r, out, at, by in rows if o in among}, key=_ends)
    )


def _ends(link: Link) -> tuple[int, int, str]:
    return link.src, link.dst, link.relation
