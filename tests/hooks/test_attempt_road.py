"""Attempts on Claude Code's road, a process for every event: a loop is warned and stopped, work is left alone, nothing breaks."""

import json
import os

import pytest
from client_at_work import Client, forked

FAILED = "Exit code 1\nE   AssertionError: assert 3 == 4\ntests/test_cart.py:{n}: AssertionError\n=== 1 failed in 0.{n}s ==="
TEST = "pytest tests/test_cart.py"
REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


@pytest.fixture
def client(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    return Client(folder)


def may_run(client, command=TEST, **fields):
    """Why the client may not run a command, "" when it may."""
    answer = client("PreToolUse", tool_name="Bash", tool_input={"command": command}, **fields)
    assert (answer.code, answer.err) == (0, b"")
    return answer.refusal


def runs(client, command=TEST, error=None, after=3.0, **fields):
    """The agent thinks for `after` seconds and runs a command, which fails with `error`; what the agent is told with the result."""
    client.ahead += after
    if error is None:
        told = {"tool_response": {"stdout": "=== 3 passed in 0.12s ===", "stderr": "", "interrupted": False}}
        answer = client("PostToolUse", tool_name="Bash", tool_input={"command": command}, **told, **fields)
    else:
        answer = client("PostToolUseFailure", tool_name="Bash", tool_input={"command": command}, error=error, **fields)
    assert (answer.code, answer.err) == (0, b"")
    return answer.text


def fails(client, n, command=TEST, **fields):
    return runs(client, command, FAILED.format(n=n), tool_use_id=f"toolu_{command}_{n}", **fields)


def edits(client, old="a", new="b"):
    client.ahead += 3.0
    given = {"file_path": str(client.folder / "src" / "cart.py"), "old_string": old, "new_string": new}
    assert client("PreToolUse", tool_name="Edit", tool_input=given).out == b""
    return client("PostToolUse", tool_name="Edit", tool_input=given, tool_response={"filePath": given["file_path"]}).text


def loops(client, times=3):
    """The same failing command, its text another each time; what was told with the last result."""
    for n in range(times):
        assert may_run(client) == ""
        told = fails(client, n)
    return told


def test_a_loop_is_warned_with_the_third_result_and_refused_before_the_fourth_try(client):
    assert fails(client, 0) == fails(client, 1) == ""
    warning = fails(client, 2)
    assert "This is not getting anywhere: the same approach failed 3 times" in warning
    assert "pytest tests/test_cart.py (test, exit 1)" in warning
    refusal = may_run(client)
    assert "clew stopped this before it ran: this very approach failed 3 times" in refusal
    assert refusal.count("AssertionError") + refusal.count("×3") >= 1
    assert may_run(client) != ""
    assert may_run(client, "ls") == may_run(client, "pytest tests/test_other.py") == ""


def test_a_refusal_shows_the_three_records(client):
    for text in ("assert 3 == 4", "assert 3 == 5", "assert 3 == 6"):
        runs(client, error=f"Exit code 1\nE   AssertionError: {text}\ntests/test_cart.py:1: AssertionError\n=== 1 failed in 0.1s ===")
    told = may_run(client)
    assert [line for line in told.split("\n") if line.startswith("- ")] != []
    assert told.count("\n- ") == 3


def test_a_message_of_the_user_lifts_it(client):
    loops(client)
    client.ahead += 3.0
    client("UserPromptSubmit", prompt="I restarted the database, try again please")
    assert may_run(client) == ""
    assert fails(client, 7) == ""


def test_a_timer_or_a_command_of_the_client_does_not_lift_it(client):
    loops(client)
    client("UserPromptSubmit", prompt="<task-notification>done</task-notification>", source="task_notification")
    client("UserPromptSubmit", prompt="/compact")
    assert may_run(client) != ""


def test_an_edit_lifts_it_and_its_undoing_brings_it_back(client):
    loops(client)
    edits(client, "a", "b")
    assert may_run(client) == ""
    edits(client, "b", "a")
    assert may_run(client) != ""


def test_the_users_word_lets_it_run_once_and_no_more(client):
    loops(client)
    with client.clew() as clew:
        clew.allow_attempt(TEST, session=client.session)
    assert may_run(client) == ""
    assert "failed again after that warning" in fails(client, 9)
    assert may_run(client) != ""


def test_a_pass_lifts_it(client):
    loops(client)
    runs(client)
    assert may_run(client) == ""


def test_it_lapses_after_an_hour(client):
    loops(client)
    client.ahead += 3_700.0
    assert may_run(client) == ""


def test_an_alternation_of_two_failing_edits_is_refused(client):
    for n in range(3):
        edits(client, "a", "b")
        fails(client, 2 * n)
        edits(client, "b", "a")
        fails(client, 2 * n + 1)
    edits(client, "a", "b")
    assert may_run(client) != ""


def test_the_store_agrees_with_the_spool(client):
    loops(client)
    refusal = may_run(client)
    client("Stop", last_assistant_message="it fails")
    assert may_run(client).split("\n")[0] == refusal.split("\n")[0]
    with client.clew() as clew:
        assert [(a.turn, a.outcome) for a in clew.attempts()] == [(3, "fail"), (2, "fail"), (1, "fail")]
        assert clew.status()["alarms"] == {"session": client.session, "warnings": 1, "callbacks": 0, "stops": 1}


def test_two_installs_refuse_alike_and_one_stop_is_counted(client):
    loops(client)
    assert may_run(client, tool_use_id="toolu_9") == may_run(client, tool_use_id="toolu_9") != ""
    with client.clew() as clew:
        clew.take_in()
        assert clew.status()["alarms"]["stops"] == 1


def test_two_sessions_in_one_project_do_not_stop_each_other(client):
    loops(client)
    other = Client(client.folder, "s2")
    other.ahead = client.ahead
    assert may_run(other) == ""
    assert "failed 3 times" not in fails(other, 1)
    assert may_run(other) == ""
    assert may_run(client) != ""


def test_calls_sent_together_are_one_try(client):
    for n in range(4):
        assert fails(client, n, after=3.0 if n == 0 else 0.05) == ""
    assert may_run(client) == ""
    for n in range(4):  # run one after the other, each for half a minute
        assert fails(client, 10 + n, after=33.0 if n == 0 else 30.1, duration_ms=30_000) == ""
    assert may_run(client) == ""
    assert "failed 3 times" in fails(client, 20)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "gh pr checks 12"}),
        ("Bash", {"command": "sleep 300 && curl -s http://localhost:8080/health"}),
        ("Bash", {"command": "until curl -sf http://localhost:8080; do sleep 5; done"}),
        ("Bash", {"command": "git status"}),
        ("Read", {"file_path": "src/cart.py"}),
        ("Grep", {"pattern": "error"}),
        ("BashOutput", {"bash_id": "1"}),
        ("TodoWrite", {"todos": []}),
        ("mcp__github__get_issue", {"number": 4}),
    ],
)
def test_polls_and_reads_never_count(client, tool, given):
    for n in range(12):
        client.ahead += 3.0
        answer = client("PostToolUseFailure", tool_name=tool, tool_input=given, error="Exit code 1\nerror: pending", tool_use_id=f"t{n}")
        assert (answer.code, answer.out) == (0, b"")
    assert client("PreToolUse", tool_name=tool, tool_input=given).out == b""
    with client.clew() as clew:
        clew.take_in()
        assert clew.attempts() == []


@pytest.mark.parametrize(
    ("error", "fields", "outcome"),
    [
        (REJECTED, {}, "declined"),
        ("[Request interrupted by user for tool use]", {}, "declined"),
        ("Exit code 137\nkilled", {"is_interrupt": True}, "declined"),
        ("Exit code 22\ncurl: (22) The requested URL returned error: 503 Service Unavailable", {}, "infra"),
        ("Exit code 1\nError: 429 Too Many Requests: rate limit exceeded", {}, "infra"),
        ("Exit code 128\nfatal: unable to access: Could not resolve host: example.invalid", {}, "infra"),
    ],
)
def test_what_the_user_declined_and_what_the_network_did_never_counts(client, error, fields, outcome):
    for n in range(8):
        assert runs(client, "make deploy", error, tool_use_id=f"t{n}", **fields) == ""
    assert may_run(client, "make deploy") == ""
    with client.clew() as clew:
        clew.take_in()
        assert {a.outcome for a in clew.attempts()} == {outcome}


ODD = [
    {"tool_name": "Bash", "tool_input": {"command": "make"}, "error": ""},
    {"tool_name": "", "tool_input": {"command": "make"}, "error": "Exit code 1"},
    {"tool_input": {"command": "make"}, "error": "Exit code 1"},
    {"tool_name": ["Bash"], "tool_input": "make", "error": {"code": 1}},
    {"tool_name": "Bash", "tool_input": None, "error": 7, "is_interrupt": "yes", "duration_ms": "long"},
    {"tool_name": "Bash", "tool_input": {"command": 5}, "error": "Exit code 99999999999999999999"},
    {"tool_name": "Bash", "tool_input": {"command": "make"}, "error": "Exit code x", "duration_ms": -1e308},
    {"tool_name": "Bash", "tool_input": {"command": "\ud800\0\x1b[2J"}, "error": "\udfff\0"},
    {"tool_name": "Edit", "tool_input": {"file_path": 1, "edits": [None, 3, {"old_string": []}]}, "error": "x"},
    {"tool_name": "Bash", "tool_input": {"command": "((((" * 5_000 + "'\"`$("}, "error": "E   " * 50_000},
]


@pytest.mark.parametrize("fields", ODD)
@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "PostToolUseFailure"])
def test_odd_payloads_are_passed_over_in_silence(client, event, fields):
    loops(client)
    for n in range(4):
        client.ahead += 3.0
        answer = client(event, **fields, tool_use_id=f"odd{n}")
        assert (answer.code, answer.err) == (0, b"")
        assert not (event == "PreToolUse" and answer.out)
    with client.clew() as clew:
        clew.take_in()
        assert not [note for note in clew.status()["notes"] if "hook failed" in note]
    if event != "PostToolUse":  # what came back well may have changed something
        assert may_run(client) != ""


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"\xff\xfe{", b'{"session_id": "s1"', b'{"session_id": "\xff\xfe"}'])
def test_what_is_no_json_is_passed_over_and_told_in_the_status(client, raw):
    loops(client)
    for event in ("PreToolUse", "PostToolUse", "PostToolUseFailure"):
        answer = forked(["claude", event], raw)
        assert (answer.code, answer.out, answer.err) == (0, b"", b"")
    with client.clew() as clew:
        told = [note for note in clew.status()["notes"] if "hook failed" in note]
    assert bool(told) is (raw not in (b"", b"[]", b"null"))


def test_fifty_megabytes_of_output_break_nothing_and_what_was_skipped_is_told(client):
    big = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": {"stdout": "x" * (50 << 20), "stderr": ""}}
    answer = client("PostToolUse", **big)
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")
    with client.clew() as clew:
        assert "33,554,432 bytes and more" in " ".join(clew.status()["notes"])


def test_a_large_output_is_recorded_by_its_ends(client):
    error = "Exit code 2\n" + "compiling things\n" * 200_000 + "src/cart.c:3:5: error: expected ';'\nmake: *** [all] Error 2"
    runs(client, "make", error)
    with client.clew() as clew:
        clew.take_in()
        (attempt,) = clew.attempts()
    assert (attempt.outcome, attempt.exit) == ("fail", 2)
    assert "expected ';'" in attempt.template


def _unwritable(path):
    path.write_text("1 s1\n")
    path.chmod(0)


def _folder(path):
    path.mkdir()
    (path / "x").touch()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b"\xff\xfe nonsense \x00"),
        lambda path: path.write_text("9e999 s1\nnan s1\n"),
        lambda path: path.symlink_to("/dev/zero"),
        lambda path: path.symlink_to("/nowhere/at/all"),
        os.mkfifo,
        _unwritable,
        _folder,
    ],
    ids=["damaged", "not numbers", "link to a device", "dangling link", "pipe", "unreadable", "folder"],
)
def test_a_guard_file_in_a_bad_way_breaks_nothing(client, a_home_of_its_own, spoil):
    home = a_home_of_its_own / ".clew"
    home.mkdir(exist_ok=True)
    spoil(home / "memory.db.guard")
    assert may_run(client) == ""
    assert "failed 3 times" in loops(client)
    may_run(client)
    with client.clew() as clew:
        assert clew.take_in() >= 3


def test_a_huge_guard_file_holds_nobody_up(client, a_home_of_its_own):
    loops(client)
    with open(a_home_of_its_own / ".clew" / "memory.db.guard", "ab") as file:
        file.truncate(1 << 40)
    answer = client("PreToolUse", tool_name="Bash", tool_input={"command": TEST})
    assert "failed 3 times" in answer.refusal


def test_in_a_home_that_cannot_be_written_the_hooks_are_silent(client, a_home_of_its_own):
    home = a_home_of_its_own / ".clew"
    home.parent.joinpath("file").touch()
    env = {"CLEW_HOME": str(home.parent / "file")}  # no folder can be there, whoever runs this
    for n in range(4):
        client.ahead += 3.0
        fields = {"tool_name": "Bash", "tool_input": {"command": TEST}}
        asked = client("PreToolUse", env=env, **fields)
        told = client("PostToolUseFailure", env=env, error=FAILED.format(n=n), tool_use_id=f"t{n}", **fields)
        for answer in (asked, told):
            assert (answer.code, answer.out, answer.err) == (0, b"", b"")


def test_switched_off_nothing_is_stopped(client):
    loops(client)
    answer = client("PreToolUse", env={"CLEW_HOOKS": "off"}, tool_name="Bash", tool_input={"command": TEST})
    assert (answer.code, answer.out) == (0, b"")


def test_an_older_or_newer_line_of_the_spool_does_not_stop_the_hooks(client, a_home_of_its_own):
    loops(client)
    with open(a_home_of_its_own / ".clew" / "memory.db.spool", "a") as spool:
        for odd in ({"attempt": 3}, {"attempt": {"goal": []}}, {"turn": "x", "attempt": {"outcome": "unheard of", "goal": "g"}}):
            spool.write(json.dumps({"kind": "tool", "session": "s1", "at": 5.0, **odd}) + "\n")
    assert may_run(client) != ""


def test_failures_of_subagents_are_counted_for_each_of_them_alone(client):
    for n in range(3):
        assert fails(client, n, agent_id=f"a{n}") == ""
    assert may_run(client) == may_run(client, agent_id="a0") == ""
    for n in range(3, 5):
        told = fails(client, n, agent_id="a0")
    assert "not getting anywhere" in told
    assert may_run(client, agent_id="a0") != ""
    assert may_run(client) == may_run(client, agent_id="a1") == ""
