"""The inverted index's arithmetic: postings as packed bytes, chunks of them, and BM25 over what a scope holds.

A posting is 8 bytes: memory id (u32), weighted count of the term (u16), length of the memory in terms (u16).
Everything here is the same with and without numpy, to the last bit: both add in the order of the question's terms.
"""

from __future__ import annotations

import sys
from heapq import nlargest
from struct import Struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any, TypeAlias

    from clew.store.searches import Saturation

    Words: TypeAlias = Sequence[tuple[float, bytes]]
    Scored: TypeAlias = list[tuple[int, float, float]]
    Shape: TypeAlias = tuple[float, float, float]  # k1 + 1, and the length norm as base + slope * length

POSTING = Struct("<IHH")
CHUNK = 110  # postings a row: keeps the row inside one page of an index b-tree (local payload 1,002 bytes)
CEILING = 0xFFFF  # counts and lengths above it are kept as it
DENSE = 400  # postings from which numpy pays for its calls


def pack(postings: Iterable[tuple[int, int, int]]) -> bytes:
    """(id, weighted count, length) triples as bytes, in the order given."""
    return b"".join([posting(i, count, length) for i, count, length in postings])


def posting(memory: int, count: int, length: int) -> bytes:
    """One posting as bytes."""
    return POSTING.pack(memory, count if count < CEILING else CEILING, length if length < CEILING else CEILING)


def first_id(packed: bytes) -> int:
    """The id of the first of packed postings."""
    return int.from_bytes(packed[:4], "little")


def ids_of(packed: bytes) -> list[int]:
    """The ids of packed postings, in their order."""
    return memoryview(packed).cast("I")[::2].tolist()


def whole(packed: bytes) -> bytes:
    """These bytes. Raises ValueError where they are no postings."""
    if len(packed) % POSTING.size:
        raise ValueError(f"postings of {len(packed)} bytes")
    return packed


def merged(chunk: bytes, more: Iterable[tuple[int, ...]], without: Collection[int] = ()) -> list[bytes]:
    """`chunk` with `more` put in their places (one for the same id is replaced) and `without` left out, cut to CHUNK each."""
    by_id = {p[0]: p for p in POSTING.iter_unpack(chunk) if p[0] not in without}
    by_id.update((p[0], p) for p in more)
    ordered = [by_id[i] for i in sorted(by_id)]
    return [pack(ordered[i : i + CHUNK]) for i in range(0, len(ordered), CHUNK)]


def combined(members: Sequence[bytes], without: bytes = b"") -> bytes:
    """The postings of several terms that stand for one word: counts summed by memory, ascending; ids in `without` left out."""
    if sum(map(len, members)) > DENSE * POSTING.size and "numpy" in sys.modules:
        return _combined_arrays(members, without)
    held: dict[int, int] = {}
    for blob in members:
        more = dict(zip(ids_of(blob), _shapes(blob), strict=True))
        for i in held.keys() & more.keys():
            count = (held[i] & CEILING) + (more[i] & CEILING)
            more[i] = more[i] & ~CEILING | min(count, CEILING)
        held.update(more)
    for i in ids_of(without):
        held.pop(i, None)
    return Struct(f"<{len(held)}Q").pack(*[held[i] << 32 | i for i in sorted(held)])


def _shapes(packed: bytes) -> list[int]:
    """Count and length << 16 of each of packed postings: few different ones, however many memories hold a word."""
    return memoryview(packed).cast("I")[1::2].tolist()


def _combined_arrays(members: Sequence[bytes], without: bytes) -> bytes:
    import numpy as np

    rows = _rows(b"".join(members))
    ids, places = np.unique(rows["id"], return_inverse=True)
    merged = np.empty(len(ids), rows.dtype)
    merged["id"] = ids
    merged["count"] = np.minimum(np.bincount(places, rows["count"]), CEILING)
    merged["length"][places] = rows["length"]
    packed: bytes = merged[~np.isin(ids, _rows(without)["id"])].tobytes()
    return packed


def _rows(blob: bytes) -> Any:
    """Packed postings as an array with the fields id, count and length."""
    import numpy as np

    return np.frombuffer(blob, dtype=[("id", "<u4"), ("count", "<u2"), ("length", "<u2")])


def score(words: Words, saturation: Saturation, skip: Collection[int], only: Collection[int] | None, limit: int) -> Scored:
    """The best `limit` as (id, bm25, summed weights of the words it holds), best first, ties by id.

    `words` holds (weight, packed postings) of each word of the question. A word's gain is
    weight * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean)) (Robertson & Zaragoza 2009, section 3).
    """
    k1, b, mean = saturation
    shape = (k1 + 1.0, k1 * (1.0 - b), k1 * b / mean if mean > 0 else 0.0)
    many = sum(len(blob) for _, blob in words) > DENSE * POSTING.size and "numpy" in sys.modules
    return (_score_arrays if many else _score_plain)(words, shape, skip, only, limit)


def _score_plain(words: Words, shape: Shape, skip: Collection[int], only: Collection[int] | None, limit: int) -> Scored:
    gain, base, slope = shape
    scores: dict[int, float] = {}
    holders = []
    for weight, blob in words:
        top, shapes = weight * gain, _shapes(blob)
        gains = {of: top * (of & CEILING) / ((of & CEILING) + (base + slope * (of >> 16))) for of in set(shapes)}
        found = dict(zip(ids_of(blob), map(gains.__getitem__, shapes), strict=True))
        holders.append((weight, found.keys()))
        for i in scores.keys() & found.keys():
            found[i] = scores[i] + found[i]
        scores.update(found)
    if only is not None:
        scores = {i: s for i, s in scores.items() if i in only}
    for i in skip:
        scores.pop(i, None)
    least = min(nlargest(limit, scores.values()), default=0.0)
    best = sorted([(-s, i) for i, s in scores.items() if s >= least])[:limit]
    covered = dict.fromkeys((i for _, i in best), 0.0)
    for weight, holding in holders:
        for i in covered.keys() & holding:
            covered[i] += weight
    return [(i, -s, covered[i]) for s, i in best]


def _score_arrays(words: Words, shape: Shape, skip: Collection[int], only: Collection[int] | None, limit: int) -> Scored:
    import numpy as np

    gain, base, slope = shape
    rows = _rows(b"".join([blob for _, blob in words]))
    weights = np.repeat([weight for weight, _ in words], [len(blob) // POSTING.size for _, blob in words])
    ids, count = rows["id"].astype(np.int64), rows["count"].astype(np.float64)
    gains = weights * gain * count / (count + (base + slope * rows["length"]))
    low, high = int(ids.min()), int(ids.max())
    if high - low < 16 * len(ids):
        names, places = np.arange(low, high + 1), ids - low
    else:
        names, places = np.unique(ids, return_inverse=True)
    sums = np.bincount(places, gains, len(names))
    held = np.flatnonzero(sums)
    best = held[first(-sums[held], names[held], skip, only, limit)]
    covered = np.bincount(places, weights, len(names))[best]
    return list(zip(names[best].tolist(), sums[best].tolist(), covered.tolist(), strict=True))


def sharing(words: Words, least: float, base: float, slope: float) -> list[int]:
    """Ids of the memories that hold words of `least` weight together or more, of up to 16 words as (weight, packed postings); first those
    with the most weight by `base` + `slope` * length, ties by id.
    """
    if sum(len(blob) for _, blob in words) > DENSE * POSTING.size and "numpy" in sys.modules:
        return _sharing_arrays(words, least, base, slope)
    lengths: dict[int, int] = {}
    held: dict[int, float] = {}
    get = held.get
    for weight, blob in words:
        ids = ids_of(blob)
        lengths.update(zip(ids, memoryview(blob).cast("H")[3::4].tolist(), strict=True))
        for i in ids:
            held[i] = get(i, 0.0) + weight
    return [i for _, i in sorted([(-share / (base + slope * lengths[i]), i) for i, share in held.items() if share >= least])]


def _sharing_arrays(words: Words, least: float, base: float, slope: float) -> list[int]:
    """Sorted as (id, which word, length) in one number each, a memory's words lie together and are told by their bits."""
    import numpy as np

    packed = np.frombuffer(b"".join([blob for _, blob in words]), "<u8")
    bits = np.array([1 << at for at in range(16, 16 + len(words))], np.uint64)
    keys = packed << 32 | np.repeat(bits, [len(blob) // POSTING.size for _, blob in words]) | packed >> 48
    keys.sort()
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] >> 32 != keys[:-1] >> 32)))
    sums = [0.0]  # of each set of words, added in their order
    for weight, _ in words:
        sums += [before + weight for before in sums]
    held = np.array(sums)[np.bitwise_or.reduceat(keys & 0xFFFF0000, starts) >> 16]
    enough = held >= least
    found = keys[starts[enough]]
    ids = found >> 32
    ranked: list[int] = ids[np.lexsort((ids, -held[enough] / (base + slope * (found & 0xFFFF))))].tolist()
    return ranked


def first(keys: Any, ids: Any, skip: Collection[int], only: Collection[int] | None, limit: int) -> Any:
    """Positions of the `limit` smallest of the array `keys`, ascending, ties by id, of ids not in `skip` and, unless None, in `only`."""
    import numpy as np

    places = np.arange(len(ids)) if only is None else np.flatnonzero(np.isin(ids, np.fromiter(only, np.int64, len(only))))
    keys = keys[places]
    wanted = limit + len(skip)
    if len(keys) > wanted:
        near = np.flatnonzero(keys <= np.partition(keys, wanted - 1)[wanted - 1])  # all that tie at the cut
        places, keys = places[near], keys[near]
    places = places[np.lexsort((ids[places], keys))]
    if skip:
        places = places[~np.isin(ids[places], np.fromiter(skip, np.int64, len(skip)))]
    return places[:limit]
