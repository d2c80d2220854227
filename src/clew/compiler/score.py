"""How far a text bears on the query: the share of the query's terms that it holds, each weighted by its rarity within the request.

The words are split as recall splits them. Weight of a term that n of N fragments hold: ln(1 + (N - n + 0.5) / (n + 0.5)).
"""

from __future__ import annotations

import math

from clew.patterns import compiled
from clew.text import bonus_terms, index_terms, question_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clew.compiler.values import Importance
    from clew.compiler.work import Work

VAST = 1e300  # a larger number of metadata, or none at all, is no signal
TRIES = 8  # places at which a term is looked for before the whole text is split
AROUND = 96  # characters around such a place that hold its token
_SIGNS = str.maketrans("", "", "'._-:/,@#+()")  # what may stand inside a name or number and not in its term
_WHITE = (" ", "\n", "\t")
_NO_LETTERS = "×–—…“”✓"  # what often is the only thing beyond ASCII in a text, and belongs to no word
_APART = frozenset(" \n\t/_-")  # behind and before these a word is a word by itself, whatever name or path it stands in
_ENDS = _APART | {"", ","}
_WORD = r"[a-z]+"


class Scale:
    """The query's terms and their weights. `of(text)` is within 0..1; 0 for everything when the query asks for nothing."""

    __slots__ = ("_plain", "_roots", "_spare", "_total", "terms", "weights")

    def __init__(self, query: str) -> None:
        self._spare = set(bonus_terms(query))
        terms = question_terms(query)
        self._roots = {term: root(term) for term in terms if term not in self._spare and term.isalpha()}
        self._plain = {term: root(term.translate(_SIGNS) or term) for term in terms if term not in self._roots}  # names and numbers
        self.terms = frozenset(terms)
        self.weights: dict[str, float] = {}
        self._total = 0.0

    def weigh(self, held: Sequence[frozenset[str]]) -> None:
        """Settle the weights from what each fragment holds. A whole identifier that none holds is no gap: its parts are asked for too."""
        counts = {term: sum(term in terms for terms in held) for term in (*self._roots, *self._plain)}
        self.weights = {term: _rarity(len(held), n) for term, n in counts.items() if n or term not in self._spare}
        self._total = math.fsum(self.weights.values())

    def held(self, text: str, among: frozenset[str] | None = None) -> frozenset[str]:
        """Which of the query's terms the text holds, as its index terms would say; `among` those of the whole that it is a piece of.

        In plain ASCII a term is looked for by the letters it begins with, and the first places where they stand are split; only where these
        do not settle it is the whole text. (A tenth of the time.)
        """
        wanted = self.terms if among is None else among
        if not wanted:
            return wanted
        for sign in () if text.isascii() else _NO_LETTERS:
            text = text.replace(sign, " ")
        if text.isascii():
            low = text.lower()
            near = {term: _near(text, low, self._roots[term], term) for term in wanted if term in self._roots}
            found = [term for term, answer in near.items() if answer]
            names = [self._plain[term] for term in wanted if term in self._plain]
            bare = low.translate(_SIGNS) if names else ""
            if None not in near.values() and not any(letters in bare for letters in names):
                return frozenset(found)
        return wanted.intersection(index_terms(text))

    def relevance(self, terms: Iterable[str]) -> float:
        """The share of the query's weight that these terms of it make up."""
        return min(1.0, math.fsum(self.weights.get(term, 0.0) for term in sorted(terms)) / self._total) if self._total else 0.0

    def of(self, text: str, among: frozenset[str] | None = None) -> float:
        """The relevance of a text, or of a piece of one that holds these terms."""
        return self.relevance(self.held(text, among))


def root(term: str) -> str:
    """The letters that every word of that stem begins with: all of it, or but the last where a stem ends unlike its words
    (happi, happy; hope, hoping; capabl, capability)."""
    return term[:-1] if term[-1] in "eil" and len(term) > 2 else term


def _near(text: str, low: str, letters: str, term: str) -> bool | None:
    """Whether a token with that beginning in it has the term; None when the first TRIES places do not settle it."""
    at = -1
    for _ in range(TRIES):
        at = low.find(letters, at + 1)
        if at < 0:
            return False
        if _stands_alone(low, at, term):
            return True
        first, last = max(0, at - AROUND), at + AROUND
        start = 1 + max(low.rfind(sign, first, at) for sign in _WHITE)
        ends = [end for sign in _WHITE if (end := low.find(sign, at, last)) >= 0]
        if term in index_terms(text[max(start, first) : min(ends, default=last)]):
            return True
    return None if low.find(letters, at + 1) >= 0 else False


def _stands_alone(low: str, at: int, term: str) -> bool:
    """Whether a word that has the term begins there and ends where it can end; the names around it are as a rule new, words are not."""
    if at and low[at - 1] not in _APART:
        return False
    word = compiled(_WORD).match(low, at)
    return word is not None and low[word.end() : word.end() + 1] in _ENDS and term in index_terms(word[0])


def _rarity(texts: int, holding: int) -> float:
    return math.log(1.0 + (texts - holding + 0.5) / (holding + 0.5))


def score(works: list[Work], query: str, importance: Importance) -> Scale:
    """Fill in the relevance of every work, and for memories what is known about them beside it."""
    scale = Scale(query)
    held = [scale.held(work.fragment.content) for work in works]
    scale.weigh(held)
    for work, terms in zip(works, held, strict=True):
        work.held, work.relevance = terms, scale.relevance(terms)
        work.blend = work.relevance
    _blend([work for work in works if work.fragment.kind == "memory"], importance)
    return scale


def _blend(memories: list[Work], importance: Importance) -> None:
    """base + confidence · (c - 0.5) · 2 + recency · r, r by place between the oldest and the newest; both weights 0 leave it as it is."""
    if not (importance.confidence or importance.recency):
        return
    times = _numbers(memories, importance.recency_field) if importance.recency else {}
    low, high = min(times.values(), default=0.0), max(times.values(), default=0.0)
    span = high - low
    trusted = _numbers(memories, "confidence")
    for work in memories:
        confidence = min(1.0, max(0.0, trusted.get(work.index, 0.5)))
        recency = (times[work.index] - low) / span if work.index in times and span > 0 else 0.0
        work.blend = work.relevance + importance.confidence * (confidence - 0.5) * 2 + importance.recency * recency
        work.reasons.append(
            f"rank {work.blend:.3f} = relevance {work.relevance:.3f} + confidence {importance.confidence:g}·({confidence:.2f} - 0.5)·2"
            f" + recency {importance.recency:g}·{recency:.2f}"
        )


def _numbers(works: list[Work], name: str | None) -> Mapping[int, float]:
    found = {}
    for work in works if name is not None else ():
        value = work.fragment.metadata.get(name or "")
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= VAST:
            found[work.index] = float(value)
    return found
