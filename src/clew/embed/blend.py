"""The vector of a memory out of its summary's and its detail's.

The summary is heard by itself: inside one long text its few words drown. Against one vector of the joined text, the embedder alone:
HotpotQA full@5 .36 → .44, TimeQA recall@5 .51 → .62, PEPs recall@10 .72 → .80, code, dialogue and paraphrase as before; shares of 0.35
to 0.55 are alike once words are added, 0.7 loses passages (benchmarks/retrieval.py).
"""

from __future__ import annotations

from math import sqrt
from operator import mul

from clew.embed.base import quantised

SUMMARY_SHARE = 0.45


def blended(summary: bytes, detail: bytes) -> bytes:
    """The weighted mean of two vectors brought to one length, as int8; the other one when either is `b""`."""
    if not summary or not detail:
        return summary or detail
    first, second = memoryview(summary).cast("b").tolist(), memoryview(detail).cast("b").tolist()
    a = SUMMARY_SHARE / sqrt(sum(map(mul, first, first)))
    b = (1.0 - SUMMARY_SHARE) / sqrt(sum(map(mul, second, second)))
    return quantised([a * x + b * y for x, y in zip(first, second, strict=True)])
