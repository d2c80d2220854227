"""The vector index's arithmetic: sign bits to find candidates, int8 rows to rank them, the same with and without numpy.

A vector is 256 signed bytes. Its sign bits are taken after a fixed random rotation (a Hadamard transform of randomly flipped
components), without which the top 200 by sign distance miss 5-7 % of the true top ten (docs/decisions/0005).
"""

from __future__ import annotations

from bisect import bisect_left
from math import sqrt

from clew.lanes import LANE, LIFTED, dots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Any

DIM = 256
SIGN_BYTES = DIM // 8
BLOCK = 96  # memories a block: ids and bits together fill one page
GROUP = 8_192  # memories whose bits are compared at once
# random.Random(256).getrandbits(256), whose import costs a millisecond.
_COIN = 0x750B79840A35E888CEA8684B60033CD65DB233956EA88F4B4F72FD3F7D254DB8
_FLIPS = tuple(1 if _COIN >> i & 1 else -1 for i in range(DIM))

# `signs` adds in one long integer, a lane of 4 bytes a component, each component lifted so that no lane goes below zero.
_SQUARES = [min(byte, 256 - byte) ** 2 for byte in range(256)]  # of the signed value that a byte stands for
_ONES = int.from_bytes(b"\1\0\0\0" * DIM, "little")
_FLIPPED = int.from_bytes(b"".join(b"\xff" * LANE if flip < 0 else bytes(LANE) for flip in _FLIPS), "little")
_STEPS = [LANE << n for n in range(8)]  # bytes between the two components that meet
_LOWER = [int.from_bytes((b"\xff" * step + bytes(step)) * (DIM * LANE // (2 * step)), "little") for step in _STEPS]
_DIGITS = b"0011" * 64  # bit 1 of a byte as a digit
_BYTES = bytes(range(256))
_EVERY_BYTE, _EACH_BYTE = int.from_bytes(_BYTES, "little"), int.from_bytes(b"\1" * 256, "little")
_ONES_OF = bytes(map(int.bit_count, range(256)))


def signs(vector: bytes) -> bytes:
    """The 32 sign bytes of one vector; standard library only. Bit i, little-endian, is set where component i, rotated, is positive."""
    lanes = bytearray(DIM * LANE)
    lanes[::LANE] = vector.translate(LIFTED)
    total = int.from_bytes(lanes, "little")
    flipped = total & _FLIPPED
    total += (_ONES << 8 & _FLIPPED) - 2 * flipped  # 128 + v becomes 128 - v
    lift = 128
    for step, lower in zip(_STEPS, _LOWER, strict=True):
        a, b = total & lower, total >> 8 * step & lower
        lift *= 2
        total = a + b | (a + (_ONES * lift & lower) - b) << 8 * step
    raised = total + _ONES * (0x20000 - lift - 1)  # 2^17 is reached by what lies above zero
    digits = raised.to_bytes(DIM * LANE, "little")[2::LANE].translate(_DIGITS)
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
) -> tuple[list[int], int]:
    """(ids of the `limit` nearest by sign distance, ties by id; how many were scanned); standard library only. Raises ValueError for a
    block whose ids and bits do not fit one another.
    """
    names, parts, opposite = bytearray(), list[bytes](), set[int]()
    for group, bits in _groups(blocks):
        part, places = distances(bits, query)
        opposite.update(_ids(group)[place] for place in places)
        names += group
        parts.append(part)
    ids, away = _ids(names), b"".join(parts)
    scanned = len(ids)
    if only is not None:
        kept = [place for place, i in enumerate(ids) if i in only]
        ids, away = [ids[place] for place in kept], bytes([away[place] for place in kept])
    wanted = limit + len(skip)
    # Deleting what lies above a distance leaves as many bytes as lie up to it; where all are too few, all are taken.
    edge = bisect_left(range(256), wanted, key=lambda most: len(away.translate(None, _BYTES[most + 1 :])))
    near = sorted([(away[place] + (ids[place] in opposite), ids[place]) for place in _up_to(away, edge)])
    return [i for _, i in near if i not in skip][:limit], scanned


def _groups(blocks: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    """Blocks joined to about GROUP memories each: enough that a call costs little, few enough that the processor's cache holds them."""
    names, bits, held = [], [], 0
    for ids, signs in blocks:
        if len(ids) % 4 or len(signs) * 4 != len(ids) * SIGN_BYTES:
            raise ValueError(f"{len(signs)} bytes of signs for {len(ids)} bytes of ids")
        names.append(ids)
        bits.append(signs)
        held += len(ids)
        if held >= 4 * GROUP:
            yield b"".join(names), b"".join(bits)
            names, bits, held = [], [], 0
    yield b"".join(names), b"".join(bits)


def _ids(names: bytes | bytearray) -> Sequence[int]:
    return memoryview(names).cast("I")


def distances(bits: bytes, query: bytes) -> tuple[bytes, list[int]]:
    """(how many of its sign bits differ from `query`'s, a byte for each memory; the places of those that differ in all 256, of whom the
    byte says 255).

    By columns, five times as fast as row by row: a table turns the n-th byte of every memory into its distance from the query's n-th,
    and as one long integer a column is added to the sum of the others, a byte a memory. Half of the columns come to 128 at most, so that
    no sum runs over; where both halves do, which is how one sees that all bits differ, one is taken away again.
    """
    halves = [0, 0]
    for at, value in enumerate(query):
        away = (_EVERY_BYTE ^ value * _EACH_BYTE).to_bytes(256, "little").translate(_ONES_OF)
        halves[at % 2] += int.from_bytes(bits[at::SIGN_BYTES].translate(away), "little")
    count = len(bits) // SIGN_BYTES
    full = int.from_bytes(b"\x80" * count, "little") & halves[0] & halves[1]
    total = halves[0] + halves[1] - (full >> 7)
    return total.to_bytes(count, "little"), list(_places(full.to_bytes(count, "little"), 0x80)) if full else []


def _up_to(away: bytes, edge: int) -> Iterator[int]:
    """The places where no more than `edge` stands."""
    marks = b"\1" * (edge + 1)
    return _places(away.translate(marks[:256].ljust(256, b"\0")), 1)


def _places(found: bytes, value: int) -> Iterator[int]:
    at = found.find(value)
    while at >= 0:
        yield at
        at = found.find(value, at + 1)


def closest_arrays(
    parts: Sequence[tuple[Any, Any]], query: bytes, skip: Collection[int], only: Collection[int] | None, limit: int
) -> tuple[list[int], int]:
    """`closest` over arrays: each part holds ids (n,) uint32 and their sign bits by column, (4, n) uint64."""
    import numpy as np

    from clew.store.words import first

    if not parts:
        return [], 0
    wanted = np.frombuffer(query, "<u8")[:, None]
    away = np.concatenate([np.bitwise_count(bits ^ wanted).sum(axis=0, dtype=np.uint16) for _, bits in parts])
    ids = np.concatenate([ids for ids, _ in parts])
    chosen: list[int] = ids[first(away, ids, skip, only, limit)].tolist()
    return chosen, len(ids)


def square(vector: bytes) -> int:
    """The squared norm."""
    return sum(map(_SQUARES.__getitem__, vector))


def cosines(vector: bytes, rows: Sequence[tuple[int, bytes, int]]) -> dict[int, float]:
    """Cosine of `vector` with each (id, row, squared norm); products and sums are whole numbers, so the result is exact everywhere."""
    products = dots(vector, b"".join([row for _, row, _ in rows]))
    size = square(vector)
    return {i: dot / sqrt(size * norm) if size and norm else 0.0 for (i, _, norm), dot in zip(rows, products, strict=True)}


def cosines_arrays(vector: bytes, rows: Any, norms: Any) -> list[float]:
    """`cosines` over arrays: rows (n, 256) int8 and squared norms (n,) int64. Whole numbers below 2**24 are exact in float32."""
    import numpy as np

    dots = rows.astype(np.float32) @ np.frombuffer(vector, np.int8).astype(np.float32)
    scales = np.sqrt((norms * square(vector)).astype(np.float64))
    near: list[float] = np.divide(dots.astype(np.float64), scales, out=np.zeros(len(dots)), where=scales > 0.0).tolist()
    return near
