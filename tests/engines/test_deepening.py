"""The pass that puts better vectors in the place of the embedder's: everything goes on meanwhile, and it goes on where it stopped."""

import pytest

from clew import EmbedderMismatch
from clew.embed import HashingEmbedder
from clew.engines import deepening, indexing
from clew.model import Filter

EVERYTHING = Filter(now=0.0, include_superseded=True)


class Reader(HashingEmbedder):
    """Reads a word more in every text, in the same space; counts what it read."""

    read = 0

    def embed_many(self, texts):
        self.read += len(texts)
        return [self.embed(f"{text} moreover") for text in texts]


@pytest.fixture
def full(store):
    """A store of 120 memories whose pass has begun."""
    store.import_jsonl([{"summary": f"fact {i} of the ledger", "detail": f"detail {i}"} for i in range(1, 121)])
    deepening.begin(store._store)
    return store


def deepen(clew, reader, tell=lambda done, last: None):
    return deepening.deepen(clew._store, reader, [p.id for p in clew.projects()], tell)


def deep(clew):
    """The memories that are as near as can be to what the reader makes of them."""
    reader = Reader()
    found = []
    for memory in clew.list(limit=200):
        (vector,) = indexing.meanings([memory], reader)
        near = clew._store.nearest([p.id for p in clew.projects()], vector, EVERYTHING, limit=1, also=[memory.id])
        if near.cosines[memory.id] > 0.9999:
            found.append(memory.id)
    return sorted(found)


def test_every_memory_gets_the_readers_vector_and_keeps_its_words(full):
    told = []
    assert deepen(full, Reader(), lambda done, last: told.append((done, last))) == 120
    assert told == [(50, 120), (100, 120), (120, 120)]
    assert deep(full) == list(range(1, 121))
    assert full.recall("fact 77 of the ledger")[0].memory.id == 77
    assert (full.notes(), full.doctor()) == ([], [])


class Stopped(Exception):
    """What a test ends a pass with."""


def test_a_pass_that_was_cut_off_is_told_and_goes_on_where_it_stopped(full):
    def stop(done, last):
        raise Stopped

    with pytest.raises(Stopped):
        deepen(full, Reader(), stop)
    assert deep(full) == list(range(1, 51))
    assert [note for note in full.notes() if "up to #50 of #120" in note]
    reader = Reader()
    assert (deepen(full, reader), reader.read) == (70, 140)
    assert deep(full) == list(range(1, 121))


def test_a_memory_that_changes_while_it_is_read_keeps_what_it_was_indexed_with(full):
    class Slow(Reader):
        def embed_many(self, texts):
            if not self.read:
                full.edit(7, summary="fact 7 was wrong")
                full.forget(9)
            return super().embed_many(texts)

    assert deepen(full, Slow()) == 118
    assert 7 not in deep(full)
    assert full.recall("fact 7 was wrong")[0].memory.id == 7
    assert full.doctor() == []


def test_what_is_remembered_later_is_left_to_the_next_pass(full):
    late = full.remember("a late fact").memory.id
    deepen(full, Reader())
    assert late not in deep(full)
    deepening.begin(full._store)
    assert deepen(full, Reader()) == 121
    assert late in deep(full)


def test_a_rebuild_ends_the_pass_whose_vectors_it_undoes(full):
    full.reindex()
    reader = Reader()
    assert (deepen(full, reader), reader.read) == (0, 0)


def test_vectors_of_another_space_are_refused(full):
    with pytest.raises(EmbedderMismatch):
        deepen(full, Reader(dim=128))
    assert deep(full) == []


def catch_up(clew, reader):
    """Steps until there is nothing left; how many."""
    steps = 0
    while deepening.catch_up(clew._store, reader, [p.id for p in clew.projects()]):
        steps += 1
    return steps


def test_catching_up_reads_what_is_new_and_nothing_twice(store):
    store.import_jsonl([{"summary": f"fact {i} of the ledger"} for i in range(1, 61)])
    reader = Reader()
    assert (catch_up(store, reader), reader.read) == (2, 60)
    assert deep(store) == list(range(1, 61))
    late = store.remember("a late fact").memory.id
    assert (catch_up(store, reader), reader.read) == (1, 61)
    assert late in deep(store)
    assert (catch_up(store, reader), store.notes(), store.doctor()) == (0, [], [])


def test_catching_up_goes_on_with_a_pass_that_was_cut_off(full):
    def stop(done, last):
        raise Stopped

    with pytest.raises(Stopped):
        deepen(full, Reader(), stop)
    late = full.remember("a late fact").memory.id
    reader = Reader()
    catch_up(full, reader)
    assert reader.read == 70 * 2 + 1
    assert deep(full) == [*range(1, 121), late]
    assert full.notes() == []


def test_two_that_catch_up_at_once_do_each_step_once(full, tmp_path):
    class Overtaken(Reader):
        """While it reads its first step another process does the same one."""

        def embed_many(self, texts):
            if not self.read:
                self.read = 1
                assert deepening.catch_up(full._store, Reader(), [p.id for p in full.projects()])
            return super().embed_many(texts)

    full._store.set_setting(indexing.DEEPENED, None)
    assert catch_up(full, Overtaken()) == 3
    assert deep(full) == list(range(1, 121))
    assert full.doctor() == []


def test_nothing_is_caught_up_while_the_index_is_made_anew(full):
    full._store.set_setting("reindex", "10 120")
    reader = Reader()
    assert (catch_up(full, reader), reader.read) == (0, 0)


def test_a_rebuild_that_begins_while_a_step_is_read_wins(full):
    class Late(Reader):
        def embed_many(self, texts):
            if not self.read:
                full._store.set_setting("reindex", "0 120")
            return super().embed_many(texts)

    full._store.set_setting(indexing.DEEPENED, None)
    catch_up(full, Late())
    assert deep(full) == []


def test_a_store_without_vectors_is_left_as_it_is(store):
    with store._store.transaction():
        store._store.set_setting("embedder", None)
    reader = Reader()
    assert (catch_up(store, reader), reader.read) == (0, 0)


def test_memories_kept_without_an_embedder_stop_neither_way(full):
    full._store.set_setting("gaps", "1")
    assert deepen(full, Reader()) == 120
    full._store.set_setting(indexing.DEEPENED, None)
    assert catch_up(full, Reader()) == 3
    assert deep(full) == list(range(1, 121))
