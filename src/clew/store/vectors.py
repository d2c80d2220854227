"""The vector index's arithmetic: sign bits to find candidates, int8 rows to rank them, the same with and without numpy.

A vector is 256 signed bytes. Its sign bits are taken after a fixed random rotation (a Hadamard transform of randomly flipped
components), without which the top 200 by sign distance miss 5-7 % of the true top ten (docs/decisions/0005).
"""

from __future__ import annotations

import sys
from heapq import nsmallest
from math import sqrt
from operator import mul
from random import Random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any

DIM = 256
SIGN_BYTES = DIM // 8
BLOCK = 96  # memories a block: ids and bits together fill one page
_COIN = Random(DIM).getrandbits(DIM)
_FLIPS = tuple(1 if _COIN >> i & 1 else -1 for i in range(DIM))  # the raw generator is the same in every Python 3


def signs(vector: bytes) -> bytes:
    """The 32 sign bytes of one vector; standard library only. Bit i, little-endian, is set where component i, rotated, is positive."""
    values = list(map(mul, memoryview(vector).cast("b"), _FLIPS))
    step = 1
    while step < DIM:
        for start in range(0, DIM, 2 * step):
            a, b = values[start : start + step], values[start + step : start + 2 * step]
            values[start : start + step] = [x + y for x, y in zip(a, b, strict=True)]
            values[start + step : start + 2 * step] = [x - y for x, y in zip(a, b, strict=True)]
        step *= 2
    bits = 0
    for i, value in enumerate(values):
        if value > 0:
            bits |= 1 << i
    return bits.to_bytes(SIGN_BYTES, "little")


def signs_many(vectors: Sequence[bytes]) -> list[bytes]:
    """`signs` of many at once by numpy; products stay below 2**24, so float32 is exact."""
    import numpy as np

    rotation = np.array([[1.0]], np.float32)
    while len(rotation) < DIM:
        rotation = np.block([[rotation, rotation], [rotation, -rotation]])
    rows = np.frombuffer(b"".join(vectors), np.int8).reshape(-1, DIM).astype(np.float32)
    turned = (rows * np.array(_FLIPS, np.float32)) @ rotation.T
    packed = np.packbits(turned > 0, axis=1, bitorder="little")
    return [row.tobytes() for row in packed]


def closest(
    blocks: Iterable[tuple[bytes, bytes]], query: bytes, skip: Collection[int], only: Collection[int] | None, limit: int
) -> tuple[list[int], int, float, float]:
    """(ids of the `limit` nearest by sign distance, how many were scanned, mean, deviation of all distances); standard library only."""
    wanted = int.from_bytes(query, "little")
    found: list[tuple[int, int]] = []
    for ids, bits in blocks:
        found.extend(
            ((int.from_bytes(bits[at : at + SIGN_BYTES], "little") ^ wanted).bit_count(), i)
            for i, at in zip(memoryview(ids).cast("I").tolist(), range(0, len(bits), SIGN_BYTES), strict=True)
        )
    total = sum(d for d, _ in found)
    squares = sum(d * d for d, _ in found)
    kept: Iterable[tuple[int, int]] = found
    if skip or only is not None:
        kept = [(d, i) for d, i in found if i not in skip and (only is None or i in only)]
    return [i for _, i in nsmallest(limit, kept)], len(found), *_spread(len(found), total, squares)


def closest_arrays(ids: Any, bits: Any, query: bytes, mask: Any, limit: int) -> tuple[list[int], int, float, float]:
    """`closest` over arrays: `ids` (n,) int64, `bits` (n, 4) uint64; `mask` (n,) bool of those allowed, or None."""
    import numpy as np

    from clew.store.words import lowest

    distances = np.bitwise_count(bits ^ np.frombuffer(query, "<u8")).sum(axis=1, dtype=np.int64)
    total, squares = int(distances.sum()), int((distances * distances).sum())
    if mask is not None:
        order = lowest(distances[mask], ids[mask], limit)
        chosen = ids[mask][order]
    else:
        chosen = ids[lowest(distances, ids, limit)]
    return chosen.tolist(), len(ids), *_spread(len(ids), total, squares)


def _spread(count: int, total: int, squares: int) -> tuple[float, float]:
    if not count:
        return 0.0, 0.0
    mean = total / count
    return mean, sqrt(max(0.0, squares / count - mean * mean))


def cosines(vector: bytes, rows: Sequence[tuple[int, bytes]]) -> dict[int, float]:
    """Cosine of `vector` with each (id, row); dot products and squared norms are whole numbers, so the result is exact everywhere."""
    if "numpy" in sys.modules and len(rows) > 8:
        import numpy as np

        matrix = np.frombuffer(b"".join(row for _, row in rows), np.int8).reshape(-1, DIM).astype(np.float32)
        query = np.frombuffer(vector, np.int8).astype(np.float32)
        dots, norms = (matrix @ query).tolist(), np.einsum("ij,ij->i", matrix, matrix).tolist()
    else:
        question = memoryview(vector).cast("b").tolist()
        dots, norms = [], []
        for _, row in rows:
            values = memoryview(row).cast("b").tolist()
            dots.append(sum(map(mul, question, values)))
            norms.append(sum(map(mul, values, values)))
    size = sum(v * v for v in memoryview(vector).cast("b").tolist())
    return {i: dot / sqrt(size * norm) if norm else 0.0 for (i, _), dot, norm in zip(rows, dots, norms, strict=True)}
