"""The forgetting curve and its update: golden histories, the official scheduler as an oracle, and what must hold for every history."""

from datetime import UTC, datetime, timedelta
from math import log

import pytest
from fsrs import Card, Rating, Scheduler, State
from hypothesis import given
from hypothesis import strategies as st

from clew.model import KINDS, Strength
from clew.rules import fsrs

MINUTE, HOUR, DAY = 60.0, 3_600.0, 86_400.0
START = 1_700_000_000.0

kinds = st.sampled_from(KINDS)
ages = st.floats(0.0, 400 * DAY)
stabilities = st.floats(MINUTE, 180 * DAY)


def of(stability: float, *, last_use: float = START, **more) -> Strength:
    return Strength(stability=stability, difficulty=more.pop("difficulty", 5.0), last_use=last_use, **more)


def recalled(kind: str, times: int, apart: float, k: float = 1.0) -> Strength:
    """The strength after that many uses of an opening memory, evenly spaced."""
    strength = fsrs.opening(kind, START)
    for n in range(1, times + 1):
        strength = fsrs.good(strength, kind, START + n * apart, k=k)
    return strength


# The curve


@pytest.mark.parametrize(
    ("kind", "seconds"),
    [("observation", 1_800), ("fact", 7_200), ("feedback", 7_200), ("reference", 7_200), ("procedure", 21_600), ("decision", 43_200),
     ("state", 43_200)],
)  # fmt: skip
def test_each_kind_opens_with_its_stability(kind, seconds):
    assert fsrs.opening(kind, START) == Strength(seconds, 5.0, START, 0, 0)


def test_every_kind_has_an_opening_and_a_cap_above_it():
    assert set(fsrs.OPENING) == set(fsrs.CAP) == set(KINDS)
    assert all(fsrs.OPENING[kind] < fsrs.CAP[kind] for kind in KINDS)


@pytest.mark.parametrize(("openings", "retained"), [(0, 1.0), (0.5, 0.94606), (1, 0.9), (2, 0.82503), (10, 0.54671), (100, 0.20221)])
def test_the_curve_has_these_values(openings, retained):
    assert fsrs.retrievability(of(HOUR), START + openings * HOUR) == pytest.approx(retained, abs=1e-5)


@given(stabilities)
def test_at_the_age_of_its_stability_a_memory_is_retained_at_nine_tenths(stability):
    assert fsrs.retrievability(of(stability, last_use=0.0), stability) == pytest.approx(0.9)


@given(stabilities, stabilities, ages)
def test_more_stability_never_means_less_retrievability(one, other, age):
    low, high = sorted((one, other))
    assert fsrs.retrievability(of(low), START + age) <= fsrs.retrievability(of(high), START + age)


@given(stabilities, ages, ages)
def test_retrievability_only_falls_with_age(stability, one, other):
    early, late = sorted((one, other))
    assert 0.0 < fsrs.retrievability(of(stability), START + late) <= fsrs.retrievability(of(stability), START + early) <= 1.0


@given(stabilities, st.floats(0.01, 1.0))
def test_the_age_at_which_a_memory_falls_to_a_value_is_the_curve_turned_round(stability, retained):
    assert fsrs.retrievability(of(stability, last_use=0.0), fsrs.age_at(retained, stability)) == pytest.approx(retained)


def test_a_clock_that_goes_backwards_finds_a_memory_fresh():
    assert fsrs.retrievability(of(HOUR), START - DAY) == 1.0
    used = fsrs.good(of(HOUR), "fact", START - DAY)
    assert (used.stability, used.last_use) == (HOUR, START)


# What lasts


@given(kinds, st.booleans())
def test_only_user_intent_and_pinned_last(kind, pinned):
    assert fsrs.lasts(kind, pinned) is (pinned or kind in ("user", "intent"))


def test_a_pinned_memory_never_fades():
    assert fsrs.retrievability(of(MINUTE), START + 1_000 * DAY, pinned=True) == 1.0


def test_taking_a_pin_off_gives_the_curve_back_from_then_on():
    pinned = of(2 * HOUR, uses=3, lapses=1)
    free = fsrs.unpinned(pinned, START + 30 * DAY)
    assert free == pinned._replace(last_use=START + 30 * DAY)
    assert fsrs.retrievability(free, START + 30 * DAY + 2 * HOUR) == pytest.approx(0.9)


# A use


def test_a_use_at_nine_tenths_doubles_the_stability():
    used = fsrs.good(of(2 * HOUR), "fact", START + 2 * HOUR)
    assert used.stability == pytest.approx(4 * HOUR, rel=1e-3)
    assert (used.last_use, used.uses, used.lapses) == (START + 2 * HOUR, 1, 0)


# Golden histories: seconds between uses, and the stability after each, worked out apart from the code.
@pytest.mark.parametrize(
    ("kind", "gaps", "expected"),
    [
        ("fact", [7_200, 7_200, 86_400], [14_401.0, 20_929.9, 77_201.5]),
        ("observation", [600, 1_800, 3_600], [2_433.8, 4_164.5, 7_242.0]),
        ("decision", [43_200, 604_800], [86_405.9, 449_430.2]),
    ],
)
def test_a_history_gives_these_stabilities(kind, gaps, expected):
    strength, now, found = fsrs.opening(kind, START), START, []
    for gap in gaps:
        now += gap
        strength = fsrs.good(strength, kind, now)
        found.append(strength.stability)
    assert found == pytest.approx(expected, rel=1e-5)


def test_twenty_recalls_a_minute_apart_gain_less_than_five_half_an_hour_apart():
    for kind in ("observation", "fact", "procedure", "decision"):
        assert recalled(kind, 20, MINUTE).stability < recalled(kind, 5, 30 * MINUTE).stability


@pytest.mark.parametrize(("outcome", "share"), [("pass", 1.0), ("uncertain", 0.5), ("fail", 0.0), ("shown", 0.0)])
def test_what_a_use_adds_is_scaled_by_how_the_attempt_came_out(outcome, share):
    whole = fsrs.good(of(2 * HOUR), "fact", START + HOUR).stability - 2 * HOUR
    assert fsrs.good(of(2 * HOUR), "fact", START + HOUR, k=fsrs.USED[outcome]).stability - 2 * HOUR == pytest.approx(share * whole)


def test_what_was_merely_shown_is_neither_fresher_nor_more_used():
    assert fsrs.good(of(HOUR), "fact", START + DAY, k=0.0) == of(HOUR)


@given(kinds, st.lists(st.floats(0.0, 90 * DAY), max_size=20), st.sampled_from([0.5, 1.0]))
def test_no_history_of_uses_passes_the_cap_or_loses_stability(kind, gaps, k):
    strength, now = fsrs.opening(kind, START), START
    for gap in gaps:
        now += gap
        before, strength = strength, fsrs.good(strength, kind, now, k=k)
        assert before.stability <= strength.stability <= fsrs.CAP[kind]
    assert strength.uses == len(gaps)


@pytest.mark.parametrize(("kind", "days"), [("observation", 1), ("fact", 30), ("procedure", 90), ("decision", 180)])
def test_a_long_history_ends_at_the_cap_of_its_kind(kind, days):
    assert recalled(kind, 60, 60 * DAY).stability == days * DAY


def test_what_came_in_above_the_cap_is_not_cut_for_being_used():
    assert fsrs.good(of(3 * DAY), "observation", START + DAY).stability == 3 * DAY


@given(stabilities, st.floats(1.0, 10.0), st.floats(1.0, 10.0), ages)
def test_what_is_harder_gains_less(stability, one, other, age):
    easy, hard = sorted((one, other))
    gains = [fsrs.good(of(stability, difficulty=d), "decision", START + age).stability for d in (easy, hard)]
    assert gains[0] >= gains[1]


# A lapse, and when a grade is due


def test_a_lapse_leaves_four_tenths_and_does_not_make_fresh():
    assert fsrs.again(of(10 * HOUR, uses=4)) == of(4 * HOUR, uses=4, lapses=1)


@given(stabilities, st.integers(1, 200))
def test_no_number_of_lapses_makes_a_stability_useless(stability, times):
    strength = of(stability)
    for _ in range(times):
        strength = fsrs.again(strength)
    assert strength.stability >= fsrs.LEAST
    assert strength.lapses == times


@pytest.mark.parametrize(
    ("last", "now", "same_turn", "due"),
    [(None, START, False, True), (START, START + 59.9, False, False), (START, START + 60.0, False, True), (START, START + DAY, True, False),
     (None, START, True, False), (START, START - DAY, False, False)],
)  # fmt: skip
def test_a_grade_is_due_once_a_turn_and_not_within_a_minute(last, now, same_turn, due):
    assert fsrs.may_grade(last, now, same_turn=same_turn) is due


# The oracle: py-fsrs counts whole days, so a day of its is an opening of ours; a ratio of times is all the formulas know.

WEIGHTS = (0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, log(6.18 / 6), 0.2, 1.5, 1.4835, 0.0614, 0.2629, 1.6483, 0.6014,
           1.8729, 0.5425, 0.0912, 0.0658, 0.5)  # fmt: skip


def oracle() -> Scheduler:
    return Scheduler(parameters=WEIGHTS, learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def card(stability_days: float, at: datetime) -> Card:
    return Card(state=State.Review, step=None, stability=stability_days, difficulty=5.0, due=at, last_review=at)


@given(st.floats(0.1, 180.0), st.integers(0, 1_000))
def test_the_curve_is_that_of_py_fsrs_on_whole_days(days, elapsed):
    at = datetime(2026, 1, 1, tzinfo=UTC)
    theirs = oracle().get_card_retrievability(card(days, at), at + timedelta(days=elapsed))
    assert fsrs.retrievability(of(days * DAY), START + elapsed * DAY) == pytest.approx(theirs, rel=1e-9)


@given(st.sampled_from(("fact", "procedure", "decision")), st.lists(st.integers(1, 60), min_size=1, max_size=8))
def test_growth_is_that_of_py_fsrs_on_whole_days(kind, gaps):
    unit, at, now = fsrs.OPENING[kind], datetime(2026, 1, 1, tzinfo=UTC), START
    scheduler, theirs, ours = oracle(), card(1.0, at), of(unit)
    for gap in gaps:
        at, now = at + timedelta(days=gap), now + gap * unit
        theirs, _ = scheduler.review_card(theirs, Rating.Good, at)
        theirs.difficulty = 5.0  # theirs moves with every review, ours only when something is learned
        ours = fsrs.good(ours, kind, now)
        assert ours.stability == pytest.approx(min(fsrs.CAP[kind], theirs.stability * unit), rel=1e-9)
        theirs.stability = ours.stability / unit
