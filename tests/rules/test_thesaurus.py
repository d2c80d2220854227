"""Words that developers use for one another."""

from __future__ import annotations

import pytest

from clew.rules.thesaurus import also_said, words
from clew.stem import stem
from clew.stopwords import COMMON


@pytest.mark.parametrize(("said", "meant"), [("k8s", "kubernetes"), ("db", "database"), ("postgres", "psql"), ("repo", "repository")])
def test_a_short_form_and_its_long_one_stand_for_each_other(said, meant):
    assert stem(meant) in also_said(stem(said))
    assert stem(said) in also_said(stem(meant))


def test_most_words_stand_for_themselves():
    assert also_said("zebra") == ()


@pytest.mark.parametrize(("kind", "name"), [("queue", "kafka"), ("tracker", "sentry"), ("database", "sqlite"), ("login", "oauth")])
def test_what_a_thing_is_reaches_its_name_and_not_the_other_way_round(kind, name):
    assert stem(name) in also_said(stem(kind))
    assert stem(kind) not in also_said(stem(name))


def test_no_name_reaches_its_rivals():
    assert stem("rabbitmq") not in also_said(stem("kafka"))


def test_no_word_stands_for_itself_or_is_listed_twice():
    for word in words():
        assert word not in also_said(word)
        assert len(set(also_said(word))) == len(also_said(word))


def test_only_words_that_the_index_can_hold_are_listed():
    reached = words().union(*map(also_said, words()))
    assert all(word == word.lower() and word.isascii() and word.isalnum() for word in reached)
    assert not reached & COMMON
