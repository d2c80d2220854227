"""link, unlink, entity, and memories that come with their links, as a person sees them."""

import pytest


@pytest.fixture
def three(clew):
    """A shell with three memories in its store: a ticket, a budget that names it, and a third thing."""
    clew.ok("remember", "#12: retry storms in src/net/retry.py")
    clew.ok("remember", "three retries because of #12, in src/net/retry.py")
    clew.ok("remember", "one queue a team")
    return clew


def links(shell):
    """(source, relation, destination) of every link, by the numbers people type."""
    found = {
        (link["src"], link["relation"], link["dst"]) for ref in (1, 2, 3) for link in trail(shell, ref) if link["relation"] != "mentions"
    }
    return {row for row in found if min(row[0], row[2]) > 0 and row[1] != "about"}


def trail(shell, ref):
    return shell.ok("why", ref, "--json").json["trail"]["links"]


def test_a_link_is_made_and_taken_away(three):
    assert three.ok("link", 3, "depends_on", "#2").out == "#3 depends_on #2\n"
    assert three.ok("link", 3, "depends_on", 2).out == "#3 depends_on #2, as before\n"
    assert links(three) == {(2, "because", 1), (3, "depends_on", 2)}
    assert three.ok("unlink", 3, "depends_on", 2).out == "#3 depends_on #2 is no more\n"
    assert three.ok("unlink", 3, "depends_on", 2).out == "there was no such link from #3 to #2\n"
    assert links(three) == {(2, "because", 1)}


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("link", 1, "Because", 2), 2, "'Because' is no lower-case word of at most 40 characters, such as because, depends_on or fixes"),
        (("link", 1, "because", 1), 2, "memory #1 cannot be linked to itself"),
        (("link", 1, "because", 9), 3, "there is no memory #9"),
        (("unlink", "x", "because", 1), 2, "'x' is neither a memory's number"),
        (("entity", "src/none.py"), 3, "nothing that is remembered here names 'src/none.py'"),
        (("remember", "four", "--link", "because 1"), 2, "'because 1' is no link; write relation:ID, such as depends_on:12"),
        (("remember", "four", "--because", 9), 3, "there is no memory #9; `clew list` shows those there are"),
        (("remember", "four", "--because", "x"), 2, "because: 'x' is neither a memory's number"),
    ],
)
def test_what_cannot_be_is_refused_with_the_way_out(three, words, code, says):
    run = three(*words)
    assert (run.code, run.out) == (code, "")
    assert says in run.err
    assert len(three.ok("list").out.splitlines()) == 3


def test_a_memory_comes_with_its_links(three):
    three.ok("remember", "four", "--because", 1, "--because", "#2", "--link", "fixes:3")
    assert links(three) - {(2, "because", 1)} == {(4, "because", 1), (4, "because", 2), (4, "fixes", 3)}


def test_an_entity_shows_what_it_is_and_who_names_it(three):
    run = three.ok("entity", "src/net/retry.py")
    assert [line.split("\t")[0] for line in run.out.splitlines()] == ["#2", "#1"]
    assert run.err.splitlines()[0] == "file src/net/retry.py"
    cut = three.ok("entity", "#12", "-n", 1)
    assert ([line.split("\t")[0] for line in cut.out.splitlines()], cut.err.splitlines()) == (
        ["#2"],
        ["ticket #12", "1 more memory; -n shows them"],
    )


def test_a_name_of_several_words_needs_no_quotes(three):
    three.ok("remember", "they met in New York once")
    assert three.ok("entity", "new", "york", "--json").json["entities"][0]["name"] == "New York"


def test_recall_goes_over_links_unless_told_not_to(three):
    three.ok("link", 2, "because", 3)

    def found(*options):
        return [hit["memory"]["id"] for hit in three.ok("recall", "how many retries", "--json", *options).json["hits"]]

    assert 3 in found()
    assert 3 not in found("--no-graph")


def test_a_link_by_wording_that_is_taken_away_stays_away(clew):
    clew.ok("remember", "#12: storms")
    clew.ok("remember", "three because of #12")
    assert clew.ok("unlink", 2, "because", 1).out == "#2 because #1 is no more\n"
    clew.ok("edit", 2, "--summary", "three, and four, because of #12")
    clew.ok("reindex")
    assert clew.ok("unlink", 2, "because", 1).out == "there was no such link from #2 to #1\n"
