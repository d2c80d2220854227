"""Statements that both dialects understand, and the filter of a search as a condition (its `where`: see sql_where)."""

from __future__ import annotations

from clew.store.rows import COLUMNS
from clew.store.sql_where import asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from clew.model import Filter

_READ = f"SELECT m.id, {', '.join('m.' + c for c in COLUMNS)}, p.name FROM"
_PROJECT = "projects p ON p.id = m.project"
FETCH = f"{_READ} memories m JOIN {_PROJECT} WHERE m.id IN ({{marks}})"
SELECT = f"{_READ} {{source}} JOIN {_PROJECT} WHERE {{where}} ORDER BY {{order}} LIMIT ?"
# A cross join is walked from its left: memories in the order of the list, no more than the limit asks for.
PASSING = f"{_READ} json_each(?) j CROSS JOIN memories m ON m.id = j.value CROSS JOIN {_PROJECT} WHERE {{where}} LIMIT ?"
INSERT = f"INSERT INTO memories ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
SAVE = f"UPDATE memories SET {', '.join(c + ' = ?' for c in COLUMNS)} WHERE id = ?"

# What an unfiltered search must not see, from two partial indexes: usually few.
HIDDEN = """
SELECT id FROM memories WHERE project IN ({marks}) AND status <> 'active'
UNION
SELECT id FROM memories WHERE project IN ({marks}) AND (expires_at IS NOT NULL OR valid_from IS NOT NULL OR valid_to IS NOT NULL)
  AND (expires_at <= ? OR valid_from > ? OR valid_to <= ?)
"""


def marks(count: int) -> str:
    """`count` placeholders."""
    return ",".join("?" * count)


def plain(which: Filter) -> bool:
    """Whether the filter asks for no more than what any search does: active and true now."""
    return which == type(which)(now=which.now)


def condition(scope: Sequence[int], which: Filter) -> tuple[str, list[Any]]:
    """(condition on `m`, parameters) for the memories a filter lets through; an expired one never passes.

    With `as_of` the answer is the one of that moment: written or valid by then, and not yet ended then.
    """
    now = which.now
    parts: list[tuple[str, list[Any]]] = [
        (f"m.project IN ({marks(len(scope))})", list(scope)),
        ("(m.expires_at IS NULL OR m.expires_at > ?)", [now]),
    ]
    if which.as_of is not None:
        parts.append(("coalesce(m.valid_from, m.recorded_at) <= ?", [which.as_of]))
        if not which.include_superseded:
            parts.append(("(m.valid_to IS NULL OR m.valid_to > ?) AND (m.ended_at IS NULL OR m.ended_at > ?)", [which.as_of, which.as_of]))
    elif not which.include_superseded:
        statuses = which.statuses
        parts.append((f"m.status IN ({marks(len(statuses))})", list(statuses)))
        if statuses == ("active",):
            parts.append(("(m.valid_from IS NULL OR m.valid_from <= ?) AND (m.valid_to IS NULL OR m.valid_to > ?)", [now, now]))
    if which.kinds:
        parts.append((f"m.kind IN ({marks(len(which.kinds))})", list(which.kinds)))
    for tag in which.tags:
        project = f"t.project IN ({marks(len(scope))})"
        parts.append((f"m.id IN (SELECT t.memory FROM tagged t WHERE {project} AND t.tag = ?)", [*scope, tag]))
    if which.since is not None:
        parts.append(("coalesce(m.valid_from, m.recorded_at) >= ?", [which.since]))
    if which.until is not None:
        parts.append(("coalesce(m.valid_from, m.recorded_at) < ?", [which.until]))
    if which.where is not None:
        parts.append(asked(which.where))
    return " AND ".join(p for p, _ in parts), [v for _, values in parts for v in values]
