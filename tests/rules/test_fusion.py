"""One order out of words and meaning, and the silence when nothing is relevant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.model import Signals
from clew.rules import fusion
from clew.rules.fusion import Evidence, Question, fuse, relevant

FIVE_WORDS = Question(idf_total=25.0, terms=5)


def order(question: Question, evidence: list[Evidence], method: str = "sum") -> list[int]:
    return [f.id for f in fuse(question, evidence, method=method)]


@st.composite
def candidates(draw):
    size = draw(st.integers(1, 12))
    number = st.floats(0, 25, allow_nan=False)
    return [
        Evidence(
            i,
            draw(number),
            draw(st.none() | st.floats(-1, 1)),
            draw(number),
            draw(st.sampled_from([None, "a", "b"])),
            draw(st.integers(0, 5)),
        )
        for i in range(size)
    ]


@given(candidates(), st.randoms(), st.sampled_from(fusion.METHODS))
def test_the_order_in_which_candidates_come_does_not_matter(evidence, chance, method):
    shuffled = list(evidence)
    chance.shuffle(shuffled)
    assert fuse(FIVE_WORDS, shuffled, method=method) == fuse(FIVE_WORDS, evidence, method=method)


@given(candidates(), st.sampled_from(fusion.METHODS))
def test_every_candidate_comes_back_once_best_first(evidence, method):
    fused = fuse(FIVE_WORDS, evidence, method=method)
    assert sorted(f.id for f in fused) == [e.id for e in evidence]
    assert [(-f.score, f.id) for f in fused] == sorted((-f.score, f.id) for f in fused)


@given(candidates(), st.data())
def test_more_bm25_never_ranks_lower(evidence, data):
    plain = [e._replace(session=None) for e in evidence]
    raised = data.draw(st.sampled_from(plain))
    higher = [e._replace(bm25=e.bm25 + 3.0) if e.id == raised.id else e for e in plain]
    for method in fusion.METHODS:
        assert order(FIVE_WORDS, higher, method).index(raised.id) <= order(FIVE_WORDS, plain, method).index(raised.id)


@given(candidates(), st.data())
def test_a_higher_cosine_never_ranks_lower(evidence, data):
    plain = [e._replace(session=None, cosine=e.cosine or 0.0) for e in evidence]
    raised = data.draw(st.sampled_from(plain))
    higher = [e._replace(cosine=(e.cosine or 0.0) + 0.2) if e.id == raised.id else e for e in plain]
    for method in fusion.METHODS:
        assert order(FIVE_WORDS, higher, method).index(raised.id) <= order(FIVE_WORDS, plain, method).index(raised.id)


@given(candidates())
def test_what_is_relevant_is_some_of_it_in_its_order(evidence):
    fused = fuse(FIVE_WORDS, evidence)
    kept = relevant(FIVE_WORDS, fused)
    assert [f for f in fused if f in kept] == kept


def test_nothing_to_fuse_is_nothing():
    assert fuse(FIVE_WORDS, []) == [] == relevant(FIVE_WORDS, [])


def test_a_short_question_goes_by_meaning_and_a_long_one_by_words():
    by_words, by_meaning = Evidence(1, 12.0, 0.1, 12.0), Evidence(2, 0.0, 0.6, 0.0)
    assert order(Question(20.0, 3), [by_words, by_meaning]) == [2, 1]
    assert order(Question(20.0, 12), [by_words, by_meaning]) == [1, 2]


def test_words_found_together_count_more_than_as_much_of_one():
    together, one = Evidence(1, 10.0, 0.3, 15.0), Evidence(2, 10.0, 0.3, 5.0)
    assert order(FIVE_WORDS, [one, together]) == [1, 2]


def test_without_any_vector_words_decide_alone():
    fused = fuse(FIVE_WORDS, [Evidence(1, 5.0, None, 5.0), Evidence(2, 9.0, None, 9.0)])
    assert [(f.id, f.weight, f.semantic, f.semantic_rank) for f in fused] == [(2, 0.0, None, None), (1, 0.0, None, None)]


def test_without_any_word_meaning_decides_alone():
    assert order(Question(0.0, 0), [Evidence(1, 0.0, 0.2, 0.0), Evidence(2, 0.0, 0.5, 0.0)]) == [2, 1]


def test_equals_stand_by_number():
    assert order(FIVE_WORDS, [Evidence(7, 3.0, 0.4, 5.0), Evidence(3, 3.0, 0.4, 5.0)]) == [3, 7]


def dialogue(*cosines: float) -> list[Evidence]:
    return [Evidence(turn, 0.0, cosine, 0.0, "s", turn) for turn, cosine in enumerate(cosines)]


def test_turns_beside_a_good_one_rise_by_their_distance():
    fused = {f.id: f for f in fuse(FIVE_WORDS, dialogue(0.1, 0.1, 0.1, 0.1, 0.8, 0.1, 0.1))}
    assert fused[3].neighbours == fused[5].neighbours == pytest.approx(2 * fused[2].neighbours)
    assert fused[2].neighbours > 0.0
    assert fused[1].neighbours == 0.0
    assert fused[3].score > fused[2].score > fused[1].score


def test_the_best_of_one_turns_memories_speaks_for_it():
    crowded = [*dialogue(0.1, 0.9), Evidence(7, 0.0, 0.1, 0.0, "s", 1)]
    fused = {f.id: f for f in fuse(FIVE_WORDS, crowded)}
    assert fused[0].neighbours == pytest.approx(0.4 * fused[0].weight * (0.9 - (0.1 + 0.9 + 0.1) / 3))


def test_turns_of_another_session_lend_nothing():
    evidence = dialogue(0.1, 0.8, 0.1)
    evidence[1] = evidence[1]._replace(session="other")
    assert all(f.neighbours == 0.0 for f in fuse(FIVE_WORDS, evidence))


def test_memories_without_a_turn_lend_nothing():
    assert all(f.neighbours == 0.0 for f in fuse(FIVE_WORDS, [e._replace(turn=None) for e in dialogue(0.1, 0.8, 0.1)]))


def test_reciprocal_rank_is_the_published_one():
    fused = fuse(FIVE_WORDS, [Evidence(1, 5.0, 0.1, 5.0), Evidence(2, 0.0, 0.9, 0.0)], method="rrf")
    assert [(f.id, f.score) for f in fused] == [(1, pytest.approx(1 / 61 + 1 / 62)), (2, pytest.approx(1 / 61))]


def test_every_signal_can_be_shown():
    (fused,) = fuse(FIVE_WORDS, [Evidence(1, 15.0, 0.5, 25.0)])
    shown = Signals(**fused.signals())
    assert (shown.lexical, shown.semantic, shown.coverage) == (pytest.approx(0.5), 0.5, 1.0)
    assert (shown.lexical_rank, shown.semantic_rank, shown.score) == (1, 1, fused.score)


def silent(question: Question, *evidence: Evidence) -> bool:
    return relevant(question, fuse(question, evidence)) == []


def test_a_lucky_cosine_does_not_answer_a_question_for_anybody():
    lucky = Evidence(1, 0.0, 0.33, 0.0)
    assert silent(FIVE_WORDS._replace(everyday=0.35), lucky)
    assert not silent(FIVE_WORDS._replace(everyday=0.12), lucky)


def test_a_memory_that_says_it_beats_the_everyday_topic():
    assert not silent(FIVE_WORDS._replace(everyday=0.4), Evidence(1, 20.0, 0.7, 20.0))


def test_a_memory_that_holds_most_of_the_question_is_shown_whatever_the_cosine():
    assert not silent(FIVE_WORDS._replace(everyday=0.9), Evidence(1, 20.0, 0.0, 18.0))


@pytest.mark.parametrize(("covered", "answered"), [(4.0, False), (11.0, True)])
def test_words_that_a_memory_holds_stand_beside_its_cosine(covered, answered):
    said = Evidence(1, covered, 0.2, covered)
    assert silent(FIVE_WORDS._replace(everyday=0.25), said) is not answered


def test_noise_is_not_shown_beside_an_answer():
    fused = fuse(FIVE_WORDS, [Evidence(1, 0.0, 0.6, 0.0), Evidence(2, 0.0, 0.05, 0.0)])
    assert [f.id for f in relevant(FIVE_WORDS, fused)] == [1]


def test_a_turn_beside_an_answer_is_no_noise():
    evidence = dialogue(0.7, 0.05, 0.01, 0.01, 0.01, 0.01)
    assert [f.id for f in relevant(FIVE_WORDS, fuse(FIVE_WORDS, evidence))] == [0, 1, 2]


@pytest.mark.parametrize(("terms", "covered", "answered"), [(5, 4.9, False), (5, 5.1, True), (12, 2.4, False), (12, 2.6, True)])
def test_without_vectors_a_fifth_of_the_weight_or_more_than_one_word_answers(terms, covered, answered):
    assert silent(FIVE_WORDS._replace(terms=terms), Evidence(1, 4.0, None, covered)) is not answered
