"""Personalised PageRank by local forward push, and how what it reaches joins what the searches found. Pure; ties break by id.

Andersen, Chung & Lang 2006 ("Local graph partitioning using PageRank vectors"): mass waits at nodes until at least `epsilon` of it lies on
one, then a share stays there and the rest is passed on. All nodes that are due are pushed in one round, so that a store answers for all of
them at once. Memories are positive nodes; entities, negative ones, keep nothing: they join memories and are no answers.
The weights were chosen on the development sets that docs/decisions/0008 names, and lie on a plateau.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

KEPT = 0.4  # share of the mass that stays where it is pushed
LEAST = 0.01  # mass of 1 below which nothing is passed on
ROUNDS = 12
FAINT = 0.5  # weight of all edges of a memory at which half of what would be passed on stays: a thing that many name leads nowhere
LINK = 5.0  # weight of a typed link beside an entity that two memories share, which weighs 1 / its memories
OLD = 1.0  # weight of the link from what replaced another back to that: the way leads forward (`succeeded`)
ABOUT = 10.0  # from an entity to the memory that is about it, beside 1 to one that mentions it
SEEDS = 10  # of the searches' best
SHARPNESS = 8  # power of a seed's score: the best few speak
BLEND = 0.9  # share of the walk in the joint order
STRONG = 0.8  # of the best direct score: such an answer, if among the first three, stays there
HEAD = 3


def weight(relation: str, memories: int, *, back: bool = False) -> float:
    """The weight of an edge: `memories` is how many name the entity at its end, 0 where it leads to a memory; `back` to a replaced one."""
    if memories:
        return 1.0 / memories if memories > 1 else 0.0
    return OLD if back else {"mentions": 1.0, "about": ABOUT}.get(relation, LINK)


def seeded(scores: Sequence[tuple[int, float]], named: Sequence[int]) -> dict[int, float]:
    """Where the walk starts, mass 1 in all: the best of (memory, score), and what the question names, each as much as the best."""
    best = [(node, max(0.0, score)) for node, score in scores[:SEEDS]]
    top = max((score for _, score in best), default=0.0)
    if top <= 0.0:
        return {}
    seeds = {node: (score / top) ** SHARPNESS for node, score in best} | dict.fromkeys(named, 1.0)
    total = sum(seeds.values())
    return {node: mass / total for node, mass in seeds.items()}


def reach(
    seeds: Mapping[int, float],
    neighbours: Callable[[Sequence[int]], Mapping[int, Sequence[tuple[int, float]]]],
    *,
    kept: float = KEPT,
    least: float = LEAST,
    rounds: int = ROUNDS,
) -> dict[int, float]:
    """The mass of each memory that the walk reaches. `neighbours` gives, for nodes, their (node, weight) pairs, in a fixed order."""
    stays: dict[int, float] = {}
    waits = dict(seeds)
    for _ in range(rounds):
        due = sorted(node for node, mass in waits.items() if mass >= least)
        if not due:
            break
        edges = neighbours(due)
        pushed = [(node, waits.pop(node)) for node in due]
        for node, mass in pushed:
            out = edges.get(node, ())
            total = sum(w for _, w in out)
            stay = 1.0 if total <= 0.0 else 1.0 - (1.0 - kept) * total / (total + FAINT) if node > 0 else 0.0
            stays[node] = stays.get(node, 0.0) + stay * mass
            for other, w in out if total > 0.0 else ():
                waits[other] = waits.get(other, 0.0) + (1.0 - stay) * mass * w / total
    for node, mass in waits.items():
        stays[node] = stays.get(node, 0.0) + mass
    return {node: mass for node, mass in stays.items() if node > 0}


def joined(direct: Sequence[tuple[int, float]], reached: Mapping[int, float]) -> list[tuple[int, float]]:
    """One order of (memory, score) from direct answers, best first, and what the walk brought; scores stay on the scale of the direct ones.

    A strong direct answer of the first three stays among the first three.
    """
    top, most = direct[0][1], max(reached.values(), default=0.0)
    if most <= 0.0:
        return list(direct)
    scores = {node: (1.0 - BLEND) * score for node, score in direct}
    for node, mass in reached.items():
        scores[node] = scores.get(node, 0.0) + BLEND * top * mass / most
    order = sorted(scores, key=lambda node: (-scores[node], node))
    strong = [node for node, score in direct[:HEAD] if score >= STRONG * top]
    others = [node for node in order if node not in strong]
    head = sorted([*strong, *others[: HEAD - len(strong)]], key=lambda node: (-scores[node], node))
    return _descending([*head, *(node for node in order if node not in head)], scores)


def _descending(order: Sequence[int], scores: Mapping[int, float]) -> list[tuple[int, float]]:
    """Each with its score, raised to that of the one behind it where that is higher: scores fall along the order."""
    ranked: list[tuple[int, float]] = []
    for node in reversed(order):
        ranked.append((node, max(scores[node], ranked[-1][1]) if ranked else scores[node]))
    return ranked[::-1]


def succeeded(ranked: Sequence[tuple[int, float]], replaced: Mapping[int, Sequence[int]]) -> list[tuple[int, float]]:
    """`ranked` (memory, score) with every successor right above what it replaced, unless it stands above it anyhow.

    `replaced` says by what; a successor that was not found comes in, with the score of what it replaced. Rings end.
    """
    order = list(ranked)
    waiting, seen = [(node, node) for node, _ in reversed(ranked)], set()
    while waiting:
        old, root = waiting.pop()
        for new in replaced.get(old, ()):
            if (root, new) in seen or new == root:
                continue
            seen.add((root, new))
            _lift(order, new, old)
            waiting.append((new, root))
    return order


def _lift(order: list[tuple[int, float]], new: int, old: int) -> None:
    places = {node: place for place, (node, _) in enumerate(order)}
    if places.get(new, len(order)) > places[old]:
        if new in places:
            del order[places[new]]
        order.insert(places[old], (new, order[places[old]][1]))
