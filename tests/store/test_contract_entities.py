"""What every store keeps of names, subjects and cues."""

import pytest
from specimens import kept, memory

from clew.errors import InvalidInput, NotFound
from clew.model import Entity
from clew.store.graph import Meeting, Noted

FILE = ("file", "a.py", "A.py", ("a",))
TICKET = ("ticket", "#12", "#12", ())


@pytest.fixture
def pair(store, project):
    """Two memories of a project."""
    return kept(store, project, memory(1), memory(2))


def put(store, project, *noted):
    with store.transaction():
        store.note(project, noted)


def test_an_entity_is_one_for_all_that_name_it_and_keeps_the_name_first_seen(store, project, pair):
    put(store, project, Noted(pair[0], [FILE]), Noted(pair[1], [("file", "a.py", "a.py", ()), TICKET]))
    put(store, project, Noted(pair[0], [FILE]))
    known = store.entities_named([project], ["a.py", "#12", "a", "none"])
    assert known.keys() == {"a.py", "#12", "a"}
    assert known["a"] == known["a.py"]
    (file,) = known["a.py"]
    assert store.entities([file], [project]) == {file: Entity(file, "file", "A.py")}
    assert store.mentioned([file], 10) == {file: pair[::-1]}
    assert store.mentioned([file], 1) == {file: [pair[1]]}


def test_the_same_key_of_another_kind_or_project_is_another_entity(store, project, pair):
    with store.transaction():
        other = store.add_project(uid="uid:two", name="two", path="", at=0.0)
    (elsewhere,) = kept(store, other, memory(3))
    put(store, project, Noted(pair[0], [FILE, ("name", "a.py", "A.py", ())]))
    put(store, other, Noted(elsewhere, [FILE]))
    assert [len(store.entities_named(scope, ["a.py"])["a.py"]) for scope in ([project], [other], [project, other])] == [2, 1, 3]
    assert store.entities_named([], ["a.py"]) == {}


def test_what_is_taken_back_leaves_nothing_that_only_it_named(store, project, pair):
    put(store, project, Noted(pair[0], [FILE, TICKET], ["title:x"], [("because", "title:y", False)]), Noted(pair[1], [TICKET], ["title:y"]))
    with store.transaction():
        store.add_link(pair[0], "because", pair[1], at=0.0, origin="rule")
        store.add_link(pair[0], "fixes", pair[1], at=0.0, origin="cli")
        store.unnote([pair[0]])
    assert store.entities_named([project], ["a.py", "a"]) == {}
    assert store.mentioned(store.entities_named([project], ["#12"])["#12"], 10).popitem()[1] == [pair[1]]
    assert [row[1] for row in store.links_of(pair)] == ["fixes"]
    assert store.meetings(pair) == []


def test_a_wipe_leaves_links_that_somebody_made(store, project, pair):
    put(store, project, Noted(pair[0], [FILE], ["title:x"], [("because", "title:x", False)]))
    with store.transaction():
        store.add_link(pair[0], "because", pair[1], at=0.0, origin="rule")
        store.add_link(pair[1], "fixes", pair[0], at=0.0, origin="cli")
        store.wipe_notes()
    assert store.entities_named([project], ["a.py", "a"]) == {}
    assert [row[1] for row in store.links_of(pair)] == ["fixes"]


def test_a_cue_meets_its_subject_from_either_end(store, project, pair):
    put(store, project, Noted(pair[0], [], [], [("because", "ticket:#1", False)]), Noted(pair[1], [], ["ticket:#1"]))
    met = [Meeting(pair[0], "because", pair[1], False, 1.0)]
    assert store.meetings([pair[0]]) == store.meetings([pair[1]]) == store.meetings(pair) == met
    assert store.meetings([]) == []


def test_a_cue_may_name_a_memory_by_its_number_in_the_same_project_only(store, project, pair):
    with store.transaction():
        other = store.add_project(uid="uid:two", name="two", path="", at=0.0)
    (elsewhere,) = kept(store, other, memory(3))
    told = [("because", f"memory:{i}", True) for i in (*pair, elsewhere, 99)]
    put(store, project, Noted(pair[0], [], [], told))
    assert store.meetings([pair[0]]) == [Meeting(pair[0], "because", pair[1], True, 1.0)]


def test_a_cue_and_a_subject_of_two_projects_do_not_meet(store, project, pair):
    with store.transaction():
        other = store.add_project(uid="uid:two", name="two", path="", at=0.0)
    (elsewhere,) = kept(store, other, memory(3))
    put(store, project, Noted(pair[0], [], [], [("because", "ticket:#1", False)]))
    put(store, other, Noted(elsewhere, [], ["ticket:#1"]))
    assert store.meetings([*pair, elsewhere]) == []


def test_of_many_subjects_the_oldest_three_meet(store, project):
    many = kept(store, project, *(memory(i) for i in range(1, 7)))
    put(store, project, *(Noted(i, [], ["ticket:#1"]) for i in many[1:]), Noted(many[0], [], [], [("because", "ticket:#1", False)]))
    assert [met.subject for met in store.meetings([many[0]])] == many[1:4]
    assert store.meetings([many[5]]) == []


def test_erasing_a_memory_takes_its_subjects_and_cues_along(store, project, pair):
    put(store, project, Noted(pair[0], [FILE], [], [("because", "ticket:#1", False)]), Noted(pair[1], [], ["ticket:#1"]))
    with store.transaction():
        store.erase(pair[0])
    assert store.meetings([pair[1]]) == []
    assert store.entities_named([project], ["a.py"]) == {}


def test_a_link_that_somebody_makes_stands_for_the_one_by_wording(store, pair):
    a, b = pair
    with store.transaction():
        store.add_link(a, "because", b, at=1.0, origin="rule")
        assert store.attach(a, "because", b, at=2.0, origin="cli") is True
        assert store.attach(a, "because", b, at=3.0, origin="mcp") is False
    assert store.links_of([a]) == [(a, "because", b, 2.0, "cli")]
    with store.transaction():
        assert store.remove_link(a, "because", b) is True
        assert store.remove_link(a, "because", b) is False


def test_a_link_has_two_ends_that_are_there(store, pair):
    with store.transaction():
        with pytest.raises(InvalidInput, match="cannot be linked to itself"):
            store.attach(pair[0], "because", pair[0], at=0.0, origin="cli")
        with pytest.raises(NotFound, match="there is no memory #99"):
            store.attach(pair[0], "because", 99, at=0.0, origin="cli")
