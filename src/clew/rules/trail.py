"""The walk behind `why`: how far it goes, what arrives where, in which order; pure, over any function that names a node's neighbours.

Memories are positive nodes, entities negative ones. An entity is no hop of its own: two memories that name the same thing are one apart.
"""

from __future__ import annotations

from math import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import NamedTuple, TypeAlias

    from clew.model import Hit, Signals

    # nodes → (edges as (node, other, relation), degree of each node)
    Expand: TypeAlias = Callable[[Sequence[int]], tuple[Iterable[tuple[int, int, str]], Mapping[int, int]]]
else:
    from clew.model import NamedTuple

NAMED = {"about": 0.6, "mentions": 0.3}  # of what a typed link passes on: so typed links come first
SEEDS = 5
FALL = 0.6  # a seed's score, as a share of the best one's, below which the rest is left alone
# What a trail begins with surely bears on the question: its cosine + matched words / 6 reach 2.4 times what everyday topics reach. Recall's
# floor in stricter numbers (rules/fusion.py); below 2.3 unrelated questions get trails, above 2.5 paraphrased ones get none.
WORDS_A_COSINE = 6.0
EVERYDAY = 2.4
WORDS_MOST = 10  # matched words that count: in a pasted text many match by chance
SURE_WORDS = 0.33  # of the question's word weight, where there is no vector
SIZE = 2_000  # nodes one walk may reach


class Reached(NamedTuple):
    """A node the walk came to: hops from its seed, what arrived of the seed's score, over which nodes (both ends included)."""

    node: int
    hop: int
    relevance: float
    path: tuple[int, ...]


def seeds_of(hits: Iterable[Hit], words: int, everyday: float) -> list[tuple[int, float]]:
    """(memory, score) of the best few hits, cut where the score falls off; none unless one of them surely bears on the question.

    Recall rather shows what may help; a trail says how something came to be, and of something unrelated it says nothing. `words` is how
    many the question asks for, `everyday` its nearness to everyday topics (clew.embed.everyday), 0.0 without a vector.
    """
    found = list(hits)
    if not any(_bears(hit.signals, min(words, WORDS_MOST), everyday) for hit in found):
        return []
    return cut((hit.memory.id, hit.score) for hit in found)


def _bears(signals: Signals, words: int, everyday: float) -> bool:
    if signals.semantic is None:
        return signals.coverage >= SURE_WORDS
    return signals.semantic + signals.coverage * words / WORDS_A_COSINE >= EVERYDAY * everyday


def cut(scores: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """The best few of (node, score), best first, cut where the score falls off."""
    best: list[tuple[int, float]] = []
    for node, score in scores:
        if len(best) == SEEDS or (best and score < FALL * best[0][1]):
            break
        best.append((node, score))
    return best


def walk(seeds: Sequence[tuple[int, float]], expand: Expand, *, max_hops: int, size: int = SIZE) -> list[Reached]:
    """All nodes within `max_hops` of the seeds, at most `size`, by hop, relevance and node; of the ways to one the most relevant."""
    reached = {node: Reached(node, 0, relevance, (node,)) for node, relevance in seeds}
    frontier = list(reached.values())
    for hop in range(1, max_hops + 1):
        near = _next(frontier, reached, expand, hop)
        across = _next([r for r in near if r.node < 0], reached | {r.node: r for r in near}, expand, hop)
        frontier = sorted([*near, *across], key=order)[: size - len(reached)]
        reached.update((r.node, r) for r in frontier)
        if not frontier:
            break
        frontier = [r for r in frontier if r.node > 0]
    return sorted(reached.values(), key=order)


def order(reached: Reached) -> tuple[int, float, int]:
    """Nearest first, then the most relevant, then the lowest number."""
    return reached.hop, -reached.relevance, reached.node


def _next(frontier: Sequence[Reached], known: Mapping[int, Reached], expand: Expand, hop: int) -> list[Reached]:
    if not frontier:
        return []
    parents = {r.node: r for r in frontier}
    edges, degrees = expand(sorted(parents))
    found: dict[int, Reached] = {}
    for node, other, relation in edges:
        if other in known:
            continue
        parent = parents[node]
        relevance = parent.relevance * passed_on(relation, degrees[node])
        best = found.get(other)
        if best is None or (-relevance, parent.path) < (-best.relevance, best.path[:-1]):
            found[other] = Reached(other, hop, relevance, (*parent.path, other))
    return sorted(found.values(), key=order)


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
