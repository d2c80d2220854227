"""Predicates as people and programs write them: the short text form and JSON, read with errors that say where and what is expected."""

from __future__ import annotations

import re

from clew.errors import InvalidInput
from clew.limits import WHERE_BYTES, WHERE_DEPTH, WHERE_PARTS
from clew.model import Predicate
from clew.rules.intake import sound
from clew.rules.predicates import JOINED, OPERATORS, comparison, joined, size, wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_EXAMPLE = 'year>=2019 and team="infra"'
_NUMBER = re.compile(r"[+-]?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?")
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<op>[=!<>~]+)|(?P<mark>[(),])|(?P<word>[^\s()=!<>~,"']+)|(?P<odd>\S))""",
    re.S,
)


def parsed(where: Any) -> Predicate | None:
    """The predicate that a text or a JSON object spells; None for None and for an object without conditions.

    Raises InvalidInput, field `where`: what is wrong and where, what could stand there.
    """
    if where is None:
        return None
    if isinstance(where, str):
        found: Predicate | None = _Text(where).predicate()
    elif isinstance(where, dict):
        found = _object(where, "where", 0) if where else None
    else:
        raise wrong(f"must be text such as {_EXAMPLE} or a JSON object, not {type(where).__name__}")
    if found is not None and (parts := size(found)) > WHERE_PARTS:
        raise wrong(f"{parts} comparisons and values; the limit is {WHERE_PARTS}")
    return found


def _object(given: Any, place: str, depth: int) -> Predicate:
    """The predicate of a JSON object: all of its members hold."""
    if depth > WHERE_DEPTH:
        raise wrong(f"is nested more than {WHERE_DEPTH} deep")
    if not isinstance(given, dict) or not given:
        raise wrong(f'{place}: must be an object with at least one condition, such as {{"year": {{">=": 2019}}}}')
    parts = []
    for name, value in given.items():
        at = f"{place}.{str(name)[:60]}"
        if name == "not":
            parts.append(Predicate("not", parts=(_object(value, at, depth + 1),)))
        elif name in JOINED:
            if not isinstance(value, list) or not value:
                raise wrong(f"{at}: must be a list of objects, at least one")
            parts.append(joined(name, [_object(v, f"{at}[{n}]", depth + 1) for n, v in enumerate(value)]))
        else:
            parts += _asked(name, value, at)
    return joined("and", parts)


def _asked(name: str, value: Any, place: str) -> list[Predicate]:
    """The comparisons of one member: a bare value is `=`, an object holds operators."""
    if not isinstance(value, dict):
        return [comparison(name, "=", [value], place)]
    if not value:
        raise wrong(f"{place}: names no operator; known: {', '.join(OPERATORS)}")
    found = []
    for op, operand in value.items():
        if op not in OPERATORS:
            raise wrong(f"{place}: unknown operator '{str(op)[:40]}'; known: {', '.join(OPERATORS)}")
        values = operand if op in ("in", "between") else [operand]
        if not isinstance(values, list) or (op == "between" and len(values) != 2):
            raise wrong(f"{place}.{op}: must be a list" + (" of two values" if op == "between" else ""))
        if op == "exists" and not isinstance(operand, bool):
            raise wrong(f"{place}.exists: must be true or false")
        test = comparison(name, op, values, place)
        found.append(Predicate("not", parts=(test,)) if op == "exists" and not operand else test)
    return found


class _Text:
    """Reads the text form, left to right, one token ahead."""

    def __init__(self, text: str) -> None:
        if len(sound(text, "where").encode()) > WHERE_BYTES:
            raise wrong(f"is longer than {WHERE_BYTES:,} bytes")
        self._tokens = [(m.lastgroup or "", m[m.lastgroup or ""], m.start(m.lastgroup or "") + 1) for m in _TOKEN.finditer(text)]
        self._tokens.append(("end", "", len(text.rstrip()) + 1))
        self._at = self._depth = 0

    def predicate(self) -> Predicate:
        """The whole text as one predicate."""
        found = self._any()
        if self._tokens[self._at][0] != "end":
            raise self._expected("and", "or", "the end")
        return found

    def _any(self) -> Predicate:
        parts = [self._all()]
        while self._word("or"):
            parts.append(self._all())
        return joined("or", parts)

    def _all(self) -> Predicate:
        parts = [self._one()]
        while self._word("and"):
            parts.append(self._one())
        return joined("and", parts)

    def _one(self) -> Predicate:
        self._depth += 1
        if self._depth > WHERE_DEPTH:
            raise wrong(f"is nested more than {WHERE_DEPTH} deep")
        if self._word("not"):
            found = Predicate("not", parts=(self._one(),))
        elif self._mark("("):
            found = self._any()
            if not self._mark(")"):
                raise self._expected("and", "or", ")")
        else:
            found = self._comparison()
        self._depth -= 1
        return found

    def _comparison(self) -> Predicate:
        kind, text, position = self._tokens[self._at]
        if kind not in ("word", "text") or (kind == "word" and text.lower() in (*JOINED, "in", "between", "exists", "contains")):
            raise self._expected("a name", "not", "(")
        self._at += 1
        name = _unquoted(text) if kind == "text" else text
        kind, op, _ = self._tokens[self._at]
        op = op.lower()
        if kind not in ("op", "word") or op not in OPERATORS:
            raise self._expected(*OPERATORS, unknown=kind in ("op", "word") and op not in JOINED)
        self._at += 1
        return comparison(name, op, self._values(op), f"at character {position}")

    def _values(self, op: str) -> list[Any]:
        if op == "exists":
            return []
        if op == "between":
            low = self._value()
            if not self._word("and"):
                raise self._expected("and")
            return [low, self._value()]
        if op != "in":
            return [self._value()]
        if not self._mark("("):
            raise self._expected("(")
        values = [self._value()]
        while self._mark(","):
            values.append(self._value())
        if not self._mark(")"):
            raise self._expected(",", ")")
        return values

    def _value(self) -> Any:
        kind, text, _ = self._tokens[self._at]
        if kind not in ("text", "word") or text.lower() in JOINED:
            raise self._expected("a number", "a text", "true", "false")
        self._at += 1
        if kind == "text":
            return _unquoted(text)
        if _NUMBER.fullmatch(text):
            return float(text)
        return {"true": True, "false": False}.get(text.lower(), text)

    def _word(self, word: str) -> bool:
        return self._take("word", word)

    def _mark(self, mark: str) -> bool:
        return self._take("mark", mark)

    def _take(self, kind: str, text: str) -> bool:
        found = self._tokens[self._at]
        taken = found[0] == kind and found[1].lower() == text
        self._at += taken
        return taken

    def _expected(self, *what: str, unknown: bool = False) -> InvalidInput:
        kind, text, position = self._tokens[self._at]
        found = "the text ends" if kind == "end" else f"unknown operator '{text[:40]}'" if unknown else f"'{text[:40]}' stands"
        closed = "; a quote is not closed" if kind == "odd" and text in "\"'" else ""
        return wrong(f"{found} at character {position}{closed}; expected {', '.join(what)}. For example: {_EXAMPLE}")


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.S)
