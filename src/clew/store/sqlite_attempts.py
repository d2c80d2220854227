"""Attempts, and how far a session has come, in the SQLite file."""

from __future__ import annotations

import json

from clew.model import KINDS, Attempt
from clew.store.sqlite_open import Connected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from clew.store.talk import Progress

# Stored columns by the name of the field; `id` leads a row that is read.
_COLUMNS = {name: {"exit": "exit_status"}.get(name, name) for name in Attempt._fields if name != "id"}
_ADD = f"INSERT INTO attempts (project, {', '.join(_COLUMNS.values())}) VALUES (?, {', '.join('?' * len(_COLUMNS))})"
_KEYS = ("goal", "session", "target", "fingerprint", "place", "approach")  # what attempts may be asked for by
_EMPTY = ("fingerprint", "place")  # kept as NULL where there is none, so that their indexes stay small


class Attempts(Connected):
    """The parts of `base.Store` about attempts."""

    def add_attempt(self, project: int, attempt: Attempt) -> int:
        """See Store."""
        values = (getattr(attempt, name) for name in _COLUMNS)
        self._rows(
            _ADD, (project, *(None if name in _EMPTY and not value else value for name, value in zip(_COLUMNS, values, strict=True)))
        )
        return self._db.last_insert_rowid()

    def attempts(
        self, scope: Sequence[int], *, limit: int, settled: bool | None = None, since: float | None = None, **keys: str
    ) -> list[Attempt]:
        """See Store."""
        where, values = ["project IN (SELECT value FROM json_each(?))"], [json.dumps(list(scope))]
        for name in _KEYS:
            if name in keys:
                where.append(f"{name} = ?")
                values.append(keys[name])
        more: list[Any] = [*values]
        if settled is not None:
            where.append("settled = ?")
            more.append(int(settled))
        if since is not None:
            where.append("at >= ?")
            more.append(since)
        columns = ", ".join(("id", *_COLUMNS.values()))
        rows = self._rows(f"SELECT {columns} FROM attempts WHERE {' AND '.join(where)} ORDER BY id DESC LIMIT ?", (*more, limit))
        return [_attempt(row) for row in rows]

    def attempts_naming(self, scope: Sequence[int], text: str, *, limit: int) -> list[Attempt]:
        """See Store."""
        return self._holding("(instr(target, ?2) OR instr(goal, ?2))", scope, text, limit)

    def attempts_telling(self, scope: Sequence[int], text: str, *, limit: int) -> list[Attempt]:
        """See Store."""
        return self._holding("instr(template, ?2)", scope, text, limit)

    def _holding(self, holds: str, scope: Sequence[int], text: str, limit: int) -> list[Attempt]:
        columns = ", ".join(("id", *_COLUMNS.values()))
        statement = f"""SELECT {columns} FROM attempts WHERE project IN (SELECT value FROM json_each(?1))
            AND {holds} ORDER BY id DESC LIMIT ?3"""
        return [_attempt(row) for row in self._rows(statement, (json.dumps(list(scope)), text, limit))]

    def goals(self, scope: Sequence[int], *, limit: int, session: str | None = None) -> list[tuple[str, int, int, float, float]]:
        """See Store."""
        where, values = "project IN (SELECT value FROM json_each(?))", [json.dumps(list(scope))]
        if session is not None:
            where, values = f"{where} AND session = ?", [*values, session]
        statement = f"""SELECT goal, count(*), total(outcome = 'fail'), min(at), max(at) FROM attempts WHERE {where}
            GROUP BY goal ORDER BY max(id) DESC LIMIT ?"""
        return [(goal, count, int(failed), first, last) for goal, count, failed, first, last in self._rows(statement, (*values, limit))]

    def open_goals(self, *, limit: int) -> list[tuple[int, str]]:
        """See Store."""
        statement = """SELECT project, goal FROM attempts WHERE settled = 0 AND outcome = 'fail'
            GROUP BY project, goal ORDER BY max(id) DESC LIMIT ?"""
        return [(project, goal) for project, goal in self._rows(statement, (limit,))]

    def used_between(self, scope: Sequence[int], since: float, until: float, *, limit: int) -> list[int]:
        """See Store."""
        # As the index memories_strongest begins, so that memories never used are not read.
        statement = """SELECT id FROM memories WHERE project IN (SELECT value FROM json_each(?)) AND status = 'active'
            AND kind IN (SELECT value FROM json_each(?)) AND pinned IN (0, 1) AND uses > 0 AND last_use BETWEEN ? AND ?
            ORDER BY last_use DESC, id LIMIT ?"""
        found = self._rows(statement, (json.dumps(list(scope)), json.dumps(KINDS), since, until, limit))
        return [number for (number,) in found]

    def told(self, scope: Sequence[int], session: str, event: str, *, limit: int) -> list[tuple[float, str, str]]:
        """See Store."""
        statement = """SELECT at, session, text FROM log WHERE project IN (SELECT value FROM json_each(?)) AND session = ? AND event = ?
            ORDER BY id DESC LIMIT ?"""
        return [tuple(row) for row in self._rows(statement, (json.dumps(list(scope)), session, event, limit))]

    def noted(self, project: int, session: str, event: str, text: str) -> float:
        """See Store."""
        statement = "SELECT at FROM log WHERE project = ? AND session = ? AND event = ? AND text = ? ORDER BY id DESC LIMIT 1"
        row = self._row(statement, (project, session, event, text))
        return float(row[0]) if row else 0.0

    def said(self, scope: Sequence[int], session: str, event: str, *, least: int = 0) -> str:
        """See Store."""
        row = self._row(
            """SELECT text FROM log WHERE project IN (SELECT value FROM json_each(?)) AND session = ? AND event = ? AND length(text) >= ?
            ORDER BY id DESC LIMIT 1""",
            (json.dumps(list(scope)), session, event, least),
        )
        return row[0] if row else ""

    def settle(self, attempts: Sequence[int]) -> None:
        """See Store."""
        self._rows("UPDATE attempts SET settled = 1 WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(list(attempts)),))

    def advance_calls(self, session: str, *, calls: int = 0, asked_at: float | None = None) -> None:
        """See Store."""
        statement = "UPDATE sessions SET calls = calls + ?1, asked_at = max(coalesce(asked_at, ?2), coalesce(?2, asked_at)) WHERE id = ?3"
        self._rows(statement, (calls, asked_at, session))

    def progress(self, session: str) -> Progress:
        """See Store."""
        from clew.store.talk import Progress  # a prompt asks for none

        row = self._row("SELECT turns, calls, asked_at, last_at, ended_at FROM sessions WHERE id = ?", (session,))
        return Progress(row[0], row[1], row[2] or 0.0, row[3], row[4] or 0.0) if row else Progress()


def _attempt(row: Sequence[Any]) -> Attempt:
    return Attempt._make("" if value is None and name in _EMPTY else value for name, value in zip(Attempt._fields, row, strict=True))
