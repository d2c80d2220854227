"""What a connection keeps between searches: never older than the last write, whoever wrote."""

import random

import pytest
from specimens import ANY, cosine, document, kept, memory, vector

from clew.store.sqlite import SqliteStore
from clew.store.vectors import BLOCK

ASKED = vector(random.Random(0))


@pytest.fixture
def two(tmp_path):
    """Two stores on one file, as two processes have them; both keep arrays."""
    stores = [SqliteStore(str(tmp_path / "shared.db"), arrays=True) for _ in range(2)]
    with stores[0].transaction():
        stores[0].add_project(uid="uid:one", name="one", path="", at=0.0)
    yield stores
    for store in stores:
        store.close()


def added(store, chance, size):
    documents = [document(n, 1, chance) for n in kept(store, 1, *(memory(chance.getrandbits(100)) for _ in range(size)))]
    with store.transaction():
        store.index(documents)
    return documents


def seen(store):
    """Numbers of all memories that the vector search scans, and how many that is."""
    near = store.nearest([1], ASKED, ANY, limit=10**6)
    return set(near.cosines), near.scanned


def test_what_one_connection_writes_the_other_finds_at_once(two):
    chance = random.Random(1)
    held = []
    for step, size in enumerate((3, 1, BLOCK - 4, 1, 3 * BLOCK, 7)):
        held += added(two[step % 2], chance, size)
        for store in two:
            assert seen(store) == ({d.id for d in held}, len(held))
            assert store.statistics([1], []).documents == len(held)


def test_what_one_connection_takes_out_or_changes_the_other_misses(two):
    chance = random.Random(2)
    held = {d.id: d for d in added(two[0], chance, 2 * BLOCK + 5)}
    assert seen(two[1])[1] == len(held)
    for number in chance.sample(sorted(held), 9):
        with two[0].transaction():
            two[0].unindex([held.pop(number)])
        assert seen(two[1]) == (set(held), len(held))
    changed = document(min(held), 1, chance)
    with two[0].transaction():
        two[0].unindex([held[changed.id]])
        two[0].index([changed])
    for store in two:
        assert seen(store) == (set(held), len(held))
        assert store.nearest([1], changed.vector, ANY, limit=1).cosines == {changed.id: pytest.approx(1.0)}


def test_rows_that_are_not_kept_are_read_each_time(two, monkeypatch):
    monkeypatch.setattr("clew.store.sqlite_cache.ROWS_KEPT", 0)
    chance = random.Random(6)
    held = added(two[0], chance, 40) + added(two[1], chance, 40)
    expected = two[0].nearest([1], ASKED, ANY, limit=99)
    assert expected.cosines == {d.id: pytest.approx(cosine(ASKED, d.vector)) for d in held}
    monkeypatch.undo()
    assert two[1].nearest([1], ASKED, ANY, limit=99) == expected


def test_a_rebuilt_index_is_read_anew(two):
    chance = random.Random(3)
    held = added(two[0], chance, 2 * BLOCK)
    assert seen(two[1])[1] == 2 * BLOCK
    with two[0].transaction():
        two[0].wipe_index()
        two[0].index(held[:10])
    assert seen(two[1]) == ({d.id for d in held[:10]}, 10)


def test_what_a_failed_transaction_showed_is_forgotten(two):
    chance = random.Random(4)
    held = added(two[0], chance, BLOCK + 3)
    with pytest.raises(KeyError), two[0].transaction():
        two[0].index([document(10**6 + i, 1, chance) for i in range(BLOCK)])
        assert seen(two[0])[1] == 2 * BLOCK + 3
        assert two[0].statistics([1], ["w0"]).documents == 2 * BLOCK + 3
        raise KeyError
    assert seen(two[0]) == ({d.id for d in held}, len(held))
    assert two[0].statistics([1], []).documents == len(held)


def test_postings_kept_for_a_question_are_let_go_when_they_grow_too_many(two, monkeypatch):
    monkeypatch.setattr("clew.store.sqlite_cache.POSTINGS_BYTES", 100)
    chance = random.Random(5)
    held = added(two[0], chance, 50)
    terms = sorted({t for d in held for t in d.counts})
    for _ in range(2):
        assert two[0].statistics([1], terms).holding == {t: sum(t in d.counts for d in held) for t in terms}
    assert two[0]._cache._bytes < 100 + 8 * 50
