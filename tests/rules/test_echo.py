"""What is ours, a client's or nobody's question is neither searched nor logged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.limits import QUESTION_BYTES
from clew.rules.echo import asks_nothing, is_command, said

OURS = '<clew-memory project="p">\nquoted\n- #1 decision (cli, 1d ago): use uv\n</clew-memory>'


@pytest.mark.parametrize(
    "wrapped",
    [
        OURS,
        f"<system-reminder>\n{OURS}\n</system-reminder>",
        "<hook_context>anything</hook_context>",
        "<qwen:user-prompt-submit-context>x</qwen:user-prompt-submit-context>",
        "<task-notification>\n<summary>Agent finished</summary>\n</task-notification>",
        OURS.removesuffix("</clew-memory>"),
    ],
)
def test_injected_text_is_not_what_the_user_said(wrapped):
    assert said(wrapped) == ""
    assert said(f"why uv? {wrapped}") == "why uv?"


def test_what_stands_between_and_behind_is_kept():
    assert said(f"one {OURS} two {OURS} three").split() == ["one", "two", "three"]


def test_naming_a_tag_in_a_sentence_loses_nothing():
    text = "why does <system-reminder> appear twice in <b>bold</b>?"
    assert said(text) == text


def test_only_the_first_kilobytes_of_a_pasted_prompt_are_looked_at():
    assert len(said("ü" * 1_000_000).encode()) == QUESTION_BYTES
    assert said("<clew-memory>" * 200_000) != ""  # and in good time: every opening is looked at once


@given(st.text())
def test_any_text_can_be_said(text):
    assert len(said(text).encode()) <= QUESTION_BYTES


@given(st.text(alphabet=st.characters(exclude_characters="<", exclude_categories=["Cs"])))  # halves of pairs are no text and go
def test_a_text_without_tags_is_only_trimmed(text):
    assert text.strip().startswith(said(text))


@pytest.mark.parametrize("prompt", ["/compact keep the decision", "/clear", " /mcp__clew__recall x", "!ls -la"])
def test_commands_are_for_the_client(prompt):
    assert is_command(prompt)
    assert asks_nothing(prompt)


@pytest.mark.parametrize("prompt", ["/etc/hosts is wrong", "#12 still fails", "# Plan\nuse uv", "! wait, why?", "fix /tmp"])
def test_paths_issues_and_headings_are_no_commands(prompt):
    assert not is_command(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "ok",
        "Thanks!",
        "yes, go ahead",
        "looks good, continue please",
        "LGTM",
        "OK… go on",
        "merci !",
        "that's right",
        "please refactor that",
        "format the file",
    ],
)
def test_small_talk_asks_nothing(prompt):
    assert asks_nothing(prompt)


@pytest.mark.parametrize("prompt", ["ok, now deploy", "why?", "which database", "continue with the parser", "run the tests again"])
def test_anything_with_a_subject_asks(prompt):
    assert not asks_nothing(prompt)
