"""The hook after a tool, where it is told to: a long output is compiled, its original kept behind a handle, or nothing is done at all."""

import json

import apsw
import pytest
from client_at_work import Client, forked, payload

from clew.config import compile_output
from clew.errors import InvalidInput
from clew.hooks import dialects
from clew.model import Pack
from clew.store.work import Original

ON = {"CLEW_COMPILE_OUTPUT": "800"}
RECORDED = payload("PostToolUse.Bash")
FAILURE = "2026-11-30T10:04:20Z ERROR db: connection refused to 10.0.0.5:5432"


def log(lines=400):
    """A log that repeats, with one failure near its end."""
    told = [f"2026-11-30T10:{n // 60:02}:{n % 60:02}Z INFO worker-{n % 3} fetched batch {n} in {n % 90}ms" for n in range(lines)]
    return "\n".join([*told[:-20], FAILURE, *told[-20:]])


def rules(count=120):
    """A text in which every line forbids something: none of it may be cut."""
    return "\n".join(f"You must never call step_{n} before step_{n * 7 % count} has returned, whatever it says" for n in range(count))


def ran(client, stdout, env=ON, **changed):
    """The answer to a recorded event whose command printed this."""
    told = RECORDED | {"session_id": client.session, "cwd": str(client.folder)} | changed
    told["tool_response"] = RECORDED["tool_response"] | {"stdout": stdout} | changed.get("tool_response", {})
    return forked(["claude", "PostToolUse"], json.dumps(told).encode(), env)


def put(answer):
    """What the client is told to put in place of what the tool answered; None for nothing."""
    assert answer.code == 0
    return json.loads(answer.out)["hookSpecificOutput"].get("updatedToolOutput") if answer.out else None


def kept(client):
    """How many originals the store holds."""
    with client.clew() as clew:
        return clew.status()["store"]["sources"]


def test_a_long_output_is_replaced_and_its_original_comes_back_byte_for_byte(client):
    answer = put(ran(client, log()))
    assert answer == RECORDED["tool_response"] | {"stdout": answer["stdout"]}, "the tool's own form, everything else as it was"
    text = answer["stdout"]
    assert FAILURE in text
    assert len(text) < len(log()) / 4
    handle = text.rpartition("clew sources show ")[2].removesuffix("`]")
    with client.clew() as clew:
        assert clew.retrieve_source(handle).bytes == log().encode()
        assert clew.savings()["compilations"] == 1
        assert clew._store.source(clew.retrieve_source(handle).handle).expires_at is not None
    assert [event for event, _ in client.log()] == ["tool"], "the call is captured as ever"


@pytest.mark.parametrize("env", [{}, {"CLEW_COMPILE_OUTPUT": ""}, {"CLEW_COMPILE_OUTPUT": "0"}, ON | {"CLEW_HOOKS": "off"}])
def test_it_is_off_unless_somebody_asked_for_it(client, env):
    assert (ran(client, log(), env).out, kept(client)) == (b"", 0)


@pytest.mark.parametrize(
    "stdout",
    [
        "3 passed",
        log(12),
        rules(),
        log() + "\nexport AWS_ACCESS_KEY_ID=AKIA" + "Q7WE3RT5YU2IO6PA",
        log() + "\n\x00",
        "\n".join(f"{n * 7919 % 10007:x} {n * 104729 % 99991:x} {n:x}" for n in range(900)),
        "x" * 40_000,
        log(22_000),
    ],
    ids=["short", "not that long", "every line critical", "a secret", "a NUL byte", "nothing repeats", "one line", "over a fragment"],
)
def test_what_may_not_or_need_not_be_cut_stays_as_it_is(client, stdout):
    assert put(ran(client, stdout)) is None
    assert kept(client) == 0
    with client.clew() as clew:
        assert clew.notes() == [], "and no hook failed"


@pytest.mark.parametrize(
    "changed",
    [
        {"tool_name": "Read"},
        {"tool_response": {"isImage": True}},
        {"tool_response": {"stdout": ["a", "list"]}},
        {"tool_response": {"stdout": "\ud800" + log()}},
    ],
)
def test_only_what_a_command_printed_as_text_is_replaced(client, changed):
    assert put(ran(client, log(), **changed)) is None
    assert kept(client) == 0


def persisted(client, content):
    """The part of an answer that says where all of a very long output is."""
    path = client.folder / "all.txt"
    path.write_bytes(content)
    return {"tool_response": {"persistedOutputPath": str(path), "persistedOutputSize": len(content)}}


def test_of_a_very_long_output_the_file_with_all_of_it_is_compiled(client):
    whole = log(3_000)
    answer = put(ran(client, whole[:30_000], **persisted(client, whole.encode())))
    assert FAILURE in answer["stdout"], "it is not in what the client handed on"
    assert answer.keys() == RECORDED["tool_response"].keys(), "or the client would show a preview of its own"
    handle = answer["stdout"].rpartition("clew sources show ")[2].removesuffix("`]")
    with client.clew() as clew:
        assert clew.retrieve_source(handle).bytes == whole.encode()


@pytest.mark.parametrize("content", [b"", b"\xff" + log().encode(), b"\0" + log().encode(), log(30_000).encode()])
def test_a_file_that_cannot_be_kept_as_text_leaves_the_clients_own_preview(client, content):
    assert put(ran(client, log()[:30_000], **persisted(client, content))) is None
    assert kept(client) == 0


def test_a_file_that_is_gone_leaves_the_clients_own_preview(client):
    assert put(ran(client, log(), tool_response={"persistedOutputPath": "/nowhere/all.txt"})) is None


def test_while_somebody_else_writes_the_output_stays_as_it_is(client):
    with client.clew() as clew:
        path = clew.status()["store"]["path"]
    other = apsw.Connection(path)
    other.execute("BEGIN IMMEDIATE")
    answer = ran(client, log())
    other.execute("ROLLBACK")
    assert put(answer) is None
    assert kept(client) == 0
    assert [event for event, _ in client.log()] == ["tool"]


def test_a_path_that_is_left_alone_leaves_nothing_behind_a_handle(client):
    (client.folder / ".clewignore").write_text("private/\n")
    answer = ran(client, log(), tool_input={"command": "cat private/build.log"})
    assert put(answer) is None
    assert kept(client) == 0


def test_two_installs_that_fire_for_one_event_replace_it_once(client):
    assert [put(ran(client, log())) is None for _ in range(2)] == [False, True]


def test_the_same_output_in_another_session_is_kept_once(client):
    first = put(ran(client, log()))
    assert put(ran(Client(client.folder, "s2"), log(), tool_use_id="toolu_02")) == first
    assert kept(client) == 1


def test_originals_whose_time_ran_out_make_room(client):
    old = Original("src:" + "0" * 32, b"old", "text/plain; charset=utf-8", 1.0, 2.0, None)
    lasting = old._replace(handle="src:" + "1" * 32, expires_at=None)
    with client.clew() as clew:
        clew._store.put_sources(clew.project().id, [old, lasting])
    assert put(ran(client, log())) is not None
    assert kept(client) == 2
    with client.clew() as clew:
        assert clew.retrieve_source(lasting.handle).bytes == b"old"


def test_a_setting_that_is_none_is_told_of_and_loses_no_event(client):
    assert ran(client, log(), {"CLEW_COMPILE_OUTPUT": "lots"}).out == b""
    assert [event for event, _ in client.log()] == ["tool"]
    with client.clew() as clew:
        assert any("CLEW_COMPILE_OUTPUT: 'lots' is no number of tokens" in note for note in clew.notes())


@pytest.mark.parametrize("value", ["lots", "-1", "1", "499", "1000001", "5e3", "٥٠٠", "9" * 400])
def test_settings_that_are_none_are_refused(value):
    with pytest.raises(InvalidInput, match="CLEW_COMPILE_OUTPUT"):
        compile_output({"CLEW_COMPILE_OUTPUT": value})


@pytest.mark.parametrize(("value", "tokens"), [("", 0), (" 0 ", 0), ("500", 500), (" 8000 ", 8_000), ("1000000", 1_000_000)])
def test_settings_are_numbers_of_tokens(value, tokens):
    assert compile_output({"CLEW_COMPILE_OUTPUT": value}) == tokens


def test_a_warning_and_a_shorter_output_come_in_one_answer():
    answer = dialects.reply("claude", "PostToolUse", Pack("once more", (), 0, "short"), RECORDED)
    assert answer == {
        "hookSpecificOutput": {
            "hookEventName": "PostToolUse",
            "additionalContext": "once more",
            "updatedToolOutput": RECORDED["tool_response"] | {"stdout": "short"},
        }
    }
