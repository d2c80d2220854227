"""What recall gains from links, names and times: a walk from what the searches found, successors, memories of the time asked about."""

from __future__ import annotations

from clew.engines.graph import FAN
from clew.rules import pagerank, times
from clew.rules.entities import in_question
from clew.rules.fusion import Fused
from clew.rules.names import key_of
from clew.text import index_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clew.model import Filter
    from clew.rules.times import Span
    from clew.store.base import Store

SUCCEEDED = 60  # of the best, whose successors are looked for
WORDS = 64  # of a question that are looked at for names
LONGEST = 6  # words of a name in a question
NAMED_MOST = 16  # memories of a thing that a question names, beyond which naming it says little
_REPLACES = {"supersedes": True, "replaces": True, "superseded_by": False, "replaced_by": False}  # whether the source is the newer one


def farther(
    store: Store, question: str, scope: Sequence[int], which: Filter, *, graph: bool, span: Span | None
) -> Callable[[Sequence[Fused]], list[Fused]] | None:
    """A function that reorders and widens what the searches found, for this question and the time it names; None where there is nothing
    to do it by."""
    linked = graph and store.has_edges(scope)
    if span is None and not linked:
        return None

    def reordered(found: Sequence[Fused]) -> list[Fused]:
        timely = in_time(store, question, found, span) if span else list(found)
        return widened(store, question, timely, scope, which) if linked else timely

    return reordered


def widened(store: Store, question: str, found: Sequence[Fused], scope: Sequence[int], which: Filter) -> list[Fused]:
    """`found` (best first, not empty) and what links and shared names lead to from it, in the joint order; scores on the same scale.

    Only memories of the scope that pass the filter; where nothing is linked, `found` as it was.
    """
    walk = _Walk(store, scope, which)
    direct = [(f.id, f.score) for f in found]
    seeds = pagerank.seeded(direct, walk.subjects(_named(store, question, scope)))
    reached = pagerank.reach(seeds, walk.neighbours)
    if not walk.edges:
        return list(found)
    ranked = pagerank.joined(direct, reached)
    ranked = pagerank.succeeded(ranked, walk.replaced([node for node, _ in ranked[:SUCCEEDED]]))
    most = max(reached.values())
    by_id = {f.id: f for f in found}
    return [by_id.get(i, _unfound(i))._replace(score=score, graph=reached.get(i, 0.0) / most) for i, score in ranked]


def inherited(store: Store, found: Sequence[Fused], old: Sequence[Fused], scope: Sequence[int], which: Filter) -> list[Fused]:
    """`found` with the successors of superseded memories, each at least where that memory would have stood; best first."""
    heirs: dict[int, float] = {}
    for f in old:
        heir = _heir(store, f.id)
        heirs[heir] = max(f.score, heirs.get(heir, 0.0))
    passed = store.admitted(list(heirs), scope, which) if heirs else set()
    by_id = {f.id: f for f in found}
    for heir in passed:
        own = by_id.get(heir, _unfound(heir))
        by_id[heir] = own._replace(score=max(own.score, heirs[heir]))
    return sorted(by_id.values(), key=lambda f: (-f.score, f.id))


def replaced(store: Store, memories: Sequence[int], scope: Sequence[int], which: Filter) -> Mapping[int, Sequence[int]]:
    """By what each of these memories was replaced, as links say, where that passes the filter."""
    return _Walk(store, scope, which).replaced(memories)


def _heir(store: Store, memory: int) -> int:
    """What stands for a memory today: its successor, or that one's, and so on; itself where there is none."""
    seen = {memory}
    while (known := store.fetch([memory])) and (successor := known[memory].successor) is not None and successor not in seen:
        seen.add(successor)
        memory = successor
    return memory


def _unfound(memory: int) -> Fused:
    return Fused(memory, 0.0, 0.0, None, 0.0, 0.0, 0.0, None, None)


class _Walk:
    """The neighbours of nodes with their weights, each asked for once; what does not pass the filter is no neighbour."""

    def __init__(self, store: Store, scope: Sequence[int], which: Filter) -> None:
        self._store, self._scope, self._which = store, scope, which
        self._known: dict[int, list[tuple[int, float]]] = {}
        self._passed: dict[int, bool] = {}
        self._newer: dict[int, list[int]] = {}
        self._subjects: set[int] = set()
        self.edges = 0

    def neighbours(self, nodes: Sequence[int]) -> Mapping[int, Sequence[tuple[int, float]]]:
        """(node, weight) pairs of each of these nodes."""
        new = [node for node in nodes if node not in self._known]
        if new:
            self._ask(new)
        return self._known

    def replaced(self, memories: Sequence[int]) -> Mapping[int, Sequence[int]]:
        """What replaced each of these and of the memories walked over, where it passes the filter."""
        self.neighbours(memories)
        return self._newer

    def subjects(self, entities: Sequence[int]) -> list[int]:
        """Those of these entities that some memory is about. What is merely mentioned here and there is no place to begin."""
        self.neighbours(entities)
        return [entity for entity in entities if entity in self._subjects]

    def _ask(self, nodes: Sequence[int]) -> None:
        rows = self._store.edges_of(nodes, most=FAN).rows
        others = {row[1] for row in rows}
        named = self._store.degrees([node for node in others if node < 0]) if rows else {}
        self._judge([node for node in others if node > 0 and node not in self._passed])
        self._known.update((node, []) for node in nodes)
        for node, other, relation, outward, *_ in sorted(rows, key=_place):
            if other > 0 and not self._passed[other]:
                continue
            forward = relation in _REPLACES and _REPLACES[relation] != bool(outward)
            back = relation in _REPLACES and not forward
            self._known[node].append((other, pagerank.weight(relation, named.get(other, 0), back=back)))
            self.edges += other > 0
            if forward:
                self._newer.setdefault(node, []).append(other)
            if relation == "about" and node < 0:
                self._subjects.add(node)

    def _judge(self, memories: Sequence[int]) -> None:
        passed = self._store.admitted(memories, self._scope, self._which) if memories else ()
        self._passed.update((memory, memory in passed) for memory in memories)


def _place(row: tuple[int, int, str, bool, float | None, str]) -> tuple[int, int, str]:
    return row[0], row[1], row[2]


def _named(store: Store, question: str, scope: Sequence[int]) -> list[int]:
    """The entities a question names, as nodes: what has a fixed form, and capitalised words that some memory's name consists of."""
    keys = list(dict.fromkeys([named.key for named in in_question(question)] + list(_runs(question))))
    found = store.entities_named(scope, keys) if keys else {}
    nodes = sorted({-entity for ids in found.values() for entity in ids})
    return [node for node, memories in store.degrees(nodes).items() if memories <= NAMED_MOST] if nodes else []


def _runs(question: str) -> Iterator[str]:
    """Runs of up to LONGEST words that begin with a capital, as keys of names; the question's first word alone is none."""
    words = question.replace("?", " ").replace(",", " ").split()[:WORDS]
    for start, word in enumerate(words):
        if word[:1].isupper():
            for end in range(start + 1 + (start == 0), min(start + LONGEST, len(words)) + 1):
                key = key_of(" ".join(words[start:end]))
                if key:
                    yield key


def in_time(store: Store, question: str, found: Sequence[Fused], span: Span) -> list[Fused]:
    """`found` reordered by how well each memory fits the time asked about: one of that time gains, none is left out."""
    memories = store.fetch([f.id for f in found])
    best, most = max((f.score for f in found), default=0.0), max((f.lexical for f in found), default=0.0)
    asked = frozenset(index_terms(question))
    moved = []
    for f in found:
        if f.id in memories:
            memory = memories[f.id]
            fit = times.fit(span, times.of_memory(memory) or times.written(memory, span))
            about = times.about(index_terms(memory.summary), asked, f.lexical / most if most else 0.0)
            moved.append(f._replace(score=times.lifted(f.score, best, fit, about), time=fit))
    return sorted(moved, key=lambda f: (-f.score, f.id))
