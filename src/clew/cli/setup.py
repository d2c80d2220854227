"""The commands `clew setup` and `clew uninstall`: clew in the settings of an agent program, and out of them."""

from __future__ import annotations

import os
import sys

import click

from clew.cli import options, render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from clew.clients.install import Change, Place


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument and the options of both commands."""
    for name, text in (
        ("--dry-run", "Show what would change, as a diff, and write nothing."),
        ("--no-hooks", "Leave the hooks as they are."),
        ("--no-mcp", "Leave the MCP server as it is."),
        ("--no-skills", "Leave the skills as they are."),
        ("--project", "Only for the project you stand in, and only for you; without it, for all your projects."),
    ):
        command = click.option(name, is_flag=True, help=text)(command)
    return click.argument("client", metavar="CLIENT")(command)


@click.command("setup")
@_shared
@options.spoken
def setup(client: str, project: bool, dry_run: bool, **left_out: bool) -> None:
    """Write clew into the settings of a client: claude, codex or cline.

    Only what is missing is added; a second run changes nothing. Each file that changes is first copied beside itself, to FILE.clew-1.bak.

    \b
    clew setup claude
    clew setup claude --dry-run
    clew setup codex
    """
    from clew.clients import install  # here and below: for these two commands alone
    from clew.clients.command import program

    known = install.named(client)
    words = program(sys.argv[0])
    changes = install.install(known, words, _place(project), dry_run=dry_run, **_wanted(left_out))
    _tell(known.title, changes, dry_run, f"start {known.title} anew to use it")


@click.command("uninstall")
@_shared
@options.spoken
def uninstall(client: str, project: bool, dry_run: bool, **left_out: bool) -> None:
    """Take clew out of the settings of a client. What clew remembers stays, and so does everything that others wrote there.

    \b
    clew uninstall claude
    clew uninstall claude --dry-run
    """
    from clew.clients import install

    known = install.named(client)
    changes = install.uninstall(known, _place(project), dry_run=dry_run, **_wanted(left_out))
    _tell(known.title, changes, dry_run, f"start {known.title} anew to be without it")


def _wanted(left_out: dict[str, bool]) -> dict[str, bool]:
    return {"hooks": not left_out["no_hooks"], "server": not left_out["no_mcp"], "skills": not left_out["no_skills"]}


def _place(project: bool) -> Place:
    from clew.clients.install import Place

    home = os.path.expanduser("~")
    return Place(home, os.environ, _root(os.getcwd(), home) if project else "")


def _root(folder: str, home: str) -> str:
    """The repository around `folder`, as the client sees it; `folder` itself where there is none below the home."""
    here = folder
    while here not in (home, os.path.dirname(here)):
        if os.path.exists(os.path.join(here, ".git")):
            return here
        here = os.path.dirname(here)
    return folder


def _tell(title: str, changes: Sequence[Change], dry_run: bool, way_on: str) -> None:
    lines = [line for change in changes for line in (_diff(change) if dry_run else _lines(change))]
    changed = any(change.before != change.after for change in changes)
    if not changed:
        lines.append(f"nothing to change for {title}")
    elif not dry_run:
        lines.append(way_on)
    shape = {"client": title, "dry_run": dry_run, "changed": changed, "files": [_shape(change) for change in changes]}
    render.reply(None, shape, *map(render.safe, lines))


def _shape(change: Change) -> dict[str, Any]:
    """One file for --json: what is ours in it by name, not the file's text, which may hold keys and tokens."""
    kept = ("path", "added", "updated", "removed", "backup")
    return {"changed": change.before != change.after, **{name: getattr(change, name) for name in kept}}


def _lines(change: Change) -> Iterator[str]:
    if change.before == change.after:
        return
    state = "made" if change.before is None else "removed, for it held nothing else" if change.after is None else "changed"
    yield f"{change.path}: {state}" + (f" (before: {change.backup})" if change.backup else "")
    for mark, names in (("+", change.added), ("~", change.updated), ("-", change.removed)):
        yield from (f"  {mark} {name}" for name in names)


def _diff(change: Change) -> Iterator[str]:
    """A unified diff with one line around each change: settings may hold secrets, and whoever looks over the shoulder need not see them."""
    from difflib import unified_diff

    if change.before != change.after:
        old, new = ((text or "").splitlines() for text in (change.before, change.after))
        yield from unified_diff(old, new, change.path, change.path, lineterm="", n=1)
