"""When to warn, when to call back, when to stop, and everything that must not be taken for a loop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.convergence import replay
from benchmarks.histories import FINE, LOOPS, clocked, edit, failing, passing
from clew.model import Attempt
from clew.rules.convergence import ALLOWED, CALLBACK, LAPSES, NONE, STOP, WARN, before, closed_by, verdict

GOAL = "test: pytest"


def tries(*told: str, gap: float = 20.0) -> list[Attempt]:
    """Attempts from `outcome approach fingerprint`, a turn and `gap` seconds apart."""
    made = []
    for n, line in enumerate(told, 1):
        outcome, approach, known = (*line.split(), "", "")[:3]
        made.append(Attempt(n, "s", n, GOAL, "test", "pytest", approach, outcome, fingerprint=known, at=1_000.0 + gap * n))
    return made


def levels(*told: str, **more) -> list[int]:
    """The level after each of the attempts."""
    made = tries(*told)
    return [verdict(made[:n], now=made[n - 1].at, **more).level for n in range(1, len(made) + 1)]


def test_nothing_is_said_of_nothing():
    assert verdict([], now=0.0) == (NONE, "", ())
    assert before([], "a", now=0.0) == (NONE, "", ())


def test_the_fifth_failure_in_a_row_warns_and_the_next_calls_back():
    assert levels(*(f"fail {approach} f" for approach in "abcdefg")) == [0, 0, 0, 0, WARN, CALLBACK, CALLBACK]


def test_the_third_failure_of_one_approach_warns_and_the_fourth_try_is_stopped():
    made = tries("fail a f", "fail a f", "fail a f")
    assert [before(made[:n], "a", now=1_100.0).level for n in range(4)] == [NONE, NONE, NONE, STOP]
    assert levels("fail a f", "fail a f", "fail a f", "fail a f") == [0, 0, WARN, CALLBACK]


def test_the_stop_shows_its_three_failures_and_says_why():
    made = tries("fail a f", "fail b f", "fail a f", "fail a f")
    stopped = before(made, "a", now=1_100.0)
    assert [attempt.id for attempt in stopped.evidence] == [1, 3, 4]
    assert "failed 3 times" in stopped.reason


def test_a_warning_shows_the_failures_it_rests_on():
    drifting = verdict(tries("fail b x", "fail a f", "fail a g", "fail a h"), now=1_100.0)
    assert [attempt.approach for attempt in drifting.evidence] == ["a", "a", "a"]
    row = verdict(tries(*(f"fail {approach} f" for approach in "abcdefg")), now=1_200.0)
    assert [attempt.approach for attempt in row.evidence] == list("cdefg")


def test_a_failure_after_a_warning_calls_back_though_it_gives_no_reason_of_its_own():
    assert levels("fail a f", "fail a f", "fail a f", "fail b f") == [0, 0, WARN, CALLBACK]


def test_another_approach_is_never_stopped():
    made = tries("fail a f", "fail a f", "fail a f")
    assert before(made, "b", now=1_100.0).level == WARN


def test_one_approach_is_stopped_though_its_text_is_never_the_same():
    assert before(tries("fail a f", "fail a g", "fail a h"), "a", now=1_100.0).level == STOP


def test_ten_turns_with_two_failures_and_nothing_new_warn():
    first, second = tries("fail a f", "fail b f")
    assert verdict([first, second._replace(turn=10)], now=1_100.0).level == NONE
    slow = verdict([first, second._replace(turn=11)], now=1_100.0)
    assert (slow.level, slow.reason) == (WARN, "10 turns and 2 attempts without progress")


@pytest.mark.parametrize("progress", ["pass x", "partial x f", "fail x new"])
def test_progress_begins_the_row_anew(progress):
    assert levels("fail a f", "fail b f", "fail c f", "fail d f", progress, "fail e f", "fail g f")[-1] == NONE


@pytest.mark.parametrize("progress", ["pass x", "partial a f"])
def test_a_pass_or_a_partial_lifts_the_stop(progress):
    assert before(tries("fail a f", "fail a f", "fail a f", progress), "a", now=1_200.0).level == NONE


def test_a_new_message_of_the_user_lifts_everything():
    made = tries("fail a f", "fail a f", "fail a f")
    asked = made[-1].at + 1
    assert before(made, "a", now=asked + 1, since=asked).level == NONE
    again = [*made, made[-1]._replace(at=asked + 5, turn=9)]
    assert verdict(again, now=asked + 6, since=asked).level == NONE


@pytest.mark.parametrize("outcome", ["infra", "declined", "uncertain"])
def test_what_is_no_failure_never_counts(outcome):
    assert max(levels(*[f"{outcome} a f"] * 12)) == NONE


def test_the_user_may_let_it_run_once_more():
    made = [*tries("fail a f", "fail a f", "fail a f"), Attempt(9, "s", 4, GOAL, "test", "pytest", "a", ALLOWED, at=1_070.0)]
    assert before(made, "a", now=1_080.0).level < STOP
    after = [*made, made[0]._replace(id=10, turn=5, at=1_090.0)]
    assert before(after, "a", now=1_100.0).level == STOP


def test_a_stop_lapses_by_itself():
    made = tries("fail a f", "fail a f", "fail a f")
    assert before(made, "a", now=made[0].at + LAPSES).level == STOP
    assert before(made, "a", now=made[0].at + LAPSES + 1).level < STOP


def test_calls_that_went_out_together_are_one_try():
    together = [attempt._replace(turn=1) for attempt in tries(*["fail a f"] * 6)]
    assert verdict(together, now=1_200.0).level == NONE
    unknown = [attempt._replace(turn=0) for attempt in tries(*["fail a f"] * 3)]
    assert verdict(unknown, now=1_200.0).level == WARN


def test_equal_turns_of_two_sessions_are_not_together():
    made = [attempt._replace(turn=1, session=name) for attempt, name in zip(tries(*["fail a f"] * 3), "xyz", strict=True)]
    assert verdict(made, now=1_200.0).level == WARN


def test_a_goal_is_closed_by_a_pass_that_holds():
    made = tries("fail a f", "pass b")
    assert closed_by(made, turn=2) is None
    assert closed_by(made, turn=3) == made[-1]
    assert closed_by([*made, *tries("fail a f")], turn=9) is None
    assert closed_by([*made, made[-1]._replace(outcome="declined")], turn=9) == made[-1]
    assert closed_by([], turn=9) is None


@pytest.mark.parametrize("name", LOOPS)
def test_a_true_loop_is_stopped(name):
    assert STOP in [level for made in replay(LOOPS[name]).values() for level in made]


@pytest.mark.parametrize("name", FINE)
def test_work_that_looks_like_a_loop_is_left_alone(name):
    assert [made for made in replay(FINE[name]).values() if max(made)] == []


def test_of_one_command_the_fourth_call_is_the_one_refused():
    (made,) = replay(clocked([failing("pytest", "E   AssertionError: assert 1 == 2")] * 4)).values()
    assert made == [0, 0, WARN, STOP, CALLBACK]


def test_two_failing_commands_by_turns_are_each_refused_at_their_fourth_call():
    commands = [failing("gh pr merge 1", "not mergeable"), failing("gh pr merge 2", "not mergeable either")] * 4
    (made,) = replay(clocked(commands)).values()
    assert made.index(STOP) == 6
    assert made.count(STOP) == 2


def test_an_edit_undone_and_redone_is_stopped_and_a_new_edit_is_not():
    do, undo, check = edit("a.py", "1", "2"), edit("a.py", "2", "1"), failing("pytest", "E   KeyError: 'k'")
    there_and_back = replay(clocked([do, check, undo, check] * 4))["test: pytest"]
    assert there_and_back.index(STOP) == 6
    onward = [step for n in range(4) for step in (edit("a.py", str(n), str(n + 1)), check)]
    assert STOP not in replay(clocked(onward))["test: pytest"]


def test_a_pass_between_keeps_everything_quiet():
    (made,) = replay(clocked([failing("pytest", "E   x"), failing("pytest", "E   x"), passing("pytest")] * 5)).values()
    assert max(made) == NONE


@given(
    st.lists(
        st.tuples(st.sampled_from(["pass", "fail", "partial", "infra", "declined", "odd"]), st.sampled_from("ab"), st.sampled_from("fg"))
    )
)
def test_any_history_has_a_verdict_and_only_the_repeated_is_stopped(told):
    made = tries(*(" ".join(parts) for parts in told))
    for approach in "ab":
        found = before(made, approach, now=2_000.0)
        assert NONE <= found.level <= STOP
        assert bool(found.reason) == (found.level > NONE)
        if found.level == STOP:
            assert {attempt.approach for attempt in found.evidence} == {approach}
            assert len(found.evidence) == 3
    assert before(made, "never tried", now=2_000.0).level < STOP
