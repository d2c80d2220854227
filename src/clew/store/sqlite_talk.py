"""Links, log, sessions and settings in the SQLite file."""

from __future__ import annotations

import json

from clew.store import sqlite_sessions
from clew.store.sqlite_open import Connected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class Talk(Connected):
    """The parts of `base.Store` about links, the log, sessions and settings."""

    def add_link(self, src: int, relation: str, dst: int, *, at: float, origin: str) -> bool:
        """See Store."""
        self._rows("INSERT OR IGNORE INTO links (src, relation, dst, at, origin) VALUES (?, ?, ?, ?, ?)", (src, relation, dst, at, origin))
        return bool(self._db.changes())

    def links_of(self, ids: Sequence[int]) -> list[tuple[int, str, int, float, str]]:
        """See Store."""
        statement = """WITH nodes AS (SELECT value AS id FROM json_each(?))
            SELECT src, relation, dst, at, origin FROM links WHERE src IN (SELECT id FROM nodes)
            UNION SELECT src, relation, dst, at, origin FROM links WHERE dst IN (SELECT id FROM nodes)"""
        return [tuple(row) for row in self._rows(statement, (json.dumps(list(ids)),))]

    def write_log(
        self,
        project: int,
        event: str,
        *,
        text: str,
        origin: str,
        at: float,
        memory: int | None = None,
        session: str | None = None,
        turn: int | None = None,
    ) -> None:
        """See Store."""
        statement = "INSERT INTO log (project, memory, session, turn, event, origin, text, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        self._rows(statement, (project, memory, session, turn, event, origin, text, at))

    def read_log(self, project: int, *, limit: int, memory: int | None = None) -> list[dict[str, Any]]:
        """See Store."""
        names = ("id", "memory", "session", "turn", "event", "origin", "text", "at")
        where, value = ("project = ?", project) if memory is None else ("memory = ?", memory)  # a memory's past may lie in other projects
        rows = self._rows(f"SELECT {', '.join(names)} FROM log WHERE {where} ORDER BY id DESC LIMIT ?", (value, limit))
        return [dict(zip(names, row, strict=True)) for row in rows]

    def advance_session(self, session: str, project: int, client: str, *, at: float, turns: int) -> int:
        """See Store."""
        return sqlite_sessions.advance(self._db, session, project, client, at, turns)

    def end_session(self, session: str, *, at: float, keep_since: float) -> None:
        """See Store."""
        sqlite_sessions.end(self._db, session, at, keep_since)

    def mark_shown(self, session: str, memories: Sequence[tuple[int, float]]) -> None:
        """See Store."""
        sqlite_sessions.mark_shown(self._db, session, memories)

    def shown(self, session: str) -> dict[int, float]:
        """See Store."""
        return self._search(lambda db: sqlite_sessions.shown(db, session))  # type: ignore[no-any-return]

    def forget_shown(self, session: str) -> None:
        """See Store."""
        sqlite_sessions.forget_shown(self._db, session)

    def setting(self, key: str) -> str | None:
        """See Store."""
        row = self._row("SELECT value FROM settings WHERE key = ?", (key,))
        return row[0] if row else None

    def set_setting(self, key: str, value: str | None) -> None:
        """See Store."""
        if value is None:
            self._rows("DELETE FROM settings WHERE key = ?", (key,))
        else:
            self._rows(
                "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
            )
