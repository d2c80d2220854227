"""Sessions of clients and what each of them was shown, in the SQLite file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

_ADVANCE = """
INSERT INTO sessions (id, project, client, started_at, last_at, turns) VALUES (?1, ?2, ?3, ?4, ?4, ?5)
ON CONFLICT (id) DO UPDATE SET last_at = max(last_at, excluded.last_at), turns = turns + excluded.turns, ended_at = NULL
RETURNING turns
"""
_MARK = """
INSERT INTO shown (session, memory, updated_at) SELECT ?1, id, ?3 FROM memories WHERE id = ?2
ON CONFLICT (session, memory) DO UPDATE SET updated_at = excluded.updated_at
"""


def advance(db: apsw.Connection, session: str, project: int, client: str, at: float, turns: int) -> int:
    """See `Store.advance_session`."""
    return int(db.execute(_ADVANCE, (session, project, client, at, turns)).get)


def end(db: apsw.Connection, session: str, at: float, keep_since: float) -> None:
    """See `Store.end_session`."""
    db.execute("UPDATE sessions SET ended_at = ? WHERE id = ?", (at, session))
    db.execute("DELETE FROM shown WHERE session IN (SELECT id FROM sessions WHERE last_at < ?)", (keep_since,))


def mark_shown(db: apsw.Connection, session: str, memories: Sequence[tuple[int, float]]) -> None:
    """See `Store.mark_shown`."""
    db.executemany(_MARK, [(session, memory, updated_at) for memory, updated_at in memories])


def shown(db: apsw.Connection, session: str) -> dict[int, float]:
    """See `Store.shown`."""
    return dict(db.execute("SELECT memory, updated_at FROM shown WHERE session = ?", (session,)))


def forget_shown(db: apsw.Connection, session: str) -> None:
    """See `Store.forget_shown`."""
    db.execute("DELETE FROM shown WHERE session = ?", (session,))
