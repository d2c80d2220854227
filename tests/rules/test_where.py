"""How conditions are read: the text form and JSON, and errors that say where and what is expected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import InvalidInput
from clew.limits import WHERE_BYTES, WHERE_DEPTH, WHERE_PARTS
from clew.rules.predicates import canonical
from clew.rules.where import parsed


@pytest.mark.parametrize(
    ("text", "json"),
    [
        ("a=1", {"a": 1}),
        ("a = -1.5e2", {"a": -150}),
        ("a > .5", {"a": {">": 0.5}}),
        ("a=true AND b=FALSE", {"a": True, "b": False}),
        ("a='it''s'", None),
        (r'a="say \"hi\" \\"', {"a": 'say "hi" \\'}),
        ("a='true'", {"a": "true"}),
        ('a="12"', {"a": "12"}),
        ('a="and"', {"a": "and"}),
        ('"in"=3', {"in": 3}),
        ("a=2026-11-30", {"a": "2026-11-30"}),
        ("a.b/c=x/y", {"a.b/c": "x/y"}),
        ("日本=東京", {"日本": "東京"}),
        ("a in(1,2)and b exists", {"a": {"in": [1, 2]}, "b": {"exists": True}}),
        ("not a=1", {"not": {"a": 1}}),
        ("not not a=1", {"not": {"not": {"a": 1}}}),
        ("a=1 or b=2 or c=3", {"or": [{"a": 1}, {"b": 2}, {"c": 3}]}),
        ("(a=1 or b=2) and c=3", {"and": [{"or": [{"a": 1}, {"b": 2}]}, {"c": 3}]}),
        ("a between 1 and 2 and b=3", {"a": {"between": [1, 2]}, "b": 3}),
        ("a>1 and a<3", {"a": {">": 1, "<": 3}}),
    ],
)
def test_text_and_json_say_the_same(text, json):
    if json is None:
        with pytest.raises(InvalidInput, match="expected and, or, the end"):
            parsed(text)
    else:
        assert parsed(text) == parsed(json)


@pytest.mark.parametrize("nothing", [None, {}])
def test_no_condition_is_none(nothing):
    assert parsed(nothing) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", r"the text ends at character 1; expected a name, not, \("),
        ("   ", "the text ends at character 1"),
        ("year", "the text ends at character 5; expected =, !=, <"),
        ("year like 3", "unknown operator 'like' at character 6"),
        ("year =~ 3", "unknown operator '=~' at character 6"),
        ("year == 3", "unknown operator '=='"),
        ("year=", "the text ends at character 6; expected a number, a text, true, false"),
        ("year= and b=1", "'and' stands at character 7; expected a number"),
        ("a=1 b=2", "'b' stands at character 5; expected and, or, the end"),
        ("(a=1", r"the text ends at character 5; expected and, or, \)"),
        ("a=1)", r"'\)' stands at character 4"),
        ("a in 1", r"'1' stands at character 6; expected \("),
        ("a in ()", r"'\)' stands at character 7"),
        ("a in (1", "expected ,"),
        ("a between 1 or 2", "'or' stands at character 13; expected and"),
        ('a="open', "a quote is not closed"),
        ("and a=1", "'and' stands at character 1; expected a name"),
        ("a and b", "'and' stands at character 3; expected =, !="),
        ("a=\ud800", "surrogate"),
        ("a=\0", "NUL"),
        ("a=" + "x" * WHERE_BYTES, "longer than 8,192 bytes"),
        ("(" * (WHERE_DEPTH + 1) + "a=1", f"nested more than {WHERE_DEPTH} deep"),
        ("not " * (WHERE_DEPTH + 1) + "a=1", f"nested more than {WHERE_DEPTH} deep"),
        (f"a in ({','.join(['1'] * WHERE_PARTS)})", f"the limit is {WHERE_PARTS}"),
    ],
)
def test_what_cannot_be_read_says_where_and_what_is_expected(text, problem):
    with pytest.raises(InvalidInput, match=problem) as refused:
        parsed(text)
    assert refused.value.field == "where"


def nested(depth):
    """An object of that many nots within one another."""
    return {"not": nested(depth - 1)} if depth else {"a": 1}


@pytest.mark.parametrize(
    ("json", "problem"),
    [
        (3, "must be text such as year>=2019 .* or a JSON object, not int"),
        ([{"a": 1}], "not list"),
        ({"a": None}, "where.a: a is compared with a text, a number or a bool, not with none"),
        ({"a": [1, 2]}, "where.a: "),
        ({"a": {}}, "where.a: names no operator; known: =, !="),
        ({"a": {"$gt": 1}}, r"where.a: unknown operator '\$gt'"),
        ({"a": {"in": 1}}, "where.a.in: must be a list"),
        ({"a": {"in": []}}, "in needs at least one value"),
        ({"a": {"between": [1]}}, "must be a list of two values"),
        ({"a": {"exists": 1}}, "where.a.exists: must be true or false"),
        ({"and": []}, "where.and: must be a list of objects, at least one"),
        ({"or": {"a": 1}}, "where.or: must be a list"),
        ({"or": [{"a": 1}, 3]}, r"where.or\[1\]: must be an object"),
        ({"not": [1]}, "where.not: must be an object"),
        ({"and": [{}]}, r"where.and\[0\]: must be an object with at least one condition"),
        ({1: 2}, "must be text, not int"),
        ({"a": 10**400}, "not a number that metadata holds"),
        ({"a": float("nan")}, "not a number that metadata holds"),
        ({"a": "\ud800"}, "surrogate"),
        (nested(WHERE_DEPTH + 2), "deep"),
        (nested(900), "deep"),
    ],
)
def test_an_object_that_makes_no_condition_says_which_part(json, problem):
    with pytest.raises(InvalidInput, match=problem) as refused:
        parsed(json)
    assert refused.value.field == "where"


@given(st.text(max_size=60) | st.text(alphabet="ab=<>!()'\" ,.12andortin", max_size=40))
def test_any_text_is_read_or_refused_by_name(text):
    try:
        found = parsed(text)
    except InvalidInput as refused:
        assert refused.field == "where"
    else:
        assert parsed(canonical(found)) == found
