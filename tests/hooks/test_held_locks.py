"""Whatever another process holds, a hook waits a tenth of a second for it, all its waits together, and then answers or is silent.

No clock is read: a wait for the spool is counted by a clock that only sleeping moves, a wait for the store by what SQLite gives up on.
"""

import fcntl
import json
import os
from types import SimpleNamespace

import apsw
import pytest
from client_at_work import forked

from clew.hooks import front
from clew.store import spool as spools
from clew.store import sqlite_care

EACH = 0.1  # seconds a hook may wait for one lock; 300 ms is what it may take in all
EVENTS = {
    "SessionStart": {"source": "startup"}, "UserPromptSubmit": {"prompt": "which database did we choose?"},
    "PostToolUse": {"tool_name": "Bash", "tool_input": {"command": "ls"}}, "Stop": {"last_assistant_message": "done"},
    "SessionEnd": {"reason": "other"},
}  # fmt: skip


def database(home):
    """The store's file of a home."""
    return str(home / ".clew" / "memory.db")


def writes(home):
    """Another process in the middle of a write."""
    db = apsw.Connection(database(home))
    db.execute("BEGIN IMMEDIATE")
    return db.close


def keeps_everybody_out(home):
    """Another process that lets nobody read either."""
    db = apsw.Connection(database(home))
    db.pragma("locking_mode", "exclusive")
    db.execute("BEGIN EXCLUSIVE; SELECT count(*) FROM memories")
    return db.close


def stopped_with_the_spool(home):
    """A process that was stopped while it held the spool."""
    handle = os.open(database(home) + ".spool", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    return lambda: os.close(handle)


LOCKS = {
    "a writer": (writes,), "the store alone": (keeps_everybody_out,), "the spool": (stopped_with_the_spool,),
    "a writer and the spool": (writes, stopped_with_the_spool), "all": (keeps_everybody_out, stopped_with_the_spool),
}  # fmt: skip


@pytest.fixture
def waited(monkeypatch):
    """Seconds this process would have waited for locks, added up; none passes."""
    total = [0.0]

    class Impatient(apsw.Connection):
        """Adds up the busy timeouts that ran out, without waiting for them."""

        def set_busy_timeout(self, milliseconds):
            self.set_busy_handler(lambda tried: total.__setitem__(0, total[0] + milliseconds / 1_000))

    monkeypatch.setattr(sqlite_care.apsw, "Connection", Impatient)
    sleeping = SimpleNamespace(monotonic=lambda: total[0], sleep=lambda seconds: total.__setitem__(0, total[0] + seconds))
    monkeypatch.setattr(spools, "time", sleeping)
    monkeypatch.setattr(front, "start_new_thread", lambda *_: None)
    return total


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("lock", LOCKS)
def test_all_waits_of_a_hook_together_stay_within_its_budget(client, a_home_of_its_own, waited, monkeypatch, lock, event):
    free = [take(a_home_of_its_own) for take in LOCKS[lock]]
    waited[0] = 0.0
    given = {"session_id": "s", "cwd": str(client.folder), "hook_event_name": event, **EVENTS[event]}
    monkeypatch.setattr(front, "_stdin", lambda: json.dumps(given).encode())
    monkeypatch.setattr(front, "_say", lambda answer: None)
    assert front.main(["claude", event]) == 0
    for let_go in free:
        let_go()
    assert waited[0] <= EACH * len(LOCKS[lock]) + spools.POLL_SECONDS
    needs_it = "the spool" in lock or lock != "a writer" or event in ("SessionStart", "Stop", "SessionEnd")
    assert (waited[0] > 0) is needs_it


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("lock", LOCKS)
def test_a_hook_under_a_lock_ends_well_and_prints_a_whole_answer_or_nothing(client, a_home_of_its_own, lock, event):
    free = [take(a_home_of_its_own) for take in LOCKS[lock]]
    given = {"session_id": "s", "cwd": str(client.folder), "hook_event_name": event, **EVENTS[event]}
    answer = forked(["claude", event], json.dumps(given).encode())
    for let_go in free:
        let_go()
    assert (answer.code, answer.err) == (0, b"")
    readable = keeps_everybody_out not in LOCKS[lock]
    assert ("SQLite" in answer.text) is (readable and (event == "SessionStart" or (event == "UserPromptSubmit" and lock == "a writer")))


def test_a_spool_that_is_held_is_told_when_a_session_opens(client, a_home_of_its_own):
    free = stopped_with_the_spool(a_home_of_its_own)
    text = client("SessionStart", source="startup").text
    free()
    assert "memory.db.spool cannot be read (another process holds it)" in text
    assert "memory.db.spool" not in client("SessionStart", source="clear").text


def test_a_full_spool_still_opens_a_session_and_is_told(client, monkeypatch):
    with client.clew() as clew:
        path = clew._spool.path
    client("PostToolUse", tool_name="Bash", tool_input={"command": "ls"})
    monkeypatch.setattr("clew.engines.capture.FULL_BYTES", os.path.getsize(path))
    monkeypatch.setattr(spools, "FULL_BYTES", os.path.getsize(path))
    monkeypatch.setattr(front, "_take_in", lambda clew: None)
    text = client("SessionStart", source="startup").text
    assert "SQLite" in text
    assert "memory.db.spool is full" in text
