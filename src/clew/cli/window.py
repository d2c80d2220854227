"""Commands about what belongs in the window now: working-set, restore, strength and sweep."""

from __future__ import annotations

import sys

import click

from clew.cli import options, render
from clew.errors import NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any


SIGNALS = ("relevance", "recency", "frequency", "structure", "cognitive")
WHAT_CHARS = 80
HEIGHT = 8  # rows of a drawn curve
MARGIN = 7  # columns before it
BLOCKS = " ▁▂▃▄▅▆▇█"  # eighths of a row


def rows(found: Mapping[str, Any] | None) -> Iterator[tuple[str, object]]:
    """(name, value) of a window as `status` shows it; nothing for none."""
    if found is None:
        return
    yield "session", found["session"]
    share = found["used"] / found["budget"]
    yield "window", f"{found['used']:,} of {found['budget']:,} tokens ({share:.0%})"
    yield "resident", ", ".join(f"{count} {kind}" for kind, count in sorted(found["residents"].items())) or "nothing"
    yield "set aside", found["stubs"]
    yield "evict_below", f"{found['evict_below']:.2f}"
    yield "fill_mark", f"{found['fill_mark']:.2f}"
    yield "evictions", found["evictions"]
    yield "misses", found["misses"]
    for place, one in enumerate(found["next"]):
        why = ", ".join(f"{name} {one[name]:.2f}" for name in SIGNALS)
        yield "" if place else "leaves next", f"{one['handle']} {one['score']:.3f} ({why}) {one['what'][:WHAT_CHARS]}".rstrip()


@click.command("working-set")
@click.option("--session", metavar="NAME", help="This session; default: the one that was active last.")
@options.in_project
@options.spoken
def working_set(project: str | None, session: str | None) -> None:
    """What a session holds in its window, and what leaves it next.

    Each of the next to leave is shown with its score and the five signals it is made of (docs/working-set.md).

    \b
    clew working-set
    clew working-set --session 0b5f1a9c
    """
    with options.opened(project) as clew:
        found = clew.working_set(session=session)
        if found is None and session is not None:
            raise NotFound(f"no session '{render.line(session)[:60]}' has a window here; `clew working-set` shows the last one that has")
        if found is not None and not render.machine():
            render.table(("", ""), list(rows(found)))
        render.reply(clew, {"working_set": found}, *([] if found else ["no session has a window here yet"]))


@click.command()
@click.argument("what", nargs=-1, required=True, metavar="WHAT")
@click.option("--session", metavar="NAME", help="The session that asks for it; default: the one that was active last.")
@options.in_project
@options.spoken
def restore(project: str | None, what: tuple[str, ...], session: str | None) -> None:
    """Bring back what left a window, or was seen in any session.

    WHAT is a handle that a pack named, a file, a command or query as it was run, or m:12 for a memory. A file comes as it is now, and
    standard error says whether it changed since it was read.

    \b
    clew restore w:3f9a0c1d
    clew restore src/cart.py
    clew restore "pytest -q"
    """
    with options.opened(project) as clew:
        found = clew.restore(" ".join(what), session=session)
        if not render.machine():
            changed = ", changed since it was read" if found.changed else ""
            part = "" if found.whole else ", not the whole of it is kept"
            render.remark(f"{found.handle}: {found.kind} {render.line(found.target)}{changed}{part}")
        text = render.safe(found.text) if render.terminal(sys.stdout) else found.text
        render.reply(clew, {"restored": found}, text.removesuffix("\n"))


@click.command()
@click.argument("ref", metavar="ID")
@options.spoken
def strength(ref: str) -> None:
    """Draw how well a memory is retained over time.

    From its last use until it would rest, or until now where that is later. A pipe gets a line a point: UTC seconds, a tab, 0 to 1.

    \b
    clew strength 12
    """
    with options.opened() as clew:
        found = clew.strength(ref)
        lines: Sequence[str] = ()
        if render.terminal(sys.stdout):
            lines = [*_heading(found, clew.now()), *_drawn(found, clew.now())]
        elif not render.machine():
            lines = [f"{moment:.0f}\t{value:.4f}" for moment, value in found.points]
        render.reply(clew, {"strength": found}, *lines)


def _heading(found: Any, now: float) -> list[str]:
    memory = found.memory
    rests = found.rests_at
    if rests is None:
        until = "never fades"
    else:
        until = "rests since " + render.moment(rests) if rests <= now else "rests from " + render.moment(rests) + " on, unless it is used"
    used = f"used {memory.strength.uses}×, last {render.moment(memory.strength.last_use)}"
    return [render.line(f"#{memory.id} {memory.summary}"), f"retained {render.paint(f'{found.now:.2f}', bold=True)}; {used}; {until}", ""]


def _drawn(found: Any, now: float) -> list[str]:
    """The curve in HEIGHT rows of blocks, and below it where it begins, where now is, and where it ends."""
    from shutil import get_terminal_size

    width = max(10, min(len(found.points), get_terminal_size().columns - MARGIN - 1))
    picked = [found.points[n * (len(found.points) - 1) // (width - 1)] for n in range(width)]
    here = max((n for n, (moment, _) in enumerate(picked) if moment <= now), default=0)
    lines = []
    for row in reversed(range(HEIGHT)):
        cells = [BLOCKS[max(0, min(8, round((value * HEIGHT - row) * 8)))] for _, value in picked]
        drawn = [render.paint("".join(part), fg=colour) for part, colour in _parts(cells, here)]
        lines.append(f"{(row + 1) / HEIGHT:5.2f} ┤" + "".join(drawn))
    begin, end = (render.moment(picked[at][0]) for at in (0, -1))
    lines.append(" " * MARGIN + " " * here + render.paint("▲ now", fg="yellow"))
    lines.append(" " * MARGIN + begin + end.rjust(max(width - len(begin), len(end) + 1)))
    return lines


def _parts(cells: list[str], here: int) -> tuple[tuple[list[str], str], ...]:
    """What has been, now, and what is to come, each with its colour."""
    return (cells[:here], "cyan"), (cells[here : here + 1], "yellow"), (cells[here + 1 :], "blue")


@click.command()
@options.spoken
def sweep() -> None:
    """Let memories rest that are hardly retained.

    A memory that rests is put before nobody unasked. It is never deleted: recall finds it, and one use brings it back. What was given a
    time to live that ran out is erased.
    """
    with options.opened() as clew:
        found = clew.sweep()
        rests, gone = found["resting"], found["expired"]
        render.reply(clew, found, f"{render.counted(rests, 'memory', 'memories')} came to rest, {gone:,} expired and erased")
