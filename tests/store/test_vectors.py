"""The vector index's arithmetic: sign bits, distances and cosines, each the same with and without numpy."""

import random
from struct import pack

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from specimens import cosine, vector

from clew.store import vectors

EXTREMES = [bytes([value]) * vectors.DIM for value in (0x80, 0x7F, 0xFF, 0x01, 0x00)]


def rotated(v):
    """The definition, by a matrix: flip components, multiply by the 256 x 256 Hadamard matrix."""
    hadamard = np.array([[1]], np.int64)
    while len(hadamard) < vectors.DIM:
        hadamard = np.block([[hadamard, hadamard], [hadamard, -hadamard]])
    return hadamard @ (np.frombuffer(v, np.int8).astype(np.int64) * np.array(vectors._FLIPS))


def packed(ids, bits):
    """One block of sign bits as it lies in the store."""
    return pack(f"<{len(ids)}I", *ids), b"".join(bits)


def columns(ids, bits):
    """The same as `closest_arrays` takes it."""
    return np.array(ids, np.uint32), np.ascontiguousarray(np.frombuffer(b"".join(bits), "<u8").reshape(-1, 4).T)


def test_the_flips_are_those_of_the_named_generator():
    coin = random.Random(vectors.DIM).getrandbits(vectors.DIM)
    assert [flip > 0 for flip in vectors._FLIPS] == [bool(coin >> i & 1) for i in range(vectors.DIM)]


@pytest.mark.parametrize("seed", range(20))
def test_signs_are_the_signs_of_the_rotated_vector(seed):
    v = vector(random.Random(seed))
    assert vectors.signs(v) == np.packbits(rotated(v) > 0, bitorder="little").tobytes()


@pytest.mark.parametrize("v", EXTREMES, ids=lambda v: hex(v[0]))
def test_signs_hold_at_the_ends_of_what_a_byte_can_be(v):
    assert vectors.signs(v) == np.packbits(rotated(v) > 0, bitorder="little").tobytes()


def test_many_signs_at_once_are_the_same():
    chance = random.Random(1)
    several = [vector(chance) for _ in range(50)] + EXTREMES
    assert vectors.signs_many(several) == [vectors.signs(v) for v in several]


def test_near_vectors_share_more_signs_than_far_ones():
    chance = random.Random(2)
    here = vector(chance)
    near = bytes(b if i % 4 else chance.randrange(256) for i, b in enumerate(here))
    apart = [bin(int.from_bytes(vectors.signs(here)) ^ int.from_bytes(vectors.signs(v))).count("1") for v in (here, near, vector(chance))]
    assert apart[0] == 0 < apart[1] < 75 < apart[2]


@pytest.mark.parametrize("limit", [1, 10, 5_000])
@pytest.mark.parametrize("filtering", ["none", "skip", "only", "only none"])
def test_the_closest_by_arrays_are_those_by_blocks(limit, filtering):
    chance = random.Random(3)
    ids = chance.sample(range(1, 10**6), 700)
    bits = [chance.randbytes(1) * 2 + chance.randbytes(30) for _ in ids]
    skip = set(ids[:200]) if filtering == "skip" else set()
    only = {"only": set(ids[::3]), "only none": set()}.get(filtering)
    asked = chance.randbytes(32)
    parts = [slice(0, 96), slice(96, 500), slice(500, 700)]
    found = vectors.closest([packed(ids[p], bits[p]) for p in parts], asked, skip, only, limit)
    assert vectors.closest_arrays([columns(ids[p], bits[p]) for p in parts], asked, skip, only, limit) == found
    distances = {i: bin(int.from_bytes(b) ^ int.from_bytes(asked)).count("1") for i, b in zip(ids, bits, strict=True)}
    allowed = [i for i in ids if i not in skip and (only is None or i in only)]
    assert found[0] == sorted(allowed, key=lambda i: (distances[i], i))[:limit]
    assert found[1] == len(ids)


signs = st.binary(min_size=32, max_size=32)


@given(signs, st.lists(st.one_of(signs, st.integers(0, 256)), max_size=40), st.integers(0, 45), st.integers(1, 5), st.data())
def test_the_closest_are_the_closest_whatever_the_bits(asked, rows, limit, size, data):
    """A whole number stands for bits that differ from the question's in as many places: 256 is more than a byte holds."""
    bits = [(int.from_bytes(asked) ^ ((1 << row) - 1)).to_bytes(32) if isinstance(row, int) else row for row in rows]
    ids = data.draw(st.lists(st.integers(1, 2**32 - 1), min_size=len(bits), max_size=len(bits), unique=True))
    skip, only = data.draw(st.sets(st.sampled_from(ids)) if ids else st.just(set())), data.draw(st.sampled_from([None, set(ids[::2])]))
    away = {i: (int.from_bytes(b) ^ int.from_bytes(asked)).bit_count() for i, b in zip(ids, bits, strict=True)}
    allowed = [i for i in ids if i not in skip and (only is None or i in only)]
    expected = sorted(allowed, key=lambda i: (away[i], i))[:limit], len(ids)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vectors, "GROUP", 7)  # so that several groups are joined
        blocks = [packed(ids[at : at + size], bits[at : at + size]) for at in range(0, len(ids), size)]
        assert vectors.closest(blocks, asked, skip, only, limit) == expected
    assert vectors.closest_arrays([columns(ids, bits)], asked, skip, only, limit) == expected


@pytest.mark.parametrize("garbled", [(bytes(8), bytes(32)), (bytes(4), bytes(33)), (bytes(5), bytes(40)), (b"", bytes(32))])
def test_bits_that_do_not_fit_their_ids_are_told(garbled):
    ids, bits = map(len, garbled)
    with pytest.raises(ValueError, match=f"{bits} bytes of signs for {ids} bytes of ids"):
        vectors.closest([(bytes(4), bytes(32)), garbled, (bytes(3), bytes(24))], bytes(32), set(), None, 5)


def test_an_empty_index_has_no_nearest():
    assert vectors.closest([], bytes(32), set(), None, 5) == ([], 0)
    assert vectors.closest_arrays([columns([], [])], bytes(32), set(), None, 5) == ([], 0)


@pytest.mark.parametrize("count", [0, 1, 8, 9, 300])
@pytest.mark.parametrize("seed", range(4))
def test_cosines_are_exact_and_the_same_on_both_roads(count, seed):
    chance = random.Random(seed)
    rows = [(i, v, vectors.square(v)) for i, v in enumerate([*EXTREMES, *(vector(chance) for _ in range(count))][:count])]
    asked = EXTREMES[seed] if seed < 2 else vector(chance)
    matrix = np.frombuffer(b"".join(v for _, v, _ in rows), np.int8).reshape(-1, vectors.DIM)
    norms = np.array([norm for _, _, norm in rows], np.int64)
    expected = {i: cosine(asked, v) for i, v, _ in rows}
    assert vectors.cosines(asked, rows) == expected
    assert vectors.cosines_arrays(asked, matrix, norms) == list(expected.values())


def test_a_vector_of_zeros_is_like_nothing():
    zeros, v = bytes(vectors.DIM), vector(random.Random(1))
    assert vectors.cosines(zeros, [(1, v, vectors.square(v))]) == {1: 0.0}
    assert vectors.cosines(v, [(1, zeros, 0)]) == {1: 0.0}
