"""What is said twice is emitted once, and only where that loses nothing."""

from __future__ import annotations

import pytest
from compiled_requests import compiled, log_of, png, rules

from clew.compiler.dedup import normalised


def pair(first: str, second: str, **fields: object) -> list[str]:
    """The rules of two fragments."""
    return rules(compiled([{"content": first, **fields}, {"content": second, **fields}]))


def test_the_first_occurrence_survives_and_the_others_name_it():
    outcome = compiled([{"content": "some words here"}, {"content": "other"}, {"content": "some words here"}])
    assert rules(outcome) == ["preserve.default", "preserve.default", "drop.duplicate"]
    assert outcome.decisions[2].duplicate_of == 0
    assert outcome.content.count("some words here") == 1
    assert (outcome.account.saved, outcome.risk) == (outcome.decisions[2].tokens_in, "low")


@pytest.mark.parametrize(
    "other",
    [
        "deploy ON friday",
        "Deploy  on\nFriday",
        "“Deploy on Friday!”",
        "Deploy on Friday .",
        "Deploy **on** _Friday_",
        "  Deploy\n  on `Friday`",
    ],
)
def test_case_white_space_and_punctuation_make_a_near_duplicate(other):
    assert pair("Deploy on Friday.", other)[1] == "drop.near_duplicate"
    assert compiled([{"content": "Deploy on Friday."}, {"content": other}]).sources != {}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("wait = 1", "wait = -1"),
        ("wait 1.5 s", "wait 15 s"),
        ("if a != b", "if a = b"),
        ("set MAX_SIZE", "set max_size"),
        ("x", "y"),
        ("not x", "!x"),
        ("a.b", "a b"),
        ("5 %", "5 $"),
        ("at –5 degrees", "at 5 degrees"),
        ("never rm build/*", "never rm build/"),
        ("git add * first", "git add first"),
        ("pass *args on", "pass **args on"),
        ("it returns []", "it returns {}"),
        ("it returns ()", "it returns"),
        ("call `f()` then", "call f then"),
        ("rename _private", "rename private"),
        ("call __init__", "call init"),
        ("a board of 5'", 'a board of 5"'),
        ("deploy today?", "deploy today."),
        ("cut at , here", "cut at ; here"),
        ("match ? here", "match here"),
        ("a:\n  b: x\n  c: y", "a:\n  b: x\nc: y"),
    ],
)
def test_what_changes_the_meaning_makes_no_near_duplicate(one, two):
    assert "drop.near_duplicate" not in pair(one, two)


@pytest.mark.parametrize(
    "fields", [{"kind": "code"}, {"kind": "json"}, {"kind": "diff"}, {"metadata": {"verbatim": True}}, {"metadata": {"cache": True}}]
)
def test_code_and_what_must_stay_as_it_is_has_no_near_duplicates(fields):
    assert "drop.near_duplicate" not in pair("Some words here", "some  words here", **fields)


def test_images_are_the_same_by_their_bytes_and_the_text_beside_them():
    spaced = {"mime": "image/x-png", "bytes_b64": png()["bytes_b64"]}
    same = compiled([{"content": "c", "media": png()}, {"content": "c", "media": spaced}])
    assert rules(same) == ["media.atomic", "drop.duplicate"]
    assert len(same.media) == 1
    other = compiled([{"content": "before", "media": png()}, {"content": "after", "media": png()}])
    assert rules(other) == ["media.atomic", "media.atomic"]


def test_a_duplicate_of_what_found_no_room_is_not_called_dropped():
    text = "word " * 200
    outcome = compiled([{"content": text}, {"content": text}], 20)
    assert rules(outcome) == ["budget.externalize", "budget.externalize"]
    assert outcome.account.saved == 0
    assert outcome.decisions[0].handles == outcome.decisions[1].handles


def test_the_survivor_takes_over_what_its_duplicates_ask_for():
    text = "word " * 40
    others = [{"content": f"{name} " * 40} for name in ("alpha", "beta", "gamma")]
    late = {"content": text, "priority": 9, "metadata": {"verbatim": True}}
    outcome = compiled([{"content": text}, *others, late], 60)
    assert [d.kept for d in outcome.decisions] == ["whole", "none", "none", "none", "none"]
    assert outcome.decisions[4].rule == "drop.duplicate"


def test_the_copy_in_the_cache_section_survives():
    outcome = compiled([{"content": "some words here"}, {"content": "some words here", "metadata": {"cache": True}}])
    assert rules(outcome) == ["drop.duplicate", "cache.stable_prefix"]
    assert outcome.content[: outcome.cache_chars] == "some words here"


def test_a_second_copy_of_a_collapsed_log_points_to_the_first():
    log = log_of(80)
    outcome = compiled([{"content": log}, {"content": log}])
    assert rules(outcome) == ["abstract.log_collapse", "abstract.log_collapse"]
    assert outcome.decisions[1].tokens_out < 15
    assert outcome.content.count("no route to host") == 1


def test_a_dropped_copy_of_a_dropped_copy_points_to_what_is_emitted():
    outcome = compiled([{"content": "Some words"}, {"content": "some words"}, {"content": "some words"}])
    assert rules(outcome) == ["preserve.default", "drop.near_duplicate", "drop.near_duplicate"]
    assert [d.duplicate_of for d in outcome.decisions] == [None, 0, 0]


def test_empty_fragments_are_no_duplicates_of_one_another():
    assert pair("", "") == ["preserve.default", "preserve.default"]


def test_normalising_keeps_what_stands_inside_tokens():
    assert normalised('  He said: "Wait -1.5 s, (or  a!=b)" — MAX_SIZE! ') == "he said wait -1.5 s or a!=b MAX_SIZE"
