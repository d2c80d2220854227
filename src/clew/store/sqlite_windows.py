"""What sessions' windows hold and what was observed in them, in the SQLite file."""

from __future__ import annotations

import json

from clew.model import SUBAGENT
from clew.store.sqlite_open import Connected
from clew.store.work import Observation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_COLUMNS = ", ".join(Observation._fields)
# Seen again: what is known of it now stands for what was known, but a part that tells nothing new takes nothing away.
_OBSERVE = f"""INSERT INTO observations (project, {_COLUMNS}) VALUES (?, {", ".join("?" * len(Observation._fields))})
ON CONFLICT (session, handle) DO UPDATE SET at = excluded.at, tokens = max(tokens, excluded.tokens), reads = reads + 1,
  hash = CASE excluded.hash WHEN '' THEN hash ELSE excluded.hash END,
  gist = CASE excluded.gist WHEN '' THEN gist ELSE excluded.gist END,
  text = CASE excluded.text WHEN '' THEN text ELSE excluded.text END"""
_REST = """UPDATE memories SET resting = 1 WHERE resting = 0 AND status = 'active' AND pinned = 0
AND kind NOT IN (SELECT value FROM json_each(?1)) AND ?2 - last_use > ?3 * stability"""


class Windows(Connected):
    """The parts of `base.Store` about windows, observations and memories that rest."""

    def window(self, session: str) -> str | None:
        """See Store."""
        row = self._row("SELECT state FROM windows WHERE session = ?", (session,))
        return row[0] if row else None

    def save_window(self, session: str, project: int, state: str, at: float) -> None:
        """See Store."""
        statement = """INSERT INTO windows (session, project, state, at) VALUES (?, ?, ?, ?)
            ON CONFLICT (session) DO UPDATE SET state = excluded.state, at = excluded.at"""
        self._rows(statement, (session, project, state, at))

    def latest_window(self, scope: Sequence[int]) -> str | None:
        """See Store."""
        statement = """SELECT session FROM windows WHERE project IN (SELECT value FROM json_each(?)) AND instr(session, ?) = 0
            ORDER BY at DESC, session LIMIT 1"""
        row = self._row(statement, (json.dumps(list(scope)), SUBAGENT))
        return row[0] if row else None

    def observe(self, project: int, seen: Observation) -> None:
        """See Store."""
        self._rows(_OBSERVE, (project, *seen))

    def observations(self, scope: Sequence[int], *, limit: int, session: str = "", handle: str = "", target: str = "") -> list[Observation]:
        """See Store."""
        where, values = ["project IN (SELECT value FROM json_each(?))"], [json.dumps(list(scope))]
        for name, value in (("session", session), ("handle", handle), ("target", target)):
            if value:
                where.append(f"{name} = ?")
                values.append(value)
        rows = self._rows(
            f"SELECT {_COLUMNS} FROM observations WHERE {' AND '.join(where)} ORDER BY at DESC, handle LIMIT ?", (*values, limit)
        )
        return [Observation(*row) for row in rows]

    def drop_windows(self, before: float) -> None:
        """See Store."""
        self._rows("DELETE FROM windows WHERE at < ?", (before,))
        self._rows("DELETE FROM observations WHERE at < ?", (before,))

    def rest(self, now: float, *, worn: float, lasting: Sequence[str]) -> int:
        """See Store."""
        self._rows(_REST, (json.dumps(list(lasting)), now, worn))
        return self._db.changes()
