"""The backends that keep the Store promise: every contract test runs once on each of them."""

import pytest

from clew.store.sqlite import SqliteStore

# name → how to open one; `arrays` is the road of long-lived processes through numpy
BACKENDS = {
    "sqlite-memory": lambda folder: SqliteStore(":memory:"),
    "sqlite-memory-arrays": lambda folder: SqliteStore(":memory:", arrays=True),
    "sqlite-file": lambda folder: SqliteStore(str(folder / "contract.db")),
    "sqlite-file-arrays": lambda folder: SqliteStore(str(folder / "contract.db"), arrays=True),
}


@pytest.fixture(params=BACKENDS)
def store(request, tmp_path):
    """An empty store of every backend in turn."""
    opened = BACKENDS[request.param](tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def project(store):
    """A project in that store."""
    with store.transaction():
        return store.add_project(uid="uid:one", name="one", path="/one", at=0.0)
