"""One connection to the SQLite file: opened, locked, spoken for, and its transactions."""

from __future__ import annotations

from _thread import RLock  # threading takes a millisecond on the light road

from clew.errors import StoreBusy, StoreDamaged
from clew.store import sqlite_care
from clew.store.sqlite_cache import Cache
from clew.store.trouble import GARBLED, Speaking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Any

    import apsw

BUSY_MS = sqlite_care.BUSY_MS
# Pages (32 MB) of the write-ahead log that are taken into the file at once. A memory writes some fifty, mostly those of words that the
# next ones write again: eight times SQLite's own bound writes and syncs the file an eighth as often.
LOG_PAGES = 8_000


class Connected:
    """The connection, used by one thread at a time behind a lock."""

    def __init__(self, path: str, *, arrays: bool = False, read_only: bool = False, busy_ms: int = BUSY_MS) -> None:
        """Open or create `path` (":memory:" for a store that dies with this object).

        A file that cannot be written is opened for reading, and `writable` is then False. `busy_ms` bounds the wait for another writer.
        Raises StoreError and its kinds.
        """
        self.path = path
        self._lock = RLock()
        self._speaking = Speaking(path)
        self._cache = Cache(arrays=arrays)
        with self._speaking:
            self._db, self._refused = sqlite_care.connect(path, read_only=read_only, busy_ms=busy_ms)
            self._db.wal_autocheckpoint(LOG_PAGES)
        self.writable = self._refused is None

    def transaction(self) -> Transaction:
        """An immediate write transaction; rolled back on any exception."""
        return Transaction(self)

    def _begin(self) -> None:
        if self._refused is not None:
            raise type(self._refused)(str(self._refused))
        if self._db.in_transaction:
            raise StoreBusy("a transaction is already open on this store; transactions do not nest")
        self._db.execute("BEGIN IMMEDIATE")

    def _end(self, commit: bool) -> None:
        kept = False
        try:
            if commit:
                self._db.execute("COMMIT")
                kept = True
        finally:
            if not kept:
                self._cache.drop()
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def close(self) -> None:
        """Close the connection; closing twice is fine."""
        with self._lock, self._speaking:
            self._db.close()

    def _rows(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock, self._speaking:
            return list(self._db.execute(statement, values))

    def _row(self, statement: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        rows = self._rows(statement, values)
        return rows[0] if rows else None

    def _search(self, ask: Callable[[apsw.Connection], Any]) -> Any:
        with self._lock, self._speaking:
            self._cache.renew(self._db)
            return self._indexed(ask)

    def _indexed(self, do: Callable[[apsw.Connection], Any]) -> Any:
        try:
            return do(self._db)
        except GARBLED as error:
            self._cache.drop()
            raise StoreDamaged(f"the index in {self.path} holds garbled rows ({error}); rebuild it with `clew reindex`") from error


class Transaction:
    """The store's lock and a transaction, from entering to leaving; what contextlib, whose import costs a hook half a millisecond, makes
    of a function."""

    __slots__ = ("_store",)

    def __init__(self, store: Connected) -> None:
        self._store = store

    def __enter__(self) -> None:
        store, begun = self._store, False
        store._lock.acquire()
        try:
            with store._speaking:
                store._begin()
            begun = True
        finally:
            if not begun:
                store._lock.release()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        store = self._store
        try:
            with store._speaking:
                store._end(commit=kind is None)
            store._speaking.__exit__(kind, error, trace)
        finally:
            store._lock.release()
