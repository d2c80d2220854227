"""The spool: what was appended is taken in exactly once and in order, whoever dies and wherever."""

import fcntl
import json
import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew import Clew
from clew.engines import lines
from clew.model import Event
from clew.store import spool as spools
from clew.store.spool import HEAD_BYTES, LOCK_SECONDS, POLL_SECONDS, Spool

SRC = Path(__file__).parents[2] / "src"


@pytest.fixture
def spool(tmp_path):
    """The spool of a store that does not exist yet, in a folder that does not either."""
    return Spool(str(tmp_path / "deep" / "memory.db"))


def read_all(spool):
    """Every line from the start, and how many were damaged."""
    _, _, lines, broken = spool.read("", 0)
    return lines, broken


def test_lines_come_back_in_order_and_once(spool):
    for n in range(3):
        assert spool.append({"n": n, "text": "é\n\u2028\0\ud800"})
    generation, end, lines, broken = spool.read("", 0)
    assert [line["n"] for line in lines] == [0, 1, 2]
    assert broken == 0
    assert spool.read(generation, end) == (generation, end, [], 0)
    spool.append({"n": 3})
    assert [line["n"] for line in spool.read(generation, end)[2]] == [3]


def test_a_folder_that_is_not_there_is_made_for_its_owner_alone(spool):
    spool.append({"n": 1})
    assert os.stat(spool.path).st_mode & 0o777 == 0o600
    assert os.stat(os.path.dirname(spool.path)).st_mode & 0o777 == 0o700


def test_taking_a_few_at_a_time_takes_them_all(spool):
    for n in range(7):
        spool.append({"n": n})
    state, seen = ("", 0), []
    while (found := spool.read(*state, most=3))[:2] != state:
        state = found[:2]
        seen += [line["n"] for line in found[2]]
    assert seen == list(range(7))


def test_an_emptied_file_begins_a_new_generation(spool):
    spool.append({"n": 1})
    generation, end, _, _ = spool.read("", 0)
    spool.empty(generation, end)
    assert os.path.getsize(spool.path) == 0
    assert spool.read(generation, end) == (generation, end, [], 0)
    spool.append({"n": 2})
    fresh, _, lines, _ = spool.read(generation, end)
    assert fresh != generation
    assert lines == [{"n": 2}]


def test_a_file_with_a_line_that_was_not_taken_is_not_emptied(spool):
    spool.append({"n": 1})
    generation, end, _, _ = spool.read("", 0)
    spool.append({"n": 2})
    spool.empty(generation, end)
    spool.empty("another", os.path.getsize(spool.path))
    assert len(read_all(spool)[0]) == 2


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_writer_that_died_in_its_line_loses_that_line_alone(spool, cut):
    spool.append({"n": 1})
    spool.append({"n": 2})
    size = os.path.getsize(spool.path)
    os.truncate(spool.path, max(0, size - cut))
    spool.append({"n": 3})
    lines, broken = read_all(spool)
    numbers = [line["n"] for line in lines]
    assert numbers == sorted(numbers)
    assert numbers[-1] == 3
    assert broken <= 1
    assert len(numbers) + broken >= 3 - (cut >= 8) - (cut >= 16) - broken


@given(st.binary(max_size=200))
def test_any_bytes_in_the_file_are_read_without_a_stumble(tmp_path_factory, noise):
    spool = Spool(str(tmp_path_factory.mktemp("noise") / "memory.db"))
    Path(spool.path).write_bytes(noise)
    spool.append({"n": 1})
    generation, end, lines, _ = spool.read("", 0)
    assert lines[-1:] == [{"n": 1}]
    assert spool.read(generation, end)[2] == []
    spool.empty(generation, end)
    assert os.path.getsize(spool.path) == 0


def test_too_long_a_line_and_a_full_spool_are_refused(spool, monkeypatch):
    with pytest.raises(ValueError, match="limit"):
        spool.append({"text": "x" * spools.LINE_BYTES})
    monkeypatch.setattr(spools, "FULL_BYTES", 100)
    spool.append({"n": 1})
    with pytest.raises(OSError, match="full"):
        spool.append({"text": "x" * 100})


def test_a_disk_that_fills_in_the_middle_of_a_line_keeps_none_of_it(spool, monkeypatch):
    spool.append({"n": 1})
    before, real = os.path.getsize(spool.path), os.write
    answers = iter([lambda h, d: real(h, d[:5]), lambda h, d: 0])
    monkeypatch.setattr(os, "write", lambda handle, data: next(answers)(handle, data))
    with pytest.raises(OSError, match="space"):
        spool.append({"n": 2})
    assert os.path.getsize(spool.path) == before


def test_a_read_only_folder_is_an_error_that_says_so(tmp_path):
    spool = Spool(str(tmp_path / "memory.db"))
    (tmp_path / "memory.db.spool").mkdir()
    with pytest.raises(OSError, match="directory"):
        spool.append({"n": 1})


def test_a_lock_that_is_held_is_waited_for_only_a_moment(spool):
    spool.append({"n": 1})
    handle = os.open(spool.path, os.O_RDWR)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        with pytest.raises(BlockingIOError):
            spool.append({"n": 2})
    finally:
        os.close(handle)
    assert spool.append({"n": 2})


def test_a_lock_waited_for_in_vain_is_only_tried_until_it_is_had(spool, monkeypatch):
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now, sleep=lambda seconds: setattr(clock, "now", clock.now + seconds))
    monkeypatch.setattr(spools, "time", clock)
    spool.append({"n": 1})
    for _ in range(2):
        handle, clock.now = os.open(spool.path, os.O_RDWR), 0.0
        fcntl.flock(handle, fcntl.LOCK_EX)
        for _ in range(4):
            with pytest.raises(BlockingIOError):
                spool.read("", 0)
        assert clock.now == pytest.approx(LOCK_SECONDS, abs=2 * POLL_SECONDS)
        os.close(handle)
        spool.read("", 0)


def test_a_line_that_is_known_is_not_added(spool):
    assert spool.append({"n": 1}, known=lambda lines: bool(lines))
    assert not spool.append({"n": 1}, known=lambda lines: lines == [{"n": 1}])
    assert len(read_all(spool)[0]) == 1


def test_the_spool_of_a_store_in_memory_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spool = Spool(":memory:")
    spool.append({"n": 1})
    generation, end, lines, _ = spool.read("", 0)
    assert lines == [{"n": 1}]
    spool.empty(generation, end)
    assert spool.read(generation, end)[2] == []
    assert os.listdir(tmp_path) == []


# Processes that are killed. A step is a call that changes or shows something outside: the child dies just before its n-th one.

DYING = """
import os, signal, sys
sys.path.insert(0, {src!r})
import apsw
from clew.store import spool as spools
steps = {step}

def counted(real, half=False):
    def call(*given):
        global steps
        steps -= 1
        if steps == 0:
            if half:
                real(given[0], given[1][: len(given[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given)
    return call

class Watched:
    def __init__(self, db): object.__setattr__(self, "db", db)
    def __getattr__(self, name): return getattr(self.db, name)
    def execute(self, text, *more):
        writes = text.lstrip()[:6] in ("BEGIN ", "COMMIT", "INSERT", "UPDATE", "DELETE")
        return (counted(self.db.execute) if writes else self.db.execute)(text, *more)

os.write, os.ftruncate, os.open, os.close = counted(os.write, half=True), counted(os.ftruncate), counted(os.open), counted(os.close)
from clew import Clew
from clew.model import Event
clew = Clew({path!r}, root={root!r}, embed="off", long_lived=False)
clew._store._db = Watched(clew._store._db)
{work}
print("lived")
"""
TAKE = "clew.take_in()"
APPEND = 'clew.capture(Event("prompt", "claude-code", "s", text="killed at {step}"))'


def dies_at(step, work, path, root):
    """Run `work` in a process that is killed at its n-th step; whether it came through alive."""
    code = DYING.format(src=str(SRC), step=step, path=path, root=root, work=work)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return "lived" in done.stdout


def prompts(clew):
    """The prompts of the log, oldest first."""
    where = clew.project()
    return [line["text"] for line in reversed(clew._store.read_log(where.id, limit=1_000)) if line["event"] == "prompt"]


def say(clew, *words):
    """Append prompts to the spool."""
    for text in words:
        clew.capture(Event("prompt", "claude-code", "s", text=text))


@pytest.mark.parametrize("work", [TAKE, APPEND], ids=["taker", "appender"])
def test_whoever_is_killed_wherever_every_line_is_taken_once_and_in_order(tmp_path, work):
    path, root = str(tmp_path / "memory.db"), str(tmp_path)
    said, step, alive = [], 0, False
    with Clew(path, root=root, embed="off", long_lived=False) as clew:
        clew.remember("something")
        while not alive:
            step += 1
            fresh = [f"line {step}a", f"line {step}b"]
            say(clew, *fresh)
            alive = dies_at(step, work.format(step=step), path, root)
            clew.take_in()
            kept = prompts(clew)
            said += [*fresh, *(kept[-1:] if kept[-1].startswith("killed") else [])]
            assert kept == said
        assert step > 5, "there was something to die at"


def test_two_takers_at_once_take_each_line_once(tmp_path):
    path, root = str(tmp_path / "memory.db"), str(tmp_path)
    with Clew(path, root=root, embed="off", long_lived=False) as one, Clew(path, root=root, embed="off", long_lived=False) as two:
        say(one, "a", "b")
        real = one._spool.read

        def late(*state, **how):
            found = real(*state, **how)
            two.take_in()
            return found

        one._spool = type("Late", (), {"read": staticmethod(late), "empty": one._spool.empty, "cut": one._spool.cut})()
        one.take_in()
        assert prompts(two) == ["a", "b"]


def append_many(path, root, name, count):
    """One process's appends."""
    with Clew(path, root=root, embed="off", long_lived=False, read_only=True) as clew:
        for n in range(count):
            clew._spool.append(lines.line_of(Event("prompt", "c", f"{name}", at=float(n), text=f"{name} {n}"), clew._place(None)))


def test_eight_appenders_and_a_taker_lose_and_double_nothing(tmp_path):
    path, root, count = str(tmp_path / "memory.db"), str(tmp_path), 100
    with Clew(path, root=root, embed="off", long_lived=False) as clew:
        clew.remember("something")
        context = multiprocessing.get_context("fork")
        workers = [context.Process(target=append_many, args=(path, root, name, count)) for name in range(8)]
        for worker in workers:
            worker.start()
        while any(worker.is_alive() for worker in workers):
            clew.take_in()
        assert [worker.exitcode for worker in workers] == [0] * 8
        clew.take_in()
        kept = prompts(clew)
        assert len(kept) == 8 * count
        for name in range(8):
            assert [text for text in kept if text.startswith(f"{name} ")] == [f"{name} {n}" for n in range(count)]


def test_a_line_of_another_form_does_not_stop_those_behind_it(tmp_path):
    wrong = [
        {"kind": "prompt"}, {"kind": 3, "at": 1.0}, {"kind": "prompt", "at": "now"}, {"kind": "prompt", "at": 1e300},
        {"kind": "prompt", "at": 1.0, "place": ["x"]}, {"kind": "prompt", "at": 1.0, "place": [[], "", ""]},
        {"kind": "prompt", "at": 1.0, "shown": [["x", 1]]}, {"kind": "prompt", "at": 1.0, "shown": [[1 << 70, 1]]},
        {"kind": "prompt", "at": 1.0, "session": ["s"]}, {"kind": "tool", "at": 1.0, "text": "\ud800"}, {"at": 1.0, "shown": 3},
    ]  # fmt: skip
    with Clew(str(tmp_path / "memory.db"), root=str(tmp_path), embed="off", long_lived=False) as clew:
        clew.capture(Event("prompt", "c", "s", text="first"))
        with open(clew._spool.path, "a") as file:
            file.write("".join(json.dumps(line) + "\n" for line in wrong) + "[1]\nno json\n" + "[" * 100_000 + "\n")
        say(clew, "last")
        assert clew.take_in() == 2
        assert prompts(clew) == ["first", "last"]
        assert any("14 damaged lines" in note for note in clew.notes())


def test_a_file_that_was_taken_whole_but_not_emptied_is_emptied_by_the_next(tmp_path, monkeypatch):
    with Clew(str(tmp_path / "memory.db"), root=str(tmp_path), embed="off", long_lived=False) as clew:
        say(clew, "a")
        with monkeypatch.context() as dying:
            dying.setattr(Spool, "empty", lambda *_: None)
            clew.take_in()
        assert os.path.getsize(clew._spool.path) > 0
        assert clew.take_in() == 0
        assert os.path.getsize(clew._spool.path) == 0
        assert prompts(clew) == ["a"]


def test_the_head_is_as_long_as_it_says(spool):
    spool.append({})
    assert Path(spool.path).read_bytes().index(b"\n") + 1 == HEAD_BYTES


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_device_in_the_spools_place_is_refused_and_not_read_for_ever(tmp_path):
    (tmp_path / "memory.db.spool").symlink_to("/dev/full")
    spool = Spool(str(tmp_path / "memory.db"))
    with pytest.raises(OSError, match="is no spool"):
        spool.read("", 0)
    with pytest.raises(OSError):
        spool.append({"n": 1}, lambda _: False)


def test_a_file_far_larger_than_a_spool_is_named_and_left_as_it_is(tmp_path):
    path = tmp_path / "memory.db.spool"
    path.write_bytes(b"x" * (2 * spools.FULL_BYTES + 1))
    with Clew(str(tmp_path / "memory.db"), root=str(tmp_path), embed="off", long_lived=False) as clew:
        assert "is no spool" in str(clew.status())
        clew.remember("Memory works all the same")
    assert path.stat().st_size == 2 * spools.FULL_BYTES + 1
