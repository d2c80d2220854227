"""The benchmarks' figures of merit against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import metrics

RANKED = ["a", "b", "c", "d", "e", "f"]


@pytest.mark.parametrize(("gold", "k", "expected"), [({"a", "f"}, 5, 0.5), ({"a", "f"}, 6, 1.0), ({"z"}, 6, 0.0), (set(), 5, 0.0)])
def test_recall_is_the_share_of_gold_found(gold, k, expected):
    assert metrics.recall(RANKED, gold, k) == expected


def test_a_hit_needs_one_and_full_needs_all():
    assert (metrics.hit(RANKED, {"e", "z"}, 5), metrics.full(RANKED, {"e", "z"}, 5)) == (1.0, 0.0)
    assert (metrics.hit(RANKED, {"f"}, 5), metrics.full(RANKED, {"a", "e"}, 5)) == (0.0, 1.0)
    assert metrics.full(RANKED, set(), 5) == 0.0


@pytest.mark.parametrize(("gold", "expected"), [({"a"}, 1.0), ({"c", "d"}, 1 / 3), ({"z"}, 0.0)])
def test_reciprocal_rank_looks_at_the_first_gold(gold, expected):
    assert metrics.reciprocal_rank(RANKED, gold) == pytest.approx(expected)


def test_reciprocal_rank_ends_at_its_depth():
    assert metrics.reciprocal_rank(list(range(20)), {10}) == 0.0


def test_ndcg_discounts_by_the_logarithm_of_the_rank():
    assert metrics.ndcg(RANKED, {"b", "d"}, 10) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3)))
    assert metrics.ndcg(RANKED, {"a", "b"}, 10) == 1.0
    assert metrics.ndcg(RANKED, set(), 10) == 0.0


@pytest.mark.parametrize(
    ("wrong", "right", "expected"), [({"a"}, {"b"}, 1.0), ({"b"}, {"a"}, 0.0), ({"c"}, {"z"}, 1.0), ({"y"}, {"z"}, 0.0)]
)
def test_stale_above_live_asks_which_comes_first(wrong, right, expected):
    assert metrics.above(RANKED, wrong, right) == expected


def test_sessions_are_counted_once_in_order():
    assert metrics.distinct(["s1", "s2", "s1", "s3"]) == ["s1", "s2", "s3"]


def test_the_surest_answers_are_judged_alone():
    assert metrics.selective_accuracy([0.1, 0.9, 0.5, 0.2], [0.0, 1.0, 1.0, 0.0], 0.5) == 1.0
    assert metrics.selective_accuracy([0.1, 0.9, 0.5, 0.2], [0.0, 1.0, 1.0, 0.0], 1.0) == 0.5
    assert metrics.selective_accuracy([], [], 1.0) == 0.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_an_interval_holds_its_mean_and_is_the_same_every_time(values):
    mean, low, high = metrics.interval(values)
    assert low - 1e-9 <= mean <= high + 1e-9
    assert metrics.interval(values) == (mean, low, high)


def test_an_interval_narrows_with_more_questions():
    _, low, high = metrics.interval([0.0, 1.0] * 10)
    _, closer_low, closer_high = metrics.interval([0.0, 1.0] * 1000)
    assert low < closer_low < 0.5 < closer_high < high


def test_no_questions_are_no_interval():
    assert metrics.interval([]) == (0.0, 0.0, 0.0)
