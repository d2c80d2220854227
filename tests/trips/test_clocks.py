"""Clocks that jump: time to live, moments of the past and order stay what they were said to be."""

import pytest

from clew import InvalidInput, NotFound
from clocks import START
from trips import opened, summaries

DAY = 86_400.0


@pytest.fixture
def store(clock, tmp_path):
    with opened(tmp_path / "memory.db", clock=clock) as clew:
        yield clew


def recalled(clew, question, **how):
    return [hit.memory.summary for hit in clew.recall(question, **how)]


def test_a_memory_lives_as_long_as_was_said_and_is_gone_to_the_last_byte_after(store, clock, tmp_path):
    kept = store.remember("the zanzibar window is open", ttl=DAY).memory
    clock.at += DAY - 1
    assert recalled(store, "zanzibar window") == ["the zanzibar window is open"]
    clock.at += 1
    assert recalled(store, "zanzibar window") == []
    assert summaries(store) == set()
    assert list(store.export_jsonl()) == []
    with pytest.raises(NotFound, match="expired"):
        store.show(kept.id)
    with opened(tmp_path / "memory.db", clock=clock) as later:
        later.remember("something else")
        assert b"zanzibar" not in (tmp_path / "memory.db").read_bytes()
        assert later.doctor() == []


def test_a_clock_that_jumps_back_brings_nothing_to_an_early_end(store, clock):
    store.remember("short lived", ttl=60)
    clock.at -= 10 * DAY
    store.remember("written in the past")
    assert summaries(store) == {"short lived", "written in the past"}
    assert recalled(store, "short lived") != []
    clock.at += 10 * DAY + 61
    assert summaries(store) == {"written in the past"}


def test_order_is_by_what_the_clock_said_then_by_number(store, clock):
    first = store.remember("first").memory.id
    second = store.remember("second").memory.id
    clock.at -= DAY
    third = store.remember("third").memory.id
    assert [m.id for m in store.list()] == [second, first, third]


def test_the_answer_as_of_a_moment_is_the_one_of_that_moment(store, clock):
    old = store.remember("the ledger runs on Oracle").memory
    clock.at += 10 * DAY
    new = store.remember("the ledger runs on PostgreSQL").memory
    store.supersede(old.id, new.id)
    clock.at += 10 * DAY
    ask = "what does the ledger run on"
    assert recalled(store, ask) == ["the ledger runs on PostgreSQL"]
    assert recalled(store, ask, as_of=START + 5 * DAY) == ["the ledger runs on Oracle"]
    assert recalled(store, ask, as_of=START + 15 * DAY) == ["the ledger runs on PostgreSQL"]
    assert recalled(store, ask, as_of=START - 1) == []


def test_what_was_true_is_apart_from_when_it_was_written(store):
    store.remember("the office is in Bonn", valid_from=START - 900 * DAY, valid_to=START - 400 * DAY)
    store.remember("the office is in Berlin", valid_from=START - 400 * DAY)
    assert recalled(store, "where is the office") == ["the office is in Berlin"]
    assert recalled(store, "where is the office", as_of=START - 500 * DAY) == ["the office is in Bonn"]
    assert recalled(store, "where is the office", as_of=START - 950 * DAY) == []


def test_what_is_superseded_while_the_clock_is_behind_stays_superseded(store, clock):
    old = store.remember("the ledger runs on Oracle").memory
    new = store.remember("the ledger runs on PostgreSQL").memory
    clock.at -= 100 * DAY
    assert store.supersede(old.id, new.id).status == "superseded"
    clock.at += 200 * DAY
    assert recalled(store, "ledger runs on") == ["the ledger runs on PostgreSQL"]


def test_saying_again_what_expired_makes_it_live_on(store, clock):
    kept = store.remember("the window is open", ttl=60).memory
    clock.at += 3_600
    again = store.remember("the window is open", ttl=60)
    assert again.memory.expires_at == clock.at + 60
    assert recalled(store, "window open") == ["the window is open"]
    clock.at += 30
    assert store.remember("the window is open").memory.expires_at is None
    assert kept.summary in summaries(store)


@pytest.mark.parametrize("moment", [float("nan"), float("inf"), 10**300, "yesterday", True])
@pytest.mark.parametrize("field", ["as_of", "since", "until"])
def test_a_moment_that_is_none_is_refused_by_name(field, moment, store):
    with pytest.raises(InvalidInput, match=field):
        store.recall("anything", project="*", **{field: moment})
