"""One order out of two searches: how words and meaning are summed, what neighbouring turns lend, and when nothing is relevant.

The sum: `(1 - a) · bm25 / (1.2 · Σidf) · √coverage + a · cosine` with `a = 12 / (12 + n^1.5)` for a question of n words. Coverage is the
share of the question's word weight that a memory holds: words found together say more than each alone. A long question is answered by
its words (a = .35 at eight), a short one by its meaning (.60 at four). Cosines enter as they are: stretching them over the
candidates, as is usual, turns the noise of a store whose texts are all alike into a verdict, which is where a fixed weight lost.
Every constant was chosen on all sets at once and lies on a plateau (benchmarks/retrieval.py).
"""

from __future__ import annotations

from math import fsum, sqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NamedTuple
else:
    from clew.model import NamedTuple

METHODS = ("sum", "rrf")

SATURATION = 1.2  # times Σidf is about what a memory reaches that holds every word once
MEANING = 12.0  # words to the power 1.5 at which words and meaning weigh the same; 10 to 14 measure alike
LENT = ((1, 0.4), (2, 0.2))  # turns away, share of their score above the mean; LoCoMo recall@10 .68 → .79
RANK_CONSTANT = 60  # reciprocal rank fusion, Cormack, Clarke & Büttcher 2009

# The floor. A candidate's evidence is its cosine + matched words / 16; the best one must reach 1.6 · everyday - 0.062.
WORDS_A_COSINE = 16.0
EVERYDAY = 1.6
FLOOR = -0.062
NOISE = 0.15  # evidence below which a candidate is not shown beside better ones; costs no set anything up to here
SURE_COVERAGE = 0.7  # share of the question's word weight in one memory that answers by itself, whatever the cosine
FLOOR_COVERAGE = 0.2  # the floor of a question without a vector: this share of its weight in one memory,
FLOOR_WORDS = 1.2  # … or this many of its words


class Evidence(NamedTuple):
    """One candidate. `bm25` is 0.0 when the words did not find it, `covered` the idf of the question's words it holds, in nats;
    `cosine` None when it has no vector; `session` and `turn` its place in a dialogue."""

    id: int
    bm25: float
    cosine: float | None
    covered: float
    session: str | None = None
    turn: int | None = None


class Question(NamedTuple):
    """What the question weighs: idf of all its words (unknown ones at the highest) and of those the store holds, in nats; how many
    words; `everyday` is the mean cosine with the everyday topics nearest to it (clew.embed.everyday), 0.0 without a vector."""

    idf_total: float
    idf_known: float
    terms: int
    everyday: float = 0.0


class Fused(NamedTuple):
    """A candidate in its place, with every signal: `lexical` and `semantic` as they were summed, `weight` the share a of meaning,
    `neighbours` what was lent, `coverage` 0..1, ranks from 1 within each search."""

    id: int
    score: float
    lexical: float
    semantic: float | None
    coverage: float
    weight: float
    neighbours: float
    lexical_rank: int | None
    semantic_rank: int | None

    def signals(self) -> dict[str, Any]:
        """The signals by the names of `clew.model.Signals`."""
        return {
            "lexical": self.lexical,
            "semantic": self.semantic,
            "lexical_rank": self.lexical_rank,
            "semantic_rank": self.semantic_rank,
            "neighbours": self.neighbours,
            "coverage": self.coverage,
            "score": self.score,
        }


def fuse(question: Question, evidence: Sequence[Evidence], *, method: str = "sum") -> list[Fused]:
    """The candidates best first, ties by id; the order of `evidence` does not matter. `method` is one of METHODS."""
    if not evidence:
        return []
    ids, bm25, cosines, covered, _, _ = zip(*evidence, strict=True)
    lexical = _ranks([(-b, i) for i, b in zip(ids, bm25, strict=True) if b > 0.0])
    semantic = _ranks([(-c, i) for i, c in zip(ids, cosines, strict=True) if c is not None])
    weight = _weight(question.terms) if semantic else 0.0
    scale = 1.0 / question.idf_total if question.idf_total > 0.0 else 0.0
    shares = [min(1.0, c * scale) for c in covered]
    words = [b * (scale / SATURATION) * sqrt(c) for b, c in zip(bm25, shares, strict=True)]
    if method == "rrf":
        scores = [_reciprocal(lexical.get(i)) + _reciprocal(semantic.get(i)) for i in ids]
        lent = [0.0] * len(ids)
    else:
        scores = [(1.0 - weight) * w + weight * (c or 0.0) for w, c in zip(words, cosines, strict=True)]
        lent = _lent(evidence, scores)
    totals = [s + n for s, n in zip(scores, lent, strict=True)]
    order = [at for _, _, at in sorted(zip([-t for t in totals], ids, range(len(ids)), strict=True))]
    get_lexical, get_semantic = lexical.get, semantic.get
    return [
        Fused(ids[k], totals[k], words[k], cosines[k], shares[k], weight, lent[k], get_lexical(ids[k]), get_semantic(ids[k])) for k in order
    ]


def relevant(question: Question, fused: Sequence[Fused]) -> list[Fused]:
    """The candidates that stand up, in their order; none when nothing about the question is in the store.

    A cosine alone cannot tell (static vectors of two short texts reach .3 by luck), so it counts by how far it beats the everyday
    topics that lie nearest to the question; words that a memory holds stand beside it.
    """
    if not any(f.semantic is not None for f in fused):
        best = max((f.coverage for f in fused), default=0.0)
        answered = best >= FLOOR_COVERAGE or best * question.terms >= FLOOR_WORDS
        return [f for f in fused if f.coverage > 0.0] if answered else []
    all_words = question.terms / WORDS_A_COSINE
    evidence = [(f.semantic or 0.0) + f.coverage * all_words for f in fused]
    sure = any(f.coverage >= SURE_COVERAGE for f in fused)
    if not sure and max(evidence) < max(NOISE, FLOOR + EVERYDAY * question.everyday):
        return []
    return [f for f, e in zip(fused, evidence, strict=True) if e >= NOISE or f.neighbours > 0.0 or f.coverage >= SURE_COVERAGE]


def _weight(terms: int) -> float:
    return MEANING / (MEANING + terms * sqrt(terms))


def _ranks(keys: list[tuple[float, int]]) -> dict[int, int]:
    return {i: rank for rank, (_, i) in enumerate(sorted(keys), 1)}


def _reciprocal(rank: int | None) -> float:
    return 1.0 / (RANK_CONSTANT + rank) if rank else 0.0


def _lent(evidence: Sequence[Evidence], scores: Sequence[float]) -> list[float]:
    """What each candidate gets from the candidates one and two turns away in its session."""
    if all(e.session is None for e in evidence):
        return [0.0] * len(scores)
    mean = fsum(scores) / len(scores)
    above: dict[tuple[str | None, int | None], float] = {}
    get = above.get
    for e, s in zip(evidence, scores, strict=True):
        if e.session is not None and s > mean:
            place = e.session, e.turn  # several memories may come from one turn: the best speaks for it
            above[place] = max(s - mean, get(place, 0.0))
    lent = []
    for e in evidence:
        session, turn, gift = e.session, e.turn, 0.0
        if session is not None and turn is not None:
            for away, share in LENT:
                gift += share * max(get((session, turn - away), 0.0), get((session, turn + away), 0.0))
        lent.append(gift)
    return lent
