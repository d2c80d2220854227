"""The SQLite store: one file, WAL, immediate write transactions, 0600 in a 0700 folder."""

from __future__ import annotations

import json
import os
from _thread import RLock  # threading takes a millisecond on the light road
from contextlib import contextmanager

import apsw

from clew.errors import NotFound, StoreBusy, StoreDamaged
from clew.model import KINDS, Project
from clew.store import sql, sqlite_care, sqlite_index, sqlite_sessions
from clew.store.rows import from_row, to_row
from clew.store.sqlite_cache import Cache
from clew.store.trouble import GARBLED, Speaking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from clew.model import Filter, Memory
    from clew.store.base import Asked, Document, Lexical, Near, Saturation, Statistics

BUSY_MS = sqlite_care.BUSY_MS


class SqliteStore:
    """See `base.Store`. One connection, used by one thread at a time behind a lock; `arrays` keeps sign bits for numpy."""

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
        self.writable = self._refused is None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """An immediate write transaction; rolled back on any exception."""
        with self._lock, self._speaking:
            if self._refused is not None:
                raise type(self._refused)(str(self._refused))
            if self._db.in_transaction:
                raise StoreBusy("a transaction is already open on this store; transactions do not nest")
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                self._cache.drop()
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

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

    # projects

    def project_for(self, keys: Iterable[str]) -> int | None:
        """See Store."""
        for key in keys:
            row = self._row("SELECT project FROM project_keys WHERE key = ?", (key,))
            if row:
                return int(row[0])
        return None

    def add_project(self, *, uid: str, name: str, path: str, at: float) -> int:
        """See Store."""
        self._rows("INSERT INTO projects (uid, name, path, created_at) VALUES (?, ?, ?, ?)", (uid, self._free_name(name), path, at))
        return self._db.last_insert_rowid()

    def _free_name(self, name: str) -> str:
        taken = {row[0] for row in self._rows("SELECT name FROM projects")}
        suffix = 2
        free = name
        while free in taken:
            free, suffix = f"{name}~{suffix}", suffix + 1
        return free

    def claim_keys(self, project: int, keys: Iterable[str]) -> None:
        """See Store."""
        for key in keys:
            self._rows("INSERT OR IGNORE INTO project_keys (key, project) VALUES (?, ?)", (key, project))

    def projects(self) -> list[Project]:
        """See Store."""
        statement = "SELECT id, name, path, (SELECT count(*) FROM memories m WHERE m.project = p.id) FROM projects p ORDER BY name"
        return [Project(*row) for row in self._rows(statement)]

    def project_uid(self, project: int) -> str:
        """See Store."""
        row = self._row("SELECT uid FROM projects WHERE id = ?", (project,))
        if row is None:
            raise NotFound(f"there is no project {project}")
        return str(row[0])

    def rename_project(self, project: int, *, name: str | None = None, path: str | None = None) -> None:
        """See Store."""
        for column, value in (("name", name and self._free_name(name)), ("path", path)):
            if value is not None:
                self._rows(f"UPDATE projects SET {column} = ? WHERE id = ?", (value, project))

    def drop_project(self, project: int, *, into: int) -> None:
        """See Store."""
        for table in ("project_keys", "log", "attempts", "sources", "sessions"):
            self._rows(f"UPDATE {table} SET project = ? WHERE project = ?", (into, project))
        self._rows("DELETE FROM projects WHERE id = ?", (project,))

    # memories

    def insert(self, memory: Memory, project: int) -> int:
        """See Store."""
        self._rows(sql.INSERT, to_row(memory, project))
        number = self._db.last_insert_rowid()
        self._tag(number, project, memory.tags)
        return number

    def _tag(self, memory: int, project: int, tags: Sequence[str]) -> None:
        self._db.executemany(
            "INSERT OR IGNORE INTO tagged (project, tag, memory) VALUES (?, ?, ?)", [(project, tag, memory) for tag in tags]
        )

    def fetch(self, ids: Sequence[int]) -> dict[int, Memory]:
        """See Store."""
        found: dict[int, Memory] = {}
        for start in range(0, len(ids), 500):
            part = tuple(ids[start : start + 500])
            found.update((row[0], from_row(row)) for row in self._rows(sql.FETCH.format(marks=sql.marks(len(part))), part))
        return found

    def find_digest(self, prefix: str) -> list[int]:
        """See Store."""
        return [
            row[0]
            for row in self._rows("SELECT id FROM memories WHERE digest >= ? AND digest < ? ORDER BY id LIMIT 10", (prefix, prefix + "g"))
        ]

    def save(self, memory: Memory, project: int) -> None:
        """See Store."""
        self._rows(sql.SAVE, (*to_row(memory, project), memory.id))
        self._rows("DELETE FROM tagged WHERE memory = ?", (memory.id,))
        self._tag(memory.id, project, memory.tags)

    def erase(self, memory: int) -> dict[str, int]:
        """See Store."""
        named = json.dumps([row[0] for row in self._rows("SELECT entity FROM mentions WHERE memory = ?", (memory,))])
        gone = {}
        for table, where in (
            ("links", "src = ?1 OR dst = ?1"),
            ("mentions", "memory = ?1"),
            ("log", "memory = ?1"),
            ("sources", "memory = ?1"),
        ):
            self._rows(f"DELETE FROM {table} WHERE {where}", (memory,))
            gone[table] = self._db.changes()
        self._rows(
            """DELETE FROM entities WHERE id IN (SELECT value FROM json_each(?))
            AND NOT EXISTS (SELECT 1 FROM mentions WHERE entity = entities.id)""",
            (named,),
        )
        self._rows("DELETE FROM memories WHERE id = ?", (memory,))
        gone["memories"] = self._db.changes()
        return gone

    def select(self, scope: Sequence[int], which: Filter, *, limit: int, after: int = 0, newest: bool = True) -> list[Memory]:
        """See Store."""
        where, values = sql.condition(scope, which)
        order = "m.recorded_at DESC, m.id DESC" if newest else "m.id"
        statement = sql.SELECT.format(where=where + " AND m.id > ?", order=order)
        return [from_row(row) for row in self._rows(statement, (*values, after, limit))]

    def strongest(self, scope: Sequence[int], which: Filter, *, limit: int) -> list[Memory]:
        """See Store."""
        order = "m.pinned DESC, m.uses DESC, m.recorded_at DESC, m.id DESC"
        found: list[Memory] = []
        for project in scope:  # one project and one kind at a time: so the index gives them in this very order
            for kind in which.kinds or KINDS:
                where, values = sql.condition([project], which._replace(kinds=(kind,)))
                statement = sql.SELECT.format(where=where, order=order)
                found += [from_row(row) for row in self._rows(statement, (*values, limit))]
        found.sort(key=lambda m: (m.pinned, m.strength.uses, m.recorded_at, m.id), reverse=True)
        return found[:limit]

    def count(self, scope: Sequence[int], which: Filter) -> int:
        """See Store."""
        where, values = sql.condition(scope, which)
        return int(self._rows(f"SELECT count(*) FROM memories m WHERE {where}", values)[0][0])

    def expired(self, now: float, limit: int) -> list[int]:
        """See Store."""
        statement = "SELECT id FROM memories WHERE expires_at IS NOT NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?"
        return [row[0] for row in self._rows(statement, (now, limit))]

    def latest(self) -> int:
        """See Store."""
        return int(self._rows("SELECT coalesce(max(id), 0) FROM memories")[0][0])

    def owner(self, memory: int) -> int:
        """See Store."""
        row = self._row("SELECT project FROM memories WHERE id = ?", (memory,))
        if row is None:
            raise NotFound(f"there is no memory #{memory}")
        return int(row[0])

    # searches

    def index(self, documents: Sequence[Document]) -> None:
        """See Store."""
        self._indexed(lambda db: sqlite_index.add(db, documents))

    def unindex(self, documents: Sequence[Document]) -> None:
        """See Store."""
        self._indexed(lambda db: sqlite_index.remove(db, documents))

    def wipe_index(self) -> None:
        """See Store."""
        tables = ("words", "signs", "vectors")
        damaged = sqlite_care.damaged(self.path, tables)
        for table in tables:
            if table in damaged:
                sqlite_care.abandon(self._db, table)
            else:
                self._rows(f"DELETE FROM {table}")
        self._rows("UPDATE projects SET documents = 0, length = 0, reshaped = reshaped + 1")

    def statistics(self, scope: Sequence[int], terms: Sequence[str]) -> Statistics:
        """See Store."""
        return self._search(lambda db: sqlite_index.statistics(db, self._cache, scope, terms))  # type: ignore[no-any-return]

    def longer(self, scope: Sequence[int], prefix: str, *, most: int) -> list[tuple[str, int]]:
        """See Store."""
        return self._search(lambda db: sqlite_index.longer(db, scope, prefix, most))  # type: ignore[no-any-return]

    def lexical(self, scope: Sequence[int], asked: Sequence[Asked], which: Filter, *, limit: int, saturation: Saturation) -> Lexical:
        """See Store."""
        return self._search(  # type: ignore[no-any-return]
            lambda db: sqlite_index.lexical(db, self._cache, scope, asked, which, limit=limit, saturation=saturation)
        )

    def nearest(self, scope: Sequence[int], vector: bytes, which: Filter, *, limit: int, also: Sequence[int] = ()) -> Near:
        """See Store."""
        return self._search(  # type: ignore[no-any-return]
            lambda db: sqlite_index.nearest(db, self._cache, scope, vector, which, limit=limit, also=also)
        )

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

    def has_turns(self, scope: Sequence[int]) -> bool:
        """See Store."""
        statement = f"SELECT 1 FROM memories WHERE project IN ({sql.marks(len(scope))}) AND session IS NOT NULL LIMIT 1"
        return self._row(statement, tuple(scope)) is not None

    def turns(self, ids: Sequence[int]) -> dict[int, tuple[str, int]]:
        """See Store."""
        statement = """SELECT m.id, session, turn FROM json_each(?) j JOIN memories m ON m.id = j.value
            WHERE session IS NOT NULL AND turn IS NOT NULL"""
        return {row[0]: (row[1], row[2]) for row in self._rows(statement, (json.dumps(list(ids)),))}

    # links, log, settings

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

    # care

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
