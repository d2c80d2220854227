"""Remember says what the new memory repeats or contradicts, and does nothing about it."""

import pytest

from clew import Clew, Concern, Draft
from clew.engines.checking import BATCH, NEAREST


def concerns(clew, text, **fields):
    """What remembering `text` has to remark, without the other memory's text."""
    return [(c.kind, c.id, c.why) for c in clew.remember(text, **fields).concerns]


def test_a_contradiction_names_the_memory_and_why(store):
    old = store.remember("The API rate limit is 100 requests per minute").memory
    said = store.remember("The API rate limit is 200 requests per minute")
    assert said.concerns == (Concern("contradiction", old.id, "changed value", old.summary),)


def test_a_repetition_names_the_memory_that_may_already_say_it(store):
    old = store.remember("Use PostgreSQL for the ledger").memory
    assert store.remember("We decided to use PostgreSQL for the ledger").concerns == (Concern("duplicate", old.id, "", old.summary),)


def test_the_same_summary_with_another_detail_may_be_a_repetition(store):
    old = store.remember("Deploys freeze on Friday", detail="since the outage").memory
    assert concerns(store, "Deploys freeze on Friday", detail="ask ops") == [("duplicate", old.id, "")]


def test_nothing_is_done_about_it(store):
    old = store.remember("Use Redis for caching").memory
    new = store.remember("Use Memcached for caching").memory
    assert store.show(old.id) == old
    assert (new.status, store.list()[1].id) == ("active", old.id)


def test_a_new_fact_among_many_unrelated_ones_is_not_remarked_upon(store):
    for number in range(40):
        store.remember(f"The service shard-{number} listens on port {8000 + number}")
    assert concerns(store, "The service shard-40 listens on port 9000") == []


def test_the_one_it_contradicts_is_found_among_many_that_sound_alike(store):
    ids = [store.remember(f"The queue of tenant t{number} keeps messages for {number + 1} days").memory.id for number in range(40)]
    assert concerns(store, "The queue of tenant t7 keeps messages for 90 days") == [("contradiction", ids[7], "changed value")]


def test_what_has_ended_does_not_stand_before_what_has_not(store):
    """More than are held against it at once say the same and are done; the one that is not is found behind them."""
    for number in range(3 * NEAREST):
        store.done(store.remember("Use Redis for caching", detail=f"note {number}").memory.id)
    alive = store.remember("We use Redis for caching in every service").memory.id
    assert concerns(store, "Use Memcached for caching in every service") == [("contradiction", alive, "swapped choice")]


def test_what_was_known_already_is_not_remarked_upon_again(store):
    store.remember("Use Redis for caching")
    store.remember("Use Memcached for caching")
    again = store.remember("Use Memcached for caching")
    assert (again.created, again.concerns) == (False, ())


def test_what_had_been_replaced_and_is_said_again_contradicts_what_replaced_it(store):
    old = store.remember("Use Redis for caching").memory
    new = store.remember("Use Memcached for caching").memory
    store.supersede(old.id, new.id)
    again = store.remember("Use Redis for caching")
    assert (again.created, again.memory.id, again.memory.status) == (False, old.id, "active")
    assert [(c.kind, c.id, c.why) for c in again.concerns] == [("contradiction", new.id, "swapped choice")]
    assert store.remember("Use Redis for caching").concerns == ()


@pytest.mark.parametrize("end", ["supersede", "done", "expire"])
def test_what_has_ended_is_contradicted_by_nothing(store, clock, end):
    old = store.remember("Use Redis for caching", ttl=60 if end == "expire" else None).memory
    if end == "supersede":
        store.supersede(old.id, store.remember("Caching is no concern of ours").memory.id)
    elif end == "done":
        store.done(old.id)
    clock.at += 61
    assert concerns(store, "Use Memcached for caching") == []


def test_another_project_is_not_looked_into_but_the_users_own_is(store):
    store.remember("Use tabs for indentation", project="elsewhere")
    assert concerns(store, "Use spaces for indentation", project="here") == []
    own = store.remember("Use double quotes in Python", project="@user").memory
    assert concerns(store, "Use single quotes in Python", project="here") == [("contradiction", own.id, "swapped choice")]


def test_contradictions_come_before_repetitions_and_each_by_number(store):
    first = store.remember("The request timeout is 30s").memory.id
    second = store.remember("The request timeout is 60s").memory.id
    said = concerns(store, "Request timeout: 60 seconds")
    assert said == [("contradiction", first, "changed value"), ("duplicate", second, "")]


def test_the_drafts_of_a_small_batch_are_held_against_each_other(store):
    one, other = store.remember_many([Draft("Use tabs for indentation"), Draft("Use spaces for indentation")])
    assert [c.id for c in other.concerns] == [one.memory.id]


def test_an_import_is_not_checked(store):
    store.remember("Use tabs for indentation")
    drafts = [Draft("Use spaces for indentation"), *(Draft(f"fact {n}") for n in range(BATCH))]
    assert {kept.concerns for kept in store.remember_many(drafts[:BATCH])} == {()}
    assert store.remember_many([Draft("We use spaces for indentation")])[0].concerns != ()


def test_words_in_other_scripts_are_compared_as_they_are(store):
    old = store.remember("データベースは PostgreSQL です").memory
    assert concerns(store, "データベースは PostgreSQL です", detail="本番") == [("duplicate", old.id, "")]


def test_it_works_by_words_alone(clock):
    with Clew(":memory:", project="trip", embed="off", clock=clock) as clew:
        clew.remember("Never deploy on Fridays")
        assert concerns(clew, "Deploy on Fridays") == [("contradiction", 1, "negation")]
