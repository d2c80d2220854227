"""Rewrites a person's settings file: whole or not at all, through links, with its mode and owner, over nothing that changed meanwhile."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile

from clew.errors import InvalidInput, unwritable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ATTEMPTS = 5  # a client that is at work may write its file between our reading and our writing


def current(path: str) -> bytes | None:
    """What the file holds, None where there is none. Raises InvalidInput naming the file when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidInput(path, f"cannot be read ({error.strerror}); nothing was written") from None


def rewrite(path: str, change: Callable[[bytes | None], bytes | None]) -> str | None:
    """Give the file what `change` makes of what it holds; None stands for no file. Returns the backup's path, if there is a need for one:
    a file that is made new has none, and one that is removed has nothing worth keeping.

    `change` is called again when the file changed before it could be written. A file that would stay the same is not touched.
    Raises InvalidInput when the file cannot be written, or does not hold still, ClewError when its disk is full; then it is as it was.
    """
    try:
        for _ in range(ATTEMPTS):
            before = current(path)
            after = change(before)
            if after == before:
                return None
            _refuse_read_only(path)
            backup = None if before is None or after is None else _back_up(path, before)
            if _written(os.path.realpath(path), before, after):
                return backup
    except OSError as error:
        raise unwritable(path, f"cannot be written ({error.strerror}); it is as it was", error) from error
    raise InvalidInput(path, "another program keeps changing it; close the client and run this again. It is as that program left it")


def remove_empty(folder: str) -> None:
    """Remove a folder that holds nothing any more; one that holds something, or cannot be removed, stays."""
    try:
        os.rmdir(folder)
    except OSError:
        return


def backups(path: str) -> Iterator[tuple[str, bytes]]:
    """The backups of a file, newest first: path and content. Those that cannot be read are left out."""
    for number in sorted(_numbers(path), reverse=True):
        name = _backup_name(path, number)
        try:
            with open(name, "rb") as file:
                yield name, file.read()
        except OSError:
            continue


def _numbers(path: str) -> list[int]:
    folder, name = os.path.split(path)
    pattern = re.compile(re.escape(name) + r"\.clew-(\d{1,9})\.bak")
    try:
        return [int(found[1]) for other in os.listdir(folder or ".") if (found := pattern.fullmatch(other))]
    except OSError:
        return []


def _backup_name(path: str, number: int) -> str:
    return f"{path}.clew-{number}.bak"


def _back_up(path: str, content: bytes) -> str:
    """Keep `content` beside the file, for the same eyes; the newest backup will do where it holds just that."""
    newest = next(backups(path), None)
    if newest and newest[1] == content:
        return newest[0]
    name = _backup_name(path, max(_numbers(path), default=0) + 1)
    descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
    except OSError:
        os.unlink(name)  # half a backup is none
        raise
    os.chmod(name, stat.S_IMODE(os.stat(path).st_mode))
    return name


def _refuse_read_only(path: str) -> None:
    """A file that nobody may write was locked on purpose, and replacing it would go around that."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return
    if not mode & 0o222 or not os.access(path, os.W_OK):
        raise InvalidInput(
            path, "is read-only; allow writing (chmod u+w) and run this again, or make the change yourself: --dry-run shows it"
        )


def _written(target: str, before: bytes | None, after: bytes | None) -> bool:
    """Put `after` in the place of `before`; False where the file no longer holds that."""
    if after is None:
        if current(target) == before:
            os.unlink(target)
            return True
        return False
    folder = os.path.dirname(target)
    os.makedirs(folder, 0o700, exist_ok=True)
    descriptor, fresh = tempfile.mkstemp(prefix=f".{os.path.basename(target)}.", suffix=".clew-tmp", dir=folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        alike = before is None or _made_alike(fresh, target)
        if current(target) != before:
            return False
        if alike and _replaced(fresh, target):
            return True
        _overwrite(target, before or b"", after)
        return True
    finally:
        if os.path.exists(fresh):
            os.unlink(fresh)


def _made_alike(fresh: str, target: str) -> bool:
    """Give the new file the mode, the owner and the attributes of the old one; False where it could not take its place unseen."""
    old = os.stat(target)
    if old.st_nlink > 1:
        return False  # a hard link is a link too: its other names would keep the old content
    mine = os.stat(fresh)
    try:
        if (mine.st_uid, mine.st_gid) != (old.st_uid, old.st_gid):
            os.chown(fresh, old.st_uid, old.st_gid)
    except OSError:
        return False
    shutil.copystat(target, fresh)
    os.utime(fresh)
    return True


def _replaced(fresh: str, target: str) -> bool:
    """Rename over the target; False where it cannot be renamed over, as a file that is mounted by itself."""
    try:
        os.replace(fresh, target)
    except OSError:
        return False
    return True


def _overwrite(target: str, before: bytes, after: bytes) -> None:
    """Write into the file itself; what it held is put back when that fails."""
    with open(target, "r+b") as file:
        try:
            _fill(file.fileno(), after)
        except OSError:
            _fill(file.fileno(), before)
            raise


def _fill(descriptor: int, content: bytes) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.ftruncate(descriptor, len(content))
    os.fsync(descriptor)
