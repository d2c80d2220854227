"""What a connection knows of its words' ends and holders: as right after any writing, by whomever, as what the file holds."""

import random

import pytest
from specimens import document

from clew.errors import StoreDamaged
from clew.store import sqlite_tails
from clew.store.sqlite import SqliteStore
from clew.store.words import CHUNK, ids_of

MOST = 150


@pytest.fixture
def two(tmp_path):
    """Two stores on one file, as two processes have them."""
    stores = [SqliteStore(str(tmp_path / "shared.db")) for _ in range(2)]
    with stores[0].transaction():
        for name in ("one", "two"):
            stores[0].add_project(uid=f"uid:{name}", name=name, path="", at=0.0)
    yield stores
    for store in stores:
        store.close()


def index(store, *documents):
    with store.transaction():
        store.index(documents)


def postings(store):
    """{(project, term): ids} as the file holds them; fails where chunks are out of order or too long."""
    found = {}
    for project, term, first, packed in store._rows("SELECT project, term, first, postings FROM words ORDER BY 1, 2, 3"):
        ids = ids_of(packed)
        before = found.setdefault((project, term), [])
        assert before < [first] and first <= ids[0] and ids == sorted(set(ids)) and len(ids) <= CHUNK
        found[project, term] = before + ids
    return found


def expected(documents):
    found = {}
    for d in sorted(documents, key=lambda d: d.id):
        for term in d.counts:
            found.setdefault((d.project, term), []).append(d.id)
    return found


def agrees(store, held):
    """Whether the file, and the words this connection finds rare, are those of `held`."""
    truth = expected(held)
    assert postings(store) == truth
    for project in (1, 2):
        terms = [*sorted({term for p, term in truth if p == project}), "nobody's"]
        rare = sorted((len(ids), term) for (p, term), ids in truth.items() if p == project and 1 < len(ids) <= MOST)
        found = store.rarest([project], terms, most=MOST, wanted=7)
        assert [(len(ids_of(packed)), term) for term, packed in found.items()] == rare[:7]


@pytest.mark.parametrize("kept", [sqlite_tails.KEPT, 30])
def test_words_stay_in_order_whoever_writes_and_whatever_is_taken_out_or_taken_back(two, kept, monkeypatch):
    monkeypatch.setattr(sqlite_tails, "KEPT", kept)
    chance = random.Random(kept)
    held, number = {}, 0
    for _ in range(60):
        store = two[chance.random() < 0.3]
        fresh = [document(number + n, chance.choice((1, 1, 2)), chance) for n in range(1, chance.choice((2, 2, 40, 250)))]
        number += len(fresh) + chance.randint(0, 2)
        if chance.random() < 0.2:
            with pytest.raises(KeyError), store.transaction():
                store.index(fresh)
                raise KeyError
            continue
        index(store, *fresh)
        held.update((d.id, d) for d in fresh)
        if chance.random() < 0.3:
            gone = [held.pop(i) for i in chance.sample(sorted(held), 3)]
            with two[0].transaction():
                two[0].unindex(gone)
                two[0].index(gone[:1])
            held[gone[0].id] = gone[0]
        agrees(chance.choice(two), held.values())


@pytest.mark.parametrize(("writer", "looks"), [(0, (0, 0)), (1, (1, 1))], ids=["new to all", "begun by another"])
def test_a_word_is_looked_up_once_at_most_and_followed_as_it_grows(two, writer, looks):
    chance = random.Random(1)
    documents = [document(n, 1, chance)._replace(counts={"grows": 1}) for n in range(1, MOST + 3)]
    index(two[0], *documents[:2])
    store, asked = two[writer], []
    store._db.exec_trace = lambda _, statement, values: asked.append(statement) or True
    for n in range(2, MOST + 2):
        found = store.rarest([1], ["grows"], most=MOST, wanted=1)
        assert [len(ids_of(packed)) for packed in found.values()] == ([n] if n <= MOST else [])
        index(store, documents[n])
    assert (asked.count(sqlite_tails._SIZES), asked.count(sqlite_tails._LAST)) == looks


def test_after_a_wipe_words_begin_anew(two):
    chance = random.Random(2)
    documents = [document(n, 1, chance) for n in range(1, 300)]
    index(two[0], *documents)
    with two[0].transaction():
        two[0].wipe_index()
        two[0].index(documents[:100])
    agrees(two[0], documents[:100])
    assert max(max(ids) for ids in postings(two[1]).values()) == documents[99].id


def test_a_chunk_that_is_gone_though_nothing_said_so_is_damage_and_nothing_is_half_written(two):
    chance = random.Random(3)
    index(two[0], document(1, 1, chance)._replace(counts={"a": 1, "b": 1}))
    two[0]._rows("DELETE FROM words WHERE term = 'a'")
    with pytest.raises(StoreDamaged, match="reindex"):
        index(two[0], document(2, 1, chance)._replace(counts={"a": 1, "b": 1}))
    assert postings(two[1]) == {(1, "b"): [1]}
    index(two[0], document(2, 1, chance)._replace(counts={"a": 1, "b": 1}))
    assert postings(two[1]) == {(1, "a"): [2], (1, "b"): [1, 2]}
