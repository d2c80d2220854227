"""How feedback moves a confidence, how that is forgotten, and how little either may weigh."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.rules.learned import AGEING, HALF_LIFE, MIDDLE, PLAIN, WEIGHTS, decayed, gain, moved, within

shares = st.floats(0.0, 1.0)
times = st.floats(0.0, 1e10)


def test_a_verdict_goes_a_fifth_of_the_way():
    assert moved(0.5, "useful") == pytest.approx(0.6)
    assert moved(0.5, "noise") == pytest.approx(0.4)
    assert moved(0.6, "useful") == pytest.approx(0.68)
    assert moved(moved(0.5, "useful"), "noise") == pytest.approx(0.48)


@given(shares, st.lists(st.sampled_from(("useful", "noise"))))
def test_no_row_of_verdicts_leaves_zero_to_one(confidence, verdicts):
    for verdict in verdicts:
        confidence = moved(confidence, verdict)
    assert 0.0 <= confidence <= 1.0


def test_a_verdict_is_half_forgotten_after_thirty_days():
    assert HALF_LIFE == 30 * 86_400
    assert decayed(0.9, 1_000.0, 1_000.0 + HALF_LIFE) == pytest.approx(0.7)
    assert decayed(0.1, 1_000.0, 1_000.0 + 2 * HALF_LIFE) == pytest.approx(0.4)
    assert decayed(0.9, 1_000.0, 1_000.0 + 100 * HALF_LIFE) == pytest.approx(MIDDLE)


@pytest.mark.parametrize(("at", "now"), [(None, 1e9), (1_000.0, 1_000.0), (1_000.0, 500.0)])
def test_nothing_decays_before_its_time_or_without_one(at, now):
    assert decayed(0.8, at, now) == 0.8


@given(shares, times, times, times)
def test_decay_never_crosses_the_middle_nor_moves_away_from_it(confidence, at, later, latest):
    a, b = sorted((at + later, at + later + latest))
    first, second = decayed(confidence, at, a) - MIDDLE, decayed(confidence, at, b) - MIDDLE
    assert abs(second) <= abs(first) <= abs(confidence - MIDDLE)
    assert first * (confidence - MIDDLE) >= 0.0


def test_the_gain_is_what_the_weights_say():
    assert gain(0.0, MIDDLE, newest=0.0) == 0.0
    assert gain(0.0, 1.0, newest=0.0) == WEIGHTS.confidence
    assert gain(0.0, 0.0, newest=0.0) == -WEIGHTS.confidence
    assert gain(0.0, MIDDLE, newest=AGEING) == pytest.approx(-WEIGHTS.recency / 2)
    assert gain(0.0, 1.0, newest=1e12, weights=PLAIN) == 0.0
    assert gain(0.0, MIDDLE, newest=86_399.0) == 0.0 > gain(0.0, MIDDLE, newest=86_400.0)
    assert gain(50.0, MIDDLE, newest=0.0) == 0.0  # newer than the newest there was when it was asked for


@given(times, times, shares, shares, st.booleans(), st.floats(1e-6, 1.0))
def test_what_lies_below_the_share_within_cannot_rise_above(oldest, later, trust, other, judged, high):
    newest = oldest + later
    low = high * within(newest - oldest, judged) * (1 - 1e-9)
    best_case = low * (1.0 + gain(newest, trust if judged else MIDDLE, newest=newest))
    worst_case = high * (1.0 + gain(oldest, other if judged else MIDDLE, newest=newest))
    assert best_case < worst_case


def test_where_nothing_can_move_nothing_below_the_cut_is_looked_at():
    assert within(86_399.0, judged=False) == 1.0
    assert within(1e9, judged=True, weights=PLAIN) == 1.0
    assert within(1e9, judged=False) == pytest.approx(1.0 - WEIGHTS.recency)
    assert 0.75 < within(1e9, judged=True) < 1.0
