"""Attempts through the service: the loop is stopped at the fourth try, what is productive is not, and next week it is known what worked."""

import pytest

from clew import Clew
from clew.errors import InvalidInput
from clew.model import Event
from clocks import Clock

FAILED = "=== FAILURES ===\nE   AssertionError: assert {n} == 4\ntests/test_cart.py:{line}: AssertionError\n=== 1 failed in {time}s ===\n"
PASSED = "=== 3 passed in 0.12s ===\n"
EDIT = {"file_path": "src/cart.py", "old_string": "a", "new_string": "b"}
UNDO = {"file_path": "src/cart.py", "old_string": "b", "new_string": "a"}


@pytest.fixture
def clock():
    """A clock that goes on by a second whenever it is read."""
    return Clock(step=1.0)


@pytest.fixture
def clew(clock, tmp_path):
    with Clew(str(tmp_path / "memory.db"), root=str(tmp_path), embed="off", clock=clock, long_lived=False) as made:
        yield made


def fails(clew, n=3, line=10, time=0.1, **how):
    return clew.attempt("pytest tests/test_cart.py", output=FAILED.format(n=n, line=line, time=time), exit=1, **how)


def passes(clew, **how):
    return clew.attempt("pytest tests/test_cart.py", output=PASSED, exit=0, **how)


def edits(clew, given=EDIT, **how):
    return clew.attempt("src/cart.py", tool="Edit", given=given, **how)


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
    with Clew(str(tmp_path / "memory.db"), root=str(other), embed="off", clock=clock) as elsewhere:
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
    assert key.encode() not in (tmp_path / "memory.db").read_bytes() + (tmp_path / "memory.db-wal").read_bytes()
    assert key not in str(clew.attempts())


def tool_event(n, **changes):
    base = Event(
        "tool", "claude-code", "s1", tool="Bash", target="make check", given={"command": "make check"}, failed=True, exit=2, id=f"t{n}"
    )
    return base._replace(text=f"Exit code 2\nmake: *** [check] Error 2 after {n}s", **changes)


def test_hooks_and_spool_count_at_once_and_the_store_agrees_later(clew):
    packs = [clew.capture(tool_event(n)) for n in range(3)]
    assert "not getting anywhere" in packs[2].text
    before = Event("before_tool", "claude-code", "s1", tool="Bash", target="make check", given={"command": "make check"})
    refusal = clew.capture(before).text
    assert "failed 3 times" in refusal
    assert clew.take_in() == 4  # the three results and the stop
    assert clew.capture(before).text.split("\n")[0] == refusal.split("\n")[0]
    assert [a.turn for a in clew.attempts()] == [3, 2, 1]


def test_a_message_of_the_user_begins_anew(clew):
    for n in range(3):
        clew.capture(tool_event(n))
    clew.capture(Event("prompt", "claude-code", "s1", text="try it once more please, I fixed the server", id="p2"))
    assert clew.capture(Event("before_tool", "claude-code", "s1", tool="Bash", target="make check")).text == ""


def test_a_known_failure_is_told_when_it_appears_in_a_later_session(clew, clock):
    fails(clew, session="monday")
    edits(clew, session="monday")
    passes(clew, session="monday")
    clock.at += 86_400
    text = clew.capture(tool_event(1, target="pytest tests/test_cart.py")._replace(text=FAILED.format(n=3, line=55, time=4), exit=1)).text
    assert "This failure was met before, first 1d ago." in text
    assert "passed after: src/cart.py" in text


def told(clew, clock, event, *, after=3.0, took=0.0):
    """A finished call, `after` seconds after the one before was: a model that reads and writes takes that long."""
    clock.at += after + took - 1.0  # the clock goes on by one more when it is read
    return clew.capture(event._replace(took=took)).text


def before(clew, command="make check"):
    asked = Event("before_tool", "claude-code", "s1", tool="Bash", target=command, given={"command": command})
    return clew.capture(asked).text


def test_the_same_call_sent_several_times_at_once_is_one_try(clew, clock):
    for n in range(4):
        assert told(clew, clock, tool_event(n), after=0.0) == ""
    assert before(clew) == ""
    clew.take_in()
    assert {a.turn for a in clew.attempts()} == {1}
    assert before(clew) == ""


def test_the_same_call_sent_several_times_and_run_one_after_the_other_is_one_try(clew, clock):
    for n in range(4):
        assert told(clew, clock, tool_event(n), after=0.2, took=30.0) == ""
    assert before(clew) == ""


def test_two_turns_of_three_calls_each_are_two_tries(clew, clock):
    for n in range(6):
        text = told(clew, clock, tool_event(n), after=4.0 if n == 3 else 0.0)
    assert text == ""
    assert "not getting anywhere" in told(clew, clock, tool_event(7))
    assert [a.turn for a in reversed(clew.attempts())] == []
    clew.take_in()
    assert [a.turn for a in reversed(clew.attempts())] == [1, 1, 1, 2, 2, 2, 3]


@pytest.mark.parametrize("after", [1.2, 2.0, 30.0])
@pytest.mark.parametrize("took", [0.0, 0.05, 20.0])
def test_a_loop_of_fast_turns_is_stopped_all_the_same(clew, clock, after, took):
    for n in range(3):
        text = told(clew, clock, tool_event(n), after=after, took=took)
    assert "not getting anywhere" in text
    assert "failed 3 times" in before(clew)


def test_turns_go_on_from_what_the_store_knows(clew, clock):
    told(clew, clock, tool_event(1))
    clew.take_in()
    told(clew, clock, tool_event(2), after=-0.9)  # taking in looked at the clock too
    told(clew, clock, tool_event(3))
    clew.take_in()
    assert [a.turn for a in reversed(clew.attempts())] == [1, 1, 2]
    assert clew._store.progress("s1").calls == 2


@pytest.mark.parametrize("turn", [None, -1, 0, "7", True, 1 << 40, [3]])
def test_a_line_without_a_sound_turn_counts_as_one_more(clew, turn):
    line = {"kind": "tool", "session": "s1", "at": 5.0, "tool": "Bash", "target": "x", "turn": turn, "place": [["path:/x"], "x", "/x"]}
    clew._spool.append(line)
    clew.take_in()
    assert clew._store.progress("s1").calls == 1


def test_warnings_and_stops_are_kept_with_why_and_counted_in_the_status(clew, clock):
    for n in range(4):
        told(clew, clock, tool_event(n))
    before(clew)
    clock.at += 5.0
    before(clew)
    clew.take_in()
    assert [(a.level, a.goal, a.target) for a in clew.alarms(session="s1")] == [
        (3, "test: make check", "make check"),
        (3, "test: make check", "make check"),
        (2, "test: make check", "make check"),
        (1, "test: make check", "make check"),
    ]
    assert "failed 3 times" in clew.alarms(session="s1")[-1].reason
    assert clew.alarms(session="s1")[-1].at > clock.at - 60
    assert clew.status()["alarms"] == {"session": "s1", "warnings": 1, "callbacks": 1, "stops": 2}
    assert clew.alarms(session="s2") == []


def test_a_hosts_own_alarms_are_kept_too(clew):
    for n in range(3):
        fails(clew, line=n)
    (alarm,) = clew.alarms(session="python")
    assert (alarm.level, alarm.target) == (1, "pytest tests/test_cart.py")


@pytest.mark.parametrize("verdict", ["", "no JSON", "[]", '{"level": "x"}', 7, None, {"level": 1}])
def test_a_verdict_that_we_did_not_write_is_left_out(clew, verdict):
    place = {"place": [["path:/x"], "x", "/x"], "session": "s1", "at": 5.0}
    clew._spool.append({"kind": "verdict", "verdict": verdict, **place})
    assert clew.take_in() == 1
    assert clew.alarms(session="s1", project="x") == []


def left_failing(clew, clock, session="monday"):
    for n in range(2):
        edits(clew, {**EDIT, "new_string": f"b{n}"}, session=session)
        fails(clew, n=n, session=session)
    clock.at += 7 * 86_400


def new_failure(clew, clock, session, target="pytest tests/test_cart.py"):
    text = "E   ImportError: no module named cart\ntests/test_cart.py:1: ImportError\n=== 1 failed in 0.1s ==="
    event = tool_event(1, target=target)._replace(session=session, given={"command": target}, exit=1)
    return told(clew, clock, event._replace(text=text))


def test_the_first_failure_at_a_goal_that_was_left_failing_tells_what_was_tried_once_a_session(clew, clock):
    left_failing(clew, clock)
    told_once = new_failure(clew, clock, "s1")
    assert told_once.split("\n")[1].startswith("An earlier session left this failing, 7d ago, after 2 failed tries.")
    assert "changed in vain: src/cart.py" in told_once
    assert new_failure(clew, clock, "s1") == ""
    assert "left this failing" in new_failure(clew, clock, "s2")


def test_a_goal_that_was_reached_in_the_end_is_not_called_left(clew, clock):
    left_failing(clew, clock)
    passes(clew, session="tuesday")
    assert new_failure(clew, clock, "s1") == ""


def test_what_was_left_a_month_ago_or_is_no_test_is_not_told(clew, clock):
    clew.attempt("deploy --now", output="error: no", exit=1, session="monday")
    assert new_failure(clew, clock, "s1", "deploy --now") == ""
    left_failing(clew, clock)
    clock.at += 31 * 86_400
    assert new_failure(clew, clock, "s1") == ""
