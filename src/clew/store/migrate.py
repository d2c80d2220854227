"""Numbered schema steps: each runs with its number in one transaction, and a file is copied before it is changed."""

from __future__ import annotations

import os

import apsw

from clew.errors import SchemaTooNew, StoreDamaged

FOLDER = os.path.join(os.path.dirname(__file__), "schema", "sqlite")

_WHOSE = """SELECT (SELECT user_version FROM pragma_user_version), count(*), total(name = 'memories') FROM sqlite_schema"""


def steps() -> list[tuple[int, str]]:
    """(number, path) of every step, ascending."""
    found = [name for name in os.listdir(FOLDER) if name.endswith(".sql")]
    return sorted((int(name.split("_", 1)[0]), os.path.join(FOLDER, name)) for name in found)


def migrate(db: apsw.Connection, path: str) -> None:
    """Bring the schema up to date; does nothing, and takes no lock, when it is. Raises SchemaTooNew, and what SQLite raises.

    Processes that open a file together queue at the write lock and look again once they hold it; the copy too is made by the one alone
    that holds it, so it is whole and of the schema in its name.
    """
    known = steps()
    newest = known[-1][0]
    at = version(db)
    if at == newest:
        return
    if at > newest:
        raise _too_new(path, at, newest)
    db.execute("BEGIN IMMEDIATE")
    try:
        at = version(db)
        if 0 < at < newest and path != ":memory:":
            _keep_copy(db.filename, f"{path}.schema-{at}.bak")
        for number, file in known:
            if number > at:
                with open(file, encoding="utf-8") as step:
                    db.execute(step.read())
                db.execute(f"PRAGMA user_version = {number}")
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def refuse_strangers(db: apsw.Connection, path: str) -> None:
    """Raises StoreDamaged for an SQLite file of another program, SchemaTooNew for one of a newer clew; changes nothing.

    Number and tables are read in one statement, so as of one moment.
    """
    at, tables, ours = db.execute(_WHOSE).get
    if ours and at > (newest := steps()[-1][0]):
        raise _too_new(path, at, newest)
    if tables and not (at and ours):
        raise StoreDamaged(f"{path} is another program's SQLite file, not a clew store; set CLEW_DB to another file")


def _too_new(path: str, at: int, newest: int) -> SchemaTooNew:
    return SchemaTooNew(f"{path} was written by a newer clew (schema {at}, this one knows {newest}); upgrade clew: pip install -U clew")


def version(db: apsw.Connection) -> int:
    """The schema's number in this file; 0 for an empty one."""
    return int(db.pragma("user_version"))


def copied(source: apsw.Connection, path: str) -> None:
    """A whole copy at `path`, under a temporary name until it is whole; of one that fails nothing is left. Raises what SQLite and the
    system raise.
    """
    half = path + ".part"  # a copy that a crash cut short must not pass for one
    try:
        os.close(os.open(half, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
        target = apsw.Connection(half)
        try:
            target.pragma("journal_mode", "off")  # a half copy is never taken back, so nothing has to lie beside it for that
            with target.backup("main", source, "main") as work:
                work.step()
            target.pragma("journal_mode", "delete")
        finally:
            target.close()
        os.replace(half, path)
    finally:
        if os.path.exists(half):
            os.unlink(half)


def _keep_copy(file: str, copy: str) -> None:
    """Copy the file as it is to `copy`, in place of what an earlier try left there. Read by another connection: SQLite copies for none
    that writes.
    """
    source = apsw.Connection(file, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        copied(source, copy)
    finally:
        source.close()
