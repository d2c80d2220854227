"""A full examination finds every kind of fault that was planted in the searches, and nothing in a sound store."""

import random

import pytest
from specimens import document, kept, memory

from clew.store import words
from clew.store.sqlite import SqliteStore

FAULTS = {
    "a posting of nobody": ("INSERT INTO words VALUES (1, 'stray', 999, ?)", [words.pack([(999, 1, 1)])], "words"),
    "a vector of nobody": ("INSERT INTO vectors VALUES (999, zeroblob(256), 0)", [], "vectors"),
    "sign bits of nobody": ("INSERT INTO signs VALUES ((1 << 32) + 999, x'e7030000', zeroblob(32))", [], "signs"),
    "a vector without sign bits": ("DELETE FROM signs", [], "without a row"),
    "sign bits without a vector": ("DELETE FROM vectors WHERE id = 2", [], "without a row"),
    "sign bits twice": ("INSERT INTO signs VALUES ((1 << 32) + 999, x'02000000', zeroblob(32))", [], "twice"),
    "a wrong count": ("UPDATE projects SET documents = documents + 1", [], "counts 13"),
    "postings cut short": ("UPDATE words SET postings = substr(postings, 1, length(postings) - 3)", [], "garbled"),
    "postings that are text": ("UPDATE words SET postings = 'text'", [], "garbled"),
    "sign bits cut short": ("UPDATE signs SET bits = substr(bits, 1, 40)", [], "garbled"),
    "a vector cut short": ("UPDATE vectors SET row = x'00' WHERE id = 1", [], "garbled"),
    "a link to nobody": ("INSERT INTO links VALUES (1, 'because', 999, 0.0, 'test')", [], "points at a missing row"),
}


@pytest.fixture
def store(tmp_path):
    with_index = SqliteStore(str(tmp_path / "checked.db"))
    with with_index.transaction():
        with_index.add_project(uid="uid:one", name="one", path="", at=0.0)
    chance = random.Random(1)
    documents = [document(n, 1, chance) for n in kept(with_index, 1, *(memory(i) for i in range(12)))]
    with with_index.transaction():
        with_index.index(documents)
    yield with_index
    with_index.close()


def test_a_sound_store_is_found_sound(store):
    assert store.check() == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_and_named(store, fault):
    statement, values, named = FAULTS[fault]
    store._rows("PRAGMA foreign_keys = OFF")
    store._rows(statement, values)
    found = " ".join(store.check())
    assert named in found
    assert "clew reindex" in found or "missing row" in found
