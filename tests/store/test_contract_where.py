"""What every backend promises of `where`: it lets through exactly what the rule says, at any selectivity, in every search."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from specimens import ANY, EVERYTHING, SATURATION, ids_of, kept, memory, vector

from clew.model import Predicate, Source, Strength
from clew.rules.predicates import FIELDS, matches
from clew.rules.where import parsed
from clew.store import sql_where, sqlite_index
from clew.store.searches import Asked, Document

KEYS = ("a", "b", 'c"d\\', "kind")
TEXTS = ("", "x", "X", "xy", "é", "日本", "a'b", "%_")
NUMBERS = (-1.5, 0, 1, 2, 2**53 - 1)
scalars = st.sampled_from((*TEXTS, *NUMBERS, True, False))


@st.composite
def comparisons(draw):
    """A comparison that makes sense, of metadata or of a field."""
    name = draw(st.sampled_from([f"meta.{key}" for key in KEYS] * 3 + sorted({name for name, _ in FIELDS.values()})))
    kind = draw(st.sampled_from(("text", "number", "bool"))) if name.startswith("meta.") else FIELDS[name][1]
    few = {"text": (*TEXTS, "fact", "test"), "number": NUMBERS, "bool": (True, False), "time": (0, 2, 5)}[kind]
    value = st.sampled_from(few).map(lambda v: v if isinstance(v, str | bool) else float(v))
    ops = ["=", "!=", "in", "exists"] + ([] if kind == "bool" else ["<", "<=", ">", ">=", "between"]) + ["contains"] * (kind == "text")
    op = draw(st.sampled_from(ops))
    if op == "exists":
        return Predicate(op, name)
    count = {"in": draw(st.integers(1, 3)), "between": 2}.get(op, 1)
    values = [draw(value.filter(bool) if op == "contains" else value) for _ in range(count)]
    return Predicate(op, name, kind, tuple(sorted(values) if op == "between" else values))


predicates = st.recursive(
    comparisons(),
    lambda inner: (
        st.builds(lambda p: Predicate("not", parts=(p,)), inner)
        | st.builds(lambda op, ps: Predicate(op, parts=tuple(ps)), st.sampled_from(("and", "or")), st.lists(inner, min_size=2, max_size=3))
    ),
    max_leaves=6,
)

described = st.lists(
    st.builds(
        lambda **fields: fields,
        metadata=st.dictionaries(st.sampled_from(KEYS), scalars, max_size=3),
        kind=st.sampled_from(("fact", "decision")),
        origin=st.sampled_from(("test", "x")),
        source=st.builds(
            Source, file=st.sampled_from((None, "x", "xy")), commit=st.sampled_from((None, "x")), session=st.sampled_from((None, "x"))
        ),
        pinned=st.booleans(),
        confidence=st.sampled_from((0.5, 1.0)),
        strength=st.builds(Strength, st.just(3600.0), st.just(5.0), st.just(0.0), uses=st.integers(0, 2)),
        valid_from=st.sampled_from((None, 1.0, 5.0)),
    ),
    min_size=1,
    max_size=8,
)


def emptied(store):
    with store.transaction():
        for m in store.select([p.id for p in store.projects()], EVERYTHING, limit=10**6):
            store.erase(m.id)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(described, predicates)
def test_what_passes_is_what_the_rule_says(store, project, fields, where):
    emptied(store)
    numbers = kept(store, project, *(memory(n, **f) for n, f in enumerate(fields)))
    which = EVERYTHING._replace(where=where)
    due = {m.id for m in store.fetch(numbers).values() if matches(where, m)}
    assert set(ids_of(store.select([project], which, limit=99))) == due
    assert store.count([project], which) == len(due)
    for select, values in sql_where.drives([project], where):
        assert {row[0] for row in store._rows(select, values)} >= due


def test_the_store_and_the_rule_know_the_same_fields():
    assert set(sql_where.FIELDS) == {name for name, _ in FIELDS.values()}


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("n=1", "metadata_values (project=? AND key=? AND type=? AND number=?"),
        ("n between 1 and 2", "metadata_values (project=? AND key=? AND type=? AND number>? AND number<?"),
        ("n in (1, 2)", "metadata_values (project=? AND key=? AND type=? AND number=?"),
        ("live=true", "metadata_values (project=? AND key=? AND type=? AND number=?"),
        ("team=x", "metadata_values (project=? AND key=? AND type=? AND number=? AND text=?"),
        ("team<x", "metadata_values (project=? AND key=? AND type=? AND number=? AND text<?"),
        ("team contains x", "metadata_values (project=? AND key=? AND type=? AND number=?"),
        ("n exists", "metadata_values (project=? AND key=?"),
        ("origin=x", "memories_origin (project=? AND origin=?"),
        ("source.file=x", "memories_file (project=? AND <expr>=?"),
        ("source.commit in (x, y)", "memories_commit (project=? AND <expr>=?"),
        ("session=x", "memories_turns (project=? AND session=?"),
        ("recorded_at>=1", "memories_recent (project=? AND recorded_at>?"),
    ],
)
def test_what_a_search_starts_from_is_read_from_an_index_by_its_value(store, project, text, index):
    ((select, values),) = sql_where.drives([project, project + 1], parsed(text))
    plan = " ".join(row[3] for row in store._rows(f"EXPLAIN QUERY PLAN {select}", values))
    assert index in plan
    assert "SCAN" not in plan


def test_where_no_index_leads_the_search_starts_from_every_memory(store, project):
    for text in ("not n=1", "uses>1", "n=1 or uses>1"):
        assert sql_where.drives([project], parsed(text)) == []
    assert len(sql_where.drives([project], parsed("n=1 and uses>1 and (m=2 or origin=x)"))) == 2


def by_words(store, scope, which, limit=10):
    return store.lexical(scope, [Asked("w", 1.0, ("w",))], which, limit=limit, saturation=SATURATION).ids


@pytest.mark.parametrize("narrow", [1, 7, 5_000])
@pytest.mark.parametrize(
    ("text", "passing"),
    [
        ("n=150", [150]),
        ("n>=0 and n=150", [150]),
        ("n=150 or n=160", [150, 160]),
        ("not n!=150", [150]),
        ("even=true and not n<190", [190, 192, 194, 196, 198]),
        ("session=s7 or source.file=f9", [7, 9]),
        ("n between 3 and 5 and recorded_at <= 4", [3, 4]),
        ("n=150 and n=160", []),
        ("kind=decision or n=1", [1]),
    ],
)
def test_a_search_looks_at_every_memory_that_passes_however_few(store, project, monkeypatch, narrow, text, passing):
    monkeypatch.setattr(sqlite_index, "NARROW", narrow)
    fields = ({"metadata": {"n": n, "even": n % 2 == 0}, "source": Source(file=f"f{n}", session=f"s{n}")} for n in range(200))
    numbers = kept(store, project, *(memory(n, **f) for n, f in enumerate(fields)))
    chance = random.Random(3)
    with store.transaction():
        store.index([Document(n, project, {"w": 1 + n % 3}, 3, vector(chance)) for n in numbers])
    which, due = ANY._replace(where=parsed(text)), {numbers[n] for n in passing}
    assert set(by_words(store, [project], which)) == due
    assert set(store.nearest([project], vector(chance), which, limit=10).cosines) >= due
    assert set(ids_of(store.select([project], which, limit=10))) == due
    assert set(by_words(store, [project], which)) == due  # what was read is used again


def test_true_and_one_are_told_apart_by_a_search_that_has_just_asked_for_the_other(store, project):
    one, true = kept(store, project, memory(1, metadata={"a": 1}), memory(2, metadata={"a": True}))
    with store.transaction():
        store.index([Document(n, project, {"w": 1}, 1) for n in (one, true)])
    assert by_words(store, [project], ANY._replace(where=parsed("a=1"))) == [one]
    assert by_words(store, [project], ANY._replace(where=parsed("a=true"))) == [true]


def test_metadata_is_found_by_what_it_is_now_and_where_it_belongs_now(store, project):
    (number,) = kept(store, project, memory(1, metadata={"a": 1, "b": "x"}))
    with store.transaction():
        other = store.add_project(uid="uid:two", name="two", path="", at=0.0)
        store.save(store.fetch([number])[number]._replace(metadata={"a": "one"}), other)

    def found(text, scope):
        return ids_of(store.select(scope, ANY._replace(where=parsed(text)), limit=9))

    assert (found("a=one", [other]), found("a=1", [other]), found("b exists", [other]), found("a=one", [project])) == ([number], [], [], [])
    assert store.metadata_types([project], ["a"]) == {"a": []}
    assert store.metadata_types([other, project], ["a", "b"]) == {"a": ["text"], "b": []}
    with store.transaction():
        store.erase(number)
    assert store.metadata_types([other], ["a"]) == {"a": []}


def test_each_type_that_a_scope_holds_by_a_key_is_told(store, project):
    kept(store, project, *(memory(n, metadata={"a": value}) for n, value in enumerate((1, 2.5, "x", True))))
    assert store.metadata_types([project], ["a", "no"]) == {"a": ["bool", "number", "text"], "no": []}


def test_the_extent_of_a_scope_is_known(store, project):
    assert store.extent([project]) == store.extent([]) == (0.0, 0.0, False)
    kept(store, project, memory(3), memory(8), memory(5))
    assert store.extent([project, project + 1]) == (3.0, 8.0, False)
    (judged,) = kept(store, project, memory(4, confidence=0.6, confidence_at=7.0))
    assert store.extent([project + 1, project]) == (3.0, 8.0, True)
    assert store.experience([judged, 999]) == {judged: (4.0, 0.6, 7.0)}


def test_a_rebuild_of_the_index_brings_back_the_values_of_metadata(store, project):
    (number,) = kept(store, project, memory(1, metadata={"a": 1, "b": "x", "c": False, 'd"\\é': 0.5}))
    with store.transaction():
        store._rows("DELETE FROM metadata WHERE key = 'a'")
        store._rows("UPDATE metadata SET text = 'y' WHERE key = 'b'")
    assert any("3 values of metadata" in line and "clew reindex" in line for line in store.check())
    with store.transaction():
        store.wipe_index()
    assert store.check() == []
    assert ids_of(store.select([project], ANY._replace(where=parsed("a=1 and b=x and c=false and 'd\"\\\\é'=0.5")), limit=9)) == [number]
