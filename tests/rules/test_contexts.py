"""A working context has seven parts of text, within limits that its errors name, and no secrets."""

import json

import pytest

from clew.errors import InvalidInput
from clew.rules.contexts import CONTEXT_BYTES, LINES, PARTS, TEXT_BYTES, checked


def test_every_part_is_there_once_it_was_checked():
    text, found = checked({"goal": "ship the importer", "pending_actions": ("write the test",)})
    whole = json.loads(text)
    assert tuple(whole) == PARTS
    assert whole["goal"] == "ship the importer"
    assert whole["pending_actions"] == ["write the test"]
    assert whole["decisions"] == []
    assert found == ()


def test_secrets_are_taken_out_of_every_part():
    key = "AKIA" + "Q7WE3RT5YU2IO6PA"
    text, found = checked({"goal": f"rotate {key}", "verified_facts": [f"{key} is dead"]})
    assert key not in text
    assert found == ("aws-key",)


@pytest.mark.parametrize(
    ("given", "field", "said"),
    [
        ("no object", "context", "must be an object"),
        ({"goals": "x"}, "context.goals", "no such part"),
        ({}, "context", "is empty"),
        ({"goal": "", "decisions": []}, "context", "is empty"),
        ({"goal": 3}, "context.goal", "must be text"),
        ({"decisions": "one"}, "context.decisions", "must be a list"),
        ({"decisions": ["a", None]}, r"context.decisions\[1\]", "must be text"),
        ({"decisions": ["a"] * (LINES + 1)}, "context.decisions", f"at most {LINES}"),
        ({"goal": "x" * (TEXT_BYTES + 1)}, "context.goal", f"at most {TEXT_BYTES:,}"),
        ({"goal": "a\0b"}, "context.goal", "NUL"),
        ({"goal": "\ud800"}, "context.goal", "surrogate"),
        ({"verified_facts": ["x" * TEXT_BYTES] * 40}, "context", f"at most {CONTEXT_BYTES:,}"),
    ],
)
def test_what_is_wrong_is_named_with_its_place_and_limit(given, field, said):
    with pytest.raises(InvalidInput, match=f"(?s){field}.*{said}"):
        checked(given)
