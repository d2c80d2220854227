"""`where` as SQL that both dialects understand: the condition it makes, and the indexes from which few candidates may be had."""

from __future__ import annotations

from clew.model import META

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from clew.model import Predicate, Scalar

    Statement: TypeAlias = tuple[str, list[Any]]

# Fields by name: the column or expression of `m`, and whether an index leads to it.
FIELDS: dict[str, tuple[str, bool]] = {
    "kind": ("m.kind", False),
    "status": ("m.status", False),
    "origin": ("m.origin", True),
    "session": ("m.session", True),
    "source.file": ("m.source ->> 'file'", True),
    "source.commit": ("m.source ->> 'commit'", True),
    "confidence": ("m.confidence", False),
    "uses": ("m.uses", False),
    "pinned": ("m.pinned", False),
    "stale": ("m.stale", False),
    "recorded_at": ("m.recorded_at", True),
    "updated_at": ("m.updated_at", False),
    "valid_from": ("m.valid_from", False),
    "valid_to": ("m.valid_to", False),
}
# {} is what is held. Text is ordered by code point; that `replace` changes it means that it contains the value, cased as it is.
_TESTS = {op: f"{{}} {op} ?" for op in ("=", "<", "<=", ">", ">=")} | {
    "!=": "{} <> ?",
    "between": "{} BETWEEN ? AND ?",
    "contains": "replace({0}, ?, '') <> {0}",
}
METADATA = "INSERT INTO metadata (memory, project, key, type, number, text) VALUES (?, ?, ?, ?, ?, ?)"
TYPES = """SELECT type FROM (SELECT 'bool' AS type UNION ALL SELECT 'number' UNION ALL SELECT 'text') t
WHERE EXISTS (SELECT 1 FROM metadata d WHERE d.project IN ({marks}) AND d.key = ? AND d.type = t.type)"""


def typed(value: Scalar) -> tuple[str, float, str]:
    """(type, number, text) as a value of metadata is kept, what does not apply empty."""
    if isinstance(value, str):
        return "text", 0.0, value
    return "bool" if isinstance(value, bool) else "number", float(value), ""


def asked(predicate: Predicate) -> Statement:
    """(condition on `m`, parameters), true or false of every memory and never NULL, so that `not` turns it round."""
    if predicate.op == "not":
        inner, values = asked(predicate.parts[0])
        return f"NOT {inner}", values
    if predicate.parts:
        parts = [asked(part) for part in predicate.parts]
        return "(" + f" {predicate.op.upper()} ".join(p for p, _ in parts) + ")", [v for _, values in parts for v in values]
    if predicate.name.startswith(META):
        test, values = _described(predicate)
        return f"EXISTS (SELECT 1 FROM metadata d WHERE d.memory = m.id AND {test})", values
    return _field(predicate)


def drives(scope: Sequence[int], predicate: Predicate) -> list[Statement]:
    """Selects of numbers as `memory`, each an index's own and each holding every memory of the scope for which the predicate is true."""
    if predicate.op == "and":
        return [drive for part in predicate.parts for drive in drives(scope, part)]
    if predicate.op == "or":
        firsts = [drives(scope, part)[:1] for part in predicate.parts]
        if not all(firsts):
            return []
        return [(" UNION ".join(select for ((select, _),) in firsts), [v for ((_, values),) in firsts for v in values])]
    inside = f"project IN ({','.join('?' * len(scope))})"
    if predicate.name.startswith(META):
        test, values = _described(predicate)
        return [(f"SELECT d.memory FROM metadata d WHERE d.{inside} AND {test}", [*scope, *values])]
    if predicate.op == "not" or not FIELDS[predicate.name][1]:
        return []
    test, values = _field(predicate)
    return [(f"SELECT m.id AS memory FROM memories m WHERE m.{inside} AND {test}", [*scope, *values])]


def _described(predicate: Predicate) -> Statement:
    """(test of a row `d` of metadata, parameters): every column of the index is named, as far as the operator allows."""
    key = predicate.name.removeprefix(META)
    if predicate.op == "exists":
        return "d.key = ?", [key]
    test, values = _compared("d.text" if predicate.type == "text" else "d.number", predicate)
    unused = "d.number = 0 AND " if predicate.type == "text" else ""
    return f"d.key = ? AND d.type = ? AND {unused}{test}", [key, predicate.type, *values]


def _field(predicate: Predicate) -> Statement:
    held = FIELDS[predicate.name][0]
    if predicate.op == "exists":
        return f"({held} IS NOT NULL)", []
    test, values = _compared(f"({held})" if " " in held else held, predicate)
    return f"({held} IS NOT NULL AND {test})", values


def _compared(held: str, predicate: Predicate) -> Statement:
    values = [float(v) if isinstance(v, bool) else v for v in predicate.values]
    if predicate.op == "in":
        return f"{held} IN ({','.join('?' * len(values))})", values
    return _TESTS[predicate.op].format(held), values
