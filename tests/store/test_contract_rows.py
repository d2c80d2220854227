"""What every backend promises of rows: transactions, projects, memories, filters, links, log, sessions, settings, erasing."""

import re

import pytest
from specimens import ANY, EVERYTHING, NOW, ids_of, kept, memory

from clew.errors import NotFound, StoreBusy, StoreError
from clew.model import Filter, Pointer, Source, Strength
from clew.store import sql


class Interrupted(Exception):
    """Raised inside a transaction by these tests."""


def test_a_transaction_keeps_all_or_nothing(store, project):
    with pytest.raises(Interrupted), store.transaction():
        store.insert(memory(1), project)
        store.set_setting("colour", "red")
        raise Interrupted
    assert store.latest() == 0
    assert store.setting("colour") is None
    assert kept(store, project, memory(1)) != []


def test_transactions_do_not_nest(store):
    with store.transaction(), pytest.raises(StoreBusy, match="do not nest"), store.transaction():
        pass
    with store.transaction():
        store.set_setting("after", "fine")
    assert store.setting("after") == "fine"


def test_a_project_is_found_by_any_of_its_keys_and_keys_stay_with_the_first(store, project):
    with store.transaction():
        store.claim_keys(project, ["git:a", "root:b"])
        other = store.add_project(uid="uid:two", name="two", path="", at=0.0)
        store.claim_keys(other, ["root:b", "name:two"])
    assert store.project_for(["nobody", "root:b"]) == project
    assert store.project_for(["name:two", "git:a"]) == other
    assert store.project_for(["nobody"]) is None


def test_projects_are_listed_by_name_with_what_they_hold(store, project):
    kept(store, project, memory(1), memory(2))
    with store.transaction():
        store.add_project(uid="uid:a", name="a", path="/a", at=0.0)
    assert [(p.name, p.path, p.memories) for p in store.projects()] == [("a", "/a", 0), ("one", "/one", 2)]
    assert store.project_uid(project) == "uid:one"
    with pytest.raises(NotFound):
        store.project_uid(project + 100)
    assert store.project_name(project) == "one"
    with pytest.raises(NotFound):
        store.project_name(project + 100)


def test_a_taken_project_name_gets_a_suffix(store, project):
    with store.transaction():
        store.add_project(uid="uid:2", name="one", path="", at=0.0)
        third = store.add_project(uid="uid:3", name="one", path="", at=0.0)
        store.rename_project(third, path="/third")
    assert {(p.name, p.path) for p in store.projects()} == {("one", "/one"), ("one~2", ""), ("one~3", "/third")}


def test_a_dropped_project_hands_over_its_keys_log_and_sessions(store, project):
    with store.transaction():
        gone = store.add_project(uid="uid:gone", name="gone", path="", at=0.0)
        store.claim_keys(gone, ["git:gone"])
        store.write_log(gone, "seen", text="a line", origin="test", at=1.0)
        store.advance_session("s1", gone, "client", at=1.0, turns=1)
    with store.transaction():
        store.drop_project(gone, into=project)
    assert store.project_for(["git:gone"]) == project
    assert [line["text"] for line in store.read_log(project, limit=5)] == ["a line"]
    assert [p.name for p in store.projects()] == ["one"]


def test_every_field_of_a_memory_comes_back(store, project):
    before = memory(
        7,
        kind="decision",
        status="done",
        summary="ünïcode — 汉字 🎈",
        detail="two\nlines",
        tags=("b", "a"),
        metadata={"n": 1, "f": 1.5, "yes": True, "s": "x"},
        source=Source("f.py", "abc", "session", 3, (1, 2)),
        pointers=(Pointer("src/x.py", "f", 3, "ff"), Pointer("y")),
        updated_at=9.5,
        seen=4,
        strength=Strength(1.5, 2.5, 3.5, 4, 5),
        pinned=True,
        valid_from=1.0,
        valid_to=2.0,
        expires_at=3.0,
        ended_at=4.0,
        reason="why",
        stale=True,
        confidence=0.25,
        credit=-0.5,
    )
    (number,) = kept(store, project, before)
    assert store.fetch([number]) == {number: before._replace(id=number)}
    changed = before._replace(id=number, summary="other", tags=("c",), status="active", pinned=False)
    with store.transaction():
        store.save(changed, project)
    assert store.fetch([number]) == {number: changed}


def test_unknown_numbers_are_left_out_and_many_can_be_fetched(store, project):
    numbers = kept(store, project, *(memory(i) for i in range(1_100)))
    assert set(store.fetch([*numbers, 10**9])) == set(numbers)
    assert store.fetch([]) == {}
    assert store.latest() == max(numbers)


def test_a_number_is_never_given_twice(store, project):
    first, second = kept(store, project, memory(1), memory(2))
    with store.transaction():
        store.erase(second)
    assert kept(store, project, memory(3))[0] > second > first


def test_a_digest_is_found_by_its_beginning(store, project):
    a, b, _ = kept(store, project, memory(1, digest="abcdef" + "0" * 26), memory(2, digest="abcdef" + "f" * 26), memory(3, digest="b" * 32))
    assert store.find_digest("abcdef") == [a, b]
    assert store.find_digest("abcdeff") == [b]
    assert store.find_digest("abcdee") == []
    assert store.find_digest("abcdef" + "0" * 26) == [a]


def test_at_most_ten_of_one_beginning_are_named(store, project):
    kept(store, project, *(memory(i, digest=f"abcdef{i:026x}") for i in range(15)))
    assert len(store.find_digest("abcdef")) == 10


def test_the_owner_of_a_memory_is_its_project(store, project):
    (number,) = kept(store, project, memory(1))
    assert store.owner(number) == project
    with pytest.raises(NotFound):
        store.owner(number + 1)


WORLD = {
    "plain": {},
    "tagged": {"tags": ("red", "blue")},
    "half tagged": {"tags": ("red",)},
    "decision": {"kind": "decision"},
    "superseded": {"status": "superseded", "ended_at": 500.0},
    "done": {"status": "done", "ended_at": 900.0},
    "expired": {"expires_at": NOW},
    "expires later": {"expires_at": NOW + 1},
    "valid later": {"valid_from": NOW + 1},
    "valid since": {"valid_from": 100.0},
    "no longer valid": {"valid_from": 100.0, "valid_to": 400.0},
}
USUAL = {"plain", "tagged", "half tagged", "decision", "expires later", "valid since"}
ENDED = {"superseded", "done", "valid later", "no longer valid"}


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        (ANY, USUAL),
        (Filter(NOW, kinds=("decision",)), {"decision"}),
        (Filter(NOW, kinds=("decision", "fact")), USUAL),
        (Filter(NOW, tags=("red",)), {"tagged", "half tagged"}),
        (Filter(NOW, tags=("red", "blue")), {"tagged"}),
        (Filter(NOW, tags=("nobody's",)), set()),
        (Filter(NOW, statuses=("done",)), {"done"}),
        (Filter(NOW, statuses=("superseded", "done")), {"superseded", "done"}),
        (Filter(NOW, include_superseded=True), USUAL | ENDED),
        (Filter(NOW, since=200.0), USUAL - {"valid since"}),
        (Filter(NOW, until=200.0), {"valid since"}),
        (Filter(NOW, since=100.0, until=100.5), {"valid since"}),
        (Filter(NOW, as_of=250.0), {"valid since", "no longer valid"}),
        (Filter(NOW, as_of=499.0), USUAL | {"superseded", "done"}),
        (Filter(NOW, as_of=500.0), USUAL | {"done"}),
        (Filter(NOW, as_of=950.0), USUAL),
        (Filter(NOW, as_of=950.0, include_superseded=True), USUAL | {"superseded", "done", "no longer valid"}),
        (Filter(NOW, as_of=NOW + 1), USUAL | {"valid later"}),
        (Filter(NOW, spoken=(300.0, 400.0)), USUAL | {"no longer valid"}),
        (Filter(NOW, spoken=(400.0, 500.0)), USUAL),
        (Filter(NOW, spoken=(NOW + 1, float("inf"))), USUAL | {"valid later"}),
        (Filter(NOW, spoken=(float("-inf"), 101.0)), USUAL | {"no longer valid"}),
        (Filter(NOW, spoken=(float("-inf"), 100.0)), USUAL),
        (Filter(NOW + 5), USUAL - {"expires later"} | {"valid later"}),
        (Filter(50.0), (USUAL | {"expired"}) - {"valid since"}),
        (EVERYTHING, set(WORLD)),
    ],
)
def test_a_filter_lets_through_what_it_names(store, project, which, expected):
    numbers = kept(store, project, *(memory(300 + i, **fields) for i, fields in enumerate(WORLD.values())))
    names = dict(zip(numbers, WORLD, strict=True))
    assert {names[m.id] for m in store.select([project], which, limit=99)} == expected
    assert store.count([project], which) == len(expected)
    assert {names[m.id] for m in store.strongest([project], which, limit=99)} == expected


@pytest.mark.parametrize(("asked", "which"), [(sql.counted, ANY), (sql.hidden, ANY), (sql.hidden, Filter(NOW, include_superseded=True))])
@pytest.mark.parametrize("scope", [[1], [1, 2]])
def test_what_a_plain_filter_keeps_back_and_lets_through_is_told_without_a_row_of_the_rest(store, asked, which, scope):
    statement, values = asked(scope, which)
    steps = [row[3] for row in store._rows(f"EXPLAIN QUERY PLAN {statement}", values) if " m " in row[3]]
    index = re.compile("USING (?:COVERING INDEX .*status[=<>]|INDEX memories_timed)")
    assert steps and all(index.search(step) for step in steps)


def test_memories_come_newest_first_or_in_order_of_their_numbers(store, project):
    old, new, middle = kept(store, project, memory(1), memory(30), memory(20))
    assert ids_of(store.select([project], ANY, limit=9)) == [new, middle, old]
    assert ids_of(store.select([project], ANY, limit=2)) == [new, middle]
    assert ids_of(store.select([project], ANY, limit=9, newest=False)) == [old, new, middle]
    assert ids_of(store.select([project], ANY, limit=9, newest=False, after=new)) == [middle]


def test_the_strongest_are_pinned_then_used_then_new(store, project):
    old, used, new, pinned = kept(
        store, project, memory(1), memory(2, strength=Strength(1.0, 5.0, 0.0, uses=3)), memory(9), memory(0, pinned=True)
    )
    assert ids_of(store.strongest([project], ANY, limit=9)) == [pinned, used, new, old]
    assert ids_of(store.strongest([project], ANY, limit=1)) == [pinned]


def test_a_scope_sees_its_projects_and_no_other(store, project):
    with store.transaction():
        other = store.add_project(uid="uid:two", name="two", path="", at=0.0)
    (mine,), (theirs,) = kept(store, project, memory(1, tags=("t",))), kept(store, other, memory(2, tags=("t",)))
    assert ids_of(store.select([project], Filter(NOW, tags=("t",)), limit=9)) == [mine]
    assert ids_of(store.select([other, project], ANY, limit=9)) == [theirs, mine]
    assert store.fetch([theirs])[theirs].project == "two"


def test_a_memory_moves_with_its_tags(store, project):
    (number,) = kept(store, project, memory(1, tags=("t",)))
    with store.transaction():
        other = store.add_project(uid="uid:two", name="two", path="", at=0.0)
        store.save(store.fetch([number])[number], other)
    assert store.owner(number) == other
    assert ids_of(store.select([other], Filter(NOW, tags=("t",)), limit=9)) == [number]
    assert store.select([project], Filter(NOW, tags=("t",)), limit=9) == []


def test_the_expired_are_named_oldest_first(store, project):
    late, never, early = kept(store, project, memory(1, expires_at=20.0), memory(2), memory(3, expires_at=10.0))
    assert store.expired(20.0, 9) == [early, late]
    assert store.expired(20.0, 1) == [early]
    assert store.expired(19.9, 9) == [early]
    assert never not in store.expired(1e12, 9)


def test_turns_are_told_of_memories_that_came_from_one(store, project):
    a, b, c = kept(store, project, memory(1, source=Source(session="s", turn=3)), memory(2), memory(3, source=Source(session="s")))
    assert store.turns([a, b, c]) == {a: ("s", 3)}
    assert store.turns([b]) == {}


def test_links_are_kept_once_and_found_from_both_ends(store, project):
    a, b, c = kept(store, project, memory(1), memory(2), memory(3))
    with store.transaction():
        assert store.add_link(a, "because", b, at=1.0, origin="test")
        assert not store.add_link(a, "because", b, at=2.0, origin="again")
        assert store.add_link(a, "fixes", b, at=3.0, origin="test")
        assert store.add_link(b, "because", c, at=4.0, origin="test")
    assert sorted(store.links_of([a])) == [(a, "because", b, 1.0, "test"), (a, "fixes", b, 3.0, "test")]
    assert len(store.links_of([b])) == 3
    assert store.links_of([c]) == [(b, "because", c, 4.0, "test")]
    assert store.links_of([]) == []


def test_the_log_is_read_newest_first_and_by_memory(store, project):
    (number,) = kept(store, project, memory(1))
    with store.transaction():
        store.write_log(project, "seen", text="one", origin="test", at=1.0, memory=number)
        store.write_log(project, "told", text="two", origin="test", at=2.0, session="s", turn=4)
    lines = store.read_log(project, limit=9)
    assert [(line["event"], line["text"], line["memory"], line["session"], line["turn"]) for line in lines] == [
        ("told", "two", None, "s", 4),
        ("seen", "one", number, None, None),
    ]
    assert [line["text"] for line in store.read_log(project, limit=9, memory=number)] == ["one"]
    assert [line["text"] for line in store.read_log(project, limit=1)] == ["two"]


def test_a_session_counts_its_turns_and_knows_what_it_was_shown(store, project):
    a, b = kept(store, project, memory(1), memory(2))
    with store.transaction():
        assert store.advance_session("s", project, "client", at=1.0, turns=1) == 1
        assert store.advance_session("s", project, "client", at=5.0, turns=2) == 3
        store.mark_shown("s", [(a, 1.0), (b, 2.0)])
        store.mark_shown("s", [(a, 7.0), (10**9, 1.0)])
    assert store.shown("s") == {a: 7.0, b: 2.0}
    assert store.shown("other") == {}
    with store.transaction():
        store.end_session("s", at=6.0, keep_since=5.0)
    assert store.shown("s") == {a: 7.0, b: 2.0}
    with store.transaction():
        store.forget_shown("s")
    assert store.shown("s") == {}


def test_what_long_dead_sessions_were_shown_is_dropped(store, project):
    (a,) = kept(store, project, memory(1))
    with store.transaction():
        for session, at in (("old", 1.0), ("new", 9.0)):
            store.advance_session(session, project, "client", at=at, turns=1)
            store.mark_shown(session, [(a, 1.0)])
        store.end_session("new", at=9.0, keep_since=5.0)
    assert store.shown("old") == {}
    assert store.shown("new") == {a: 1.0}


def test_settings_are_kept_replaced_and_dropped(store):
    with store.transaction():
        store.set_setting("k", "1")
        store.set_setting("k", "2")
    assert store.setting("k") == "2"
    with store.transaction():
        store.set_setting("k", None)
        store.set_setting("never", None)
    assert store.setting("k") is None


def test_erasing_takes_along_all_that_hangs_on_a_memory_and_says_how_much(store, project):
    a, b, c = kept(store, project, memory(1, tags=("t",)), memory(2), memory(3))
    with store.transaction():
        store.save(store.fetch([b])[b]._replace(status="superseded", successor=a), project)
        store.add_link(a, "because", b, at=1.0, origin="test")
        store.add_link(c, "because", a, at=1.0, origin="test")
        store.write_log(project, "seen", text="x", origin="test", at=1.0, memory=a)
        store.write_log(project, "seen", text="y", origin="test", at=1.0, memory=b)
        store.advance_session("s", project, "client", at=1.0, turns=1)
        store.mark_shown("s", [(a, 1.0), (b, 1.0)])
    with store.transaction():
        gone = store.erase(a)
    assert (gone["links"], gone["log"], gone["memories"]) == (2, 1, 1)
    assert set(store.fetch([a, b, c])) == {b, c}
    assert store.fetch([b])[b].successor is None
    assert store.links_of([a, b, c]) == []
    assert [line["text"] for line in store.read_log(project, limit=9)] == ["y"]
    assert store.shown("s") == {b: 1.0}
    assert store.select([project], Filter(NOW, tags=("t",)), limit=9) == []
    with store.transaction():
        assert store.erase(a)["memories"] == 0


def test_facts_count_what_there_is(store, project):
    kept(store, project, memory(1), memory(2))
    facts = store.facts()
    assert (facts["projects"], facts["memories"], facts["links"], facts["writable"]) == (1, 2, 0, True)


def test_a_sound_store_has_nothing_to_say_and_a_backup_is_whole(store, project, tmp_path):
    (number,) = kept(store, project, memory(1))
    assert store.check() == []
    store.backup(str(tmp_path / "copy.db"))
    copy = type(store)(str(tmp_path / "copy.db"))
    assert set(copy.fetch([number])) == {number}
    assert copy.check() == []
    copy.close()


def test_closing_twice_is_fine_and_a_closed_store_says_so(store):
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.fetch([1])
