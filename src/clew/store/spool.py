"""The spool: hooks append one JSON line each without waiting for the store; the next writer takes every line in exactly once.

The file begins with its generation. The store remembers (generation, bytes taken) in the transaction that keeps what the lines say, so
a crash before the commit takes nothing and a crash after it takes nothing twice. A file that was taken whole is emptied, and the next
line begins a new generation. Appending and emptying hold a lock on the file for a moment; no process holds it while it works.

A hook that runs out of time can wait for no lock. What it leaves is a mark in a file of its own: what it was about, a line each, and the
file's time. Making an empty file and setting its time need no space, so a full disk is told of too.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

try:
    import fcntl
except ImportError:  # Windows locks a byte instead of the file
    fcntl = None  # type: ignore[assignment]

LINE_BYTES = 64 << 10  # one line; whoever writes caps its texts far below
FULL_BYTES = 4 << 20  # a spool that nobody takes in stops growing here: every hook reads the whole of it
ALL = 1 << 62
LOCK_SECONDS = 0.1  # how long one waits for another process to let go
POLL_SECONDS = 0.002
MARK = b'{"spool":"'
HEAD_BYTES = len(MARK) + 16 + len(b'"}\n')
CUT = ".cut"  # behind the spool's path: the marks of hooks that ran out of time
CUT_BYTES = 4_096  # of marks; what comes after them sets the file's time alone
CUT_NAME = 40  # characters of what a hook was about
HEADLESS = "-"  # the generation of a file whose head was damaged
_FAR = 1 << 40  # where Windows locks a byte: beyond any line
_HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)  # what the systems call a lock that another process has
_FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Spool:
    """The spool beside a store's file. Raises OSError when the disk says no."""

    __slots__ = ("_kept", "_patience", "path")

    def __init__(self, database: str) -> None:
        """`database` is the path of the store's file; the spool of ":memory:" lives in this object."""
        self.path = database + ".spool"
        self._patience = LOCK_SECONDS
        self._kept: list[dict[str, Any]] | None = [] if database == ":memory:" else None

    def append(self, line: Mapping[str, Any], known: Callable[[Sequence[Mapping[str, Any]]], bool] | None = None) -> bool:
        """Add one line unless `known`, asked about the lines that lie there while no other process can add one, says it is; whether added.

        Raises ValueError for a line over LINE_BYTES, OSError when the spool is full, held or cannot be written (then none of it is).
        """
        if self._kept is not None:
            if known is not None and known(self._kept):
                return False
            self._kept.append(dict(line))
            return True
        data = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        if len(data) > LINE_BYTES:
            raise ValueError(f"a spool line of {len(data):,} bytes; the limit is {LINE_BYTES:,}")
        handle = _opened(self.path)
        try:
            self._lock(handle)
            if known is not None and known(_parsed(_all_of(handle), "", 0, ALL)[2]):
                return False
            _add(handle, data, self.path)
            return True
        finally:
            os.close(handle)

    def read(self, generation: str, taken: int, *, most: int = ALL) -> tuple[str, int, list[dict[str, Any]], int]:
        """(generation, bytes taken once these lines are, at most `most` lines after what was taken, how many are no JSON objects).

        `generation` and `taken` are what the store remembers; a file of another generation is read from its start.
        """
        if self._kept is not None:
            lines = self._kept[taken if generation == ":memory:" else 0 :][:most]
            return ":memory:", (taken if generation == ":memory:" else 0) + len(lines), lines, 0
        try:
            handle = os.open(self.path, os.O_RDONLY | _FLAGS)
        except FileNotFoundError:
            return generation, taken, [], 0
        try:
            self._lock(handle, shared=True)
            data = _all_of(handle)
        finally:
            os.close(handle)
        return _parsed(data, generation, taken, most)

    def empty(self, generation: str, taken: int) -> None:
        """Empty the file if it is still of this generation and holds nothing that was not taken."""
        if self._kept is not None:
            return
        try:
            handle = os.open(self.path, os.O_RDWR | _FLAGS)
        except FileNotFoundError:
            return
        try:
            self._lock(handle)
            if os.fstat(handle).st_size == taken and _generation(_at(handle, 0, HEAD_BYTES)) == generation:
                os.ftruncate(handle, 0)
        finally:
            os.close(handle)

    def marker(self, name: str) -> Callable[[], None]:
        """What leaves the mark of a hook about `name` that ran out of time: everything it needs is ready, it waits for no lock, raises
        nothing, and imports nothing. A store in memory has no marks.
        """
        path, mark = self.path + CUT, name[:CUT_NAME].encode("utf-8", "replace") + b"\n"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | _FLAGS

        def leave() -> None:
            try:
                handle = os.open(path, flags, 0o600)
                try:
                    if os.fstat(handle).st_size >= CUT_BYTES or os.write(handle, mark) < len(mark):
                        os.utime(path)
                except OSError:
                    os.utime(path)
                finally:
                    os.close(handle)
            except OSError:
                return  # a folder that cannot be written is told of by `clew status` as it is

        return leave if self._kept is None else lambda: None

    def cut(self) -> tuple[list[str], float]:
        """(what each hook that ran out of time since `forget_cut` was about, "" where a full disk kept no more; when the last did so,
        UTC seconds). None, at 0.0, where there is no mark or it cannot be read.
        """
        path = self.path + CUT
        try:
            found = os.lstat(path)
            if self._kept is not None or not stat.S_ISREG(found.st_mode):
                return [], 0.0
            with open(path, encoding="utf-8", errors="replace") as file:
                names = file.read(CUT_BYTES).splitlines()
        except OSError:
            return [], 0.0
        return ["".join(filter(str.isalnum, name))[:CUT_NAME] for name in names] or [""], found.st_mtime

    def forget_cut(self) -> None:
        """Take the marks away: the store has them. One that is left in this very moment may go with them. Raises OSError."""
        if self._kept is None:
            os.unlink(self.path + CUT)

    def _lock(self, handle: int, *, shared: bool = False) -> None:
        """Lock the file, or raise BlockingIOError: a stopped process must not hold up an agent. Closing the file lets go.

        A lock that was waited for in vain is only tried from then on, until it is had: a hook asks for it several times.
        """
        deadline, self._patience = time.monotonic() + self._patience, 0.0
        while not _locked(handle, shared):
            if time.monotonic() >= deadline:
                raise BlockingIOError(errno.EAGAIN, "another process holds it", self.path)
            time.sleep(POLL_SECONDS)
        self._patience = LOCK_SECONDS


def _opened(path: str) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | _FLAGS
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        return os.open(path, flags, 0o600)


def _add(handle: int, data: bytes, path: str) -> None:
    """Write one line at the end, whole or not at all, behind a line break of its own where a writer died in its line."""
    size = os.fstat(handle).st_size
    if size + len(data) > FULL_BYTES:
        raise OSError(errno.ENOSPC, "the spool is full; any clew command that writes takes it in", path)
    if 0 < size < HEAD_BYTES:  # a writer died in the very first bytes: there is nothing yet to lose
        os.ftruncate(handle, 0)
        size = 0
    if size == 0:
        data = MARK + os.urandom(8).hex().encode() + b'"}\n' + data
    elif _at(handle, size - 1, 1) != b"\n":
        data = b"\n" + data
    written = 0
    try:
        while written < len(data):
            count = os.write(handle, data[written:])
            if count <= 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
            written += count
    except OSError:
        os.ftruncate(handle, size)
        raise


def _parsed(data: bytes, generation: str, taken: int, most: int) -> tuple[str, int, list[dict[str, Any]], int]:
    if len(data) < HEAD_BYTES:
        return generation, taken, [], 0
    mark = _generation(data)
    at = taken if mark == generation and taken <= len(data) else 0
    if at == 0 and mark != HEADLESS:
        at = HEAD_BYTES
    lines: list[dict[str, Any]] = []
    broken = 0
    while len(lines) < most and (end := data.find(b"\n", at) + 1):
        line = _line(data[at:end])
        at = end
        if line is None:
            broken += 1
        elif line:
            lines.append(line)
    return mark, at, lines, broken


def _line(raw: bytes) -> dict[str, Any] | None:
    """The object of one line, None for anything else; an empty line, left between a torn one and the next, is an empty object."""
    if raw == b"\n":
        return {}
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def _generation(head: bytes) -> str:
    name = head[len(MARK) : len(MARK) + 16]
    whole = head.startswith(MARK) and head[HEAD_BYTES - 3 : HEAD_BYTES] == b'"}\n' and name.isalnum()
    return name.decode() if whole else HEADLESS


def _all_of(handle: int) -> bytes:
    """What lies in the file. Raises OSError for more than a spool ever grows to: something else is in its place, perhaps a device."""
    os.lseek(handle, 0, os.SEEK_SET)
    parts, size = [], 0
    while part := os.read(handle, 1 << 20):
        parts.append(part)
        size += len(part)
        if size > 2 * FULL_BYTES:
            raise OSError(errno.EFBIG, f"is no spool: it holds more than {2 * FULL_BYTES:,} bytes; move it away")
    return b"".join(parts)


def _at(handle: int, place: int, size: int) -> bytes:
    os.lseek(handle, place, os.SEEK_SET)
    return os.read(handle, size)


def _locked(handle: int, shared: bool) -> bool:
    """Whether the lock could be had at once."""
    try:
        if fcntl is not None:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            return True
        import msvcrt

        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno not in _HELD:
            raise
        return False
    return True
