"""Opening an SQLite file with the rules it needs, examining, scrubbing and copying it."""

from __future__ import annotations

import os
import time

import apsw

from clew.errors import InvalidInput, StoreError
from clew.store import words
from clew.store.migrate import migrate, version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BUSY_MS = 10_000
# secure_delete: what is erased is overwritten with zeros; cache_size in KiB.
_RULES = """PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768"""
_COUNTED = ("projects", "memories", "links", "entities", "attempts", "log", "sources", "vectors")


def connect(path: str, *, read_only: bool = False, busy_ms: int = BUSY_MS) -> tuple[apsw.Connection, bool]:
    """(connection, whether it can write). Creates folder and file, sets WAL, migrates; falls back to reading where writing is refused.

    A file on a read-only disk whose WAL index cannot be made is read as it lies (`immutable`), so recall still answers.
    """
    if path != ":memory:" and os.path.isdir(path):
        raise InvalidInput("CLEW_DB", f"'{path}' is a folder; name a file in it, such as {os.path.join(path, 'clew.db')}")
    if not read_only:
        try:
            return _writable(path, busy_ms), True
        except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError, PermissionError):
            if not os.path.exists(path):
                raise
        except OSError as error:
            raise StoreError(
                f"{path} cannot be opened: {error.strerror or error}; set CLEW_HOME or CLEW_DB to a place that can be used"
            ) from error
    return _readable(path, busy_ms), False


def _writable(path: str, busy_ms: int) -> apsw.Connection:
    if path != ":memory:":
        folder = os.path.dirname(os.path.abspath(path))
        if not os.path.isdir(folder):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        _make_file(path)
    db = apsw.Connection(path)
    try:
        db.set_busy_timeout(busy_ms)
        db.execute(_RULES)
        _set_wal(db, path, busy_ms)
        migrate(db, path)
        if db.readonly("main"):
            raise apsw.ReadOnlyError(path)
    except BaseException:
        db.close()
        raise
    return db


def _make_file(path: str) -> None:
    """The file with mode 0600 from its first moment; SQLite gives the same mode to -wal and -shm."""
    if not os.path.exists(path):
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
            raise StoreError(f"{path} cannot be created: {error.strerror}; set CLEW_HOME or CLEW_DB to a place that can be used") from error
    elif hasattr(os, "geteuid") and os.stat(path).st_uid == os.geteuid() and os.stat(path).st_mode & 0o077 and os.access(path, os.W_OK):
        try:
            os.chmod(path, 0o600)
        except OSError:
            pass  # a read-only disk: the caller falls back to reading


def _set_wal(db: apsw.Connection, path: str, busy_ms: int) -> None:
    """Processes that open a new file together may all try; SQLite does not wait for this lock, so we do, within the busy timeout."""
    deadline = time.monotonic() + busy_ms / 1000
    while path != ":memory:" and db.pragma("journal_mode") != "wal":
        try:
            db.pragma("journal_mode", "wal")
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _readable(path: str, busy_ms: int) -> apsw.Connection:
    uri = "file:" + path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        db = apsw.Connection(uri + "?mode=ro", flags=flags)
        db.set_busy_timeout(busy_ms)
        version(db)
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        db = apsw.Connection(uri + "?immutable=1", flags=flags)
    if version(db) == 0:
        raise apsw.ReadOnlyError("an empty store")
    migrate(db, path)  # refuses a newer schema; an older one cannot be brought up here and is refused by SQLite
    return db


def facts(db: apsw.Connection) -> dict[str, Any]:
    """Counts of the tables and versions."""
    counts = {table: int(db.execute(f"SELECT count(*) FROM {table}").get) for table in _COUNTED}
    return counts | {"schema": version(db), "sqlite": apsw.sqlite_lib_version(), "journal": db.pragma("journal_mode")}


def check(db: apsw.Connection) -> list[str]:
    """SQLite's own examination, then ours: every memory is in the searches and nothing else is."""
    wrong = [str(row[0]) for row in db.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]
    if wrong:
        return [f"the file is damaged: {line}" for line in wrong]
    wrong += [f"a row of {row[0]} points at a missing row of {row[2]}" for row in db.execute("PRAGMA foreign_key_check")]
    known = {row[0] for row in db.execute("SELECT id FROM memories")}
    posted: set[int] = set()
    for (blob,) in db.execute("SELECT postings FROM words"):
        posted.update(p[0] for p in words.POSTING.iter_unpack(blob))
    signed = {i for (ids,) in db.execute("SELECT ids FROM signs") for i in memoryview(ids).cast("I").tolist()}
    rows = {row[0] for row in db.execute("SELECT id FROM vectors")}
    documents = int(db.execute("SELECT coalesce(sum(documents), 0) FROM projects").get)
    for name, stray in (
        ("words", posted - known),
        ("signs", signed - known),
        ("vectors", rows - known),
        ("signs without a row", signed ^ rows),
    ):
        if stray:
            wrong.append(f"the index holds {len(stray)} memories that are not in the store ({name}); rebuild it with `clew reindex`")
    if documents != len(posted):
        wrong.append(f"the word index counts {documents} memories but holds {len(posted)}; rebuild it with `clew reindex`")
    return wrong


def scrub(db: apsw.Connection, path: str) -> list[str]:
    """Empty the write-ahead log; `secure_delete` has overwritten the freed bytes of the file itself."""
    left = []
    if path != ":memory:":
        busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").get
        if busy:
            left.append(
                "another process is reading the store, so its write-ahead log still holds the text; it is cleaned when that process ends"
            )
        folder, name = os.path.split(os.path.abspath(path))
        left += [
            f"an older copy of the store still holds the text: {os.path.join(folder, f)}"
            for f in sorted(os.listdir(folder))
            if f.startswith(name) and f.endswith(".bak")
        ]
    return left


def backup(db: apsw.Connection, path: str) -> None:
    """A whole copy under a temporary name, then moved to `path`, so that no half copy is ever seen there."""
    half = path + ".part"
    try:
        os.close(os.open(half, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
        target = apsw.Connection(half)
        try:
            with target.backup("main", db, "main") as work:
                work.step()
            target.pragma("journal_mode", "delete")
        finally:
            target.close()
        os.replace(half, path)
    except OSError as error:
        raise InvalidInput("path", f"'{path}' cannot be written: {error.strerror}") from error
    finally:
        if os.path.exists(half):
            os.remove(half)
