"""What every backend promises about links and mentions as one graph."""

import pytest
from specimens import ANY, EVERYTHING, NOW, kept, memory

from clew.model import Entity
from clew.store.graph import DEGREE_MOST


@pytest.fixture
def ids(store, project):
    """Six memories of one project."""
    return kept(store, project, *map(memory, range(1, 7)))


def link(store, *edges):
    """Typed links (src, relation, dst) in one transaction."""
    with store.transaction():
        for src, relation, dst in edges:
            store.add_link(src, relation, dst, at=5.0, origin="test")


def name(store, project, entity, *memories):
    """An entity of the project that these memories mention."""
    with store.transaction():
        store._rows("INSERT INTO entities (id, project, kind, name) VALUES (?, ?, 'file', ?)", (entity, project, f"{entity}.py"))
        for number in memories:
            store._rows("INSERT INTO mentions (memory, entity) VALUES (?, ?)", (number, entity))


def rows(store, *nodes, most=64):
    """The edges of these nodes, in order."""
    return sorted(store.edges_of(nodes, most=most).rows)


def test_a_store_without_links_and_names_says_so(store, project, ids):
    assert not store.has_edges([project])
    link(store, (ids[0], "because", ids[1]))
    assert store.has_edges([project])


def test_a_name_alone_is_a_reason_to_look_in_its_own_project_only(store, project, ids):
    name(store, project, 3, ids[0])
    assert store.has_edges([project])
    assert not store.has_edges([project + 1])


def test_links_are_seen_from_both_ends_with_time_and_origin(store, ids):
    a, b, c, *_ = ids
    link(store, (a, "because", b), (c, "fixes", a))
    assert rows(store, a) == [(a, b, "because", True, 5.0, "test"), (a, c, "fixes", False, 5.0, "test")]
    assert rows(store, b) == [(b, a, "because", False, 5.0, "test")]


def test_mentions_are_edges_between_a_memory_and_the_negative_of_an_entity(store, project, ids):
    name(store, project, 3, ids[0], ids[1])
    assert rows(store, ids[0]) == [(ids[0], -3, "mentions", True, None, "")]
    assert [row[:4] for row in rows(store, -3)] == [(-3, ids[0], "mentions", False), (-3, ids[1], "mentions", False)]


def test_degrees_count_every_direction_and_stop_at_a_bound(store, project, ids):
    a, b, c, *_ = ids
    link(store, (a, "because", b), (c, "fixes", a))
    name(store, project, 3, a)
    many = kept(store, project, *map(memory, range(10, 10 + DEGREE_MOST + 5)))
    link(store, *((a, "knows", m) for m in many))
    assert store.degrees([b, c, -3, 999]) == {b: 1, c: 1, -3: 1, 999: 0}
    assert store.degrees([a])[a] == DEGREE_MOST + 2


def test_of_a_hub_only_so_many_edges_come_in_each_direction(store, project, ids):
    a, b, *others = ids
    link(store, *((a, "because", other) for other in others), (a, "fixes", b))
    assert [row[:3] for row in rows(store, a, most=2)] == [(a, b, "fixes"), (a, others[-1], "because")]
    name(store, project, 3, *ids)
    assert [row[1] for row in rows(store, -3, most=2)] == ids[-2:]
    assert len(rows(store, a, -3, most=64)) == 5 + 1 + 6


def test_only_memories_of_the_scope_that_pass_the_filter_are_admitted(store, project, ids):
    with store.transaction():
        other = store.add_project(uid="uid:two", name="two", path="", at=0.0)
    foreign = kept(store, other, memory(50))
    ended, expired = kept(store, project, memory(51, status="superseded"), memory(52, expires_at=NOW - 1))
    asked = [*ids, *foreign, ended, expired, 999]
    assert store.admitted(asked, [project], ANY) == set(ids)
    assert store.admitted(asked, [project, other], EVERYTHING) == {*ids, *foreign, ended, expired}


def test_the_first_that_pass_come_in_the_order_asked_and_no_more_than_wanted(store, project, ids):
    with store.transaction():
        other = store.add_project(uid="uid:two", name="two", path="", at=0.0)
    foreign = kept(store, other, memory(50))
    ended, expired = kept(store, project, memory(51, status="superseded"), memory(52, expires_at=NOW - 1))
    asked = [999, ended, *reversed(ids), *foreign, expired]
    found = store.passing(asked, [project], ANY, limit=9)
    assert found == [store.fetch([i])[i] for i in reversed(ids)]
    assert [m.id for m in store.passing(asked, [project], ANY, limit=2)] == ids[:-3:-1]
    assert [m.id for m in store.passing(asked, [project, other], EVERYTHING, limit=99)] == asked[1:]
    assert store.passing([], [project], ANY, limit=9) == []


def test_entities_come_by_number_from_the_scope_only(store, project, ids):
    name(store, project, 3, ids[0])
    assert store.entities([3, 4], [project]) == {3: Entity(3, "file", "3.py")}
    assert store.entities([3], [project + 1]) == {}


def test_a_forgotten_memory_leaves_no_edge_behind(store, project, ids):
    link(store, (ids[0], "because", ids[1]))
    name(store, project, 3, ids[0])
    with store.transaction():
        store.erase(ids[0])
    assert rows(store, ids[1]) == []
    assert not store.has_edges([project])


def test_a_scope_says_whether_anything_in_it_was_superseded(store, project, ids):
    assert not store.has_superseded([project])
    kept(store, project, memory(60, status="done"))
    assert not store.has_superseded([project])
    kept(store, project, memory(61, status="superseded"))
    assert store.has_superseded([project])
    assert not store.has_superseded([project + 1])
