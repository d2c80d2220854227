"""Opening an SQLite file with the rules it needs, examining, scrubbing and copying it."""

from __future__ import annotations

import errno
import os
import time

import apsw

from clew.errors import ClewError, InvalidInput, StoreDamaged, StoreError, StoreFull, StoreReadOnly, unwritable
from clew.store import words
from clew.store.migrate import copied, migrate, refuse_strangers, steps, version
from clew.store.trouble import translated, translated_os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MEMORY = ":memory:"
SHORTEST = 512  # bytes of the smallest database; SQLite takes what is shorter for an empty file and writes over it
BUSY_MS = 10_000
# secure_delete: what is erased is overwritten with zeros.
_RULES = "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON"
_ROOM = "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768"  # KiB
_CANONICAL = (
    *("sqlite_schema", "settings", "projects", "project_keys", "memories", "links", "attempts", "log", "sources"),
    *("sessions", "shown", "compilations", "working_contexts", "windows", "observations", "unlinked"),
)
# Derived rows whose bytes cannot be what was written.
_GARBLED = {
    "words": "typeof(postings) <> 'blob' OR length(postings) % 8 OR length(postings) = 0",
    "signs": "typeof(ids) <> 'blob' OR typeof(bits) <> 'blob' OR length(ids) % 4 OR length(bits) <> 8 * length(ids)",
    "vectors": "typeof(row) <> 'blob' OR length(row) <> 256",
}
# The rows that `metadata` has to hold, from the memories themselves.
METADATA = "memory, key, project, type, number, text"
DESCRIBED = """SELECT m.id, j.key, m.project,
  CASE j.type WHEN 'text' THEN 'text' WHEN 'true' THEN 'bool' WHEN 'false' THEN 'bool' ELSE 'number' END,
  CASE j.type WHEN 'text' THEN 0 ELSE j.value END,
  CASE j.type WHEN 'text' THEN j.value ELSE '' END
FROM memories m JOIN json_each(m.metadata) j WHERE m.metadata <> '{}' AND json_valid(m.metadata)"""
_COUNTED = ("projects", "memories", "links", "entities", "attempts", "log", "sources", "vectors")


def connect(path: str, *, read_only: bool = False, busy_ms: int = BUSY_MS) -> tuple[apsw.Connection, StoreError | None]:
    """(connection, why it cannot write or None). Creates folder and file, sets WAL, migrates; where writing is refused it reads.

    Raises InvalidInput for what is no file, StoreError and its kinds, and what SQLite raises.
    """
    if path != MEMORY:
        _must_be_ours(path)
    if read_only:
        return _readable(path, busy_ms), StoreReadOnly(f"{path} was opened for reading only")
    try:
        return _writable(path, busy_ms), None
    except apsw.CorruptError as error:
        way_out = "put the copy in its place that `clew backup` made, or set CLEW_DB to another file"
        raise StoreDamaged(f"{path} is damaged so that it cannot be opened ({error}); {way_out}") from error
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError, apsw.FullError, apsw.IOError) as error:
        refused = translated(error, path)
    except OSError as error:
        refused = translated_os(error, path)
    if not isinstance(refused, StoreReadOnly | StoreFull) or not os.path.exists(path) or not os.path.getsize(path):
        raise refused
    try:
        readable = _readable(path, busy_ms)
    except StoreReadOnly:  # of an older clew: what it asks for is a place to write, but some room is what a full disk wants
        if isinstance(refused, StoreFull):
            raise refused from None
        raise
    return readable, refused if isinstance(refused, StoreFull) else translated(apsw.ReadOnlyError(), path)


def _must_be_ours(path: str) -> None:
    """Refuse, before anything touches it, what can be no store: a folder, a pipe, a file too short for a database.

    The file is not read here, and larger ones are left to SQLite to judge: closing a file drops the locks that other connections of this
    process hold on it.
    """
    if os.path.isdir(path):
        raise InvalidInput("CLEW_DB", f"'{path}' is a folder; name a file in it, such as {os.path.join(path, 'clew.db')}")
    if not os.path.exists(path):
        return
    if not os.path.isfile(path):
        raise InvalidInput("CLEW_DB", f"'{path}' is no plain file; name one, or leave CLEW_DB out")
    if 0 < os.path.getsize(path) < SHORTEST:
        raise translated(apsw.NotADBError(), path)


def _writable(path: str, busy_ms: int) -> apsw.Connection:
    if path != MEMORY:
        folder = os.path.dirname(path)
        if not os.path.isdir(folder):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        _make_file(path)
    db = apsw.Connection(path)
    ready = False
    try:
        _behaved(db, busy_ms)
        _obey(db, _RULES)
        refuse_strangers(db, path)
        _obey(db, _ROOM)
        if path != MEMORY:
            _close_to_others(path)
        _set_wal(db, path, busy_ms)
        migrate(db, path)
        if db.readonly("main"):
            raise apsw.ReadOnlyError(path)
        ready = True
    finally:
        if not ready:
            db.close()
    return db


def _behaved(db: apsw.Connection, busy_ms: int) -> None:
    """What every connection does: it waits for writers, and keeps a statement's plan whatever is bound to it. Without the latter SQLite
    makes a statement with a bound LIMIT anew each time: 0.2 ms instead of 0.02.
    """
    db.set_busy_timeout(busy_ms)
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)


def _obey(db: apsw.Connection, rules: str) -> None:
    """Every rule, to the last: one that answers with a row holds up those behind it until the row is taken."""
    for _ in db.execute(rules):
        pass


def _make_file(path: str) -> None:
    """The file with mode 0600 from its first moment; SQLite gives the same mode to -wal and -shm."""
    try:
        os.close(os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        pass  # and is not opened here, see _must_be_ours


def _close_to_others(path: str) -> None:
    """A store that came with a wider mode, for instance by copying, is the user's own again."""
    for file in (path, path + "-wal", path + "-shm"):
        try:
            found = os.stat(file)
            if found.st_mode & 0o077 and hasattr(os, "geteuid") and found.st_uid == os.geteuid():
                os.chmod(file, 0o600)
        except OSError:
            pass  # not there, or on a read-only disk, where the caller falls back to reading


def _set_wal(db: apsw.Connection, path: str, busy_ms: int) -> None:
    """Processes that open a new file together may all try; SQLite does not wait for this lock, so we do, within the busy timeout."""
    deadline = time.monotonic() + busy_ms / 1000
    while path != MEMORY and db.pragma("journal_mode") != "wal":
        try:
            db.pragma("journal_mode", "wal")
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _readable(path: str, busy_ms: int) -> apsw.Connection:
    """A reading connection. Where the WAL's index cannot be made (read-only or full disk) SQLite keeps it in memory, which it does
    only for a file that it need not lock; where even that cannot be had, the file is read as it lies, without its WAL.
    """
    uri = "file:" + path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    ways = ["mode=ro", *(["mode=ro&vfs=unix-none"] if "unix-none" in apsw.vfs_names() else []), "immutable=1"]
    for way in ways:
        db = apsw.Connection(f"{uri}?{way}", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        sound = False
        try:
            _behaved(db, busy_ms)
            if "vfs" in way:
                db.pragma("locking_mode", "exclusive")
            at = version(db)
            refuse_strangers(db, path)
            _obey(db, _ROOM)
            sound = True
            break
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.FullError, apsw.IOError):
            if way == ways[-1]:
                raise
        finally:
            if not sound:
                db.close()
    newest = steps()[-1][0]
    if at < newest:
        db.close()
        raise StoreReadOnly(
            f"{path} is empty or of an older clew (schema {at}, now {newest}) and cannot be written; copy it to where it can"
        )
    migrate(db, path)  # refuses a newer schema
    return db


def facts(db: apsw.Connection) -> dict[str, Any]:
    """Counts of the tables (None for one that is damaged) and versions."""
    counts = {table: _count(db, table) for table in _COUNTED}
    return counts | {"schema": version(db), "sqlite": apsw.sqlite_lib_version(), "journal": db.pragma("journal_mode")}


def _count(db: apsw.Connection, table: str) -> int | None:
    try:
        return int(db.execute(f"SELECT count(*) FROM {table}").get)
    except apsw.CorruptError:
        return None


def check(db: apsw.Connection) -> list[str]:
    """SQLite's own examination, then ours: every memory is in the searches and nothing else is."""
    wrong = examined(db)
    if wrong:
        derived = all(examined(db, table) == [] for table in _CANONICAL)
        kind, way_out = ("index", "rebuild it with `clew reindex`") if derived else ("file", "`clew export` saves what can be read")
        return [f"the {kind} is damaged: {line}; {way_out}" for line in wrong]
    wrong += [f"a row of {row[0]} points at a missing row of {row[2]}" for row in db.execute("PRAGMA foreign_key_check")]
    garbled = [table for table, odd in _GARBLED.items() if db.execute(f"SELECT count(*) FROM {table} WHERE {odd}").get]
    if garbled:
        return [*wrong, f"the index holds garbled rows ({', '.join(garbled)}); rebuild it with `clew reindex`"]
    return wrong + _strays(db)


def examined(db: apsw.Connection, table: str = "20") -> list[str]:
    """What SQLite finds wrong in one table, or at most twenty things in the whole file."""
    try:
        return [str(row[0]) for row in db.execute(f"PRAGMA integrity_check({table})") if row[0] != "ok"]
    except apsw.CorruptError as error:
        return [str(error)]


def damaged(path: str, tables: Sequence[str]) -> list[str]:
    """Those tables whose pages are damaged. Asked by another connection: one that meets damage in a transaction writes no more."""
    if path == MEMORY:
        return []
    db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return [table for table in tables if examined(db, table)]
    finally:
        db.close()


def _strays(db: apsw.Connection) -> list[str]:
    wrong = []
    known = {row[0] for row in db.execute("SELECT id FROM memories")}
    posted: set[int] = set()
    for (blob,) in db.execute("SELECT postings FROM words"):
        posted.update(p[0] for p in words.POSTING.iter_unpack(blob))
    signed = [i for (ids,) in db.execute("SELECT ids FROM signs") for i in memoryview(ids).cast("I").tolist()]
    rows = {row[0] for row in db.execute("SELECT id FROM vectors")}
    documents = int(db.execute("SELECT coalesce(sum(documents), 0) FROM projects").get)
    for name, stray in (
        ("words", posted - known),
        ("signs", set(signed) - known),
        ("vectors", rows - known),
        ("signs without a row", set(signed) ^ rows),
    ):
        if stray:
            wrong.append(f"the index holds {len(stray)} memories that are not in the store ({name}); rebuild it with `clew reindex`")
    if len(signed) != len(set(signed)):
        wrong.append(f"the vector index holds {len(signed) - len(set(signed))} memories twice; rebuild it with `clew reindex`")
    held = f"SELECT {METADATA} FROM metadata"
    differing = f"SELECT (SELECT count(*) FROM ({DESCRIBED} EXCEPT {held})) + (SELECT count(*) FROM ({held} EXCEPT {DESCRIBED}))"
    if odd := int(db.execute(differing).get):
        wrong.append(f"{odd} values of metadata are indexed otherwise than their memories hold them; rebuild them with `clew reindex`")
    if documents != len(posted):
        wrong.append(f"the word index counts {documents} memories but holds {len(posted)}; rebuild it with `clew reindex`")
    return wrong


def abandon(db: apsw.Connection, table: str) -> None:
    """Inside a transaction: an empty table and indexes for one whose pages are damaged; `scrub` takes the old pages out of the file."""
    made_by = [row[0] for row in db.execute("SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL", (table,))]
    db.execute("PRAGMA writable_schema = ON")
    db.execute("DELETE FROM sqlite_schema WHERE tbl_name = ?", (table,))
    db.execute("PRAGMA writable_schema = RESET")
    db.execute(";".join(made_by))
    db.execute("INSERT OR REPLACE INTO settings (key, value) VALUES ('abandoned', ?)", (table,))


def empty(db: apsw.Connection, path: str, tables: Sequence[str]) -> None:
    """Inside a transaction: take all rows out of tables that can be made anew, whether or not their pages are whole."""
    broken = damaged(path, tables)
    for table in tables:
        if table in broken:
            abandon(db, table)
        else:
            db.execute(f"DELETE FROM {table}")


def scrub(db: apsw.Connection, path: str) -> list[str]:
    """Empty the write-ahead log; `secure_delete` has overwritten the freed bytes of the file itself."""
    left = []
    if db.execute("SELECT 1 FROM settings WHERE key = 'abandoned'").get:
        db.execute("VACUUM")
        db.execute("DELETE FROM settings WHERE key = 'abandoned'")
    if path != MEMORY:
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
    """A whole copy under a temporary name, then moved to `path`, so that no half copy is ever seen there.

    Raises InvalidInput for a path that cannot be, ClewError for a disk without room.
    """
    own = db.filename
    if own and os.path.realpath(path) in {os.path.realpath(own) + end for end in ("", "-wal", "-shm", "-journal")}:
        raise InvalidInput("path", f"'{path}' is the store itself; name another file")
    if os.path.lexists(path) and not os.path.isfile(path):
        raise InvalidInput("path", f"'{path}' is no plain file; name another")
    try:
        copied(db, path)
    except (apsw.FullError, apsw.CantOpenError, apsw.IOError) as error:
        refused = translated(error, path)
        if isinstance(refused, StoreFull):  # not the store is full: the words that say what to do about that would lead astray
            raise ClewError(f"path: '{path}' cannot be written: {os.strerror(errno.ENOSPC)}") from error
        raise refused from error
    except OSError as error:
        raise unwritable("path", f"'{path}' cannot be written: {error.strerror}", error) from error
