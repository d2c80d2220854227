"""kill -9 at any moment: what was acknowledged is there, what was begun is there whole or not at all, the index knows both."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from clew.store import migrate
from trips import environment, opened, python

MORTAL = Path(__file__).with_name("mortal.py")
ROUNDS = int(os.environ.get("CLEW_TEST_KILLS", "1000"))
SHARES = 4  # so that several workers of a test run divide the rounds

STEPS = [
    ("remember", ["one new decision about the service"]),
    ("remember", [f"new decision {i} about the service" for i in range(4)]),
    ("import", [f"imported decision {i} about the service" for i in range(4)]),
    ("edit", ["ledger decision 3", "put right"]),
    ("supersede", ["ledger decision 3", "ledger decision 4"]),
    ("forget", ["ledger decision 3", "ledger decision 4"]),
    ("merge", ["side"]),
    ("reindex", []),
]


def mortal(*arguments):
    """What mortal.py answers."""
    done = subprocess.run(
        [sys.executable, str(MORTAL), *map(str, arguments)], capture_output=True, text=True, timeout=900, env=environment()
    )
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.mark.parametrize("share", range(SHARES))
def test_a_writer_killed_at_any_moment_loses_nothing_it_acknowledged(share, tmp_path):
    answer = mortal("rounds", tmp_path / "memory.db", ROUNDS // SHARES, share)
    assert answer.startswith(f"sound after {ROUNDS // SHARES} kills"), answer


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A closed store with eight memories in one project and three in another, one of them the same."""
    path = tmp_path_factory.mktemp("small") / "memory.db"
    with opened(path) as clew:
        for i in range(8):
            clew.remember(f"ledger decision {i}")
        clew.remember("side decision 1", project="side", tags=["a"])
        clew.remember("side decision 2", project="side")
    return path


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step[0]}-{len(step[1])}")
def test_a_verb_killed_before_any_of_its_statements_is_done_whole_or_not_at_all(step, small, tmp_path):
    wrong, kills = mortal("points", small, json.dumps(step), tmp_path / "scratch")
    assert wrong == []
    assert kills > 4


def test_twins_that_meet_in_a_merge_are_joined_whole_or_not_at_all(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path) as clew:
        clew.remember("the same decision")
        clew.remember("the same decision", project="side")
        clew.remember("another decision", project="side")
    wrong, kills = mortal("points", path, json.dumps(("merge", ["side"])), tmp_path / "scratch")
    assert wrong == []
    assert kills > 10


REINDEX = """
import os, signal, sys
from clew import Clew
with Clew(sys.argv[1], project="trip", embed="hashing") as clew:
    clew.reindex(lambda done, last: os.kill(os.getpid(), signal.SIGKILL))
"""


def test_a_killed_rebuild_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path) as clew:
        clew.import_jsonl({"summary": f"fact number {i}"} for i in range(1_200))
    assert python(REINDEX, path).code == -signal.SIGKILL
    with opened(path) as clew:
        assert any("half rebuilt (up to #500 of #1200)" in sentence for sentence in clew.notes())
        assert clew.recall("fact number 77")[0].memory.summary == "fact number 77"
        late = clew.remember("fact of the time between").memory
        clew.edit(900, summary="fact that was put right")
        clew.forget(901, 20)
        seen = []
        assert clew.reindex(lambda done, last: seen.append((done, last))) == 699
        assert seen[-1] == (1_200, 1_200)
        assert clew.notes() == clew.doctor() == []
        assert clew.recall("fact of the time between")[0].memory.id == late.id
        assert clew.recall("put right")[0].memory.id == 900


MIGRATE = """
import os, shutil, signal, sys
import apsw
from clew.store import migrate
from clew import Clew
path, folder, at = sys.argv[1], sys.argv[2], int(sys.argv[3])
migrate.FOLDER = folder
left = [at]
def trace(cursor, sql, bindings):
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    return True
apsw.connection_hooks.append(lambda db: setattr(db, "exec_trace", trace))
with Clew(path, project="trip", embed="hashing", long_lived=False) as clew:
    sys.stdout.write(str(clew.status()["store"]["schema"]))
"""


def test_a_migration_killed_before_any_statement_is_done_whole_or_not_at_all(small, tmp_path, monkeypatch):
    newest = migrate.steps()[-1][0]
    folder = tmp_path / "schema"
    shutil.copytree(migrate.FOLDER, folder)
    (folder / f"{newest + 1:04}_more.sql").write_text(
        "CREATE TABLE more (id INTEGER PRIMARY KEY);\nALTER TABLE memories ADD COLUMN more TEXT;\nINSERT INTO more VALUES (1);\n"
    )
    monkeypatch.setattr(migrate, "FOLDER", str(folder))
    for at in range(100):
        scratch = tmp_path / f"scratch{at}"
        scratch.mkdir()
        copy = Path(shutil.copy(small, scratch / "memory.db"))
        died = python(MIGRATE, copy, folder, at)
        with opened(copy) as clew:
            assert clew.status()["store"]["schema"] == newest + 1
            assert len(clew.list(project="*")) == 10
            assert clew.doctor() == []
        kept = copy.with_name(f"memory.db.schema-{newest}.bak")
        monkeypatch.setattr(migrate, "FOLDER", os.path.join(os.path.dirname(migrate.__file__), "schema", "sqlite"))
        with opened(kept) as clew:
            assert len(clew.list(project="*")) == 10
        monkeypatch.setattr(migrate, "FOLDER", str(folder))
        if died.code == 0:
            break
        assert died.code == -signal.SIGKILL
    assert died.out == str(newest + 1)
    assert at > 8
