"""Disks that are full or closed, and files that are no store: reading goes on where it can, the rest says what to do."""

import os
import shutil
import stat
import subprocess
import sys

import apsw
import pytest

from clew import ClewError, InvalidInput, SchemaTooNew, StoreDamaged, StoreError, StoreFull, StoreReadOnly
from clew.store import migrate
from trips import command, environment, opened, python, read_only

TEXT = "what is written to fill a disk, again and again "


def filled(folder):
    """Take every free byte of a disk."""
    with open(folder / "ballast", "wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            return folder / "ballast"


def with_a_source(clew):
    """The handle of what a compilation left out."""
    text = "".join(f"line {n} of a long text\n" for n in range(400))
    return clew.compile_context(token_budget=20, fragments=[{"content": text}]).decisions[0].handles[0]


def test_a_full_disk_is_said_with_the_way_out_and_what_was_there_stays_whole(template, small_disk):
    path = small_disk / "memory.db"
    shutil.copy(template, path)
    (small_disk / "ballast").write_bytes(bytes(1 << 20))
    with opened(path) as clew:
        kept = []
        with pytest.raises(StoreFull, match=r"no space left.*nothing was changed: free some space, or point CLEW_DB at another disk"):
            for i in range(200):
                kept.append(clew.remember(f"filling {i}", detail=TEXT * 2_000).memory.id)
        assert 5 < len(kept) < 60
        assert {clew.show(i).summary for i in kept} == {f"filling {n}" for n in range(len(kept))}
        assert clew.recall("decision 7 ledger")
        assert clew.doctor() == []
        assert len(clew.list(limit=1_000)) == 60 + len(kept)
        (small_disk / "ballast").unlink()
        assert clew.remember("written once there is room again").created
        assert clew.doctor() == []


def test_a_store_on_a_disk_without_a_free_byte_is_read_and_written_again_when_there_is_room(template, small_disk):
    path = small_disk / "memory.db"
    shutil.copy(template, path)
    ballast = filled(small_disk)
    with opened(path) as clew:
        assert clew.recall("decision 7 ledger")
        with pytest.raises(StoreFull, match="no space left"):
            clew.remember("kept out", detail=TEXT * 2_000)
        assert clew.doctor() == [] or "nothing new is kept" in clew.doctor()[0]
    told = command("remember", "kept out", "--project", "trip", CLEW_DB=str(path), CLEW_EMBED="hashing")
    assert (told.code, told.out) == (6, "")
    assert "no space left" in told.err
    assert "Traceback" not in told.err
    ballast.unlink()
    with opened(path) as clew:
        assert clew.remember("let in").created
        assert clew.doctor() == []


def test_an_older_store_without_room_for_its_copy_stays_as_it_is_until_there_is_room(small_disk):
    path = small_disk / "memory.db"
    with opened(path) as clew:
        for i in range(10):
            clew.remember(f"kept {i}", detail=TEXT * 1_000)
    newest = migrate.steps()[-1][0]
    older = apsw.Connection(str(path))
    older.execute(f"DROP TABLE unlinked; PRAGMA user_version = {newest - 1}")
    older.close()
    ballast = filled(small_disk)
    with open(ballast, "r+b") as file:
        file.truncate(ballast.stat().st_size - path.stat().st_size // 2)
    for _ in range(2):
        with pytest.raises(StoreFull, match=r"no space left.*nothing was changed: free some space"):
            opened(path)
    assert not [name for name in os.listdir(small_disk) if "bak" in name]
    ballast.unlink()
    with opened(path) as clew:
        assert len(clew.list()) == 10
        assert clew.doctor() == []
    assert (small_disk / f"memory.db.schema-{newest - 1}.bak").exists()


def test_a_new_store_on_a_full_disk_is_refused_with_the_way_out(small_disk):
    filled(small_disk)
    with pytest.raises(StoreError, match="no space left"):
        opened(small_disk / "memory.db").remember("kept out")


def test_a_backup_to_a_full_disk_names_that_disk_and_leaves_no_half_copy(victim, small_disk):
    filled(small_disk)
    said = r"path: '.*copy\.db' cannot be written: No space left on device$"
    with opened(victim) as clew, pytest.raises(ClewError, match=said) as refused:
        clew.backup(str(small_disk / "copy.db"))
    assert type(refused.value) is ClewError
    assert [p.name for p in small_disk.iterdir()] == ["ballast"]


@pytest.mark.parametrize("there_already", [False, True])
@pytest.mark.parametrize("words", ["export jsonl", "backup", "compile big --html", "sources show {handle} --out"])
def test_a_file_that_is_written_to_a_full_disk_is_trouble_and_no_bad_input(template, tmp_path, small_disk, words, there_already):
    shutil.copy(template, tmp_path / "memory.db")
    (tmp_path / "big").write_text("a line of text\n" * 100)
    settings = {"CLEW_DB": str(tmp_path / "memory.db"), "CLEW_EMBED": "hashing", "CLEW_PROJECT": "trip"}
    with opened(tmp_path / "memory.db") as clew:
        handle = with_a_source(clew)
    if there_already:
        (small_disk / "out").write_text("precious")
    before = filled(small_disk).stat().st_size
    force = ["--force"] * there_already
    run = command(*words.format(handle=handle).split(), small_disk / "out", *force, cwd=tmp_path, **settings)
    assert (run.code, run.out) == (1, "")
    assert run.err.count("\n") == 1
    assert f"'{small_disk / 'out'}' cannot be written: No space left on device" in run.err
    assert {p.name: p.stat().st_size for p in small_disk.iterdir()} == {"ballast": before, **({"out": 8} if there_already else {})}


def test_setup_on_a_full_disk_is_trouble_and_leaves_the_settings_as_they_were(small_disk, tmp_path):
    kept = small_disk / ".claude" / "settings.json"
    kept.parent.mkdir()
    kept.write_text('{"theme": "dark"}\n')
    filled(small_disk)
    run = command("setup", "claude", cwd=tmp_path, HOME=str(small_disk))
    assert (run.code, run.out) == (1, "")
    assert "cannot be written (No space left on device); it is as it was" in run.err
    assert kept.read_text() == '{"theme": "dark"}\n'
    assert [p.name for p in kept.parent.iterdir()] == ["settings.json"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize(("words", "code"), [("export jsonl", 1), ("sources show {handle} --out", 1), ("backup", 2)])
def test_a_device_stays_what_it_is(template, tmp_path, words, code):
    shutil.copy(template, tmp_path / "memory.db")
    with opened(tmp_path / "memory.db") as clew:
        handle = with_a_source(clew)
    before = os.stat("/dev/full")
    settings = {"CLEW_DB": str(tmp_path / "memory.db"), "CLEW_EMBED": "hashing", "CLEW_PROJECT": "trip"}
    run = command(*words.format(handle=handle).split(), "/dev/full", "--force", **settings)
    assert (run.code, run.out) == (code, "")
    assert os.stat("/dev/full").st_ino == before.st_ino
    assert not os.path.exists("/dev/full.part")


def test_a_read_only_home_is_read_and_a_write_says_why_not(template, some_disk):
    home = some_disk / ".clew"
    home.mkdir(mode=0o700)
    shutil.copy(template, home / "memory.db")
    settings = {"CLEW_HOME": str(home), "CLEW_EMBED": "hashing"}
    with read_only(some_disk):
        found = command("recall", "decision 7 ledger", "--project", "trip", "--json", **settings)
        told = command("remember", "kept out", "--project", "trip", **settings)
        with opened(home / "memory.db") as clew:
            assert len(clew.recall("ledger")) == 10
            with pytest.raises(StoreReadOnly, match="cannot be written"):
                clew.remember("kept out")
            assert any("nothing new is kept; recall still answers" in sentence for sentence in clew.doctor())
    assert (found.code, "Traceback" in found.err) == (0, False)
    assert "decision 7 about the ledger service" in found.out
    assert (told.code, told.out) == (6, "")
    assert "cannot be written" in told.err
    assert "Traceback" not in told.err


def test_a_read_only_home_without_a_store_is_said_in_a_sentence(some_disk):
    with read_only(some_disk):
        told = command("remember", "kept out", CLEW_HOME=str(some_disk / "new" / ".clew"))
    assert (told.code, told.out) == (6, "")
    assert "cannot be written" in told.err
    assert "Traceback" not in told.err


CRASH = """
import os, sys
from clew import Clew
clew = Clew(sys.argv[1], project="trip", embed="hashing")
clew.remember("only in the write-ahead log")
os._exit(0)
"""


@pytest.mark.parametrize("index", ["kept", "lost"])
def test_what_a_crash_left_in_the_write_ahead_log_is_read_from_a_read_only_disk(index, template, some_disk):
    path = some_disk / "memory.db"
    shutil.copy(template, path)
    assert python(CRASH, path).code == 0
    assert (some_disk / "memory.db-wal").stat().st_size > 0
    if index == "lost":
        (some_disk / "memory.db-shm").unlink()
    with read_only(some_disk), opened(path) as clew:
        assert clew.recall("only in the write-ahead log")[0].memory.summary == "only in the write-ahead log"
        with pytest.raises(StoreReadOnly):
            clew.remember("kept out")
    with opened(path) as clew:
        assert len(clew.list(limit=100)) == 61
        assert clew.doctor() == []


def test_an_empty_file_becomes_a_store(tmp_path):
    (tmp_path / "memory.db").touch()
    with opened(tmp_path / "memory.db") as clew:
        assert clew.remember("kept").created
        assert clew.doctor() == []


def test_an_empty_file_that_cannot_be_written_is_said_in_a_sentence(some_disk):
    (some_disk / "memory.db").touch()
    with read_only(some_disk), pytest.raises(StoreReadOnly, match="cannot be written"):
        opened(some_disk / "memory.db")


def another_program(path):
    """An SQLite file that clew did not make."""
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE bookmarks (url); INSERT INTO bookmarks VALUES ('x')")
    other.close()


STRANGERS = {
    "a text": lambda path: path.write_text("my notes, not to be touched\n" * 50),
    "a short text": lambda path: path.write_text("hi"),
    "zeros": lambda path: path.write_bytes(bytes(8192)),
    "another program's SQLite file": another_program,
}


@pytest.mark.parametrize("what", STRANGERS)
def test_a_file_that_is_no_store_is_refused_untouched(what, tmp_path):
    path = tmp_path / "memory.db"
    STRANGERS[what](path)
    path.chmod(0o644)
    before = path.read_bytes()
    with pytest.raises(StoreDamaged, match="not a clew store"):
        opened(path)
    assert path.read_bytes() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert [p.name for p in tmp_path.iterdir()] == ["memory.db"]
    told = command("recall", "anything", CLEW_DB=str(path))
    assert (told.code, told.out, "Traceback" in told.err) == (6, "", False)


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo], ids=["a folder", "a pipe"])
def test_what_is_no_file_is_refused_at_once(make, tmp_path):
    path = tmp_path / "memory.db"
    make(path)
    with pytest.raises(InvalidInput, match="CLEW_DB"):
        opened(path)
    told = command("recall", "anything", CLEW_DB=str(path))
    assert (told.code, told.out, "Traceback" in told.err) == (2, "", False)


def test_a_newer_store_is_left_alone_and_the_upgrade_is_named(victim):
    newer = apsw.Connection(str(victim))
    newer.pragma("journal_mode", "delete")
    newer.pragma("user_version", 9_999)
    newer.close()
    before = victim.read_bytes()
    with pytest.raises(SchemaTooNew, match=r"newer clew.*pip install -U clew"):
        opened(victim)
    told = command("remember", "kept out", CLEW_DB=str(victim))
    assert (told.code, told.out, "Traceback" in told.err) == (6, "", False)
    assert victim.read_bytes() == before
    assert [p.name for p in victim.parent.iterdir()] == ["memory.db"]


def test_a_symlink_is_the_store_that_it_leads_to(victim, tmp_path):
    link = tmp_path / "link.db"
    link.symlink_to(victim)
    with opened(link) as through, opened(victim) as straight:
        through.remember("written through the link")
        assert straight.recall("through the link")[0].memory.summary == "written through the link"
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith("link")] == ["link.db"]


def test_a_symlink_that_leads_nowhere_makes_its_target_or_says_what_is_missing(tmp_path):
    (tmp_path / "fresh.db").symlink_to(tmp_path / "target.db")
    with opened(tmp_path / "fresh.db") as clew:
        assert clew.remember("kept").created
    assert (tmp_path / "target.db").stat().st_size > 0
    (tmp_path / "lost.db").symlink_to(tmp_path / "no" / "such" / "folder" / "memory.db")
    with pytest.raises(StoreError, match=r"set .*CLEW_DB"):
        opened(tmp_path / "lost.db")


def test_a_folder_where_a_file_stands_in_the_way_is_said_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("x")
    told = command("remember", "kept out", CLEW_HOME=str(tmp_path / "file" / "clew"))
    assert (told.code, told.out, "Traceback" in told.err) == (6, "", False)
    assert "set CLEW_HOME or CLEW_DB" in told.err


def test_the_pipe_that_read_the_answer_may_close_early(victim):
    code = [sys.executable, "-m", "clew", "list", "--limit", "1000", "--project", "trip"]
    process = subprocess.Popen(
        code, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(CLEW_DB=str(victim), CLEW_EMBED="hashing")
    )
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait(timeout=60)
