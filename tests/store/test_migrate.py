"""Schema steps: a new file gets all, an old one the rest after a copy, a newer one is refused, a failing step changes nothing."""

import multiprocessing
import os

import apsw
import pytest

from clew.errors import SchemaTooNew
from clew.store import migrate
from clew.store.sqlite import SqliteStore

FIRST = "CREATE TABLE memories (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO memories (text) VALUES ('kept');"


@pytest.fixture
def steps(tmp_path, monkeypatch):
    """A folder of schema steps that a test fills itself."""
    folder = tmp_path / "steps"
    folder.mkdir()
    monkeypatch.setattr(migrate, "FOLDER", str(folder))

    def write(number, text):
        (folder / f"{number:04d}_step.sql").write_text(text)

    return write


def tables(db):
    return {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def test_a_new_file_gets_every_step_and_its_number(tmp_path):
    db = apsw.Connection(str(tmp_path / "a.db"))
    migrate.migrate(db, str(tmp_path / "a.db"))
    assert migrate.version(db) == migrate.steps()[-1][0]
    assert {"memories", "words", "signs", "vectors", "links", "log"} <= tables(db)
    assert os.listdir(tmp_path) == ["a.db"]


def test_an_up_to_date_file_is_not_even_locked(tmp_path):
    path = str(tmp_path / "a.db")
    db, other = apsw.Connection(path), apsw.Connection(path)
    migrate.migrate(db, path)
    other.execute("BEGIN EXCLUSIVE; ROLLBACK; BEGIN IMMEDIATE")
    migrate.migrate(db, path)
    assert other.in_transaction
    assert migrate.version(db) == migrate.steps()[-1][0]
    other.execute("ROLLBACK")


def test_a_newer_file_is_refused_with_the_way_out(tmp_path):
    path = str(tmp_path / "a.db")
    SqliteStore(path).close()
    db = apsw.Connection(path)
    db.pragma("user_version", 9_999)
    db.close()
    with pytest.raises(SchemaTooNew, match="pip install -U clew"):
        SqliteStore(path)


def test_an_old_file_is_copied_before_it_is_changed(tmp_path, steps):
    path = str(tmp_path / "a.db")
    steps(1, FIRST)
    db = apsw.Connection(path)
    migrate.migrate(db, path)
    steps(2, "CREATE TABLE more (x)")
    migrate.migrate(db, path)
    assert migrate.version(db) == 2
    assert tables(db) == {"memories", "more"}
    copy = tmp_path / "a.db.schema-1.bak"
    assert copy.stat().st_mode & 0o777 == 0o600
    kept = apsw.Connection(str(copy))
    assert (migrate.version(kept), tables(kept), kept.execute("SELECT text FROM memories").get) == (1, {"memories"}, "kept")


def test_a_failing_step_takes_back_all_of_this_run(tmp_path, steps):
    path = str(tmp_path / "a.db")
    steps(1, FIRST)
    db = apsw.Connection(path)
    migrate.migrate(db, path)
    steps(2, "CREATE TABLE second (x); UPDATE memories SET text = 'changed'")
    steps(3, "CREATE TABLE third (x); INSERT INTO nowhere VALUES (1)")
    for _ in range(2):
        with pytest.raises(apsw.SQLError, match="nowhere"):
            migrate.migrate(db, path)
        assert not db.in_transaction
        assert (migrate.version(db), tables(db), db.execute("SELECT text FROM memories").get) == (1, {"memories"}, "kept")


def test_steps_run_once_each_in_the_order_of_their_numbers(tmp_path, steps):
    path = str(tmp_path / "a.db")
    steps(10, "INSERT INTO t VALUES (10)")
    steps(2, "INSERT INTO t VALUES (2)")
    steps(1, "CREATE TABLE t (n)")
    db = apsw.Connection(path)
    for _ in range(3):
        migrate.migrate(db, path)
    assert [row[0] for row in db.execute("SELECT n FROM t ORDER BY rowid")] == [2, 10]


def test_a_store_in_memory_leaves_no_copy(steps, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    steps(1, FIRST)
    db = apsw.Connection(":memory:")
    migrate.migrate(db, ":memory:")
    steps(2, "CREATE TABLE more (x)")
    migrate.migrate(db, ":memory:")
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".bak")]


def _open_when_told(path, gate, answers):
    gate.wait()
    store = SqliteStore(path)
    answers.put(store.facts()["schema"])
    store.close()


def test_processes_that_open_a_new_file_together_all_find_it_made(tmp_path):
    spawn = multiprocessing.get_context("spawn")
    gate, answers = spawn.Barrier(3), spawn.Queue()
    openers = [spawn.Process(target=_open_when_told, args=(str(tmp_path / "a.db"), gate, answers)) for _ in range(3)]
    for process in openers:
        process.start()
    found = [answers.get(timeout=60) for _ in openers]
    for process in openers:
        process.join()
    assert found == [migrate.steps()[-1][0]] * 3
    assert [process.exitcode for process in openers] == [0, 0, 0]


def _old_file(path):
    """A store of the first schema alone, big enough that copying it takes a while."""
    with open(os.path.join(migrate.FOLDER, "0001_first.sql"), encoding="utf-8") as step:
        db = apsw.Connection(path)
        db.execute(step.read())
    db.pragma("user_version", 1)
    count = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 2000)"
    db.execute(f"{count} INSERT INTO settings (key, value) SELECT n, hex(randomblob(2000)) FROM n")
    db.close()


def test_processes_that_open_an_old_file_together_all_get_in_and_its_copy_is_whole(tmp_path):
    path = str(tmp_path / "a.db")
    _old_file(path)
    spawn = multiprocessing.get_context("spawn")
    gate, answers = spawn.Barrier(5), spawn.Queue()
    openers = [spawn.Process(target=_open_when_told, args=(path, gate, answers)) for _ in range(5)]
    for process in openers:
        process.start()
    for process in openers:
        process.join(60)
    assert [process.exitcode for process in openers] == [0] * 5
    assert {answers.get(timeout=60) for _ in openers} == {migrate.steps()[-1][0]}
    kept = apsw.Connection(f"{path}.schema-1.bak")
    assert (migrate.version(kept), kept.pragma("integrity_check")) == (1, "ok")
    assert kept.execute("SELECT count(*) FROM settings").get == 2_000
    assert not [name for name in os.listdir(tmp_path) if ".part" in name]


def test_a_copy_of_an_earlier_try_gives_way_to_one_of_the_file_as_it_is_now(tmp_path, steps):
    path = str(tmp_path / "a.db")
    steps(1, FIRST)
    db = apsw.Connection(path)
    migrate.migrate(db, path)
    steps(2, "INSERT INTO nowhere VALUES (1)")
    with pytest.raises(apsw.SQLError, match="nowhere"):
        migrate.migrate(db, path)
    db.execute("INSERT INTO memories (text) VALUES ('written since')")
    steps(2, "CREATE TABLE more (x)")
    migrate.migrate(db, path)
    kept = apsw.Connection(f"{path}.schema-1.bak")
    assert [row[0] for row in kept.execute("SELECT text FROM memories ORDER BY id")] == ["kept", "written since"]


def test_where_the_copy_cannot_be_made_nothing_is_changed_and_no_half_of_it_stays(tmp_path, steps):
    path = str(tmp_path / "a.db")
    steps(1, FIRST)
    db = apsw.Connection(path)
    migrate.migrate(db, path)
    steps(2, "CREATE TABLE more (x)")
    (tmp_path / "a.db.schema-1.bak").mkdir()
    with pytest.raises(IsADirectoryError):
        migrate.migrate(db, path)
    assert (migrate.version(db), tables(db), db.in_transaction) == (1, {"memories"}, False)
    assert sorted(os.listdir(tmp_path)) == ["a.db", "a.db.schema-1.bak", "steps"]
