"""The suggested budget follows from a table of windows that names its sources; what is not in it gets none."""

import pytest

from clew.compiler.windows import FILL, READ_ON, RESERVE, WINDOWS, suggest
from clew.errors import InvalidInput


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("claude-opus-5-5", 1_000_000),
        ("anthropic/claude-haiku-4-5-20251001", 200_000),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000),
        ("Claude-Sonnet-5", 1_000_000),
        ("gpt-5-codex", 400_000),
        ("gpt-5.5", 1_050_000),
        ("gemini-3.1-pro-preview", 1_114_112),
        ("qwen3-coder:480b-cloud", 262_144),
    ],
)
def test_a_models_window_is_found_by_its_name_with_provider_and_date(name, window):
    found = suggest(name)
    assert found.window == window
    assert found.read_on == READ_ON
    assert found.source
    assert 0 < found.budget < window


@pytest.mark.parametrize("name", ["gpt-50", "claude-opus-55", "llama-9", "my-gpt-4.1x", "claude"])
def test_an_unknown_model_has_no_budget_and_a_note(name):
    found = suggest(name)
    assert (found.budget, found.window, found.source) == (None, None, None)
    assert name in found.note


def test_the_budget_is_a_share_of_what_is_free_beside_the_answer():
    assert suggest("claude-haiku-4-5").budget == int((200_000 - RESERVE) * FILL)
    assert suggest("claude-haiku-4-5", reserve=0, used=100_000).budget == int(100_000 * FILL)
    assert suggest("gpt-5", reserve=0).budget == int(272_000 * FILL)  # the longest input has a limit of its own


def test_where_nothing_is_free_the_note_says_so():
    found = suggest("gpt-4o", used=128_000)
    assert found.budget is None
    assert "nothing is free" in found.note


@pytest.mark.parametrize(("field", "value"), [("reserve", -1), ("used", 10**8), ("used", 1.5), ("reserve", True)])
def test_what_is_no_count_of_tokens_is_refused(field, value):
    with pytest.raises(InvalidInput, match=field):
        suggest("gpt-5", **{field: value})


def test_an_empty_name_is_refused():
    with pytest.raises(InvalidInput, match="model"):
        suggest("  ")


def test_every_window_has_a_source_and_room_for_its_longest_answer():
    assert len(WINDOWS) >= 10
    assert all(w.source and 0 < w.output < w.window and (w.input or 1) <= w.window for w in WINDOWS)
    assert len({w.begins for w in WINDOWS}) == len(WINDOWS)
