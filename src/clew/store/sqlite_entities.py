"""Entities, mentions and links in words in the SQLite file."""

from __future__ import annotations

import json

from clew.errors import InvalidInput, NotFound
from clew.store import sql, sqlite_care
from clew.store.graph import RULED, Meeting
from clew.store.sqlite_open import Connected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clew.store.graph import Noted

_ENTITY = "INSERT OR IGNORE INTO entities (project, kind, key, name) VALUES (?, ?, ?, ?)"
_KNOWN = "SELECT id FROM entities WHERE project = ? AND kind = ? AND key = ?"
# Where the key of a cue is that of a subject and at least one of the two is of these memories, or is the number of a memory. Of many
# memories about one thing the oldest count, so that a rebuild joins the same ones. What somebody unlinked is left out.
_FIRST = "SELECT f.memory FROM subjects f WHERE f.project = s.project AND f.key = s.key ORDER BY f.memory LIMIT 3"
# Those that stand among the oldest of a key where these do not count, and not where they do.
_OUTRANKED = f"""SELECT DISTINCT s.memory FROM
  (SELECT DISTINCT t.project, t.key FROM json_each(?1) j CROSS JOIN subjects t ON t.memory = j.value) k
  CROSS JOIN subjects s ON s.project = k.project AND s.key = k.key AND s.memory IN
    (SELECT f.memory FROM subjects f WHERE f.project = k.project AND f.key = k.key AND f.memory NOT IN (SELECT value FROM json_each(?1))
    ORDER BY f.memory LIMIT 3)
  WHERE s.memory NOT IN ({_FIRST}) ORDER BY 1"""
_MEET = f"""WITH met AS (
SELECT c.memory AS cued, c.relation, s.memory AS subject, c.backward FROM json_each(?1) j CROSS JOIN cues c ON c.memory = j.value
  CROSS JOIN subjects s ON s.project = c.project AND s.key = c.key AND s.memory IN ({_FIRST})
UNION SELECT c.memory, c.relation, s.memory, c.backward FROM json_each(?1) j CROSS JOIN subjects s ON s.memory = j.value
  CROSS JOIN cues c ON c.project = s.project AND c.key = s.key AND s.memory IN ({_FIRST})
UNION SELECT c.memory, c.relation, m.id, c.backward FROM json_each(?1) j
  CROSS JOIN cues c ON c.memory = j.value AND c.key >= 'memory:' AND c.key < 'memory;'
  CROSS JOIN memories m ON m.id = CAST(substr(c.key, 8) AS INTEGER) AND m.project = c.project
UNION SELECT c.memory, c.relation, m.id, c.backward FROM json_each(?1) j CROSS JOIN memories m ON m.id = j.value
  CROSS JOIN cues c ON c.project = m.project AND c.key = 'memory:' || m.id)
SELECT cued, relation, subject, backward, (SELECT recorded_at FROM memories WHERE id = cued) FROM met WHERE cued <> subject
AND NOT EXISTS (SELECT 1 FROM unlinked u WHERE u.src = iif(backward, subject, cued) AND u.relation = met.relation
  AND u.dst = iif(backward, cued, subject)) ORDER BY 1, 3"""
_EDGE = "src = ? AND relation = ? AND dst = ?"
_ORPHANS = """DELETE FROM entities WHERE id IN (SELECT value FROM json_each(?))
AND NOT EXISTS (SELECT 1 FROM mentions WHERE entity = entities.id)"""
_TAGGED = """INSERT OR IGNORE INTO tagged (project, tag, memory)
SELECT m.project, j.value, m.id FROM memories m CROSS JOIN json_each(m.tags) j WHERE m.tags <> '[]' AND json_valid(m.tags)"""


class Entities(Connected):
    """The parts of `base.Store` about what memories name."""

    def note(self, project: int, noted: Sequence[Noted]) -> None:
        """See Store."""
        named: dict[tuple[str, str], tuple[str, Sequence[str]]] = {}
        for one in noted:
            for kind, key, name, aliases in one.named:
                named.setdefault((kind, key), (name, aliases))
        self._db.executemany(_ENTITY, [(project, kind, key, name) for (kind, key), (name, _) in named.items()])
        known = {pair: self._db.execute(_KNOWN, (project, *pair)).get for pair in named}
        mentions = [(one.memory, known[kind, key]) for one in noted for kind, key, _, _ in one.named]
        self._db.executemany("INSERT OR IGNORE INTO mentions (memory, entity) VALUES (?, ?)", mentions)
        others = [(project, alias, known[pair]) for pair, (_, answers) in named.items() for alias in answers]
        self._db.executemany("INSERT OR IGNORE INTO aliases (project, alias, entity) VALUES (?, ?, ?)", others)
        subjects = [(project, key, one.memory) for one in noted for key in one.subjects]
        self._db.executemany("INSERT OR IGNORE INTO subjects (project, key, memory) VALUES (?, ?, ?)", subjects)
        cues = [(project, key, one.memory, relation, backward) for one in noted for relation, key, backward in one.cues]
        self._db.executemany("INSERT OR IGNORE INTO cues (project, key, memory, relation, backward) VALUES (?, ?, ?, ?, ?)", cues)

    def unnote(self, memories: Sequence[int]) -> None:
        """See Store."""
        these = json.dumps(list(memories))
        named = [row[0] for row in self._rows("SELECT entity FROM mentions WHERE memory IN (SELECT value FROM json_each(?))", (these,))]
        for table in ("mentions", "subjects", "cues"):
            self._rows(f"DELETE FROM {table} WHERE memory IN (SELECT value FROM json_each(?))", (these,))
        self.unjoin(memories)
        self._rows(_ORPHANS, (json.dumps(named),))

    def unjoin(self, memories: Sequence[int]) -> None:
        """See Store."""
        these = json.dumps(list(memories))
        for end in ("src", "dst"):
            self._rows(f"DELETE FROM links WHERE {end} IN (SELECT value FROM json_each(?)) AND origin = '{RULED}'", (these,))

    def wipe_notes(self) -> None:
        """See Store."""
        with self._lock, self._speaking:
            sqlite_care.empty(self._db, self.path, ("mentions", "aliases", "entities", "subjects", "cues", "tagged"))
        self._rows(_TAGGED)
        self._rows(f"DELETE FROM links WHERE origin = '{RULED}'")

    def meetings(self, memories: Sequence[int]) -> list[Meeting]:
        """See Store."""
        return [Meeting(*row) for row in self._rows(_MEET, (json.dumps(list(memories)),))]  # SQLite's 0 and 1 stand for a truth

    def outranked(self, memories: Sequence[int]) -> list[int]:
        """See Store."""
        return [row[0] for row in self._rows(_OUTRANKED, (json.dumps(list(memories)),))]

    def entities_named(self, scope: Sequence[int], keys: Iterable[str]) -> dict[str, list[int]]:
        """See Store."""
        inside, asked = sql.marks(len(scope)), json.dumps(list(keys))
        statement = f"""SELECT j.value, e.id FROM json_each(?) j CROSS JOIN entities e ON e.project IN ({inside}) AND e.key = j.value
            UNION SELECT j.value, a.entity FROM json_each(?) j CROSS JOIN aliases a ON a.project IN ({inside}) AND a.alias = j.value
            ORDER BY 1, 2"""
        found: dict[str, list[int]] = {}
        for key, entity in self._rows(statement, (asked, *scope, asked, *scope)):
            found.setdefault(key, []).append(entity)
        return found

    def mentioned(self, entities: Iterable[int], limit: int) -> Mapping[int, list[int]]:
        """See Store."""
        statement = "SELECT memory FROM mentions WHERE entity = ? ORDER BY memory DESC LIMIT ?"
        return {entity: [row[0] for row in self._rows(statement, (entity, limit))] for entity in entities}

    def attach(self, src: int, relation: str, dst: int, *, at: float, origin: str) -> bool:
        """See Store."""
        if src == dst:
            raise InvalidInput("dst", f"memory #{src} cannot be linked to itself")
        gone = {src, dst} - {row[0] for row in self._rows("SELECT id FROM memories WHERE id IN (?, ?)", (src, dst))}
        if gone:
            raise NotFound(f"there is no memory #{min(gone)}")
        statement = """INSERT INTO links (src, relation, dst, at, origin) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET at = excluded.at, origin = excluded.origin WHERE origin = ?"""
        self._rows(statement, (src, relation, dst, at, origin, RULED))
        changed = bool(self._db.changes())
        self._rows(f"DELETE FROM unlinked WHERE {_EDGE}", (src, relation, dst))
        return changed

    def remove_link(self, src: int, relation: str, dst: int) -> bool:
        """See Store."""
        edge = (src, relation, dst)
        gone = self._rows(f"DELETE FROM links WHERE {_EDGE} RETURNING origin", edge)
        stated = ((m.subject, m.relation, m.cued) if m.backward else (m.cued, m.relation, m.subject) for m in self.meetings([src]))
        if gone and (gone[0][0] == RULED or edge in stated):
            self.refuse_link(*edge)
        return bool(gone)

    def refuse_link(self, src: int, relation: str, dst: int) -> None:
        """See Store."""
        edge = (src, relation, dst)
        self._rows(f"DELETE FROM links WHERE {_EDGE} AND origin = '{RULED}'", edge)
        if not self._rows(f"SELECT 1 FROM links WHERE {_EDGE}", edge):
            self._rows("INSERT OR IGNORE INTO unlinked (src, relation, dst) VALUES (?, ?, ?)", edge)

    def unlinked(self, ids: Sequence[int]) -> list[tuple[int, str, int]]:
        """See Store."""
        these = json.dumps(list(ids))
        statement = "SELECT src, relation, dst FROM unlinked WHERE {} IN (SELECT value FROM json_each(?))"
        return [tuple(row) for row in self._rows(" UNION ".join(map(statement.format, ("src", "dst"))), (these, these))]
