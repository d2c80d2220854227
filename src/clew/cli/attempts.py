"""Commands about attempts: attempt records one, attempts lists them, tried tells what was tried before and what worked."""

from __future__ import annotations

import os

import click

from clew.cli import options, render
from clew.errors import InvalidInput
from clew.model import age

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from clew.model import Attempt, Tried, Verdict

LEVELS = ("go on", "warning", "callback", "stop")
_COLOURS = {"pass": "green", "partial": "yellow", "fail": "red"}
OUTPUT_BYTES = 64 << 20


@click.command()
@click.argument("target", nargs=-1, required=True, metavar="TARGET")
@click.option("--tool", default="shell", show_default=True, metavar="NAME", help="The tool that ran: shell, Edit, …")
@click.option("--exit", "status", type=int, metavar="N", help="Its exit status.")
@click.option("--failed", is_flag=True, help="The tool says that it failed.")
@click.option("--output", metavar="FILE", help="What it printed, a file or - for standard input.")
@click.option("--session", default="", metavar="NAME", help="The session it belongs to; default: one for the command line.")
@click.option("--before", is_flag=True, help="Nothing ran yet: say only whether it should. Exit code 1 means stop.")
@click.option("--allow", is_flag=True, help="Nothing ran yet: let it run once more though it was stopped.")
@options.in_project
@options.spoken
@click.pass_context
def attempt(ctx: click.Context, /, project: str | None, target: tuple[str, ...], **told: Any) -> None:
    """Record what a command or an edit did, and hear whether to go on.

    TARGET is the command, or the file that was edited. How it ended follows from the exit status, the tool's own flag, and what a test
    runner says of itself in the output; never from words in it. Clients that have hooks record their attempts themselves.

    \b
    clew attempt "pytest tests/test_cart.py" --exit 1 --output run.log
    clew attempt "pytest tests/test_cart.py" --before
    """
    what, tool, session = " ".join(target), told["tool"], told["session"]
    if told["before"] and told["allow"]:
        raise InvalidInput("--allow", "cannot be given together with --before: one asks, the other decides")
    if told["allow"] or told["before"]:
        _not_yet_run(told)
    with options.opened(project) as clew:
        if told["allow"]:
            clew.allow_attempt(what, tool=tool, session=session)
            render.reply(clew, {"allowed": what}, f"may run once more: {render.line(what)}")
            return
        if told["before"]:
            verdict = clew.before_attempt(what, tool=tool, session=session)
        else:
            verdict = clew.attempt(
                what, tool=tool, output=_output(told["output"]), exit=told["status"], failed=told["failed"], session=session
            )
        _said(verdict, clew.now())
        render.reply(clew, {"verdict": verdict})
    ctx.exit(1 if told["before"] and verdict.level == len(LEVELS) - 1 else 0)


def _not_yet_run(told: dict[str, Any]) -> None:
    for name, value in (("--exit", told["status"]), ("--output", told["output"]), ("--failed", told["failed"] or None)):
        if value is not None:
            raise InvalidInput(name, "is told of what has run; --before and --allow are about what has not")


def _output(path: str | None) -> str:
    if path is None:
        return ""
    if path == "-":
        return options.standard_input("--output", "pipe what was printed, or leave --output out")
    name = options.absolute(path, "--output")
    if not os.path.isfile(name):
        raise InvalidInput("--output", f"'{path}' is no file")
    size = os.path.getsize(name)
    if size > OUTPUT_BYTES:
        raise InvalidInput("--output", f"'{path}' has {size:,} bytes; at most {OUTPUT_BYTES:,}: give its last part")
    with open(name, "rb") as file:
        return file.read().decode("utf-8", "replace")


def _said(verdict: Verdict, now: float) -> None:
    if render.machine():
        return
    colour = ("green", "yellow", "red", "red")[verdict.level]
    render.say(render.paint(LEVELS[verdict.level], fg=colour, bold=True) + (f": {render.line(verdict.reason)}" if verdict.reason else ""))
    if verdict.evidence:
        _table(verdict.evidence, now)


@click.command()
@click.option("--goal", metavar="TEXT", help="Only those at this goal.")
@click.option("--session", metavar="NAME", help="Only those of this session.")
@click.option("--goals", "grouped", is_flag=True, help="The goals themselves, with how often each was tried and failed.")
@click.option("--alarms", is_flag=True, help="When a session was warned or stopped, by default the one that was active last.")
@click.option("-n", "--limit", type=int, default=20, show_default=True, metavar="N", help="At most this many, up to 1,000.")
@options.in_project
@options.spoken
def attempts(project: str | None, goal: str | None, session: str | None, *, grouped: bool, alarms: bool, limit: int) -> None:
    """What agents tried last and how it ended, newest first.

    \b
    clew attempts
    clew attempts --goals
    clew attempts --alarms
    clew attempts --goal "test: pytest tests/test_cart.py"
    """
    if grouped and alarms:
        raise InvalidInput("--alarms", "cannot be given together with --goals: each is a list of its own")
    if goal is not None and (grouped or alarms):
        raise InvalidInput("--goal", "is for the list of attempts; --goals and --alarms are lists of their own")
    with options.opened(project) as clew:
        if alarms:
            raised = clew.alarms(session=session, limit=limit)
            if not render.machine():
                render.table(("level", "age", "goal", "why"), [(LEVELS[a.level], age(a.at, clew.now()), a.goal, a.reason) for a in raised])
            render.reply(clew, {"alarms": raised}, *([] if raised else ["this session was neither warned nor stopped"]))
            return
        if grouped:
            found = clew.goals(session=session, limit=limit)
            if not render.machine():
                render.table(
                    ("tried", "failed", "last", "goal"), [(n, bad, age(last, clew.now()), name) for name, n, bad, _, last in found]
                )
            names = ("goal", "attempts", "failures", "first_at", "last_at")
            render.reply(clew, {"goals": [dict(zip(names, row, strict=True)) for row in found]}, *_nothing(found, None, session))
            return
        made = clew.attempts(goal=goal, session=session, limit=limit)
        if not render.machine():
            _table(made, clew.now())
        render.reply(clew, {"attempts": made}, *_nothing(made, goal, session))


def _nothing(found: Any, goal: str | None, session: str | None) -> list[str]:
    if found:
        return []
    if goal is not None:
        return ["nothing was attempted at that goal; `clew attempts --goals` lists the goals by their whole names"]
    return ["nothing was attempted here yet" if session is None else "nothing was attempted in that session"]


def _table(made: Any, now: float) -> None:
    render.table(("", "age", "outcome", "target", "evidence"), [_row(a, now) for a in made])


def _row(a: Attempt, now: float) -> tuple[str, ...]:
    status = f" ({a.exit})" if a.exit else ""
    return f"#{a.id}" if a.id else "", age(a.at, now), a.outcome + status, a.target[:80], a.evidence


@click.command()
@click.argument("about", nargs=-1, metavar="TEXT|FILE")
@options.in_project
@options.spoken
def tried(project: str | None, about: tuple[str, ...]) -> None:
    """What was tried before on a file, test or failure, and what worked. Every session counts.

    \b
    clew tried tests/test_cart.py
    clew tried "AssertionError: assert 3 == 4"
    pytest 2>&1 | clew tried -
    """
    asked = options.text_given(about, "about", "a file, a test, a command or an error", "pytest 2>&1 | clew tried -")
    with options.opened(project) as clew:
        found = clew.tried(asked)
        if not render.machine():
            _told(found, clew.now())
        render.reply(clew, {"tried": found}, *([] if found.failed else ["nothing like it was tried here before"]))


def _told(found: Tried, now: float) -> None:
    if not found.failed:
        return
    render.remark(f"matched by {'the same ' if found.by != 'target' else 'its '}{found.by}")
    _table(found.failed, now)
    for fix in found.worked:
        changes = ", ".join(render.line(c) for c in fix.changes) or "no edit that was seen"
        target, since = render.line(fix.passed.target), age(fix.passed.at, now)
        render.say(f"{render.paint('✓', fg='green')} {target} passed after {changes} ({since})")
    if not found.worked:
        render.say("nothing that was tried made it pass")
