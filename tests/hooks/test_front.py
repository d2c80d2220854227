"""The front door: memory reaches the agent, what happened reaches the log, and nothing that goes wrong reaches anybody."""

import json
import os
import signal
import threading
from types import SimpleNamespace

import apsw
import pytest
from client_at_work import PAYLOAD_NAMES, forked, payload

from clew.hooks import front
from clew.store import migrate

WRONG = [None, 3, True, "", ["x"], {"a": [None]}, "\x00\ud800 \x1b[2J", "x" * 40_000]
SECRET = "AKIA" + "Q7WE3RT5YU2IO6PA"


def test_a_session_opens_with_what_was_decided(client):
    answer = client("SessionStart", source="startup")
    assert answer.code == 0
    assert "We chose SQLite over Postgres" in answer.text
    assert answer.text.startswith('<clew-memory project="shop">\n')


def test_a_prompt_brings_the_memory_it_asks_about_and_only_once(client):
    first = client("UserPromptSubmit", prompt="which database did we choose, and why?")
    assert "We chose SQLite" in first.text
    assert "Tuesdays" not in first.text
    assert client("UserPromptSubmit", prompt="tell me again which database we chose").out == b""


def test_what_the_opening_showed_does_not_come_again_with_a_prompt(client):
    client("SessionStart", source="startup")
    assert client("UserPromptSubmit", prompt="which database did we choose?").out == b""


def test_a_memory_that_changed_is_shown_again(client):
    client("SessionStart", source="startup")
    with client.clew() as clew:
        clew.edit(1, summary="We chose SQLite over Postgres and MySQL: one file is easy to back up")
    assert "MySQL" in client("UserPromptSubmit", prompt="which database did we choose?").text


@pytest.mark.parametrize("source", ["clear", "compact", "fork"])
def test_a_new_window_is_told_everything_again(client, source):
    client("SessionStart", source="startup")
    client("Stop", last_assistant_message="done")
    assert "SQLite" in client("SessionStart", source=source).text


def test_a_resumed_session_is_told_only_what_is_new(client):
    client("SessionStart", source="startup")
    with client.clew() as clew:
        clew.remember("Invoices are sent by mail", kind="decision")
    again = client("SessionStart", source="resume").text
    assert "Invoices" in again
    assert "SQLite" not in again
    client("SessionEnd", reason="other")
    assert client("SessionStart", source="resume").out == b""


def test_what_is_superseded_or_done_appears_nowhere(client):
    with client.clew() as clew:
        newer = clew.remember("We moved from SQLite to Postgres for the team server", kind="decision").memory
        clew.supersede(1, newer.id, reason="the team grew")
        clew.done(2)
    for answer in (client("UserPromptSubmit", prompt="which database did we choose? deploys?"), client("SessionStart", source="startup")):
        assert "one file is easy" not in answer.text
        assert "Tuesdays" not in answer.text
    assert "team server" in client("SessionStart", source="clear").text


@pytest.mark.parametrize("prompt", ["thanks!", "/compact the database choice", "!sqlite3 x.db", "ok, go ahead", "", "   "])
def test_small_talk_and_commands_bring_nothing(client, prompt):
    answer = client("UserPromptSubmit", prompt=prompt)
    assert (answer.code, answer.out) == (0, b"")


def test_a_prompt_that_nobody_wrote_brings_nothing_and_is_not_kept(client):
    for name in ("UserPromptSubmit.schedule", "UserPromptSubmit.task-notification"):
        answer = client("UserPromptSubmit", **{k: v for k, v in payload(name).items() if k in ("prompt", "source")})
        assert answer.out == b""
    assert client.log() == []


def test_our_own_text_is_neither_searched_nor_kept(client):
    pack = client("SessionStart", source="startup").text
    client("UserPromptSubmit", prompt=f"<system-reminder>\n{pack}\n</system-reminder> colour of the button?")
    assert client.log()[-1] == ("prompt", "colour of the button?")


def test_a_turn_goes_to_the_log_in_order(client):
    client("SessionStart", source="startup")
    client("UserPromptSubmit", prompt="deploy it")
    client("PostToolUse", tool_name="Bash", tool_input={"command": "make test"}, tool_response={"stdout": "secret output"})
    client("PostToolUseFailure", tool_name="Bash", tool_input={"command": "make deploy"}, error="Exit code 2")
    client("Stop", last_assistant_message="It failed.")
    client("SessionEnd", reason="other")
    assert client.log() == [
        ("session_start", "startup"),
        ("prompt", "deploy it"),
        ("tool", "Bash make test"),
        ("tool_failed", "Bash make deploy\nExit code 2"),
        ("reply", "It failed."),
        ("session_end", "other"),
        ("goal_failed", "request: deploy it"),
    ]


def test_what_was_merely_shown_does_not_count_as_used(client):
    client("UserPromptSubmit", prompt="which database did we choose?")
    client("Stop", last_assistant_message="SQLite")
    with client.clew() as clew:
        assert clew.show(1).strength.uses == 0
        clew.used(1)
        clew.take_in()
        assert clew.show(1).strength.uses == 1


def test_secrets_and_private_spans_never_touch_the_disk(client, a_home_of_its_own):
    client("UserPromptSubmit", prompt=f"use {SECRET} and <private>my salary</private> here")
    client("PostToolUseFailure", tool_name="Bash", tool_input={"command": f"aws --key {SECRET}"}, error="x " * 1_200 + SECRET)
    kept = b"".join(path.read_bytes() for path in (a_home_of_its_own / ".clew").iterdir())
    assert SECRET.encode() not in kept
    assert SECRET[:12].encode() not in kept
    assert b"salary" not in kept


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"])
def test_two_installs_that_fire_for_one_event_answer_and_keep_it_once(client, event):
    fields = {
        "SessionStart": {"source": "startup"}, "UserPromptSubmit": {"prompt": "which database?"},
        "PostToolUse": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1"}, "Stop": {"last_assistant_message": "x"},
    }[event]  # fmt: skip
    answers = [client(event, **fields), client(event, **fields)]
    assert answers[1].out == b""
    assert len(client.log()) == 1


def test_a_session_resumed_twice_within_a_moment_is_no_double(client):
    client("SessionStart", source="startup", env={"CLAUDE_PID": "1"})
    for number, text in (("2", "Invoices are sent by mail"), ("3", "Refunds take a week")):
        with client.clew() as clew:
            clew.remember(text, kind="decision")
        assert text in client("SessionStart", source="resume", env={"CLAUDE_PID": number}).text


def test_the_same_command_twice_is_kept_twice(client):
    for number in ("t1", "t2"):
        client("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id=number)
    assert len(client.log()) == 2


def test_paths_that_are_left_alone_are_not_kept(client):
    (client.folder / ".clewignore").write_text("secrets/\n")
    client("PostToolUse", tool_name="Read", tool_input={"file_path": str(client.folder / "secrets" / "key")})
    client("PostToolUse", tool_name="Bash", tool_input={"command": "cat 'secrets/key' | wc"})
    client("PostToolUse", tool_name="Read", tool_input={"file_path": str(client.folder / "a.pem")}, env={"CLEW_EXCLUDE": "*.pem"})
    client("PostToolUse", tool_name="Read", tool_input={"file_path": str(client.folder / "b.py")})
    client("PostToolUse", tool_name="Grep", tool_input={"pattern": "TODO", "path": "src"})
    assert [text for _, text in client.log()] == [f"Read {client.folder / 'b.py'}", "Grep TODO\nsrc"]


@pytest.mark.parametrize(
    "tool_input",
    [
        {"pattern": "password", "path": "secrets"}, {"pattern": "password", "path": "my own/keys"}, {"path": "sub/../secrets/key"},
        {"command": "grep -r password secrets"}, {"command": "openssl -in=sub/a.pem"}, {"command": "cat<a.pem|wc"},
        {"command": "cat a.pem"}, {"command": "echo x > './secrets/key'"}, {"command": "(cat notes/todo)"},
    ],
)  # fmt: skip
@pytest.mark.parametrize("folder", [".", "sub"])
def test_a_tool_call_that_names_such_a_path_in_any_way_is_not_kept(client, tool_input, folder):
    (client.folder / ".git").mkdir()
    (client.folder / ".clewignore").write_text("secrets/\nmy own/\n/sub/*.pem\n/a.pem\n/notes/todo\n/sub/notes/todo\n")
    for name in ("secrets", "sub/secrets"):
        (client.folder / name).mkdir(parents=True)
    project, client.folder = client.folder, client.folder / folder
    client("PostToolUse", tool_name="Any", tool_input=tool_input)
    client("PostToolUseFailure", tool_name="Any", tool_input=tool_input, error="no such file")
    client.folder = project
    assert client.log() == []


def test_in_a_folder_that_is_left_alone_memory_answers_but_nothing_is_kept(client):
    everywhere = {"CLEW_EXCLUDE": str(client.folder) + "/"}
    assert "SQLite" in client("UserPromptSubmit", prompt="which database did we choose?", env=everywhere).text
    client("Stop", last_assistant_message="SQLite", env=everywhere)
    assert client.log() == []
    assert client("UserPromptSubmit", prompt="which database did we choose again?", env=everywhere).out == b""


def test_hooks_can_be_switched_off(client):
    answer = client("SessionStart", source="startup", env={"CLEW_HOOKS": "off"})
    assert (answer.code, answer.out) == (0, b"")
    assert client.log() == []


def test_talk_in_the_home_directory_is_not_kept(client, a_home_of_its_own):
    client.folder = a_home_of_its_own
    with client.clew(project="@user") as clew:
        clew.remember("I like tabs", kind="user")
    assert "tabs" in client("SessionStart", source="startup").text
    client("UserPromptSubmit", prompt="which tabs do I like?")
    client("Stop", last_assistant_message="tabs")
    with client.clew() as clew:
        clew.take_in()
        assert all(not line["session"] for project in clew.projects() for line in clew._store.read_log(project.id, limit=100))


@pytest.mark.parametrize(
    ("env", "fields"),
    [
        ({"COPILOT_CLI": "1"}, {}), ({"CURSOR_VERSION": "3"}, {}), ({}, {"cursor_version": "3"}), ({"QWEN_PROJECT_DIR": "/x"}, {}),
        ({"GEMINI_SESSION_ID": "g"}, {}),
    ],
)  # fmt: skip
def test_a_foreign_program_that_runs_this_hook_gets_silence(client, env, fields):
    assert client("SessionStart", source="startup", env=env, **fields).out == b""


def test_claude_code_inside_another_clients_shell_is_still_itself(client):
    env = {"COPILOT_CLI": "1", "CLAUDE_CODE_SESSION_ID": client.session}
    assert "SQLite" in client("SessionStart", source="startup", env=env).text


def broken_variants(name):
    """(what was done, payload): each field of a recorded payload missing, and of every wrong type."""
    whole = payload(name)
    yield "as it is", whole
    for field in whole:
        yield f"no {field}", {k: v for k, v in whole.items() if k != field}
        yield from ((f"{field} = {str(value)[:20]!r}", {**whole, field: value}) for value in WRONG)


@pytest.mark.parametrize("name", PAYLOAD_NAMES)
def test_a_payload_with_any_field_missing_or_wrong_crashes_and_blocks_nothing(client, name, monkeypatch):
    event = name.split(".")[0]
    for done, given in broken_variants(name):
        monkeypatch.setattr(front, "_stdin", lambda given=given: json.dumps(given).encode())
        said = []
        monkeypatch.setattr(front, "_say", said.append)
        front._hear(["claude", event], os.environ)  # what would be noted as trouble is raised here
        assert said == [] or event in ("SessionStart", "UserPromptSubmit", "PostToolUseFailure"), done
    with client.clew() as clew:
        clew.take_in()
        assert clew.notes() == []


@pytest.mark.parametrize(
    ("argv", "stdin"),
    [
        (["claude", "SessionStart"], b""), (["claude", "SessionStart"], b"null"), (["claude", "SessionStart"], b"[" * 60_000),
        (["claude", "SessionStart"], b"\xff\xfe{"), (["claude", "SessionStart"], b'{"session_id":"s"'), (["claude"], b"{}"), ([], b""),
        (["nobody", "SessionStart"], b'{"session_id":"s"}'), (["claude", "NoEvent"], b'{"session_id":"s"}'),
        (["claude", "PreCompact"], b"{}"),
    ],
)  # fmt: skip
def test_whatever_arrives_the_agent_goes_on(client, argv, stdin):
    answer = forked(argv, stdin)
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")


def test_trouble_is_told_to_the_next_session_once_and_shown_for_a_week(client):
    forked(["claude", "UserPromptSubmit"], b"{no json")
    forked(["claude", "UserPromptSubmit"], b"{no json")
    with client.clew() as clew:
        assert ["a hook failed" in note and "2 times" in note for note in clew.notes()] == [True]
    assert "(clew: a hook failed: JSONDecodeError" in client("SessionStart", source="startup").text
    assert "a hook failed" not in client("SessionStart", source="clear").text
    with client.clew() as clew:
        assert clew.notes() != []
    with client.clew(clock=lambda: 4_000_000_000.0) as later:
        assert later.notes() == []


def hang(monkeypatch):
    """Let a hook hang for ever where it reads its payload, and its second be over as soon as it does."""
    reading = threading.Event()
    monkeypatch.setattr(front, "_stdin", lambda: reading.set() or signal.pause())
    monkeypatch.setattr(front, "time", SimpleNamespace(sleep=lambda seconds: reading.wait()))


@pytest.mark.parametrize("taken_in", [False, True])
def test_a_hook_that_runs_out_of_time_is_told_to_the_next_session_once_and_shown_for_a_week(client, monkeypatch, taken_in):
    with monkeypatch.context() as hung:
        hang(hung)
        for name in ("PostToolUse", "UserPromptSubmit"):
            assert forked(["claude", name], b"")[:3] == (0, b"", b"")
    with client.clew() as clew:
        if taken_in:
            clew.remember("a verb that writes takes in what hooks left")
        said = "a hook on UserPromptSubmit ran out of time and was cut off ("
        assert [told.startswith(said) and "2 times" in told for told in clew.notes() + clew.doctor()] == [True, True]
    assert "(clew: a hook on UserPromptSubmit ran out of time and was cut off" in client("SessionStart", source="startup").text
    assert "ran out of time" not in client("SessionStart", source="clear").text
    with client.clew() as clew:
        assert clew.notes() != []
    with client.clew(clock=lambda: 4_000_000_000.0) as later:
        assert later.notes() == []


def test_a_mark_that_hangs__the_agent_go_on(client, monkeypatch):
    hang(monkeypatch)
    monkeypatch.setattr(front, "_cut_off", lambda name, env: lambda: os.read(os.pipe()[0], 1))
    assert forked(["claude", "PostToolUse"], b"")[:3] == (0, b"", b"")


def test_while_another_process_writes_a_hook_answers_from_what_it_can_read(client, a_home_of_its_own):
    holder = apsw.Connection(str(a_home_of_its_own / ".clew" / "memory.db"))
    holder.execute("BEGIN IMMEDIATE")
    answers = {
        "SessionStart": client("SessionStart", source="startup"),
        "UserPromptSubmit": client("UserPromptSubmit", prompt="which deploys go out on Tuesdays?"),
        "PostToolUse": client("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}),
        "Stop": client("Stop", last_assistant_message="done"),
        "SessionEnd": client("SessionEnd", reason="other"),
    }
    holder.execute("ROLLBACK")
    holder.close()
    assert "SQLite" in answers["SessionStart"].text
    assert {answer.code for answer in answers.values()} == {0}
    assert [event for event, _ in client.log()] == ["session_start", "prompt", "tool", "reply", "session_end"]
    with client.clew() as clew:
        assert clew.notes() == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_still_answers(client, a_home_of_its_own):
    (a_home_of_its_own / ".clew").chmod(0o500)
    answer = client("SessionStart", source="startup")
    (a_home_of_its_own / ".clew").chmod(0o700)
    assert answer.code == 0


@pytest.mark.parametrize("left", ["empty", "of an older clew"])
def test_the_first_event_after_an_update_brings_the_store_up_to_date(client, tmp_path, monkeypatch, left):
    home = {"CLEW_HOME": str(tmp_path / "old")}
    (tmp_path / "old").mkdir()
    store = apsw.Connection(str(tmp_path / "old" / "memory.db"))
    if left == "of an older clew":
        known = migrate.steps()
        with monkeypatch.context() as older:
            older.setattr(migrate, "steps", lambda: known[:-1])
            migrate.migrate(store, ":memory:")
    store.close()
    client("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, env=home)
    with client.clew(env={**os.environ, **home}) as clew:
        clew.take_in()
        assert clew.notes() == []
        assert [line["text"] for line in clew._store.read_log(clew.project().id, limit=9)] == ["Bash ls"]


def test_a_store_that_is_no_store_is_silence(client, a_home_of_its_own):
    (a_home_of_its_own / ".clew" / "memory.db").write_bytes(b"not a database at all" * 100)
    for event, fields in (("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {"prompt": "which database?"}), ("Stop", {})):
        answer = client(event, **fields)
        assert (answer.code, answer.out, answer.err) == (0, b"", b"")


def test_a_hook_before_anything_was_remembered_is_silent_and_makes_what_it_needs(client, tmp_path):
    home = {"CLEW_HOME": str(tmp_path / "new")}
    assert client("UserPromptSubmit", prompt="which database?", env=home).out == b""
    assert client("SessionStart", source="startup", env=home).out == b""
    assert client("Stop", last_assistant_message="x", env=home).code == 0
    assert (tmp_path / "new" / "memory.db").exists()


def test_a_spool_that_cannot_be_written_silences_all_but_the_opening(client, a_home_of_its_own):
    (a_home_of_its_own / ".clew" / "memory.db.spool").mkdir()
    assert "SQLite" in client("SessionStart", source="startup").text
    answer = client("UserPromptSubmit", prompt="which database did we choose?")
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")
