"""Feedback: a memory that was brought was useful, or noise, and what that does to the order of later answers."""

from __future__ import annotations

import json

from clew.engines.lifecycle import find
from clew.errors import InvalidInput
from clew.rules import learned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.model import Memory
    from clew.rules.fusion import Fused
    from clew.store.base import Store


def feedback(store: Store, ref: int | str, verdict: str, *, origin: str, now: float) -> Memory:
    """Move a memory's confidence by one verdict ("useful" or "noise"), from where it has decayed to; logged, its text untouched.

    Raises InvalidInput for another verdict, NotFound.
    """
    if verdict not in tuple(learned.TARGETS):  # of any type
        raise InvalidInput("verdict", f"'{str(verdict)[:40]}' is not one of {', '.join(learned.TARGETS)}")
    with store.transaction():
        before = find(store, ref)
        project = store.owner(before.id)
        former = json.dumps({"confidence": before.confidence, "confidence_at": before.confidence_at})
        store.write_log(project, verdict, text=former, origin=origin, at=now, memory=before.id)
        confidence = learned.moved(learned.decayed(before.confidence, before.confidence_at, now), verdict)
        store.save(before._replace(confidence=confidence, confidence_at=now), project)
    return store.fetch([before.id])[before.id]


def reordered(
    store: Store, found: Sequence[Fused], newest: float, *, now: float, limit: int, weights: learned.Weights = learned.WEIGHTS
) -> list[Fused]:
    """The best `limit` of what similarity selected, each score moved by what was learned of the memory; ties by id."""
    known = store.experience([f.id for f in found])
    moved = []
    for f in found:
        recorded_at, confidence, at = known.get(f.id, (newest, learned.MIDDLE, None))
        gain = learned.gain(recorded_at, learned.decayed(confidence, at, now), newest=newest, weights=weights)
        moved.append(f._replace(score=f.score + abs(f.score) * gain, learned=gain))
    return sorted(moved, key=lambda f: (-f.score, f.id))[:limit]
