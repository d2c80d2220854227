"""What a connection has read and may use again until something writes: postings, the ids a filter lets through, sign bits as arrays."""

from __future__ import annotations

import os
import sys

from clew.store import sqlite_index, vectors
from clew.store.sqlite_tails import Tails
from clew.store.words import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw

    from clew.model import Filter
    from clew.store.sqlite_index import Allowed

POSTINGS_BYTES = 16 << 20  # kept at most; then all are let go
ROWS_KEPT = 1 << 17  # memories of a project whose vectors' rows are kept once read: 34 MB at most
_FROM = "SELECT key, ids, bits FROM signs WHERE key >= ? AND key < ? ORDER BY key"


class Cache:
    """One for a connection. Call `renew` before a search, `drop` after a rollback: what was read inside it never was."""

    def __init__(self, *, arrays: bool) -> None:
        """`arrays` keeps sign bits for numpy, 40 bytes a memory: for long-lived processes."""
        self.arrays = arrays
        self.tails = Tails()
        if arrays:
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two threads make a half-millisecond scan take eight; read at import
        self.drop()

    def drop(self) -> None:
        """Forget everything."""
        self._seen: tuple[int, int] | None = None
        self._postings: dict[tuple[int, str], bytes] = {}
        self._bytes = 0
        self._allowed: tuple[Any, Any] = (None, None)
        self._signs: dict[int, Signs] = {}
        self._checked: set[int] = set()
        self._version = -1
        self.tails.clear()

    def renew(self, db: apsw.Connection) -> None:
        """Let go of what this or another connection may have written over since; sign bits are kept and checked when used."""
        if self.arrays and "numpy" not in sys.modules:
            import numpy  # noqa: F401  # the first search of a long-lived process loads it, not its start
        now = (self.agree(db), db.total_changes())
        if now != self._seen:
            self._seen, self._postings, self._bytes, self._allowed, self._checked = now, {}, 0, (None, None), set()

    def agree(self, db: apsw.Connection) -> int:
        """Let go of `tails` when another connection has written since; the number of the file's state. In a transaction of writing what
        `tails` knows then holds to its end.
        """
        version = int(db.pragma("data_version"))
        if version != self._version:
            self._version = version
            self.tails.clear()
        return version

    def postings(self, db: apsw.Connection, project: int, term: str) -> bytes:
        """All postings of a term in a project, ascending; asked for once to count them and once to score them."""
        held = self._postings.get((project, term))
        if held is None:
            held = whole(sqlite_index.postings(db, project, term))
            if self._bytes > POSTINGS_BYTES:
                self._postings, self._bytes = {}, 0
            self._postings[project, term] = held
            self._bytes += len(held)
        return held

    def eligible(self, db: apsw.Connection, scope: Sequence[int], which: Filter) -> Allowed:
        """`sqlite_index.eligible`; both searches of one recall ask the same."""
        key = (tuple(scope), which)
        if self._allowed[0] != key:
            self._allowed = (key, sqlite_index.eligible(db, scope, which))
        allowed: Allowed = self._allowed[1]
        return allowed

    def signs(self, db: apsw.Connection, scope: Sequence[int]) -> list[tuple[Any, Any]]:
        """(ids (n,) uint32, bits (4, n) uint64) of each project of the scope."""
        for project in scope:
            if project not in self._checked:
                self._signs.setdefault(project, Signs()).catch_up(db, project)
                self._checked.add(project)
        return [self._signs[project].held() for project in scope]

    def cosines(self, db: apsw.Connection, scope: Sequence[int], vector: bytes, wanted: Sequence[int]) -> dict[int, float]:
        """`vectors.cosines` over the arrays of a scope whose sign bits were just asked for; `wanted` ascends."""
        import numpy as np

        numbers = np.array(wanted, np.int64)
        found: dict[int, float] = {}
        for project in scope:
            ids, rows, norms = self._signs[project].rows(db, numbers)
            found.update(zip(ids.tolist(), vectors.cosines_arrays(vector, rows, norms), strict=True))
        return found


class Signs:
    """The vectors of one project in arrays that grow. Sign bits: blocks are appended to, all others are read again only when `reshaped`
    says so. The rows behind them are read as they are asked for, and kept for projects of a size that memory allows.
    """

    def __init__(self) -> None:
        import numpy as np

        self._reshaped = -1
        self._key = 0  # of the last block, which may have grown
        self._before = self._count = 0  # memories in front of it, and with it
        self._ids = np.empty(0, np.uint32)
        self._bits = np.empty((4, 0), np.uint64)
        self._rows, self._norms, self._known = np.empty((0, vectors.DIM), np.int8), np.empty(0, np.int64), np.zeros(0, bool)
        self._order: Any = None  # places by ascending id

    def held(self) -> tuple[Any, Any]:
        """(ids (n,), bits (4, n))."""
        return self._ids[: self._count], self._bits[:, : self._count]

    def catch_up(self, db: apsw.Connection, project: int) -> None:
        """Read what is new."""
        self._order = None
        row = db.execute("SELECT reshaped FROM projects WHERE id = ?", (project,)).fetchone()
        if row is None or row[0] != self._reshaped:
            self._reshaped, self._key, self._before, self._count = (row[0] if row else -1), project << 32, 0, 0
            self._known[:] = False
        blocks = list(db.execute(_FROM, (self._key, (project + 1) << 32)))
        if blocks:
            self._put(b"".join([ids for _, ids, _ in blocks]), b"".join([bits for _, _, bits in blocks]))
            self._key, self._before = blocks[-1][0], self._count - len(blocks[-1][1]) // 4

    def _put(self, ids: bytes, bits: bytes) -> None:
        import numpy as np

        more = np.frombuffer(ids, "<u4")
        count = self._before + len(more)
        if count > len(self._ids):
            self._grow(count + (count >> 3) + 1024)
        self._count = count
        self._ids[self._before : count] = more
        self._bits[:, self._before : count] = np.frombuffer(bits, "<u8").reshape(-1, 4).T

    def _grow(self, room: int) -> None:
        import numpy as np

        held = self._count
        ids, bits, rows, norms, known = self._ids, self._bits, self._rows, self._norms, self._known
        self._ids, self._bits = np.empty(room, np.uint32), np.empty((4, room), np.uint64)
        self._ids[:held], self._bits[:, :held] = ids[:held], bits[:, :held]
        kept = room if room <= ROWS_KEPT else 0
        self._rows, self._norms, self._known = np.empty((kept, vectors.DIM), np.int8), np.empty(kept, np.int64), np.zeros(kept, bool)
        if kept:
            self._rows[:held], self._norms[:held], self._known[:held] = rows[:held], norms[:held], known[:held]

    def rows(self, db: apsw.Connection, wanted: Any) -> tuple[Any, Any, Any]:
        """(ids, rows (k, 256) int8, squared norms (k,)) of those of the ascending ids `wanted` that the project holds."""
        import numpy as np

        ids = self._ids[: self._count]
        if self._order is None:
            self._order = np.argsort(ids, kind="stable")
        at = np.searchsorted(ids, wanted, sorter=self._order)
        places = self._order[at[at < len(ids)]]
        places = places[ids[places] == wanted[at < len(ids)]]
        if len(self._known) < len(ids):
            return _unzipped(sqlite_index.rows(db, ids[places].tolist()))
        missing = places[~self._known[places]]
        if len(missing):
            names, matrix, norms = _unzipped(sqlite_index.rows(db, ids[missing].tolist()))
            filled = missing[np.isin(ids[missing], names)]
            self._rows[filled], self._norms[filled], self._known[filled] = matrix, norms, True
            places = places[self._known[places]]
        return ids[places], self._rows[places], self._norms[places]


def _unzipped(found: Sequence[tuple[int, bytes, int]]) -> tuple[Any, Any, Any]:
    import numpy as np

    matrix = np.frombuffer(b"".join([row for _, row, _ in found]), np.int8).reshape(-1, vectors.DIM)
    return np.array([i for i, _, _ in found], np.int64), matrix, np.array([norm for _, _, norm in found], np.int64)
