"""What every backend promises of originals behind handles, the figures of compilations, and working contexts."""

import pytest
from specimens import NOW, kept, memory

from clew.store.work import Context, Original

FIGURES = {
    "session": "s1",
    "at": NOW,
    "expires_at": None,
    "counter": "heuristic",
    "risk": "low",
    "fragments": 3,
    "tokens_in": 100,
    "tokens_out": 60,
    "saved": 30,
    "externalised": 10,
    "lost": 0,
}


def put(store, project, *originals):
    with store.transaction():
        store.put_sources(project, originals)


def test_an_original_comes_back_byte_for_byte(store, project):
    data = bytes(range(256)) * 3
    put(store, project, Original("ctx_a", data, "image/png", NOW))
    assert store.source("ctx_a") == Original("ctx_a", data, "image/png", NOW)
    assert store.source("ctx_b") is None


def test_a_handle_is_found_by_how_it_begins(store, project):
    put(store, project, *(Original(f"ctx_{name}", b"", "text/plain", NOW) for name in ("ab1", "ab2", "b")))
    assert store.source_handles("ctx_ab", most=9) == ["ctx_ab1", "ctx_ab2"]
    assert store.source_handles("ctx_", most=1) == ["ctx_ab1"]
    assert store.source_handles("%", most=9) == []


@pytest.mark.parametrize(("first", "second", "until"), [(NOW + 5, NOW + 9, NOW + 9), (NOW + 9, NOW + 5, NOW + 9), (None, 5.0, None)])
def test_what_is_put_twice_stays_until_the_later_time(store, project, first, second, until):
    for when in (first, second):
        put(store, project, Original("h", b"x", "text/plain", NOW, when))
    assert store.source("h").expires_at == until
    assert store.sources_kept() == (1, 1)


def test_pruning_drops_what_ran_out_and_what_is_older_than_asked(store, project):
    put(
        store,
        project,
        Original("a", b"12", "t", NOW, NOW + 1),
        Original("b", b"345", "t", NOW - 100),
        Original("c", b"6", "t", NOW, NOW + 99),
    )
    with store.transaction():
        assert store.prune_sources(NOW + 1) == (1, 2)
    with store.transaction():
        assert store.prune_sources(NOW + 1, before=NOW - 50) == (1, 3)
    assert store.sources_kept() == (1, 1)


def test_a_source_goes_with_the_memory_it_was_drawn_from(store, project):
    (one,) = kept(store, project, memory(1))
    put(store, project, Original("h", b"x", "text/plain", NOW, memory=one))
    with store.transaction():
        assert store.erase(one)["sources"] == 1
    assert store.source("h") is None


def test_the_figures_of_compilations_are_summed_by_project(store, project):
    with store.transaction():
        other = store.add_project(uid="uid:two", name="two", path="", at=0.0)
        store.add_compilation(project, FIGURES)
        store.add_compilation(project, {**FIGURES, "at": NOW + 5, "risk": "high", "lost": 7, "saved_cost": 0.25, "currency": "USD"})
        store.add_compilation(other, FIGURES)
    sums = store.compilations([project])
    assert (sums["compilations"], sums["tokens_in"], sums["saved"], sums["lost"]) == (2, 200, 60, 7)
    assert (sums["first_at"], sums["last_at"]) == (NOW, NOW + 5)
    assert sums["risks"] == {"low": 1, "high": 1}
    assert sums["saved_cost"] == {"USD": 0.25}
    assert store.compilations([project, other])["compilations"] == 3
    assert store.compilations([])["tokens_in"] == 0


def test_a_compilation_whose_time_ran_out_counts_no_more_once_pruned(store, project):
    with store.transaction():
        store.add_compilation(project, {**FIGURES, "expires_at": NOW + 1})
        store.prune_sources(NOW + 1)
    assert store.compilations([project])["compilations"] == 0


def test_working_contexts_are_kept_with_their_history_newest_first(store, project):
    with store.transaction():
        for n, session in enumerate(("a", "b", "a")):
            store.save_context(project, Context(0, session, f'{{"goal": "{n}"}}', "cli", NOW + n))
    assert [c.content for c in store.contexts([project], session="a", limit=9)] == ['{"goal": "2"}', '{"goal": "0"}']
    assert [c.session for c in store.contexts([project], session=None, limit=2)] == ["a", "b"]
    assert store.contexts([], session=None, limit=9) == []


def test_a_dropped_project_hands_over_its_compilations_and_contexts(store, project):
    with store.transaction():
        other = store.add_project(uid="uid:two", name="two", path="", at=0.0)
        store.add_compilation(other, FIGURES)
        store.save_context(other, Context(0, "s", "{}", "cli", NOW))
        store.drop_project(other, into=project)
    assert store.compilations([project])["compilations"] == 1
    assert len(store.contexts([project], session="s", limit=9)) == 1
