"""Projects of the store: which are read, when one is made, and what moving and merging keep."""

import pytest

from clew import Clew, InvalidInput, NotFound


def texts(clew, **how):
    return sorted(memory.summary for memory in clew.list(**how))


def test_reading_makes_no_project(tmp_path):
    with Clew(":memory:", root=str(tmp_path), embed="hashing", env={"HOME": "/nowhere"}) as clew:
        assert clew.recall("anything") == []
        assert clew.list() == []
        assert list(clew.export_jsonl()) == []
        assert (clew.project().id, clew.project().memories) == (0, 0)
        assert clew.status()["project"].name == tmp_path.name
        assert clew.projects() == []


def test_a_name_that_no_project_has_is_said_with_those_there_are(store):
    store.remember("here")
    with pytest.raises(NotFound, match=r"there is no project 'elsewhere'; the store has: trip"):
        store.recall("anything", project="elsewhere")


def test_a_name_from_the_environment_may_be_new():
    with Clew(":memory:", embed="hashing", env={"HOME": "/nowhere", "CLEW_PROJECT": "new"}) as clew:
        assert clew.recall("anything") == clew.list() == []
        assert clew.status()["project"] == (0, "new", "", 0)
        assert clew.remember("first").memory.project == "new"


def test_the_star_means_all_for_what_reads_and_nothing_for_what_writes(store):
    store.remember("one")
    store.remember("two", project="other")
    assert texts(store, project="*") == ["one", "two"]
    for act in (
        lambda: store.remember("three", project="*"),
        lambda: store.project_move([1], into="*"),
        lambda: store.project_merge("trip", into="*"),
        lambda: store.project_rename("trip", "*"),
        lambda: store.import_jsonl([{"summary": "three"}], project="*"),
    ):
        with pytest.raises(InvalidInput, match=r"\*"):
            act()
    assert sorted(project.name for project in store.projects()) == ["other", "trip"]


def test_an_object_that_stands_in_all_projects_still_reports():
    with Clew(":memory:", project="*", embed="hashing") as clew:
        clew.remember("one", project="a")
        clew.remember("two", project="b")
        assert clew.status()["project"] == (0, "*", "", 2)
        assert texts(clew) == ["one", "two"]


def test_the_users_own_project_is_read_alongside_and_never_merged_or_renamed(store):
    store.remember("prefers tabs", project="@user", kind="user")
    store.remember("uses spaces")
    assert {hit.memory.project for hit in store.recall("tabs spaces")} == {"@user", "trip"}
    assert texts(store) == ["uses spaces"]
    with pytest.raises(InvalidInput, match="cannot be merged away"):
        store.project_merge("@user", into="trip")
    with pytest.raises(InvalidInput, match="answers to no folder; move single memories"):
        store.project_merge("trip", into="@user")
    with pytest.raises(InvalidInput, match="has no other name"):
        store.project_rename("@user", "me")
    assert {project.name for project in store.projects()} == {"@user", "trip"}


@pytest.mark.parametrize("name", ["a/b", "..", ".hidden", "~", "@you", "", "   ", "x" * 201, "line\nbreak", "back\\slash", "*"])
def test_a_label_that_could_be_taken_for_something_else_is_refused(name, store):
    store.remember("here")
    with pytest.raises(InvalidInput):
        store.project_rename("trip", name)
    assert [project.name for project in store.projects()] == ["trip"]


def test_a_renamed_project_answers_to_its_new_label_and_to_its_key(store):
    store.remember("here")
    assert store.project_rename("trip", "Voyage d'été").name == "Voyage d'été"
    assert texts(store, project="Voyage d'été") == texts(store, project="trip") == ["here"]
    store.remember("there", project="other")
    with pytest.raises(InvalidInput, match="there already; `clew project merge` joins two"):
        store.project_rename("trip", "other")


def test_a_project_that_is_a_folder_is_found_by_its_path_and_label(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name / "same").mkdir(parents=True)
    with Clew(":memory:", embed="hashing", env={"HOME": "/nowhere"}) as clew:
        clew.remember("first", project=str(tmp_path / "one" / "same"))
        clew.remember("second", project=str(tmp_path / "two" / "same"))
        assert [project.name for project in clew.projects()] == ["same", "same~2"]
        assert texts(clew, project=str(tmp_path / "two" / "same")) == texts(clew, project="same~2") == ["second"]
        with pytest.raises(InvalidInput, match="there is no folder"):
            clew.remember("third", project=str(tmp_path / "three"))


def test_moving_takes_a_memory_with_its_words_and_its_history(store):
    store.remember("wrongly kept here", tags=["x"])
    store.edit(1, detail="and put right")
    assert store.project_move([1, "#1"], into="other") == 1
    assert (store.show(1).project, texts(store)) == ("other", [])
    assert store.recall("wrongly kept", project="other")[0].memory.id == 1
    assert store.recall("wrongly kept") == []
    assert [line["event"] for line in store.history(1)] == ["edited"]
    assert store.doctor() == []
    assert store.project_move([1], into="other") == 0


def test_merging_moves_all_and_the_name_leads_to_where_it_went(store):
    store.remember("one")
    store.remember("two", project="other")
    assert store.project_merge("other", into="trip") == 1
    assert texts(store) == ["one", "two"]
    assert [project.name for project in store.projects()] == ["trip"]
    assert store.remember("three", project="other").memory.project == "trip"
    assert store.doctor() == []


def test_twins_that_meet_are_one_with_the_tags_links_and_successors_of_both(store, clock):
    for project in ("trip", "other"):
        store.remember("the same", project=project, tags=[project])
    store.remember("older", project="other")
    store.remember("oldest", project="other")
    store.supersede(3, 2, reason="same in other")
    store.supersede(4, 3)
    assert store.project_merge("other", into="trip") == 3
    kept = store.show(1)
    assert (kept.tags, kept.seen, kept.status) == (("trip", "other"), 2, "active")
    assert (store.show(3).successor, store.show(4).successor) == (1, 3)
    links = [line for line in store.export_jsonl() if line["type"] == "link"]
    assert {(line["src"], line["dst"]) for line in links} == {
        (kept.digest, store.show(3).digest),
        (store.show(3).digest, store.show(4).digest),
    }
    with pytest.raises(NotFound):
        store.show(2)
    assert store.doctor() == []


@pytest.mark.parametrize(("first", "second", "status"), [("trip", "other", "done"), ("other", "trip", "active")])
def test_of_twins_that_meet_the_later_state_stands(first, second, status, store, clock):
    numbers = {project: store.remember("the same", project=project).memory.id for project in ("trip", "other")}
    clock.at += 10
    store.done(numbers["other"])
    if status == "active":
        clock.at += 10
        store.pin(numbers["trip"])
    store.project_merge("other", into="trip")
    assert store.show(numbers["trip"]).status == status


def test_a_twin_that_was_superseded_by_the_other_leaves_no_circle(store):
    store.remember("the same")
    store.remember("the same", project="other")
    store.supersede(1, 2)
    store.project_merge("other", into="trip")
    kept = store.show(1)
    assert (kept.status, kept.successor) == ("active", None)
    assert store.doctor() == []


def test_what_cannot_be_merged_is_said(store):
    store.remember("one")
    with pytest.raises(NotFound):
        store.project_merge("nowhere", into="trip")
    with pytest.raises(NotFound, match="no project 'trop'; the store has: trip"):
        store.project_merge("trip", into="trop")
    assert [project.name for project in store.projects()] == ["trip"]
    with pytest.raises(InvalidInput, match="the same project"):
        store.project_merge("trip", into="TRIP")
