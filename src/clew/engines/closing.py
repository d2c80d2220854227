"""The end of a goal: what one that was reached leaves behind as memories, and the credit that either end gives, each once.

`ended` is asked again inside the transaction: another process may have closed the goal meanwhile.
"""

from __future__ import annotations

from clew.engines import lifecycle
from clew.engines.crediting import Span, credit
from clew.engines.tried import OF_GOAL, changes_between
from clew.model import Draft, Source
from clew.rules import convergence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from clew.embed.base import Embedder
    from clew.model import Attempt
    from clew.store.base import Store
else:
    from clew.model import NamedTuple

TAG = "attempt"
FAILED_EVENT = "goal_failed"  # in the log: a session ended and its goal had not been reached
FACTS = 3  # failures of one goal that become facts
SUMMARY_CHARS = 240


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
        failures = [a for a in open_ones if a.outcome in convergence.FAILING and a.id < won.id]
        distinct = {a.fingerprint or a.evidence: a for a in failures}
        changes = changes_between(store, [owner], failures[0], won) if failures else ()
        facts = [_fact(a, failures) for a in list(distinct.values())[-FACTS:]]
        return Ending(True, _span(open_ones, won), tuple(open_ones), (*facts, _decision(won, failures, changes))) if failures else None
    lost = convergence.left_failing(open_ones)
    if lost is None or not so_far.ended_at or store.noted(owner, lost.session, FAILED_EVENT, goal) >= lost.at:
        return None
    return Ending(False, _span(open_ones, lost))


def settle(store: Store, embedder: Embedder | None, owner: int, goal: str, ending: Ending, *, origin: str, now: float) -> bool:
    """Keep what a goal that was reached teaches: its failures as facts, what reached it as a decision linked to them. False when another
    process was faster: what it kept is what was kept here. Raises StoreError, EmbedderDown."""
    by = ending.attempts[-1].origin or origin
    kept = lifecycle.remember(store, embedder, lifecycle.cleaned(ending.drafts), owner, origin=by, now=now)
    *facts, decision = [one.memory.id for one in kept]
    with store.transaction():
        if ended(store, owner, goal) is None:
            return False
        for relation in ("fixes", "because"):
            for fact in facts:
                store.add_link(decision, relation, fact, at=now, origin=by)
        credit(store, owner, ending.span, passed=True, now=now)
        store.settle([a.id for a in ending.attempts])
    return True


def give_up(store: Store, owner: int, goal: str, ending: Ending, *, origin: str, now: float) -> bool:
    """Let the log say that a session ended without its goal, which stays open for others. False when another process was faster."""
    with store.transaction():
        if ended(store, owner, goal) is None:
            return False
        credit(store, owner, ending.span, passed=False, now=now)
        store.write_log(owner, FAILED_EVENT, text=goal, origin=origin, at=now, session=ending.span.session)
    return True


def _span(attempts: Sequence[Attempt], last: Attempt) -> Span:
    first = next(a for a in attempts if a.session == last.session)
    return Span(last.session, first.at, last.at)


def _fact(failure: Attempt, failures: Sequence[Attempt]) -> Draft:
    often = sum((a.fingerprint or a.evidence) == (failure.fingerprint or failure.evidence) for a in failures)
    times = f" ({often} times)" if often > 1 else ""
    status = f" with exit {failure.exit}" if failure.exit else ""
    how = f": {failure.evidence}" if failure.evidence else status  # who tells of an attempt by hand gives its status alone
    return Draft(_cut(f"{failure.target} failed{times}{how}"), "fact", failure.template, (TAG,), source=_source(failure))


def _decision(won: Attempt, failures: Sequence[Attempt], changes: Sequence[str]) -> Draft:
    count = f"{len(failures)} failed {'try' if len(failures) == 1 else 'tries'}"
    how = f"by changing {', '.join(changes)}" if changes else "with no edit that was seen"
    return Draft(_cut(f"{won.target} passes again after {count}, {how}"), "decision", "", (TAG,), source=_source(won))


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SUMMARY_CHARS else line[: SUMMARY_CHARS - 1] + "…"


def _source(attempt: Attempt) -> Source:
    return Source(session=attempt.session or None, turn=attempt.turn or None)
