"""Opening a store leaves the locks alone that others of the same process hold on the file."""

import subprocess
import sys

import pytest

from clew.errors import StoreDamaged
from clew.store.sqlite import SqliteStore

# SQLite's lock of a connection that reads or is in WAL mode: 510 bytes from 2^30 + 2.
TRY = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, (1 << 30) + 2)
    except OSError:
        print("held")
"""


def held(path):
    """Whether another process finds the file in use."""
    return subprocess.run([sys.executable, "-c", TRY, path], capture_output=True, text=True, check=True).stdout == "held\n"


@pytest.mark.skipif(sys.platform == "win32", reason="locks of this kind belong to a handle there")
def test_a_second_store_of_the_process_does_not_take_the_first_ones_lock_away(tmp_path):
    path = str(tmp_path / "memory.db")
    first = SqliteStore(path)
    with first.transaction():
        first.set_setting("a", "1")
    assert held(path)
    for options in ({}, {"read_only": True}):
        SqliteStore(path, **options).close()
        assert held(path)
    first.close()
    assert not held(path)


@pytest.mark.parametrize("content", [b"notes", b"x" * 511, b"x" * 512, b"SQLite format 3\0", b"SQLite format 3\0" + b"x" * 9_000])
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path, content):
    file = tmp_path / "memory.db"
    file.write_bytes(content)
    with pytest.raises(StoreDamaged, match="CLEW_DB"):
        SqliteStore(str(file))
    assert file.read_bytes() == content
    assert [f.name for f in tmp_path.iterdir()] == ["memory.db"]
