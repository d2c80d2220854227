"""What a condition means: of which memories it is true, how it is written canonically, and which make no sense."""

import pytest

from clew.errors import InvalidInput
from clew.model import Memory, Predicate, Source, Strength
from clew.rules.predicates import canonical, fit, matches, names
from clew.rules.where import parsed

MEMORY = Memory(
    id=7,
    digest="0" * 32,
    project="p",
    kind="decision",
    status="active",
    summary="s",
    detail="",
    tags=(),
    metadata={"year": 2019, "ratio": 0.5, "team": "infra", "live": True, "kind": "soft", "empty": "", "a b": 1},
    origin="codex",
    source=Source(file="src/a.py", session="s1"),
    pointers=(),
    recorded_at=1_767_225_600.0,  # 2026-01-01 UTC
    updated_at=1_767_225_600.0,
    seen=1,
    strength=Strength(3600.0, 5.0, 0.0, uses=3),
    pinned=True,
)


@pytest.mark.parametrize(
    "text",
    [
        "year=2019",
        "year = 2019.0",
        "year!=2018",
        "year>=2019 and year<=2019",
        "year > 2018 and not year > 2019",
        "year in (1, 2019)",
        "year between 2019 and 2020",
        "ratio<.6 or ratio<0.6",
        'team="infra"',
        "team = infra",
        "team contains 'fr'",
        "team < j",
        "live = true and live != false and live in (true)",
        "missing exists or year exists",
        "not missing exists",
        "not missing = 1",
        "not missing != 1",
        '"a b" = 1',
        "kind = decision and meta.kind = soft",
        "status=active and origin=codex",
        "source.file contains src/ and session=s1 and source.session=s1",
        "uses=3 and strength.uses>=3 and confidence=0.5",
        "pinned = true and stale = false",
        "recorded_at >= 2026-01-01 and updated_at < 2026-01-01T00:00:01Z and recorded_at = 2026-01-01T01:00+01:00",
        "recorded_at between 1767225600 and 1767225600",
        "not valid_from < 2030-01-01",
        "NOT (year=1 OR team=x) AND year EXISTS",
    ],
)
def test_what_is_so_is_true(text):
    assert matches(parsed(text), MEMORY)
    assert not matches(parsed(f"not ({text})"), MEMORY)


@pytest.mark.parametrize(
    "text",
    [
        "missing = 1",
        "missing != 1",
        "missing exists",
        'year="2019"',
        "team=1",
        "team != 1",  # another type is as good as nothing
        "live=1",
        "year=true",
        "team contains FR",
        "empty contains x",
        "source.commit exists",
        "valid_to >= 1970-01-01",
        "year=2019 and team=x",
        "a=1 or b=2",
    ],
)
def test_what_is_not_so_is_false(text):
    assert not matches(parsed(text), MEMORY)


@pytest.mark.parametrize(
    ("where", "one_spelling"),
    [
        ("year>=2019 and team=infra", {"and": [{"year": {">=": 2019}}, {"team": {"=": "infra"}}]}),
        ({"year": {">=": 2019}, "team": "infra"}, {"and": [{"year": {">=": 2019}}, {"team": {"=": "infra"}}]}),
        ("a=1 and (b=2 and c=3)", {"and": [{"a": {"=": 1}}, {"b": {"=": 2}}, {"c": {"=": 3}}]}),
        ("a=1 or b=2 and c=3", {"or": [{"a": {"=": 1}}, {"and": [{"b": {"=": 2}}, {"c": {"=": 3}}]}]}),
        ({"a": {"exists": False}}, {"not": {"a": {"exists": True}}}),
        ({"not": {"a": {"in": [1, 2]}}}, {"not": {"a": {"in": [1, 2]}}}),
        ({"or": [{"a": {"between": [1, 2]}}]}, {"a": {"between": [1, 2]}}),
        ("meta.year=1", {"year": {"=": 1}}),
        ("meta.kind=x", {"meta.kind": {"=": "x"}}),
        ("meta.summary=x and meta.or=1", {"and": [{"meta.summary": {"=": "x"}}, {"meta.or": {"=": 1}}]}),
        ("meta.meta.x=1", {"meta.meta.x": {"=": 1}}),
        ("strength.uses>1", {"uses": {">": 1}}),
    ],
)
def test_every_condition_has_one_canonical_spelling_that_reads_back_as_itself(where, one_spelling):
    assert canonical(parsed(where)) == one_spelling
    assert parsed(one_spelling) == parsed(where)


def test_numbers_and_bools_are_never_taken_for_one_another():
    assert parsed("a=1") != parsed("a=true")
    assert parsed("a=0") != parsed("a=false")


def test_the_names_asked_of_are_known_whatever_joins_them():
    assert names(parsed("not (a=1 or kind=fact) and b exists")) == {"meta.a", "meta.b", "kind"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kind=foo", "kind is never 'foo'; it is one of user, feedback"),
        ("status in (active, gone)", "status is never 'gone'"),
        ("summary contains x", "metadata of that name is meta.summary"),
        ("tags = x", "not asked this way"),
        ("a < true", "< needs an order"),
        ("a between true and false", "between needs an order"),
        ("a contains 3", 'or write it in quotes: "3"'),
        ("uses contains 3", "contains compares text"),
        ("a in (1, x)", r"several types \(number, text\)"),
        ("a between 3 and 1", "between 3 and 1 lies nothing"),
        ('a contains ""', "ask `a exists`"),
        ("pinned=1", "compared with true or false, not with 1"),
        ("session=12", "compared with a text in quotes, not with 12"),
        ("confidence=high", 'a number without quotes, not with "high"'),
        ("recorded_at>yesterday", "write 2026-11-30"),
        ("recorded_at=true", "write 2026-11-30"),
        ("valid_from < 1e300", "is no time"),
        ("meta. = 3", "the name of the metadata is empty"),
        ("a=1e999", "not a number that metadata holds"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_way_out(text, problem):
    with pytest.raises(InvalidInput, match=problem) as refused:
        parsed(text)
    assert refused.value.field == "where"


HELD = {"year": ("number",), "team": ("text",), "live": ("bool",), "mixed": ("number", "text")}


@pytest.mark.parametrize("text", ["year>1", "team contains x", "live=true", "mixed=1", "mixed=x", "never=1", "year exists", "kind=fact"])
def test_a_comparison_fits_when_some_value_there_has_its_type_or_there_is_none(text):
    assert fit(parsed(text), HELD) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('year="2019"', 'year = "2019" compares text, but the stored values are number; write a number without quotes'),
        ("year contains 20x", "stored values are number"),
        ("team<3", "stored values are text; write a text in quotes"),
        ("live=1", "write true or false"),
        ("mixed=true", "number or text; write a number without quotes or a text in quotes"),
        ("not (a=1 or year=x)", "year = "),
    ],
)
def test_a_type_that_no_stored_value_has_is_refused(text, problem):
    with pytest.raises(InvalidInput, match=problem) as refused:
        fit(parsed(text), HELD)
    assert refused.value.field == "where"


def test_a_predicate_is_a_plain_value():
    assert parsed("a=1") == Predicate("=", "meta.a", "number", (1.0,))
