"""The group `clew project`: list, show, move, merge, rename."""

from __future__ import annotations

import click

from clew.cli import options, render
from clew.cli.group import Group
from clew.errors import NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clew.model import Project
    from clew.service import Clew


@click.group(cls=Group)
def project() -> None:
    """The projects of the store, and what belongs to which."""


@project.command("list")
@options.spoken
def list_() -> None:
    """Every project of the store.

    How much it holds and where it was last seen; * marks where you stand.
    """
    with options.opened() as clew:
        known, here = clew.projects(), _here(clew)
        if not render.machine():
            rows = [("*" if p.id == here else "", p.name, p.memories, p.path) for p in known]
            render.table(("", "project", "memories", "last seen at"), rows)
        render.reply(clew, {"projects": known, "here": here})


def _here(clew: Clew) -> int | None:
    """The id of the project one stands in; None where nothing was remembered yet."""
    try:
        return clew.project().id or None
    except NotFound:
        return None


@project.command()
@click.argument("name", required=False)
@options.spoken
def show(name: str | None) -> None:
    """One project, by default the one you stand in.

    \b
    clew project show
    clew project show billing
    """
    with options.opened() as clew:
        found = clew.project(name)
        render.reply(clew, {"project": found}, *_lines(found))


def _lines(found: Project) -> list[str]:
    known = render.counted(found.memories, "memory", "memories") if found.id else "nothing remembered yet"
    return [render.paint(render.line(found.name), bold=True), f"    {known}", *([f"    {render.line(found.path)}"] if found.path else [])]


@project.command()
@click.argument("refs", metavar="ID...", nargs=-1, required=True)
@click.option("--into", required=True, metavar="NAME", help="The project they belong to; made when there is none of that name.")
@options.spoken
def move(refs: tuple[str, ...], into: str) -> None:
    """Move single memories into another project.

    \b
    clew project move 12 13 --into billing
    clew project move 14 --into @user
    """
    with options.opened() as clew:
        count = clew.project_move(refs, into=into)
        _moved(clew, count, into)


@project.command()
@click.argument("name")
@click.option("--into", required=True, metavar="NAME", help="The project that stays; the folders of both are its own from then on.")
@options.spoken
def merge(name: str, into: str) -> None:
    """Fold a whole project into another.

    \b
    clew project merge billing-old --into billing
    """
    with options.opened() as clew:
        _moved(clew, clew.project_merge(name, into=into), into)


def _moved(clew: Clew, count: int, into: str) -> None:
    target = clew.project(into)
    render.reply(
        clew, {"moved": count, "into": target}, f"moved {render.counted(count, 'memory', 'memories')} into {render.line(target.name)}"
    )


@project.command()
@click.argument("name")
@click.argument("to")
@options.spoken
def rename(name: str, to: str) -> None:
    """Give a project another label.

    Which folder or repository it is stays as it was.

    \b
    clew project rename billing~2 billing-api
    """
    with options.opened() as clew:
        found = clew.project_rename(name, to)
        render.reply(clew, {"project": found}, f"renamed to {render.line(found.name)}")
