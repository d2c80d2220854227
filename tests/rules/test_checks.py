"""What is the same, what contradicts, and above all what is neither: a table of labelled pairs, and the laws that hold for every pair."""

import pytest
from check_pairs import CHANGED, NEGATED, SAME, SWAPPED, UNRELATED
from hypothesis import given
from hypothesis import strategies as st

from clew.rules.checks import CHOICE, NEGATION, VALUE, contradiction, far, near_duplicate
from clew.rules.statements import gist, stated

EVERY = (*SAME, *CHANGED, *NEGATED, *SWAPPED, *UNRELATED)
CLASHES = [(*pair, why) for pairs, why in ((CHANGED, VALUE), (NEGATED, NEGATION), (SWAPPED, CHOICE)) for pair in pairs]


def named(pair) -> str:
    """A pair as the name of its test."""
    return " | ".join(pair[:2])


@pytest.mark.parametrize(("old", "new"), SAME, ids=map(named, SAME))
def test_what_says_the_same_in_other_words_is_a_duplicate_and_no_contradiction(old, new):
    assert near_duplicate(new, old)
    assert contradiction(new, old) == ""


@pytest.mark.parametrize(("old", "new", "why"), CLASHES, ids=map(named, CLASHES))
def test_what_cannot_both_be_true_is_a_contradiction_with_its_reason(old, new, why):
    assert contradiction(new, old) == why
    assert not near_duplicate(new, old)


@pytest.mark.parametrize(("old", "new"), UNRELATED, ids=map(named, UNRELATED))
def test_two_true_facts_are_neither(old, new):
    assert (contradiction(new, old), near_duplicate(new, old)) == ("", False)


def test_every_alternative_is_met_as_a_statement_writes_it():
    for one, other in (
        ("rebase", "squash"),
        ("camelCase", "snake_case"),
        ("Ruby", "Rust"),
        ("poetry", "uv"),
        ("Go", "Rust"),
        ("celery", "rq"),
    ):
        assert contradiction(f"Use {one} for the whole project", f"Use {other} for the whole project") == CHOICE, (one, other)


PURPOSE = "the nightly export of the billing ledger to the warehouse of the finance department in Frankfurt"
LONG = [
    (f"Use PostgreSQL with logical replication slots for {PURPOSE}", f"Use MySQL with binary log shipping for {PURPOSE}"),
    (f"We keep {PURPOSE} for 30 days, never longer", f"We keep {PURPOSE} for 6 months"),
    (f"Compression is enabled for {PURPOSE}", f"Compression is disabled for {PURPOSE}"),
]


@pytest.mark.parametrize(("old", "new"), [pair[:2] for pair in (*SAME, *CHANGED, *NEGATED, *SWAPPED, *LONG)])
def test_what_repeats_or_contradicts_is_never_far(old, new):
    assert not far(gist(new), gist(old))


def test_long_texts_with_some_words_in_common_are_far_and_neither_repeat_nor_contradict():
    one = "Kafka carries the orders of every vendor to the warehouse, where finance reads two topics by a consumer group with retries"
    other = "The warehouse of the finance department takes a snapshot of every vendor contract when an auditor opens the quarterly review"
    assert far(gist(one), gist(other))
    assert (contradiction(one, other), near_duplicate(one, other)) == ("", False)


def test_the_table_is_large_and_half_of_it_must_stay_quiet():
    assert len(EVERY) >= 100
    assert len(UNRELATED) >= len(EVERY) / 2
    assert len(set(EVERY)) == len(EVERY)


@pytest.mark.parametrize(("old", "new"), EVERY, ids=map(named, EVERY))
def test_it_does_not_matter_which_was_said_first(old, new):
    assert contradiction(new, old) == contradiction(old, new)
    assert near_duplicate(new, old) == near_duplicate(old, new)


@given(st.sampled_from([text for pair in EVERY for text in pair]))
def test_nothing_contradicts_itself(text):
    assert contradiction(text, text) == ""


@given(st.text(max_size=800), st.text(max_size=800))
def test_any_two_texts_can_be_compared(one, other):
    assert contradiction(one, other) in ("", VALUE, NEGATION, CHOICE)
    assert near_duplicate(one, other) in (True, False)


@given(st.sampled_from([pair[0] for pair in EVERY]), st.sampled_from([pair[1] for pair in EVERY]))
def test_no_two_sentences_are_both_the_same_and_a_contradiction(one, other):
    assert not (near_duplicate(one, other) and contradiction(one, other))


def test_across_the_table_every_old_statement_keeps_its_peace_with_every_other_new_one():
    """Sentences of different pairs are about different things, save the few that share their first sentence or its subject."""
    crossed = [(a[0], b[1]) for a in UNRELATED for b in UNRELATED if a != b]
    flagged = {pair for pair in crossed if contradiction(*pair) or near_duplicate(*pair)}
    assert len(flagged) <= len(crossed) / 500, sorted(flagged)


@pytest.mark.parametrize(
    ("text", "words", "values", "denied"),
    [
        ("The request timeout is 30s", ("request", "timeout"), ("30s",), False),
        ("The request timeout is half a minute", ("request", "timeout", "half", "minut"), (), False),
        ("Tokens expire after 1 hour", ("token", "expir", "after"), ("3600s",), False),
        ("Never deploy on Fridays", ("deploi",), ("friday",), True),
        ("Telemetry is not disabled", ("telemetri", "enabl"), (), False),
        ("Sprint 14 ends on Friday", ("sprint", "14", "end"), ("friday",), False),
        ("PROJ-12 blocks #7", ("proj-12", "block", "#7"), (), False),
        ("", (), (), False),
    ],
)
def test_a_sentence_is_taken_apart_into_words_values_and_denial(text, words, values, denied):
    found = stated(text)
    assert (found.words, found.values, found.denied) == (words, values, denied)


@pytest.mark.parametrize(
    ("text", "relation", "subject", "slot", "rejected"),
    [
        ("We use PostgreSQL for the ledger", "use", {"ledger"}, ("postgresql",), ()),
        ("Use pnpm, not npm", "use", set(), ("pnpm",), ("npm",)),
        ("We switched from Jenkins to Argo for deploys", "use", {"deploi"}, ("argo",), ("jenkin",)),
        ("Alice owns billing", "own", {"bill"}, ("alic",), ()),
        ("The default branch is main", "is", {"branch"}, ("main",), ()),
        ("The build is slow", "", set(), (), ()),
    ],
)
def test_a_pattern_says_what_holds_of_what(text, relation, subject, slot, rejected):
    found = stated(text)
    assert (found.relation, found.subject, found.slot, found.rejected) == (relation, frozenset(subject), slot, rejected)
