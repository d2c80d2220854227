"""Two registers that find their own level: below which retrievability things leave by themselves, and how full a window may become.

Times are seconds of a session's activity clock, in which no gap counts more than five minutes: a night away is not a night idle.

| | `theta` (cut on R) | `fill` (share of the window) |
|---|---|---|
| start, floor, ceiling | 0.10, 0.05, 0.90 | 0.80, 0.80, 0.95 |
| thrash: 3 evictions inside 60 s | halved, once in 60 s; nothing leaves by itself for 60 s | – |
| idle: 300 s without an eviction or a miss | + 0.05 | - 0.01 |
| miss: something evicted is asked for again | · 0.7 | + 0.05 |
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

THETA = (0.10, 0.05, 0.90)  # start, floor, ceiling
FILL = (0.80, 0.80, 0.95)
GAP = 300.0  # seconds that one gap counts at most
THRASH, WITHIN = 3, 60.0  # evictions inside so many seconds
IDLE = 300.0
_HALVED, _LOWERED, _RAISED = 0.5, 0.7, 0.05
_FILLED, _EASED = 0.05, 0.01
_LONG_AGO = -1e18  # before every session, and still a number that JSON holds


class Clock(NamedTuple):
    """A session's activity clock: `active` seconds have counted up to the moment `seen` (UTC seconds)."""

    active: float = 0.0
    seen: float | None = None


class Registers(NamedTuple):
    """`theta` and `fill` and what moves them: recent evictions, since when it is quiet, the last thrash. Activity seconds."""

    theta: float = THETA[0]
    fill: float = FILL[0]
    evictions: tuple[float, ...] = ()  # the last few, oldest first
    quiet_since: float = 0.0
    thrashed: float = _LONG_AGO


def advanced(clock: Clock, now: float) -> Clock:
    """The clock at `now` (UTC seconds): a gap counts GAP seconds at most, and nothing when the clock went backwards."""
    if clock.seen is None:
        return Clock(clock.active, now)
    return Clock(clock.active + min(GAP, max(0.0, now - clock.seen)), now)


def evicted(registers: Registers, at: float, count: int = 1) -> Registers:
    """The registers after `count` evictions at `at`: quiet begins anew, and the third inside WITHIN seconds is a thrash."""
    if count <= 0:
        return registers
    recent = (*(t for t in registers.evictions if at - t < WITHIN), *(at,) * min(count, THRASH))[-THRASH:]
    moved = registers._replace(evictions=recent, quiet_since=at)
    if len(recent) < THRASH or paused(registers, at):
        return moved
    return moved._replace(theta=max(THETA[1], _HALVED * registers.theta), thrashed=at)


def paused(registers: Registers, at: float) -> bool:
    """Whether nothing leaves by itself at `at`, a thrash having been less than WITHIN seconds ago."""
    return at - registers.thrashed < WITHIN


def missed(registers: Registers, at: float) -> Registers:
    """The registers after something evicted was asked for again at `at`: keep more, at once."""
    return registers._replace(theta=max(THETA[1], _LOWERED * registers.theta), fill=min(FILL[2], registers.fill + _FILLED), quiet_since=at)


def idled(registers: Registers, at: float) -> Registers:
    """The registers at `at`, moved once for every IDLE seconds in which nothing was evicted and nothing missed."""
    times = int((at - registers.quiet_since) // IDLE)
    if times <= 0:
        return registers
    return registers._replace(
        theta=min(THETA[2], registers.theta + times * _RAISED),
        fill=max(FILL[1], registers.fill - times * _EASED),
        quiet_since=registers.quiet_since + times * IDLE,
    )
