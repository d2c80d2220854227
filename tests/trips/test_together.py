"""Many processes on one file at once: everything is kept, nothing twice, nobody is turned away."""

import subprocess
import sys

import apsw
import pytest

from clew import StoreBusy
from trips import environment, opened, python, summaries

WRITERS = 8
EACH = 200
SHARED = 40  # of EACH, said by every process

WRITER = """
import sys
from clew import Clew
path, me, gate = sys.argv[1], int(sys.argv[2]), sys.stdin
sys.stdout.write("ready\\n"); sys.stdout.flush()
gate.readline()
with Clew(path, project="trip", embed="hashing") as clew:
    for i in range(int(sys.argv[3])):
        text = f"shared fact {i}" if i < int(sys.argv[4]) else f"fact {i} of writer {me}"
        clew.remember(text, tags=[f"by{me}"])
print("done")
"""


def race(code, path, *rest, count=WRITERS):
    """Start processes, let all go at the same moment, and give back how each ended."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(path), str(i), *map(str, rest)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), text=True,
        )
        for i in range(count)
    ]  # fmt: skip
    for process in started:
        assert process.stdout.readline() == "ready\n"
    for process in started:
        process.stdin.write("go\n")
        process.stdin.flush()
    ended = [process.communicate(timeout=300) for process in started]
    assert [err for _, err in ended] == [""] * count
    assert [process.returncode for process in started] == [0] * count
    return [out for out, _ in ended]


def test_eight_processes_on_a_new_file_lose_nothing_and_double_nothing(tmp_path):
    path = tmp_path / "new" / "memory.db"
    race(WRITER, path, EACH, SHARED)
    with opened(path) as clew:
        kept = clew.list(limit=100_000)
        texts = [memory.summary for memory in kept]
        assert len(texts) == len(set(texts)) == SHARED + WRITERS * (EACH - SHARED)
        shared = [memory for memory in kept if memory.summary.startswith("shared")]
        assert {memory.seen for memory in shared} == {WRITERS}
        assert all(set(memory.tags) == {f"by{i}" for i in range(WRITERS)} for memory in shared)
        assert [project.name for project in clew.projects()] == ["trip"]
        assert clew.doctor() == []
        assert clew.recall("fact 199 of writer 7")[0].memory.summary == "fact 199 of writer 7"


SWEEPER = """
import sys
from clew import Clew
sys.stdout.write("ready\\n"); sys.stdout.flush()
sys.stdin.readline()
with Clew(sys.argv[1], project="trip", embed="hashing", clock=lambda: 5_000.0) as clew:
    clew.remember(f"after the sweep {sys.argv[2]}")
"""


def test_processes_that_sweep_the_same_expired_memories_do_not_trip_over_each_other(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path, clock=lambda: 1_000.0) as clew:
        for i in range(300):
            clew.remember(f"short lived {i}", ttl=60)
    race(SWEEPER, path, count=4)
    with opened(path, clock=lambda: 5_001.0) as clew:
        assert summaries(clew) == {f"after the sweep {i}" for i in range(4)}
        assert clew.doctor() == []


CHANGER = """
import sys
from clew import Clew
me = int(sys.argv[2])
sys.stdout.write("ready\\n"); sys.stdout.flush()
sys.stdin.readline()
with Clew(sys.argv[1], project="trip", embed="hashing") as clew:
    for i in range(60):
        if me == 0: clew.edit(1, detail=f"edited {i}")
        elif me == 1: clew.remember("the one that all change", tags=[f"t{i % 50}"]) if i < 50 else None
        elif me == 2: clew.pin(1) if i % 2 else clew.unpin(1)
        else: clew.reindex() if i % 20 == 0 else clew.recall("change")
"""


def test_changes_to_one_memory_from_several_processes_do_not_undo_each_other(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path) as clew:
        clew.remember("the one that all change")
    race(CHANGER, path, count=4)
    with opened(path) as clew:
        found = {tag for memory in clew.list() for tag in memory.tags}
        assert found == {f"t{i}" for i in range(50)}
        assert clew.show(1).detail == "edited 59"
        assert clew.doctor() == []


REINDEXER = """
import sys
from clew import Clew
sys.stdout.write("ready\\n"); sys.stdout.flush()
sys.stdin.readline()
with Clew(sys.argv[1], project="trip", embed="hashing") as clew:
    for _ in range(3): clew.reindex()
"""


def test_two_rebuilds_at_once_leave_one_whole_index(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path) as clew:
        clew.import_jsonl({"summary": f"fact number {i}"} for i in range(1_200))
    race(REINDEXER, path, count=3)
    with opened(path) as clew:
        assert clew.doctor() == []
        assert clew.recall("fact number 1177")[0].memory.summary == "fact number 1177"


@pytest.mark.parametrize("embed", ["hashing", "off"])
def test_a_held_write_lock_is_said_in_time_while_reading_goes_on(victim, embed):
    other = apsw.Connection(str(victim))
    other.execute("BEGIN IMMEDIATE")
    with opened(victim, embed=embed, busy_ms=50) as clew:
        with pytest.raises(StoreBusy) as caught:
            clew.remember("kept out")
        assert "another process is writing" in str(caught.value)
        assert "nothing was changed" in str(caught.value)
        assert clew.recall("decision 7 ledger")
        other.execute("ROLLBACK")
        other.close()
        assert clew.remember("let in").created


def test_a_store_is_opened_and_read_while_another_process_writes(victim):
    other = apsw.Connection(str(victim))
    other.execute("BEGIN IMMEDIATE")
    found = python("from clew import Clew; import sys; print(len(Clew(sys.argv[1], project='trip', embed='off').recall('ledger')))", victim)
    other.close()
    assert (found.code, found.out, found.err) == (0, "10\n", "")
