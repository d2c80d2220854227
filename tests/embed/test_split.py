"""What a text is cut into before the vocabulary is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.embed.split import TEXT_CHARS, is_ideographic, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("aB", ["a", "b"]),
        ("ABc", ["a", "bc"]),
        ("UserProfileService.getAvatar()", ["user", "profile", "service", "get", "avatar"]),
        ("parseHTTPResponse", ["parse", "http", "response"]),
        ("PostgreSQL", ["postgre", "sql"]),
        ("snake_case__name_", ["snake", "case", "name"]),
        ("utf8mb4", ["utf", "8", "mb", "4"]),
        ("E0502", ["e", "0502"]),
        ("ALLCAPS", ["allcaps"]),
    ],
)
def test_ascii_runs_are_cut_at_case_changes_underscores_and_digits(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_only_plus_hash_and_at_count_as_lone_symbols() -> None:
    assert words("C++ & C# @me ... $x - 🙂 → ?") == ["c", "+", "+", "c", "#", "@", "me", "x"]


@pytest.mark.parametrize("neighbour", ["", " für", " 用", " 🙂"])
def test_an_ascii_word_is_cut_the_same_whatever_stands_beside_it(neighbour: str) -> None:
    assert words("getAvatar2 C#" + neighbour)[:4] == ["get", "avatar", "2", "c"]


def test_other_runs_lose_their_marks_and_keep_their_inner_capitals_together() -> None:
    assert words("für naïveBayes ÉCOLE Ελλάδα") == ["fur", "naivebayes", "ecole", "ελλαδα"]


def test_a_capital_dotted_i_leaves_no_mark_behind() -> None:
    assert words("İstanbul") == ["istanbul"]


def test_kana_and_ideographs_are_cut_from_the_letters_around_them() -> None:
    assert words("数据库PostgreSQL用") == ["数据库", "postgresql", "用"]
    assert words("どのデータ") == ["とのテータ"]


def test_ideographs_beyond_the_first_plane_are_cut_too() -> None:
    assert words("é𠀀x") == ["e", "𠀀", "x"]


@pytest.mark.parametrize(("character", "expected"), [("の", True), ("ー", True), ("漢", True), ("々", True), ("a", False), ("한", False)])
def test_kana_and_ideographs_are_told_from_other_letters(character: str, expected: bool) -> None:
    assert is_ideographic(character) is expected


@pytest.mark.parametrize("text", ["", " \n\t", "🙂", "—…“”", "\ud800", "\u0301\u0301"])
def test_a_text_without_words_gives_none(text: str) -> None:
    assert words(text) == []


def test_what_lies_beyond_the_bound_is_not_looked_at() -> None:
    assert words("a " * (TEXT_CHARS // 2) + "b")[-1] == "a"


@given(st.text())
def test_no_word_is_empty_or_holds_white_space_or_capitals(text: str) -> None:
    for word in words(text):
        assert word
        assert not any(c.isspace() for c in word)
        assert not any("A" <= c <= "Z" for c in word)


@given(st.text(), st.text())
def test_texts_side_by_side_give_the_words_of_both(left: str, right: str) -> None:
    assert words(f"{left} {right}") == words(left) + words(right)
