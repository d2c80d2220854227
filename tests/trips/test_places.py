"""Where a store lies: empty settings, strange names, missing folders, no home, a working directory that is gone, no network."""

import os
import stat
import subprocess
import sys

import pytest

from trips import command, environment, python

WHERE = "from clew.config import settings; import os; print(settings(None, None, os.environ).database)"


def kept_and_found(cwd, **env):
    """Remember and recall by two processes; the recalled text."""
    told = command("remember", "the ledger is kept in PostgreSQL", "-p", "trip", cwd=cwd, CLEW_EMBED="hashing", **env)
    assert (told.code, "Traceback" in told.err) == (0, False), told.err
    found = command("recall", "ledger PostgreSQL", "-p", "trip", cwd=cwd, CLEW_EMBED="hashing", **env)
    assert (found.code, "Traceback" in found.err) == (0, False), found.err
    return found.out


@pytest.mark.parametrize("empty", ["", "   "])
def test_an_empty_setting_is_one_that_is_not_set(empty, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    out = kept_and_found(tmp_path, HOME=str(home), CLEW_DB=empty, CLEW_HOME=empty, CLEW_PROJECT=empty)
    assert "PostgreSQL" in out
    assert stat.S_IMODE((home / ".clew").stat().st_mode) == 0o700
    assert {p.name: stat.S_IMODE(p.stat().st_mode) for p in (home / ".clew").iterdir() if p.name.startswith("memory.db")} == {
        "memory.db": 0o600
    }


@pytest.mark.parametrize("name", ["with spaces", "mit Ümläuten", "日本語", "emoji 🧵", "50% off?#x", "quo'te\"s", "-dash", "a" * 200])
def test_a_folder_of_any_name_holds_a_store(name, tmp_path):
    folder = tmp_path / name / "deeper" / "still"
    assert "PostgreSQL" in kept_and_found(tmp_path, CLEW_HOME=str(folder))
    assert (folder / "memory.db").is_file()
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", ["line\nbreak", "tab\there", "bell\x07", b"not \xff utf-8", "x" * 5000])
def test_a_name_that_cannot_be_is_said_in_one_line(name, tmp_path):
    folder = os.path.join(os.fsencode(tmp_path), os.fsencode(name))
    told = command("remember", "kept nowhere", CLEW_HOME=os.fsdecode(folder))
    assert told.code in (2, 6)
    assert told.out == ""
    assert "CLEW_HOME" in told.err
    assert len(told.err.splitlines()) == 1
    assert os.listdir(tmp_path) == []


def test_without_HOME_the_user_database_knows_the_home():
    import pwd

    told = python(WHERE, HOME=None, USERPROFILE=None, CLEW_HOME=None)
    assert told.out.strip() == os.path.join(pwd.getpwuid(os.getuid()).pw_dir, ".clew", "memory.db")


NOBODY = """
import os, pwd
def unknown(uid): raise KeyError(uid)
pwd.getpwuid = unknown
from clew import Clew
try:
    Clew()
except Exception as error:
    print(type(error).__name__, error)
"""


def test_a_user_without_any_home_is_told_to_name_a_folder(tmp_path):
    told = python(NOBODY, cwd=tmp_path, HOME=None, USERPROFILE=None, CLEW_HOME=None)
    assert told.out.startswith("InvalidInput CLEW_HOME: is not set and this user has no home")
    assert os.listdir(tmp_path) == []


GONE = """
import os, sys
os.rmdir(os.getcwd())
from clew import Clew
from clew.errors import ClewError
with Clew(embed="hashing") as clew:
    clew.remember("kept from nowhere")
    print(clew.recall("kept from nowhere")[0].memory.summary)
    for path in ("copy.db", "../copy.db"):
        try:
            clew.backup(path)
        except ClewError as error:
            print(error)
try:
    Clew("relative.db")
except ClewError as error:
    print(error)
"""


def test_a_deleted_working_directory_keeps_nothing_from_being_kept(tmp_path):
    (tmp_path / "gone").mkdir()
    told = python(GONE, cwd=tmp_path / "gone")
    assert told.err == ""
    first, *refused = told.out.splitlines()
    assert first == "kept from nowhere"
    assert len(refused) == 3
    assert all("the working directory, which is gone; give a whole path" in line for line in refused)


@pytest.mark.parametrize("words", [("remember", "kept"), ("recall", "kept"), ("list",), ("status",), ("doctor",)])
def test_every_command_works_from_a_deleted_working_directory(words, tmp_path):
    (tmp_path / "gone").mkdir()
    code = f"import os; os.rmdir(os.getcwd()); import sys; sys.argv = ['clew', *{words!r}]; from clew.__main__ import main; main()"
    told = python(code, cwd=tmp_path / "gone", CLEW_EMBED="off")
    assert (told.code in (0, 1, 3), "Traceback" in told.err) == (True, False), told.err


def test_a_relative_setting_starts_from_the_working_directory(tmp_path):
    assert "PostgreSQL" in kept_and_found(tmp_path, CLEW_DB="here/my.db")
    assert (tmp_path / "here" / "my.db").is_file()


def test_reading_in_a_fresh_home_creates_no_project(tmp_path):
    for words in (("recall", "anything"), ("list",), ("status",), ("doctor",), ("project", "list")):
        assert "Traceback" not in command(*words, cwd=tmp_path, CLEW_EMBED="hashing").err
    told = python("from clew import Clew; print(Clew(embed='off').projects())", cwd=tmp_path)
    assert (told.out, told.err) == ("[]\n", "")


def test_an_unknown_project_of_the_environment_is_empty_and_a_named_one_is_said(tmp_path):
    asked = command("recall", "anything", cwd=tmp_path, CLEW_PROJECT="brand-new", CLEW_EMBED="hashing")
    assert "Traceback" not in asked.err
    assert "brand-new" not in asked.err
    assert command("status", cwd=tmp_path, CLEW_PROJECT="brand-new", CLEW_EMBED="hashing").code == 0
    named = command("recall", "anything", "-p", "brand-new", cwd=tmp_path, CLEW_EMBED="hashing")
    assert named.code == 3
    assert "there is no project 'brand-new'" in named.err


NO_NETWORK = """
import socket, sys
try:
    socket.create_connection(("127.0.0.1", 9), timeout=1)
except OSError as error:
    assert type(error).__name__ == "SocketRefused", error
sys.argv = ["clew", *sys.argv[1:]]
from clew.__main__ import main
main()
"""


def test_a_whole_trip_of_the_command_line_asks_for_no_network(tmp_path):
    store, lines = {"CLEW_DB": str(tmp_path / "memory.db")}, tmp_path / "all.jsonl"
    trip = (
        ("remember", "use PostgreSQL for the ledger", "--kind", "decision", "-p", "trip"),
        ("remember", "use SQLite for the ledger", "--kind", "decision", "-p", "trip"),
        ("recall", "which database does the ledger use", "-p", "trip"),
        ("supersede", "1", "2", "--reason", "simpler"),
        ("edit", "2", "--detail", "one file"),
        ("pin", "2"),
        ("list", "-p", "trip"),
        ("show", "2"),
        ("reindex",),
        ("status",),
        ("doctor",),
        ("backup", str(tmp_path / "copy.db")),
        ("export", "jsonl", str(lines), "-p", "trip"),
        ("import", "jsonl", str(lines), "-p", "other"),
        ("project", "list"),
        ("done", "2"),
        ("forget", "1", "--yes"),
    )
    for words in trip:
        done = subprocess.run(
            [sys.executable, "-c", NO_NETWORK, *words], capture_output=True, text=True, env=environment(**store), cwd=tmp_path, timeout=60
        )
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), (words, done.stdout, done.stderr)
