"""Two agents at work on one repository at once: nothing of either is lost, nothing is put before a session twice, no hook is slow."""

import multiprocessing
import os
import re
import time

from clew import Clew
from clew.errors import StoreBusy
from clew.model import Event

TURNS = 500
SUBJECTS = ("parser", "cache", "invoice", "login", "search", "mailer", "backup", "report", "webhook", "theme")
BUDGET = 0.3  # CPU seconds of one hook


def hook(folder, event):
    """One event as a hook takes it: a store opened for it, an answer, the spool taken in where the event is one that does."""
    writes = event.kind in ("session_start", "turn_end", "session_end")
    with Clew(root=folder, origin="agent", long_lived=False, read_only=not writes, busy_ms=100) as clew:
        pack = clew.capture(event)
        if writes:
            try:
                clew.take_in()
            except StoreBusy:
                pass  # the other agent writes: the lines wait
        return pack


def agent(folder, name, results):
    """A session of TURNS turns: prompts, tools, replies; what was put before it and the slowest hook go to `results`."""
    seen, slowest = [], 0.0

    def fire(kind, **fields):
        nonlocal slowest
        begun = time.process_time()
        pack = hook(folder, Event(kind, "agent", name, cwd=folder, **fields))
        slowest = max(slowest, time.process_time() - begun)
        seen.extend(int(number) for number in re.findall(r"^- #(\d+) ", pack.text, re.M))

    fire("session_start", source="startup")
    for turn in range(TURNS):
        fire("prompt", text=f"{name} turn {turn}: how does the {SUBJECTS[turn % 10]} number {turn % 37} work?")
        fire("tool", tool="Bash", target=f"make {name}-{turn}", id=f"{name}-{turn}")
        fire("turn_end", text=f"{name} replied {turn}")
    fire("session_end", source="other")
    results.put((name, seen, slowest))


def test_two_agents_of_five_hundred_turns_lose_nothing_and_repeat_nothing(tmp_path):
    folder = str(tmp_path / "shop")
    os.makedirs(folder)
    with Clew(root=folder, embed="off", long_lived=False) as clew:
        for n in range(200):
            clew.remember(f"The {SUBJECTS[n % 10]} number {n % 37} is described in chapter {n}")
    os.environ["CLEW_EMBED"] = "off"
    try:
        context = multiprocessing.get_context("fork")
        results = context.Queue()
        agents = [context.Process(target=agent, args=(folder, name, results)) for name in ("ada", "bob")]
        for process in agents:
            process.start()
        told = [results.get(timeout=300) for _ in agents]
        for process in agents:
            process.join()
        assert [process.exitcode for process in agents] == [0, 0]
        with Clew(root=folder, long_lived=False) as clew:
            clew.take_in()
            assert clew.take_in() == 0
            log = [line for line in reversed(clew._store.read_log(clew.project().id, limit=100_000)) if line["session"]]
            assert clew.notes() == []
    finally:
        del os.environ["CLEW_EMBED"]
    for name, seen, slowest in told:
        own = [(line["event"], line["text"]) for line in log if line["session"] == name]
        turns = [
            line
            for turn in range(TURNS)
            for line in (
                ("prompt", f"{name} turn {turn}: how does the {SUBJECTS[turn % 10]} number {turn % 37} work?"),
                ("tool", f"Bash make {name}-{turn}"),
                ("reply", f"{name} replied {turn}"),
            )
        ]
        assert own == [("session_start", "startup"), *turns, ("session_end", "other")]
        assert len(seen) == len(set(seen)) > 50
        assert slowest < BUDGET
