"""Opening a store leaves the locks alone that others of the same process hold on the file; it obeys its rules."""

import subprocess
import sys

import apsw
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


@pytest.mark.parametrize("options", [{}, {"read_only": True}], ids=["writing", "reading"])
def test_a_statement_is_made_once_whatever_is_bound_to_it(tmp_path, options):
    path = str(tmp_path / "memory.db")
    SqliteStore(path).close()
    store = SqliteStore(path, **options)
    made = []
    store._db.authorizer = lambda *what: made.append(what) or apsw.SQLITE_OK  # asked whenever a statement is made
    assert store.read_log(1, limit=5) == []
    before = len(made)
    assert before > 0
    assert store.read_log(1, limit=7) == store.read_log(1, limit=1) == []
    assert len(made) == before
    store.close()


@pytest.mark.parametrize("options", [{}, {"read_only": True}], ids=["writing", "reading"])
def test_every_rule_holds_on_every_connection(tmp_path, options):
    path = str(tmp_path / "memory.db")
    SqliteStore(path).close()
    store = SqliteStore(path, **options)
    assert (store._db.pragma("cache_size"), store._db.pragma("temp_store")) == (-32768, 2)
    if not options:
        assert [store._db.pragma(name) for name in ("synchronous", "foreign_keys", "secure_delete")] == [1, 1, 1]
    store.close()
