"""What a word is worth, and which other words may stand in for it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.rules import bm25


def test_idf_has_the_published_form():
    assert bm25.idf(10, 3) == pytest.approx(math.log(1 + 7.5 / 3.5))


@given(st.integers(1, 10**7), st.data())
def test_a_rarer_word_weighs_more_and_every_word_something(memories, data):
    holding = data.draw(st.integers(1, memories))
    assert 0.0 < bm25.idf(memories, holding) < bm25.idf(memories, holding - 1) <= bm25.idf(memories, 0)


def test_the_line_on_top_and_the_tags_outweigh_the_text():
    assert bm25.FIELD_WEIGHTS == {"summary": 3, "tags": 3, "detail": 1}


@pytest.mark.parametrize(("term", "holding", "weight"), [("auth", 0, 0.8), ("auth", 1, 0.5), ("auth", 3, 0.5), ("auth", 4, 0.0)])
def test_a_word_reaches_longer_ones_while_it_is_rare(term, holding, weight):
    assert bm25.widening(term, holding) == weight


@pytest.mark.parametrize("term", ["ab", "c++", "3.11", "数据", "v2"])
def test_short_words_numbers_and_names_with_signs_stand_for_themselves(term):
    assert bm25.widening(term, 0) == 0.0


@pytest.mark.parametrize("term", ["c++", "3.11", "数据库系统"])
def test_they_are_not_shortened_either(term):
    assert bm25.shortenings(term) == []


def test_a_longer_word_falls_back_to_its_beginnings_down_to_half():
    assert bm25.shortenings("postgresql") == ["postgresq", "postgres", "postgre", "postgr", "postg"]
    assert bm25.shortenings("auth") == []


@pytest.mark.parametrize(("holding", "others", "weight"), [(0, 90, 1.0), (3, 90, 1.0), (4, 10, 0.4), (4, 11, 0.0), (80, 10, 0.4)])
def test_synonyms_count_in_full_beside_a_rare_word_and_less_beside_another_unless_they_are_everywhere(holding, others, weight):
    assert bm25.likening(holding, others, memories=100) == weight
