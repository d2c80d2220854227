"""Working contexts: what a task stands at, in seven parts that a program can read back. Pure."""

from __future__ import annotations

import json

from clew.errors import InvalidInput
from clew.rules.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple
else:
    from clew.model import NamedTuple

LISTED = ("active_constraints", "verified_facts", "open_hypotheses", "decisions", "exact_evidence", "pending_actions")
PARTS = ("goal", *LISTED)
TEXT_BYTES = 8 << 10  # of one line of a part
LINES = 500  # of one part
CONTEXT_BYTES = 256 << 10  # of all of it, as JSON


class WorkingContext(NamedTuple):
    """Where a task stands, as it was saved: its seven parts, who saved it when (UTC seconds), and how old that was when asked (seconds)."""

    id: int
    session: str
    origin: str
    at: float
    age: float
    context: Mapping[str, Any]


def checked(given: object) -> tuple[str, tuple[str, ...]]:
    """(the JSON text of a working context with all of its parts, the kinds of secrets taken out). Raises InvalidInput naming the part."""
    if not isinstance(given, dict):
        raise InvalidInput("context", f"must be an object with any of {', '.join(PARTS)}")
    if strange := [str(name)[:60] for name in given if name not in PARTS]:
        raise InvalidInput(f"context.{strange[0]}", f"no such part; the parts are {', '.join(PARTS)}")
    found: list[str] = []
    whole: dict[str, Any] = {"goal": _line(given.get("goal", ""), "goal", found)}
    for name in LISTED:
        lines = given.get(name, [])
        if not isinstance(lines, list | tuple):
            raise InvalidInput(f"context.{name}", "must be a list of texts")
        if len(lines) > LINES:
            raise InvalidInput(f"context.{name}", f"{len(lines)} texts; at most {LINES}")
        whole[name] = [_line(line, f"{name}[{n}]", found) for n, line in enumerate(lines)]
    if not any(whole.values()):
        raise InvalidInput("context", f"is empty; give at least one of {', '.join(PARTS)}")
    text = json.dumps(whole, ensure_ascii=False)
    if (size := len(text.encode())) > CONTEXT_BYTES:
        raise InvalidInput("context", f"{size:,} bytes; at most {CONTEXT_BYTES:,}: put long evidence behind handles")
    return text, tuple(dict.fromkeys(found))


def _line(value: object, name: str, found: list[str]) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"context.{name}", "must be text")
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise InvalidInput(f"context.{name}", "holds half of a surrogate pair, which is no Unicode text") from None
    if size > TEXT_BYTES:
        raise InvalidInput(f"context.{name}", f"{size:,} bytes; at most {TEXT_BYTES:,}: split it, or put it behind a handle")
    if "\0" in value:
        raise InvalidInput(f"context.{name}", "holds a NUL byte")
    safe = redact(value)
    found += safe.found
    return safe.text
