"""Recall over links, shared names, successors and times: what is reached, what stays, what never comes."""

from datetime import UTC, datetime

import pytest

from clew import Source
from clew.rules import times

DECISION = "Uploads are retried with exponential backoff"
PROBLEM = "Customers in Perth lost photographs over hotel wifi"
QUESTION = "how are uploads retried?"


def link(clew, *edges):
    """Typed links, as an import brings them."""
    digests = {i: clew.show(i).digest for edge in edges for i in (edge[0], edge[2])}
    clew.import_jsonl([{"type": "link", "src": digests[s], "relation": r, "dst": digests[d]} for s, r, d in edges])


def ids(hits):
    """The numbers of the hits in order."""
    return [hit.memory.id for hit in hits]


@pytest.fixture
def linked(store):
    """(decision, problem) joined by a link, among strangers."""
    decision, problem = (store.remember(text).memory.id for text in (DECISION, PROBLEM))
    store.remember_many([])
    for n in range(5):
        store.remember(f"Invoice rule {n} about tax numbers")
    link(store, (decision, "because", problem))
    return decision, problem


def test_what_shares_no_word_with_the_question_is_reached_over_a_link(store, linked):
    assert ids(store.recall(QUESTION)) == [*linked]
    assert ids(store.recall(QUESTION, graph=False)) == [linked[0]]


def test_a_reached_memory_says_so_in_its_signals_and_scores_fall_along_the_order(store, linked):
    direct, reached = store.recall(QUESTION)
    assert (direct.signals.graph, reached.signals.lexical) == (1.0, 0.0)
    assert 0.0 < reached.signals.graph < 1.0
    assert direct.score >= reached.score > 0.0


def test_the_digits_of_a_commit_name_its_memory_with_no_word_before_them(store):
    first, second = (
        store.remember(f"Uploads are retried {n} times", source=Source(commit=digits)).memory.id
        for n, digits in (("seven", "3bed1d9b7896"), ("eight", "5bed1d9b7896"))
    )
    assert ids(store.recall("uploads are retried times in 3bed1d9"))[0] == first
    assert ids(store.recall("uploads are retried times in 5bed1d9?"))[0] == second


def test_what_was_decided_last_week_is_what_was_kept_then(store, clock):
    for n in range(3):
        store.remember(f"Decided that uploads go to bucket {n}", valid_from=clock.at - 900 * times.DAY)
    clock.at += 400 * times.DAY
    latest = store.remember("Decided that uploads are encrypted").memory.id
    store.remember("Decided that uploads are kept, as in 2019")
    clock.at += 5 * times.DAY
    assert ids(store.recall("what was decided about uploads last week"))[0] == latest


def test_without_any_edge_the_answer_is_the_plain_one(store):
    for text in (DECISION, PROBLEM):
        store.remember(text.lower())
    assert store.recall("uploads retried") == store.recall("uploads retried", graph=False)
    assert store.recall("uploads retried")[0].signals.graph is None


def test_an_unrelated_question_stays_unanswered_however_much_is_linked(store, linked):
    assert store.recall("what is the airspeed of a swallow?") == []


def test_filters_hold_for_what_is_reached(store, linked):
    decision, problem = linked
    store.edit(problem, tags=["incident"])
    assert ids(store.recall(QUESTION, tags=["incident"])) == []
    store.edit(decision, kind="decision")
    assert ids(store.recall(QUESTION, kinds=["decision"])) == [decision]


def test_nothing_of_another_project_and_nothing_forgotten_is_reached(store, linked):
    decision, problem = linked
    there = store.remember("A secret plan", project="elsewhere").memory.id
    link(store, (decision, "because", there))
    assert there not in ids(store.recall(QUESTION))
    store.forget(problem)
    assert ids(store.recall(QUESTION)) == [decision]


def test_a_limit_counts_what_is_reached(store, linked):
    assert ids(store.recall(QUESTION, limit=1)) == [linked[0]]


def test_a_shared_name_leads_from_one_memory_to_another(store):
    store.remember("The export writes through src/ledger/export.py since May")
    cause = store.remember("Rounding was wrong by a cent", detail="found in src/ledger/export.py").memory.id
    for n in range(5):
        store.remember(f"Invoice rule {n} about tax numbers")
    assert cause in ids(store.recall("what does the export write through?"))


def test_a_name_in_the_question_leads_only_to_a_memory_that_is_about_it(store):
    store.remember("The warehouse in Utrecht opens at six", detail="Milo Tanaka keeps the keys.")
    store.remember("Pallets are counted twice", detail="Milo Tanaka asked for it.")
    store.remember("Forklifts are charged at night")
    question = "are forklifts charged when Milo Tanaka is out?"
    first, *mentioned = store.recall(question)
    assert (first.memory.id, first.signals.graph) == (3, 1.0)
    assert [hit.signals.graph < 0.1 for hit in mentioned] == [True, True]
    about = store.remember("Milo Tanaka", detail="Runs the depot since spring.").memory.id
    assert {hit.memory.id: hit.signals.graph for hit in store.recall(question)}[about] > 0.3


def test_a_successor_stands_above_what_it_replaced_where_both_are_shown(store, linked):
    new = store.remember("Sending photographs resumes where it stopped").memory.id
    store.supersede(linked[0], new)
    found = ids(store.recall(QUESTION, include_superseded=True))
    assert found.index(new) < found.index(linked[0])


def test_memories_of_the_time_asked_about_stand_higher_and_none_is_left_out(store):
    early = store.remember("Ada led the platform team from 2011 to 2014").memory.id
    late = store.remember("Grace led the platform team from 2019 to 2022").memory.id
    ever = store.remember("The platform team has a lead").memory.id
    asked = ids(store.recall("who led the platform team in 2012?"))
    assert asked[0] == early
    assert set(asked) == {early, late, ever}
    assert ids(store.recall("who led the platform team in 2020?"))[0] == late
    assert store.recall("who led the platform team in 2020?")[0].signals.time > 0.8
    assert store.recall("who led the platform team in 2020?", dated=False)[0].signals.time is None


def test_of_that_time_what_is_about_the_subject_gains_more_than_what_merely_happened_then(store):
    subject = store.remember("Platform team", detail="From 2019 to 2021 it was Ada who had it, with three others.").memory.id
    other = store.remember("Office move", detail="In 2019 everybody who led a group, the one for data too, had to pack.").memory.id

    def scores(**how):
        return {hit.memory.id: hit.score for hit in store.recall("who led the platform team from 2019 to 2021?", graph=False, **how)}

    plain, timely = scores(dated=False), scores()
    assert timely[subject] - plain[subject] > 1.5 * (timely[other] - plain[other]) > 0.0


def test_when_a_memory_was_valid_counts_as_its_time(store, clock):
    year = 365.25 * 86_400
    old = store.remember("Deploys go through Jenkins on Mondays", valid_from=clock.at - 6 * year).memory.id
    store.edit(old, valid_to=clock.at + year)
    young = store.remember("Deploys go through Argo on Mondays", valid_from=clock.at - 3600).memory.id
    assert ids(store.recall("what do deploys go through since yesterday on Mondays", graph=False))[0] in (old, young)
    five_years_back = ids(store.recall("what did deploys go through on Mondays five years ago"))
    assert five_years_back.index(old) < five_years_back.index(young)


def test_recall_answers_the_same_twice(store, linked):
    assert store.recall(QUESTION) == store.recall(QUESTION)


def test_a_successor_answers_for_what_it_replaced_though_it_shares_no_word_with_the_question(store, linked):
    new = store.remember("Sending photographs resumes where it stopped").memory.id
    newest = store.remember("The phone's own client sends pictures").memory.id
    store.supersede(linked[0], new)
    assert ids(store.recall(QUESTION))[0] == new
    store.supersede(new, newest)
    assert ids(store.recall(QUESTION))[0] == newest
    assert linked[0] not in ids(store.recall(QUESTION))
    assert ids(store.recall(QUESTION, graph=False)) == []


def test_filters_hold_for_a_successor_too(store, linked):
    new = store.remember("Sending photographs resumes where it stopped", kind="decision").memory.id
    store.supersede(linked[0], new)
    assert new not in ids(store.recall(QUESTION, kinds=["fact"]))
    store.forget(new)
    assert new not in ids(store.recall(QUESTION))


def leaders(store):
    """(the one of 2018 to 2020, the one since then)."""
    day = {year: datetime(year, 1, 1, tzinfo=UTC).timestamp() for year in (2018, 2021)}
    ada = store.remember("Ada leads the platform team", valid_from=day[2018], valid_to=day[2021]).memory.id
    bo = store.remember("Bo leads the platform team", valid_from=day[2021]).memory.id
    return ada, bo


@pytest.mark.parametrize(
    ("when", "first"),
    [("in 2019", 0), ("from 2018 to 2019", 0), ("before 2020", 0), ("in 2022", 1), ("today", 1), ("since 2020", 1), ("", 1)],
)
def test_a_question_about_the_past_is_answered_by_what_was_true_then(store, when, first):
    who = leaders(store)
    assert store.recall(f"who led the platform team {when}?")[0].memory.id == who[first]


def test_what_is_no_longer_true_answers_only_a_question_about_its_time(store):
    ada, bo = leaders(store)
    for when in ("", "today", "in 2021", "since 2019", "after 2021", "this year"):
        assert ids(store.recall(f"who leads the platform team {when}?")) == [bo]
    assert set(ids(store.recall("who led the platform team in 2020?"))) == {ada, bo}
    assert ids(store.recall("who led the platform team in 2020?", dated=False)) == [bo]


def test_a_plan_answers_a_question_about_the_time_it_is_for(store):
    store.remember("Deploys go through Jenkins")
    plan = store.remember("Deploys go through Argo", valid_from=datetime(2090, 1, 1, tzinfo=UTC).timestamp()).memory.id
    assert ids(store.recall("how do deploys go in 2090?"))[0] == plan
    assert plan not in ids(store.recall("how do deploys go?"))


def test_what_was_replaced_stays_silent_about_its_time_too(store):
    ada, bo = leaders(store)
    store.supersede(ada, bo)
    assert ids(store.recall("who led the platform team in 2019?")) == [bo]


def test_the_time_of_a_question_is_read_once(store, linked, monkeypatch):
    read, asked = [], times.asked
    monkeypatch.setattr(times, "asked", lambda question, now: read.append(question) or asked(question, now))
    store.recall("how were uploads retried in 1999?")
    assert read == ["how were uploads retried in 1999?"]
    store.recall("how were uploads retried in 1999?", dated=False)
    assert len(read) == 1
