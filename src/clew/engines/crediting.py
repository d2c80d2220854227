"""What the end of a goal says of the memories that were there: credit for each, a grade for those used when it was reached."""

from __future__ import annotations

from clew.engines import projects
from clew.rules import fsrs, scoring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from clew.store.base import Store
else:
    from clew.model import NamedTuple

MOST = 500  # memories that one ending moves, the ones used last first


class Span(NamedTuple):
    """The part of a session in which a goal was worked on: its first and last attempt, UTC seconds."""

    session: str
    since: float
    until: float


def credit(store: Store, owner: int, span: Span, *, passed: bool, now: float) -> int:
    """Inside a transaction: move the credit of the memories that the session used while it worked on the goal, and of those it was shown.

    Used is what a recall brought or somebody marked so between the first attempt and the last, in the project of the goal or the user's
    own; whose recall it was is not known, so sessions side by side share it. One that was used when the goal was reached is graded good
    as well, unless it was graded a moment ago. How many were moved.
    """
    scope = projects.beside(store, owner)
    used = set(store.used_between(scope, span.since, span.until, limit=MOST))
    present = sorted(store.shown(span.session).keys() - used)[:MOST]
    found = store.fetch([*sorted(used), *present])
    for memory in found.values():
        helped = memory.id in used
        changed = memory._replace(credit=scoring.credited(memory.credit, passed=passed, used=helped))
        if passed and helped and fsrs.may_grade(memory.strength.last_use, now, same_turn=False):
            strength = fsrs.good(memory.strength, memory.kind, now, k=fsrs.USED["pass"])
            changed = changed._replace(strength=strength, resting=False)
        store.save(changed, store.owner(memory.id))
    return len(found)
