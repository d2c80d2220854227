"""The SQLite store: one file, WAL, immediate write transactions, 0600 in a 0700 folder."""

from __future__ import annotations

import os

from clew.store import sqlite_care
from clew.store.sqlite_attempts import Attempts
from clew.store.sqlite_entities import Entities
from clew.store.sqlite_graph import Graph
from clew.store.sqlite_memories import Memories
from clew.store.sqlite_open import BUSY_MS
from clew.store.sqlite_searches import Searches
from clew.store.sqlite_sources import Sources
from clew.store.sqlite_talk import Talk
from clew.store.sqlite_windows import Windows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BUSY_MS", "SqliteStore"]


class SqliteStore(Memories, Searches, Entities, Graph, Attempts, Sources, Talk, Windows):
    """See `base.Store`. One connection, used by one thread at a time behind a lock; `arrays` keeps sign bits for numpy."""

    def facts(self) -> dict[str, Any]:
        """See Store."""
        counted: dict[str, Any] = self._search(sqlite_care.facts)
        return counted | {"path": self.path, "writable": self.writable, "bytes": _size(self.path)}

    def check(self) -> list[str]:
        """See Store."""
        return self._search(sqlite_care.check)  # type: ignore[no-any-return]

    def scrub(self) -> list[str]:
        """See Store."""
        return self._search(lambda db: sqlite_care.scrub(db, self.path))  # type: ignore[no-any-return]

    def backup(self, path: str) -> None:
        """See Store."""
        self._search(lambda db: sqlite_care.backup(db, path))


def _size(path: str) -> int:
    size = 0
    for end in ("", "-wal"):
        try:
            size += os.path.getsize(path + end)
        except OSError:
            pass  # in memory, or another process has just taken its write-ahead log away
    return size
