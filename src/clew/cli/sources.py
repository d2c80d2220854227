"""Commands around the compiler: sources, what it saved, budgets of models, and working contexts."""

from __future__ import annotations

import json
import sys

import click

from clew.cli import options, render
from clew.cli.care import kibibytes, unused
from clew.cli.compiling import raw
from clew.cli.group import Group
from clew.cli.whole import whole_file
from clew.errors import InvalidInput
from clew.model import age, as_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# part of a working context: (its option, whether it may come several times, what it is)
PARTS = {
    "goal": ("--goal", False, "What the task is to reach."),
    "active_constraints": ("--constraint", True, "What must be kept to; repeat for several."),
    "verified_facts": ("--fact", True, "What was found to be so."),
    "open_hypotheses": ("--hypothesis", True, "What is thought, and not yet known."),
    "decisions": ("--decision", True, "What was decided."),
    "exact_evidence": ("--evidence", True, "A handle (src:…) of what it rests on."),
    "pending_actions": ("--pending", True, "What is still to be done."),
}


@click.group("sources", cls=Group, invoke_without_command=True)
@options.spoken
@click.pass_context
def sources(ctx: click.Context) -> None:
    """What compiling left out, behind handles, and its use of the disk.

    \b
    clew sources
    clew sources show src:3f9a0c12
    clew sources prune --older-than 30d
    """
    if ctx.invoked_subcommand is not None:
        return
    with options.opened() as clew:
        store = clew.status()["store"]
        shape = {"sources": store["sources"], "bytes": store["source_bytes"], "path": store["path"]}
        if not render.machine():
            render.table(("", ""), [("sources", store["sources"]), ("size", kibibytes(store["source_bytes"]))])
        render.reply(clew, shape)


@sources.command("show")
@click.argument("handle", metavar="HANDLE")
@click.option("--out", metavar="FILE", help="Write it to a file.")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@options.spoken
def show(handle: str, out: str | None, force: bool) -> None:
    """Give back what is behind a handle, byte for byte.

    The first six digits of a handle are enough. Python and MCP call this retrieve_source.

    \b
    clew sources show src:3f9a0c12
    clew sources show src:3f9a0c12 --out shot.png
    """
    target = options.absolute(out, "--out") if out is not None else ""
    if target:
        unused(target, force=force)
    with options.opened() as clew:
        found = clew.retrieve_source(handle)
    text = found.bytes.decode("utf-8", "surrogatepass") if found.mime.startswith("text/") else None
    if target:
        with whole_file(target, "--out") as file:
            file.write(found.bytes)
    shape = {"handle": found.handle, "mime": found.mime, "bytes": len(found.bytes), "path": target or None}
    if render.machine():
        render.reply(None, shape | ({} if target else _content(text, found.bytes)))
    elif target:
        render.reply(None, shape, f"wrote {len(found.bytes):,} bytes to {render.line(target)}")
    elif not render.terminal(sys.stdout):
        raw(found.bytes)
    elif text is None:
        raise InvalidInput("--out", f"is missing: {found.handle} is {found.mime}, which no terminal shows")
    else:
        render.say(render.safe(text))


def _content(text: str | None, content: bytes) -> dict[str, Any]:
    from base64 import b64encode

    return {"text": text, "bytes_b64": b64encode(content).decode() if text is None else None}


@sources.command("prune")
@click.option("--older-than", type=options.span, metavar="SPAN", help="Also what was put longer ago: 30d, 12h.")
@options.spoken
def prune(older_than: float | None) -> None:
    """Drop sources whose time ran out, and those older than a span. Their handles then lead nowhere.

    \b
    clew sources prune --older-than 30d
    """
    with options.opened() as clew:
        gone = clew.prune_sources(older_than=older_than)
        said = f"dropped {render.counted(gone['sources'], 'source')}, {kibibytes(gone['bytes'])}"
        render.reply(clew, {"pruned": gone["sources"], "bytes": gone["bytes"]}, said)


@click.command()
@options.in_project
@options.spoken
def savings(project: str | None) -> None:
    """What compiling saved so far: exact sums over every compilation that is kept.

    Saved is what was said twice; set aside is behind handles; cut is left out of what was emitted in part.

    \b
    clew savings
    clew savings -p '*'
    """
    with options.opened(project) as clew:
        found = clew.savings()
        if not render.machine():
            render.table(("", "tokens", "share"), list(_savings_rows(found)))
        render.reply(clew, {"savings": found})


def _savings_rows(found: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    yield "compilations", f"{found['compilations']:,}", ""
    yield "in", f"{found['tokens_in']:,}", ""
    yield "out", f"{found['tokens_out']:,}", ""
    for name, shown in (("saved", "saved"), ("externalised", "set aside"), ("lost", "cut")):
        share = found[f"{name}_share"]
        yield shown, f"{found[name]:,}", "" if share is None else f"{share:.1%}"
    for currency, cost in found["saved_cost"].items():
        yield f"worth in {currency}", f"{cost:,.4f}", ""


@click.command("suggest-budget")
@click.argument("model", metavar="MODEL")
@click.option("--reserve", type=options.whole(0), metavar="N", help="Tokens kept for the answer; without it what the model may answer.")
@click.option("--used", type=options.whole(0), default=0, metavar="N", help="Tokens of the window that are used already.")
@options.spoken
def suggest_budget(model: str, reserve: int | None, used: int) -> None:
    """How many tokens of context suit a model.

    The number alone goes to standard output, why to standard error. Of a model that is not in the table nothing is guessed.

    \b
    clew suggest-budget claude-opus-5
    clew compile src -b "$(clew suggest-budget claude-opus-5 --used 40000)"
    """
    with options.opened() as clew:
        found = clew.suggest_budget(model, reserve=reserve, used=used)
        if not render.machine():
            render.remark(render.line(found.note))
        render.reply(clew, {"suggested": found}, *([str(found.budget)] if found.budget is not None else []))


@click.group("working-context", cls=Group)
def working_context() -> None:
    """Where a task stands, saved and loaded again.

    Its goal, constraints, facts, hypotheses, decisions, evidence, and what is pending.
    """


def _in_session(command: Any) -> Any:
    return click.option("--session", metavar="NAME", help="The session it belongs to.")(command)


def _parts(command: Any) -> Any:
    for part, (option, several, text) in reversed(PARTS.items()):
        command = click.option(option, part, multiple=several, metavar="TEXT", help=text)(command)
    return command


@working_context.command("save")
@_parts
@_in_session
@options.in_project
@options.spoken
def save(project: str | None, session: str | None, **given: Any) -> None:
    """Save where a task stands, by options or as a JSON object on standard input. What was saved before stays in its history.

    \b
    clew working-context save --goal "green build" --fact "fails since #41" --pending "bisect"
    echo '{"goal": "green build"}' | clew working-context save
    """
    told = {part: list(value) if isinstance(value, tuple) else value for part, value in given.items() if value}
    with options.opened(project) as clew:
        saved = clew.save_working_context(told or _from_input(), session=session or "")
        render.reply(clew, {"working_context": saved}, f"saved as {saved.id}")


def _from_input() -> Any:
    way = "give --goal, --fact and the like, or pipe a JSON object in"
    if render.terminal(sys.stdin):
        raise InvalidInput("context", f"is missing; {way}")
    try:
        return json.loads(options.standard_input("context", way))
    except (ValueError, RecursionError) as error:
        raise InvalidInput("context", f"standard input is no JSON ({str(error)[:80]}); {way}") from None


@working_context.command("load")
@_in_session
@options.in_project
@options.spoken
def load(project: str | None, session: str | None) -> None:
    """Show the working context that was saved last, of one session or of any, and how old it is.

    \b
    clew working-context load
    """
    with options.opened(project) as clew:
        found = clew.load_working_context(session=session)
        if not render.machine():
            whose = f", session {found.session}" if found.session else ""
            render.remark(f"saved {render.moment(found.at)} by {render.line(found.origin + whose)}")
            render.table(("part", "text"), list(_told(found.context)))
        render.reply(clew, {"working_context": found})


def _told(context: Any) -> Iterator[tuple[str, str]]:
    for part in PARTS:
        value = context.get(part) or []
        for text in [value] if isinstance(value, str) else value:
            yield part.replace("_", " "), text


@working_context.command("list")
@click.option("-n", "--limit", type=int, default=20, show_default=True, metavar="N", help="At most this many, up to 1,000.")
@_in_session
@options.in_project
@options.spoken
def list_(project: str | None, session: str | None, limit: int) -> None:
    """List working contexts, newest first: what was saved over is there too.

    \b
    clew working-context list
    """
    with options.opened(project) as clew:
        found = clew.list_working_context(session=session, limit=limit)
        if not render.machine():
            rows = [(c.id, age(c.at, clew.now()), c.session, c.context.get("goal", "")) for c in found]
            render.table(("", "age", "session", "goal"), rows)
        render.reply(clew, {"working_contexts": as_json(found)}, *([] if found else ["no working context was saved here yet"]))
