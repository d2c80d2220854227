"""Originals behind handles, the figures of compilations, and working contexts in the SQLite file."""

from __future__ import annotations

import json

from clew.store.sqlite_open import Connected
from clew.store.work import Context, Original

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

# Putting the same bytes again makes them stay as long as whoever wants them longest.
_PUT = """INSERT INTO sources (handle, project, memory, mime, content, at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (handle) DO UPDATE SET at = excluded.at,
  expires_at = CASE WHEN expires_at IS NULL OR excluded.expires_at IS NULL THEN NULL ELSE max(expires_at, excluded.expires_at) END"""
_COMPILED = ("session", "at", "expires_at", "counter", "risk", "fragments", "tokens_in", "tokens_out", "saved", "externalised", "lost")
_PRICED = ("saved_cost", "currency")
_SUMS = ("tokens_in", "tokens_out", "saved", "externalised", "lost")
_CONTEXT = "id, session, content, origin, at"


class Sources(Connected):
    """The parts of `base.Store` about sources, compilations and working contexts."""

    def put_sources(self, project: int, originals: Sequence[Original]) -> None:
        """See Store."""
        rows = [(o.handle, project, o.memory, o.mime, o.content, o.at, o.expires_at) for o in originals]
        with self._lock, self._speaking:
            self._db.executemany(_PUT, rows)

    def source(self, handle: str) -> Original | None:
        """See Store."""
        row = self._row("SELECT handle, content, mime, at, expires_at, memory FROM sources WHERE handle = ?", (handle,))
        return Original(*row) if row else None

    def source_handles(self, prefix: str, *, most: int) -> list[str]:
        """See Store."""
        statement = "SELECT handle FROM sources WHERE handle >= ? AND handle < ? ORDER BY handle LIMIT ?"
        return [row[0] for row in self._rows(statement, (prefix, prefix + "\U0010ffff", most))]

    def prune_sources(self, now: float, *, before: float | None = None) -> tuple[int, int]:
        """See Store."""
        gone, values = "expires_at IS NOT NULL AND expires_at <= ?1", (now,) if before is None else (now, before)
        if before is not None:  # else the index of what expires answers, however much is kept
            gone = f"({gone}) OR at < ?2"
        count, size = self._rows(f"SELECT count(*), coalesce(sum(length(content)), 0) FROM sources WHERE {gone}", values)[0]
        self._rows(f"DELETE FROM sources WHERE {gone}", values)
        self._rows("DELETE FROM compilations WHERE expires_at IS NOT NULL AND expires_at <= ?", (now,))
        return count, size

    def sources_kept(self) -> tuple[int, int]:
        """See Store."""
        count, size = self._rows("SELECT count(*), coalesce(sum(length(content)), 0) FROM sources")[0]
        return count, size

    def add_compilation(self, project: int, figures: Mapping[str, Any]) -> None:
        """See Store."""
        names = ("project", *_COMPILED, *_PRICED)
        values = (project, *(figures[name] for name in _COMPILED), *(figures.get(name) for name in _PRICED))
        self._rows(f"INSERT INTO compilations ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", values)

    def compilations(self, scope: Sequence[int]) -> dict[str, Any]:
        """See Store."""
        projects = json.dumps(list(scope))
        where = "project IN (SELECT value FROM json_each(?))"
        columns = ", ".join(f"coalesce(sum({name}), 0)" for name in _SUMS)
        row = self._rows(f"SELECT count(*), {columns}, min(at), max(at) FROM compilations WHERE {where}", (projects,))[0]
        money = f"SELECT currency, sum(saved_cost) FROM compilations WHERE {where} AND saved_cost IS NOT NULL GROUP BY currency ORDER BY 1"
        risks = f"SELECT risk, count(*) FROM compilations WHERE {where} GROUP BY risk"
        return {
            **dict(zip(("compilations", *_SUMS, "first_at", "last_at"), row, strict=True)),
            "risks": dict(self._rows(risks, (projects,))),
            "saved_cost": dict(self._rows(money, (projects,))),
        }

    def save_context(self, project: int, context: Context) -> int:
        """See Store."""
        statement = "INSERT INTO working_contexts (project, session, content, origin, at) VALUES (?, ?, ?, ?, ?)"
        self._rows(statement, (project, context.session, context.content, context.origin, context.at))
        return self._db.last_insert_rowid()

    def contexts(self, scope: Sequence[int], *, session: str | None, limit: int) -> list[Context]:
        """See Store."""
        where, values = "project IN (SELECT value FROM json_each(?))", [json.dumps(list(scope))]
        if session is not None:
            where, values = f"{where} AND session = ?", [*values, session]
        rows = self._rows(f"SELECT {_CONTEXT} FROM working_contexts WHERE {where} ORDER BY id DESC LIMIT ?", (*values, limit))
        return [Context(*row) for row in rows]
