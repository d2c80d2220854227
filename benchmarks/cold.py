"""What a process costs cold: a new one for every hook, for `clew why`, and for the MCP server until it has listed its tools.

Called by benchmarks/latency.py on each of its stores. `_xpass` are multiples of the CPU of `python3 -c pass`, of which one runs beside
each measured process, so that both meet the same machine: sums over RUNS pairs after two that warm the caches. `_wall_ms` is the median
on the wall, `_rss_mb` the peak of one more process. They begin as the installed command does (`from clew.__main__ import main`), with
bytecode kept and semantics on. `hook_before_tool` is asked while no session is on guard, `_on_guard` in one that was warned;
`hook_after_failure` tells of a failing test, its session's first. `why_id` asks for the trail of one memory by its number,
`why_question` for that of a question, each run for another one, and both print it as plain lines. `_writer_wall_ms` and
`_spool_wall_ms` are the slowest of HELD runs while another process writes to the store, or was stopped with the spool in its hand.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from statistics import median
from typing import TYPE_CHECKING, Any

import apsw

from benchmarks.prose import Prose
from benchmarks.report import ROOT
from clew.service import Clew
from clew.store import guard

if TYPE_CHECKING:
    from collections.abc import Iterator

RUNS = 12
HELD = 5
WARM = 2
COMMAND = "from clew.__main__ import main; main()"
PEAK = """import os
real = os._exit
def told(code):
    os.write(2, open("/proc/self/status", "rb").read())
    real(code)
os._exit = told
"""
GUARDED = "guarded"  # a session that stands on guard: it was warned, so the hook before a tool looks closely
TOOL: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "pytest tests/test_cart.py"}}
PASSED = {"stdout": "=== 3 passed in 0.12s ===", "stderr": "", "interrupted": False}
FAILURE = """Exit code 1
    def test_total():
>       assert total([1, 2]) == 4
E       AssertionError: assert 3 == 4

tests/test_cart.py:12: AssertionError
=== 1 failed in 0.12s ==="""
HOOKS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("hook_session_start", "SessionStart", {"source": "startup"}),
    ("hook_prompt", "UserPromptSubmit", {"prompt": ""}),
    ("hook_before_tool", "PreToolUse", TOOL),
    (
        "hook_after_tool",
        "PostToolUse",
        TOOL | {"tool_response": {"stdout": "=== 3 passed in 0.12s ===", "stderr": "", "interrupted": False}},
    ),
    ("hook_after_failure", "PostToolUseFailure", TOOL | {"error": FAILURE}),
    ("hook_before_tool_on_guard", "PreToolUse", TOOL | {"session_id": GUARDED}),
    ("hook_stop", "Stop", {"last_assistant_message": "All tests pass."}),
)
LIST_TOOLS = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize",
     "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
]  # fmt: skip


def hooks(path: str, project: str, seed: int) -> dict[str, float]:
    """CPU, wall and peak memory of each hook over the store at `path`."""
    env = surroundings(path, project)
    questions = Prose(seed).questions(RUNS + WARM + 1 + 2 * HELD)
    found: dict[str, float] = {}
    for name, event, fields in HOOKS:
        payloads = list(_payloads(event, fields, questions))
        if fields.get("session_id") == GUARDED:
            guard.put(path, GUARDED, time.time())
        command = [sys.executable, "-c", COMMAND, "hook", "claude", event]
        found |= beside_pass(name, [(command, payload) for payload in payloads[: RUNS + WARM]], env)
        if sys.platform == "linux":
            found[f"{name}_rss_mb"] = peak(command, payloads[RUNS + WARM], env)
        for lock, taken, given in (("writer", writing, payloads[-HELD:]), ("spool", spooling, payloads[-2 * HELD : -HELD])):
            with taken(path):
                found[f"{name}_{lock}_wall_ms"] = max(once(command, payload, env)[1] for payload in given) * 1e3
    with suppress(FileNotFoundError):
        os.unlink(path + guard.ENDING)
    return found


@contextmanager
def writing(path: str) -> Iterator[None]:
    """A write to the store at `path` that does not end."""
    db = apsw.Connection(path)
    try:
        db.execute("BEGIN IMMEDIATE")
        yield
    finally:
        db.close()


@contextmanager
def spooling(path: str) -> Iterator[None]:
    """A process that holds the spool of the store at `path`."""
    import fcntl

    handle = os.open(path + ".spool", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def mcp(path: str, project: str) -> dict[str, float]:
    """CPU of the MCP server from its start until it has answered tools/list and its input ends."""
    lines = "".join(json.dumps(line) + "\n" for line in LIST_TOOLS).encode()
    return beside_pass("mcp_list", [([sys.executable, "-c", COMMAND, "mcp"], lines)] * (RUNS + WARM), surroundings(path, project))


def why(path: str, project: str, seed: int) -> dict[str, float]:
    """CPU and wall of `clew why`, by the numbers of memories spread over the newest thousand of the project, and by written questions."""
    with Clew(path, project=project, read_only=True) as clew:
        newest = [memory.id for memory in clew.list(limit=1_000)]
    runs, env = RUNS + WARM, surroundings(path, project)
    numbers = [str(newest[place * len(newest) // runs]) for place in range(runs)]
    found: dict[str, float] = {}
    for name, asked in (("why_id", numbers), ("why_question", Prose(seed).questions(runs))):
        found |= beside_pass(name, [([sys.executable, "-c", COMMAND, "why", about], b"") for about in asked], env)
    return found


def beside_pass(name: str, runs: list[tuple[list[str], bytes]], env: dict[str, str]) -> dict[str, float]:
    """A process for each (command, input), and beside each one that does nothing: how many times its CPU, and the wall in milliseconds."""
    nothing = [sys.executable, "-c", "pass"]
    pairs = [(once(command, given, env), once(nothing, b"", env)) for command, given in runs][WARM:]
    taken, passing = (sum(cpu for cpu, _ in side) for side in zip(*pairs, strict=True))
    return {f"{name}_xpass": taken / passing, f"{name}_wall_ms": median(wall for (_, wall), _ in pairs) * 1e3}


def surroundings(path: str, project: str) -> dict[str, str]:
    """The environment of a measured process."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    source = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    return kept | {"CLEW_DB": path, "CLEW_PROJECT": project, "PYTHONPATH": source}


def _payloads(event: str, fields: dict[str, Any], questions: list[str]) -> Iterator[bytes]:
    """One payload for each question, each of a session of its own, so that none is silent because of the one before."""
    for number, question in enumerate(questions):
        asked = {"prompt": question} if "prompt" in fields else {}
        payload = {"session_id": f"{event}-{number}-{time.monotonic_ns()}", "hook_event_name": event, "cwd": os.getcwd(), **fields, **asked}
        yield json.dumps(payload).encode()


def once(command: list[str], given: bytes, env: dict[str, str]) -> tuple[float, float]:
    """(CPU seconds, wall seconds) of one process."""
    began = time.perf_counter()
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        assert child.stdin is not None
        child.stdin.write(given)
        child.stdin.close()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{' '.join(command[3:])} ended with {child.returncode}")
    return used.ru_utime + used.ru_stime, time.perf_counter() - began


def peak(command: list[str], given: bytes, env: dict[str, str]) -> float:
    """The most memory a process held, in MB, by its own account: what its parent reports includes the parent's own at the fork."""
    told = [command[0], "-c", PEAK + COMMAND, *command[3:]]
    done = subprocess.run(told, input=given, env=env, capture_output=True, check=True)
    return next(int(line.split()[1]) / 1024 for line in done.stderr.decode().splitlines() if line.startswith("VmHWM"))
