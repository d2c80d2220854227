"""Reads traces of coding agents: one JSON object a line, in the order of each session.

{s session, i index, t seconds, k kind (f file, g search, b command, user, compact, other), id, tok size, op tool, err, d folder, x
extension, part}. Names are hashes. A result without an id (`other`) is met once and never asked for again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from clew.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("f", "g", "b", "user", "compact", "other")


class Reference(NamedTuple):
    """One line. `size` is the most tokens that this id brought so far in its session: a file read whole and then in part is held whole."""

    session: int
    at: float
    kind: str
    id: str = ""
    size: int = 0
    tool: str = ""
    folder: str = ""
    extension: str = ""

    @property
    def result(self) -> bool:
        """Whether it brought something into the window."""
        return self.kind in ("f", "g", "b", "other")


def sessions(path: Path) -> list[list[Reference]]:
    """The sessions of a trace by their start. Raises InvalidInput for the first line that is not as documented, naming it."""
    found: dict[int, list[Reference]] = {}
    largest: dict[tuple[int, str], int] = {}
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            reference = _reference(line, number)
            size = largest[reference[0], reference.id] = max(reference.size, largest.get((reference[0], reference.id), 0))
            found.setdefault(reference.session, []).append(reference._replace(size=size))
    return sorted(found.values(), key=lambda session: (session[0].at, session[0].session))


def _reference(line: str, number: int) -> Reference:
    try:
        row: dict[str, Any] = json.loads(line)
        session, at, kind = int(row["s"]), float(row["t"]), str(row["k"])
        size = int(row.get("tok", 0))
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(f"line {number}", f"is not a reference as benchmarks/traces.py documents it ({error!r})") from None
    if kind not in KINDS:
        raise InvalidInput(f"line {number}", f"kind '{kind}' is none of {', '.join(KINDS)}")
    if size < 0:
        raise InvalidInput(f"line {number}", f"a size is 0 tokens or more, not {size}")
    name = str(row.get("id") or (f"{kind} {number}" if kind == "other" else ""))
    if kind in ("f", "g", "b") and not name:
        raise InvalidInput(f"line {number}", f"a reference of kind '{kind}' needs an id")
    return Reference(session, at, kind, name, size, str(row.get("op", "")), str(row.get("d", "")), str(row.get("x", "")))
