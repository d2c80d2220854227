"""Links by wording after any writes, edits, moves and forgetting: always those that a rebuild would make."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from clew import Clew, ClewError, Draft
from clocks import Clock

PROJECTS = ("trip", "other")
ABOUT = st.sampled_from(["", "#1: ", "#2: "])
STATES = st.sampled_from(
    ["", " because of #1", " blocks #2", " fixes #1 and #2", " because of memory #2", " because of #1, replaces memory #1"]
)
TEXT = st.builds("{}part {}{}".format, ABOUT, st.integers(0, 4), STATES)
NUMBER = st.integers(1, 9)
PROJECT = st.sampled_from(PROJECTS)
CHANGE = st.one_of(
    st.tuples(st.just("remember"), TEXT, PROJECT),
    st.tuples(st.just("tag"), NUMBER, st.sampled_from(["#1", "#2"])),
    st.tuples(st.just("edit"), NUMBER, TEXT),
    st.tuples(st.just("move"), NUMBER, PROJECT),
    st.tuples(st.just("forget"), st.lists(NUMBER, min_size=1, max_size=3)),
    st.tuples(st.just("expire"), TEXT),
    st.tuples(st.just("unlink"), NUMBER, NUMBER),
    st.tuples(st.just("link"), NUMBER, NUMBER),
    st.tuples(st.just("merge")),
)
FOUR = [("remember", f"#1: part {i}", "trip") for i in range(4)]
SAYS = ("remember", "part 4 because of #1", "trip")


def change(clew, what, *how):
    """One change; one that is refused, as of a memory that is not there, is none."""
    verbs = {
        "remember": lambda text, project: clew.remember(text, project=project),
        "tag": lambda number, tag: clew.edit(number, tags=[tag]),
        "edit": lambda number, text: clew.edit(number, summary=text),
        "move": lambda number, project: clew.project_move([number], into=project),
        "forget": lambda numbers: clew.forget(*numbers),
        "expire": lambda text: expire(clew, text),
        "unlink": lambda a, b: clew.unlink(a, "because", b),
        "link": lambda a, b: clew.link(a, "because", b),
        "merge": lambda: clew.project_merge("other", into="trip"),
    }
    try:
        verbs[what](*how)
    except ClewError:
        pass


def expire(clew, text):
    clew.remember(text, ttl=60)
    clew._clock.at += 61
    clew._swept = False
    clew.remember("nothing")


def links(clew):
    """Every link with its time and origin."""
    return clew._store._rows("SELECT src, relation, dst, at, origin FROM links ORDER BY 1, 2, 3")


@settings(max_examples=150)
@given(st.lists(CHANGE, min_size=4, max_size=24))
@example([*FOUR, SAYS, ("forget", [1])])
@example([*FOUR, SAYS, ("forget", [1, 2, 3])])
@example([*FOUR, SAYS, ("edit", 2, "part 1")])
@example([("remember", "part 0", "trip"), *FOUR, SAYS, ("edit", 1, "#1: part 0")])
@example([("remember", "#1: part 9", "other"), *FOUR, SAYS, ("move", 1, "trip")])
@example([*FOUR, SAYS, ("remember", "#1: part 0", "other"), ("move", 1, "other")])
@example([*FOUR, SAYS, ("move", 5, "other"), ("remember", "part 4 because of #1", "trip"), ("move", 5, "trip")])
def test_after_any_changes_the_links_are_those_of_a_rebuild(changes):
    with Clew(":memory:", project="trip", embed="off", clock=Clock()) as clew:
        for one in changes:
            change(clew, *one)
        before = links(clew)
        clew.reindex()
        assert links(clew) == before


def test_the_fourth_comes_in_when_one_of_the_three_is_forgotten_or_about_something_else(store):
    store.remember_many([Draft(f"#12: part {i}") for i in range(5)])
    store.remember("a budget because of #12")
    store.forget(2)
    assert [row[:3] for row in links(store)] == [(6, "because", 1), (6, "because", 3), (6, "because", 4)]
    store.edit(1, summary="#13: another part")
    assert [row[:3] for row in links(store)] == [(6, "because", 3), (6, "because", 4), (6, "because", 5)]


def test_the_third_goes_out_when_an_older_one_comes_to_be_about_the_thing(store):
    store.remember("the ledger")
    store.remember_many([Draft(f"#12: part {i}") for i in range(3)])
    store.remember("a budget because of #12")
    store.remember("the ledger", tags=["#12"])
    assert [row[:3] for row in links(store)] == [(5, "because", 1), (5, "because", 2), (5, "because", 3)]
