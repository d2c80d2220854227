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

# What an unfiltered search must not see, usually few: two ends of one index and a partial one. `<>` would walk all of the project.
_HIDDEN = """
SELECT m.id FROM memories m WHERE m.project IN ({marks}) AND m.status < 'active'
UNION ALL
SELECT m.id FROM memories m WHERE m.project IN ({marks}) AND m.status > 'active'
UNION ALL
SELECT m.id {untimely}
"""
_UNTIMELY = """FROM memories m WHERE m.project IN ({marks})
  AND (m.expires_at IS NOT NULL OR m.valid_from IS NOT NULL OR m.valid_to IS NOT NULL) AND (m.expires_at <= ? OR NOT {true})"""
_EXPIRED = "SELECT m.id FROM memories m WHERE m.project IN ({marks}) AND m.expires_at IS NOT NULL AND m.expires_at <= ?"
_COUNT = "SELECT count(*) FROM memories m WHERE {where}"
# All that are active, counted inside one index, without the few of the partial one; the plus keeps SQLite from any other.
_PLAIN_COUNT = f"""SELECT ({_COUNT.format(where="m.project IN ({marks}) AND m.status = 'active'")})
  - (SELECT count(*) {{untimely}} AND +m.status = 'active')"""
_VALID = "((m.valid_from IS NULL OR m.valid_from {sign} ?) AND (m.valid_to IS NULL OR m.valid_to > ?))"
_NOW, _SPOKEN = _VALID.format(sign="<="), _VALID.format(sign="<")  # the end of what is spoken of does not belong to it


def marks(count: int) -> str:
    """`count` placeholders."""
    return ",".join("?" * count)


def plain(which: Filter) -> bool:
    """Whether the filter asks for no more than what any search does: active, and true now or when the question speaks of."""
    return which == type(which)(now=which.now, spoken=which.spoken)


def hidden(scope: Sequence[int], which: Filter) -> tuple[str, list[Any]] | None:
    """(statement, parameters) of the memories that a plain filter keeps from a search, or one that only lets what has ended through too,
    some of them twice; None for any other filter."""
    if which == type(which)(which.now, include_superseded=True):
        return _EXPIRED.format(marks=marks(len(scope))), [*scope, which.now]
    if not plain(which):
        return None
    untimely, values = _untimely(scope, which)
    return _HIDDEN.format(marks=marks(len(scope)), untimely=untimely), [*scope, *scope, *values]


def counted(scope: Sequence[int], which: Filter) -> tuple[str, list[Any]]:
    """(statement, parameters) of how many memories a filter lets through."""
    if not plain(which):
        where, values = condition(scope, which)
        return _COUNT.format(where=where), values
    untimely, values = _untimely(scope, which)
    return _PLAIN_COUNT.format(marks=marks(len(scope)), untimely=untimely), [*scope, *values]


def _untimely(scope: Sequence[int], which: Filter) -> tuple[str, list[Any]]:
    true, moments = _true(which)
    return _UNTIMELY.format(marks=marks(len(scope)), true=true), [*scope, which.now, *moments]


def _true(which: Filter) -> tuple[str, list[Any]]:
    """(condition, parameters): what is true now, or at some moment of the time that the question speaks of."""
    if which.spoken is None:
        return _NOW, [which.now, which.now]
    start, end = which.spoken
    return f"({_NOW} OR {_SPOKEN})", [which.now, which.now, end, start]


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
            parts.append(_true(which))
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
