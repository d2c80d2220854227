"""What the searches are told of a memory, by which rules, and how a rebuild makes it all again."""

import pytest

from clew import Clew, EmbedderMismatch, StoreError, text
from clew.embed import HashingEmbedder
from clew.embed.blend import blended
from clew.engines import indexing
from clew.model import Draft, Pointer
from clew.rules.bm25 import FIELD_WEIGHTS


def document(clew, number):
    """The memory as the searches should know it."""
    return indexing.document(clew.show(number), clew._store.owner(number))


def test_every_field_that_people_search_by_is_told_with_its_weight(store):
    store.remember("ledger", detail="account account", tags=["money"], pointers=[Pointer("src/UserProfile.py", "save_all")])
    told = document(store, 1)
    assert told.counts["ledger"] == FIELD_WEIGHTS["summary"]
    assert told.counts["account"] == 2 * FIELD_WEIGHTS["detail"]
    assert told.counts["monei"] == FIELD_WEIGHTS["tags"]
    assert {"user", "profil", "save"} <= set(told.counts)
    assert told.length >= 8


def test_a_document_is_the_same_each_time_so_that_it_can_be_taken_out_again(store):
    store.remember("UserProfileService naïve 漢字 C++", detail="x" * 200)
    assert document(store, 1) == document(store, 1)


def test_meanings_come_one_each_and_empty_without_an_embedder(store):
    memories = [store.remember(name, detail=detail).memory for name, detail in (("a", ""), ("b", "c"))]
    embedder = HashingEmbedder()
    assert indexing.meanings(memories, embedder) == [embedder.embed("a"), blended(embedder.embed("b"), embedder.embed("c"))]
    assert indexing.meanings(memories, None) == [b"", b""]
    assert indexing.meanings([], embedder) == []


def test_a_new_store_is_signed_by_the_first_that_writes(store):
    assert store._store.setting("embedder") is None
    store.import_jsonl([{"summary": "first"}])
    assert store._store.setting("embedder") == indexing.signature(HashingEmbedder())
    assert store._store.setting("words") == str(text.VERSION)


def test_words_of_other_rules_are_refused_with_the_rebuild_and_healed_by_it(store, monkeypatch):
    store.remember("first words")
    monkeypatch.setattr(text, "VERSION", text.VERSION + 1)
    for act in (
        lambda: store.recall("first"),
        lambda: store.remember("second"),
        lambda: store.forget(1),
        lambda: store.edit(1, detail="x"),
    ):
        with pytest.raises(StoreError, match="`clew reindex`"):
            act()
    assert store.reindex() == 1
    assert store.recall("first words")[0].memory.id == 1


def test_a_rebuild_tells_how_far_it_is_and_leaves_what_was_there(store):
    store.remember_many([Draft(f"fact {i}", tags=("t",)) for i in range(1_100)])
    store.remember("elsewhere", project="other")
    store.done(5)
    store.supersede(6, 7)
    before = [(hit.memory.id, hit.score) for hit in store.recall("fact 77", limit=20)]
    seen = []
    assert store.reindex(lambda done, last: seen.append((done, last))) == 1_101
    assert seen == [(500, 1_101), (1_000, 1_101), (1_101, 1_101)]
    assert [(hit.memory.id, hit.score) for hit in store.recall("fact 77", limit=20)] == before
    assert store.doctor() == []


def test_a_rebuild_of_nothing_is_nothing(store):
    assert store.reindex() == 0
    assert store.notes() == []


def test_what_happens_during_a_rebuild_is_in_the_index_once(store):
    store.remember_many([Draft(f"fact {i}") for i in range(1_200)])

    def meanwhile(done, last):
        if done == 500:
            store.edit(3, summary="edited behind")
            store.edit(900, summary="edited ahead")
            store.forget(4, 901)
            store.remember("fact 7", tags=["zebra"])
            store.remember("fact 1100", tags=["zebra"])
            store.remember("written meanwhile")
            store.project_move([8, 950], into="other")

    store.reindex(meanwhile)
    assert store.doctor() == []
    for question, number in (("edited behind", 3), ("edited ahead", 900), ("written meanwhile", 1_201)):
        assert store.recall(question)[0].memory.id == number
    for project, number in (("trip", 1_101), ("other", 8)):
        assert [hit.memory.id for hit in store.recall("zebra", project=project) if hit.signals.lexical_rank == 1] == [number]


def test_a_rebuild_that_another_began_anew_with_other_rules_gives_way(store):
    store.remember_many([Draft(f"fact {i}") for i in range(700)])

    def rival(done, last):
        with store._store.transaction():
            indexing._begun(store._store, "another@embedder")

    with pytest.raises(EmbedderMismatch, match="another@embedder"):
        store.reindex(rival)


def test_a_rebuild_follows_another_that_is_ahead(store):
    store.remember_many([Draft(f"fact {i}") for i in range(1_600)])
    done_by_other = []

    def rival(done, last):
        if not done_by_other:
            done_by_other.append(store.reindex())

    assert store.reindex(rival) + done_by_other[0] == 1_600
    assert store.doctor() == []


def test_gaps_are_marked_only_where_memories_lack_their_meaning(clock, tmp_path):
    def opened(embed):
        return Clew(str(tmp_path / "memory.db"), project="trip", embed=embed, clock=clock)

    with opened("off") as clew:
        clew.remember("first")
        clew.forget(1)
    with opened("hashing") as clew:
        clew.remember("second")
        assert clew.doctor() == []
    with opened("off") as clew:
        assert clew.notes() == []
        clew.edit(2, summary="third")
        assert any("clew reindex" in sentence for sentence in clew.notes())
