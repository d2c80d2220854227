"""The two registers: one test for every sentence of their rules, and that nothing drives them out of their bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.rules.threshold import FILL, THETA, Clock, Registers, advanced, evicted, idled, missed, paused

START = 1_700_000_000.0


def test_they_start_at_a_tenth_and_at_eight_tenths():
    assert (Registers().theta, Registers().fill) == (0.10, 0.80)
    assert (THETA[1:], FILL[1:]) == ((0.05, 0.90), (0.80, 0.95))


# Thrash


def test_three_evictions_inside_a_minute_halve_theta():
    registers = evicted(evicted(evicted(Registers(theta=0.4), 10.0), 30.0), 69.0)
    assert registers.theta == 0.2


def test_two_evictions_inside_a_minute_halve_nothing():
    assert evicted(evicted(Registers(theta=0.4), 10.0), 11.0).theta == 0.4


def test_three_evictions_over_more_than_a_minute_halve_nothing():
    assert evicted(evicted(evicted(Registers(theta=0.4), 10.0), 40.0), 70.0).theta == 0.4


def test_three_evictions_in_one_pass_are_three_evictions():
    assert evicted(Registers(theta=0.4), 10.0, 3).theta == 0.2


def test_thrash_never_brings_theta_below_its_floor():
    assert evicted(Registers(theta=0.06), 10.0, 3).theta == 0.05


def test_thrash_halves_once_in_a_minute():
    once = evicted(Registers(theta=0.8), 10.0, 3)
    twice = evicted(once, 40.0, 5)
    assert (once.theta, twice.theta) == (0.4, 0.4)
    assert evicted(twice, 70.0, 3).theta == 0.2


def test_after_a_thrash_nothing_leaves_by_itself_for_a_minute():
    registers = evicted(Registers(), 10.0, 3)
    assert [paused(registers, at) for at in (10.0, 69.9, 70.0)] == [True, True, False]
    assert not paused(Registers(), 0.0)


def test_thrash_does_not_touch_how_full_a_window_may_become():
    assert evicted(Registers(fill=0.9), 10.0, 9).fill == 0.9


def test_no_eviction_is_no_eviction():
    assert evicted(Registers(), 500.0, 0) == Registers()


# Idle


def test_five_quiet_minutes_raise_theta_and_ease_a_raised_fill():
    registers = idled(Registers(theta=0.10, fill=0.90), 300.0)
    assert (registers.theta, registers.fill) == pytest.approx((0.15, 0.89))


def test_a_second_less_than_five_minutes_moves_nothing():
    assert idled(Registers(), 299.0) == Registers()


def test_each_five_minutes_count_once_however_often_one_looks():
    registers = Registers()
    for at in range(0, 901, 50):
        registers = idled(registers, float(at))
    assert registers.theta == pytest.approx(0.25)
    assert registers == idled(registers, 1_199.0)
    assert idled(Registers(), 900.0).theta == pytest.approx(0.25)


@pytest.mark.parametrize("event", [evicted, missed])
def test_an_eviction_or_a_miss_ends_the_quiet(event):
    registers = event(Registers(), 250.0)
    assert idled(registers, 549.0).theta == registers.theta
    assert idled(registers, 550.0).theta > registers.theta


def test_fill_is_not_eased_below_its_floor_nor_theta_raised_above_its_ceiling():
    registers = idled(Registers(fill=0.82), 300.0 * 1_000)
    assert (registers.theta, registers.fill) == (0.90, 0.80)


# Miss


def test_a_miss_lowers_theta_to_seven_tenths_and_raises_fill_at_once():
    registers = missed(Registers(theta=0.40), 5.0)
    assert (registers.theta, registers.fill) == pytest.approx((0.28, 0.85))


def test_misses_stop_at_the_floor_and_at_the_ceiling():
    registers = Registers()
    for at in range(10):
        registers = missed(registers, float(at))
    assert (registers.theta, registers.fill) == (0.05, 0.95)


# The activity clock


def test_a_gap_counts_five_minutes_at_most():
    clock = advanced(advanced(Clock(), START), START + 100.0)
    assert clock == Clock(100.0, START + 100.0)
    assert advanced(clock, START + 90_000.0).active == 400.0


def test_the_first_look_starts_the_clock_at_nothing():
    assert advanced(Clock(), START) == Clock(0.0, START)


def test_a_clock_that_goes_backwards_counts_nothing_and_goes_on_from_there():
    back = advanced(Clock(100.0, START), START - 3_600.0)
    assert back == Clock(100.0, START - 3_600.0)
    assert advanced(back, START - 3_590.0).active == 110.0


steps = st.lists(st.tuples(st.sampled_from(("evict", "miss", "idle")), st.floats(0.0, 4_000.0), st.integers(1, 20)), max_size=40)


@given(steps)
def test_no_history_drives_them_out_of_bounds(history):
    registers, at = Registers(), 0.0
    for what, gap, count in history:
        at += gap
        registers = {"evict": lambda r, t, n: evicted(r, t, n), "miss": lambda r, t, _: missed(r, t), "idle": lambda r, t, _: idled(r, t)}[
            what
        ](registers, at, count)
        assert THETA[1] <= registers.theta <= THETA[2]
        assert FILL[1] <= registers.fill <= FILL[2]
        assert len(registers.evictions) <= 3
        assert registers.quiet_since <= at
