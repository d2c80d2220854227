"""Dot products in long integers: exact at the ends of what a byte holds, whatever the number of components."""

from hypothesis import given
from hypothesis import strategies as st

from clew.lanes import dots

values = st.integers(-128, 127) | st.sampled_from([-128, -127, 0, 127])


def packed(row):
    return bytes(value & 0xFF for value in row)


@given(st.integers(1, 40), st.integers(0, 12), st.data())
def test_products_are_the_sums_of_products(dim, count, data):
    rows = [data.draw(st.lists(values, min_size=dim, max_size=dim)) for _ in range(count + 1)]
    expected = [sum(a * b for a, b in zip(rows[0], row, strict=True)) for row in rows[1:]]
    assert dots(packed(rows[0]), b"".join(map(packed, rows[1:]))) == expected


def test_no_lane_runs_over_in_the_longest_vectors():
    low, high = packed([-128] * (1 << 16)), packed([127] * (1 << 16))
    assert dots(low, low + high) == [128 * 128 << 16, -128 * 127 << 16]
    assert dots(high, low + high) == [-127 * 128 << 16, 127 * 127 << 16]
    assert dots(b"", b"") == []
