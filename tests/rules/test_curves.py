"""The curve of a memory: from its last use until it would rest, flat for what never fades."""

import pytest

from clew.model import Memory, Source, Strength
from clew.rules.curves import POINTS, curve
from clew.rules.threshold import THETA

DAY = 86_400.0


def memory(**changes):
    strength = Strength(3_600.0, 5.0, 1_000.0)
    base = Memory(1, "0" * 32, "p", "fact", "active", "s", "", (), {}, "cli", Source(), (), 1_000.0, 1_000.0, 1, strength)
    return base._replace(**changes)


def test_it_falls_from_one_to_where_the_memory_would_rest():
    found = curve(memory(), 1_000.0)
    assert len(found.points) == POINTS
    assert found.points[0] == (1_000.0, 1.0)
    assert found.points[-1][0] == pytest.approx(found.rests_at)
    assert found.points[-1][1] == pytest.approx(THETA[0])
    assert [r for _, r in found.points] == sorted((r for _, r in found.points), reverse=True)


def test_at_its_stability_nine_tenths_are_retained():
    assert curve(memory(), 4_600.0).now == pytest.approx(0.90)


@pytest.mark.parametrize("changes", [{"pinned": True}, {"kind": "intent"}])
def test_what_never_fades_is_flat_and_never_rests(changes):
    found = curve(memory(**changes), 1_000.0 + 999 * DAY)
    assert found.rests_at is None
    assert {r for _, r in found.points} == {1.0}


def test_what_would_rest_already_is_drawn_until_now():
    found = curve(memory(), 1_000.0 + 999 * DAY)
    assert found.points[-1][0] == 1_000.0 + 999 * DAY
    assert found.now < THETA[0]
