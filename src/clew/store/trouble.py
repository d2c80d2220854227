"""SQLite's errors turned into clew's, in one table."""

from __future__ import annotations

import apsw

from clew.errors import StoreBusy, StoreDamaged, StoreError, StoreFull, StoreReadOnly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

_WORDS: tuple[tuple[type[apsw.Error], type[StoreError], str], ...] = (
    (apsw.BusyError, StoreBusy, "another process is writing to {path} and did not finish in time; nothing was changed, try again"),
    (apsw.LockedError, StoreBusy, "{path} is locked by another use of it in this process; nothing was changed, try again"),
    (apsw.FullError, StoreFull, "no space left for {path}; nothing was changed: free some space, or point CLEW_DB at another disk"),
    (
        apsw.ReadOnlyError,
        StoreReadOnly,
        "{path} cannot be written (read-only file, folder or disk); point CLEW_HOME at a folder that can be",
    ),
    (apsw.PermissionsError, StoreReadOnly, "{path} may not be opened by this user; check its owner and mode"),
    (
        apsw.CantOpenError,
        StoreReadOnly,
        "{path} cannot be opened or created; check that its folder exists and may be written, or set CLEW_DB",
    ),
    (apsw.NotADBError, StoreDamaged, "{path} is not a clew store (no SQLite file); move it away, or set CLEW_DB to another file"),
    (
        apsw.CorruptError,
        StoreDamaged,
        "{path} is damaged ({error}); `clew doctor` examines it, `clew backup` and `clew export` save what can be read",
    ),
    (apsw.IOError, StoreError, "reading or writing {path} failed ({error}); nothing of this change was kept"),
    (apsw.Error, StoreError, "{path}: {error}"),
)


class Speaking:
    """A context in which every SQLite error leaves as the StoreError that says what to do; reused freely, holds no state of a use."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, apsw.Error):
            raise translated(error, self.path) from error


def translated(error: apsw.Error, path: str) -> StoreError:
    """The clew error for an SQLite one."""
    for kind, ours, words in _WORDS:
        if isinstance(error, kind):
            # SQLite calls a write that the disk refused for want of space an I/O error when the operating system does.
            if ours is StoreError and ("full" in str(error) or getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_WRITE):
                return StoreFull(_WORDS[2][2].format(path=path))
            return ours(words.format(path=path, error=error))
    raise AssertionError("the last line of the table takes every SQLite error")
