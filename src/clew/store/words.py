"""The inverted index's arithmetic: postings as packed bytes, chunks of them, and BM25 over what a scope holds.

A posting is 8 bytes: memory id (u32), weighted count of the term (u16), length of the memory in terms (u16).
Everything here is the same with and without numpy, to the last bit: both add in the order of the question's terms.
"""

from __future__ import annotations

import sys
from heapq import nsmallest
from struct import Struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from clew.store.base import Saturation

    Words: TypeAlias = Sequence[tuple[float, bytes]]
    Shape: TypeAlias = tuple[float, float, float]  # k1 + 1, and the length norm as base + slope * length

POSTING = Struct("<IHH")
CHUNK = 110  # postings a row: keeps the row inside one page of an index b-tree (local payload 1,002 bytes)
CEILING = 0xFFFF  # counts and lengths above it are kept as it
DENSE = 2_000  # postings from which numpy pays for its calls


def pack(postings: Iterable[tuple[int, int, int]]) -> bytes:
    """(id, weighted count, length) triples as bytes, in the order given."""
    return b"".join(POSTING.pack(i, min(count, CEILING), min(length, CEILING)) for i, count, length in postings)


def merged(chunk: bytes, more: Iterable[tuple[int, int, int]], without: Collection[int] = ()) -> list[bytes]:
    """`chunk` with `more` put in their places (one for the same id is replaced) and `without` left out, cut to CHUNK each."""
    by_id = {p[0]: p for p in POSTING.iter_unpack(chunk) if p[0] not in without}
    by_id.update((p[0], p) for p in more)
    ordered = [by_id[i] for i in sorted(by_id)]
    return [pack(ordered[i : i + CHUNK]) for i in range(0, len(ordered), CHUNK)]


def combined(members: Sequence[bytes], without: bytes = b"") -> bytes:
    """The postings of several terms that stand for one word: counts summed by memory, ascending; ids in `without` left out."""
    lengths: dict[int, int] = {}
    counts: dict[int, int] = {}
    for blob in members:
        for i, count, length in POSTING.iter_unpack(blob):
            counts[i] = counts.get(i, 0) + count
            lengths[i] = length
    own = {i for i, _, _ in POSTING.iter_unpack(without)}
    return pack((i, counts[i], lengths[i]) for i in sorted(counts) if i not in own)


def score(
    words: Sequence[tuple[float, bytes]], saturation: Saturation, skip: Collection[int], only: Collection[int] | None, limit: int
) -> list[tuple[int, float, float]]:
    """The best `limit` as (id, bm25, summed weights of the words it holds), best first, ties by id.

    `words` holds (weight, packed postings) of each word of the question. A word's gain is
    weight * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean)) (Robertson & Zaragoza 2009, section 3).
    """
    k1, b, mean = saturation
    shape = (k1 + 1.0, k1 * (1.0 - b), k1 * b / mean if mean > 0 else 0.0)
    many = sum(len(blob) for _, blob in words) > DENSE * POSTING.size and "numpy" in sys.modules
    scores = _score_arrays if many else _score_plain
    best = scores(words, shape, skip, only, limit)
    covered = dict.fromkeys((i for i, _ in best), 0.0)
    for weight, blob in words:
        for i in _ids_among(blob, covered):
            covered[i] += weight
    return [(i, s, covered[i]) for i, s in best]


def _score_plain(words: Words, shape: Shape, skip: Collection[int], only: Collection[int] | None, limit: int) -> list[tuple[int, float]]:
    gain, base, slope = shape
    scores: dict[int, float] = {}
    get = scores.get
    for weight, blob in words:
        top = weight * gain
        for i, count, length in POSTING.iter_unpack(blob):
            scores[i] = get(i, 0.0) + top * count / (count + (base + slope * length))
    if only is not None:
        scores = {i: s for i, s in scores.items() if i in only}
    for i in skip:
        scores.pop(i, None)
    best = nsmallest(limit, ((-s, i) for i, s in scores.items()))
    return [(i, -s) for s, i in best]


def _score_arrays(words: Words, shape: Shape, skip: Collection[int], only: Collection[int] | None, limit: int) -> list[tuple[int, float]]:
    import numpy as np

    gain, base, slope = shape
    parts, gains = [], []
    for weight, blob in words:
        rows = np.frombuffer(blob, dtype=[("id", "<u4"), ("count", "<u2"), ("length", "<u2")])
        count = rows["count"].astype(np.float64)
        parts.append(rows["id"])
        gains.append(weight * gain * count / (count + (base + slope * rows["length"])))
    ids, values = np.concatenate(parts).astype(np.int64), np.concatenate(gains)
    low, span = int(ids.min()), int(ids.max()) - int(ids.min()) + 1
    if span <= 16 * len(ids):
        sums = np.bincount(ids - low, values, span)
        places = np.flatnonzero(sums)
        found, sums = places + low, sums[places]
    else:
        found, places = np.unique(ids, return_inverse=True)
        sums = np.bincount(places, values, len(found))
    keep = allowed(found, skip, only)
    if keep is not None:
        found, sums = found[keep], sums[keep]
    order = lowest(-sums, found, limit)
    return list(zip(found[order].tolist(), sums[order].tolist(), strict=True))


def allowed(ids: Any, skip: Collection[int], only: Collection[int] | None) -> Any:
    """A mask over the array `ids` of those a filter lets through, or None when it lets all through. Long-lived processes only."""
    import numpy as np

    mask = None if only is None else np.isin(ids, np.fromiter(only, np.int64, len(only)))
    if skip:
        free = ~np.isin(ids, np.fromiter(skip, np.int64, len(skip)))
        mask = free if mask is None else mask & free
    return mask


def lowest(keys: Any, ids: Any, limit: int) -> Any:
    """Positions of the `limit` smallest of the array `keys`, ascending, ties by id, also at the cut."""
    import numpy as np

    if len(keys) > limit:
        edge = np.partition(keys, limit - 1)[limit - 1]
        near = np.flatnonzero(keys <= edge)
    else:
        near = np.arange(len(keys))
    return near[np.lexsort((ids[near], keys[near]))][:limit]


def _ids_among(blob: bytes, wanted: Mapping[int, float]) -> list[int]:
    if "numpy" in sys.modules and len(blob) > 64 * POSTING.size:
        import numpy as np

        ids = np.frombuffer(blob, dtype="<u4")[::2]
        among: list[int] = ids[np.isin(ids, np.fromiter(wanted, np.uint32, len(wanted)))].tolist()
        return among
    return [i for i in memoryview(blob).cast("I")[::2].tolist() if i in wanted]
