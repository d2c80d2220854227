"""The static table's sums for many texts at once, in numpy; bit for bit those of `StaticTable.embed`."""

from __future__ import annotations

from itertools import accumulate, chain

from clew.embed.static import BIAS, SCALE_UNIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from clew.embed.mapped import Mapped

_BLOCK_ROWS = 1024  # rows gathered at a time: 1 MB of float64 for each half, which stays in a processor's cache


def embed_rows(table: Mapped, rows: Sequence[Sequence[int]]) -> list[bytes]:
    """The vector of each text given as the rows of its words; `b""` for a text without rows."""
    import numpy as np

    packed = np.frombuffer(table.vectors, np.uint8).reshape(table.entries, table.dim // 2)
    stored = np.frombuffer(table.scales, "<f4")
    vectors = [b""] * len(rows)
    for block in _blocks(rows):
        gathered = np.fromiter(chain.from_iterable([rows[at] for at in block]), np.intp)
        ends = list(accumulate([len(rows[at]) for at in block]))
        scales = np.rint(stored[gathered].astype(np.float64) * SCALE_UNIT)
        for at, vector in zip(block, _quantised(_sums(packed[gathered], scales, ends)), strict=True):
            vectors[at] = vector.tobytes() if vector.any() else b""
    return vectors


def _blocks(rows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Positions of the texts that have rows, in blocks of about `_BLOCK_ROWS` rows."""
    block: list[int] = []
    held = 0
    for at, of_text in enumerate(rows):
        if of_text:
            block.append(at)
            held += len(of_text)
        if held >= _BLOCK_ROWS:
            yield block
            block, held = [], 0
    if block:
        yield block


def _sums(packed: NDArray[np.uint8], scales: NDArray[np.float64], ends: Sequence[int]) -> NDArray[np.float64]:
    """Σ scale · component for each text, whose rows end at `ends`; whole numbers below 2^53, hence exact in any order. (texts, dim)"""
    import numpy as np

    low, high = (packed & 15).astype(np.float64), (packed >> 4).astype(np.float64)
    width = packed.shape[1]
    sums = np.empty((len(ends), 2 * width))
    start = 0
    for text, end in zip(sums, ends, strict=True):
        weights = scales[start:end]
        np.dot(weights, low[start:end], out=text[:width])
        np.dot(weights, high[start:end], out=text[width:])
        text -= BIAS * weights.sum()
        start = end
    return sums


def _quantised(sums: NDArray[np.float64]) -> NDArray[np.int8]:
    """`base.quantised` for each row; a row of zeros stays zero."""
    import numpy as np

    peaks = np.abs(sums).max(axis=1, keepdims=True)
    factors = 127.0 / np.where(peaks > 0, peaks, 1.0)
    return np.rint(sums * factors).astype(np.int8)
