"""Is an agent getting anywhere? A fold over the attempts at one goal: a warning, a callback, a stop before one more try in vain.

Progress is a pass, a partial (fewer failures than before) or a failure not seen before under this goal. What cannot be the agent's doing
is never counted: declined and infra outcomes, and polls. Nothing here blocks a tool for good: an edit makes another approach of the same
command, a new message of the user or a pass begins anew, and a stop lapses by itself. `turn` counts the agent's steps from 1 (0:
unknown); calls that went out together, before any of their results came, share one.
"""

from __future__ import annotations

from clew.model import Verdict
from clew.rules.commands import VERIFYING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import NamedTuple

    from clew.model import Attempt
else:
    from clew.model import NamedTuple

NONE, WARN, CALLBACK, STOP = 0, 1, 2, 3
FAILS_IN_A_ROW = 5  # without progress: a warning
TURNS = 10  # of the agent since the last progress, with at least TURN_FAILS failures in them: a warning
TURN_FAILS = 2
TRIES = 3  # failures of one approach: the third warns, a fourth try is stopped
LAPSES = 3_600.0  # seconds after which a failure no longer speaks against trying again: the world may have changed
POLL_GAP = 120.0  # seconds between equal results of a command that checks nothing: somebody waits for something
EVIDENCE = 5  # attempts a verdict shows

FAILED = ("fail",)
PROGRESS = ("pass", "partial")
FAILING = ("fail", "partial")  # something still fails, be it less than before
ALLOWED = "allowed"  # the user said: let it run once more; kept among the attempts, counted as none


class _Standing(NamedTuple):
    """What the attempts so far amount to."""

    row: tuple[Attempt, ...]  # failures since the last progress, the one that brought a new fingerprint included
    same: tuple[Attempt, ...]  # failures since the last pass, partial or message, whatever they said
    level: int
    reason: str
    shown: tuple[Attempt, ...]  # what the reason rests on
    allowed: frozenset[str]


_START = _Standing((), (), NONE, "", (), frozenset())


def verdict(attempts: Sequence[Attempt], *, now: float, since: float = 0.0) -> Verdict:
    """What the attempts at one goal, oldest first, say after the last of them. `since`: when the user last wrote, 0 when never."""
    standing = _fold(attempts, now, since)
    return Verdict(standing.level, standing.reason, standing.shown)


def before(attempts: Sequence[Attempt], approach: str, *, now: float, since: float = 0.0) -> Verdict:
    """Whether `approach` is to run, asked before it does: level 3 refuses and shows its failures, else as `verdict`."""
    standing = _fold(attempts, now, since)
    failed = _failures_of(approach, standing.same, now)
    if standing.level < WARN or len(failed) < TRIES or approach in standing.allowed:
        return Verdict(standing.level, standing.reason, standing.shown)
    return Verdict(STOP, f"this very approach failed {len(failed)} times and nothing was changed since", failed[-TRIES:])


def closed_by(attempts: Sequence[Attempt], *, turn: int) -> Attempt | None:
    """The pass that closed the goal and held: the last counted attempt, and the agent has gone on to something else since. Else None."""
    last = _last(attempts)
    return last if last is not None and last.outcome == "pass" and turn > last.turn else None


def left_failing(attempts: Sequence[Attempt]) -> Attempt | None:
    """The failure that a goal was left with: the last counted attempt, if it is one. Else None."""
    last = _last(attempts)
    return last if last is not None and last.outcome in FAILED else None


def _last(attempts: Sequence[Attempt]) -> Attempt | None:
    return next((a for a in reversed(attempts) if a.outcome in ("pass", "partial", "fail", "uncertain")), None)


def _fold(attempts: Sequence[Attempt], now: float, since: float) -> _Standing:
    seen: set[str] = set()
    standing = _START
    last: Attempt | None = None  # the last that counts as a try, polls included
    for attempt in attempts:
        if attempt.outcome == ALLOWED:
            standing = standing._replace(allowed=standing.allowed | {attempt.approach})
        elif attempt.outcome in PROGRESS:
            standing, last = _START, attempt
        elif attempt.outcome in FAILED:
            poll = _is_poll(attempt, last)
            new, last = attempt.fingerprint not in seen or not attempt.fingerprint, attempt
            seen.add(attempt.fingerprint)
            if not poll and attempt.at >= since:
                standing = _failed(standing, attempt, new, now)
    return standing


def _is_poll(attempt: Attempt, last: Attempt | None) -> bool:
    """The same thing again with the same result after a wait, and nothing else tried between."""
    return (
        last is not None
        and attempt.action not in VERIFYING  # those are never polls, however seldom they run
        and (attempt.approach, attempt.fingerprint) == (last.approach, last.fingerprint)
        and attempt.at - last.at >= POLL_GAP
    )


def _failed(standing: _Standing, attempt: Attempt, new: bool, now: float) -> _Standing:
    if attempt.turn and any((a.session, a.turn, a.approach) == (attempt.session, attempt.turn, attempt.approach) for a in standing.same):
        return standing  # of one turn: sent together, so nothing could be learnt from the first before the second went out
    row = (attempt,) if new else (*standing.row, attempt)
    same = (*standing.same, attempt)
    allowed = standing.allowed - {attempt.approach}
    reason, shown = _reason(row, _failures_of(attempt.approach, same, now))
    if not reason and (new or not standing.level):
        return _Standing(row, same, NONE, "", (), allowed)
    level = CALLBACK if standing.level else WARN
    return _Standing(row, same, level, reason or standing.reason, shown[-EVIDENCE:] or standing.shown, allowed)


def _reason(row: tuple[Attempt, ...], failed: tuple[Attempt, ...]) -> tuple[str, tuple[Attempt, ...]]:
    """Why to warn after the last failure of `row`, and what shows it; "" for no reason."""
    if len(failed) >= TRIES:
        return f"the same approach failed {len(failed)} times with nothing changed between", failed
    if len(row) >= FAILS_IN_A_ROW:
        return f"{len(row)} attempts failed in a row and none brought anything new", row
    turns = row[-1].turn - next(a.turn for a in row if a.session == row[-1].session)
    if len(row) >= TURN_FAILS and turns >= TURNS:
        return f"{turns} turns and {len(row)} attempts without progress", row
    return "", ()


def _failures_of(approach: str, failures: Iterable[Attempt], now: float) -> tuple[Attempt, ...]:
    return tuple(a for a in failures if a.approach == approach and now - a.at <= LAPSES)
