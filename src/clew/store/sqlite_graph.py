"""Links and mentions in the SQLite file as one graph: a frontier's edges by a few statements, whatever its size."""

from __future__ import annotations

import json

from clew.model import Entity
from clew.store import sql
from clew.store.graph import DEGREE_MOST, Edges
from clew.store.sqlite_open import Connected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from clew.model import Filter

# A mention, or more: the memory is about it (its title, the ticket it is).
_NAMES = """CASE WHEN EXISTS (SELECT 1 FROM entities e CROSS JOIN subjects s ON s.project = e.project AND s.memory = t.memory
AND s.key IN ('title:' || e.key, e.kind || ':' || e.key) WHERE e.id = t.entity) THEN 'about' ELSE 'mentions' END"""
_COUNTED = f"(SELECT count(*) FROM (SELECT 1 FROM {{}}j.value LIMIT {DEGREE_MOST}))"
_DEGREES = f"""SELECT j.value, {" + ".join(map(_COUNTED.format, ("links WHERE src = ", "links WHERE dst = ", "mentions WHERE memory = ")))}
FROM json_each(?1) j WHERE j.value > 0
UNION ALL SELECT j.value, {_COUNTED.format("mentions WHERE entity = -")} FROM json_each(?1) j WHERE j.value < 0"""
# Links out, links in, entities of memories, memories of entities: columns, table, key, sign of a node, the index's order backwards.
_ROADS = (
    ("t.dst, t.relation, 1, t.at, t.origin", "links t", "t.src", "", "t.relation DESC, t.dst DESC"),
    ("t.src, t.relation, 0, t.at, t.origin", "links t", "t.dst", "", "t.relation DESC, t.src DESC"),
    (f"-t.entity, {_NAMES}, 1, NULL, ''", "mentions t", "t.memory", "", "t.entity DESC"),
    (f"t.memory, {_NAMES}, 0, NULL, ''", "mentions t", "t.entity", "-", "t.memory DESC"),
)
_ALL = [f"SELECT j.value, {c} FROM json_each(?) j CROSS JOIN {t} ON {key} = {sign}j.value" for c, t, key, sign, _ in _ROADS]
_SOME = [f"SELECT ?1, {c} FROM {t} WHERE {key} = {sign}?1 ORDER BY {order} LIMIT ?2" for c, t, key, sign, order in _ROADS]
_ROADS_OF = {True: (0, 1, 2), False: (3,)}  # of memories, of entities


class Graph(Connected):
    """The parts of `base.Store` about the graph."""

    def has_edges(self, scope: Sequence[int]) -> bool:
        """See Store."""
        inside = sql.marks(len(scope))
        statement = f"SELECT EXISTS (SELECT 1 FROM links) OR EXISTS (SELECT 1 FROM entities WHERE project IN ({inside}))"
        return bool(self._rows(statement, tuple(scope))[0][0])

    def has_superseded(self, scope: Sequence[int]) -> bool:
        """See Store."""
        condition = f"project IN ({sql.marks(len(scope))}) AND status <> 'active' AND status = 'superseded'"  # the first names the index
        return self._row(f"SELECT 1 FROM memories WHERE {condition} LIMIT 1", tuple(scope)) is not None

    def degrees(self, nodes: Sequence[int]) -> dict[int, int]:
        """See Store."""
        return dict(self._rows(_DEGREES, (json.dumps(list(nodes)),)))

    def edges_of(self, nodes: Sequence[int], *, most: int) -> Edges:
        """See Store."""
        degrees = self.degrees(nodes)
        rows: list[tuple[Any, ...]] = []
        for memories in (True, False):
            kin = [node for node in nodes if (node > 0) is memories]
            small = json.dumps([node for node in kin if degrees[node] <= most])
            for road in _ROADS_OF[memories] if kin else ():
                rows += self._rows(_ALL[road], (small,))
                for hub in (node for node in kin if degrees[node] > most):
                    rows += self._rows(_SOME[road], (hub, most))
        return Edges(rows, degrees)  # SQLite's 0 and 1 stand for a direction's truth

    def admitted(self, ids: Sequence[int], scope: Sequence[int], which: Filter) -> set[int]:
        """See Store."""
        where, values = sql.condition(scope, which)
        statement = f"SELECT m.id FROM json_each(?) j CROSS JOIN memories m ON m.id = j.value WHERE {where}"
        return {row[0] for row in self._rows(statement, (json.dumps(list(ids)), *values))}

    def entities(self, ids: Sequence[int], scope: Sequence[int]) -> dict[int, Entity]:
        """See Store."""
        inside = sql.marks(len(scope))
        statement = f"""SELECT e.id, e.kind, e.name FROM json_each(?) j CROSS JOIN entities e ON e.id = j.value
            WHERE e.project IN ({inside})"""
        return {row[0]: Entity(*row) for row in self._rows(statement, (json.dumps(list(ids)), *scope))}
