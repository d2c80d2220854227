"""Work for a quiet moment: what is new is read while nothing is asked, and whoever closes, fails or is killed loses nothing."""

import os
import signal
import subprocess
import sys
import textwrap
from threading import active_count

import pytest

from clew import Clew, MissingExtra
from clew.embed import HashingEmbedder
from clew.engines import deepening, indexing
from clew.model import Filter
from clew.service.background import Background

FACTS = [{"summary": f"fact {i} of the ledger"} for i in range(1, 121)]


class Reader(HashingEmbedder):
    """Reads a word more in every text, in the same space; `each` is called before each text with how many it has read."""

    def __init__(self, each=lambda read: None):
        super().__init__()
        self.each, self.read = each, 0

    def embed(self, text):
        self.each(self.read)
        self.read += 1
        return super().embed(f"{text} moreover")


@pytest.fixture
def clew(tmp_path):
    """A store of 120 memories in a file."""
    with Clew(str(tmp_path / "memory.db"), project="p", embed="hashing") as opened:
        opened.import_jsonl(FACTS)
        yield opened


def deep(clew):
    """How many memories have the reader's vector."""
    found = 0
    for memory in clew.list(limit=200):
        (vector,) = indexing.meanings([memory], Reader())
        near = clew._store.nearest([p.id for p in clew.projects()], vector, Filter(now=0.0), limit=1, also=[memory.id])
        found += near.cosines[memory.id] > 0.9999
    return found


def reading(clew, reader):
    return Background(clew._store, lambda: reader, quiet=0.0)


def test_what_is_there_is_read_once_and_the_thread_ends(clew):
    threads, reader = active_count(), Reader()
    background = reading(clew, reader)
    for _ in range(3):
        background.wake()
        background.wait()
    assert (deep(clew), reader.read, active_count()) == (120, 120, threads)
    assert clew.doctor() == []


def test_what_comes_later_is_read_at_the_next_call(clew):
    reader = Reader()
    background = reading(clew, reader)
    background.wake()
    background.wait()
    clew.remember("a late fact")
    background.wake()
    background.wait()
    assert (deep(clew), reader.read) == (121, 121)


def test_calls_go_on_while_it_reads(clew):
    found = []
    reader = Reader(lambda read: read == 7 and found.append(clew.recall("fact 77 of the ledger")[0].memory.id))
    background = reading(clew, reader)
    background.wake()
    background.wait()
    assert (found, deep(clew)) == ([77], 120)


def test_stopping_drops_what_is_being_read_and_keeps_what_was(clew):
    def each(read):
        if read == 60:
            background._stop.set()

    background = reading(clew, Reader(each))
    background.wake()
    background.wait()
    assert deep(clew) == deepening.STEP
    background.stop()
    background.wake()
    assert deep(clew) == deepening.STEP


def test_without_the_extra_it_is_tried_once_and_nothing_is_said(clew):
    tried = []

    def missing():
        tried.append(1)
        raise MissingExtra("CLEW_EMBED=quality", "quality")

    background = Background(clew._store, missing, quiet=0.0)
    for _ in range(3):
        background.wake()
        background.wait()
    assert (tried, deep(clew), clew.notes()) == ([1], 0, [])


def test_a_store_of_another_embedder_is_left_as_it_is(clew):
    background = reading(clew, HashingEmbedder(dim=128))
    background.wake()
    background.wait()
    assert (deep(clew), clew.doctor()) == (0, [])


def test_only_the_quality_tier_of_a_process_that_lives_on_reads_in_the_background(tmp_path):
    def has_one(**how):
        with Clew(str(tmp_path / "other.db"), project="p", **how) as opened:
            return opened._background is not None

    assert has_one(embed="quality")
    assert has_one(embed="quality", long_lived=None)
    assert not has_one(embed="quality", long_lived=False)
    assert not has_one(embed="quality", read_only=True)
    assert not has_one(embed="static", long_lived=None)
    assert not has_one(embed="static")


MORTAL = """
    import os, signal, sys
    sys.path[:0] = {paths!r}
    from test_background import Reader, reading
    from clew import Clew

    clew = Clew({path!r}, project="p", embed="hashing")
    background = reading(clew, Reader(lambda read: read == 60 and os.kill(os.getpid(), signal.SIGKILL)))
    background.wake()
    background.wait()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill a process so")
def test_a_process_that_is_killed_while_it_reads_leaves_a_sound_store_and_the_next_goes_on(clew, tmp_path):
    code = textwrap.dedent(MORTAL).format(paths=[os.path.dirname(__file__), *sys.path], path=str(tmp_path / "memory.db"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert (deep(clew), clew.doctor(), clew.notes()) == (deepening.STEP, [], [])
    reader = Reader()
    background = reading(clew, reader)
    background.wake()
    background.wait()
    assert (deep(clew), reader.read) == (120, 70)


FORGETFUL = """
    import sys
    from threading import main_thread
    sys.path[:0] = {paths!r}
    from test_background import Reader, reading
    from clew import Clew

    clew = Clew({path!r}, project="p", embed="hashing")
    background = reading(clew, Reader(lambda read: main_thread().join()))  # the first text takes as long as the program
    background.wake()
    print("end")
"""


def test_a_program_that_forgets_to_close_ends_all_the_same(clew, tmp_path):
    code = textwrap.dedent(FORGETFUL).format(paths=[os.path.dirname(__file__), *sys.path], path=str(tmp_path / "memory.db"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")
    assert deep(clew) == 0


LATE = """
    import atexit, sys
    sys.path[:0] = {paths!r}
    from test_background import Reader, reading
    from clew import Clew

    clew = Clew({path!r}, project="p", embed="hashing")
    background = reading(clew, Reader())
    atexit.register(background.wake)
"""


def test_a_verb_while_the_program_ends_starts_nothing(clew, tmp_path):
    code = textwrap.dedent(LATE).format(paths=[os.path.dirname(__file__), *sys.path], path=str(tmp_path / "memory.db"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr, deep(clew)) == (0, "", 0)
