"""How memories come, change and go, and what happens at the edges of each verb."""

import json

import pytest

from clew import Draft, InvalidInput, NotFound, Pointer, Source
from clew.rules.fsrs import OPENING


def texts(clew, **how):
    return sorted(memory.summary for memory in clew.list(**how))


def top(clew, question, **how):
    hits = clew.recall(question, **how)
    return hits[0].memory.id if hits else None


def test_saying_it_again_is_the_same_memory_seen_once_more(store, clock):
    first = store.remember("the ledger uses PostgreSQL", tags=["db"], metadata={"a": 1}, pointers=[Pointer("a.py")])
    clock.at += 60
    again = store.remember("  the ledger  uses PostgreSQL ", tags=["sql"], metadata={"b": 2}, pointers=[Pointer("b.py")])
    assert (first.created, again.created, again.memory.id) == (True, False, first.memory.id)
    kept = store.show(first.memory.id)
    assert (kept.seen, kept.tags, kept.metadata) == (2, ("db", "sql"), {"a": 1, "b": 2})
    assert [pointer.path for pointer in kept.pointers] == ["a.py", "b.py"]
    assert (kept.recorded_at, kept.updated_at) == (clock.at - 60, clock.at)
    assert store.doctor() == []


def test_what_is_gained_is_found_and_what_was_there_still_is(store):
    number = store.remember("the ledger", tags=["alpha"]).memory.id
    store.remember("the ledger", tags=["omega"])
    assert top(store, "omega") == top(store, "alpha") == number


def test_the_same_draft_twice_in_one_batch_is_one_memory(store):
    first, second, third = store.remember_many([Draft("twice", tags=("a",)), Draft("other"), Draft("twice", tags=("b",))])
    assert (first.created, second.created, third.created) == (True, True, False)
    assert first.memory == third.memory
    assert (third.memory.seen, third.memory.tags) == (2, ("a", "b"))
    assert top(store, "b twice") == first.memory.id
    assert store.doctor() == []


def test_one_bad_draft_keeps_the_whole_batch_out_and_makes_no_project(store):
    with pytest.raises(InvalidInput):
        store.remember_many([Draft("fine"), Draft("bad", kind="rumour")])
    assert store.projects() == []


def test_an_empty_batch_does_nothing_at_all(store):
    assert store.remember_many([]) == []
    assert store.projects() == []


def test_what_is_gained_may_not_go_over_a_limit_either(store):
    store.remember("many tags", tags=[f"a{i}" for i in range(64)])
    with pytest.raises(InvalidInput, match=r"65 with those that memory #1 has already; the limit is 64"):
        store.remember("many tags", tags=["one more"])
    assert len(store.show(1).tags) == 64
    assert store.show(1).seen == 1


def test_the_same_words_of_another_kind_or_project_are_another_memory(store):
    numbers = {
        store.remember("the same").memory.id,
        store.remember("the same", kind="decision").memory.id,
        store.remember("the same", project="other").memory.id,
        store.remember("the same", detail="but longer").memory.id,
    }
    assert len(numbers) == 4


@pytest.mark.parametrize("kind", OPENING)
def test_a_new_memory_opens_with_the_strength_of_its_kind(kind, store, clock):
    kept = store.remember(f"a {kind}", kind=kind).memory
    assert kept.strength == (OPENING[kind], 5.0, clock.at, 0, 0)
    assert kept.pinned is (kind == "user")
    assert (kept.confidence, kept.credit, kept.status, kept.origin) == (0.5, 0.0, "active", "python")


def test_a_memory_that_had_ended_is_active_again_when_somebody_says_it(store):
    old, new = store.remember("the old way").memory.id, store.remember("the new way").memory.id
    store.supersede(old, new, reason="better")
    again = store.remember("the old way").memory
    assert (again.id, again.status, again.successor, again.reason, again.ended_at) == (old, "active", None, "", None)
    assert [line["event"] for line in store.history(old)] == ["revived", "superseded"]
    assert json.loads(store.history(old)[0]["text"])["reason"] == "better"


def test_an_importer_that_says_it_again_leaves_what_has_ended_ended(store):
    store.remember("an old commit")
    store.done(1)
    (kept,) = store.remember_many([Draft("an old commit", tags=("new",))], again=False)
    assert (kept.created, kept.memory.status, kept.memory.tags, kept.memory.seen) == (False, "done", (), 1)


def test_an_edit_changes_what_it_names_and_keeps_what_was_in_the_log(store, clock):
    store.remember("the legder", detail="long", tags=["a"], metadata={"k": 1}, ttl=60)
    clock.at += 1
    edited = store.edit("#1", summary="the ledger", tags=["b"]).memory
    assert (edited.id, edited.summary, edited.detail, edited.tags, edited.metadata) == (1, "the ledger", "long", ("b",), {"k": 1})
    assert edited.expires_at == clock.at - 1 + 60
    assert json.loads(store.history(1)[0]["text"])["summary"] == "the legder"
    assert (top(store, "ledger"), top(store, "legder")) == (1, None)
    assert store.edit(1, ttl=None).memory.expires_at is None
    assert store.doctor() == []


def test_an_edit_to_a_text_that_another_memory_says_is_refused_with_the_way_out(store):
    store.remember("first")
    store.remember("second")
    with pytest.raises(InvalidInput, match=r"memory #1 already says this; supersede #2 by it instead"):
        store.edit(2, summary="first")
    assert texts(store) == ["first", "second"]


def test_an_edit_to_what_it_says_already_changes_nothing_but_its_time(store):
    before = store.remember("first", tags=["a"]).memory
    assert store.edit(1, summary="first").memory == before
    assert store.doctor() == []


@pytest.mark.parametrize(
    ("change", "field"), [({"digest": "x"}, "digest"), ({"id": 2}, "id"), ({"kind": "x"}, "kind"), ({"summary": ""}, "summary")]
)
def test_an_edit_of_what_cannot_be_is_refused_by_name(change, field, store):
    store.remember("first")
    with pytest.raises(InvalidInput) as caught:
        store.edit(1, **change)
    assert caught.value.field == field


def test_superseding_marks_the_old_one_and_names_its_successor_and_the_reason(store, clock):
    store.remember("on Oracle")
    store.remember("on PostgreSQL")
    clock.at += 5
    old = store.supersede(1, 2, reason="licence\nfees")
    assert (old.status, old.successor, old.reason, old.ended_at) == ("superseded", 2, "licence fees", clock.at)
    assert [hit.memory.id for hit in store.recall("Oracle")] == [2]
    assert [hit.memory.id for hit in store.recall("Oracle", include_superseded=True)] == [2, 1]
    assert [(line["src"], line["relation"]) for line in store.export_jsonl() if line["type"] == "link"] == [
        (store.show(2).digest, "supersedes")
    ]


def test_a_circle_of_successors_is_refused(store):
    for name in "abc":
        store.remember(f"way {name}")
    store.supersede(1, 2)
    store.supersede(2, 3)
    with pytest.raises(InvalidInput, match=r"#1 is itself superseded by way of #3"):
        store.supersede(3, 1)
    with pytest.raises(InvalidInput, match="cannot supersede itself"):
        store.supersede(2, 2)
    assert store.show(3).status == "active"


def test_the_old_way_said_again_may_supersede_the_new_one(store):
    store.remember("old way")
    store.remember("new way")
    store.supersede(1, 2)
    store.remember("old way")
    assert store.supersede(2, 1).successor == 1
    assert store.show(1).successor is None


def test_forgetting_a_successor_leaves_the_old_one_ended_without_a_name(store):
    store.remember("old way")
    store.remember("new way")
    store.supersede(1, 2, reason="better")
    (gone,) = store.forget(2)
    assert gone.erased["links"] == 1
    old = store.show(1)
    assert (old.status, old.successor, old.reason) == ("superseded", None, "better")
    assert store.doctor() == []


def test_forgetting_the_old_one_leaves_its_successor_as_it_is(store):
    store.remember("old way")
    new = store.remember("new way").memory
    store.supersede(1, 2)
    store.forget(1)
    assert store.show(2) == new
    with pytest.raises(NotFound):
        store.show(1)


def test_forgetting_is_all_or_none_and_takes_one_named_twice_once(store):
    for name in "abc":
        store.remember(f"thing {name}")
    with pytest.raises(NotFound):
        store.forget(1, 99)
    assert len(store.list()) == 3
    assert [gone.id for gone in store.forget(1, "#1", store.show(2).digest[:8])] == [1, 2]
    assert store.remember("thing a").memory.id == 4


def test_done_ends_a_memory_that_is_still_listed_when_asked_for(store):
    store.remember("rotate the keys", kind="intent")
    assert store.done(1, reason="rotated").status == "done"
    assert store.recall("rotate keys") == []
    assert texts(store, statuses=("done",)) == ["rotate the keys"]


def test_pinning_is_undone_by_unpinning(store):
    store.remember("keep in mind")
    assert [store.pin(1).pinned, store.pin(1).pinned, store.unpin(1).pinned] == [True, True, False]


@pytest.mark.parametrize(
    "ref",
    ["", "x", "#", 0, -1, 1.5, True, None, 2**53, "12345678901234567890", "zz" * 8, "\ud800", pytest.param(10**5_000, id="without end")],
)
def test_what_names_no_memory_is_refused(ref, store):
    store.remember("first")
    with pytest.raises((InvalidInput, NotFound)):
        store.show(ref)


def test_a_digest_prefix_that_two_share_asks_for_more_digits(store, monkeypatch):
    store.remember("first")
    store.remember("second")
    monkeypatch.setattr(type(store._store), "find_digest", lambda self, prefix: [1, 2])
    with pytest.raises(InvalidInput, match=r"begins the digests of 2 memories \(#1, #2\); give more digits"):
        store.show("abcdef")


def test_a_source_is_kept_as_it_came(store):
    source = Source(file="a.py", commit="abc", session="s1", turn=3, drawn_from=(1, 2))
    assert store.remember("from there", source=source).memory.source == source
