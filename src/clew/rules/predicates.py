"""Conditions on metadata and fields: which make sense, and whether one is true of a memory (docs/where.md).

A comparison is true of a memory that holds a value of that type by that name, and false, `!=` too, of one that does not; `not` turns it
round. Two-valued throughout, so that the store's SQL and `matches` agree on every memory.
"""

from __future__ import annotations

import operator
from math import isfinite

from clew.errors import InvalidInput
from clew.limits import ID_MAX
from clew.model import KINDS, META, STATUSES, Memory, Predicate
from clew.rules.intake import moment, one_line, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any

# Fields by the names they may be asked by: (name in the canonical form, type). Everything else names metadata.
_TYPES = {
    "text": "kind status origin session source.file source.commit",
    "number": "confidence uses",
    "bool": "pinned stale",
    "time": "recorded_at updated_at valid_from valid_to",
}
FIELDS: dict[str, tuple[str, str]] = {name: (name, kind) for kind, names in _TYPES.items() for name in names.split()}
FIELDS |= {"source.session": FIELDS["session"], "strength.uses": FIELDS["uses"]}
_CHOICES = {"kind": KINDS, "status": STATUSES}
JOINED = ("and", "or", "not")
_COMPARED: dict[str, Callable[..., Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda value, *choice: value in choice,
    "between": lambda value, low, high: low <= value <= high,
    "contains": operator.contains,
}
OPERATORS = (*_COMPARED, "exists")
# Operators of a type; `exists` asks of none.
_MEASURED = tuple(op for op in OPERATORS if op != "contains")
_FITTING = {"text": OPERATORS, "number": _MEASURED, "time": _MEASURED, "bool": ("=", "!=", "in", "exists")}
_SPELLED = {"text": "a text in quotes", "number": "a number without quotes", "bool": "true or false"}


def canonical(predicate: Predicate) -> dict[str, Any]:
    """The JSON object that `parsed` makes this very predicate of, one spelling each."""
    if predicate.op == "not":
        return {"not": canonical(predicate.parts[0])}
    if predicate.op in JOINED:
        return {predicate.op: [canonical(part) for part in predicate.parts]}
    values = list(predicate.values)
    value: Any = True if predicate.op == "exists" else values if predicate.op in ("in", "between") else values[0]
    return {_written(predicate.name): {predicate.op: value}}


def names(predicate: Predicate) -> set[str]:
    """Every name it asks of, metadata behind META."""
    return {name for part in predicate.parts for name in names(part)} | ({predicate.name} if predicate.name else set())


def fit(predicate: Predicate, held: Mapping[str, Collection[str]]) -> None:
    """Raises InvalidInput where a comparison asks for a type that no value of that metadata has, though it has values.

    `held`: types by metadata key, as far as the projects searched hold any. Where they hold several, each comparison speaks of its own.
    """
    for part in predicate.parts:
        fit(part, held)
    there = held.get(predicate.name.removeprefix(META), ())
    if predicate.name.startswith(META) and predicate.type and there and predicate.type not in there:
        stored = " or ".join(sorted(there))
        raise wrong(
            f"{_written(predicate.name)} {predicate.op} {_shown(predicate.values[0])} compares {predicate.type}, but the stored values are "
            f"{stored}; write {' or '.join(_SPELLED[kind] for kind in sorted(there))}"
        )


def matches(predicate: Predicate, memory: Memory) -> bool:
    """Whether it is true of a memory. Pure; the oracle that the store's SQL is held against."""
    if predicate.op == "not":
        return not matches(predicate.parts[0], memory)
    if predicate.op in JOINED:
        return (all if predicate.op == "and" else any)(matches(part, memory) for part in predicate.parts)
    value = _held(predicate.name, memory)
    if value is None or predicate.op == "exists":
        return value is not None
    comparable = _type_of(value) == ("number" if predicate.type == "time" else predicate.type)
    return comparable and bool(_COMPARED[predicate.op](value, *predicate.values))


def _held(name: str, memory: Memory) -> Any:
    if name.startswith(META):
        return memory.metadata.get(name.removeprefix(META))
    if name in ("session", "source.file", "source.commit"):
        return getattr(memory.source, name.rpartition(".")[2])
    return memory.strength.uses if name == "uses" else getattr(memory, name)


def _type_of(value: Any) -> str:
    return "bool" if isinstance(value, bool) else "text" if isinstance(value, str) else "number" if isinstance(value, int | float) else ""


def _shown(value: Any) -> str:
    """A value as an error quotes it, short and on one line."""
    whole = isinstance(value, float) and value.is_integer()
    quoted = f'"{one_line(value[:40])}"' if isinstance(value, str) else ""
    return quoted or (f"{value:.0f}" if whole else str(value).lower())[:40]


def size(predicate: Predicate) -> int:
    """How many comparisons, joins and values it has."""
    return 1 + len(predicate.values) + sum(map(size, predicate.parts))


def _written(name: str) -> str:
    """A name as it must be written to be read back as itself."""
    key = name.removeprefix(META)
    plain = key not in FIELDS and key not in Memory._fields and key not in JOINED and not key.startswith(META)
    return key if name.startswith(META) and plain else name


def wrong(problem: str) -> InvalidInput:
    """The error of a predicate that makes no sense."""
    return InvalidInput("where", problem)


def _name(given: str, place: str) -> tuple[str, str]:
    """(name, type or "" for metadata) of what is asked of."""
    given = one_line(sound(given, "where"))
    if given in FIELDS:
        return FIELDS[given]
    if given in Memory._fields:
        raise wrong(
            f"{place}: the field {given} is not asked this way, only {', '.join(FIELDS)} are; metadata of that name is {META}{given}"
        )
    key = given.removeprefix(META)
    if not key:
        raise wrong(f"{place}: the name of the metadata is empty")
    return META + key, ""


def comparison(given: str, op: str, values: Sequence[Any], place: str) -> Predicate:
    """A comparison whose name, operator and values fit one another."""
    name, kind = _name(given, place)
    if op == "exists":
        return Predicate(op, name)
    if not values:
        raise wrong(f"{place}: {op} needs at least one value")
    values = [_value(v, kind, given, place) for v in values]
    kinds = {_type_of(v) for v in values}
    if len(kinds) > 1:
        raise wrong(f"{place}: the values of {given} are of several types ({', '.join(sorted(kinds))}); ask for each with or")
    kind = kind or kinds.pop()
    if op not in _FITTING[kind]:
        what = f"{op} compares text" if op == "contains" else f"{op} needs an order"
        quoted = ', or write it in quotes: "' + _shown(values[0]) + '"' if op == "contains" and name.startswith(META) else ""
        takes = f"a {kind} takes {', '.join(_FITTING[kind])}{quoted}"
        raise wrong(f"{place}: {what}, and {given} is asked for the {kind} {_shown(values[0])}; {takes}")
    if op == "between" and values[0] > values[1]:
        raise wrong(f"{place}: between {_shown(values[0])} and {_shown(values[1])} lies nothing; the lower one comes first")
    if op == "contains" and not values[0]:
        raise wrong(f"{place}: every text contains the empty one; ask `{given} exists`")
    for value in values if op in ("=", "!=", "in") else ():
        if value not in _CHOICES.get(name, (value,)):
            raise wrong(f"{place}: {name} is never '{str(value)[:40]}'; it is one of {', '.join(_CHOICES[name])}")
    return Predicate(op, name, kind, tuple(values))


def _value(value: Any, kind: str, given: str, place: str) -> Any:
    """A value as it is compared: numbers and moments as floats. Raises InvalidInput for one that the field cannot have."""
    if kind == "time":
        return _moment(value, given, place)
    found = _type_of(value)
    if not found or (kind and found != kind):
        said = _SPELLED[kind] if kind else "a text, a number or a bool"
        raise wrong(f"{place}: {given} is compared with {said}, not with {_shown(value)}")
    if found == "number" and not (abs(value) <= ID_MAX if isinstance(value, int) else isfinite(value)):
        raise wrong(f"{place}: {_shown(value)} is not a number that metadata holds; the limit is ±{ID_MAX}")
    return sound(value, "where") if found == "text" else float(value) if found == "number" else value


def _moment(value: Any, given: str, place: str) -> float:
    if _type_of(value) == "number":
        return moment(value, "where") or 0.0
    from datetime import UTC, datetime

    try:
        when = datetime.fromisoformat(value)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (TypeError, ValueError, OverflowError):
        raise wrong(f"{place}: {given} is a moment: write 2026-11-30, 2026-11-30T14:00Z or UTC seconds, not {_shown(value)}") from None


def joined(op: str, parts: Sequence[Predicate]) -> Predicate:
    """`parts` under one op, those that are joined by it already taken apart; a single one as it is."""
    flat = [inner for part in parts for inner in (part.parts if part.op == op else (part,))]
    return flat[0] if len(flat) == 1 else Predicate(op, parts=tuple(flat))
