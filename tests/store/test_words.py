"""The inverted index's arithmetic: packing, merging, joining and scoring, with and without numpy."""

import random

import numpy  # noqa: F401  # the roads through numpy open once it is loaded
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.store import words
from clew.store.searches import Saturation

counts = st.one_of(st.integers(1, 99), st.integers(30_000, 65_535))  # some add up to more than is kept
postings = st.dictionaries(st.integers(1, 200) | st.integers(1, 5_000), st.tuples(counts, st.integers(1, 400)), max_size=60).map(
    lambda d: [(i, *d[i]) for i in sorted(d)]
)
COUNTS = st.integers(1, 65_535)
SATURATION = Saturation(1.2, 0.75, 30.0)


def unpacked(blob):
    return list(words.POSTING.iter_unpack(blob))


def test_a_posting_takes_eight_bytes_and_comes_back():
    assert len(words.pack([(1, 2, 3)])) == 8
    assert unpacked(words.pack([(2**32 - 1, 65_535, 65_535), (7, 1, 2)])) == [(2**32 - 1, 65_535, 65_535), (7, 1, 2)]
    assert unpacked(words.pack([(1, 10**6, 10**6)])) == [(1, words.CEILING, words.CEILING)]


@given(postings, postings, st.sets(st.integers(1, 5_000), max_size=5))
def test_merging_replaces_inserts_and_leaves_out(chunk, more, without):
    expected = {p[0]: p for p in chunk if p[0] not in without} | {p[0]: p for p in more}
    parts = words.merged(words.pack(chunk), more, without)
    assert [p for part in parts for p in unpacked(part)] == [expected[i] for i in sorted(expected)]
    assert all(0 < len(part) <= words.CHUNK * 8 for part in parts)


def test_a_chunk_that_grows_too_long_is_cut():
    parts = words.merged(words.pack((i, 1, 1) for i in range(words.CHUNK)), [(words.CHUNK, 1, 1)])
    assert [len(part) // 8 for part in parts] == [words.CHUNK, 1]


@given(st.lists(postings, max_size=4), postings)
def test_terms_joined_by_numpy_are_those_joined_without(members, without):
    blobs = [words.pack(m) for m in members]
    expected = words.combined(blobs, words.pack(without))
    assert words._combined_arrays(blobs, words.pack(without)) == expected
    counts = {}
    for i, count, _ in (p for m in members for p in m):
        counts[i] = counts.get(i, 0) + count
    own = {i for i, _, _ in without}
    lengths = {i: length for m in members for i, _, length in m}
    assert unpacked(expected) == [(i, min(counts[i], words.CEILING), lengths[i]) for i in sorted(counts) if i not in own]


def scored(asked, shape, skip, only, limit):
    """By the formula, posting by posting."""
    gain, base, slope = shape
    scores, covered = {}, {}
    for weight, blob in asked:
        for i, count, length in unpacked(blob):
            scores[i] = scores.get(i, 0.0) + weight * gain * count / (count + (base + slope * length))
            covered[i] = covered.get(i, 0.0) + weight
    allowed = [i for i in scores if i not in skip and (only is None or i in only)]
    return [(i, scores[i], covered[i]) for i in sorted(allowed, key=lambda i: (-scores[i], i))[:limit]]


@pytest.mark.parametrize("spread", [40, 2_000, 10**9])
@pytest.mark.parametrize("seed", range(8))
def test_scores_by_numpy_are_those_without_to_the_last_bit(seed, spread):
    chance = random.Random(seed)
    asked = []
    for _ in range(chance.randint(1, 9)):
        ids = sorted({chance.randint(1, spread) for _ in range(chance.randint(1, 300))})
        asked.append((chance.uniform(0.1, 9.0), words.pack((i, chance.randint(1, 9), chance.randint(1, 99)) for i in ids)))
    everyone = sorted({i for _, blob in asked for i, _, _ in unpacked(blob)})
    shape = (2.2, 0.36, 0.03)
    for skip, only in (
        (set(), None),
        (set(chance.sample(everyone, len(everyone) // 3)), None),
        (set(), set(everyone[::2])),
        (set(), set()),
    ):
        for limit in (1, 7, 10_000):
            plain = words._score_plain(asked, shape, skip, only, limit)
            assert plain == scored(asked, shape, skip, only, limit)
            assert words._score_arrays(asked, shape, skip, only, limit) == plain
            assert len(plain) <= limit
            assert not skip & {i for i, _, _ in plain}
            assert only is None or only >= {i for i, _, _ in plain}


@pytest.mark.parametrize("size", [3, words.DENSE + 1])
def test_a_gain_is_bm25s_and_more_words_cover_more(size):
    both = words.pack((i, 2, 30) for i in range(1, size))
    rare = words.pack([(2, 1, 30)])
    found = words.score([(0.5, both), (3.0, rare)], SATURATION, (), None, 2)
    assert [i for i, _, _ in found] == [2, 1]
    assert found[1][1:] == (pytest.approx(0.5 * 2 * 2.2 / (2 + 1.2)), 0.5)
    assert found[0][1:] == (pytest.approx(0.5 * 2 * 2.2 / 3.2 + 3.0 * 2.2 / 2.2), 3.5)


def test_a_longer_memory_scores_less_and_a_scope_without_length_does_not_fail():
    blob = words.pack([(1, 1, 60), (2, 1, 10)])
    assert [i for i, _, _ in words.score([(1.0, blob)], SATURATION, (), None, 5)] == [2, 1]
    assert [i for i, _, _ in words.score([(1.0, blob)], Saturation(1.2, 0.75, 0.0), (), None, 5)] == [1, 2]


def gains(count, length, mean):
    """What one word that a memory holds `count` times adds to it, as a multiple of the word's weight."""
    return words.score([(1.0, words.pack([(1, count, length)]))], Saturation(1.2, 0.7, mean), (), None, 1)[0][1]


@given(COUNTS, COUNTS, COUNTS, COUNTS, st.floats(1, 10_000))
def test_more_of_a_word_never_gains_less_nor_a_longer_memory_more(few, more, short, long, mean):
    few, more, short, long = *sorted((few, more)), *sorted((short, long))
    assert gains(few, long, mean) <= gains(more, long, mean) < 1.2 + 1
    assert gains(few, long, mean) <= gains(few, short, mean)


def test_a_memory_of_mean_length_that_says_a_word_once_gains_its_weight():
    assert gains(1, 40, 40) == pytest.approx(1.0)


def sharing(asked, least, base, slope):
    """By going through every memory."""
    rows = [(weight, unpacked(blob)) for weight, blob in asked]
    lengths = {i: length for _, row in rows for i, _, length in row}
    held = dict.fromkeys(lengths, 0.0)
    for weight, row in rows:
        for i, _, _ in row:
            held[i] += weight
    return sorted((i for i in held if held[i] >= least), key=lambda i: (-held[i] / (base + slope * lengths[i]), i))


@pytest.mark.parametrize("spread", [30, 3_000, 2**32 - 1])
@pytest.mark.parametrize("seed", range(8))
def test_those_that_share_much_of_the_weight_are_the_same_by_numpy_and_by_going_through_all(seed, spread):
    chance = random.Random(seed)
    length = {}
    asked = []
    for _ in range(chance.randint(1, 16)):
        ids = sorted({chance.randint(1, spread) for _ in range(chance.randint(1, 60))})
        triples = [(i, chance.choice((1, words.CEILING)), length.setdefault(i, chance.choice((0, 7, 60, words.CEILING)))) for i in ids]
        asked.append((chance.choice((0.1, 0.3, 5.3, chance.uniform(0.1, 9.0))), words.pack(triples)))
    total = sum(weight for weight, _ in asked)
    for share in (0.0, 0.1, 0.4, 1.0):
        expected = sharing(asked, share * total, 3.36, 0.03)
        assert words.sharing(asked, share * total, 3.36, 0.03) == expected
        assert words._sharing_arrays(asked, share * total, 3.36, 0.03) == expected
    assert words.sharing([], 0.0, 3.36, 0.03) == []


@given(st.lists(st.integers(0, 5), max_size=50), st.integers(1, 60), st.data())
def test_the_first_by_key_then_number(keys, limit, data):
    import numpy as np

    ids = data.draw(st.permutations(range(len(keys))))
    skip = data.draw(st.sets(st.integers(0, 60), max_size=9))
    only = data.draw(st.none() | st.sets(st.integers(0, 60), max_size=30))
    places = words.first(np.array(keys, np.int64), np.array(ids, np.int64), skip, only, limit)
    allowed = sorted((k, i) for k, i in zip(keys, ids, strict=True) if i not in skip and (only is None or i in only))
    assert [(keys[p], ids[p]) for p in places] == allowed[:limit]
