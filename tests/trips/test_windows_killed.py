"""Windows of sessions under kill -9, crowds and damage: what was captured is observed, resident or a stub, once, whoever dies and when."""

import json
import multiprocessing
import os
import shutil
import sqlite3

import mortal
import pytest

from clew import Clew
from clew.engines import windows
from clew.engines.working_set import plain_of
from clew.model import Event
from clew.rules import working_set as rules
from clew.store import spool as spools

NOW = 1_800_000_000.0
FILES = 8


def opened(path, root, at=NOW):
    return Clew(str(path), root=str(root), embed="off", long_lived=False, clock=lambda: at)


def tell(clew, session, kind, n, **fields):
    clew.capture(Event(kind, "claude-code", session, id=f"{session}{kind}{n}", **fields))


def run(clew, session, n, size=400, again=""):
    given = {"command": f"make part{n}"}
    tell(clew, session, "tool", f"{n}{again}", tool="Bash", target=given["command"], given=given, text=f"part {n}\n" + "x" * size, exit=0)


def worked(clew, session, first, last, size=400):
    """A session that runs a command a turn."""
    for n in range(first, last):
        tell(clew, session, "prompt", n, text=f"build part {n} of the ledger please")
        run(clew, session, n, size)
    tell(clew, session, "turn_end", last, text="built")


def known(clew, session):
    """(what is observed of commands, what the window holds of it, its evictions and turns)."""
    scope = clew._scope(None, user=False)
    seen = {o.target: (o.handle, o.reads) for o in clew._store.observations(scope, limit=1_000, session=session)}
    window = windows.of(clew._store, session)
    if window is None:
        return seen, set(), 0, 0
    assert not window.residents.keys() & window.stubs.keys(), "a thing is in the window or has left it"
    assert set(window.lines) <= window.stubs.keys()
    return seen, window.residents.keys() | window.stubs.keys(), window.evictions, window.turn


@pytest.fixture
def full(tmp_path):
    """A store with a session whose window is nearly full, and a spool that makes it evict; the folder of both."""
    folder = tmp_path / "full"
    folder.mkdir()
    root = tmp_path / "shop"
    root.mkdir()
    with opened(folder / "memory.db", root) as clew:
        tell(clew, "s", "session_start", 0, source="startup")
        worked(clew, "s", 0, 4)
        clew.take_in()
        window = windows.of(clew._store, "s")
        with clew._store.transaction():
            windows.keep(clew._store, 1, "s", window._replace(budget=rules.used(window) + 100), NOW)
        assert windows.of(clew._store, "s").evictions == 0
        worked(clew, "s", 4, 4 + FILES)
    return folder, root


def test_a_taker_killed_before_any_of_its_statements_loses_no_observation_no_resident_and_no_stub(full, tmp_path):
    """Demotion and all that comes before it is one transaction: there is no moment between two phases in which to die."""
    folder, root = full
    with opened(copied(folder, tmp_path / "whole"), root) as clew:
        before = known(clew, "s")
        clew.take_in()
        after = known(clew, "s")
    assert len(after[0]) == 4 + FILES
    assert after[2] > 0, "something was evicted"
    kills = 0
    for at in range(10_000):
        path = copied(folder, tmp_path / "copy")

        def work(say, at=at, path=path):
            with opened(path, root) as clew:
                mortal.die_before(clew._store._db, at)
                clew.take_in()
                clew._store._db.exec_trace = None
                say("finished")

        lines, status = mortal.heard(*mortal.forked(work))
        assert not any(line[0] == "error" for line in lines), lines
        with opened(path, root) as clew:
            assert known(clew, "s") in (before, after)
            clew.take_in()
            assert known(clew, "s") == after, "the next take-in goes on where that one died"
            assert clew._store.check() == []
        if not os.WIFSIGNALED(status):
            break
        kills += 1
    assert kills > 20, "there was something to die at"


def copied(folder, to):
    """The database and its spool in another folder."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to)
    return to / "memory.db"


def live(path, root, session):
    """One process's session: forty turns, through a compaction, taking in what waits as hooks do."""
    spools.LOCK_SECONDS = 30.0
    with opened(path, root) as clew:
        tell(clew, session, "session_start", 0, source="startup")
        for part in range(4):
            worked(clew, session, 10 * part, 10 * part + 10, size=50)
            clew.take_in()
        tell(clew, session, "compact", 41, source="auto")
        tell(clew, session, "session_start", 42, source="compact")
        run(clew, session, 7, 50, again=" after the compaction")
        clew.take_in()


def test_eight_sessions_at_once_each_have_their_whole_window_and_nothing_of_another(tmp_path):
    path, root = tmp_path / "db" / "memory.db", tmp_path / "shop"
    root.mkdir()
    with opened(path, root) as clew:
        clew.remember("something")
    context = multiprocessing.get_context("fork")
    names = [f"session-{n}" for n in range(8)]
    workers = [context.Process(target=live, args=(path, root, name)) for name in names]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 8
    with opened(path, root) as clew:
        clew.take_in()
        for name in names:
            seen, held, _, turns = known(clew, name)
            assert seen.keys() == {f"make part{n}" for n in range(40)}
            assert {target: reads for target, (_, reads) in seen.items() if reads != 1} == {"make part7": 2}
            assert {handle for handle, _ in seen.values()} <= held
            assert turns == 40
            assert clew.working_set(session=name)["misses"] == 1
        assert clew.notes() == []


EMPTY = plain_of(rules.opened(100))
HELD = plain_of(rules.admit(rules.opened(100), rules.Thing("h", 9), NOW))
BROKEN = ["", "null", "[]", "{}", '{"budget": 5}', "not json", "[" * 100_000, '{"budget": 1e999}', "\x00", "NaN"]
WRONG_PARTS = [
    {"residents": [{"thing": {}}]},
    {"residents": [HELD["residents"][0] | {"strength": {}}]},
    {"clock": 3},
    {"more": 3},
    {"turn": "x", "call": []},
    {"registers": {"theta": "a", "evictions": []}},
    {"touched": [[3]], "words": [[]]},
    {"budget": 0},
    {"budget": True},
]
WRONG_WORDS = [
    ('"stability": 1800.0', '"stability": 0.0'),
    ('"size": 9', '"size": -9'),
    ("observation", "idea"),
    ('"handle": "h"', '"handle": ""'),
]
DAMAGED = [
    *BROKEN,
    *(json.dumps(EMPTY | part) for part in WRONG_PARTS),
    *(json.dumps(HELD).replace(was, now) for was, now in WRONG_WORDS),
]


def test_what_is_called_damaged_is_not_what_a_window_looks_like():
    assert windows.window_of(HELD) == windows.window_of(json.loads(json.dumps(HELD)))
    assert json.dumps(HELD) not in DAMAGED
    assert json.dumps(EMPTY) not in DAMAGED


@pytest.mark.parametrize("state", DAMAGED, ids=range(len(DAMAGED)))
def test_a_session_whose_window_is_damaged_goes_on_with_a_new_one_and_keeps_what_it_saw(tmp_path, state):
    path = tmp_path / "memory.db"
    with opened(path, tmp_path) as clew:
        worked(clew, "s", 0, 3)
        clew.take_in()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE windows SET state = ?", (state,))
    with opened(path, tmp_path, NOW + 60) as clew:
        clew.working_set(session="s")
        clew.status()
        clew.capture(Event("session_start", "claude-code", "s", id="again", source="compact"))
        worked(clew, "s", 3, 5)
        clew.take_in()
        assert clew.notes() == []
        seen, held, _, _ = known(clew, "s")
        assert seen.keys() == {f"make part{n}" for n in range(5)}
        assert {seen["make part3"][0], seen["make part4"][0]} <= held
        assert clew.restore("make part0").text.startswith("part 0")
