"""Skills in a client's folder: written once, brought up to date while nobody touched them, a person's words never overwritten."""

import os
from pathlib import Path

import pytest

from clew.clients import install, taught
from clew.clients.table import CLAUDE

WORDS = ("/opt/clew/bin/clew",)


@pytest.fixture
def place(tmp_path):
    """A home of its own."""
    return install.Place(str(tmp_path), {})


def skill(place, name="clew-memory"):
    """Where a skill lies."""
    return Path(place.home, ".claude", "skills", name, "SKILL.md")


def put(place, text):
    """A skill's file as somebody wrote it."""
    skill(place).parent.mkdir(parents=True)
    skill(place).write_text(text, "utf-8")


def test_what_is_written_is_the_skill_and_says_whose_it_is(place):
    install.install(CLAUDE, WORDS, place)
    for name, text in taught.skills().items():
        written = skill(place, name).read_text("utf-8")
        assert written.startswith(text)
        assert written.splitlines()[-1].startswith("<!-- clew ")
        assert written.startswith("---\nname: " + name)


def test_uninstalling_takes_the_skills_and_their_folders_and_leaves_those_of_others(place):
    other = Path(place.home, ".claude", "skills", "mine", "SKILL.md")
    other.parent.mkdir(parents=True)
    other.write_text("mine")
    install.install(CLAUDE, WORDS, place)
    gone = [change.removed for change in install.uninstall(CLAUDE, place)]
    assert gone[2:] == [("skills.clew-compile",), ("skills.clew-memory",)]
    assert os.listdir(other.parent.parent) == ["mine"]


@pytest.mark.parametrize("how", ["changed", "foreign", "mark taken out"])
def test_what_a_person_wrote_is_neither_overwritten_nor_removed(place, how):
    install.install(CLAUDE, WORDS, place)
    ours = skill(place).read_text("utf-8")
    theirs = {
        "changed": ours.replace("recall", "recall, twice", 1),
        "foreign": "my own skill\n",
        "mark taken out": ours.partition("\n<!--")[0],
    }[how]
    skill(place).write_text(theirs, "utf-8")
    again = install.install(CLAUDE, WORDS, place)
    assert [(change.added, change.updated) for change in again] == [((), ())] * 4
    assert skill(place).read_text("utf-8") == theirs
    install.uninstall(CLAUDE, place)
    assert skill(place).read_text("utf-8") == theirs


def test_an_older_version_that_nobody_changed_is_brought_up_to_date(place):
    put(place, taught.with_skill("", "---\nname: clew-memory\n---\nan older text\n"))
    changes = install.install(CLAUDE, WORDS, place)
    assert changes[3].updated == ("skills.clew-memory",)
    assert skill(place).read_text("utf-8").startswith(taught.skills()["clew-memory"])
    install.uninstall(CLAUDE, place)
    assert not skill(place).exists()


def test_an_empty_file_counts_as_none(place):
    put(place, "\n")
    install.install(CLAUDE, WORDS, place)
    assert "recall" in skill(place).read_text("utf-8")
