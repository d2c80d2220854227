"""The vector index's arithmetic: sign bits to find candidates, int8 rows to rank them, the same with and without numpy.

A vector is 256 signed bytes. Its sign bits are taken after a fixed random rotation (a Hadamard transform of randomly flipped
components), without which the top 200 by sign distance miss 5-7 % of the true top ten (docs/decisions/0005).
"""

from __future__ import annotations

from collections import Counter
from math import sqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any

DIM = 256
SIGN_BYTES = DIM // 8
BLOCK = 96  # memories a block: ids and bits together fill one page
# random.Random(256).getrandbits(256), whose import costs a millisecond.
_COIN = 0x750B79840A35E888CEA8684B60033CD65DB233956EA88F4B4F72FD3F7D254DB8
_FLIPS = tuple(1 if _COIN >> i & 1 else -1 for i in range(DIM))

# `signs` adds in one long integer, a lane of 4 bytes a component, each component lifted so that no lane goes below zero.
_LANE = 4
_LIFTED = bytes(value ^ 0x80 for value in range(256))  # two's complement + 128
_SQUARES = [min(byte, 256 - byte) ** 2 for byte in range(256)]  # of the signed value that a byte stands for
_ONES = int.from_bytes(b"\1\0\0\0" * DIM, "little")
_FLIPPED = int.from_bytes(b"".join(b"\xff" * _LANE if flip < 0 else bytes(_LANE) for flip in _FLIPS), "little")
_STEPS = [_LANE << n for n in range(8)]  # bytes between the two components that meet
_LOWER = [int.from_bytes((b"\xff" * step + bytes(step)) * (DIM * _LANE // (2 * step)), "little") for step in _STEPS]
_DIGITS = b"0011" * 64  # bit 1 of a byte as a digit


def signs(vector: bytes) -> bytes:
    """The 32 sign bytes of one vector; standard library only. Bit i, little-endian, is set where component i, rotated, is positive."""
    lanes = bytearray(DIM * _LANE)
    lanes[::_LANE] = vector.translate(_LIFTED)
    total = int.from_bytes(lanes, "little")
    flipped = total & _FLIPPED
    total += (_ONES << 8 & _FLIPPED) - 2 * flipped  # 128 + v becomes 128 - v
    lift = 128
    for step, lower in zip(_STEPS, _LOWER, strict=True):
        a, b = total & lower, total >> 8 * step & lower
        lift *= 2
        total = a + b | (a + (_ONES * lift & lower) - b) << 8 * step
    raised = total + _ONES * (0x20000 - lift - 1)  # 2^17 is reached by what lies above zero
    digits = raised.to_bytes(DIM * _LANE, "little")[2::_LANE].translate(_DIGITS)
    return int(digits[::-1], 2).to_bytes(SIGN_BYTES, "little")


def signs_many(vectors: Sequence[bytes]) -> list[bytes]:
    """`signs` of many at once by numpy; products stay below 2**24, so float32 is exact."""
    import numpy as np

    rows = np.frombuffer(b"".join(vectors), np.int8).reshape(-1, DIM).astype(np.float32)
    rows *= np.array(_FLIPS, np.float32)
    step = 1
    while step < DIM:
        pairs = rows.reshape(len(rows), -1, 2, step)
        a, b = pairs[:, :, 0].copy(), pairs[:, :, 1]
        pairs[:, :, 0] += b
        np.subtract(a, b, out=pairs[:, :, 1])
        step *= 2
    packed = np.packbits(rows > 0, axis=1, bitorder="little")
    return [row.tobytes() for row in packed]


def closest(
    blocks: Iterable[tuple[bytes, bytes]], query: bytes, skip: Collection[int], only: Collection[int] | None, limit: int
) -> tuple[list[int], int, float, float]:
    """(ids of the `limit` nearest by sign distance, how many were scanned, mean, deviation of all distances); standard library only."""
    wanted = int.from_bytes(query, "little")
    distances: list[int] = []
    ids: list[int] = []
    for names, bits in blocks:
        ids += memoryview(names).cast("I").tolist()
        distances += [(int.from_bytes(bits[at : at + SIGN_BYTES], "little") ^ wanted).bit_count() for at in range(0, len(bits), SIGN_BYTES)]
    many = Counter(distances)
    spread = _spread(len(ids), sum(d * n for d, n in many.items()), sum(d * d * n for d, n in many.items()))
    kept: Iterable[tuple[int, int]] = zip(distances, ids, strict=True)
    if only is not None:
        kept = [(d, i) for d, i in kept if i in only]
        many = Counter([d for d, _ in kept])
    edge = _edge(many, limit + len(skip))
    near = sorted([(d, i) for d, i in kept if d <= edge])
    return [i for _, i in near if i not in skip][:limit], len(ids), *spread


def _edge(many: Mapping[int, int], wanted: int) -> int:
    """The distance up to which at least `wanted` lie, or all; `many` counts them by distance."""
    held = 0
    for distance in sorted(many):
        held += many[distance]
        if held >= wanted:
            return distance
    return DIM


def closest_arrays(
    parts: Sequence[tuple[Any, Any]], query: bytes, skip: Collection[int], only: Collection[int] | None, limit: int
) -> tuple[list[int], int, float, float]:
    """`closest` over arrays: each part holds ids (n,) uint32 and their sign bits by column, (4, n) uint64."""
    import numpy as np

    from clew.store.words import first

    if not parts:
        return [], 0, 0.0, 0.0
    wanted = np.frombuffer(query, "<u8")[:, None]
    distances = np.concatenate([np.bitwise_count(bits ^ wanted).sum(axis=0, dtype=np.uint16) for _, bits in parts])
    ids = np.concatenate([ids for ids, _ in parts])
    many, value = np.bincount(distances, minlength=DIM + 1), np.arange(DIM + 1)
    chosen = ids[first(distances, ids, skip, only, limit)].tolist()
    return chosen, len(ids), *_spread(len(ids), int(many @ value), int(many @ (value * value)))


def _spread(count: int, total: int, squares: int) -> tuple[float, float]:
    if not count:
        return 0.0, 0.0
    mean = total / count
    return mean, sqrt(max(0.0, squares / count - mean * mean))


def square(vector: bytes) -> int:
    """The squared norm."""
    return sum(map(_SQUARES.__getitem__, vector))


def cosines(vector: bytes, rows: Sequence[tuple[int, bytes, int]]) -> dict[int, float]:
    """Cosine of `vector` with each (id, row, squared norm); products and sums are whole numbers, so the result is exact everywhere."""
    dots = _dots(vector, b"".join([row for _, row, _ in rows]))
    size = square(vector)
    return {i: dot / sqrt(size * norm) if size and norm else 0.0 for (i, _, norm), dot in zip(rows, dots, strict=True)}


def cosines_arrays(vector: bytes, rows: Any, norms: Any) -> list[float]:
    """`cosines` over arrays: rows (n, 256) int8 and squared norms (n,) int64. Whole numbers below 2**24 are exact in float32."""
    import numpy as np

    dots = rows.astype(np.float32) @ np.frombuffer(vector, np.int8).astype(np.float32)
    scales = np.sqrt((norms * square(vector)).astype(np.float64))
    near: list[float] = np.divide(dots.astype(np.float64), scales, out=np.zeros(len(dots)), where=scales > 0.0).tolist()
    return near


def _dots(vector: bytes, joined: bytes) -> list[int]:
    """By columns: all rows' components of one dimension in one long integer, multiplied at once; three times as fast as row by row."""
    count = len(joined) // DIM
    lifted = joined.translate(_LIFTED)
    ones = int.from_bytes(b"\1\0\0\0" * count, "little")
    total = ones << 31  # keeps every lane above zero: 256 * 128 * 255 is below 2^23
    weight = 0
    for at, value in enumerate(memoryview(vector).cast("b")):
        if value:
            lanes = bytearray(count * _LANE)
            lanes[::_LANE] = lifted[at::DIM]
            total += int.from_bytes(lanes, "little") * value
            weight += value
    back = (1 << 31) + 128 * weight
    return [lane - back for lane in memoryview(total.to_bytes(count * _LANE, "little")).cast("I")]
