"""The guard file: who is on guard is known without opening the store, and a file in a bad way guards nobody and breaks nothing."""

import os

import pytest

from clew.store import guard

NOW = 1_800_000_000.0


@pytest.fixture
def database(tmp_path):
    return str(tmp_path / "memory.db")


def put(database, session="s1", at=NOW):
    guard.put(database, session, at)
    os.utime(database + guard.ENDING, (at, at))


def test_a_session_stands_on_guard_and_no_other_does(database):
    put(database)
    assert guard.anybody(database, NOW + 1)
    assert guard.stands(database, "s1", NOW + 1)
    assert not guard.stands(database, "s2", NOW + 1)
    assert not guard.stands(database, "s", NOW + 1)


def test_two_sessions_stand_side_by_side(database):
    put(database)
    put(database, "s2", NOW + 5)
    assert guard.stands(database, "s1", NOW + 6)
    assert guard.stands(database, "s2", NOW + 6)


def test_a_guard_lapses_by_itself_and_leaves_the_file(database):
    put(database)
    assert not guard.stands(database, "s1", NOW + guard.LASTS)
    assert not guard.anybody(database, NOW + guard.LASTS)
    put(database, "s2", NOW + guard.LASTS)
    with open(database + guard.ENDING) as file:
        assert "s1" not in file.read()


def test_without_a_file_nobody_is_on_guard(database):
    assert not guard.anybody(database, NOW)
    assert not guard.stands(database, "s1", NOW)
    assert not guard.anybody("/nowhere/\0", NOW)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"nonsense\n\n \n1800000000\n", b"nan s1\n", b"inf s1\n", b"1e400 s1", b"s1 1800000000\n", b"x" * 3_000_000],
)
def test_a_damaged_file_guards_nobody_and_is_mended_by_the_next(database, content):
    with open(database + guard.ENDING, "wb") as file:
        file.write(content)
    os.utime(database + guard.ENDING, (NOW, NOW))
    assert not guard.stands(database, "s1", NOW + 1)
    put(database)
    assert guard.stands(database, "s1", NOW + 1)
    assert os.path.getsize(database + guard.ENDING) <= guard.BYTES


def test_a_huge_file_is_read_only_as_far_as_one_of_ours_may_reach(database):
    with open(database + guard.ENDING, "wb") as file:
        file.write(b"1800000000.0 s1\n")
        file.truncate(1 << 40)
    os.utime(database + guard.ENDING, (NOW, NOW))
    assert guard.stands(database, "s1", NOW + 1)


def test_a_link_a_folder_and_a_pipe_guard_nobody(database, tmp_path):
    (tmp_path / "real").write_text(f"{NOW} s1\n")
    for make in (lambda path: os.symlink(tmp_path / "real", path), os.mkdir, os.mkfifo):
        make(database + guard.ENDING)
        assert not guard.anybody(database, NOW + 1)
        assert not guard.stands(database, "s1", NOW + 1)
        (os.rmdir if os.path.isdir(database + guard.ENDING) else os.unlink)(database + guard.ENDING)


def test_a_link_is_replaced_and_what_it_led_to_stays_as_it_was(database, tmp_path):
    (tmp_path / "real").write_text("mine")
    os.symlink(tmp_path / "real", database + guard.ENDING)
    put(database)
    assert (tmp_path / "real").read_text() == "mine"
    assert guard.stands(database, "s1", NOW + 1)


@pytest.mark.parametrize("session", ["", "a\nb", "x" * 201, "\udcff"])
def test_a_name_that_breaks_lines_is_never_written(database, session):
    guard.put(database, session, NOW)
    assert not os.path.exists(database + guard.ENDING)


def test_a_store_in_memory_has_no_guard(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    guard.put(":memory:", "s1", NOW)
    assert os.listdir(tmp_path) == []


def test_a_thousand_sessions_do_not_outgrow_the_file_and_the_last_is_kept(database):
    with open(database + guard.ENDING, "w") as file:
        file.writelines(f"{NOW:.3f} {'s' * 60}-{n}\n" for n in range(2_000))
    put(database)
    assert os.path.getsize(database + guard.ENDING) <= guard.BYTES
    assert guard.stands(database, "s1", NOW + 1)
