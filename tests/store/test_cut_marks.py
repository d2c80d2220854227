"""The mark of a hook that was cut off: left without waiting, on a full disk too, and nothing that stands in its place does harm."""

import os
import resource

import pytest

from clew.store import spool as spools
from clew.store.spool import Spool


@pytest.fixture
def spool(tmp_path):
    """The spool of a store that does not exist yet, in a folder that does not either."""
    return Spool(str(tmp_path / "deep" / "memory.db"))


def test_marks_of_hooks_that_were_cut_off_are_read_until_they_are_forgotten(spool):
    os.makedirs(os.path.dirname(spool.path))
    assert spool.cut() == ([], 0.0)
    for name in ("Stop", "Post\n\x1b[2JToolUse" + "x" * 500):
        spool.marker(name)()
    names, at = spool.cut()
    assert names[0] == "Stop"
    assert all(name.isalnum() and len(name) <= 40 for name in names)
    assert at == os.stat(spool.path + ".cut").st_mtime
    spool.forget_cut()
    assert spool.cut() == ([], 0.0)


def test_a_mark_on_a_full_disk_is_a_file_and_its_time(spool):
    os.makedirs(os.path.dirname(spool.path))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))  # the system refuses every byte, but not an empty file
    try:
        spool.marker("Stop")()
        os.utime(spool.path + ".cut", (1.0, 1.0))
        spool.marker("Stop")()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    names, at = spool.cut()
    assert names == [""]
    assert at > 1.0


def test_marks_stop_growing_and_still_say_when_the_last_was_left(spool):
    os.makedirs(os.path.dirname(spool.path))
    for _ in range(2_000):
        spool.marker("Stop")()
    os.utime(spool.path + ".cut", (1.0, 1.0))
    spool.marker("Stop")()
    names, at = spool.cut()
    assert os.path.getsize(spool.path + ".cut") <= spools.CUT_BYTES + len("Stop\n")
    assert set(names) <= {"Stop", "S"}
    assert at > 1.0


@pytest.mark.parametrize("stands_there", ["nothing", "a folder", "a pipe", "a link"])
def test_a_mark_that_cannot_be_left_is_passed_over_and_waits_for_nobody(spool, tmp_path, stands_there):
    path = spool.path + ".cut"
    if stands_there != "nothing":  # then not even its folder is there
        os.makedirs(os.path.dirname(path))
        {"a folder": os.mkdir, "a pipe": os.mkfifo, "a link": lambda to: os.symlink(tmp_path / "elsewhere", to)}[stands_there](path)
    spool.marker("Stop")()
    assert spool.cut() == ([], 0.0)
    assert not (tmp_path / "elsewhere").exists()


def test_a_store_in_memory_has_no_marks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Spool(":memory:").marker("Stop")()
    assert os.listdir(tmp_path) == []
    assert Spool(":memory:").cut() == ([], 0.0)
