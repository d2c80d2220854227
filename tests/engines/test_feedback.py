"""Feedback moves memories inside the pool that a question selects, a little, and for a while."""

import json

import pytest

from clew import InvalidInput, NotFound
from clew.rules.learned import HALF_LIFE

DAY = 86_400
QUESTION = "when do deploys freeze on Friday"


def order(clew, question=QUESTION, **how):
    return [hit.memory.id for hit in clew.recall(question, **how)]


@pytest.fixture
def pair(store):
    """Two memories that a question cannot tell apart, and one about something else."""
    first = store.remember("deploys freeze on Friday afternoon").memory.id
    second = store.remember("deploys freeze on Friday evening").memory.id
    store.remember("the cafeteria serves lemon cake with poppy seeds")
    return first, second


def test_the_useful_one_of_two_equals_comes_first_and_noise_last(store, pair):
    first, second = pair
    assert order(store) == [first, second]
    store.feedback(second, "useful")
    assert order(store) == [second, first]
    store.feedback(second, "noise")
    store.feedback(second, "noise")
    assert order(store) == [first, second]


def test_a_verdict_says_what_it_did_and_leaves_the_text_and_its_age_alone(store, pair, clock):
    before = store.show(pair[0])
    clock.at += 60
    after = store.feedback(f"#{pair[0]}", "useful")
    assert after == before._replace(confidence=pytest.approx(0.6), confidence_at=clock.at)
    assert after.updated_at == before.updated_at  # so that no session is shown it again for that
    (event,) = store.history(pair[0])
    assert (event["event"], event["at"], event["origin"]) == ("useful", clock.at, "python")
    assert json.loads(event["text"]) == {"confidence": 0.5, "confidence_at": None}


def test_a_verdict_fades_before_the_next_is_added(store, pair, clock):
    store.feedback(pair[0], "useful")
    clock.at += HALF_LIFE
    assert store.feedback(pair[0], "useful").confidence == pytest.approx(0.55 + 0.2 * 0.45)


def test_praise_is_forgotten_with_time(store, pair, clock):
    first, second = pair
    store.feedback(second, "useful")
    clock.at += 50 * HALF_LIFE
    signals = {hit.memory.id: hit.signals.learned for hit in store.recall(QUESTION)}
    assert signals[second] == pytest.approx(0.0, abs=1e-12)
    assert signals[first] == 0.0


def test_a_memory_of_something_else_never_enters_the_pool_however_praised(store, pair):
    cake = store.list()[0].id
    for _ in range(200):
        store.feedback(cake, "useful")
        store.feedback(pair[0], "noise")
        store.feedback(pair[1], "noise")
    assert store.show(cake).confidence > 0.99
    assert sorted(order(store)) == sorted(pair)
    assert order(store, limit=1) == [pair[0]]


def test_praise_does_not_lift_a_weak_answer_over_a_strong_one(store):
    strong = store.remember("deploys freeze on Friday afternoon").memory.id
    weak = store.remember("deploys need two reviews").memory.id
    for _ in range(50):
        store.feedback(weak, "useful")
    assert order(store)[0] == strong


def test_without_what_was_learned_the_plain_order_is_back(store, pair):
    plain = [(h.memory.id, h.score) for h in store.recall(QUESTION)]
    store.feedback(pair[1], "useful")
    assert [(h.memory.id, h.score) for h in store.recall(QUESTION, learned=False)] == plain
    assert order(store, learned=False) == list(pair)


def test_a_praised_memory_below_the_cut_can_rise_into_the_answer(store):
    numbers = [store.remember(f"deploys freeze on Friday {n}").memory.id for n in ("one", "two", "three", "four", "five")]
    last = order(store)[-1]
    store.feedback(last, "useful")
    assert order(store, limit=2)[0] == last
    assert order(store, limit=2) == order(store)[:2]
    assert set(order(store)) == set(numbers)


def test_the_newer_of_two_equals_comes_first_and_written_at_once_they_stay(store, pair, clock):
    clock.at += 200 * DAY
    newest = store.remember("deploys freeze on Friday morning").memory.id
    assert order(store) == [newest, *pair]
    clock.at += 400 * DAY
    before = [(h.memory.id, h.score) for h in store.recall(QUESTION)]
    clock.at += 400 * DAY
    assert [(h.memory.id, h.score) for h in store.recall(QUESTION)] == before  # the day on which one asks changes nothing


@pytest.mark.parametrize("fusion", ["sum", "rrf"])
def test_both_ways_of_fusing_feel_it(store, pair, fusion):
    store.feedback(pair[1], "useful")
    assert order(store, fusion=fusion) == [pair[1], pair[0]]


@pytest.mark.parametrize("verdict", ["", "good", "USEFUL", None, 1, ["useful"]])
def test_another_verdict_is_refused(store, pair, verdict):
    with pytest.raises(InvalidInput, match="useful, noise") as refused:
        store.feedback(pair[0], verdict)
    assert refused.value.field == "verdict"
    assert store.history(pair[0]) == []


def test_a_memory_that_is_not_there_gets_no_verdict(store):
    with pytest.raises(NotFound):
        store.feedback(999, "useful")
    with pytest.raises(InvalidInput):
        store.feedback("zz", "useful")


def test_what_was_learned_travels_with_an_export(store, pair, clock):
    from clew import Clew

    kept = store.feedback(pair[0], "noise")
    with Clew(":memory:", project="copy", embed="hashing", clock=clock) as other:
        other.import_jsonl(store.export_jsonl())
        (copy,) = [m for m in other.list() if m.summary == kept.summary]
    assert (copy.confidence, copy.confidence_at) == (kept.confidence, kept.confidence_at)
