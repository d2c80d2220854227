"""Projects and memories in the SQLite file."""

from __future__ import annotations

import json

from clew.errors import NotFound, StoreDamaged
from clew.model import KINDS, Project
from clew.store import sql
from clew.store.rows import from_row, to_row
from clew.store.searches import Extent
from clew.store.sql_where import METADATA, TYPES, typed
from clew.store.sqlite_index import ALL, narrowest
from clew.store.sqlite_open import Connected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clew.model import Filter, Memory, Scalar


_EXTENT = """SELECT (SELECT min(recorded_at) FROM memories WHERE project = ?1), (SELECT max(recorded_at) FROM memories WHERE project = ?1),
EXISTS (SELECT 1 FROM memories WHERE project = ?1 AND confidence <> 0.5)"""


# What belongs to a project besides its memories.
_HANDED_OVER = ("project_keys", "log", "attempts", "sources", "sessions", "compilations", "working_contexts", "windows", "observations")


class Memories(Connected):
    """The parts of `base.Store` about projects and memories."""

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

    def project_name(self, project: int) -> str:
        """See Store."""
        row = self._row("SELECT name FROM projects WHERE id = ?", (project,))
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
        for table in _HANDED_OVER:
            self._rows(f"UPDATE {table} SET project = ? WHERE project = ?", (into, project))
        self._rows("DELETE FROM projects WHERE id = ?", (project,))

    def insert(self, memory: Memory, project: int) -> int:
        """See Store."""
        self._rows(sql.INSERT, to_row(memory, project))
        number = self._db.last_insert_rowid()
        self._tag(number, project, memory.tags)
        self._describe(number, project, memory.metadata)
        return number

    def _tag(self, memory: int, project: int, tags: Sequence[str]) -> None:
        if tags:
            self._db.executemany(
                "INSERT OR IGNORE INTO tagged (project, tag, memory) VALUES (?, ?, ?)", [(project, tag, memory) for tag in tags]
            )

    def _describe(self, memory: int, project: int, metadata: Mapping[str, Scalar]) -> None:
        if metadata:
            self._db.executemany(METADATA, [(memory, project, key, *typed(value)) for key, value in metadata.items()])

    def fetch(self, ids: Sequence[int]) -> dict[int, Memory]:
        """See Store."""
        found: dict[int, Memory] = {}
        for start in range(0, len(ids), 500):
            part = tuple(ids[start : start + 500])
            found.update((row[0], from_row(row)) for row in self._rows(sql.FETCH.format(marks=sql.marks(len(part))), part))
        return found

    def passing(self, ids: Sequence[int], scope: Sequence[int], which: Filter, *, limit: int) -> list[Memory]:
        """See Store."""
        where, values = sql.condition(scope, which)
        return [from_row(row) for row in self._rows(sql.PASSING.format(where=where), (json.dumps(list(ids)), *values, limit))]

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
        self._rows("DELETE FROM metadata WHERE memory = ?", (memory.id,))
        self._describe(memory.id, project, memory.metadata)

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
        with self._lock, self._speaking:
            source, driving, few = narrowest(self._db, scope, which)
        source, driving = (source, driving) if few else (ALL, [])  # of many the index on their order finds the first ones sooner
        statement = sql.SELECT.format(source=source, where=where + " AND m.id > ?", order=order)
        return [from_row(row) for row in self._rows(statement, (*driving, *values, after, limit))]

    def strongest(self, scope: Sequence[int], which: Filter, *, limit: int) -> list[Memory]:
        """See Store."""
        order = "m.pinned DESC, m.uses DESC, m.recorded_at DESC, m.id DESC"
        found: list[Memory] = []
        for project in scope:  # one project and one kind at a time: so the index gives them in this very order
            for kind in which.kinds or KINDS:
                where, values = sql.condition([project], which._replace(kinds=(kind,)))
                statement = sql.SELECT.format(source=ALL, where=f"{where} AND m.resting = 0", order=order)
                found += [from_row(row) for row in self._rows(statement, (*values, limit))]
        found.sort(key=lambda m: (m.pinned, m.strength.uses, m.recorded_at, m.id), reverse=True)
        return found[:limit]

    def count(self, scope: Sequence[int], which: Filter) -> int:
        """See Store."""
        return int(self._rows(*sql.counted(scope, which))[0][0])

    def expired(self, now: float, limit: int) -> list[int]:
        """See Store."""
        statement = "SELECT id FROM memories WHERE expires_at IS NOT NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?"
        return [row[0] for row in self._rows(statement, (now, limit))]

    def latest(self) -> int:
        """See Store."""
        try:
            return int(self._rows("SELECT coalesce(max(id), 0) FROM memories")[0][0])
        except StoreDamaged:  # the page that holds the last one: the number given last is no lower
            return int(self._rows("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'memories'")[0][0])

    def metadata_types(self, scope: Sequence[int], keys: Iterable[str]) -> dict[str, list[str]]:
        """See Store."""
        return {key: [row[0] for row in self._rows(TYPES.format(marks=sql.marks(len(scope))), (*scope, key))] for key in keys}

    def experience(self, ids: Sequence[int]) -> dict[int, tuple[float, float, float | None]]:
        """See Store."""
        statement = """SELECT m.id, m.recorded_at, m.confidence, m.confidence_at
            FROM json_each(?) j CROSS JOIN memories m ON m.id = j.value"""
        return {row[0]: row[1:] for row in self._rows(statement, (json.dumps(list(ids)),))}

    def extent(self, scope: Sequence[int]) -> Extent:
        """See Store."""
        rows = [self._rows(_EXTENT, (project,))[0] for project in scope]
        held = [row for row in rows if row[0] is not None]
        if not held:
            return Extent(0.0, 0.0, False)
        return Extent(min(row[0] for row in held), max(row[1] for row in held), any(row[2] for row in held))

    def owner(self, memory: int) -> int:
        """See Store."""
        row = self._row("SELECT project FROM memories WHERE id = ?", (memory,))
        if row is None:
            raise NotFound(f"there is no memory #{memory}")
        return int(row[0])
