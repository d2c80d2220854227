"""The forgetting curve: how stable a memory is when it is new, how well it is retained after some time, what a use or a lapse does to it.

Seconds throughout, fractions included. The curve is that of FSRS-4.5, the growth after a use that of FSRS with exponents fixed for an
agent's hours instead of a learner's days: at R = 0.90 a use doubles the stability.
"""

from __future__ import annotations

from math import exp

from clew.model import Strength

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86_400.0
# Opening stability in seconds by kind: the shorter a thing of this kind usually stays true, the shorter. `user` and `intent` do not decay.
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
# The most stable a kind becomes, in seconds: one that opens like another has the same cap.
CAP: dict[str, float] = {
    "observation": _DAY,
    "fact": 30 * _DAY,
    "feedback": 30 * _DAY,
    "reference": 30 * _DAY,
    "procedure": 90 * _DAY,
    "decision": 180 * _DAY,
    "state": 180 * _DAY,
    "user": 180 * _DAY,
    "intent": 180 * _DAY,
}
DIFFICULTY = 5.0  # 1..10, until something is learned about the memory
PINNED_KINDS = ("user",)  # pinned from the moment they are written
LASTING_KINDS = ("user", "intent")  # never decay, pinned or not
USED = {"pass": 1.0, "uncertain": 0.5, "fail": 0.0, "shown": 0.0}  # k of a use, by how the attempt that used it came out
SPACING = 60.0  # seconds between two grades of one memory
LEAST = 60.0  # seconds a stability keeps however often it lapses: below the spacing nothing could be told apart

_FACTOR = 19.0 / 81.0  # makes R exactly 0.90 at age S with the decay of -0.5
_GAIN, _HARDEST, _SPREAD = 6.18, 11.0, 6.0  # growth at D = 5: 6.18 · (e^0.15 - 1) = 1.0
_SATURATION, _STEEPNESS, _LAPSE = -0.2, 1.5, 0.4


def opening(kind: str, now: float) -> Strength:
    """The strength of a memory of `kind` written at `now` (UTC seconds)."""
    return Strength(stability=OPENING[kind], difficulty=DIFFICULTY, last_use=now)


def lasts(kind: str, pinned: bool) -> bool:
    """Whether a memory does not decay at all: pinned, or of a kind that never does."""
    return pinned or kind in LASTING_KINDS


def retrievability(strength: Strength, now: float, *, pinned: bool = False) -> float:
    """Chance that a memory is still retained, 0..1: (1 + 19/81 * age / S) ** -0.5, the FSRS-4.5 curve, 0.90 at age S (seconds)."""
    elapsed = now - strength.last_use
    if pinned or elapsed <= 0.0:
        return 1.0
    return float((1.0 + _FACTOR * elapsed / strength.stability) ** -0.5)


def age_at(retained: float, stability: float) -> float:
    """The age in seconds at which a memory of this stability has fallen to `retained` (above 0, at most 1): the curve, turned round."""
    return (1.0 / (retained * retained) - 1.0) / _FACTOR * stability


def may_grade(last_grade: float | None, now: float, *, same_turn: bool) -> bool:
    """Whether a memory may be graded at `now`: once a turn, and not within SPACING seconds of its last grade (None: never graded)."""
    return not same_turn and (last_grade is None or now - last_grade >= SPACING)


def good(strength: Strength, kind: str, now: float, *, k: float = 1.0) -> Strength:
    """The strength after a use at `now`. `k` is of USED: 1 used and the attempt passed, 0.5 uncertain, 0 failed or merely shown.

    S' = min(cap, S · (1 + k · 6.18 · ((11 - D) / 6) · (S / S0)^-0.2 · (e^(1.5 (1 - R)) - 1))), S0 the kind's opening stability. A use that
    counts nothing changes nothing, the time of the last use included: what was merely shown is not fresher for it. A clock that went
    backwards counts as no time passed. Whether a grade is due is for `may_grade` to say.
    """
    if k <= 0.0:
        return strength
    ease = (_HARDEST - strength.difficulty) / _SPREAD
    worn = (strength.stability / OPENING[kind]) ** _SATURATION
    surprise = exp(_STEEPNESS * (1.0 - retrievability(strength, now))) - 1.0
    grown = strength.stability * (1.0 + k * _GAIN * ease * worn * surprise)
    # What an import brought above the cap is not cut for having been used.
    stability = max(strength.stability, min(CAP[kind], grown))
    return strength._replace(stability=stability, last_use=max(now, strength.last_use), uses=strength.uses + 1)


def again(strength: Strength) -> Strength:
    """The strength after a contradiction, a succession or a change of the file pointed to: S falls to 0.4 S, one lapse more.

    The time of the last use stays: to be contradicted is no use, and the memory must not look fresh for it.
    """
    return strength._replace(stability=max(LEAST, _LAPSE * strength.stability), lapses=strength.lapses + 1)


def unpinned(strength: Strength, now: float) -> Strength:
    """The strength when a pin is taken off at `now`: stability as it was, decay from now on. A pin is a use that lasted until then."""
    return strength._replace(last_use=max(now, strength.last_use))
