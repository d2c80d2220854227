"""Words that developers use for one another."""

from __future__ import annotations

import pytest

from clew.rules.thesaurus import also_said, words
from clew.stem import stem


@pytest.mark.parametrize(("said", "meant"), [("k8s", "kubernetes"), ("db", "database"), ("postgres", "psql"), ("repo", "repository")])
def test_a_short_form_and_its_long_one_stand_for_each_other(said, meant):
    assert stem(meant) in also_said(stem(said))
    assert stem(said) in also_said(stem(meant))


def test_most_words_stand_for_themselves():
    assert also_said("zebra") == ()


def test_no_word_stands_for_itself_and_every_one_is_mutual():
    for word in words():
        assert word not in also_said(word)
        assert all(word in also_said(other) for other in also_said(word))


def test_only_words_that_the_index_can_hold_are_listed():
    assert all(word == word.lower() and word.isascii() and word.isalnum() for word in words())
