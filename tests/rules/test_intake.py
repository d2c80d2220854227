"""What a draft must be before it is kept: values in, values out."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import InvalidInput
from clew.limits import REASON_CHARS, SUMMARY_CHARS, TAGS, TEXT_BYTES
from clew.model import Draft, Pointer, Source
from clew.rules import intake
from clew.rules.intake import checked, moment, one_line, reason_line, sound

KEY = "AKIA" + "QWERTYUIOPASDFGH"
MARK = "‹redacted:aws-key›"


def kept(*given, **fields):
    """The draft that is kept."""
    return checked(Draft(*given, **fields))[0]


@pytest.mark.parametrize(
    ("text", "summary", "detail"),
    [
        ("one line", "one line", ""),
        ("  trimmed\n", "trimmed", ""),
        ("first\nsecond\n  third", "first", "second\n  third"),
        ("\n\nfirst\n\nsecond", "first", "second"),
        ("first\r\nsecond\r\nthird", "first", "second\r\nthird"),
        ("first\u2028second", "first", "second"),
        ("first\x0bsecond", "first", "second"),
        ("first\rsecond", "first", "second"),
        ("\x1b[1m\nfirst\nsecond", "first", "second"),
    ],
)
def test_a_summary_of_several_lines_becomes_a_summary_and_a_detail_and_loses_no_line(text, summary, detail):
    draft = kept(text)
    assert (draft.summary, draft.detail) == (summary, detail)


def test_with_a_detail_of_its_own_a_summary_of_several_lines_is_folded():
    draft = kept("first\nsecond", detail="third")
    assert (draft.summary, draft.detail) == ("first second", "third")


@pytest.mark.parametrize("text", ["word " * 200, "x" * 900, "漢" * 700], ids=["words", "one word", "unspaced"])
def test_a_summary_that_is_too_long_is_cut_at_a_word_where_there_is_one_and_kept_whole_as_detail(text):
    draft = kept(text)
    assert SUMMARY_CHARS // 2 < len(draft.summary) <= SUMMARY_CHARS
    assert draft.summary.endswith("…")
    assert text.startswith(draft.summary[:-1])
    assert draft.detail == text.strip()


def test_a_summary_that_is_too_long_beside_a_detail_is_refused():
    with pytest.raises(InvalidInput, match=r"501 characters; the limit is 500: put the rest into the detail"):
        checked(Draft("x" * 501, detail="y"))


@pytest.mark.parametrize("text", [f"key {KEY}", f"key\n{KEY}", f"key {KEY[:9]}\x1b[0m{KEY[9:]}", f"key {KEY[:9]}\x07{KEY[9:]}"])
def test_a_secret_is_taken_out_also_where_something_kept_its_halves_apart(text):
    draft, found = checked(Draft(text))
    assert MARK in draft.summary + draft.detail
    assert KEY not in draft.summary + draft.detail
    assert "aws-key" in found


def test_every_part_is_redacted_and_the_formats_are_named_once():
    draft, found = checked(
        Draft(
            "fine", detail=KEY, tags=(KEY,), metadata={KEY: KEY},
            pointers=(Pointer(KEY, KEY, 1, KEY),), source=Source(KEY, KEY, KEY, 1, (2,)),
        )
    )  # fmt: skip
    assert found == ("aws-key",)
    assert (draft.detail, draft.tags, draft.metadata) == (MARK, (MARK,), {MARK: MARK})
    assert draft.pointers == (Pointer(MARK, MARK, 1, MARK),)
    assert draft.source == Source(MARK, MARK, MARK, 1, (2,))


def test_a_value_is_a_secret_where_its_name_says_so_and_a_word_elsewhere():
    value = "Zx81kfaP03mmvQ7d"
    draft = kept("x", metadata={"password": value, "build": value, "note": "password rotation is monthly"})
    assert draft.metadata["password"].startswith("‹redacted:")
    assert (draft.metadata["build"], draft.metadata["note"]) == (value, "password rotation is monthly")


def test_times_become_floats_and_whole_numbers_stay_exact_in_metadata():
    draft = kept("x", valid_from=1, valid_to=2, ttl=3, metadata={"n": 2**53 - 1, "f": 0.1, "b": False})
    assert [type(value) for value in (draft.valid_from, draft.valid_to, draft.ttl)] == [float] * 3
    assert draft.metadata == {"n": 2**53 - 1, "f": 0.1, "b": False}
    assert type(draft.metadata["b"]) is bool


def test_tags_are_words_in_order_each_once():
    assert kept("x", tags=["b", "a", " b ", "", "\x1b[0m"]).tags == ("b", "a")
    assert kept("x", tags=(tag for tag in "ab")).tags == ("a", "b")
    assert len(kept("x", tags=[str(i) for i in range(TAGS)]).tags) == TAGS


def test_paths_of_pointers_have_forward_slashes():
    assert kept("x", pointers=[Pointer("src\\a.py")]).pointers == (Pointer("src/a.py"),)


def test_the_limit_is_on_summary_and_detail_together_in_bytes():
    assert len(kept("x", detail="y" * (TEXT_BYTES - 1)).detail) == TEXT_BYTES - 1
    for detail in ("y" * TEXT_BYTES, "é" * (TEXT_BYTES // 2), "y" * (TEXT_BYTES + 1)):
        with pytest.raises(InvalidInput, match=r"one memory holds at most 1,048,576: keep the file and point at it, or cut it up"):
            checked(Draft("x", detail=detail))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\x1b[31mb\x1b[0m", "ab"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]8;;http://x\x1b\\b", "ab"),
        ("a\x1b\x1b[0m[0mb", "a[0mb"),
        ("a\x9b31mb", "a31mb"),
        ("a\tb\r\nc\u2029d", "a b c d"),
        ("\u202eevil\u2066", "evil"),
        ("a\x00\x07\x7fb", "ab"),
        (" a ", "a"),
    ],
)
def test_one_line_holds_no_escape_no_control_and_nothing_that_turns_the_order(text, line):
    assert one_line(text) == line


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]) | st.sampled_from("\x1b[]0m;\x07\x9b\n\u202e ")))
def test_one_line_is_one_line_and_stays_itself(text):
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert one_line(line) == line


@given(st.text(max_size=400), st.text(max_size=100))
def test_what_was_kept_is_kept_the_same_again(summary, detail):
    try:
        first, _ = checked(Draft(summary, detail=detail))
    except InvalidInput:
        return
    assert checked(first) == (first, ())


def test_no_character_that_prints_is_what_one_line_takes_out():
    printing = "".join(c for c in map(chr, range(0x110000)) if c.isprintable())
    assert not any(re.search(pattern, printing) for pattern in (intake._ESCAPE, intake._BREAK, intake._CONTROL))


def test_a_reason_is_one_redacted_line_with_a_limit():
    assert reason_line(f"because\nof {KEY}") == (f"because of {MARK}", ("aws-key",))
    assert reason_line("") == ("", ())
    with pytest.raises(InvalidInput, match="2,001 characters; the limit is 2,000"):
        reason_line("x " * 1_000 + "x" * (REASON_CHARS % 2 + 1))


@pytest.mark.parametrize("value", ["1", True, float("nan"), float("inf"), 10**400, -(10**400), 1e13, b"1"])
def test_a_moment_is_a_number_that_some_date_has(value):
    with pytest.raises(InvalidInput, match=r"^when: "):
        moment(value, "when")


def test_a_moment_of_none_stays_none():
    assert (moment(None, "when"), moment(0, "when"), moment(-5, "when")) == (None, 0.0, -5.0)


@pytest.mark.parametrize("text", [None, 1, b"bytes", "a\0b", "\ud800", "x" * (TEXT_BYTES + 1)])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(InvalidInput, match=r"^field: "):
        sound(text, "field")
