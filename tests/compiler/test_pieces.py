"""Where texts are cut, and where never."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.compiler.pieces import cut, grapheme_edge
from clew.compiler.values import Chunk

PARAGRAPHS = "# Title\n\nFirst one. It has two sentences.\n\n- a list\n- of two\n\nLast one.\n"
FAMILY = "👨\u200d👩\u200d👧"
alphabet = st.sampled_from(
    ["word ", "Stop. ", "\n", "\n\n", "\r\n", "```\n", "| a | b |\n", "é", "e\u0301", FAMILY, "🇫🇷", "한", "각", "x" * 40, "。"]
)


def parts(text: str, code: bool = False, **chunk: object) -> list[str]:
    """The pieces as texts."""
    return [text[start:end] for start, end in cut(text, Chunk(**chunk), code=code)]


@settings(max_examples=300)
@given(
    st.lists(alphabet, max_size=30).map("".join), st.sampled_from(["paragraph", "sentence", "line"]), st.integers(64, 200), st.booleans()
)
def test_pieces_are_the_text_again_without_gaps(text, boundary, most, code):
    spans = cut(text, Chunk(most, boundary), code=code)
    assert all(start < end for start, end in spans)
    assert all(one[1] == two[0] for one, two in pairwise(spans))
    assert "".join(text[a:b] for a, b in spans) == text


@settings(max_examples=300)
@given(st.lists(alphabet, max_size=30).map("".join), st.integers(64, 200))
def test_only_fences_and_table_rows_are_larger_than_asked(text, most):
    for piece in parts(text, max_bytes=most):
        assert len(piece.encode()) <= most + 64 or "```" in piece or "|" in piece


def test_paragraphs_are_cut_behind_their_empty_line_and_a_heading_stays_with_its_text():
    assert parts(PARAGRAPHS) == ["# Title\n\nFirst one. It has two sentences.\n\n", "- a list\n- of two\n\n", "Last one.\n"]


def test_sentences_and_lines_where_the_policy_says_so():
    assert parts("One. Two! Three?\nFour", boundary="sentence") == ["One. ", "Two! ", "Three?\n", "Four"]
    assert parts("一句。两句。", boundary="sentence") == ["一句。", "两句。"]
    assert parts("a. b\nc\n", boundary="line") == ["a. b\n", "c\n"]


def test_windows_line_ends_make_paragraphs_too():
    assert parts("one\r\n\r\ntwo\r\nmore\r\n") == ["one\r\n\r\n", "two\r\nmore\r\n"]


def test_a_fence_is_never_cut_however_long():
    fence = "```python\n" + "x = 1\n\n" * 500 + "```\n"
    assert parts(f"before\n\n{fence}\nafter\n", max_bytes=64) == ["before\n\n", fence, "\nafter\n"]


def test_an_open_fence_reaches_to_the_end():
    text = "before\n\n~~~~\ncode\n\nmore\n~~~\nstill code\n\nend"
    assert parts(text)[-1] == text[text.index("~~~~") :]


def test_a_table_is_cut_between_rows_only():
    row = "| " + "a sentence. another. " * 20 + "|\n"
    assert set(parts("intro.\n" + row * 3, max_bytes=128)) == {"intro.\n", row}


@pytest.mark.parametrize("cluster", [FAMILY, "e\u0301", "🇫🇷", "👍🏽", "\r\n", "각", "क्\u200dष", "🏴\U000e0067\U000e0062\U000e007f"])
def test_no_grapheme_is_cut(cluster):
    text = "x" * 10 + cluster + "y" * 10
    inside = range(11, 10 + len(cluster))
    assert [grapheme_edge(text, at) for at in inside] == [10] * len(inside)
    assert grapheme_edge(text, 10 + len(cluster)) == 10 + len(cluster)


def test_flags_are_counted_in_pairs():
    text = "🇫🇷🇩🇪🇯🇵"
    assert [grapheme_edge(text, at) for at in range(1, 6)] == [1, 2, 2, 4, 4]


def test_one_line_without_spaces_is_cut_by_size():
    pieces = parts("a" * 1_000_000)
    assert max(map(len, pieces)) <= 2048
    assert "".join(pieces) == "a" * 1_000_000


def test_a_line_of_words_is_cut_between_words():
    assert all(piece.endswith(" ") for piece in parts("word " * 2_000)[:-1])


def test_code_is_cut_at_empty_lines_and_has_no_sentences():
    code = "def a():\n    return 'One. Two.'\n\n\ndef b():\n    pass\n"
    assert parts(code, code=True) == ["def a():\n    return 'One. Two.'\n\n\n", "def b():\n    pass\n"]
    assert parts("a = 'Long. Text.'\n" * 10, code=True, max_bytes=64) == ["a = 'Long. Text.'\n"] * 10


def test_nothing_has_no_pieces():
    assert parts("") == []
