"""Commands that connect memories: link, unlink, entity."""

from __future__ import annotations

import click

from clew.cli import options, render
from clew.limits import RECALL_LIMIT
from clew.model import age

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clew.model import Memory


@click.command()
@click.argument("src", metavar="A")
@click.argument("relation", metavar="RELATION")
@click.argument("dst", metavar="B")
@options.spoken
def link(src: str, relation: str, dst: str) -> None:
    """Let a link lead from memory A to memory B.

    RELATION says how they hang together: because, decided_in, supersedes, contradicts, depends_on, fixes, duplicates, or any other
    lower-case word. To retire a memory for another, use `clew supersede`.

    \b
    clew link 12 because 7
    clew link 12 reverts 03449a
    """
    with options.opened() as clew:
        a, b = clew.show(src).id, clew.show(dst).id
        made = clew.link(a, relation, b)
        render.reply(
            clew, {"linked": made, "src": a, "relation": relation, "dst": b}, f"#{a} {relation} #{b}" + ("" if made else ", as before")
        )


@click.command()
@click.argument("src", metavar="A")
@click.argument("relation", metavar="RELATION")
@click.argument("dst", metavar="B")
@options.spoken
def unlink(src: str, relation: str, dst: str) -> None:
    """Take the link from memory A to memory B away.

    One that the wording of a memory states stays away too, until you link the two yourself.

    \b
    clew unlink 12 because 7
    """
    with options.opened() as clew:
        a, b = clew.show(src).id, clew.show(dst).id
        gone = clew.unlink(a, relation, b)
        said = f"#{a} {relation} #{b} is no more" if gone else f"there was no such link from #{a} to #{b}"
        render.reply(clew, {"unlinked": gone, "src": a, "relation": relation, "dst": b}, said)


@click.command()
@click.argument("name", nargs=-1, required=True, metavar="NAME")
@click.option(
    "-n", "--limit", type=int, default=20, show_default=True, metavar="N", help=f"At most this many memories, up to {RECALL_LIMIT:,}."
)
@options.in_project
@options.spoken
def entity(project: str | None, name: tuple[str, ...], limit: int) -> None:
    """The memories that name a file, symbol, ticket, person and the like.

    Also a commit, a package, an error code, a URL or a title.

    \b
    clew entity src/clew/store/sqlite.py
    clew entity "#12"
    clew entity UserProfileService
    """
    with options.opened(project) as clew:
        found = clew.entity(" ".join(name), limit=limit)
        if not render.machine():
            for thing in found.entities:
                render.remark(render.line(f"{thing.kind} {thing.name}"))
            render.table(("", "kind", "age", "memory"), [_row(memory, clew.now()) for memory in found.memories])
            if found.left_out:
                render.remark(f"{render.counted(found.left_out, 'more memory', 'more memories')}; -n shows them")
        render.reply(clew, {"entities": found.entities, "memories": found.memories, "left_out": found.left_out})


def _row(memory: Memory, now: float) -> tuple[str, ...]:
    mark = "" if memory.status == "active" else f" ({memory.status})"
    return f"#{memory.id}", memory.kind, age(memory.recorded_at, now), memory.summary + mark
