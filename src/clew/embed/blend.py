"""The vector of a memory out of its summary's and its detail's.

The summary is heard by itself: inside one long text its few words drown. Against one vector of the joined text, the embedder alone:
HotpotQA full@5 .36 → .44, TimeQA recall@5 .51 → .62, PEPs recall@10 .72 → .80, code, dialogue and paraphrase as before; shares of 0.35
to 0.55 are alike once words are added, 0.7 loses passages (benchmarks/retrieval.py).
"""

from __future__ import annotations

import sys
from math import sqrt
from operator import mul

from clew.embed.base import quantised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

SUMMARY_SHARE = 0.45


def blended(summary: bytes, detail: bytes) -> bytes:
    """The weighted mean of two vectors brought to one length, as int8; the other one when either is `b""`."""
    if not summary or not detail:
        return summary or detail
    first, second = memoryview(summary).cast("b").tolist(), memoryview(detail).cast("b").tolist()
    a = SUMMARY_SHARE / sqrt(sum(map(mul, first, first)))
    b = (1.0 - SUMMARY_SHARE) / sqrt(sum(map(mul, second, second)))
    return quantised([a * x + b * y for x, y in zip(first, second, strict=True)])


def blended_many(summaries: Sequence[bytes], details: Sequence[bytes]) -> list[bytes]:
    """`blended` of each pair, bit for bit; by numpy where it is loaded."""
    mixed = [blended(s, d) if not s or not d else b"" for s, d in zip(summaries, details, strict=True)]
    both = [at for at, (s, d) in enumerate(zip(summaries, details, strict=True)) if s and d]
    if "numpy" in sys.modules and len(both) > 1:
        rows = _mixed_rows([summaries[at] for at in both], [details[at] for at in both])
    else:
        rows = [blended(summaries[at], details[at]) for at in both]
    for at, row in zip(both, rows, strict=True):
        mixed[at] = row
    return mixed


def _mixed_rows(summaries: Sequence[bytes], details: Sequence[bytes]) -> list[bytes]:
    import numpy as np

    def lengths(rows: Any) -> Any:
        return np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]

    first, second = (np.frombuffer(b"".join(v), np.int8).reshape(len(v), -1).astype(np.float64) for v in (summaries, details))
    rows = SUMMARY_SHARE / lengths(first) * first + (1.0 - SUMMARY_SHARE) / lengths(second) * second
    peaks = np.abs(rows).max(axis=1)[:, None]
    kept = peaks[:, 0] > 0.0
    whole = np.rint(rows * (127.0 / np.where(peaks > 0.0, peaks, 1.0))).astype(np.int8)
    return [row.tobytes() if some else b"" for row, some in zip(whole, kept, strict=True)]
