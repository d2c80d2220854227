"""The spool: hooks append one JSON line each without waiting for the store; the next writer takes every line in exactly once.

The file begins with a generation mark. The store remembers (generation, bytes taken) in the transaction that keeps what the lines say,
so a crash before the commit takes nothing and a crash after it takes nothing twice. A fully taken file is emptied, which starts a new
generation. Appending and emptying hold a lock on the file for a moment; no process holds it while it works.
"""

from __future__ import annotations

import json
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

try:
    import fcntl
except ImportError:  # Windows: appends are whole all the same, and the file is never emptied under a writer
    fcntl = None  # type: ignore[assignment]

LINE_BYTES = 64 << 10  # one line; what is longer was not capped by who wrote it and is refused
FULL_BYTES = 64 << 20  # a spool that nobody takes in stops growing here
LOCK_SECONDS = 0.1
MARK = b'{"spool":"'


class Spool:
    """The spool beside a store's file. Raises OSError when the disk says no."""

    __slots__ = ("path",)

    def __init__(self, database: str) -> None:
        """`database` is the path of the store's file."""
        self.path = database + ".spool" if database != ":memory:" else os.devnull

    def append(self, line: Mapping[str, Any]) -> None:
        """Add one line. Raises ValueError for one over LINE_BYTES or when the spool is full, OSError when it cannot be written."""
        data = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        if len(data) > LINE_BYTES:
            raise ValueError(f"a spool line of {len(data):,} bytes; the limit is {LINE_BYTES:,}")
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            _lock(handle)
            size = os.fstat(handle).st_size
            if size > FULL_BYTES:
                raise ValueError(f"the spool {self.path} is full; any clew command takes it in")
            if size == 0:
                data = MARK + os.urandom(8).hex().encode() + b'"}\n' + data
            elif _last_byte(handle, size) != b"\n":
                data = b"\n" + data  # a writer died in its line: leave that line to itself
            os.write(handle, data)
        finally:
            os.close(handle)

    def read(self, generation: str, taken: int) -> tuple[str, int, list[dict[str, Any]], int]:
        """(generation, bytes up to the last whole line, the lines after what was taken, lines that are not JSON).

        `generation` and `taken` are what the store remembers; a file of another generation is read from its start.
        """
        try:
            handle = os.open(self.path, os.O_RDONLY)
        except FileNotFoundError:
            return generation, taken, [], 0
        try:
            _lock(handle, shared=True)
            data = _all_of(handle)
        finally:
            os.close(handle)
        return _parsed(data, generation, taken)

    def empty(self, generation: str, taken: int) -> None:
        """Empty the file if it is still of this generation and holds nothing that was not taken."""
        if fcntl is None:
            return
        try:
            handle = os.open(self.path, os.O_RDWR)
        except FileNotFoundError:
            return
        try:
            _lock(handle)
            head = os.pread(handle, len(MARK) + len(generation), 0)
            if os.fstat(handle).st_size == taken and head == MARK + generation.encode():
                os.ftruncate(handle, 0)
        finally:
            os.close(handle)


def _parsed(data: bytes, generation: str, taken: int) -> tuple[str, int, list[dict[str, Any]], int]:
    if not data.startswith(MARK):
        return generation, taken, [], 0
    mark = data[len(MARK) : data.index(b'"', len(MARK))].decode() if b'"' in data[len(MARK) :] else ""
    start = taken if mark == generation else 0
    whole = data.rfind(b"\n") + 1
    lines, broken = [], 0
    for raw in data[start:whole].split(b"\n"):
        if raw and not raw.startswith(MARK):
            try:
                line = json.loads(raw)
            except ValueError:
                line = None
            if isinstance(line, dict):
                lines.append(line)
            else:
                broken += 1
    return mark, max(whole, start), lines, broken


def _all_of(handle: int) -> bytes:
    parts = list(_chunks(handle))
    return b"".join(parts)


def _chunks(handle: int) -> Iterator[bytes]:
    while part := os.read(handle, 1 << 20):
        yield part


def _last_byte(handle: int, size: int) -> bytes:
    return os.pread(handle, 1, size - 1) if hasattr(os, "pread") else b"\n"


def _lock(handle: int, *, shared: bool = False) -> None:
    """Take the lock within LOCK_SECONDS, or raise BlockingIOError: a stopped process must not hold up an agent."""
    if fcntl is None:
        return
    mode = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(handle, mode)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.002)
