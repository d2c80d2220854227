"""One order out of two searches: how words and meaning are summed, what neighbouring turns lend, and when nothing is relevant.

The sum: `(1 - a) · bm25 / (1.2 · Σidf) · √coverage + a · cosine` with `a = 12 / (12 + n^1.5)` for a question of n words. Coverage is the
share of the question's word weight that a memory holds: words found together say more than each alone. A long question is answered by
its words (a = .35 at eight), a short one by its meaning (.60 at four). Cosines enter as they are: stretching them over the
candidates, as is usual, turns the noise of a store whose texts are all alike into a verdict, which is where a fixed weight lost.
Every constant was chosen on all sets at once and lies on a plateau (benchmarks/retrieval.py).
"""

from __future__ import annotations

from bisect import bisect_left
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

# The floor. A candidate's evidence is its cosine + its coverage · (words / 16 + 0.2); the best one must reach 1.6 · everyday - 0.02.
# Chosen on 140 off-topic questions, tried on 50 others (docs/decisions/0007-fusion.md).
WORDS_A_COSINE = 16.0
WHOLE_QUESTION = 0.2
EVERYDAY = 1.6
FLOOR = -0.02
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
    """What the question weighs: idf of all its words (unknown ones at the highest), in nats; how many words; `everyday` is the mean
    cosine with the everyday topics nearest to it (clew.embed.everyday), 0.0 without a vector."""

    idf_total: float
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
    graph: float | None = None  # share of what the walk brought here, the best has 1
    time: float | None = None  # how well it fits the time asked about
    learned: float = 0.0  # what confidence and recency did to the score, a share of it

    def signals(self) -> dict[str, Any]:
        """The signals by the names of `clew.model.Signals`."""
        return {
            "lexical": self.lexical,
            "semantic": self.semantic,
            "lexical_rank": self.lexical_rank,
            "semantic_rank": self.semantic_rank,
            "neighbours": self.neighbours,
            "coverage": self.coverage,
            "graph": self.graph,
            "time": self.time,
            "learned": self.learned,
            "score": self.score,
        }


def fuse(question: Question, evidence: Sequence[Evidence], *, method: str = "sum") -> list[Fused]:
    """The candidates best first, ties by id; the order of `evidence` does not matter. `method` is one of METHODS."""
    summed = _summed(question, evidence, method)
    return summed.built(summed.order())


def answer(question: Question, evidence: Sequence[Evidence], *, method: str = "sum", limit: int, within: float = 1.0) -> list[Fused]:
    """The best `limit` of what is `relevant` in what `fuse` gives, and below 1 whatever scores that share of the last of them.

    Only these are made, which is half of the cost for 600 candidates.
    """
    summed = _summed(question, evidence, method)
    stands = _standing(question, summed.cosines, summed.shares, summed.lent)
    places = [at for at in summed.order() if stands[at]]
    least = summed.totals[places[limit - 1]] * within if len(places) > limit else 0.0
    close = [at for at in places[limit:] if summed.totals[at] >= least] if within < 1.0 else []
    return summed.built([*places[:limit], *close])


def relevant(question: Question, fused: Sequence[Fused]) -> list[Fused]:
    """The candidates that stand up, in their order; none when nothing about the question is in the store.

    A cosine alone cannot tell (static vectors of two short texts reach .3 by luck), so it counts by how far it beats the everyday
    topics that lie nearest to the question; words that a memory holds stand beside it.
    """
    stands = _standing(question, [f.semantic for f in fused], [f.coverage for f in fused], [f.neighbours for f in fused])
    return [f for f, stand in zip(fused, stands, strict=True) if stand]


def _standing(question: Question, cosines: Sequence[float | None], shares: Sequence[float], lent: Sequence[float]) -> list[bool]:
    best = max(shares, default=0.0)
    if all(c is None for c in cosines):
        answered = best >= FLOOR_COVERAGE or best * question.terms >= FLOOR_WORDS
        return [answered and share > 0.0 for share in shares]
    all_words = question.terms / WORDS_A_COSINE + WHOLE_QUESTION
    marks = [(c or 0.0) + share * all_words for c, share in zip(cosines, shares, strict=True)]
    if best < SURE_COVERAGE and max(marks) < max(NOISE, FLOOR + EVERYDAY * question.everyday):
        return [False] * len(marks)
    return [m >= NOISE or gift > 0.0 or share >= SURE_COVERAGE for m, gift, share in zip(marks, lent, shares, strict=True)]


class _Summed:
    """All candidates' signals by column, before any of them is made into a value."""

    __slots__ = ("bm25", "cosines", "ids", "lent", "shares", "totals", "weight", "words")
    ids: Sequence[int]
    bm25: Sequence[float]
    cosines: Sequence[float | None]
    lent: list[float]
    totals: list[float]

    def __init__(self, question: Question, evidence: Sequence[Evidence]) -> None:
        columns = zip(*evidence, strict=True) if evidence else iter(((),) * 4)
        self.ids, self.bm25, self.cosines, covered, *_ = columns
        self.weight = _weight(question.terms) if any(c is not None for c in self.cosines) else 0.0
        scale = 1.0 / question.idf_total if question.idf_total > 0.0 else 0.0
        self.shares = [min(1.0, c * scale) for c in covered]
        self.words = [b * (scale / SATURATION) * sqrt(c) for b, c in zip(self.bm25, self.shares, strict=True)]

    def order(self) -> list[int]:
        """Places of the candidates, best first, ties by id."""
        return [at for _, _, at in sorted(zip([-t for t in self.totals], self.ids, range(len(self.ids)), strict=True))]

    def ranked(self) -> tuple[list[tuple[float, int]], list[tuple[float, int]]]:
        """(-value, id) of each search's candidates, best first: a candidate's rank is one more than its place."""
        words = sorted((-b, i) for i, b in zip(self.ids, self.bm25, strict=True) if b > 0.0)
        return words, sorted((-c, i) for i, c in zip(self.ids, self.cosines, strict=True) if c is not None)

    def built(self, places: Sequence[int]) -> list[Fused]:
        """The candidates at these places as values."""
        words, meaning = self.ranked() if places else ([], [])
        made = []
        for at in places:
            i, b, c = self.ids[at], self.bm25[at], self.cosines[at]
            by_words = bisect_left(words, (-b, i)) + 1 if b > 0.0 else None
            by_meaning = bisect_left(meaning, (-c, i)) + 1 if c is not None else None
            made.append(Fused(i, self.totals[at], self.words[at], c, self.shares[at], self.weight, self.lent[at], by_words, by_meaning))
        return made


def _summed(question: Question, evidence: Sequence[Evidence], method: str) -> _Summed:
    s = _Summed(question, evidence)
    if method == "rrf":
        words, meaning = ({i: rank for rank, (_, i) in enumerate(ranked, 1)} for ranked in s.ranked())
        scores = [_reciprocal(words.get(i)) + _reciprocal(meaning.get(i)) for i in s.ids]
        s.lent = [0.0] * len(scores)
    else:
        a = s.weight
        scores = [(1.0 - a) * w + a * (c or 0.0) for w, c in zip(s.words, s.cosines, strict=True)]
        s.lent = _lent(evidence, scores)
    s.totals = [score + gift for score, gift in zip(scores, s.lent, strict=True)]
    return s


def _weight(terms: int) -> float:
    return MEANING / (MEANING + terms * sqrt(terms))


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
