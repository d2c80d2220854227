"""Out as JSON and in again: everything comes back, nothing is revived, and a line that is wrong is named."""

import json

import pytest

from clew import Clew, Draft, InvalidInput, Pointer, Source, Strength


@pytest.fixture
def full(store, clock):
    """A store with a memory of every shape."""
    store.remember("oldest", kind="decision")
    clock.at += 10
    store.remember("older", kind="decision", tags=["a", "b"], metadata={"year": 2019, "ok": True, "x": 0.5, "s": "t"})
    store.remember(
        "newest", detail="long\ntext", pointers=[Pointer("a.py", "f", 3, "h")], source=Source("a.py", "c", "s", 2, (1, 2)), pinned=True
    )
    store.remember("short lived", ttl=60)
    store.remember("bounded", valid_from=5.0, valid_to=10.0)
    store.supersede(2, 3, reason="newer")
    store.supersede(1, 2, reason="new")
    store.done(4, reason="over")
    store.remember("bounded")
    return store


def lines(clew, **how):
    return json.loads(json.dumps(list(clew.export_jsonl(**how))))


def shapes(clew):
    """What a store holds, but for its own numbers, names and digests."""
    own = ("id", "digest", "project", "origin", "successor", "source")
    memories = [{k: v for k, v in line.items() if k not in own} for line in lines(clew) if line["type"] == "memory"]
    names = {line["digest"]: line["summary"] for line in lines(clew) if line["type"] == "memory"}
    followed = {line["summary"]: names.get(line["successor"]) for line in lines(clew) if line["type"] == "memory"}
    drawn = {line["summary"]: [names[d] for d in line["source"]["drawn_from"]] for line in lines(clew) if line["type"] == "memory"}
    links = sorted((names[line["src"]], line["relation"], names[line["dst"]], line["at"]) for line in lines(clew) if line["type"] == "link")
    return memories, followed, drawn, links


def test_everything_comes_back_in_another_store(full, clock):
    with Clew(":memory:", project="copy", embed="hashing", clock=clock) as other:
        assert other.import_jsonl(lines(full)) == {"new": 5, "known": 0, "links": 2}
        assert shapes(other) == shapes(full)
        assert other.doctor() == []
        assert other.recall("newest")[0].memory.source.drawn_from == (1, 2)


def test_successors_that_come_later_in_the_file_are_found(full, clock):
    with Clew(":memory:", project="copy", embed="hashing", clock=clock) as other:
        other.import_jsonl(reversed(lines(full)))
        assert shapes(other)[1] == shapes(full)[1]
        assert shapes(other)[2] == shapes(full)[2]


def test_what_is_known_keeps_its_state(full):
    before = {line["summary"]: line for line in lines(full) if line["type"] == "memory"}
    assert full.import_jsonl(list(before.values())) == {"new": 0, "known": 5, "links": 0}
    for memory in full.list(statuses=("active", "superseded", "done"), limit=100):
        was = before[memory.summary]
        assert (memory.status, memory.reason, memory.seen) == (was["status"], was["reason"], was["seen"] + 1)
        assert (memory.ended_at, memory.expires_at, memory.valid_from) == (was["ended_at"], was["expires_at"], was["valid_from"])
    assert full.show(2).successor == 3
    assert full.doctor() == []


def test_the_same_line_twice_is_one_memory(store):
    assert store.import_jsonl([{"summary": "a"}, {"summary": "a", "tags": ["t"]}]) == {"new": 1, "known": 1, "links": 0}
    assert store.show(1).tags == ("t",)


def test_what_has_expired_is_not_exported(full, clock):
    clock.at += 61
    assert "short lived" not in {line.get("summary") for line in lines(full)}


def test_a_project_that_holds_nothing_exports_nothing(store):
    store.remember("here")
    store.forget(1)
    assert lines(store) == []
    assert store.import_jsonl([]) == {"new": 0, "known": 0, "links": 0}


def test_a_plain_line_needs_a_summary_only(store, clock):
    store.import_jsonl([{"summary": "plain"}])
    kept = store.show(1)
    assert (kept.kind, kept.status, kept.recorded_at, kept.seen, kept.strength.last_use) == ("fact", "active", clock.at, 1, clock.at)


STRENGTH = dict(Strength(60.0, 5.0, 1.0)._asdict())
WRONG = {
    "no object": (["x"], ""),
    "no summary": ({}, "summary"),
    "an unknown field": ({"summary": "x", "colour": 1}, "colour"),
    "an empty summary": ({"summary": " "}, "summary"),
    "an unknown kind": ({"summary": "x", "kind": "y"}, "kind"),
    "an unknown status": ({"summary": "x", "status": "y"}, "status"),
    "tags that are text": ({"summary": "x", "tags": "y"}, "tags"),
    "a tag that is a number": ({"summary": "x", "tags": [1]}, "tags"),
    "nested metadata": ({"summary": "x", "metadata": {"a": []}}, "metadata.a"),
    "a pointer that is text": ({"summary": "x", "pointers": ["y"]}, "pointers"),
    "a pointer without a path": ({"summary": "x", "pointers": [{"line": 1}]}, "pointers"),
    "a pointer to a number": ({"summary": "x", "pointers": [{"path": 1}]}, "pointers.path"),
    "a source that is text": ({"summary": "x", "source": "y"}, "source"),
    "a source of a strange part": ({"summary": "x", "source": {"y": 1}}, "source"),
    "drawn from a number": ({"summary": "x", "source": {"drawn_from": 1}}, "source.drawn_from"),
    "a time that is text": ({"summary": "x", "recorded_at": "now"}, "recorded_at"),
    "a time that is none": ({"summary": "x", "updated_at": float("nan")}, "updated_at"),
    "a time without end": ({"summary": "x", "expires_at": 10**400}, "expires_at"),
    "a flag that is text": ({"summary": "x", "pinned": "yes"}, "pinned"),
    "a share over one": ({"summary": "x", "confidence": 2}, "confidence"),
    "a count below one": ({"summary": "x", "seen": 0}, "seen"),
    "a reason that is a number": ({"summary": "x", "reason": 1}, "reason"),
    "a reason over the limit": ({"summary": "x", "reason": "y" * 2_001}, "reason"),
    "a successor that is a number": ({"summary": "x", "successor": 1}, "successor"),
    "a strength that is a number": ({"summary": "x", "strength": 1}, "strength"),
    "half a strength": ({"summary": "x", "strength": {"stability": 1}}, "strength"),
    "a strength of nothing": ({"summary": "x", "strength": STRENGTH | {"stability": 0}}, "strength.stability"),
    "a line of a kind that is none": ({"type": "note", "summary": "x"}, "type"),
    "a refused link to nothing": ({"type": "unlinked", "src": "x", "relation": "y"}, "dst"),
    "a link to nothing": ({"type": "link", "src": "x", "relation": "y"}, "dst"),
    "a link without a word": ({"type": "link", "src": "x", "relation": "", "dst": "y"}, "relation"),
    "a link at no time": ({"type": "link", "src": "x", "relation": "y", "dst": "z", "at": "now"}, "at"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_line_is_named_and_nothing_is_taken(name, store):
    line, field = WRONG[name]
    with pytest.raises(InvalidInput) as caught:
        store.import_jsonl([{"summary": "fine"}, line])
    assert caught.value.field == f"line 2, {field}".removesuffix(", ")
    assert store.projects() == []


def test_successors_that_run_in_a_circle_are_refused_whole(store):
    circle = [
        {"summary": "a", "digest": "1" * 32, "successor": "2" * 32, "status": "superseded"},
        {"summary": "b", "digest": "2" * 32, "successor": "3" * 32, "status": "superseded"},
        {"summary": "c", "digest": "3" * 32, "successor": "1" * 32, "status": "superseded"},
    ]
    with pytest.raises(InvalidInput, match=r"line 3, successor: .*circle"):
        store.import_jsonl(circle)
    assert store.list(project="*", statuses=("active", "superseded")) == []


def test_a_successor_or_link_that_nobody_knows_is_left_out(store):
    told = store.import_jsonl(
        [
            {"summary": "a", "digest": "1" * 32, "successor": "9" * 32, "status": "superseded"},
            {"type": "link", "src": "1" * 32, "relation": "fixes", "dst": "9" * 32},
            {"type": "link", "src": "1" * 32, "relation": "fixes", "dst": "1" * 32},
            {"type": "link", "src": "1", "relation": "fixes", "dst": "1" * 32},
        ]
    )
    assert told == {"new": 1, "known": 0, "links": 0}
    assert store.show(1).successor is None


def test_a_link_to_what_the_store_knows_is_made_once(store):
    digest = store.remember("known").memory.digest
    line = {"type": "link", "src": "1" * 32, "relation": "fixes\x1b[0m", "dst": digest}
    taken = [{"summary": "new", "digest": "1" * 32}, line, line]
    assert store.import_jsonl(taken) == {"new": 1, "known": 0, "links": 1}
    assert [found["relation"] for found in lines(store) if found["type"] == "link"] == ["fixes"]


def test_more_memories_than_one_step_reads_are_exported_once_each(store):
    store.import_jsonl({"summary": f"fact {i}"} for i in range(1_203))
    assert len({line["digest"] for line in lines(store)}) == 1_203


@pytest.fixture
def refused(store):
    """A store where one of two links that the wording states was taken away."""
    store.remember_many([Draft("#12: storms"), Draft("three because of #12"), Draft("four because of #12")])
    store.unlink(2, "because", 1)
    return store


def linked(clew):
    return set(clew._store._rows("SELECT src, dst FROM links"))


def test_a_link_that_was_taken_away_stays_away_in_another_store_too(refused, clock):
    assert [line["type"] for line in lines(refused)] == ["memory"] * 3 + ["link", "unlinked"]
    with Clew(":memory:", project="copy", embed="hashing", clock=clock) as other:
        assert other.import_jsonl(lines(refused)) == {"new": 3, "known": 0, "links": 0}
        other.reindex()
        assert linked(other) == {(3, 1)}
        assert shapes(other) == shapes(refused)
        assert lines(other)[-1].keys() == {"type", "src", "relation", "dst"}
        assert other.link(2, "because", 1) is True


def test_what_somebody_linked_here_no_import_takes_away(refused):
    away = lines(refused)[-1]
    refused.link(2, "because", 1)
    refused.import_jsonl([away])
    assert linked(refused) == {(2, 1), (3, 1)}
    refused.unlink(2, "because", 1)
    refused.remember("five because of #12")
    refused.import_jsonl([away | {"src": refused.show(4).digest}])
    refused.reindex()
    assert linked(refused) == {(3, 1)}
