"""Names of memories: the number people type, the digest every store agrees on, and what is neither."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import InvalidInput
from clew.ids import DIGEST_LENGTH, digest_of, folded, parse_ref
from clew.limits import ID_MAX

WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)


@pytest.mark.parametrize("ref", [12, "12", "#12", " 12 ", " #12"])
def test_a_number_is_a_number_however_it_is_typed(ref):
    assert parse_ref(ref) == (12, None)


@pytest.mark.parametrize("ref", ["abcdef", "ABCDEF", "#abcdef", "0a" * 16])
def test_six_or_more_hex_digits_begin_a_digest(ref):
    assert parse_ref(ref) == (None, ref.removeprefix("#").lower())


def test_a_run_of_six_digits_may_be_either():
    assert parse_ref("123456") == (123456, "123456")
    assert parse_ref(123456) == (123456, None)


@pytest.mark.parametrize(
    "ref",
    ["", "#", "##1", "abcde", "a" * 33, "12a", "-1", "1.0", "１２", "0", 0, -1, ID_MAX + 1, "90071x", True, None, 1.0],
)
def test_anything_else_is_refused_by_the_name_of_its_field(ref):
    with pytest.raises(InvalidInput) as caught:
        parse_ref(ref, "old")
    assert caught.value.field == "old"


@pytest.mark.parametrize("ref", ["x" * 10_000, 10**5_000 // 1], ids=["long", "without end"])
def test_what_is_refused_is_not_repeated_at_length(ref):
    with pytest.raises(InvalidInput) as caught:
        parse_ref(ref)
    assert len(str(caught.value)) < 200


@given(WORDS, WORDS)
def test_white_space_and_the_form_of_accents_make_no_other_memory(first, second):
    assert digest_of("p", "fact", f" {first}\n {second}", "") == digest_of("p", "fact", folded(f"{first}  {second} "), " ")
    assert folded(folded(first)) == folded(first)
    assert folded("e\u0301") == "é"


def test_a_digest_is_the_same_on_every_machine():
    assert digest_of("uid", "fact", "summary", "detail") == "ff8ec8e1e52ac355bd588d2f97f0115d"
    assert len(digest_of("", "", "", "")) == DIGEST_LENGTH


@given(st.tuples(WORDS, WORDS, WORDS, WORDS), st.tuples(WORDS, WORDS, WORDS, WORDS))
def test_other_parts_give_other_digests(first, second):
    def same(parts):
        return (*parts[:2], folded(parts[2]), folded(parts[3]))

    assert (digest_of(*first) == digest_of(*second)) is (same(first) == same(second))
