"""The vector index's arithmetic: sign bits, distances and cosines, each the same with and without numpy."""

import random
from math import sqrt
from struct import pack

import numpy as np
import pytest
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
    mean = sum(distances.values()) / len(ids)
    assert found[1:] == (len(ids), mean, pytest.approx(sqrt(sum((d - mean) ** 2 for d in distances.values()) / len(ids))))


def test_an_empty_index_has_no_nearest():
    assert vectors.closest([], bytes(32), set(), None, 5) == ([], 0, 0.0, 0.0)
    assert vectors.closest_arrays([columns([], [])], bytes(32), set(), None, 5) == ([], 0, 0.0, 0.0)


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
