"""What is asked of a store of development memories, with the real embedder: other words find it, and what nobody noted finds nothing."""

import json
from pathlib import Path

import pytest

from clew import Clew

DATA = Path(__file__).parents[2] / "benchmarks" / "data" / "paraphrase"


def lines(name):
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def kept(clew):
    """The corpus in a store; the number of each memory by its id there."""
    return {d["id"]: clew.remember(d["title"], detail=d["text"], kind=d["meta"]["kind"]).memory.id for d in lines("corpus")}


@pytest.fixture(scope="module")
def found():
    """For each arm: the share of the questions in other words whose memory was among the first five, and the off-topic ones answered."""
    shares = {}
    for embed in ("static", "off"):
        with Clew(":memory:", embed=embed, env={}) as clew:
            numbers = kept(clew)
            asked = [q for q in lines("queries") if q["type"] == "paraphrase"]
            hits = [{h.memory.id for h in clew.recall(q["query"], limit=5)} & {numbers[g] for g in q["gold"]} for q in asked]
            strange = [q["query"] for q in lines("offtopic") if clew.recall(q["query"], limit=1)]
            shares[embed] = sum(map(bool, hits)) / len(asked), strange
    return shares


def test_other_words_find_four_of_five_where_words_and_their_synonyms_find_fewer_than_two_of_three(found):
    fused, lexical = found["static"][0], found["off"][0]
    assert lexical < 0.67
    assert fused > 0.81


def test_at_most_two_of_a_hundred_and_ten_questions_about_anything_else_are_answered(found):
    assert len(found["static"][1]) <= 2


@pytest.fixture(scope="module")
def store():
    with Clew(":memory:", embed="static", env={}) as clew:
        for text in (
            "PostgreSQL holds the ledger",
            "UserProfileService caches avatars for an hour",
            "The renderer is written in C++ for speed",
            "The desktop client is written in C# with Avalonia",
            "Authentication goes through the gateway",
            "数据库每晚备份",
        ):
            clew.remember(text)
        yield clew


@pytest.mark.parametrize(
    ("question", "summary"),
    [
        ("postgres", "PostgreSQL holds the ledger"),
        ("user profile", "UserProfileService caches avatars for an hour"),
        ("C++", "The renderer is written in C++ for speed"),
        ("C#", "The desktop client is written in C# with Avalonia"),
        ("authent", "Authentication goes through the gateway"),
        ("库", "数据库每晚备份"),
    ],
)
def test_half_a_name_a_sign_a_beginning_or_one_character_finds_its_memory_first(store, question, summary):
    assert store.recall(question)[0].memory.summary == summary
