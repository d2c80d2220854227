"""What was tried before on a target or a failure, in whatever session; and what a closed goal leaves behind as memories."""

from __future__ import annotations

from clew.engines.crediting import Span
from clew.model import Draft, Fix, Source, Tried
from clew.rules import convergence, goals
from clew.rules.fingerprint import VERSION, fingerprint
from clew.rules.masks import project_relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from clew.model import Attempt
    from clew.store.base import Store
else:
    from clew.model import NamedTuple

LIMIT = 20  # attempts an answer shows
TELLING_CHARS = 6  # of a part of a failure: what is shorter is in many of them
BETWEEN = 200  # attempts looked at between a failure and what made it pass
FIXES = 3
LEFT_SECONDS = 30 * 86_400.0  # after which it says nothing any more that a goal was once left failing
CHANGES = 6  # targets of edits that one fix names
TAG = "attempt"
OPEN_GOALS = 100  # looked at when a session pauses, those that failed last
FAILED_EVENT = "goal_failed"  # in the log: a session ended and its goal had not been reached
OF_GOAL = 200
FACTS = 3  # failures of one goal that become facts
SUMMARY_CHARS = 240


def tried(store: Store, scope: Sequence[int], about: str, root: str) -> Tried:
    """What was tried on a target (a file, a test, a command) or about a failure (its text), newest first; by "nothing" when not known."""
    for by, failed in _matches(store, scope, about, root):
        if failed:
            return Tried(by, failed, _fixes(store, scope, failed))
    return Tried("nothing")


def known(store: Store, scope: Sequence[int], attempt: Attempt) -> Tried:
    """What was tried about this attempt's failure in earlier sessions, empty for one that is new."""
    if not attempt.fingerprint:
        return Tried("nothing")
    same = store.attempts(scope, limit=LIMIT, fingerprint=attempt.fingerprint)
    failed = tuple(a for a in same if a.session != attempt.session and a.version == attempt.version)
    return Tried("failure", failed, _fixes(store, scope, failed)) if failed else Tried("nothing")


def left(store: Store, scope: Sequence[int], attempt: Attempt) -> tuple[tuple[Attempt, ...], tuple[str, ...]]:
    """(the failures with which earlier sessions left this attempt's goal, newest first; what they had changed by then in vain).

    Of tests, builds and lints only, whose goal is the same thing in every session; empty once it was reached.
    """
    if attempt.action not in convergence.VERIFYING:
        return (), ()
    earlier = [a for a in store.attempts(scope, limit=LIMIT, goal=attempt.goal) if a.session != attempt.session]
    failed = []
    for one in earlier:
        if one.outcome in convergence.PROGRESS:
            break
        if one.outcome in convergence.FAILED:
            failed.append(one)
    recent = tuple(a for a in failed if attempt.at - a.at <= LEFT_SECONDS)
    return recent, _changes(store, scope, recent[-1], recent[0]) if recent else ()


def _matches(store: Store, scope: Sequence[int], about: str, root: str) -> list[tuple[str, tuple[Attempt, ...]]]:
    text = about.strip()
    found = []
    if "\n" not in text:
        place = project_relative(text, root)
        found = [("target", _bad(store.attempts(scope, limit=LIMIT, target=name))) for name in dict.fromkeys((place, text))]
        found += [
            ("target", _bad(store.attempts(scope, limit=LIMIT, goal=f"{kind}: {place}"))) for kind in ("test", "build", "lint", "edit")
        ]
    told = fingerprint(text, root=root)
    if told.exact:
        found.append(("failure", _current(store.attempts(scope, limit=LIMIT, fingerprint=told.exact))))
    if "\n" not in text:
        found.append(("target", _bad(store.attempts_naming(scope, text, limit=LIMIT))))
    if told.place:
        found.append(("place", _current(store.attempts(scope, limit=LIMIT, place=told.place))))
    said = any(c.isspace() for c in text)
    lines = told.template.split("\n") if said else [project_relative(text, root)]
    return [*found, ("failure" if said else "place", _telling(store, scope, lines))]


def _telling(store: Store, scope: Sequence[int], lines: Sequence[str]) -> tuple[Attempt, ...]:
    """Attempts among whose telling lines are all of these: a part of a failure, or a file or test that it names."""
    found = store.attempts_telling(scope, lines[0], limit=LIMIT) if len(lines[0]) >= TELLING_CHARS else []
    return _current([a for a in found if all(line in a.template for line in lines)])


def _current(attempts: Sequence[Attempt]) -> tuple[Attempt, ...]:
    return tuple(a for a in attempts if a.version == VERSION)


def _bad(attempts: Sequence[Attempt]) -> tuple[Attempt, ...]:
    return tuple(a for a in attempts if a.outcome in ("fail", "partial"))


def _fixes(store: Store, scope: Sequence[int], failed: Sequence[Attempt]) -> tuple[Fix, ...]:
    """For each goal among the failures what made it pass first after the last of them, with the edits between; the latest first."""
    found = []
    for goal, last in {a.goal: a for a in reversed(failed)}.items():
        later = [a for a in store.attempts(scope, limit=OF_GOAL, goal=goal) if a.id > last.id and a.outcome == "pass"]
        if later:
            found.append(Fix(later[-1], _changes(store, scope, last, later[-1])))
    return tuple(sorted(found, key=lambda fix: -fix.passed.id)[:FIXES])


def _changes(store: Store, scope: Sequence[int], failure: Attempt, passed: Attempt) -> tuple[str, ...]:
    """Targets of what succeeded and changed something between a failure and the pass, in the session of the pass."""
    between = reversed(store.attempts(scope, limit=BETWEEN, session=passed.session))
    changed = (a.target for a in between if failure.id < a.id < passed.id and a.outcome == "pass" and goals.change_of(a.approach))
    return tuple(dict.fromkeys(changed))[:CHANGES]


class Ending(NamedTuple):
    """How a goal ended: `attempts` to settle, `drafts` of memories to make (the last is the decision, those before it are the failures
    that it mends), and the span of the session in which it ended. One that was not reached has no drafts and stays open for others."""

    passed: bool
    span: Span
    attempts: tuple[Attempt, ...] = ()
    drafts: tuple[Draft, ...] = ()


def ended(store: Store, owner: int, goal: str) -> Ending | None:
    """How a goal of a project ended: reached by a pass that held, after failures; or failing when its session ended. None: it goes on."""
    open_ones = list(reversed(store.attempts([owner], limit=OF_GOAL, goal=goal, settled=False)))
    if not open_ones:
        return None
    so_far = store.progress(open_ones[-1].session)
    won = convergence.closed_by(open_ones, turn=so_far.calls + bool(so_far.ended_at))
    if won is not None:
        failures = [a for a in open_ones if a.outcome in ("fail", "partial") and a.id < won.id]
        distinct = {a.fingerprint or a.evidence: a for a in failures}
        changes = _changes(store, [owner], failures[0], won) if failures else ()
        facts = [_fact(a, failures) for a in list(distinct.values())[-FACTS:]]
        return Ending(True, _span(open_ones, won), tuple(open_ones), (*facts, _decision(won, failures, changes))) if failures else None
    lost = convergence.left_failing(open_ones)
    if lost is None or not so_far.ended_at or store.noted(owner, lost.session, FAILED_EVENT, goal) >= lost.at:
        return None
    return Ending(False, _span(open_ones, lost))


def _span(attempts: Sequence[Attempt], last: Attempt) -> Span:
    first = next(a for a in attempts if a.session == last.session)
    return Span(last.session, first.at, last.at)


def _fact(failure: Attempt, failures: Sequence[Attempt]) -> Draft:
    often = sum((a.fingerprint or a.evidence) == (failure.fingerprint or failure.evidence) for a in failures)
    times = f" ({often} times)" if often > 1 else ""
    return Draft(_cut(f"{failure.target} failed{times}: {failure.evidence}"), "fact", failure.template, (TAG,), source=_source(failure))


def _decision(won: Attempt, failures: Sequence[Attempt], changes: Sequence[str]) -> Draft:
    count = f"{len(failures)} failed {'try' if len(failures) == 1 else 'tries'}"
    how = f"by changing {', '.join(changes)}" if changes else "with no edit that was seen"
    return Draft(_cut(f"{won.target} passes again after {count}, {how}"), "decision", "", (TAG,), source=_source(won))


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SUMMARY_CHARS else line[: SUMMARY_CHARS - 1] + "…"


def _source(attempt: Attempt) -> Source:
    return Source(session=attempt.session or None, turn=attempt.turn or None)
