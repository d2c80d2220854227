"""`where` and `feedback` as a model writes them: what is answered, and that bad input is a result that says so."""

import pytest

from clew import Clew
from clew.mcp.calls import Desk


@pytest.fixture
def call(tmp_path):
    """Calls a tool on a store that holds two memories of one subject, as (text, object); for an error the object is None."""
    env = {"CLEW_DB": str(tmp_path / "memory.db"), "CLEW_PROJECT": "p", "CLEW_EMBED": "hashing"}
    desk = Desk(lambda root, origin: Clew(origin=origin, env=env, long_lived=False))

    def called(tool, **arguments):
        answer = desk.call(tool, arguments, "claude-code", None)
        return answer["content"][0]["text"], answer.get("structuredContent")

    for year in (2019, 2021):
        called("remember", summary=f"The upload limit of {year}", metadata={"year": year, "team": "infra"})
    yield called
    desk.close()


def found(call, **arguments):
    return [memory["id"] for memory in call("recall", question="upload limit", **arguments)[1]["memories"]]


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ({"year": 2019}, [1]),
        ({"year": {">": 2019}, "team": "infra"}, [2]),
        ({"or": [{"year": 2019}, {"not": {"team": {"contains": "infra"}}}]}, [1]),
        ({"origin": "claude-code"}, [1, 2]),
        ({"nobody": {"exists": True}}, []),
        ({}, [1, 2]),
        (None, [1, 2]),
    ],
)
def test_a_recall_lets_through_what_the_object_says(call, where, ids):
    assert sorted(found(call, where=where)) == ids


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("year=2019", "where: must be an object, not text"),
        ([{"year": 2019}], "where: must be an object, not a list"),
        ({"year": {"$gt": 2019}}, "where.year: unknown operator '$gt'; known: =, !="),
        ({"year": "2019"}, "the stored values are number; write a number without quotes"),
        ({"year": {"contains": 2}}, "contains compares text"),
        ({"year": [2019]}, "where.year: year is compared with"),
        ({"and": {}}, "where.and: must be a list"),
        ({"kind": "idea"}, "kind is never 'idea'"),
        ({"detail": "x"}, "meta.detail"),
    ],
)
def test_an_object_that_makes_no_condition_is_an_error_that_teaches(call, where, said):
    text, structured = call("recall", question="upload limit", where=where)
    assert structured is None
    assert said in text


def test_feedback_answers_with_the_new_confidence(call):
    assert call("feedback", id="#2", verdict="useful") == ("#2 counts as useful, confidence 0.60.", {"id": 2, "confidence": 0.6})
    assert found(call)[0] == 2
    assert call("feedback", id=2, verdict="noise")[1]["confidence"] == pytest.approx(0.48, abs=0.001)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"id": "1"}, "verdict: is missing"),
        ({"id": "1", "verdict": "good"}, "verdict: 'good' is not one of useful, noise"),
        ({"id": "1", "verdict": 1}, "verdict: must be text"),
        ({"verdict": "useful"}, "id: is missing"),
        ({"id": "99", "verdict": "useful"}, "there is no memory #99"),
        ({"id": "zz", "verdict": "useful"}, "id: "),
        ({"id": "1", "verdict": "useful", "confidence": 1}, "confidence: is no argument of feedback"),
    ],
)
def test_feedback_that_cannot_be_taken_is_an_error(call, arguments, said):
    text, structured = call("feedback", **arguments)
    assert structured is None
    assert said in text
