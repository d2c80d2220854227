"""A tool's arguments as a model wrote them, checked against the tool's own schema. What is wrong is said by name, with the way out."""

from __future__ import annotations

from clew.errors import InvalidInput
from clew.mcp.tools import BOUNDS, TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCHEMAS: dict[str, dict[str, Any]] = {tool["name"]: tool["inputSchema"] for tool in TOOLS}
IDS = frozenset(
    ("supersedes", "old", "new", "done", "id", "ids", "about", "src", "dst", "fragment_id", "what")
)  # shown as strings, which all models can write; numbers do
PRINTED = "output"  # what a program printed may be anything; it is made sound where it is kept
MOMENTS = frozenset(("valid_from", "valid_to", "as_of"))

_CALLED = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


def checked(tool: str, arguments: Any) -> dict[str, Any]:
    """The arguments given, null ones left out, moments as UTC seconds. Raises InvalidInput naming the argument."""
    schema = SCHEMAS[tool]
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        raise InvalidInput("arguments", "must be an object of names and values")
    properties = schema["properties"]
    for name in arguments:
        if name not in properties:
            raise InvalidInput(str(name)[:60], f"is no argument of {tool}; it takes {', '.join(properties) or 'none'}")
    given = {name: value for name, value in arguments.items() if value is not None}
    for name in schema.get("required", ()):
        if name not in given and name != "confirm":  # `forget` itself answers for that one, with what would go
            raise InvalidInput(name, f"is missing; {tool} needs it")
    return {name: _value(name, value, properties[name], BOUNDS.get(f"{tool}.{name}")) for name, value in given.items()}


def moment(name: str, text: str) -> float:
    """UTC seconds of an ISO date or time; without a zone it is UTC. Raises InvalidInput naming the argument."""
    from datetime import UTC, datetime

    try:
        when = datetime.fromisoformat(text.strip())
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise InvalidInput(name, f"'{text[:40]}' is no ISO date or time; write 2026-11-30 or 2026-11-30T14:00Z") from None


def _value(name: str, value: Any, schema: dict[str, Any], bounds: tuple[int, int] | None = None) -> Any:
    kind = schema["type"]
    if name in IDS and kind == "string" and _is(value, "integer"):
        return int(value)
    if not _is(value, kind):
        raise InvalidInput(name, f"must be {_CALLED[kind]}, not {_named(value)}")
    if kind == "string" and name != PRINTED and not _is_unicode(value):
        raise InvalidInput(name, "holds half of a surrogate pair, which is no Unicode text")
    if kind == "array":
        return [_value(name, part, schema["items"]) for part in value]
    if "enum" in schema and value not in schema["enum"]:
        raise InvalidInput(name, f"'{value[:40]}' is not one of {', '.join(schema['enum'])}")
    if kind == "integer":
        value = int(value)
        least, most = bounds or BOUNDS[name]
        if not least <= value <= most:
            raise InvalidInput(name, f"{str(value)[:20]} is outside {least}..{most}")
    return moment(name, value) if name in MOMENTS else value


def _is(value: Any, kind: str) -> bool:
    """Whether a JSON value is of the schema's kind; 5.0 is a whole number, true is none."""
    if kind == "boolean" or isinstance(value, bool):
        return kind == "boolean" and isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, {"string": str, "number": int | float, "array": list, "object": dict}[kind])


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _named(value: Any) -> str:
    """What a JSON value is, in words."""
    kinds = ("boolean", "integer", "number", "string", "array", "object")
    return next((_CALLED[kind] for kind in kinds if _is(value, kind)), "nothing")
