"""`where` from Python: what a recall and a list let through, and what they refuse."""

import pytest

from clew import InvalidInput

QUESTION = "when do deploys freeze"


@pytest.fixture
def filled(store):
    """The store with six memories of one subject, by number."""
    facts = [
        {"year": 2019, "team": "infra"},
        {"year": 2021, "team": "web"},
        {"year": "old"},
        {},
        {"live": True},
        {"kind": "soft", "team": "web"},
    ]
    for n, metadata in enumerate(facts):
        store.remember(f"deploys freeze, case {n}", metadata=metadata, kind="decision" if n == 1 else "fact")
    store.done(4)
    return store


def found(clew, where, **how):
    return sorted(hit.memory.id for hit in clew.recall(QUESTION, where=where, **how))


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        (None, [1, 2, 3, 5, 6]),
        ({}, [1, 2, 3, 5, 6]),
        ("year>=2019", [1, 2]),
        ('year>=2019 and team="infra"', [1]),
        ({"year": {">=": 2019}, "team": "infra"}, [1]),
        ("year=old", [3]),
        ("not year exists", [5, 6]),
        ("live=true or meta.kind=soft", [5, 6]),
        ("kind=decision", [2]),
        ("nobody=1", []),
        ("status=done", [4]),
        ("status != active or year=2021", [2, 4]),
        ("origin=python and recorded_at > 2020-01-01", [1, 2, 3, 5, 6]),
    ],
)
def test_both_verbs_let_through_what_the_condition_says(filled, where, ids):
    assert found(filled, where) == ids
    assert sorted(m.id for m in filled.list(where=where)) == ids


def test_a_condition_narrows_what_other_filters_leave(filled):
    assert found(filled, "team=web", kinds=["fact"]) == [6]
    assert found(filled, "team=web", limit=1) in ([2], [6])
    assert found(filled, "not year exists", include_superseded=True) == [4, 5, 6]
    assert [m.id for m in filled.list(where="status=done", statuses=["superseded"])] == []


@pytest.mark.parametrize(
    "where", ["", "year", "year ~ 3", "team<3", 'live="yes"', "team contains 3", {"year": {"$gt": 1}}, 3, ["year=1"], "kind=x"]
)
def test_what_makes_no_sense_is_refused_and_never_an_empty_answer(filled, where):
    for verb in (lambda: filled.recall(QUESTION, where=where), lambda: filled.list(where=where)):
        with pytest.raises(InvalidInput) as refused:
            verb()
        assert refused.value.field == "where"


def test_a_type_is_held_against_the_projects_that_are_searched(filled):
    filled.remember("deploys freeze elsewhere", metadata={"team": 7}, project="other")
    assert [m.id for m in filled.list(where="team=7", project="other")] == [7]
    assert sorted(m.id for m in filled.list(where="team=7 or team=web", project="*")) == [2, 6, 7]
    with pytest.raises(InvalidInput, match="stored values are text"):
        filled.list(where="team=7")


def test_an_edit_is_seen_by_the_next_question(filled):
    filled.edit(1, metadata={"year": 1999})
    assert found(filled, "year<2000") == [1]
    assert found(filled, "team=infra") == []
    filled.forget(1)
    assert found(filled, "year<2000") == []
    assert filled.doctor() == []


def test_a_condition_finds_the_same_after_a_rebuild(filled):
    before = found(filled, "year>=2019 or live=true")
    filled.reindex()
    assert found(filled, "year>=2019 or live=true") == before
