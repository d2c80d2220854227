"""Commands that carry memories in and out: init, import, export."""

from __future__ import annotations

import json
import os
import sys

import click

from clew.cli import options, render
from clew.cli.care import bar, unused
from clew.cli.group import Group
from clew.cli.whole import whole_file
from clew.errors import InvalidInput, StoreDamaged
from clew.limits import TEXT_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, BinaryIO

LINE_BYTES = 8 * TEXT_BYTES  # JSON may spend six bytes on one of text, and a memory is more than its text


@click.command()
@click.argument("folder", default=".")
@click.option("-n", "--limit", type=int, default=10_000, show_default=True, metavar="N", help="At most this many commits, newest first.")
@options.in_project
@options.spoken
def init(folder: str, project: str | None, limit: int) -> None:
    """Take in a project's git history and documents.

    FOLDER is where you stand, unless you name one. Run again, it takes in what is new and retires what the documents no longer say.

    \b
    clew init
    clew init ../billing --limit 500
    """
    from clew.importers import init as take_in

    whole = options.absolute(folder, "FOLDER")
    with options.opened(project, root=whole, long_lived=True) as clew:
        with bar("taking in") as tell:
            counts = take_in(clew, whole, limit=limit, tell=tell)
        said = ", ".join(f"{count} {_COUNTED[name]}" for name, count in counts.items() if name in _COUNTED and (count or name in _ALWAYS))
        render.reply(clew, counts, f"took in {said}")


_COUNTED = {
    "commits": "commits",
    "documents": "sections of documents",
    "known": "known already",
    "superseded": "superseded",
    "done": "no longer there",
    "refused": "refused",
}
_ALWAYS = ("commits", "documents")


@click.group("import", cls=Group)
def import_() -> None:
    """Take memories in from a file."""


@import_.command("jsonl")
@click.argument("file", default="-")
@options.in_project
@options.spoken
def import_jsonl(file: str, project: str | None) -> None:
    """Take in memories as JSON lines.

    What `clew export jsonl` wrote, or objects with at least a summary. All or none.
    Without FILE, or with -, they are read from standard input. What is known already is counted, not doubled.

    \b
    clew import jsonl team.jsonl -p billing
    echo '{"summary": "Deploys freeze on Fridays", "kind": "decision"}' | clew import jsonl
    """
    with options.opened(project, long_lived=True) as clew, _source(file) as stream:
        counts = clew.import_jsonl(_objects(stream))
        render.reply(clew, counts, f"{counts['new']} new, {counts['known']} known already, {render.counted(counts['links'], 'link')}")


def _source(file: str) -> BinaryIO:
    if file != "-":
        try:
            return open(os.path.expanduser(file), "rb")
        except OSError as error:
            raise InvalidInput("FILE", f"'{file}' cannot be read: {error.strerror}") from error
    if sys.stdin is None or render.terminal(sys.stdin):
        raise InvalidInput("FILE", "is missing; name a file, or pipe the lines in")
    return sys.stdin.buffer


def _objects(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    """The objects of JSON lines; empty lines at the end are none. Raises InvalidInput naming the line."""
    empty = 0
    for number, raw in enumerate(iter(lambda: stream.readline(LINE_BYTES + 1), b""), 1):
        if not raw.strip():
            empty = empty or number
            continue
        if empty:
            raise InvalidInput(f"line {empty}", "is empty; every line holds one object")
        if len(raw) > LINE_BYTES:
            raise InvalidInput(f"line {number}", f"is longer than {LINE_BYTES:,} bytes, more than any memory can be")
        try:
            yield json.loads(raw.removeprefix(b"\xef\xbb\xbf").decode(), parse_constant=options.no_number)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"line {number}", f"is no JSON object in UTF-8 ({str(error)[:80]})") from None


@click.group(cls=Group)
def export() -> None:
    """Write memories out to a file."""


@export.command("jsonl")
@click.argument("file", default="-")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@options.in_project
@options.spoken
def export_jsonl(file: str, project: str | None, force: bool) -> None:
    """Write a project as JSON lines.

    Every memory and link, ended ones too, so that `clew import jsonl` gives them back whole. Of a damaged store what can be read.
    Without FILE, or with -, they go to standard output.

    \b
    clew export jsonl backup.jsonl
    clew export jsonl -p '*' | gzip > everything.jsonl.gz
    """
    with options.opened(project) as clew:
        lines = (render.dumped(shape) + "\n" for shape in clew.export_jsonl())
        if file == "-":
            sys.stdout.writelines(lines)
            return
        target = options.absolute(file, "FILE")
        unused(target, force=force)
        count = _written(target, lines)
        render.reply(clew, {"path": target, "lines": count}, f"wrote {render.counted(count, 'line')} to {render.line(target)}")


def _written(path: str, lines: Iterable[str]) -> int:
    """Write lines to a file, whole or not at all. How many."""
    count = 0
    lost: StoreDamaged | None = None
    with whole_file(path, "FILE") as stream:
        try:
            for text in lines:
                stream.write(text.encode())
                count += 1
        except StoreDamaged as damage:  # said once what could be read is safe
            lost = damage
    if lost is not None:
        raise lost
    return count
