"""A memory's vector out of its summary's and its detail's."""

from __future__ import annotations

from math import sqrt
from operator import mul

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clew.embed.blend import SUMMARY_SHARE, blended, blended_many

VECTORS = st.lists(st.integers(-127, 127), min_size=8, max_size=8).filter(any).map(lambda v: bytes(x & 0xFF for x in v))


def components(vector: bytes) -> list[int]:
    return memoryview(vector).cast("b").tolist()


def cosine(one: bytes, other: bytes) -> float:
    a, b = components(one), components(other)
    return sum(map(mul, a, b)) / sqrt(sum(map(mul, a, a)) * sum(map(mul, b, b)))


@given(VECTORS)
def test_a_memory_without_detail_is_its_summary(vector):
    assert blended(vector, b"") == vector == blended(b"", vector)


def test_nothing_said_is_no_vector():
    assert blended(b"", b"") == b""


@given(VECTORS)
def test_saying_the_same_in_both_changes_the_direction_by_rounding_only(vector):
    assert cosine(blended(vector, vector), vector) > 0.999


def test_the_lengths_of_the_vectors_do_not_matter():
    assert blended(bytes([100, 0]), bytes([0, 10])) == blended(bytes([10, 0]), bytes([0, 100]))


def test_the_detail_weighs_a_little_more():
    mixed = components(blended(bytes([100, 0]), bytes([0, 100])))
    assert mixed == [round(127 * SUMMARY_SHARE / (1 - SUMMARY_SHARE)), 127]


@given(st.lists(st.tuples(VECTORS | st.just(b""), VECTORS | st.just(b"")), max_size=8))
def test_many_at_once_are_the_same_as_one_by_one(pairs):
    assert np.__name__ == "numpy"  # loaded, so the fast road is taken
    assert blended_many([s for s, _ in pairs], [d for _, d in pairs]) == [blended(s, d) for s, d in pairs]


def test_vectors_that_undo_each_other_leave_what_weighs_more():
    one = bytes([50, 0xCE])
    assert blended_many([one] * 2, [bytes([0xCE, 50])] * 2) == [blended(one, bytes([0xCE, 50]))] * 2 != [b"", b""]
