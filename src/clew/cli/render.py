"""What people and programs see: text cleaned of terminal tricks, colour and tables on a terminal, plain lines or JSON when piped."""

from __future__ import annotations

import json
import os
import re
import sys
import time

import click

from clew.model import as_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TextIO

    from clew.service import Clew

JSON = "clew.json"  # in the click context: the caller asked for JSON
# Controls but tab and line feed, the marks that reorder what follows, and halves of surrogate pairs: none may reach a terminal. Python
# calls none of them printable, which is found out sooner than this class is compiled.
_UNSAFE = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"


def safe(text: object) -> str:
    """`text` for a terminal: tabs and line breaks stay, everything that could move the cursor or reorder the line becomes `�`."""
    said = str(text).replace("\r\n", "\n")
    return said if said.isprintable() else re.sub(_UNSAFE, "�", said)


def line(text: object) -> str:
    """`text` as one safe line."""
    return " ".join(safe(text).split("\n")).replace("\t", " ")


def terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at `stream`."""
    return stream is not None and not stream.closed and stream.isatty()


def colourful(stream: TextIO | None) -> bool:
    """Whether `stream` takes colour: a terminal that is not dumb, unless NO_COLOR (any value) or --no-color says otherwise."""
    return terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, **style: Any) -> str:
    """`text` in colour where standard output takes it: click's `fg`, `bold`, `dim`."""
    return click.style(text, **style) if colourful(sys.stdout) else text


def reply(clew: Clew | None, shape: Mapping[str, Any], *lines: str) -> None:
    """The answer of a command: with --json its documented shape and `notes`; else its lines, the notes on standard error.

    Notes are what is not as it should be, from the shape itself and from `clew`.
    """
    notes = list(dict.fromkeys((*shape.get("notes", ()), *(clew.notes() if clew else ()))))
    if click.get_current_context().meta.get(JSON):
        say(dumped({**as_json(dict(shape)), "notes": notes}))
        return
    for text in lines:
        say(text)
    for text in notes:
        remark(f"note: {line(text)}")


def dumped(value: Any) -> str:
    """One line of JSON that is safe to print: what no terminal should be sent, and what it could not show, is escaped."""
    wide = not (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")
    text = json.dumps(value, ensure_ascii=wide)
    return text if text.isprintable() else re.sub(_UNSAFE, lambda found: f"\\u{ord(found[0]):04x}", text)


def machine() -> bool:
    """Whether this command answers in JSON."""
    return bool(click.get_current_context().meta.get(JSON))


def say(text: str) -> None:
    """One line, or several, to standard output."""
    click.echo(text)


def remark(text: str) -> None:
    """One dim line to standard error."""
    click.echo(click.style(text, dim=True) if colourful(sys.stderr) else text, err=True)


def failed(kind: str, field: str, message: str, *, machine: bool) -> None:
    """What went wrong, on standard error: one red line, or {"error": {"type", "field", "message"}} for a program."""
    if machine:
        click.echo(dumped({"error": {"type": kind, "field": field or None, "message": message}}), err=True)
        return
    text = f"clew: {line(message)}"
    click.echo(click.style(text, fg="red") if colourful(sys.stderr) else text, err=True)


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table on a terminal; when piped, one line a row with tabs between, no heading, for `cut` and `awk`.

    The last column takes the space that is left. Cells are made safe here.
    """
    if not terminal(sys.stdout):
        for row in rows:
            say("\t".join(line(cell) for cell in row))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", show_header=any(columns))
    for place, column in enumerate(columns[:-1]):
        drawn.add_column(column, no_wrap=True, style="" if place else "cyan")
    drawn.add_column(columns[-1], overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(line(cell)) for cell in row))
    Console(color_system="auto" if colourful(sys.stdout) else None).print(drawn)


def counted(count: int, one: str, several: str | None = None) -> str:
    """`1 link`, `3 links`; `several` is the plural where it is not `one` with an s."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def moment(when: float) -> str:
    """A UTC time in the zone of whoever reads, to the minute; seconds where no calendar reaches."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(when))
    except (OverflowError, ValueError, OSError):
        return f"{when:.0f} s"
