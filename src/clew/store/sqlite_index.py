"""The two searches inside the SQLite file: words and vectors, kept in the transaction that keeps the memory."""

from __future__ import annotations

import json
import sys
from struct import pack

from clew.store import vectors, words
from clew.store.searches import Lexical, Near, Statistics
from clew.store.sql import condition, hidden, marks, plain
from clew.store.sql_where import drives
from clew.store.sqlite_tails import NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Any

    import apsw

    from clew.model import Filter
    from clew.store.searches import Asked, Document, Saturation
    from clew.store.sqlite_cache import Cache
    from clew.store.sqlite_tails import End, Tails

    Allowed = tuple[Collection[int], Collection[int] | None, bool]

ALL = "memories m"
SEEN = 3  # chunks of each term that are counted at first; most words of a text that tell it from others have no more
NARROW = 5_000  # ids that a filter is asked for; where more pass, the best candidates are judged one by one

_HOLDERS = (
    "SELECT j.value, w.postings FROM json_each(?1) j CROSS JOIN words w ON w.project = ?2 AND w.term = j.value ORDER BY j.id, w.first"
)
# `||` makes text of blobs, byte for byte; the cast makes it a blob again.
_APPEND = "UPDATE words SET postings = CAST(postings || ? AS BLOB) WHERE project = ? AND term = ? AND first = ?"
_NEW = "INSERT INTO words (project, term, first, postings) VALUES (?, ?, ?, ?)"
_HOLDING = "SELECT first, postings FROM words WHERE project = ? AND term = ? AND first <= ? ORDER BY first DESC LIMIT 1"
_LOWEST = "SELECT first, postings FROM words WHERE project = ? AND term = ? ORDER BY first LIMIT 1"
_DROP = "DELETE FROM words WHERE project = ? AND term = ? AND first = ?"
_GROW = """INSERT INTO signs (key, ids, bits) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET ids = CAST(ids || excluded.ids AS BLOB), bits = CAST(bits || excluded.bits AS BLOB)"""
_TOTALS = "UPDATE projects SET documents = documents + ?, length = length + ? WHERE id = ?"
_RESHAPED = "UPDATE projects SET reshaped = reshaped + 1 WHERE id = ?"


def add(db: apsw.Connection, tails: Tails, documents: Sequence[Document]) -> None:
    """Index memories of any projects; a caller that changes one takes it out first. What `tails` knows is as of this transaction."""
    postings: dict[int, dict[str, list[bytes]]] = {}
    totals: dict[int, list[int]] = {}
    for d in sorted(documents, key=lambda d: d.id):
        terms = postings.setdefault(d.project, {})
        packed = {count: words.posting(d.id, count, d.length) for count in set(d.counts.values())}  # few, whatever the text
        for term, count in d.counts.items():
            if term in terms:
                terms[term].append(packed[count])
            else:
                terms[term] = [packed[count]]
        if d.counts:
            total = totals.setdefault(d.project, [0, 0])
            total[0] += 1
            total[1] += d.length
    for project, by_term in postings.items():
        _add_postings(db, tails, project, by_term)
    db.executemany(_TOTALS, [(n, length, project) for project, (n, length) in totals.items()])
    _add_vectors(db, [d for d in documents if d.vector])


def _add_postings(db: apsw.Connection, tails: Tails, project: int, by_term: Mapping[str, list[bytes]]) -> None:
    ends = tails.ends(db, project, by_term)
    grown: list[tuple[bytes, int, str, int]] = []
    fresh: list[tuple[int, str, int, bytes]] = []
    after: dict[str, tuple[End, int, bool]] = {}
    for term in sorted(by_term):
        more = by_term[term]
        first, held, highest = last = ends[term]
        count = len(more)
        lowest = words.first_id(more[0])
        top = lowest if count == 1 else words.first_id(more[-1])
        if highest >= lowest:
            for posting in map(words.POSTING.unpack, more):
                _splice(db, project, term, posting[0], [posting])
            tails.forget(project, [term])
            continue
        room = max(0, words.CHUNK - held)
        if room >= count:
            grown.append((b"".join(more), project, term, first))
            after[term] = (first, held + count, top), count, False
            continue
        if room > 0:
            grown.append((b"".join(more[:room]), project, term, first))
        for start in range(room, count, words.CHUNK):
            part = more[start : start + words.CHUNK]
            first, held = words.first_id(part[0]), len(part)
            fresh.append((project, term, first, b"".join(part)))
        after[term] = (first, held, top), count, last is NEVER
    before = db.total_changes()
    db.executemany(_APPEND, grown)
    if db.total_changes() - before != len(grown):
        raise ValueError("a word's last chunk is not where it was")
    db.executemany(_NEW, fresh)
    tails.grown(project, after)


def _splice(db: apsw.Connection, project: int, term: str, memory: int, more: Sequence[tuple[int, ...]]) -> bool:
    """Put the posting of one memory into the chunk where its id belongs, or, with none, take it out; whether anything changed."""
    first, chunk = (
        db.execute(_HOLDING, (project, term, memory)).fetchone() or db.execute(_LOWEST, (project, term)).fetchone() or (None, b"")
    )
    parts = words.merged(chunk, more, () if more else (memory,))
    if b"".join(parts) == chunk:
        return False
    if first is not None:
        db.execute(_DROP, (project, term, first))
    for part in parts:
        db.execute(_NEW, (project, term, words.first_id(part), part))
    return True


def remove(db: apsw.Connection, tails: Tails, documents: Sequence[Document]) -> None:
    """Take memories out of both searches; one that was never indexed is left as it is."""
    for d in documents:
        tails.forget(d.project, d.counts)
        taken = sum(_splice(db, d.project, term, d.id, []) for term in d.counts)
        if taken:
            db.execute(_TOTALS, (-1, -d.length, d.project))
        db.execute("DELETE FROM vectors WHERE id = ?", (d.id,))
        key, top = d.project << 32, d.project << 32 | d.id
        for block, ids, bits in db.execute("SELECT key, ids, bits FROM signs WHERE key BETWEEN ? AND ? ORDER BY key DESC", (key, top)):
            place = memoryview(ids).cast("I").tolist()
            if d.id in place:
                at = place.index(d.id)
                ids, bits = _cut(ids, at, 4), _cut(bits, at, vectors.SIGN_BYTES)
                db.execute(_RESHAPED, (d.project,))
                if ids:
                    db.execute("UPDATE signs SET ids = ?, bits = ? WHERE key = ?", (ids, bits, block))
                else:
                    db.execute("DELETE FROM signs WHERE key = ?", (block,))
                break


def _cut(packed: bytes, at: int, size: int) -> bytes:
    return packed[: at * size] + packed[(at + 1) * size :]


def _add_vectors(db: apsw.Connection, documents: Sequence[Document]) -> None:
    rows = [(d.id, d.vector, vectors.square(d.vector)) for d in documents]
    db.executemany("INSERT OR REPLACE INTO vectors (id, row, norm) VALUES (?, ?, ?)", rows)
    many = len(documents) > 16 and "numpy" in sys.modules
    bits = vectors.signs_many([d.vector for d in documents]) if many else [vectors.signs(d.vector) for d in documents]
    by_project: dict[int, list[tuple[int, bytes]]] = {}
    for d, sign in zip(documents, bits, strict=True):
        by_project.setdefault(d.project, []).append((d.id, sign))
    for project, more in by_project.items():
        _add_signs(db, project, sorted(more))


def _add_signs(db: apsw.Connection, project: int, more: Sequence[tuple[int, bytes]]) -> None:
    """Fill up the last block and begin new ones; a memory older than the last block gets its own, or joins the one that has its key."""
    low, high = project << 32, (project + 1) << 32
    last = db.execute("SELECT key, length(ids) FROM signs WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT 1", (low, high)).fetchone()
    if last is not None and last[0] > low | more[0][0]:
        db.execute(_RESHAPED, (project,))
    elif last is not None and (room := vectors.BLOCK - last[1] // 4) > 0:
        db.execute(_GROW, (last[0], *_block(more[:room])))
        more = more[room:]
    for start in range(0, len(more), vectors.BLOCK):
        part = more[start : start + vectors.BLOCK]
        db.execute(_GROW, (low | part[0][0], *_block(part)))


def _block(part: Sequence[tuple[int, bytes]]) -> tuple[bytes, bytes]:
    return pack(f"<{len(part)}I", *(i for i, _ in part)), b"".join(sign for _, sign in part)


def eligible(db: apsw.Connection, scope: Sequence[int], which: Filter) -> Allowed:
    """(ids to skip, ids to keep or None for all others, whether the best are still to be judged): a filter that keeps few
    back names them, a narrow one what passes, a wide one nothing.
    """
    if exceptions := hidden(scope, which):
        return {row[0] for row in db.execute(*exceptions)}, None, False
    where, passing = condition(scope, which)
    source, driving, few = narrowest(db, scope, which)
    if driving and not few and not which.where.parts and plain(which._replace(where=None)):  # type: ignore[union-attr]
        return set(), None, True  # that many pass
    ids = {row[0] for row in db.execute(f"SELECT m.id FROM {source} WHERE {where} LIMIT ?", (*driving, *passing, NARROW + 1))}
    return (set(), None, True) if len(ids) > NARROW else (set(), ids, False)


def narrowest(db: apsw.Connection, scope: Sequence[int], which: Filter) -> tuple[str, list[Any], bool]:
    """(what to select `m` from, its parameters, whether that is few): of the indexes that the filter's `where` can start from the one
    that leaves least, else all memories. SQLite, which knows nothing of the values, would look at each memory in turn.
    """
    found = []
    for select, values in drives(scope, which.where) if which.where is not None else ():
        count = db.execute(f"SELECT count(*) FROM ({select} LIMIT ?)", (*values, NARROW + 1)).get
        found.append((count, select, values))
    if not found:
        return ALL, [], False
    count, select, values = min(found, key=lambda one: one[0])
    return f"({select}) d CROSS JOIN memories m ON m.id = d.memory", values, count <= NARROW


def _judged(db: apsw.Connection, scope: Sequence[int], which: Filter, best: Callable[[int], list[int]], limit: int) -> set[int]:
    """Those of the best candidates that a wide filter lets through: `limit` of them or more, if there are so many at all."""
    where, passing = condition(scope, which)
    statement = f"SELECT m.id FROM json_each(?) j CROSS JOIN memories m ON m.id = j.value WHERE {where}"
    wanted = 2 * limit
    while True:
        ids = best(wanted)
        passed = {row[0] for row in db.execute(statement, (json.dumps(ids), *passing))}
        if len(passed) >= limit or len(ids) < wanted:
            return passed
        wanted *= 4


def statistics(db: apsw.Connection, cache: Cache, scope: Sequence[int], terms: Sequence[str]) -> Statistics:
    """See `Store.statistics`."""
    totals = f"SELECT coalesce(sum(documents), 0), coalesce(sum(length), 0) FROM projects WHERE id IN ({marks(len(scope))})"
    documents, length = db.execute(totals, tuple(scope)).get
    holding: dict[str, int] = {}
    for term in terms if documents else ():
        for project in scope:
            if held := cache.postings(db, project, term):
                holding[term] = holding.get(term, 0) + len(held) // words.POSTING.size
    return Statistics(documents, length / documents if documents else 0.0, holding)


def known(db: apsw.Connection, scope: Sequence[int], terms: Sequence[str]) -> set[str]:
    """See `Store.known`."""
    held = f"SELECT 1 FROM words WHERE project IN ({marks(len(scope))}) AND term = j.value"
    statement = f"SELECT j.value FROM json_each(?) j WHERE EXISTS ({held})"
    return {term for (term,) in db.execute(statement, (json.dumps(list(terms)), *scope))}


def rarest(db: apsw.Connection, cache: Cache, scope: Sequence[int], terms: Sequence[str], *, most: int, wanted: int) -> dict[str, bytes]:
    """See `Store.rarest`. A few of each term's chunks are looked at first: often enough terms have no more than these."""
    counted = {project: cache.tails.counted(db, project, terms, most=most, chunks=SEEN) for project in scope}
    few = _held_by_few(counted, terms, most)
    if sum(count <= (SEEN - 1) * words.CHUNK for count, _ in few) < wanted:  # what was not counted yet may be rarer than the others
        full = 2 * (most // words.CHUNK + 2)  # chunks may be less than full: twice as many are looked at
        for project, known in counted.items():
            known.update(cache.tails.counted(db, project, [t for t in terms if t not in known], most=most, chunks=full))
        few = _held_by_few(counted, terms, most)
    held: dict[str, list[bytes]] = {term: [] for _, term in sorted(few)[:wanted]}
    for project in scope if held else ():
        for term, packed in db.execute(_HOLDERS, (json.dumps(list(held)), project)):
            held[term].append(packed)
    return {term: words.whole(b"".join(packed)) for term, packed in held.items()}


def _held_by_few(counted: Mapping[int, Mapping[str, int]], terms: Sequence[str], most: int) -> list[tuple[int, str]]:
    """(how many memories hold it, term) of those that were counted in every project and that two to `most` hold."""
    totals = dict.fromkeys(terms, 0)
    for known in counted.values():
        totals = {term: count + known[term] for term, count in totals.items() if term in known}
    return [(count, term) for term, count in totals.items() if 1 < count <= most]


def longer(db: apsw.Connection, scope: Sequence[int], prefix: str, most: int) -> list[tuple[str, int]]:
    """See `Store.longer`."""
    held: dict[str, int] = {}
    statement = "SELECT term, sum(length(postings)) FROM words WHERE project = ? AND term > ? AND term < ? GROUP BY term"
    for project in scope:
        for term, size in db.execute(statement, (project, prefix, prefix + "\U0010ffff")):
            held[term] = held.get(term, 0) + size // words.POSTING.size
    return sorted(held.items(), key=lambda pair: (-pair[1], pair[0]))[:most]


def lexical(
    db: apsw.Connection, cache: Cache, scope: Sequence[int], asked: Sequence[Asked], which: Filter, *, limit: int, saturation: Saturation
) -> Lexical:
    """See `Store.lexical`."""
    skip, only, judge = cache.eligible(db, scope, which)
    weighed = [(word.weight, found) for word in asked if (found := _looked_up(db, cache, scope, word))]
    if not weighed:
        return Lexical([], [], [])
    if judge:
        only = _judged(db, scope, which, lambda most: [i for i, _, _ in words.score(weighed, saturation, (), None, most)], limit)
    best = words.score(weighed, saturation, skip, only, limit)
    return Lexical([i for i, _, _ in best], [s for _, s, _ in best], [c for _, _, c in best])


def _looked_up(db: apsw.Connection, cache: Cache, scope: Sequence[int], word: Asked) -> bytes:
    members = [b"".join([cache.postings(db, project, member) for project in scope]) for member in word.members]
    if len(members) == 1 and not word.unless:
        return members[0]
    without = [cache.postings(db, project, word.unless) for project in scope] if word.unless else []
    return words.combined(members, b"".join(without))


def postings(db: apsw.Connection, project: int, term: str) -> bytes:
    """All postings of a term in a project, ascending by id."""
    statement = "SELECT postings FROM words WHERE project = ? AND term = ? ORDER BY first"
    return b"".join([row[0] for row in db.execute(statement, (project, term))])


def nearest(
    db: apsw.Connection, cache: Cache, scope: Sequence[int], vector: bytes, which: Filter, *, limit: int, also: Collection[int] = ()
) -> Near:
    """See `Store.nearest`."""
    skip, only, judge = cache.eligible(db, scope, which)
    query = vectors.signs(vector)

    def closest(skip: Collection[int], only: Collection[int] | None, most: int) -> tuple[list[int], int]:
        if cache.arrays:
            return vectors.closest_arrays(cache.signs(db, scope), query, skip, only, most)
        return vectors.closest(_signs(db, scope), query, skip, only, most)

    if judge:
        only = _judged(db, scope, which, lambda most: closest((), None, most)[0], limit)
    found, scanned = closest(skip, only, limit)
    wanted = sorted({*found, *also})
    near = cache.cosines(db, scope, vector, wanted) if cache.arrays else vectors.cosines(vector, rows(db, wanted))
    return Near(near, scanned)


def rows(db: apsw.Connection, ids: Sequence[int]) -> list[tuple[int, bytes, int]]:
    """(id, vector, squared norm) of those that have one, in the order given."""
    statement = "SELECT v.id, v.row, v.norm FROM json_each(?) j CROSS JOIN vectors v ON v.id = j.value"
    return [(i, row, norm) for i, row, norm in db.execute(statement, (json.dumps(ids),))]


def _signs(db: apsw.Connection, scope: Iterable[int]) -> Iterable[tuple[bytes, bytes]]:
    for project in scope:
        yield from db.execute("SELECT ids, bits FROM signs WHERE key >= ? AND key < ? ORDER BY key", (project << 32, (project + 1) << 32))
