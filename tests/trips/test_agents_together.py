"""Two agents at work on one repository at once: nothing of either is lost, nothing is put before a session twice.

How long a hook may wait for a lock is held by tests/hooks/test_held_locks.py and measured by benchmarks/cold.py; here the locks are waited
for with patience, so that a busy machine does not decide the outcome.
"""

import json
import multiprocessing
import os
import queue
import re

import pytest

from clew import Clew
from clew.hooks import front
from clew.store import spool as spools

TURNS = 500
SUBJECTS = ("parser", "cache", "invoice", "login", "search", "mailer", "backup", "report", "webhook", "theme")
PATIENCE = 30.0  # seconds


class Session:
    """Claude Code as its hooks see it, in a process of its own: fires events through the front door and keeps what they answered."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.seen = []
        spools.LOCK_SECONDS, front.LOCK_MS = PATIENCE, int(PATIENCE * 1_000)
        front._say = self._hear

    def __call__(self, event, **fields):
        given = {"session_id": self.name, "cwd": self.folder, "hook_event_name": event, **fields}
        front._stdin = lambda: json.dumps(given).encode()
        front._hear(["claude", event], os.environ)  # what would be noted as trouble is raised here

    def _hear(self, answer):
        text = answer["hookSpecificOutput"]["additionalContext"]
        self.seen += [int(number) for number in re.findall(r"^- #(\d+) ", text, re.M)]


def prompt_of(name, turn):
    """What is asked in a turn."""
    return f"{name} turn {turn}: how does the {SUBJECTS[turn % 10]} number {turn % 37} work?"


def live(folder, name, results):
    """A session of TURNS turns: prompts, tools, replies."""
    fire = Session(folder, name)
    fire("SessionStart", source="startup")
    for turn in range(TURNS):
        fire("UserPromptSubmit", prompt=prompt_of(name, turn))
        fire("PostToolUse", tool_name="Bash", tool_input={"command": f"make {name}-{turn}"}, tool_use_id=f"{name}-{turn}")
        fire("Stop", last_assistant_message=f"{name} replied {turn}")
    fire("SessionEnd", reason="other")
    results.put((name, fire.seen))


def together(folder):
    """What the sessions of two processes that live at once have to tell."""
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    agents = [context.Process(target=live, args=(folder, name, results)) for name in ("ada", "bob")]
    for process in agents:
        process.start()
    told = []
    while len(told) < len(agents):
        try:
            told.append(results.get(timeout=5))
        except queue.Empty:
            assert all(process.is_alive() or process.exitcode == 0 for process in agents), "a session died"
    for process in agents:
        process.join()
    assert [process.exitcode for process in agents] == [0, 0]
    return told


def lived(name):
    """The lines of the log that a whole session leaves."""
    turns = [
        line
        for turn in range(TURNS)
        for line in (("prompt", prompt_of(name, turn)), ("tool", f"Bash make {name}-{turn}"), ("reply", f"{name} replied {turn}"))
    ]
    return [("session_start", "startup"), *turns, ("session_end", "other")]


@pytest.mark.parametrize("embed", ["static", "off"])
def test_two_agents_of_five_hundred_turns_lose_nothing_and_repeat_nothing(tmp_path, monkeypatch, embed):
    monkeypatch.setenv("CLEW_EMBED", embed)
    folder = str(tmp_path / "shop")
    os.makedirs(folder)
    with Clew(root=folder, long_lived=False) as clew:
        for n in range(200):
            clew.remember(f"The {SUBJECTS[n % 10]} number {n % 37} is described in chapter {n}")
    told = together(folder)
    with Clew(root=folder, long_lived=False) as clew:
        clew.take_in()
        assert clew.take_in() == 0
        log = [line for line in reversed(clew._store.read_log(clew.project().id, limit=100_000)) if line["session"]]
        assert clew.notes() == []
        assert clew.status()["embedder"].startswith(embed)
    for name, seen in told:
        assert [(line["event"], line["text"]) for line in log if line["session"] == name] == lived(name)
        assert len(seen) == len(set(seen)) > 50
