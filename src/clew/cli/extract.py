"""The command that finds memories in prose: extract."""

from __future__ import annotations

import os

import click

from clew.cli import options, render
from clew.cli.writing import concern_lines
from clew.errors import InvalidInput
from clew.limits import TEXT_BYTES
from clew.model import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clew.model import Remembered


@click.command()
@click.argument("file", default="-", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("-t", "--tag", "tags", multiple=True, metavar="TAG", help="A word to find them by; repeat for several.")
@options.in_project
@options.spoken
def extract(file: str, project: str | None, tags: tuple[str, ...]) -> None:
    """Find what prose states and remember it, decisions with their reasons.

    Preferences, procedures and facts too.
    FILE is notes, a chat, a document; without it, or with -, the text is read from standard input. Questions, guesses, small talk, code
    and tables are left out. No model is asked unless CLEW_EXTRACTOR names one (docs/extract.md).

    \b
    clew extract meeting.md -t ledger
    pbpaste | clew extract
    """
    text, source = _read(file)
    with options.opened(project) as clew:
        kept = clew.remember_extracted(text, tags=tags, source=source)
        lines = [line for one in kept for line in (_line(one), *concern_lines(one))]
        render.reply(clew, {"remembered": kept}, *(lines or ["nothing in this text is worth remembering by itself"]))


def _line(kept: Remembered) -> str:
    known = "" if kept.created else " (known already)"
    return f"{render.paint(f'#{kept.memory.id}', bold=True)} {kept.memory.kind}: {render.line(kept.memory.summary)}{known}"


def _read(file: str) -> tuple[str, Source]:
    """The text and where it came from. Raises InvalidInput when it is too long or no UTF-8."""
    if file == "-":
        return options.standard_input("text", "name a file, or pipe the prose in: clew extract < notes.md"), Source()
    with open(file, "rb") as opened:
        raw = opened.read(TEXT_BYTES + 1)
    if len(raw) > TEXT_BYTES:
        raise InvalidInput("file", f"is longer than the {TEXT_BYTES:,} bytes that are read at once; cut it up")
    try:
        return raw.decode("utf-8-sig"), Source(file=os.path.basename(file))
    except UnicodeDecodeError as error:
        raise InvalidInput("file", f"is not UTF-8 (byte {error.start + 1}); convert it first, for instance with iconv -t utf-8") from None
