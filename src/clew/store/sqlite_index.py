"""The two searches inside the SQLite file: words and vectors, kept in the transaction that keeps the memory."""

from __future__ import annotations

import sys
from struct import pack

from clew.store import vectors, words
from clew.store.base import Lexical, Near, Statistics
from clew.store.sql import HIDDEN, condition, marks, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any

    import apsw

    from clew.model import Filter
    from clew.store.base import Asked, Document, Saturation

    Allowed = tuple[Collection[int], Collection[int] | None]

_LAST = "SELECT first, length(postings), substr(postings, -8, 4) FROM words WHERE project = ? AND term = ? ORDER BY first DESC LIMIT 1"
_APPEND = "UPDATE words SET postings = CAST(postings || ? AS BLOB) WHERE project = ? AND term = ? AND first = ?"
_NEW = "INSERT INTO words (project, term, first, postings) VALUES (?, ?, ?, ?)"
_HOLDING = "SELECT first, postings FROM words WHERE project = ? AND term = ? AND first <= ? ORDER BY first DESC LIMIT 1"
_LOWEST = "SELECT first, postings FROM words WHERE project = ? AND term = ? ORDER BY first LIMIT 1"
_DROP = "DELETE FROM words WHERE project = ? AND term = ? AND first = ?"
# `||` makes text of blobs, byte for byte; the cast makes it a blob again.
_GROW = """INSERT INTO signs (key, ids, bits) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET ids = CAST(ids || excluded.ids AS BLOB), bits = CAST(bits || excluded.bits AS BLOB)"""
_TOTALS = "UPDATE projects SET documents = documents + ?, length = length + ? WHERE id = ?"


def add(db: apsw.Connection, documents: Sequence[Document]) -> None:
    """Index memories of any projects; a caller that changes one takes it out first."""
    postings: dict[tuple[int, str], list[tuple[int, int, int]]] = {}
    totals: dict[int, list[int]] = {}
    for d in documents:
        for term, count in d.counts.items():
            postings.setdefault((d.project, term), []).append((d.id, count, d.length))
        if d.counts:
            total = totals.setdefault(d.project, [0, 0])
            total[0] += 1
            total[1] += d.length
    for (project, term), more in sorted(postings.items()):
        _add_postings(db, project, term, more)
    db.executemany(_TOTALS, [(n, length, project) for project, (n, length) in totals.items()])
    _add_vectors(db, [d for d in documents if d.vector])


def _add_postings(db: apsw.Connection, project: int, term: str, more: list[tuple[int, int, int]]) -> None:
    last = db.execute(_LAST, (project, term)).fetchone()
    if last is not None and int.from_bytes(last[2], "little") >= more[0][0]:
        for posting in more:
            _splice(db, project, term, posting[0], [posting])
        return
    room = words.CHUNK - last[1] // words.POSTING.size if last is not None else 0
    if last is not None and room > 0:
        db.execute(_APPEND, (words.pack(more[:room]), project, term, last[0]))
        more = more[room:]
    for start in range(0, len(more), words.CHUNK):
        part = more[start : start + words.CHUNK]
        db.execute(_NEW, (project, term, part[0][0], words.pack(part)))


def _splice(db: apsw.Connection, project: int, term: str, memory: int, more: list[tuple[int, int, int]]) -> bool:
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
        db.execute(_NEW, (project, term, int.from_bytes(part[:4], "little"), part))
    return True


def remove(db: apsw.Connection, documents: Sequence[Document]) -> None:
    """Take memories out of both searches; one that was never indexed is left as it is."""
    for d in documents:
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
                if ids:
                    db.execute("UPDATE signs SET ids = ?, bits = ? WHERE key = ?", (ids, bits, block))
                else:
                    db.execute("DELETE FROM signs WHERE key = ?", (block,))
                break


def _cut(packed: bytes, at: int, size: int) -> bytes:
    return packed[: at * size] + packed[(at + 1) * size :]


def _add_vectors(db: apsw.Connection, documents: Sequence[Document]) -> None:
    db.executemany("INSERT OR REPLACE INTO vectors (id, row) VALUES (?, ?)", [(d.id, d.vector) for d in documents])
    many = len(documents) > 16 and "numpy" in sys.modules
    bits = vectors.signs_many([d.vector for d in documents]) if many else [vectors.signs(d.vector) for d in documents]
    by_project: dict[int, list[tuple[int, bytes]]] = {}
    for d, sign in zip(documents, bits, strict=True):
        by_project.setdefault(d.project, []).append((d.id, sign))
    for project, more in by_project.items():
        low, high = project << 32, (project + 1) << 32
        last = db.execute("SELECT key, length(ids) FROM signs WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT 1", (low, high)).fetchone()
        room = vectors.BLOCK - last[1] // 4 if last is not None and last[0] - low <= more[0][0] else 0
        if last is not None and room > 0:
            db.execute(
                "UPDATE signs SET ids = CAST(ids || ? AS BLOB), bits = CAST(bits || ? AS BLOB) WHERE key = ?",
                (*_block(more[:room]), last[0]),
            )
            more = more[room:]
        for start in range(0, len(more), vectors.BLOCK):
            _new_block(db, low, more[start : start + vectors.BLOCK])


def _block(part: Sequence[tuple[int, bytes]]) -> tuple[bytes, bytes]:
    return pack(f"<{len(part)}I", *(i for i, _ in part)), b"".join(sign for _, sign in part)


def _new_block(db: apsw.Connection, low: int, part: Sequence[tuple[int, bytes]]) -> None:
    """A block keyed by its first id; where that key is taken (an edited memory), the block that has it grows by a few rows."""
    ids, bits = _block(part)
    db.execute(_GROW, (low | part[0][0], ids, bits))


def eligible(db: apsw.Connection, scope: Sequence[int], which: Filter) -> tuple[set[int], set[int] | None]:
    """(ids to skip, ids to keep or None for all others): a plain search names its few exceptions, a filtered one what passes."""
    if plain(which):
        values = (*scope, *scope, which.now, which.now, which.now)
        return {row[0] for row in db.execute(HIDDEN.format(marks=marks(len(scope))), values)}, None
    where, values_list = condition(scope, which)
    return set(), {row[0] for row in db.execute(f"SELECT m.id FROM memories m WHERE {where}", values_list)}


def statistics(db: apsw.Connection, scope: Sequence[int], terms: Sequence[str]) -> Statistics:
    """See `Store.statistics`."""
    totals = f"SELECT coalesce(sum(documents), 0), coalesce(sum(length), 0) FROM projects WHERE id IN ({marks(len(scope))})"
    documents, length = db.execute(totals, tuple(scope)).get
    holding: dict[str, int] = {}
    for term in terms if documents else ():
        for project in scope:
            size = db.execute("SELECT sum(length(postings)) FROM words WHERE project = ? AND term = ?", (project, term)).get
            if size:
                holding[term] = holding.get(term, 0) + size // words.POSTING.size
    return Statistics(documents, length / documents if documents else 0.0, holding)


def longer(db: apsw.Connection, scope: Sequence[int], prefix: str, most: int) -> list[tuple[str, int]]:
    """See `Store.longer`."""
    held: dict[str, int] = {}
    statement = "SELECT term, sum(length(postings)) FROM words WHERE project = ? AND term > ? AND term < ? GROUP BY term"
    for project in scope:
        for term, size in db.execute(statement, (project, prefix, prefix + "\U0010ffff")):
            held[term] = held.get(term, 0) + size // words.POSTING.size
    return sorted(held.items(), key=lambda pair: (-pair[1], pair[0]))[:most]


def lexical(
    db: apsw.Connection, scope: Sequence[int], asked: Sequence[Asked], allowed: Allowed, limit: int, *, saturation: Saturation
) -> Lexical:
    """See `Store.lexical`; `allowed` is what `eligible` gave for its filter."""
    skip, only = allowed
    weighed = [(word.weight, postings) for word in asked if (postings := _looked_up(db, scope, word))]
    best = words.score(weighed, saturation, skip, only, limit) if weighed else []
    return Lexical([i for i, _, _ in best], [s for _, s, _ in best], [c for _, _, c in best])


def _looked_up(db: apsw.Connection, scope: Sequence[int], word: Asked) -> bytes:
    if len(word.members) == 1 and not word.unless:
        return _postings(db, scope, word.members[0])
    without = _postings(db, scope, word.unless) if word.unless else b""
    return words.combined([_postings(db, scope, member) for member in word.members], without)


def _postings(db: apsw.Connection, scope: Sequence[int], term: str) -> bytes:
    statement = "SELECT postings FROM words WHERE project = ? AND term = ? ORDER BY first"
    return b"".join([row[0] for project in scope for row in db.execute(statement, (project, term))])


def nearest(
    db: apsw.Connection,
    scope: Sequence[int],
    vector: bytes,
    allowed: Allowed,
    limit: int,
    *,
    also: Collection[int] = (),
    arrays: Arrays | None = None,
) -> Near:
    """See `Store.nearest`; `arrays` holds the scope's sign bits in a long-lived process."""
    skip, only = allowed
    query = vectors.signs(vector)
    if arrays is not None:
        ids, bits = arrays.of(db, scope)
        found, scanned, mean, deviation = vectors.closest_arrays(ids, bits, query, words.allowed(ids, skip, only), limit)
    else:
        found, scanned, mean, deviation = vectors.closest(_signs(db, scope), query, skip, only, limit)
    wanted = sorted({*found, *also})
    rows: list[tuple[int, bytes]] = []
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        rows += db.execute(f"SELECT id, row FROM vectors WHERE id IN ({marks(len(part))})", part)
    return Near(vectors.cosines(vector, rows), scanned, mean, deviation)


def _signs(db: apsw.Connection, scope: Iterable[int]) -> Iterable[tuple[bytes, bytes]]:
    for project in scope:
        yield from db.execute("SELECT ids, bits FROM signs WHERE key >= ? AND key < ? ORDER BY key", (project << 32, (project + 1) << 32))


class Arrays:
    """Sign bits of projects as numpy arrays, read again when anything wrote to the file. For long-lived processes."""

    def __init__(self) -> None:
        self._seen: tuple[int, int] | None = None
        self._held: dict[tuple[int, ...], tuple[Any, Any]] = {}

    def of(self, db: apsw.Connection, scope: Sequence[int]) -> tuple[Any, Any]:
        """(ids (n,) int64, bits (n, 4) uint64) of the scope."""
        import numpy as np

        now = (int(db.pragma("data_version")), db.total_changes())
        if now != self._seen:
            self._seen, self._held = now, {}
        key = tuple(scope)
        if key not in self._held:
            rows = list(_signs(db, scope))
            ids = np.frombuffer(b"".join([r[0] for r in rows]), "<u4").astype(np.int64)
            self._held[key] = ids, np.frombuffer(b"".join([r[1] for r in rows]), "<u8").reshape(-1, 4)
        return self._held[key]
