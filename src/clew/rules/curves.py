"""How well a memory is retained over time, as points to draw. Pure."""

from __future__ import annotations

from clew.rules import fsrs, threshold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from clew.model import Memory
else:
    from clew.model import NamedTuple

POINTS = 60


class Curve(NamedTuple):
    """A memory's retrievability: `now` 0..1, `points` of (UTC seconds, 0..1) from its last use on, and when it would leave the active set:
    `rests_at` is None, and the line flat, for what never fades."""

    memory: Memory
    now: float
    points: tuple[tuple[float, float], ...]
    rests_at: float | None


def curve(memory: Memory, now: float) -> Curve:
    """The curve of a memory as of `now` (UTC seconds): from its last use until it would rest, or until now where that is later."""
    strength, lasting = memory.strength, fsrs.lasts(memory.kind, memory.pinned)
    rests_at = None if lasting else strength.last_use + fsrs.age_at(threshold.THETA[0], strength.stability)
    until = max(now, strength.last_use + 30 * 86_400.0) if rests_at is None else max(now, rests_at)
    step = (until - strength.last_use) / (POINTS - 1)
    at = [strength.last_use + n * step for n in range(POINTS)]
    points = tuple((moment, fsrs.retrievability(strength, moment, pinned=lasting)) for moment in at)
    return Curve(memory, fsrs.retrievability(strength, now, pinned=lasting), points, rests_at)
