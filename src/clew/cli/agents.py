"""Commands for what reaches an agent by itself: context prints it, resume says where the work stands."""

from __future__ import annotations

import click

from clew.cli import options, render
from clew.limits import OPENING_CHARS
from clew.model import age

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clew.model import Memory


@click.command()
@click.option("--budget", type=int, default=OPENING_CHARS, show_default=True, metavar="CHARS", help="At most this many characters.")
@options.in_project
@options.spoken
def context(project: str | None, budget: int) -> None:
    """The pack that an agent is given when a session opens.

    \b
    clew context
    clew context --budget 1000 --json
    """
    with options.opened(project) as clew:
        pack = clew.context(budget=budget)
        render.reply(clew, {"text": pack.text, "ids": pack.ids, "left_out": pack.left_out}, pack.text or "nothing to say yet")


@click.command()
@click.argument("text", nargs=-1)
@click.option("--done", "ended", metavar="ID", help="This pointer is done.")
@options.in_project
@options.spoken
def resume(project: str | None, text: tuple[str, ...], ended: str | None) -> None:
    """Say where to go on; without TEXT, the open pointers, newest first.

    They lead the pack that the next session opens with, whichever agent it is.

    \b
    clew resume "next: the fare difference in step three"
    clew resume
    clew resume --done 41
    """
    said = options.text_given(text, "text", "where to go on", "echo 'next: the tests' | clew resume -") if text else None
    with options.opened(project) as clew:
        if ended is not None:
            clew.resume_done(ended)
        pointers = clew.resume(said)
        now = clew.now()
        render.reply(clew, {"pointers": pointers}, *[_pointer(memory, now) for memory in pointers] or ["nothing is open"])


def _pointer(memory: Memory, now: float) -> str:
    return f"#{memory.id}  {render.line(memory.summary)}  ({age(memory.recorded_at, now)}, {render.line(memory.origin)})"
