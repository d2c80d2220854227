"""The forgetting curve's constants: how stable a memory of each kind is when it is new."""

from __future__ import annotations

from clew.model import Strength

_MINUTE, _HOUR = 60.0, 3600.0
# Opening stability in seconds by kind: Veil's table, extended to Engrim's kinds. `user` and `intent` do not decay.
OPENING: dict[str, float] = {
    "observation": 30 * _MINUTE,
    "fact": 2 * _HOUR,
    "feedback": 2 * _HOUR,
    "reference": 2 * _HOUR,
    "procedure": 6 * _HOUR,
    "decision": 12 * _HOUR,
    "state": 12 * _HOUR,
    "user": 12 * _HOUR,
    "intent": 12 * _HOUR,
}
DIFFICULTY = 5.0  # 1..10, until something is learned about the memory
PINNED_KINDS = ("user",)  # pinned from the moment they are written


def opening(kind: str, now: float) -> Strength:
    """The strength of a memory of `kind` written at `now` (UTC seconds)."""
    return Strength(stability=OPENING[kind], difficulty=DIFFICULTY, last_use=now)
