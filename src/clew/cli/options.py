"""What commands are given: moments, spans, metadata, pointers, text from standard input, and the options that several share."""

from __future__ import annotations

import gc
import json
import os
import re
import sys

import click

from clew.cli import render
from clew.errors import InvalidInput
from clew.limits import TEXT_BYTES
from clew.model import KINDS, Pointer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NamedTuple, NoReturn, TypeVar

    from clew.model import Scalar
    from clew.service import Clew

    Command = TypeVar("Command", bound=Callable[..., Any])
else:
    from clew.model import NamedTuple

_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_SPAN = r"(\d{1,9}(?:\.\d{1,6})?)\s*([smhdw])"
_RELATIVE = r"(\+?)\s*(\d{1,9}(?:\.\d{1,6})?\s*[smhdw])(?:\s+ago)?"
_POINTER = r"(?P<path>[^#:][^#]*?)(?::(?P<line>\d{1,99}))?(?:#(?P<symbol>.+))?"
NONE = "none"
_KEPT = "keep the file and point at it with --pointer"
_LONG = {"text": _KEPT, "--detail": _KEPT}  # the way out for a text that is too long, by field


class Moment(NamedTuple):
    """A point in time as typed: UTC seconds, or seconds from now."""

    seconds: float
    relative: bool = False

    def at(self, now: float) -> float:
        """UTC seconds."""
        return now + self.seconds if self.relative else self.seconds


def when(value: str) -> Moment:
    """`2026-11-30`, `2026-11-30T14:00` (local time unless a zone is given), `3d` or `3d ago`, `+2w` from now. A day is its first moment."""
    relative = re.fullmatch(_RELATIVE, value.strip())
    if relative:
        return Moment(span(relative[2]) * (1 if relative[1] else -1), True)
    from datetime import datetime

    try:
        return Moment(datetime.fromisoformat(value.strip()).timestamp())
    except (ValueError, OverflowError, OSError):
        raise _no(value, "is no moment; write 2026-11-30, 2026-11-30T14:00, 3d (three days ago) or +2w (from now)") from None


def span(value: str) -> float:
    """`90s`, `15m`, `2h`, `7d`, `4w`: a stretch of time in seconds."""
    found = re.fullmatch(_SPAN, value.strip())
    if found is None:
        raise _no(value, "is no span of time; write 90s, 15m, 2h, 7d or 4w")
    return float(found[1]) * _UNITS[found[2]]


def or_none(kind: Callable[[str], Any]) -> Callable[[str], Any]:
    """What `kind` makes of a value; the word `none`, which takes away what is there, stays that word."""
    return lambda value: NONE if value.strip().lower() == NONE else kind(value)


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """An option type: a whole number from `least` to `most` or, without `most`, from `least` on."""

    def number(value: str) -> int:
        found = int(value) if re.fullmatch(r"-?\d{1,18}", str(value)) else None
        if found is None or found < least or (most is not None and found > most):
            raise click.BadParameter(f"must be a whole number from {least} {f'to {most:,}' if most else 'on'}, not {value!r}")
        return found

    return number


def meta(value: str) -> tuple[str, Scalar]:
    """`key=value`: numbers, true and false by what they look like, anything else text; `key='"12"'` is text whatever it looks like."""
    key, mark, text = value.partition("=")
    if not mark or not key.strip():
        raise _no(value, "is not of the form key=value")
    return key.strip(), _scalar(text)


def pointer(value: str) -> Pointer:
    """`path`, `path:line`, `path#symbol` or `path:line#symbol`: a place in the code."""
    found = re.fullmatch(_POINTER, value.strip())
    if found is None:
        raise _no(value, "is no place in the code; write src/app.py, src/app.py:12 or src/app.py#main")
    return Pointer(found["path"], found["symbol"], int(found["line"]) if found["line"] else None)


def linked(value: str) -> tuple[str, str]:
    """`relation:ID`: a link to an earlier memory."""
    relation, mark, ref = value.strip().partition(":")
    if not (relation.strip() and mark and ref.strip()):
        raise _no(value, "is no link; write relation:ID, such as depends_on:12")
    return relation.strip(), ref.strip()


def _no(value: str, why: str) -> click.BadParameter:
    return click.BadParameter(f"'{render.line(value)[:60]}' {why}")


def _scalar(text: str) -> Scalar:
    """`text` as the JSON string, number or bool it spells, else itself. NaN and the infinities are words."""
    if text[:1] in ("[", "{"):
        return text
    try:
        value = json.loads(text, parse_constant=no_number)
    except ValueError:
        return text
    return text if value is None else value


def no_number(word: str) -> NoReturn:
    """For `json.loads`: NaN and the infinities are no JSON. Raises ValueError."""
    raise ValueError(f"{word} is no number")


def resolved(clew: Clew, **moments: Moment | None) -> dict[str, Any]:
    """Moments by name as UTC seconds, by the clock of `clew`."""
    now = clew.now()
    return {name: moment and moment.at(now) for name, moment in moments.items()}


def text_given(words: Sequence[str], field: str, what: str, example: str) -> str:
    """The words joined, or, for none or a single `-`, all of standard input. Raises InvalidInput where neither holds anything."""
    if words and not piped(words):
        return " ".join(words)
    if not words and render.terminal(sys.stdin):
        raise InvalidInput(field, f"is missing; give {what} as words, or pipe it in: {example}")
    return standard_input(field, f"give {what} as words, or pipe it in: {example}")


def piped(words: Sequence[str]) -> bool:
    """Whether these words say that the text comes from standard input: there are none, or a single `-`."""
    return tuple(words) in ((), ("-",))


def detail_given(value: str | None, summary: Sequence[str] = ("said",)) -> str | None:
    """`-d` as it is, `-` as all of standard input. Raises InvalidInput for `-` when nothing comes, or the summary takes it."""
    if value != "-":
        return value
    if piped(summary):
        raise InvalidInput(
            "--detail", "cannot be read from standard input together with the text; piped alone, the text brings its own detail"
        )
    return standard_input("--detail", "pipe the detail in, or leave --detail out")


def standard_input(field: str, otherwise: str) -> str:
    """All of standard input as text, no more of it read than a memory may hold.

    Raises InvalidInput naming `field` when it is too long, not UTF-8, or empty: then `otherwise` says what to do.
    """
    raw = sys.stdin.buffer.read(TEXT_BYTES + 1) if sys.stdin is not None else b""
    if len(raw) > TEXT_BYTES:
        raise InvalidInput(
            field, f"standard input is longer than the {TEXT_BYTES:,} bytes one memory holds; {_LONG.get(field, 'cut it down')}"
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            field, f"standard input is not UTF-8 (byte {error.start + 1}); convert it first, for instance with iconv -t utf-8"
        ) from None
    if not text.strip():
        raise InvalidInput(field, f"standard input is empty; {otherwise}")
    return text


def absolute(path: str, field: str) -> str:
    """`path` from the root, `~` being home. Raises InvalidInput where it starts at a working directory that was deleted."""
    try:
        return os.path.abspath(os.path.expanduser(path))
    except FileNotFoundError:
        raise InvalidInput(field, f"'{path}' starts where you stand, and that folder is gone; cd elsewhere, or give a full path") from None


def opened(project: str | None = None, *, root: str | None = None, long_lived: bool = False) -> Clew:
    """The Clew of one command. `long_lived` is for bulk work only, since numpy takes longer to load than a recall takes."""
    from clew.service import Clew  # not for --help and completion

    if long_lived:
        gc.enable()  # it may let go of more than the process should hold (clew.__main__)
    return Clew(project=project, root=root, origin="cli", long_lived=long_lived)


def _keep_json(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.meta[render.JSON] = value


def _drop_colour(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        os.environ["NO_COLOR"] = "1"  # the one place that rich, click and we look at


def spoken(command: Command) -> Command:
    """The options of every command: --json and --no-color."""
    command = click.option("--no-color", is_flag=True, expose_value=False, is_eager=True, callback=_drop_colour, help="No colour.")(command)
    shape = "Answer in JSON (docs/json.md)."
    return click.option("--json", is_flag=True, expose_value=False, is_eager=True, callback=_keep_json, help=shape)(command)


def in_project(command: Command) -> Command:
    """`-p/--project`, for commands that write or ask somewhere."""
    what = "A project by name or folder, @user for your own, * for all when reading; default: where you stand."
    return click.option("-p", "--project", metavar="NAME", help=what)(command)


def by_kind(command: Command) -> Command:
    """`-k/--kind` and `-t/--tag` as filters."""
    command = click.option("-t", "--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag; repeat for several.")(command)
    return click.option("-k", "--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only this kind; repeat for several.")(
        command
    )


def on_condition(command: Command) -> Command:
    """`-w/--where`: a condition on metadata and fields."""
    what = "Only where this holds of metadata and fields: 'year>=2019 and team=\"infra\"' (docs/where.md)."
    return click.option("-w", "--where", metavar="TEXT", help=what)(command)


def between(command: Command) -> Command:
    """`--since` and `--until`, by when a memory became true, else was written."""
    command = click.option("--until", type=when, metavar="WHEN", help="Only up to then.")(command)
    return click.option("--since", type=when, metavar="WHEN", help="Only from then on: 2026-11-30, 2026-11-30T14:00, or 3d ago.")(command)
