"""What was tried before on a target or a failure, in whatever session, and what worked."""

from __future__ import annotations

from clew.model import Fix, Tried
from clew.rules import convergence, goals
from clew.rules.commands import VERIFYING
from clew.rules.fingerprint import VERSION, fingerprint
from clew.rules.masks import project_relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.model import Attempt
    from clew.store.base import Store

LIMIT = 20  # attempts an answer shows
TELLING_CHARS = 6  # of a part of a failure: what is shorter is in many of them
BETWEEN = 200  # attempts looked at between a failure and what made it pass
FIXES = 3
LEFT_SECONDS = 30 * 86_400.0  # after which it says nothing any more that a goal was once left failing
CHANGES = 6  # targets of edits that one fix names
OF_GOAL = 200  # attempts of one goal that are looked at
_MARKED = "E "  # how packs show the start of a line that pytest marks, with one space: it is asked about as it is shown


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
    if attempt.action not in VERIFYING:
        return (), ()
    earlier = [a for a in store.attempts(scope, limit=LIMIT, goal=attempt.goal) if a.session != attempt.session]
    failed = []
    for one in earlier:
        if one.outcome in convergence.PROGRESS:
            break
        if one.outcome in convergence.FAILED:
            failed.append(one)
    recent = tuple(a for a in failed if attempt.at - a.at <= LEFT_SECONDS)
    return recent, changes_between(store, scope, recent[-1], recent[0]) if recent else ()


def _matches(store: Store, scope: Sequence[int], about: str, root: str) -> list[tuple[str, tuple[Attempt, ...]]]:
    text = about.strip()
    found = []
    if "\n" not in text:
        place = project_relative(text, root)
        found = [("target", _bad(store.attempts(scope, limit=LIMIT, target=name))) for name in dict.fromkeys((place, text))]
        found += [("target", _bad(store.attempts(scope, limit=LIMIT, goal=f"{kind}: {place}"))) for kind in (*VERIFYING, "edit")]
    told = fingerprint(text.removeprefix(_MARKED), root=root)
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
    return tuple(a for a in attempts if a.outcome in convergence.FAILING)


def _fixes(store: Store, scope: Sequence[int], failed: Sequence[Attempt]) -> tuple[Fix, ...]:
    """For each goal among the failures, newest first, what made it pass with the edits between; the latest first.

    That is the first pass behind the newest failure that has one: what mended it last time counts, though it fails again by now.
    """
    found = []
    for goal in dict.fromkeys(a.goal for a in failed):
        passes = [a for a in store.attempts(scope, limit=OF_GOAL, goal=goal) if a.outcome == "pass"]
        mended = next((a for a in failed if a.goal == goal and passes and a.id < passes[0].id), None)
        if mended is not None:
            passed = next(a for a in reversed(passes) if a.id > mended.id)
            found.append(Fix(passed, changes_between(store, scope, mended, passed)))
    return tuple(sorted(found, key=lambda fix: -fix.passed.id)[:FIXES])


def changes_between(store: Store, scope: Sequence[int], failure: Attempt, passed: Attempt) -> tuple[str, ...]:
    """Targets of what succeeded and changed something between a failure and the pass, in the session of the pass."""
    between = reversed(store.attempts(scope, limit=BETWEEN, session=passed.session))
    changed = (a.target for a in between if failure.id < a.id < passed.id and a.outcome == "pass" and goals.change_of(a.approach))
    return tuple(dict.fromkeys(changed))[:CHANGES]
