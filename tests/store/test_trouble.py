"""SQLite's errors in clew's words: each leaves as the error that says what to do."""

import apsw
import pytest

from clew.errors import StoreBusy, StoreDamaged, StoreError, StoreFull, StoreReadOnly
from clew.store.trouble import Speaking, translated


@pytest.mark.parametrize(
    ("raised", "kind", "advice"),
    [
        (apsw.BusyError, StoreBusy, "try again"),
        (apsw.LockedError, StoreBusy, "try again"),
        (apsw.FullError, StoreFull, "free some space"),
        (apsw.ReadOnlyError, StoreReadOnly, "CLEW_HOME"),
        (apsw.PermissionsError, StoreReadOnly, "owner and mode"),
        (apsw.CantOpenError, StoreReadOnly, "CLEW_DB"),
        (apsw.NotADBError, StoreDamaged, "CLEW_DB"),
        (apsw.CorruptError, StoreDamaged, "clew doctor"),
        (apsw.IOError, StoreError, "nothing of this change was kept"),
        (apsw.SQLError, StoreError, "syntax"),
        (apsw.ConstraintError, StoreError, "syntax"),
    ],
)
def test_every_kind_has_its_words(raised, kind, advice):
    error = translated(raised("syntax"), "/here/memory.db")
    assert type(error) is kind
    assert "/here/memory.db" in str(error)
    assert advice in str(error)


def test_a_write_that_the_disk_refused_is_a_full_disk():
    error = apsw.IOError("disk I/O error")
    error.extendedresult = apsw.SQLITE_IOERR_WRITE
    assert type(translated(error, "x")) is StoreFull
    error.extendedresult = apsw.SQLITE_IOERR_READ
    assert type(translated(error, "x")) is StoreError


def test_the_context_translates_sqlite_and_nothing_else():
    speaking = Speaking("x")
    with pytest.raises(StoreBusy) as caught, speaking:
        raise apsw.BusyError("locked")
    assert isinstance(caught.value.__cause__, apsw.BusyError)
    with pytest.raises(KeyError), speaking:
        raise KeyError
    with speaking:
        pass
