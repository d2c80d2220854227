"""The forgetting curve: how stable a memory is when it is new, and how well it is retained after some time."""

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


def retrievability(strength: Strength, now: float, *, pinned: bool = False) -> float:
    """Chance that a memory is still retained, 0..1: (1 + 19/81 * age / S) ** -0.5, the FSRS-4.5 curve, 0.90 at age S (seconds)."""
    elapsed = now - strength.last_use
    if pinned or elapsed <= 0.0:
        return 1.0
    return float((1.0 + 19.0 / 81.0 * elapsed / strength.stability) ** -0.5)
