"""What is kept of the names in memories, and the links their wording makes, through every verb that writes."""

import pytest

from clew import Draft, Pointer, Source


def links(clew):
    return [row[:3] for row in sorted(clew._store.links_of([m.id for m in clew.list(statuses=("active", "superseded"), limit=100)]))]


def entities(clew):
    return {tuple(row) for row in clew._store._rows("SELECT kind, name FROM entities")}


def noted(clew):
    """Everything that is derived, as a rebuild must make it again."""
    tables = ("entities", "aliases", "mentions", "subjects", "cues", "links")
    return {table: clew._store._rows(f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables}


def test_two_memories_that_name_one_thing_meet_in_it(store):
    store.remember("retries live in src/net/retry.py")
    store.remember("the budget is three", pointers=[Pointer("src/net/retry.py")])
    (both,) = store._store.entities_named([1], ["src/net/retry.py"]).values()
    assert store._store.mentioned(both, 10) == {both[0]: [2, 1]}


def test_wording_joins_a_memory_to_the_one_it_names_whichever_was_first(store):
    store.remember("the retry budget is three because of #12")
    store.remember("#12: retry storms take the queue down")
    store.remember("#13: the queue is slow")
    store.remember("one queue a team, because of #13")
    assert links(store) == [(1, "because", 2), (4, "because", 3)]


def test_a_whole_batch_is_joined_as_single_memories_are(store):
    texts = ["Use Postgres; replaces “Use MySQL”", "Use MySQL", "reverts 1a2b3c4d", "superseded by PROJ-7", "PROJ-7: gone"]
    drafts = [Draft(text) for text in texts] + [Draft("a commit", source=Source(commit="1a2b3c4d5e6f"))]
    store.remember_many(drafts)
    whole = links(store)
    assert whole == [(1, "supersedes", 2), (3, "reverts", 6), (5, "supersedes", 4)]
    for draft in drafts:
        store.remember_many([draft], project="one by one")
    assert [(a - 6, relation, b - 6) for a, relation, b in sorted(row[:3] for row in store._store.links_of(range(7, 13)))] == whole


def test_a_link_by_wording_carries_its_origin_and_the_time_it_was_said(store, clock):
    store.remember("because of memory #1 nothing")
    said = clock.at = clock.at + 60
    store.remember("so it is, because of memory #1")
    clock.at += 60
    store.reindex()
    assert store._store.links_of([1]) == [(2, "because", 1, said, "rule")]


def test_nothing_is_joined_across_projects(store):
    store.remember("#12: retry storms", project="other")
    store.remember("a budget because of #12")
    store.remember("a budget because of memory #1")
    assert store._store.links_of([1, 2, 3]) == []


def test_of_many_memories_about_one_thing_the_oldest_three_are_joined(store):
    for i in range(5):
        store.remember(f"#12: part {i}")
    store.remember("a budget because of #12")
    before = links(store)
    assert before == [(6, "because", 1), (6, "because", 2), (6, "because", 3)]
    store.reindex()
    assert links(store) == before


def test_saying_more_about_a_memory_notes_it_anew(store):
    store.remember("the ledger")
    store.remember("the ledger", tags=["#12"])
    store.remember("slow because of #12")
    assert entities(store) == {("ticket", "#12")}
    assert links(store) == [(2, "because", 1)]


def test_an_edit_takes_back_what_the_former_text_named_and_joined(store):
    store.remember("#12: retry storms")
    store.remember("three retries because of #12, in retry.py")
    store.edit(2, summary="three retries because of PROJ-1")
    assert links(store) == []
    assert entities(store) == {("ticket", "#12"), ("ticket", "PROJ-1")}
    store.edit(1, summary="PROJ-1: retry storms")
    assert links(store) == [(2, "because", 1)]


def test_who_is_named_by_number_or_by_what_it_is_about_stays_so_when_it_is_edited_or_moved_and_back(store):
    store.remember("PROJ-7: the till rounds down")
    store.remember("round half to even", detail="replaces memory #1, fixes PROJ-7")
    before, home = noted(store), store.project().name
    store.remember("elsewhere", project="other")
    store.edit(1, detail="in shop.py")
    assert links(store) == [(2, "fixes", 1), (2, "supersedes", 1)]
    store.edit(1, detail="")
    assert noted(store)["links"] == before["links"]
    store.project_move([1], into="other")
    assert links(store) == []
    store.project_move([1], into=home)
    assert links(store) == [(2, "fixes", 1), (2, "supersedes", 1)]
    after = noted(store)
    store.reindex()
    assert noted(store)["links"] == after["links"]


def test_an_edit_keeps_the_links_that_somebody_made(store):
    store.remember("one")
    store.remember("two")
    store._store.add_link(1, "because", 2, at=0.0, origin="cli")
    store.edit(1, detail="and more")
    assert links(store) == [(1, "because", 2)]


def test_forgetting_takes_the_names_along_that_nothing_else_names(store):
    store.remember("storms in retry.py, see #12")
    store.remember("three retries in retry.py because of memory #1")
    (gone,) = store.forget(1)
    assert (gone.erased["mentions"], gone.erased["links"]) == (2, 1)
    assert entities(store) == {("file", "retry.py")}
    store.forget(2)
    assert all(rows == [] for rows in noted(store).values())


def test_what_expires_leaves_no_name_either(store, clock):
    store.remember("for a while: see #12", ttl=60)
    clock.at += 61
    store._swept = False
    store.remember("another")
    assert entities(store) == set()


TALK = ["three retries because of #12 in src/net/retry.py", "#12: Retry Storms", "New York has “Retry Storms”", "by Jane Doe in New York"]


@pytest.mark.parametrize("again", [1, 2])
def test_a_rebuild_finds_the_same_names_and_links(store, again):
    store.remember_many([Draft(text) for text in TALK])
    store.remember("fixes PROJ-1", project="other")
    before = noted(store)
    assert len(before["mentions"]) > 5
    for _ in range(again):
        store.reindex()
    assert noted(store) == before


def test_a_rebuild_takes_away_what_nobody_names(store):
    store.remember("see #12")
    store._store._rows("INSERT INTO entities (project, kind, name, key) VALUES (1, 'file', 'left.py', 'left.py')")
    store.reindex()
    assert entities(store) == {("ticket", "#12")}


def test_a_memory_that_moves_takes_its_names_and_meets_its_new_neighbours(store):
    store.remember("#12: Retry Storms")
    store.remember("three because of #12")
    store.remember("five because of #12", project="other")
    store.project_move([1], into="other")
    assert sorted(row[:3] for row in store._store.links_of([1])) == [(3, "because", 1)]
    owners = store._store._rows("SELECT project, name FROM entities ORDER BY 1, 2")
    assert owners == [(1, "#12"), (2, "#12"), (2, "Retry Storms")]
    assert store.doctor() == []


def test_a_project_that_is_merged_brings_its_names(store):
    store.remember("#12: storms", project="gone")
    store.remember("three because of #12")
    store.project_merge("gone", into="trip")
    assert store._store._rows("SELECT DISTINCT project FROM entities") == store._store._rows("SELECT id FROM projects")
    assert [row[:3] for row in store._store.links_of([1])] == [(2, "because", 1)]


def test_an_import_has_the_links_of_its_wording_and_keeps_their_origin(store):
    store.remember_many([Draft(text) for text in TALK])
    out = list(store.export_jsonl())
    store.import_jsonl(out, project="copy")
    origins = store._store._rows("SELECT origin, count(*) FROM links GROUP BY 1")
    assert origins == [("rule", 2)]


def test_prose_names_nothing_and_costs_no_rows(store):
    store.remember("we agreed that the nightly export should run before the ledger closes")
    assert entities(store) == set()
