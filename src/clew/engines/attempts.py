"""Attempts: what a tool call was for and how it ended, and what that says about going on."""

from __future__ import annotations

import json

from clew.engines.lines import VERDICT, kept, told_turn
from clew.errors import InvalidInput
from clew.model import Alarm, Attempt, Verdict
from clew.rules import convergence, goals
from clew.rules.echo import is_command
from clew.rules.fingerprint import HEAD, TAIL, fingerprint
from clew.rules.outcome import EVIDENCE_CHARS, Result, outcome_of, telling
from clew.rules.redact import outside, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, NamedTuple

    from clew.model import Event
    from clew.rules.goals import Aim
    from clew.store.base import Store
else:
    from clew.model import NamedTuple

HISTORY = 400  # attempts of a session that are looked at
TOGETHER = 1.0  # seconds between the end of one call and the start of the next in which no model read the result and wrote another call
TARGET_CHARS = 500
TARGET_WINDOW = 16_000  # characters of a command that tell what it is for
TEMPLATE_CHARS = 1_000
ARGUMENT_CHARS = 20_000  # of all that a tool was given, as text
_LINE = (
    "turn",
    "goal",
    "action",
    "target",
    "approach",
    "outcome",
    "evidence",
    "exit",
    "failing",
    "fingerprint",
    "place",
    "template",
    "version",
)
_TEXTS = ("goal", "action", "target", "approach", "outcome", "evidence", "fingerprint", "place", "template")
_TOLD = (
    "command",
    "file_path",
    "path",
    "notebook_path",
    "description",
    "timeout",
    "run_in_background",
)  # told by the target, or beside the point
_KEPT = ("pass", "fail", "partial", "uncertain", "declined", "infra", convergence.ALLOWED)


class Sight(NamedTuple):
    """What is known of a session, the spool included: its attempts oldest first, its agent's turns, when it last heard a tool's answer,
    when its user wrote last, and what."""

    attempts: tuple[Attempt, ...] = ()
    turns: int = 0
    heard_at: float = 0.0
    asked_at: float = 0.0
    request: str = ""


def sight(store: Store, waiting: Iterable[Mapping[str, Any]], scope: Sequence[int], session: str) -> Sight:
    """What store and spool know of a session. Reads only."""
    known = tuple(reversed(store.attempts(scope, limit=HISTORY, session=session)))
    so_far = store.progress(session)
    request = store.said(scope, session, "prompt") if so_far.asked_at else ""
    seen = Sight(known, so_far.calls, so_far.last_at, so_far.asked_at, request)
    for line in waiting:
        if line.get("session") == session:
            seen = _went_on(seen, line)
    return seen


def _went_on(seen: Sight, line: Mapping[str, Any]) -> Sight:
    if line["kind"] == "prompt":
        if not line.get("text") or is_command(line["text"]):
            return seen  # a command of the client's, or nothing that somebody wrote
        return seen._replace(asked_at=max(seen.asked_at, float(line["at"])), request=line["text"])
    if line["kind"] != "tool":
        return seen
    made = attempt_in(line)
    turns = max(seen.turns, told_turn(line) or seen.turns + 1)
    return seen._replace(turns=turns, heard_at=float(line["at"]), attempts=(*seen.attempts, made) if made else seen.attempts)


def turn_of(seen: Sight, event: Event) -> int:
    """The turn of a finished call, from 1: the last one when the call began before a model could have read what came before it.

    Calls that a model sends together run side by side or one right after the other; between two turns it thinks, for a second and more.
    """
    together = seen.turns > 0 and event.at - event.took - seen.heard_at < TOGETHER
    return seen.turns + (not together)


def aim(seen: Sight, event: Event, root: str) -> Aim:
    """What a tool call is for, by its session so far; `root` is the project's folder. Nothing secret is in it, nor the half of anything."""
    tool, given, where = event.tool, event.given, redact((event.path or event.target)[:TARGET_WINDOW]).text
    changes: tuple[str, ...] = ()
    for attempt in seen.attempts:
        if attempt.outcome in ("pass", "partial", "uncertain") and (change := goals.change_of(attempt.approach)):
            changes = goals.changed(changes, change)
    old, new = _replaced(given)
    arguments = goals.edit_arguments(old, new) if new or old else _arguments(given)
    return goals.aim_of(tool, where, arguments=arguments, changes=changes, request=seen.request, root=root)


def _replaced(given: Mapping[str, Any]) -> tuple[str, str]:
    """What an edit takes away and puts in its place; ("", "") for a call that is none."""
    edits = given.get("edits")
    if isinstance(edits, list) and edits:
        parts = [_replaced(part) for part in edits if isinstance(part, dict)]
        return "\0".join(old for old, _ in parts), "\0".join(new for _, new in parts)
    old = next((v for f in ("old_string", "old_str", "oldString") if isinstance(v := given.get(f), str)), "")
    new = next(
        (v for f in ("new_string", "new_str", "newString", "content", "new_source", "patch") if isinstance(v := given.get(f), str)), ""
    )
    return old, new


def _arguments(given: Mapping[str, Any]) -> str:
    """All that a call was given besides its target, as text; "" where it cannot be written as JSON."""
    rest = {name: value for name, value in given.items() if name not in _TOLD}
    try:
        return json.dumps(rest, sort_keys=True, ensure_ascii=False)[:ARGUMENT_CHARS] if rest else ""
    except (TypeError, ValueError, RecursionError):
        return ""


def made(seen: Sight, event: Event, meant: Aim, root: str, turn: int) -> Attempt | None:
    """The attempt that a finished tool call of `turn` was, meant as `aim` says; None for one that neither counts nor changes anything."""
    if not (meant.counts or meant.change):
        return None
    goal = kept(meant.goal, TARGET_CHARS)
    before = next((a.failing for a in reversed(seen.attempts) if a.goal == goal and a.failing is not None), None)
    failed = event.failed if event.exit is None else None
    text = event.text if event.exit == 0 else _ends(event.text)
    ended = outcome_of(Result(meant.action, text, event.exit, failed, event.interrupted), failing_before=before)
    known = fingerprint(text, root=root) if ended.outcome in convergence.FAILING else None
    evidence = (telling(text, known.template) if known else "") or ended.evidence
    return Attempt(
        id=0,
        session=event.session,
        turn=turn,
        goal=goal,
        action=meant.action,
        target=kept(meant.target, TARGET_CHARS),
        approach=meant.approach,
        outcome=ended.outcome,
        evidence=kept(evidence, EVIDENCE_CHARS),
        exit=event.exit,
        failing=ended.failing,
        fingerprint=known.exact if known else "",
        place=known.place if known else "",
        template=kept(known.template, TEMPLATE_CHARS) if known else "",
        version=known.version if known else 0,
        origin=event.client,
        at=event.at,
    )


def _ends(text: str) -> str:
    """Both ends of a tool's answer, cut at line ends where there are any, without secrets: the half of one would look like none."""
    if len(text) > HEAD + TAIL:
        head, tail = text[:HEAD], text[outside(text, len(text) - TAIL) :]
        return redact(head[: head.rfind("\n") + 1 or None]).text + "\n" + redact(tail[tail.find("\n") + 1 :]).text
    return redact(text).text


def judged(seen: Sight, attempt: Attempt, now: float) -> Verdict:
    """What this session's attempts at a goal say once this one is made."""
    return convergence.verdict([*_at_goal(seen, attempt.goal), attempt], now=now, since=seen.asked_at)


def refused(seen: Sight, event: Event, root: str, now: float) -> tuple[Verdict, str]:
    """(what the attempts so far say about a call that is about to run: level 3 refuses it; its goal)."""
    meant = aim(seen, event, root)
    if not meant.counts:
        return Verdict(convergence.NONE), ""
    goal = kept(meant.goal, TARGET_CHARS)
    return convergence.before(_at_goal(seen, goal), meant.approach, now=now, since=seen.asked_at), goal


def record(store: Store, owner: int, event: Event, root: str) -> tuple[Verdict, Attempt | None]:
    """(what this session's attempts say once a finished call is kept, the attempt; None for a call that was none). One transaction.

    For a host that tells of its calls one by one: each is a turn of its own.
    """
    seen = sight(store, (), [owner], event.session)
    attempt = made(seen, event, aim(seen, event, root), root, seen.turns + 1)
    verdict = judged(seen, attempt, event.at) if attempt else Verdict(convergence.NONE)
    with store.transaction():
        store.advance_session(event.session, owner, event.client, at=event.at, turns=0)
        store.advance_calls(event.session, calls=1)
        if attempt is None:
            return verdict, None
        kept_as = attempt._replace(id=store.add_attempt(owner, attempt))
        verdict = verdict._replace(evidence=tuple(kept_as if a is attempt else a for a in verdict.evidence))
        if verdict.level:
            text = alarm(verdict, kept_as, kept_as.goal)
            store.write_log(owner, VERDICT, text=text, origin=event.client, at=event.at, session=event.session)
    return verdict, kept_as


def allow(store: Store, owner: int, event: Event, root: str) -> None:
    """Keep the mark that the user lets an approach run once more. Raises InvalidInput for a call that is never stopped."""
    seen = sight(store, (), [owner], event.session)
    meant = aim(seen, event, root)
    if not meant.counts:
        raise InvalidInput("target", "a call that only looks or waits is never stopped, so there is nothing to allow")
    place = kept(meant.target, TARGET_CHARS)
    mark = Attempt(0, event.session, seen.turns, kept(meant.goal, TARGET_CHARS), meant.action, place, meant.approach, convergence.ALLOWED)
    with store.transaction():
        store.add_attempt(owner, mark._replace(origin=event.client, at=event.at))


def _at_goal(seen: Sight, goal: str) -> list[Attempt]:
    """This session's attempts at a goal; other agents' are theirs, `tried` tells of them."""
    return [a for a in seen.attempts if a.goal == goal]


def passed_before(seen: Sight, goal: str) -> Attempt | None:
    """The last attempt at a goal that passed in this session."""
    return next((a for a in reversed(seen.attempts) if a.goal == goal and a.outcome == "pass"), None)


def alarm(verdict: Verdict, attempt: Attempt | None, goal: str) -> str:
    """What the log keeps of a warning, callback or stop, as JSON: its level, why, the goal, what was done or about to be done."""
    target = attempt.target if attempt else verdict.evidence[-1].target if verdict.evidence else ""
    return json.dumps({"level": verdict.level, "reason": verdict.reason, "goal": goal, "target": target}, ensure_ascii=False)


def alarms(told: Iterable[tuple[float, str, str]]) -> list[Alarm]:
    """The alarms that the log tells of, of (at, session, text); what is none of ours is left out."""
    found = []
    for at, session, text in told:
        try:
            alarm = json.loads(text)
            found.append(Alarm(int(alarm["level"]), str(alarm["reason"]), str(alarm["goal"]), str(alarm["target"]), session, at))
        except (ValueError, KeyError, TypeError):
            continue
    return found


def counted(store: Store, scope: Sequence[int], session: str) -> dict[str, Any]:
    """How often a session was warned, called back and stopped."""
    levels = [alarm.level for alarm in alarms(store.told(scope, session, VERDICT, limit=HISTORY))]
    counts = {name: levels.count(level) for level, name in enumerate(("warnings", "callbacks", "stops"), start=1)}
    return {"session": session, **counts}


def as_line(attempt: Attempt) -> dict[str, Any]:
    """An attempt as a part of its event's spool line."""
    return {name: value for name in _LINE if (value := getattr(attempt, name)) not in ("", None)}


def attempt_in(line: Mapping[str, Any]) -> Attempt | None:
    """The attempt that a spool line tells of; None where it tells of none, or of one that we did not write."""
    told = line.get("attempt")
    if not isinstance(told, dict):
        return None
    texts: dict[str, Any] = {name: told.get(name, "") for name in _TEXTS}
    numbers: dict[str, Any] = {name: told.get(name) for name in ("turn", "exit", "failing", "version")}
    if not all(isinstance(t, str) for t in texts.values()) or not all(n is None or isinstance(n, int) for n in numbers.values()):
        return None
    if texts["outcome"] not in _KEPT or not texts["goal"]:
        return None
    numbers = {**numbers, "turn": numbers["turn"] or 0, "version": numbers["version"] or 0}
    return Attempt(id=0, session=line.get("session", ""), origin=line.get("client", ""), at=float(line["at"]), **texts, **numbers)
