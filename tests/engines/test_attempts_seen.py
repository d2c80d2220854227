"""Attempts as hooks see them: calls sent at once are one try, a message begins anew, and a failure of an earlier session is told."""

import pytest
from trying import EDIT, FAILED, edits, fails, passes

from clew import Clew
from clew.model import Event

pytestmark = pytest.mark.usefixtures("ticking")


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


def test_what_a_hook_left_in_the_spool_is_known_to_who_asks_at_once(clew, tmp_path):
    for n in range(3):
        clew.capture(tool_event(n))
    assert [a.target for a in clew.attempts()] == ["make check"] * 3
    clew.capture(tool_event(3))
    assert len(clew.tried("make check").failed) == 4
    clew.capture(tool_event(4))
    assert clew.goals()[0][1] == 5
    clew.capture(tool_event(5))
    assert [alarm.level for alarm in clew.alarms(session="s1")] == [2, 2, 2, 1]
    clew.capture(tool_event(6))
    with Clew(str(tmp_path / "db" / "memory.db"), root=str(tmp_path), embed="off", read_only=True) as reader:
        assert len(reader.attempts()) == 6


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
