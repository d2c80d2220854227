"""Credit: memories used while a goal was reached gain, those that were only there gain half of it, a goal left failing costs."""

import pytest

from clew import Clew
from clew.model import Event
from clew.rules import fsrs
from clocks import START

FAILED = "E   AssertionError: assert {n} == 4\ntests/test_cart.py:9: AssertionError\n=== 1 failed in 0.1s ===\n"


pytestmark = pytest.mark.usefixtures("ticking")


@pytest.fixture
def clew(clew):
    """The store with three memories, by number."""
    for text in ("used: prices are in cents", "present: deploys go out on Tuesdays", "absent: the logo is blue"):
        clew.remember(text)
    return clew


USED, PRESENT, ABSENT = 1, 2, 3


def tries(clew, outcome, session="s1"):
    how = {"output": FAILED.format(n=3), "exit": 1} if outcome == "fail" else {"output": "=== 3 passed in 0.12s ===\n", "exit": 0}
    clew.attempt("pytest tests/test_cart.py", session=session, **how)


def works(clew, clock, session="s1"):
    """A failure, then a recall that brings one memory while another lies in the window."""
    clock.at += 120.0
    tries(clew, "fail", session)
    with clew._store.transaction():
        clew._store.mark_shown(session, [(USED, START), (PRESENT, START)])
    clock.at += 60.0
    clew.used(USED)
    clew.take_in()
    clock.at += 120.0


def goes_on(clew, session="s1"):
    clew.attempt("git commit -m done", exit=0, session=session)


def ends(clew, session="s1"):
    clew.capture(Event("session_end", "claude-code", session, source="other"))
    clew.take_in()


def credits(clew):
    return [round(clew.show(number).credit, 6) for number in (USED, PRESENT, ABSENT)]


def test_a_goal_that_was_reached_credits_what_was_used_and_half_as_much_what_was_there(clew, clock):
    works(clew, clock)
    tries(clew, "pass")
    assert credits(clew) == [0.0, 0.0, 0.0]
    goes_on(clew)
    assert credits(clew) == [0.10, 0.05, 0.0]


def test_a_goal_is_credited_once_however_often_goals_are_closed(clew, clock):
    works(clew, clock)
    tries(clew, "pass")
    for _ in range(4):
        goes_on(clew)
        ends(clew)
    assert credits(clew) == [0.10, 0.05, 0.0]


def test_what_was_used_is_graded_good_when_the_attempt_passed_and_nothing_else_is(clew, clock):
    works(clew, clock)
    before = [clew.show(number).strength for number in (USED, PRESENT)]
    tries(clew, "pass")
    clock.at += 600.0
    goes_on(clew)
    after = [clew.show(number).strength for number in (USED, PRESENT)]
    assert after[0] == fsrs.good(before[0], "fact", after[0].last_use, k=1.0)
    assert after[0].stability > before[0].stability
    assert after[1] == before[1]


def test_a_grade_is_not_given_twice_within_a_minute(clew, clock):
    works(clew, clock)
    clock.at -= 120.0  # the pass comes at once after the recall
    used = clew.show(USED).strength
    tries(clew, "pass")
    goes_on(clew)
    assert clew.show(USED).strength == used
    assert credits(clew)[0] == 0.10


def test_a_session_that_ends_with_a_failing_goal_costs_credit_once(clew, clock):
    works(clew, clock)
    tries(clew, "fail")
    strength = clew.show(USED).strength
    goes_on(clew)
    assert credits(clew) == [0.0, 0.0, 0.0]
    ends(clew)
    assert credits(clew) == [-0.10, -0.05, 0.0]
    assert clew.show(USED).strength == strength
    ends(clew)
    assert credits(clew) == [-0.10, -0.05, 0.0]


def test_a_goal_that_failed_in_one_session_and_passed_in_the_next_moves_credit_for_each(clew, clock):
    works(clew, clock, "monday")
    tries(clew, "fail", "monday")
    ends(clew, "monday")
    works(clew, clock, "tuesday")
    tries(clew, "pass", "tuesday")
    ends(clew, "tuesday")
    assert credits(clew) == [round(0.95 * -0.10 + 0.10, 6), round(0.95 * -0.05 + 0.05, 6), 0.0]
    assert {m.kind for m in clew.list()} == {"fact", "decision"}


def test_what_was_used_before_the_first_attempt_is_not_credited(clew, clock):
    clew.used(ABSENT)
    clew.take_in()
    works(clew, clock)
    tries(clew, "pass")
    goes_on(clew)
    assert credits(clew)[2] == 0.0


def test_what_another_session_was_shown_is_not_credited(clew, clock):
    with clew._store.transaction():
        clew._store.mark_shown("other", [(ABSENT, START)])
    works(clew, clock)
    tries(clew, "pass")
    goes_on(clew)
    assert credits(clew)[2] == 0.0


def test_a_resting_memory_that_helped_rests_no_longer(clew, clock):
    works(clew, clock)
    memory = clew.show(USED)
    with clew._store.transaction():
        clew._store.save(memory._replace(resting=True), clew._store.owner(USED))
    tries(clew, "pass")
    clock.at += 120.0
    goes_on(clew)
    assert not clew.show(USED).resting


def test_a_pass_without_a_failure_before_it_moves_nothing(clew, clock):
    with clew._store.transaction():
        clew._store.mark_shown("s1", [(PRESENT, START)])
    tries(clew, "pass")
    goes_on(clew)
    ends(clew)
    assert credits(clew) == [0.0, 0.0, 0.0]


def test_a_goal_closed_by_two_processes_at_once_is_credited_once(clew, clock, monkeypatch):
    works(clew, clock)
    tries(clew, "pass")
    with Clew(clew._settings.database, root=str(clew._root), embed="off", clock=clock, long_lived=False) as other:
        meaning = clew._with_meaning
        monkeypatch.setattr(clew, "_with_meaning", lambda verb: (other._close_goals(), meaning(verb))[1])
        goes_on(clew)
    assert credits(clew) == [0.10, 0.05, 0.0]
