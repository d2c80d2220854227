"""Goals, approaches and the changes in effect: the same command after an edit is another approach, after its undoing the old one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.rules.goals import aim_of, change_of, changed, edit_arguments

DO, UNDO = (f"edit:src/a.py:{edit_arguments(*texts)}" for texts in (("a", "b"), ("b", "a")))


def run(command: str, changes: tuple[str, ...] = ()):
    return aim_of("Bash", command, changes=changes, request="make the cart add up")


@pytest.mark.parametrize("tool", ["Bash", "bash", "run_shell_command", "shell", "execute_command", "functions.exec_command"])
def test_a_test_is_the_goal_whatever_the_client_calls_its_shell(tool):
    aim = aim_of(tool, "cd /x && go test -v ./cart | tail -3")
    assert (aim.goal, aim.action, aim.counts) == ("test: go test cart", "test", True)


def test_an_edit_has_its_file_for_a_goal():
    aim = aim_of("Edit", "/home/a/shop/src/a.py", arguments=edit_arguments("a", "b"), root="/home/a/shop")
    assert (aim.goal, aim.action, aim.counts, aim.approach) == ("edit: src/a.py", "edit", True, DO)
    assert aim.change == aim.approach


def test_anything_else_is_for_what_the_user_asked():
    assert run("gh pr create").goal == "request: make the cart add up"
    assert aim_of("mcp__linear__create_issue", "x").goal == "request"


@pytest.mark.parametrize(
    "tool", ["Read", "Grep", "mcp__linear__get_issue", "WebFetch", "TaskOutput", "TodoWrite", "AskUserQuestion", "", "_"]
)
def test_reading_waiting_and_talking_are_no_attempts(tool):
    assert not aim_of(tool, "src/a.py").counts


@pytest.mark.parametrize("command", ["cat x", "gh pr checks 12", "sleep 300 && ./deployed.sh", "", "   "])
def test_a_command_that_looks_or_waits_is_no_attempt(command):
    assert not run(command).counts


def test_an_unknown_tool_is_a_call_that_counts():
    aim = aim_of("mcp__linear__create_issue", "", arguments='{"title": "x"}')
    assert (aim.action, aim.counts) == ("call", True)
    assert aim.approach != aim_of("mcp__linear__create_issue", "", arguments='{"title": "y"}').approach


def test_the_same_work_in_another_dress_is_one_approach():
    assert run("go test ./cart").approach == run("cd /x && timeout 60 go test -v -count=1 ./cart 2>&1 | head").approach
    assert run("go test ./cart").approach != run("go test -race ./cart").approach


def test_after_an_edit_the_same_command_is_another_approach_until_it_is_undone():
    before, after = run("pytest"), run("pytest", changed((), DO))
    assert before.approach != after.approach
    assert before.goal == after.goal
    assert run("pytest", changed(changed((), DO), UNDO)).approach == before.approach
    assert run("pytest", changed(changed(changed((), DO), UNDO), DO)).approach == after.approach


def test_the_same_edit_tried_again_is_the_same_approach():
    first = aim_of("Edit", "a.py", arguments=edit_arguments("x", "y"))
    assert first.approach == aim_of("Edit", "a.py", arguments=edit_arguments("x", "y"), changes=(DO,)).approach
    assert first.approach != aim_of("Edit", "a.py", arguments=edit_arguments("x", "z")).approach


def test_a_file_written_anew_forgets_its_edits():
    written = f"edit:src/a.py:{edit_arguments('', 'whole')}"
    assert changed(changed((), DO), written) == (written,)
    assert changed((DO, "ran:1"), written) == ("ran:1", written)


def test_a_restored_file_has_no_edits_and_all_are_gone_when_none_is_named():
    other = "edit:src/b.py:1>2"
    assert changed((DO, other), run("git checkout -- src/a.py").change) == (other,)
    assert changed((DO, other, "ran:1"), run("git stash").change) == ("ran:1",)


def test_the_same_command_changes_once_and_a_merge_each_time():
    install, merge = run("npm install").change, run("git merge main").change
    assert changed(changed((), install), install) == (install,)
    assert len(changed(changed((), merge), merge)) == 2


def test_the_order_of_the_changes_does_not_matter():
    assert run("pytest", (DO, "ran:1")).approach == run("pytest", ("ran:1", DO)).approach


@pytest.mark.parametrize("command", ["npm install", "git merge main", "git stash", "git restore a.py"])
def test_a_change_is_read_back_from_the_approach_that_was_kept(command):
    aim = run(command, (DO,))
    assert change_of(aim.approach) == aim.change != ""
    assert change_of(run("pytest").approach) == ""
    assert change_of(DO) == DO


@given(st.text(max_size=50), st.text(max_size=50), st.text(max_size=50), st.lists(st.text(max_size=20), max_size=3))
def test_whatever_a_client_sends_there_is_an_aim(tool, target, arguments, changes):
    aim = aim_of(tool, target, arguments=arguments, changes=changes, request=target)
    assert aim.goal and aim.approach
    assert isinstance(changed(changes, aim.change), tuple)
