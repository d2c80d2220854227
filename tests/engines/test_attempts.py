"""Attempts through the service: the loop is stopped at the fourth try, what is productive is not, and next week it is known what worked."""

import pytest
from trying import EDIT, FAILED, UNDO, edits, fails, passes

from clew import Clew
from clew.errors import InvalidInput

pytestmark = pytest.mark.usefixtures("ticking")


def asked(clew, **how):
    return clew.before_attempt("pytest tests/test_cart.py", **how)


def test_the_same_failing_approach_with_drifting_text_is_stopped_at_the_fourth_try(clew):
    levels = [fails(clew, line=10 + n, time=0.1 * n).level for n in range(3)]
    assert levels[-1] >= 1
    stopped = asked(clew)
    assert stopped.level == 3
    assert len(stopped.evidence) == 3
    assert "AssertionError" in stopped.evidence[0].evidence + stopped.evidence[0].template


@pytest.mark.parametrize(
    ("about", "by"),
    [
        ("AssertionError: assert 3 == 4", "failure"),
        ("E AssertionError: assert 3 == 4", "failure"),
        ("E   AssertionError: assert 3 == 4\ntests/test_cart.py:77: AssertionError", "failure"),
        ("tests/test_cart.py", "place"),
        ("tests/test_cart.py::test_total", "place"),
        ("AssertionError: assert 3 == 5", "nothing"),
        ("tests/test_cart.py::test_other", "nothing"),
    ],
)
def test_a_part_of_a_failure_finds_what_was_tried_about_it(clew, about, by):
    line = "FAILED tests/test_cart.py::test_total - AssertionError: assert 3 == 4\n"
    clew.attempt("pytest", output=FAILED.format(n=3, line=10, time=0.1).replace("===\nE", f"===\n{line}E"), exit=1)
    assert clew.tried(about).by == by
    assert len(clew.tried(about).failed) == (by != "nothing")


def test_an_attempt_keeps_the_line_that_tells_the_failure_not_the_runners_header_above_it(clew):
    header = "===== test session starts =====\nplatform linux -- Python 3.11.7\ncollected 4 items\n\n"
    clew.attempt("pytest tests/test_cart.py", output=header + FAILED.format(n=3, line=10, time=0.1), exit=1)
    assert clew.attempts()[0].evidence == "E   AssertionError: assert 3 == 4"


def test_a_rerun_after_an_edit_is_another_approach(clew):
    for n in range(6):
        fails(clew, n=n)
        edits(clew, {**EDIT, "new_string": f"b{n}"})
        assert asked(clew).level < 3


def test_an_edit_undone_and_redone_is_stopped_too(clew):
    for n in range(3):
        edits(clew, EDIT)
        fails(clew, line=n)
        edits(clew, UNDO)
    edits(clew, EDIT)
    assert asked(clew).level == 3


def test_an_alternation_of_two_failing_edits_is_stopped(clew):
    for n in range(3):
        edits(clew, EDIT)
        fails(clew, line=2 * n)
        edits(clew, UNDO)
        fails(clew, line=2 * n + 1)
    edits(clew, EDIT)
    assert asked(clew).level == 3


def test_the_user_can_let_it_run_once_more(clew):
    for n in range(3):
        fails(clew, line=n)
    clew.allow_attempt("pytest tests/test_cart.py")
    assert asked(clew).level < 3
    fails(clew, line=9)
    assert asked(clew).level == 3


def test_a_pass_begins_anew(clew):
    for n in range(3):
        fails(clew, line=n)
    passes(clew)
    assert asked(clew).level == 0


def test_the_callback_is_called_when_it_fails_again_after_the_warning(clew):
    heard = []
    for n in range(5):
        fails(clew, line=n, callback=lambda verdict, attempt: heard.append((verdict.level, attempt.target)))
    assert heard
    assert all(level == 2 for level, _ in heard)


def test_what_only_looks_is_no_attempt(clew):
    for _ in range(20):
        assert clew.attempt("src/cart.py", tool="Read", given={"file_path": "src/cart.py"}, output="error: failed").level == 0
        assert clew.attempt("git status", output="error", exit=0).level == 0
    assert clew.attempts() == []
    with pytest.raises(InvalidInput, match="never stopped"):
        clew.allow_attempt("git status")


def test_a_goal_that_was_reached_leaves_facts_and_a_decision_that_are_linked(clew):
    fails(clew)
    edits(clew)
    passes(clew)
    clew.attempt("git commit -m done", exit=0)
    clew.attempt("src/other.py", tool="Edit", given={"file_path": "src/other.py", "old_string": "x", "new_string": "y"})
    kinds = {m.kind: m for m in clew.list()}
    assert set(kinds) == {"fact", "decision"}
    assert "src/cart.py" in kinds["decision"].summary
    trail = clew.why(kinds["decision"].id)
    assert {(link.relation, link.dst) for link in trail.links if link.src == kinds["decision"].id} == {
        ("fixes", kinds["fact"].id),
        ("because", kinds["fact"].id),
    }


def test_a_goal_is_closed_once(clew):
    fails(clew)
    edits(clew)
    passes(clew)
    for n in range(3):
        clew.attempt(f"make other{n}", exit=0)
    assert len(clew.list()) == 2


def test_what_mended_it_last_time_is_told_though_it_fails_again(clew, clock):
    fails(clew, session="monday")
    edits(clew, session="monday")
    passes(clew, session="monday")
    fails(clew, session="tuesday")
    for about in ("pytest tests/test_cart.py", "AssertionError: assert 3 == 4"):
        assert [fix.changes for fix in clew.tried(about).worked] == [("src/cart.py",)]
    edits(clew, UNDO, session="wednesday")
    passes(clew, session="wednesday")
    assert [fix.passed.session for fix in clew.tried("pytest tests/test_cart.py").worked] == ["wednesday"]


def test_a_failure_without_a_word_leaves_a_fact_that_tells_its_status(clew):
    for exit in (2, 2, 0):
        clew.attempt("make check", exit=exit)
    clew.attempt("make other", exit=0)
    assert "make check failed (2 times) with exit 2" in {memory.summary for memory in clew.list()}


@pytest.mark.parametrize("about", ["pytest tests/test_cart.py", "tests/test_cart.py", FAILED.format(n=3, line=77, time=9.9)])
def test_next_week_it_is_known_what_was_tried_and_what_worked(clew, clock, about):
    fails(clew, session="monday")
    edits(clew, session="monday")
    passes(clew, session="monday")
    clock.at += 7 * 86_400
    found = clew.tried(about)
    assert found.by in ("target", "failure")
    assert len(found.failed) == 1
    assert found.worked[0].changes == ("src/cart.py",)


def test_what_was_never_tried_is_said_so(clew):
    fails(clew)
    assert clew.tried("ModuleNotFoundError: No module named 'quux'").by == "nothing"
    assert clew.tried("docs/readme.md") == clew.tried("nobody/knows.py")
    with pytest.raises(InvalidInput, match="about"):
        clew.tried("  ")


def test_attempts_of_another_project_are_not_told(clew, clock, tmp_path):
    fails(clew)
    other = tmp_path / "other"
    other.mkdir()
    with Clew(str(tmp_path / "db" / "memory.db"), root=str(other), embed="off", clock=clock) as elsewhere:
        assert elsewhere.tried("pytest tests/test_cart.py").by == "nothing"
        assert elsewhere.attempts() == []


def test_goals_are_listed_with_their_counts(clew):
    fails(clew)
    fails(clew)
    clew.attempt("npm run build", exit=0)
    (build, test) = clew.goals()
    assert (build[1], build[2]) == (1, 0)
    assert (test[1], test[2]) == (2, 2)
    assert [a.goal for a in clew.attempts(goal=test[0])] == [test[0]] * 2


@pytest.mark.parametrize(
    ("field", "how"),
    [
        ("target", {"target": " "}),
        ("target", {"target": "a\0"}),
        ("tool", {"target": "x", "tool": "\0"}),
        ("session", {"target": "x", "session": "\0"}),
        ("callback", {"target": "make", "callback": 7}),
    ],
)
def test_bad_input_names_its_field_and_keeps_nothing(clew, field, how):
    with pytest.raises(InvalidInput, match=field):
        clew.attempt(**how)
    assert clew.attempts() == []


@pytest.mark.parametrize("output", ["", "\udcff\x00\x1b[2J", "x" * 3_000_000, "é" * 10])
def test_odd_output_is_recorded_all_the_same(clew, output):
    assert clew.attempt("make", output=output, exit=2).level == 0
    assert clew.attempts()[0].outcome == "fail"


def test_secrets_in_what_failed_are_not_kept(clew, tmp_path):
    key = "AKIA" + "Q7WE3RT5YU2IO6PA"
    clew.attempt(f"deploy --key {key}", output=f"error: {key} was refused", exit=1)
    assert key.encode() not in (tmp_path / "db" / "memory.db").read_bytes() + (tmp_path / "db" / "memory.db-wal").read_bytes()
    assert key not in str(clew.attempts())


def test_a_hosts_own_alarms_are_kept_too(clew):
    for n in range(3):
        fails(clew, line=n)
    (alarm,) = clew.alarms(session="python")
    assert (alarm.level, alarm.target) == (1, "pytest tests/test_cart.py")
