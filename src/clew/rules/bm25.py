"""BM25 over weighted fields: its constants, a word's weight, and how a question's word reaches longer and shorter forms of itself.

Formula: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, with the field-weighted term frequency
of its section 3.5, which the store sums up over its packed words (store/words.py). A memory's term frequency is the sum over its fields
of weight × count; its length is the plain number of its terms.
Constants: best mean of recall@5, recall@10 and MRR over eight public retrieval sets (benchmarks/retrieval.py); the surface is flat,
any k1 in 0.9..1.6 and b in 0.5..0.75 stays within half a point.
"""

from __future__ import annotations

import math

K1 = 1.2  # how fast repeats of a word stop counting
B = 0.7  # how much a long text is discounted
FIELD_WEIGHTS = {"summary": 3, "tags": 3, "detail": 1}  # HotpotQA full@5 .556 at 1:1, .588 at 2:1, .604 at 3:1

RARE_MEMORIES = 3  # a word held by more than these needs no longer forms, and its synonyms less
PREFIX_SHORTEST = 3  # letters a word needs to reach longer words
PREFIX_MOST = 8  # longer words taken, the most frequent first
PREFIX_UNKNOWN = 0.8  # what they count when the store does not hold the word itself
PREFIX_RARE = 0.5  # … when it holds it in a few memories only (`auth` in one, `authentication` in twenty)
ALIKE = 1.0  # what words of the thesaurus count beside the idf they share, where the word asked for is rare or unknown; 0.7 loses a point
ALIKE_BESIDE = 0.4  # … where many memories hold it: MRR on code .386 → .390; 0.3 to 0.5 are alike, dialogue as before
ALIKE_SHARE = 0.1  # … if not even a tenth of the memories hold them; without this bound nothing changes but the time
SHORTENED_SHORTEST = 4  # letters of a held word that an unknown longer word may fall back to (`postgresql` → `postgres`)
SHORTENED_SHARE = 0.5  # and the share of the unknown word it must make up


def idf(memories: int, holding: int) -> float:
    """Weight of a word that `holding` of `memories` hold, in nats, above 0: ln(1 + (N - df + 0.5) / (df + 0.5))."""
    return math.log(1.0 + (memories - holding + 0.5) / (holding + 0.5))


def widening(term: str, holding: int) -> float:
    """The weight at which longer words that begin with `term` count in its place, 0.0 when they must not be looked for.

    They are one word together: frequencies summed, idf from the memories that hold any of them and not the term itself.
    """
    if len(term) < PREFIX_SHORTEST or not (term.isascii() and term.isalpha()) or holding > RARE_MEMORIES:
        return 0.0
    return PREFIX_RARE if holding else PREFIX_UNKNOWN


def likening(holding: int, others: int, memories: int) -> float:
    """The weight at which the thesaurus's words, held by `others` memories, count in place of a term that `holding` hold.

    They are one word together, as longer forms are. 0.0 where both are common: that would cost time and say nothing.
    """
    if holding <= RARE_MEMORIES:
        return ALIKE
    return ALIKE_BESIDE if others <= memories * ALIKE_SHARE else 0.0


def shortenings(term: str) -> list[str]:
    """Shorter words to look for when no memory holds `term`, longest first; the first one held stands in for it."""
    if not (term.isascii() and term.isalpha()):
        return []
    least = max(SHORTENED_SHORTEST, math.ceil(len(term) * SHORTENED_SHARE))
    return [term[:size] for size in range(len(term) - 1, least - 1, -1)]
