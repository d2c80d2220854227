"""The whole road of a hook, in a fresh interpreter, imports nothing heavy and ends in time."""

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src"
HEAVY = (
    "numpy pydantic typer click rich mcp starlette asyncio logging typing pathlib dataclasses argparse inspect email http urllib.request "
    "importlib.metadata importlib.resources sqlite3 decimal concurrent.futures threading hashlib random tempfile shutil subprocess socket"
).split()
ROAD = """
import json, os, sys
sys.path[:0] = {paths!r}
sys.argv = ["clew", "hook", "claude", {event!r}]
def ended(code):
    os.write(2, json.dumps([code, sorted(set({heavy!r}) & sys.modules.keys())]).encode())
    raise SystemExit
os._exit = ended
from clew.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("event", "fields", "said"),
    [
        ("SessionStart", {"source": "startup"}, True),
        ("UserPromptSubmit", {"prompt": "which database did we choose, and why?"}, True),
        ("PostToolUse", {"tool_name": "Bash", "tool_input": {"command": "ls"}}, False),
        ("PostToolUseFailure", {"tool_name": "Bash", "tool_input": {"command": "ls"}, "error": "Exit code 1"}, False),
        ("Stop", {"last_assistant_message": "done"}, False),
        ("SessionEnd", {"reason": "other"}, False),
    ],
)
def test_no_event_imports_anything_heavy(client, event, fields, said):
    paths = [str(SRC), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    payload = {"session_id": "s", "cwd": str(client.folder), "hook_event_name": event, **fields}
    code = ROAD.format(paths=paths, event=event, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=json.dumps(payload).encode(), capture_output=True, timeout=60)
    assert json.loads(done.stderr) == [0, []]
    assert bool(done.stdout) is said


def test_an_input_that_never_ends_holds_nobody_up(client):
    command = [sys.executable, "-c", "from clew.__main__ import main; main()", "hook", "claude", "SessionStart"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PYTHONPATH": str(SRC)}) as child:
        assert child.wait(timeout=60) == 0
        assert child.stdout.read() == b""


def test_a_reader_that_is_gone_is_no_trouble(client):
    payload = json.dumps({"session_id": "s", "cwd": str(client.folder), "source": "startup"}).encode()
    command = [sys.executable, "-c", "import os\nos.close(1)\nfrom clew.__main__ import main\nmain()", "hook", "claude", "SessionStart"]
    done = subprocess.run(command, input=payload, stderr=subprocess.PIPE, env={"PYTHONPATH": str(SRC)}, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_person_who_asks_is_told_what_this_is():
    command = [sys.executable, "-c", "from clew.__main__ import main; main()", "hook", "--help"]
    done = subprocess.run(command, capture_output=True, env={"PYTHONPATH": str(SRC)}, timeout=60)
    assert done.returncode == 0
    assert done.stdout.startswith(b"usage: clew hook CLIENT EVENT")


def test_before_a_tool_not_even_the_payload_is_read_while_all_goes_well(client):
    paths = [str(SRC), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    code = f"""
import os, sys
sys.path[:0] = {paths!r}
sys.argv = ["clew", "hook", "claude", "PreToolUse"]
def ended(code):
    os.write(2, repr([code, sorted({{"json", "re", "collections", "clew.model", "apsw"}} & sys.modules.keys())]).encode())
    raise SystemExit
os._exit = ended
from clew.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=b"no payload", capture_output=True, timeout=60)
    assert (done.stderr, done.stdout) == (b"[0, []]", b"")
