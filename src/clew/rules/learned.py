"""What was learned about a memory, and how it moves it among those that similarity selected; weights of 0 leave the plain order.

Steps, half-lives and weights are ours, no paper's. Five `useful` in a row bring .5 to .84, and no number of them to 1; a verdict is half
forgotten after thirty days. A weight is a share of a memory's own score, so that both ways of fusing feel it alike, and small: praise
lifts a memory over one that answers a tenth better, never over one that answers twice as well.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

_DAY = 86_400.0
MIDDLE = 0.5
STEP = 0.2  # of the way to 1 or to 0
TARGETS = {"useful": 1.0, "noise": 0.0}
HALF_LIFE = 30 * _DAY  # of what a verdict moved, seconds
AGEING = 90 * _DAY  # the age, beside the newest, at which half of the recency is gone


class Weights(NamedTuple):
    """How much of its score a memory gains or loses at most: by confidence either way, by recency only down, the newest losing nothing."""

    confidence: float = 0.1
    recency: float = 0.02


WEIGHTS = Weights()
PLAIN = Weights(0.0, 0.0)


def decayed(confidence: float, at: float | None, now: float) -> float:
    """The confidence of `at` as it is now: back to the middle, half of the way each HALF_LIFE. One that was never moved stays."""
    if at is None or now <= at:
        return confidence
    return float(MIDDLE + (confidence - MIDDLE) * 0.5 ** ((now - at) / HALF_LIFE))


def moved(confidence: float, verdict: str) -> float:
    """The confidence after one verdict of TARGETS: useful c + 0.2 · (1 - c), noise c - 0.2 · c."""
    return confidence + STEP * (TARGETS[verdict] - confidence)


def within(span: float, judged: bool, weights: Weights = WEIGHTS) -> float:
    """The share of a score that another must have so that it could still stand above, 1.0 where nothing can move.

    `span` is the time between the first and the last memory of the scope in seconds, `judged` whether any has another confidence.
    """
    trust = weights.confidence if judged else 0.0
    return float((1.0 - trust - weights.recency * _faded(span)) / (1.0 + trust))


def _faded(age: float) -> float:
    """The share of the recency that is gone, by whole days: what was written in one go stays as it stood."""
    return float(1.0 - 0.5 ** (max(0.0, age) // _DAY * _DAY / AGEING))


def gain(recorded_at: float, trust: float, *, newest: float, weights: Weights = WEIGHTS) -> float:
    """The share of its score that a memory of confidence `trust`, decayed to now, gains, or loses, below 0.

    `newest` is when the latest memory of the scope was written: ages are counted from there, so the same store gives the same order on
    any day.
    """
    return 2.0 * weights.confidence * (trust - MIDDLE) - weights.recency * _faded(newest - recorded_at)
