"""Commands that look after the store: reindex, status, doctor, backup, completion."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

import click

from clew import __version__
from clew.cli import options, render, window
from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

SHELLS = ("bash", "zsh", "fish")


@click.command()
@options.spoken
def reindex() -> None:
    """Rebuild the search index.

    It is made anew from the text that is kept. Interrupted, the next run goes on where this one stopped.
    """
    with options.opened(long_lived=True) as clew, bar("indexing") as tell:
        made = clew.reindex(tell)
    with options.opened() as clew:
        render.reply(clew, {"indexed": made}, f"indexed {render.counted(made, 'memory', 'memories')}")


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function `tell(done, last)` that moves a progress bar on standard error, where a terminal is; else one that does nothing."""
    if render.machine() or not render.terminal(sys.stderr):
        yield lambda done, last: None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True, color_system="auto" if render.colourful(sys.stderr) else None)
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, last: progress.update(task, completed=done, total=last)


@click.command()
@options.in_project
@options.spoken
def status(project: str | None) -> None:
    """The store, your project, its last session's window, and what is amiss."""
    with options.opened(project) as clew:
        found = clew.status()
        if not render.machine():
            render.table(("", ""), list(_status_rows(found)))
        render.reply(clew, {"version": __version__, **found})


def _status_rows(found: dict[str, Any]) -> Iterator[tuple[str, object]]:
    store, project = found["store"], found["project"]
    yield "clew", __version__
    yield "store", store["path"] + ("" if store["writable"] else " (cannot be written)")
    yield "size", kibibytes(store["bytes"])
    yield "project", f"{project.name} ({render.counted(project.memories, 'memory', 'memories')})"
    yield "embedder", found["embedder"]
    for name in ("memories", "projects", "links", "vectors", "schema", "sqlite"):
        yield name, store[name]
    yield "sources", f"{store['sources']} ({kibibytes(store['source_bytes'])})"
    yield from window.rows(found["working_set"])
    if alarms := found["alarms"]:
        yield "alarms", ", ".join(render.counted(alarms[f"{one}s"], one) for one in ("warning", "callback", "stop"))


def kibibytes(size: int | None) -> str:
    """A size as it is shown; a table that is damaged has none."""
    return "unknown" if size is None else f"{size / 1024:,.0f} KiB"


@click.command()
@click.pass_context
@options.spoken
def doctor(ctx: click.Context) -> None:
    """Examine the whole store.

    What is wrong is named with the way out, and the exit code is then 1.
    """
    with options.opened() as clew:
        problems = clew.doctor()
        if render.machine():
            render.reply(clew, {"sound": not problems, "problems": problems})
        for problem in problems if not render.machine() else ():
            render.say(render.paint("✗ ", fg="red") + render.line(problem))
        if not problems and not render.machine():
            render.say(render.paint("✓ ", fg="green") + "all is sound")
    ctx.exit(1 if problems else 0)


@click.command()
@click.argument("path", metavar="FILE")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@options.spoken
def backup(path: str, force: bool) -> None:
    """Copy the store, whole and consistent, to a file.

    Also while others use it. The copy opens with CLEW_DB=FILE.

    \b
    clew backup ~/clew-2026-11-30.db
    """
    target = options.absolute(path, "FILE")
    unused(target, force=force)
    with options.opened() as clew:
        clew.backup(target)
        size = os.path.getsize(target)
        render.reply(clew, {"path": target, "bytes": size}, f"copied {kibibytes(size)} to {render.line(target)}")


def unused(path: str, *, force: bool) -> None:
    """Raises InvalidInput when `path` is no text, is a folder, or is there already and `force` does not say to replace it."""
    if render.line(path) != path:
        raise InvalidInput("FILE", f"'{path}' holds characters that cannot be shown; choose another name")
    if os.path.isdir(path):
        raise InvalidInput("FILE", f"'{path}' is a folder; name a file in it")
    if os.path.lexists(path) and not force:
        raise InvalidInput("FILE", f"'{path}' is there already; --force replaces it")


@click.command()
@click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS))
@click.pass_context
@options.spoken
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of your shell: bash, zsh or fish.

    \b
    eval "$(clew completion bash)"                              # in ~/.bashrc
    eval "$(clew completion zsh)"                               # in ~/.zshrc
    clew completion fish > ~/.config/fish/completions/clew.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None, "click brings the three that SHELLS names"
    script = made(ctx.find_root().command, {}, "clew", "_CLEW_COMPLETE").source()
    render.reply(None, {"script": script}, script)
