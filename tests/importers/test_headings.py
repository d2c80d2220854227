"""Documents are cut at their headings, and only there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.importers.headings import cut, prose


def shape(text):
    return [(" › ".join(s.headings), s.line, s.text) for s in cut(text)]


def test_a_section_runs_to_the_next_heading_and_knows_those_above_it():
    text = "# Shop\nWhat it is.\n\n## Install\nRun it.\n### Windows\nClick it.\n## Use\nAsk it.\n"
    assert shape(text) == [
        ("Shop", 1, "What it is."),
        ("Shop › Install", 4, "Run it."),
        ("Shop › Install › Windows", 6, "Click it."),
        ("Shop › Use", 8, "Ask it."),
    ]


def test_text_before_the_first_heading_is_a_section_without_one():
    assert shape("Hello there.\n\n# Shop\n") == [("", 1, "Hello there."), ("Shop", 3, "")]


def test_underlined_headings_are_headings_in_both_languages():
    assert shape("Shop\n====\nText.\n\nInstall\n-------\nRun it.") == [("Shop", 1, "Text."), ("Shop › Install", 5, "Run it.")]
    rst = "====\nShop\n====\nText.\n\nInstall\n~~~~~~~\nRun it."
    assert [headings for headings, _, _ in shape(rst)][-1] == "Shop › Install"


@pytest.mark.parametrize(
    "text",
    [
        "```\n# not a heading\n```",
        "~~~~\n```\n# not\n~~~\n# nor this\n~~~~",
        "<!--\n# not a heading\n-->\nx",
        "#hashtag",
        "####### seven",
        "a\nb\n---\nc",
        "- item\n---",
        "| a |\n|---|\n| b |",
        "    # indented code",
    ],
)
def test_what_only_looks_like_a_heading_is_text(text):
    assert [s.headings for s in cut(text)] == [()]


def test_front_matter_is_not_text():
    assert shape("---\ntitle: x\n---\n# Shop\nText.") == [("Shop", 4, "Text.")]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("## Install ##", "Install"),
        ("## [1.2.0](https://example.invalid) - today", "1.2.0 - today"),
        ("## `clew` **now**:", "clew **now"),
        ("# Shop ![build](b.svg)", "Shop"),
        ("# C#", "C#"),
    ],
)
def test_a_title_is_plain_words(line, title):
    assert cut(line)[0].headings == (title,)


def test_prose_leaves_out_code_comments_and_pictures():
    assert prose("```sh\npip install shop\n```\n<!-- hidden -->\n[![build](b.svg)](https://x)\n\n12 34") == 0
    assert prose("Run `it` at [home](https://example.invalid).") == len("Runitathome")


@given(st.text(alphabet="# =-~`\n<!->ab\t", max_size=80))
def test_no_text_breaks_it_and_lines_point_into_the_document(text):
    for section in cut(text):
        assert 1 <= section.line <= max(1, len(text.splitlines()) + 1)
