"""`clew mcp` as a client starts it: the built wheel, real pipes. It answers, keeps stdout clean, and lives until its input ends."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

from clew.mcp.tools import TOOLS

KEY = "io.modelcontextprotocol/"
ENVELOPE = {KEY + "protocolVersion": "2026-07-28", KEY + "clientCapabilities": {}, KEY + "clientInfo": {"name": "claude-code"}}
PING = {"jsonrpc": "2.0", "id": "ping", "method": "ping"}


class Server:
    """A running `clew mcp`."""

    def __init__(self, clew, cwd=None, **env):
        self.process = subprocess.Popen(
            [*clew.argv, "mcp", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clew.env | env,
            cwd=cwd or clew.cwd,
        )

    def write(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, **message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, params=None, asked=1):
        self.send(id=asked, method=method, params=params)
        reply = self.read()
        assert reply["id"] == asked
        return reply

    def call(self, tool, **arguments):
        """The text and the object of a tool's result, which must not be an error."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert result["isError"] is False, result
        return result["content"][0]["text"], result["structuredContent"]

    def open(self, name="codex-mcp-client", **capabilities):
        self.ask(
            "initialize", {"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": name, "version": "1"}}
        )
        self.send(method="notifications/initialized")
        return self

    def end(self):
        """Close its input; what it still wrote, and how it ended."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@pytest.fixture
def serve(clew):
    """Starts servers and sees to it that none is left over."""
    started = []

    def start(**how):
        started.append(Server(clew, **how))
        return started[-1]

    yield start
    for server in started:
        server.process.kill()
        server.process.communicate()


def test_an_agent_remembers_recalls_corrects_and_forgets(serve, clew):
    agent = serve().open()
    text, first = agent.call("remember", summary="Use MongoDB for the ledger", kind="decision", detail="token ghp_" + "a1B2" * 9)
    assert text.startswith(f"Remembered #{first['id']} (decision, project somewhere). Taken out before it was kept: github-token")
    assert (
        agent.call("remember", summary="Use MongoDB for the ledger", kind="decision", detail="token ghp_" + "a1B2" * 9)[1]["created"]
        is False
    )
    text, found = agent.call("recall", question="which database has the ledger?")
    assert f"#{first['id']} decision, codex, " in text
    assert "| Use MongoDB for the ledger\n" in text
    assert found["memories"][0]["origin"] == "codex"
    _, second = agent.call("supersede", old=str(first["id"]), summary="Use PostgreSQL for the ledger", reason="lost writes")
    _, found = agent.call("recall", question="which database has the ledger?")
    assert [memory["id"] for memory in found["memories"]] == [second["new"]]
    _, found = agent.call("recall", question="which database has the ledger?", include_superseded=True)
    assert {memory["id"]: memory.get("successor") for memory in found["memories"]} == {first["id"]: second["new"], second["new"]: None}
    assert agent.call("forget", ids=[first["id"], f"#{second['new']}"], confirm=True)[1]["forgotten"] == [first["id"], second["new"]]
    assert agent.call("recall", question="which database has the ledger?")[0] == "Nothing relevant is known."
    assert agent.end()[::2] == (0, b"")


def test_what_one_agent_leaves_the_next_one_finds(serve):
    one = serve().open("claude-code")
    _, pointer = one.call("resume", text="next: migrate the invoices")
    one.call("remember", summary="The user wants British spelling", kind="user")
    one.end()
    other = serve()
    for tool in ("context", "resume"):
        params = {"name": tool, "arguments": {}, "_meta": ENVELOPE}
        assert "next: migrate the invoices" in other.ask("tools/call", params)["result"]["content"][0]["text"]
    text = other.call("context")[0]
    assert "British spelling" in text
    assert "claude-code" in text
    text, listed = other.call("resume", done=pointer["pointers"][0]["id"])
    assert (text, listed) == (f"#{pointer['pointers'][0]['id']} is done. No open resume pointers.", {"pointers": []})


def test_what_claude_code_s_hooks_tell_of_its_session_its_tools_know(serve, clew):
    page = clew.cwd / "cart.py"
    page.write_text("class Cart:\n    pass\n")
    seen = {"session_id": "s1", "cwd": str(clew.cwd), "hook_event_name": "PostToolUse", "tool_name": "Read"}
    seen |= {"tool_input": {"file_path": str(page)}, "tool_response": {"file": {"content": page.read_text()}}}
    clew.ok("hook", "claude", "PostToolUse", stdin=json.dumps(seen))
    agent = serve(CLAUDE_CODE_SESSION_ID="s1").open("claude-code")
    assert agent.call("working_set")[1]["session"] == "s1"
    assert agent.call("restore", what="cart.py")[1]["text"] == page.read_text()
    for level in (0, 0, 1):
        assert agent.call("attempt", target="pytest", exit=1, output="E  assert 3 == 4")[1]["level"] == level
    payload = {"session_id": "s1", "cwd": str(clew.cwd), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
    stopped = clew.ok("hook", "claude", "PreToolUse", stdin=json.dumps(payload | {"tool_input": {"command": "pytest"}})).out
    assert "failed 3 times" in stopped


def test_a_reply_can_replace_what_it_corrects_in_one_call(serve):
    agent = serve()
    _, old = agent.call("remember", summary="Deploys run on Fridays")
    text, new = agent.call("remember", summary="Deploys run on Mondays", supersedes=old["id"], reason="weekends were lost")
    assert new["superseded"] == old["id"]
    assert text.endswith(f"#{old['id']} is superseded by it.")


def test_errors_are_results_that_name_the_argument_and_change_nothing(serve):
    agent = serve()
    _, kept = agent.call("remember", summary="Deploys run on Fridays")
    wrong = [
        ("remember", {"summary": ""}, "summary"),
        ("remember", {"summary": "x", "metadata": {"a": {"b": 1}}}, "metadata.a"),
        ("remember", {"summary": "x", "ttl": -1}, "ttl"),
        ("remember", {"summary": "x", "reason": "y"}, "reason"),
        ("remember", {"summary": "x", "supersedes": 99}, "there is no memory #99"),
        ("recall", {"question": "x", "max_chars": 10}, "max_chars"),
        ("recall", {"question": "x", "project": "nowhere"}, "there is no project 'nowhere'"),
        ("supersede", {"old": kept["id"]}, "new"),
        ("supersede", {"old": kept["id"], "new": kept["id"], "summary": "x"}, "new"),
        ("supersede", {"old": kept["id"], "new": kept["id"], "detail": "x"}, "detail"),
        ("forget", {"ids": [], "confirm": True}, "ids"),
        ("forget", {"ids": [kept["id"]], "confirm": False}, "confirm: must be true; this would erase for good: #"),
        ("resume", {"done": "zz"}, "id"),
    ]
    for tool, arguments, beginning in wrong:
        result = agent.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert result["isError"] is True
        assert result["content"][0]["text"].startswith(beginning), result
    assert len(agent.call("recall", question="when do deploys run?")[1]["memories"]) == 1


def test_the_project_is_the_root_then_the_client_s_folder_then_where_it_stands(serve, clew, tmp_path):
    for name in ("root", "claude"):
        (tmp_path / name).mkdir()
    here = {"CLAUDE_PROJECT_DIR": str(tmp_path / "claude")}
    rooted = serve(**here).open(roots={})
    question = rooted.read()
    rooted.send(id=question["id"], result={"roots": [{"uri": (tmp_path / "root").as_uri()}]})
    assert "project root" in rooted.call("remember", summary="one")[0]
    assert "project claude" in serve(**here).open().call("remember", summary="two")[0]
    assert "project somewhere" in serve().open().call("remember", summary="three")[0]
    assert "project named" in serve(CLEW_PROJECT="named", **here).open().call("remember", summary="four")[0]
    assert "project @user" in serve(cwd=clew.home).open().call("remember", summary="five")[0]


def test_what_is_printed_by_accident_never_reaches_the_protocol(clew):
    code = "import os; from clew.mcp.server import _own_output; send = _own_output(); print('x'); os.write(1, b'raw\\n'); send(b'sent\\n')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, env=dict(os.environ), timeout=60)
    assert (run.returncode, run.stdout) == (0, b"sent\n")
    assert sorted(run.stderr.split()) == [b"raw", b"x"]


def test_nothing_that_arrives_ends_the_process(serve):
    agent = serve()
    lines = [
        b"",
        b"{",
        b"\0",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'"' + b"x" * 20_000_000 + b'"',
        b"9" * 20_000_000,
    ]
    lines += [b"x" * (33 << 20), b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":null}}', b"[1,2]"]
    writer = threading.Thread(target=lambda: [agent.write(line) for line in [*lines, json.dumps(PING).encode()]])
    writer.start()
    replies = []
    while not replies or replies[-1] != {"jsonrpc": "2.0", "id": "ping", "result": {}}:
        replies.append(agent.read())
    writer.join()
    assert len(replies) == len(lines)  # the blank line is met with silence, the ping is answered
    codes = [reply["error"]["code"] for reply in replies[:9]]
    assert codes == [-32700] * 3 + [-32600] * 2 + [-32700] * 2 + [-32600, -32700]
    assert replies[9]["error"]["code"] == -32600
    assert agent.end()[0] == 0


def test_an_input_that_ends_at_once_is_no_error(serve):
    assert serve().end() == (0, b"", b"")


def test_the_last_line_is_answered_though_nothing_ends_it(serve):
    agent = serve()
    agent.process.stdin.write(json.dumps(PING).encode())
    code, out, _ = agent.end()
    assert (code, json.loads(out)["id"]) == (0, "ping")


def test_a_client_that_stopped_reading_ends_it_quietly(serve):
    agent = serve()
    agent.ask("ping")
    agent.process.stdout.close()
    agent.send(id=2, method="tools/list")
    assert agent.process.wait(60) == 0
    assert agent.process.stderr.read() == b""


def test_a_slow_reader_gets_everything(serve):
    agent = serve()
    count = 400  # several times what a pipe holds
    writer = threading.Thread(target=lambda: [agent.send(id=number, method="tools/list") for number in range(count)])
    writer.start()
    writer.join(1)  # it fills the pipe and waits: nobody reads yet
    replies = [agent.read() for _ in range(count)]
    writer.join()
    assert [reply["id"] for reply in replies] == list(range(count))
    assert all(reply["result"]["tools"] == TOOLS for reply in replies)


@pytest.mark.skipif(os.name == "nt", reason="a signal of POSIX")
def test_ctrl_c_ends_it_without_a_traceback(serve):
    agent = serve()
    agent.ask("ping")
    agent.process.send_signal(signal.SIGINT)
    assert agent.process.wait(60) == 0
    assert agent.process.stderr.read() == b""


def test_a_broken_store_is_said_and_a_repaired_one_is_used(serve, clew):
    clew.clew_home.mkdir()
    store = clew.clew_home / "memory.db"
    store.write_bytes(b"not a database " * 1_000)
    agent = serve()
    result = agent.ask("tools/call", {"name": "remember", "arguments": {"summary": "x"}})["result"]
    assert result["isError"] is True
    assert str(store) in result["content"][0]["text"]
    store.unlink()
    assert agent.call("remember", summary="x")[1]["created"] is True
