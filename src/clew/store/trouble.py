"""SQLite's errors turned into clew's, in one table."""

from __future__ import annotations

import errno
import struct

import apsw

from clew.errors import InvalidInput, StoreBusy, StoreDamaged, StoreError, StoreFull, StoreReadOnly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

FULL = "no space left for {path}; nothing was changed: free some space, or point CLEW_DB at another disk"
# SQLite's names for a write that the operating system refused, mostly for want of space.
_FOR_WANT_OF_SPACE = (apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_TRUNCATE, apsw.SQLITE_IOERR_FSYNC)
# What reading a garbled row of an index comes to, with and without numpy.
GARBLED = (struct.error, ValueError, TypeError, IndexError, OverflowError)

_WORDS: tuple[tuple[type[apsw.Error], type[StoreError], str], ...] = (
    (apsw.BusyError, StoreBusy, "another process is writing to {path} and did not finish in time; nothing was changed, try again"),
    (apsw.LockedError, StoreBusy, "{path} is locked by another use of it in this process; nothing was changed, try again"),
    (apsw.FullError, StoreFull, FULL),
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


_UNBOUND = "Bad binding argument type"  # what apsw says of a value that SQLite has no type for


class Speaking:
    """A context in which every SQLite error leaves as the StoreError that says what to do; reused freely, holds no state of a use.

    A value that SQLite cannot hold leaves as InvalidInput: who is nearer to where it came from has named it better.
    """

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None:
            return
        if isinstance(error, apsw.Error):
            raise translated(error, self.path) from error
        if isinstance(error, UnicodeDecodeError):  # stored text that is no UTF-8 any more
            raise translated(apsw.CorruptError(str(error)), self.path) from error
        if isinstance(error, UnicodeEncodeError):
            raise InvalidInput("text", "holds half of a surrogate pair, which is no text; decode the input as UTF-8") from None
        if isinstance(error, OverflowError) or (isinstance(error, TypeError) and str(error).startswith(_UNBOUND)):
            raise InvalidInput("value", f"is nothing that a store keeps ({error}); give text or a number below 2^53") from None


def translated(error: apsw.Error, path: str) -> StoreError:
    """The clew error for an SQLite one."""
    for kind, ours, words in _WORDS:
        if isinstance(error, kind):
            if getattr(error, "extendedresult", 0) in _FOR_WANT_OF_SPACE:
                return StoreFull(FULL.format(path=path))
            return ours(words.format(path=path, error=error))
    raise AssertionError("the last line of the table takes every SQLite error")


def translated_os(error: OSError, path: str) -> StoreError:
    """The clew error for the operating system's refusal to make, open or write the file."""
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StoreReadOnly(f"{path} cannot be written ({error.strerror}); point CLEW_HOME at a folder that can be")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(FULL.format(path=path))
    return StoreError(f"{path} cannot be opened: {error.strerror or error}; set CLEW_HOME or CLEW_DB to a place that can be used")
