"""A settings file is rewritten whole or not at all, through links, with its mode and owner, and never over someone else's change."""

import errno
import os
import stat
import subprocess
import sys

import pytest

from clew.clients import files
from clew.errors import ClewError, InvalidInput

SRC = os.path.abspath(os.path.join(os.path.dirname(files.__file__), "..", ".."))


@pytest.fixture
def path(tmp_path):
    """A settings file that says `old`."""
    (tmp_path / "dir").mkdir()
    file = tmp_path / "dir" / "settings.json"
    file.write_bytes(b"old")
    return file


def names(path):
    """What lies in the file's folder."""
    return sorted(os.listdir(path.parent))


def full(*_, **__):
    """A disk without room."""
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_change_leaves_the_old_content_beside_it(path):
    backup = files.rewrite(str(path), lambda before: before + b"+new")
    assert path.read_bytes() == b"old+new"
    assert (backup, names(path)) == (f"{path}.clew-1.bak", ["settings.json", "settings.json.clew-1.bak"])
    assert list(files.backups(str(path))) == [(backup, b"old")]


def test_each_change_has_a_backup_of_its_own_unless_the_newest_will_do(path):
    files.rewrite(str(path), lambda before: b"second")
    files.rewrite(str(path), lambda before: b"third")
    path.write_bytes(b"second")
    assert files.rewrite(str(path), lambda before: b"fourth") == f"{path}.clew-2.bak"
    assert [content for _, content in files.backups(str(path))] == [b"second", b"old"]


def test_a_file_that_would_stay_the_same_is_not_touched(path):
    os.chmod(path, 0o400)
    moment = path.stat().st_mtime_ns
    assert files.rewrite(str(path), lambda before: before) is None
    assert (path.stat().st_mtime_ns, names(path)) == (moment, ["settings.json"])


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_the_mode_stays_and_the_backup_has_it_too(path, mode):
    os.chmod(path, mode)
    backup = files.rewrite(str(path), lambda before: b"new")
    assert [stat.S_IMODE(os.stat(name).st_mode) for name in (path, backup)] == [mode, mode]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_stays(path):
    os.chown(path, 12345, 23456)
    files.rewrite(str(path), lambda before: b"new")
    assert (path.stat().st_uid, path.stat().st_gid, path.read_bytes()) == (12345, 23456, b"new")


def test_where_the_owner_cannot_be_kept_the_file_itself_is_written(path, monkeypatch):
    number = path.stat().st_ino
    monkeypatch.setattr(files, "_made_alike", lambda fresh, target: False)
    files.rewrite(str(path), lambda before: b"n")
    assert (path.stat().st_ino, path.read_bytes()) == (number, b"n")
    assert names(path) == ["settings.json", "settings.json.clew-1.bak"]


def test_a_missing_file_is_made_for_its_owner_alone(tmp_path):
    path = tmp_path / "a" / "b" / "settings.json"
    assert files.rewrite(str(path), lambda before: b"new" if before is None else b"?") is None
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode), os.listdir(path.parent)) == (b"new", 0o600, ["settings.json"])


def test_a_file_can_be_taken_away(path):
    assert files.rewrite(str(path), lambda before: None) is None
    assert names(path) == []


@pytest.mark.parametrize("relative", [True, False])
def test_a_link_stays_a_link(path, tmp_path, relative):
    link = tmp_path / "link.json"
    link.symlink_to(os.path.relpath(path, tmp_path) if relative else path)
    backup = files.rewrite(str(link), lambda before: before + b"+new")
    assert link.is_symlink()
    assert (path.read_bytes(), names(path)) == (b"old+new", ["settings.json"])
    assert backup == f"{link}.clew-1.bak"


def test_a_link_to_nothing_gets_its_target(tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "dotfiles" / "settings.json")
    files.rewrite(str(link), lambda before: b"new")
    assert link.is_symlink()
    assert (tmp_path / "dotfiles" / "settings.json").read_bytes() == b"new"


def test_a_hard_link_keeps_its_other_names(path, tmp_path):
    other = tmp_path / "other.json"
    os.link(path, other)
    files.rewrite(str(path), lambda before: b"new and longer")
    assert other.read_bytes() == path.read_bytes() == b"new and longer"


def test_a_file_that_is_mounted_by_itself_is_written_in_place(path, monkeypatch):
    def busy(*_):
        raise OSError(errno.EBUSY, "Device or resource busy")

    monkeypatch.setattr(files.os, "replace", busy)
    files.rewrite(str(path), lambda before: b"n")
    assert (path.read_bytes(), names(path)) == (b"n", ["settings.json", "settings.json.clew-1.bak"])


def test_a_change_that_comes_in_between_is_kept(path):
    calls = []

    def change(before):
        calls.append(before)
        if len(calls) == 1:
            path.write_bytes(b"theirs")
        return before + b"+ours"

    backup = files.rewrite(str(path), change)
    assert (calls, path.read_bytes()) == ([b"old", b"theirs"], b"theirs+ours")
    assert dict(files.backups(str(path)))[backup] == b"theirs"


def test_a_file_that_does_not_hold_still_is_left_alone(path):
    calls = []

    def change(before):
        calls.append(before)
        path.write_bytes(b"theirs %d" % len(calls))
        return b"ours"

    with pytest.raises(InvalidInput, match="another program keeps changing it; close the client"):
        files.rewrite(str(path), change)
    assert (len(calls), path.read_bytes()) == (files.ATTEMPTS, b"theirs %d" % files.ATTEMPTS)
    assert not [name for name in names(path) if name.endswith("tmp")]


def test_a_read_only_file_is_refused_and_says_how_to_go_on(path):
    os.chmod(path, 0o444)
    with pytest.raises(InvalidInput, match=r"settings\.json: is read-only; .*chmod u\+w.*--dry-run"):
        files.rewrite(str(path), lambda before: b"new")
    assert (path.read_bytes(), names(path)) == (b"old", ["settings.json"])


@pytest.mark.parametrize("call", ["fsync", "utime"])
def test_a_disk_that_is_full_leaves_the_old_file(path, monkeypatch, call):
    monkeypatch.setattr(files.os, call, full)
    with pytest.raises(ClewError, match=r"cannot be written \(No space left on device\); it is as it was") as refused:
        files.rewrite(str(path), lambda before: b"new")
    assert refused.value.exit_code == 1
    assert (path.read_bytes(), names(path)) == (b"old", ["settings.json", "settings.json.clew-1.bak"])


def test_a_write_in_place_that_fails_is_undone(path, monkeypatch):
    os.link(path, f"{path}.2")
    left = iter([full])
    really = os.ftruncate
    monkeypatch.setattr(files.os, "ftruncate", lambda *args: next(left, really)(*args))
    with pytest.raises(ClewError, match="it is as it was"):
        files.rewrite(str(path), lambda before: b"something longer")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("call", ["open", "fsync", "utime", "replace"])
def test_a_process_that_dies_at_any_point_leaves_the_old_file(path, call):
    code = (
        "import os, sys; from clew.clients import files\n"
        f"files.os.{call} = lambda *a, **k: os._exit(9)\n"
        "files.rewrite(sys.argv[1], lambda before: b'new' * 100000)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], env={**os.environ, "PYTHONPATH": SRC}, timeout=60)
    assert (done.returncode, path.read_bytes()) == (9, b"old")


def test_a_folder_in_the_place_of_the_file_is_an_error_with_its_name(tmp_path):
    with pytest.raises(InvalidInput, match=r"cannot be read \(Is a directory\)"):
        files.rewrite(str(tmp_path), lambda before: b"new")


def test_links_that_lead_in_a_circle_are_an_error_with_their_name(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(InvalidInput, match=r"a: cannot be read"):
        files.rewrite(str(tmp_path / "a"), lambda before: b"new")
