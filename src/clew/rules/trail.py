"""The walk behind `why`: how far it goes, what arrives where, in which order; pure, over any function that names a node's neighbours.

Memories are positive nodes, entities negative ones. An entity is no hop of its own: two memories that name the same thing are one apart.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import log

from clew.rules.names import CUSTOM
from clew.stopwords import ASKED, GERMAN, TALKED
from clew.text import index_terms, question_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import NamedTuple, TypeAlias

    from clew.model import Hit, Signals

    # nodes → (edges as (node, other, relation), degree of each node)
    Expand: TypeAlias = Callable[[Sequence[int]], tuple[Iterable[tuple[int, int, str]], Mapping[int, int]]]
    Degrees: TypeAlias = Callable[[Sequence[int]], Mapping[int, int]]
else:
    from clew.model import NamedTuple

NAMED = {"about": 0.6, "mentions": 0.3}  # of what a typed link passes on: so typed links come first
SORTS = frozenset("commit commits sha revision ticket tickets issue issues bug pull merge request mr pr".split())  # say what a name names
SEEDS = 5
FALL = 0.6  # a seed's score, as a share of the best one's, below which the rest is left alone
# What a trail begins with surely bears on the question. A memory's evidence is its cosine and, for each word that is asked for, a fifth of
# what it holds of the question (by weight, and by BM25, which discounts what long texts hold by chance). It must reach what everyday topics
# reach, and what chance does: the more of the everyday world a store speaks of, the more of any question it seems to know.
# Chosen on all stores of benchmarks/trails.py at once, each store asked the others' questions too: docs/decisions/0012-silence.md.
WORDS_A_COSINE = 5.0
WORDS_MOST = 10  # words asked for that count: of a pasted text many match by chance
EVERYDAY, EVERYDAY_WORLDLY = 2.0, 0.3  # of the nearness to everyday topics; more by that, times what share of the world is known
CHANCE, CHANCE_WORLDLY = 0.33, 0.5
NAMELESS = 0.3  # more where the question calls things by name and no hit knows one of the names
HEADING = 0.6  # share of large words above which a question is written like a heading, and they name nothing
WORDS_ALONE, WORDS_ALONE_WORLDLY = 0.18, 0.3  # where there is no vector
SIZE = 2_000  # nodes one walk may reach
FAINT = 0.005  # of its seed's score: what less of arrives over names is left out; one shared name brings it, two in a row do not


class Reached(NamedTuple):
    """A node the walk came to: hops from its seed, what arrived of the seed's score, over which nodes (both ends included)."""

    node: int
    hop: int
    relevance: float
    path: tuple[int, ...]


class Asked(NamedTuple):
    """A question before its hits: how many words it asks for (none in small talk), the terms of what it calls by name, its nearness to
    everyday topics (0.0 without a vector) and how much of the everyday world the store knows, 0..1 (clew.embed.everyday)."""

    words: int
    names: frozenset[str] = frozenset()
    everyday: float = 0.0
    worldly: float = 0.0


def asked(question: str, *, everyday: float = 0.0, worldly: float = 0.0) -> Asked:
    """The question as `seeds_of` takes it."""
    terms = question_terms(question)
    return Asked(0 if _talk().issuperset(terms) else min(len(terms), WORDS_MOST), names_in(question), everyday, worldly)


def names_in(question: str) -> frozenset[str]:
    """The terms of what a question calls by name: the words written large, but for the first one, the days and the months; none in a
    heading, nor in German, where all nouns are."""
    words = [word.lstrip("\"'“‘«([") for word in question.split()]
    large = [at for at, word in enumerate(words) if word[:1].isupper()]
    by_custom = len(large) > HEADING * sum(word[:1].isalpha() for word in words) or not GERMAN.isdisjoint(question.lower().split())
    named = [words[at] for at in large if at and not by_custom]
    return frozenset(term for word in named if word.strip(".,;:!?").lower() not in CUSTOM for term in index_terms(word))


def wholly(question: str, exact: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """The keys of things that a question is wholly about ("SHOP-2", "why did we do PR 14?"); none where it asks for anything else.

    `exact` gives the keys of those things of a text that are themselves or nothing: half of a ticket's number is another ticket.
    """
    keys = frozenset(exact(question))
    called = SORTS.union(*((*key.split(), *key.split("-")) for key in keys))
    words = (word.strip("\"'`“”‘’()[].,;:!?").lower() for word in question.split())
    rest = (word for word in words if word not in called and not frozenset(exact(word)))
    return keys if keys and all(_talk().issuperset(question_terms(word)) for word in rest) else frozenset()


@cache
def _talk() -> frozenset[str]:
    return frozenset(term for word in TALKED | ASKED for term in index_terms(word))


def seeds_of(hits: Iterable[Hit], question: Asked) -> list[tuple[int, float]]:
    """(memory, score) of the best few hits, cut where the score falls off; none unless one of them surely bears on the question.

    Recall rather shows what may help; a trail says how something came to be, and of something unrelated it says nothing.
    """
    found = list(hits)
    least = _least(question, found)
    if not question.words or not any(_bears(hit.signals, question, least) for hit in found):
        return []
    return cut((hit.memory.id, hit.score) for hit in found)


def _least(question: Asked, hits: Sequence[Hit]) -> float:
    nameless = bool(question.names) and all(question.names.isdisjoint(hit.signals.words) for hit in hits)
    chance = CHANCE + CHANCE_WORLDLY * question.worldly + (NAMELESS if nameless else 0.0)
    return max(chance, (EVERYDAY + EVERYDAY_WORLDLY * question.worldly) * question.everyday)


def _bears(signals: Signals, question: Asked, least: float) -> bool:
    held = (signals.coverage + (signals.lexical or 0.0)) / 2.0 * question.words / WORDS_A_COSINE
    if signals.semantic is None:
        return held >= WORDS_ALONE + WORDS_ALONE_WORLDLY * question.worldly
    return signals.semantic + held >= least


def cut(scores: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """The best few of (node, score), best first, cut where the score falls off."""
    best: list[tuple[int, float]] = []
    for node, score in scores:
        if len(best) == SEEDS or (best and score < FALL * best[0][1]):
            break
        best.append((node, score))
    return best


def walk(
    seeds: Sequence[tuple[int, float]], expand: Expand, *, max_hops: int, size: int = SIZE, degrees: Degrees | None = None
) -> list[Reached]:
    """All nodes within `max_hops` of the seeds, at most `size`, by hop, relevance and node; of the ways to one the most relevant.

    Typed links are followed as far as they lead; over names only what is not FAINT comes. `degrees`, where a node's degree is had for less
    than its edges, spares those of nodes that bring nothing.
    """
    reached = {node: Reached(node, 0, relevance, (node,)) for node, relevance in seeds}
    least = {node: FAINT * relevance for node, relevance in seeds}
    faint = min(least.values(), default=0.0)  # what less of arrives over names is never heard, whichever seed it comes from
    frontier = list(reached.values())
    for hop in range(1, max_hops + 1):
        loud = _loud(frontier, faint, degrees)
        near, across = _step(loud, reached, expand, hop, faint, degrees)
        quiet = {r.node for r in frontier} - {r.node for r in loud}
        if quiet and any(r.relevance < faint and not named(r) for r in near):  # of which more may arrive from a quiet one, over a name
            near, across = _step(frontier, reached, expand, hop, faint, degrees)
        elif quiet:
            nearer = _led_to(quiet, {r.node for r in across if r.relevance >= faint}, expand)
            across = [r for r in across if r.node not in nearer]
        heard = (r for r in (*near, *across) if r.relevance >= least[r.path[0]] or not named(r))
        frontier = sorted(heard, key=order)[: size - len(reached)]
        reached.update((r.node, r) for r in frontier)
        if not frontier:
            break
        frontier = [r for r in frontier if r.node > 0]
    return sorted(reached.values(), key=order)


def hung(reached: Sequence[Reached], linked: Iterable[tuple[int, int]]) -> list[Reached]:
    """`reached`, in its order, where a seed that a link joins to a better one hangs below that, with all that hangs below it: so a trail
    whose question names both the reason and what came of it tells how the two belong together."""
    joined = set(linked)
    ways: dict[int, tuple[int, ...]] = {}
    for seed in (r.node for r in reached if r.hop == 0):
        above = next((other for other in ways if (other, seed) in joined or (seed, other) in joined), None)
        ways[seed] = (*ways[above], seed) if above is not None else (seed,)
    return [r._replace(path=(*ways[r.path[0]], *r.path[1:])) for r in reached]


def named(reached: Reached) -> bool:
    """Whether the way there leads over a name that memories share."""
    return min(reached.path) < 0


def nearest(reached: Sequence[Reached], limit: int) -> list[Reached]:
    """At most `limit` of them, in their order: those on ways of links alone before those that share names."""
    kept = sorted(reached, key=named)[:limit]
    return sorted(kept, key=order)


def order(reached: Reached) -> tuple[int, float, int]:
    """Nearest first, then the most relevant, then the lowest number."""
    return reached.hop, -reached.relevance, reached.node


def _next(frontier: Sequence[Reached], known: Mapping[int, Reached], expand: Expand, hop: int) -> list[Reached]:
    if not frontier:
        return []
    parents = {r.node: r for r in frontier}
    edges, degrees = expand(sorted(parents))
    shares: dict[tuple[str, int], float] = {}
    found: dict[int, Reached] = {}
    for node, other, relation in edges:
        if other in known:
            continue
        parent, way = parents[node], (relation, degrees[node])
        if way not in shares:
            shares[way] = passed_on(*way)
        relevance = parent.relevance * shares[way]
        best = found.get(other)
        if best is None or (-relevance, parent.path) < (-best.relevance, best.path[:-1]):
            found[other] = Reached(other, hop, relevance, (*parent.path, other))
    return list(found.values())


def _step(
    frontier: Sequence[Reached], reached: dict[int, Reached], expand: Expand, hop: int, faint: float, degrees: Degrees | None
) -> tuple[list[Reached], list[Reached]]:
    """What is a hop away: over an edge, and over a name."""
    near = _next(frontier, reached, expand, hop)
    names = _loud([r for r in near if r.node < 0], faint, degrees)
    return near, _next(names, reached | {r.node: r for r in near}, expand, hop)


def _loud(frontier: Sequence[Reached], faint: float, degrees: Degrees | None) -> Sequence[Reached]:
    """Those that links alone lead to, and those from which as much as `faint` may arrive: of the rest nothing is heard.

    A name that a single memory names leads nowhere but back, so two is the least degree of one.
    """
    loud = [r for r in frontier if not named(r) or r.relevance * _most(r.node, 2 if r.node < 0 else 1) >= faint]
    doubtful = [r.node for r in loud if named(r)]
    known = degrees(doubtful) if degrees and doubtful else {}
    return [r for r in loud if r.node not in known or r.relevance * _most(r.node, known[r.node]) >= faint]


def _most(node: int, degree: int) -> float:
    """The most that a node of this degree passes on over one of its edges: a memory over a link, a name to what is about it."""
    return passed_on("about" if node < 0 else "link", degree)


def _led_to(quiet: set[int], nodes: set[int], expand: Expand) -> set[int]:
    """Those of `nodes` that an edge leads to from one of the quiet: what an edge leads to is not reached over a name.

    Asked of `nodes`, which are few, where all their edges are told.
    """
    if not nodes:
        return set()
    edges, degrees = expand(sorted(nodes))
    ends = [(node, other) for node, other, _ in edges]
    told = Counter(node for node, _ in ends)
    beside = quiet & {other for _, other in ends} if all(told[node] >= degrees[node] for node in nodes) else quiet
    return nodes & {other for _, other, _ in expand(sorted(beside))[0]} if beside else set()


def passed_on(relation: str, degree: int) -> float:
    """The share of a node's relevance that goes over one of its edges: less from a hub, less by a mention than by a typed link."""
    return NAMED.get(relation, 1.0) / (1.0 + log(max(1, degree)))


def shortest(start: int, goal: int, expand: Expand, *, max_hops: int, size: int = 10 * SIZE) -> tuple[int, ...]:
    """The nodes of a shortest way between two memories, both included; empty when none is found within bounds. Both ends search."""
    if start == goal:
        return (start,)
    sides: tuple[dict[int, tuple[int, ...]], ...] = ({start: (start,)}, {goal: (goal,)})
    frontiers: list[Sequence[int]] = [[start], [goal]]
    for _ in range(max_hops):
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        fresh = _spread(frontiers[side], sides[side], expand)
        fresh += _spread([n for n in fresh if n < 0], sides[side], expand)
        met = sorted(sides[0].keys() & sides[1].keys(), key=lambda n: (len(sides[0][n]) + len(sides[1][n]), sides[0][n], sides[1][n]))
        if met:
            return sides[0][met[0]] + sides[1][met[0]][-2::-1]
        frontiers[side] = [n for n in fresh if n > 0]
        if not frontiers[side] or len(sides[0]) + len(sides[1]) > size:
            break
    return ()


def _spread(frontier: Sequence[int], ways: dict[int, tuple[int, ...]], expand: Expand) -> list[int]:
    fresh: dict[int, tuple[int, ...]] = {}
    for node, other, _ in sorted(expand(frontier)[0]) if frontier else ():
        if other not in ways:
            fresh.setdefault(other, (*ways[node], other))
    ways.update(fresh)
    return sorted(fresh)
