"""The command compile: files, folders and standard input into a context that fits a budget, with every decision on show."""

from __future__ import annotations

import io
import os
import sys

import click

from clew.cli import headed, options, pages, render
from clew.cli.care import bar, unused
from clew.errors import InvalidInput
from clew.limits import COUNTERS, FRAGMENT_KINDS, TOKENS_MAX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, BinaryIO

    from clew.service import Clew


STDIN = "-"
NAME = 28  # characters of a name on a terminal; its end tells most
SHOWN = 16  # characters of a handle: the scheme and twelve digits
_COLOURS = {"low": "green", "medium": "yellow", "high": "red"}


@click.command("compile")
@click.argument("files", nargs=-1, metavar="FILE")
@click.option("-b", "--budget", type=options.whole(1, TOKENS_MAX), metavar="N", help="At most N tokens; without it nothing is cut.")
@click.option("-q", "--query", default="", metavar="TEXT", help="What the context is for: what bears on it goes first.")
@click.option("--counter", type=click.Choice(COUNTERS), default="heuristic", show_default=True, help="Whose tokens; two need clew[tokens].")
@click.option(
    "-k", "--kind", type=click.Choice(FRAGMENT_KINDS), metavar="KIND", help="What all of it is; without it names and shapes tell."
)
@click.option("--transcript", is_flag=True, help="FILE is a client's transcript: its turns are the fragments.")
@click.option("--memories", type=options.whole(1, 1_000), metavar="K", help="Add the K memories that answer the query, up to 1,000.")
@click.option("--names", is_flag=True, help="Put a line with its name before each file; the budget holds with them.")
@click.option("--explain", is_flag=True, help="Print a table of every fragment and its decision in place of the content.")
@click.option("--html", "page", metavar="OUT", help="Write a page that shows what was kept, collapsed, cut and set aside.")
@click.option("--force", is_flag=True, help="Replace OUT if it is there.")
@options.in_project
@options.spoken
def compile_(files: tuple[str, ...], project: str | None, **told: Any) -> None:
    """Fit files, folders or standard input into a token budget, without a model.

    The content goes to standard output, what it cost to standard error. What is left out is named there by a handle: `clew sources show
    HANDLE` gives it back, byte for byte. A folder is read with all below it, without what git ignores and .clewignore names; binary
    files are left out and named; images count as screenshots. Python and MCP call this compile_context.

    \b
    clew compile build.log --budget 4000 --query "why does the build fail?"
    make 2>&1 | clew compile -b 2000
    clew compile src docs/plan.md -b 8000 -q "retry policy" --names
    """
    places = _places(files)
    target = _page(told["page"], told["force"])
    compiled, names, notes = _compiled(places, project, told)
    if target:
        pages.write(target, pages.page(compiled, names, told["query"]))
    if render.machine():
        render.reply(None, _shape(compiled, names, target) | {"notes": notes})
        return
    if told["explain"]:
        _explained(compiled, names)
    elif render.terminal(sys.stdout):
        render.say(render.safe(compiled.content))
    else:
        raw(compiled.content.encode("utf-8", "replace"))
    for text in _figures(compiled, told["counter"], target):
        render.remark(text)
    render.reply(None, {"notes": notes})


def _places(files: Sequence[str]) -> list[str]:
    if files.count(STDIN) > 1:
        raise InvalidInput("FILE", "standard input can be read once; give a single -")
    if not files and render.terminal(sys.stdin):
        raise InvalidInput("FILE", "is missing; name files or folders, or pipe text in: make 2>&1 | clew compile -b 2000")
    return list(files) or [STDIN]


def _page(page: str | None, force: bool) -> str:
    """The whole path of the page, "" for none. Raises InvalidInput where it may not be written."""
    if page is None:
        return ""
    target = options.absolute(page, "--html")
    unused(target, force=force)
    if not os.path.isdir(os.path.dirname(target)):
        raise InvalidInput("--html", f"there is no folder {os.path.dirname(target)}")
    return target


def _compiled(places: list[str], project: str | None, told: dict[str, Any]) -> tuple[Any, Callable[[int], str], list[str]]:
    """(the compiled context, the name of a fragment by its place, notes on what was left out)."""
    if told["memories"] and told["transcript"]:
        raise InvalidInput("--memories", "cannot be added to a transcript; leave out one of the two")
    if told["names"] and told["transcript"]:
        raise InvalidInput("--names", "are of files; the turns of a transcript have none")
    if told["memories"] and not told["query"].strip():
        raise InvalidInput("--memories", "needs --query: memories are those that answer it")
    from clew.importers import gathering  # here and below: for this command alone

    with options.opened(project) as clew:
        how = {"token_budget": told["budget"], "counter": told["counter"]}
        if told["transcript"]:
            text = _transcript(places, told["kind"])
            with bar("compiling"):
                compiled = clew.compile_transcript(text, query=told["query"], **how)
            return compiled, lambda place: f"#{place}", clew.notes()
        with bar("reading") as tell:
            found = gathering.gathered(places, _stdin(), kind=told["kind"] or "", tell=tell)
        scope = {"project": project or _here(), "k": told["memories"]} if told["memories"] else None

        def names(place: int) -> str:
            return found.names[place] if place < len(found.names) else f"memory {place - len(found.names) + 1}"

        def ask(policy: Mapping[str, Any]) -> Any:
            return clew.compile_context(told["query"], fragments=found.fragments, memory_scope=scope, policy=policy, **how)

        with bar("compiling"):
            compiled = headed.fitting(ask, names, _counting(clew, told["counter"]), told["budget"]) if told["names"] else ask({})
        return compiled, names, [*gathering.left_out_lines(found.left_out), *clew.notes()]


def _counting(clew: Clew, counter: str) -> Callable[[str], int]:
    """Counts the tokens of a text as the budget does, by compiling it alone."""
    return lambda text: int(clew.compile_context(fragments=[{"content": text}], policy=headed.TRIAL, counter=counter).account.tokens_in)


def _here() -> str:
    """The project one stands in, as a verb is told it: a folder says it whether or not it has a name yet."""
    return os.environ.get("CLEW_PROJECT", "").strip() or os.getcwd()


def _transcript(places: list[str], kind: str | None) -> str:
    from clew.importers import gathering

    if kind:
        raise InvalidInput("--kind", "is told by each turn of a transcript; leave it out")
    if len(places) != 1:
        raise InvalidInput("FILE", f"{len(places)} files; a transcript is one")
    return gathering.one_text(places[0], _stdin())


def raw(content: bytes) -> None:
    """Bytes to standard output as they are; nowhere when it is closed."""
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)


def _stdin() -> BinaryIO:
    return sys.stdin.buffer if sys.stdin is not None else io.BytesIO()


def _explained(compiled: Any, names: Callable[[int], str]) -> None:
    """A row for every fragment: all columns for a program, as many as fit for a person."""
    if not render.terminal(sys.stdout):
        columns = ("fragment", "action", "rule", "kept", "in", "out", "risk", "handle", "reason")
        render.table(
            columns,
            [
                (names(d.fragment), d.action, d.rule, d.kept, d.tokens_in, d.tokens_out, d.risk, _handle(d), d.reason)
                for d in compiled.decisions
            ],
        )
        return
    rows = [
        (
            _short(names(d.fragment)),
            d.action,
            f"{d.tokens_in:,} → {d.tokens_out:,}",
            d.risk,
            " ".join(filter(None, (f"{d.rule}: {d.reason}", _handle(d)))),
        )
        for d in compiled.decisions
    ]
    render.table(("fragment", "action", "tokens", "risk", "rule and reason"), rows)


def _handle(decision: Any) -> str:
    return decision.handles[0][:SHOWN] if decision.handles else ""


def _short(name: str) -> str:
    return name if len(name) <= NAME else "…" + name[1 - NAME :]


def _figures(compiled: Any, counter: str, page: str) -> list[str]:
    account = compiled.account
    budget = "no budget" if account.budget >= TOKENS_MAX else f"budget {account.budget:,}"
    parts = f"{account.saved:,} saved, {account.externalised:,} set aside, {account.lost:,} cut"
    lines = [f"{account.tokens_in:,} → {account.tokens_out:,} tokens ({counter}, {budget}): {parts}; risk {compiled.risk}"]
    lines += [f"warning: {render.line(text)}" for text in compiled.warnings]
    if compiled.media:
        lines.append(f"{render.counted(len(compiled.media), 'image')} kept beside the text; --json has their bytes")
    return [*lines, f"wrote {render.line(page)}"] if page else lines


def _shape(compiled: Any, names: Callable[[int], str], page: str) -> dict[str, Any]:
    from clew.service.compiled import full_response

    whole = full_response(compiled)
    return {**whole, "decisions": [{"name": names(d["fragment"]), **d} for d in whole["decisions"]], "page": page or None}
