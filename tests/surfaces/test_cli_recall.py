"""Commands that ask, against one shared store: recall, show, list."""

import json

import pytest


def ids(run):
    """The numbers of a piped table, or of recall's headings."""
    return [line.split()[0] for line in run.out.splitlines() if line.startswith("#")]


def test_the_best_answer_comes_first_with_its_detail(filled):
    run = filled.ok("recall", "which database for the ledger")
    assert ids(run)[0] == "#1"
    assert "    MongoDB lost writes under load" in run.out
    assert run.err == ""


def test_nothing_known_is_an_answer_and_no_error(filled):
    assert filled("recall", "recipe for lemon cake with poppy seeds") == (0, "nothing known about that\n", "")
    assert filled.ok("recall", "recipe for lemon cake with poppy seeds", "--json").json == {"hits": [], "notes": []}


def test_a_question_may_be_piped_in(filled):
    assert ids(filled.ok("recall", stdin="which database\nfor the ledger\n"))[0] == "#1"
    assert ids(filled.ok("recall", "-", stdin="which database for the ledger"))[0] == "#1"
    assert filled("recall").code == 2


def test_filters_keep_only_what_they_name(filled):
    question = ("recall", "ledger database deploys importer")
    assert ids(filled.ok(*question, "-k", "procedure")) == ["#2"]
    assert ids(filled.ok(*question, "-t", "deploy", "-t", "team")) == ["#2"]
    assert ids(filled.ok(*question, "-t", "deploy", "-t", "db")) == []
    assert "#4" in ids(filled.ok(*question, "--include-superseded"))
    assert len(ids(filled.ok(*question, "-n", 1))) == 1
    assert ids(filled.ok(*question, "--until", "1d ago")) == []
    assert "#1" in ids(filled.ok(*question, "--since", "1d"))
    assert ids(filled.ok(*question, "--as-of", "2001-01-01")) == []


def test_explain_shows_every_signal_of_every_hit(filled):
    lines = filled.ok("recall", "ledger database", "--explain").out.splitlines()
    assert lines
    for line in lines:
        cells = line.split("\t")
        assert len(cells) == 13
        assert cells[0].startswith("#")
        assert float(cells[1]) > 0
    assert lines[0].split("\t")[12] == "Use PostgreSQL for the ledger"


def test_explain_names_each_signal_and_keeps_the_summary_on_a_narrow_terminal(filled):
    screen = filled.on_a_terminal("recall", "ledger database", "--explain", "--no-color", COLUMNS="60").out
    assert "#1  Use PostgreSQL for the ledger" in screen
    for name in ("score", "lexical", "semantic", "neighbours", "coverage", "words"):
        assert f"{name} " in screen


def test_a_window_that_ends_before_it_begins_is_refused(filled):
    for command in (["recall", "ledger"], ["list"]):
        run = filled(*command, "--since", "1d", "--until", "2d")
        assert (run.code, run.err) == (2, "clew: until: lies before since, so nothing could ever match; swap the two\n")


def test_a_history_says_what_each_change_overwrote(filled):
    (line,) = filled.ok("show", 4, "--history").out.splitlines()[-1:]
    assert line.endswith('superseded by cli: status was "active"; successor was null; reason was ""')


def test_reciprocal_rank_answers_too(filled):
    assert "#1" in ids(filled.ok("recall", "ledger database", "--fusion", "rrf"))
    assert filled("recall", "ledger", "--fusion", "magic").code == 2


@pytest.mark.parametrize("reference", ["2", "#2", "digest"])
def test_a_memory_is_shown_by_number_or_digest(filled, reference):
    digest = filled.ok("show", 2, "--json").json["memory"]["digest"]
    shown = filled.ok("show", digest[:8] if reference == "digest" else reference).out
    assert "Deploys freeze on Friday afternoon" in shown
    for fact in ("procedure", "active, pinned", "deploy, team", "pr=12", digest):
        assert fact in shown


def test_a_superseded_memory_shows_what_replaced_it_and_why(filled):
    shown = filled.ok("show", 4, "--history").out
    assert "#1 Use PostgreSQL for the ledger" in shown
    assert "it lost writes" in shown
    assert "superseded by cli" in shown
    answer = filled.ok("show", 4, "--json").json
    assert (answer["successor"]["id"], answer["history"]) == (1, [])


def test_a_list_is_newest_first_with_tabs_when_piped(filled):
    rows = [line.split("\t") for line in filled.ok("list", "--all").out.splitlines()]
    assert {len(row) for row in rows} == {5}
    assert sorted(row[0] for row in rows) == ["#1", "#2", "#3", "#4", "#5", "#6"]
    assert {row[0]: row[3] for row in rows} == {"#1": "", "#2": "pinned", "#3": "", "#4": "superseded by #1", "#5": "done", "#6": ""}


def test_a_list_is_cut_at_its_limit_and_says_so(filled):
    run = filled.ok("list", "-n", 2)
    assert len(run.out.splitlines()) == 2
    assert "more than 2" in run.err
    assert filled.ok("list", "-n", 2, "--json").json["more"] is True
    assert filled.ok("list", "-n", 4, "--json").json["more"] is False


def test_a_list_is_narrowed_by_kind_tag_status_and_time(filled):
    assert ids(filled.ok("list", "-k", "decision")) == ["#1"]
    assert sorted(ids(filled.ok("list", "-k", "decision", "-k", "reference"))) == ["#1", "#6"]
    assert ids(filled.ok("list", "-t", "deploy")) == ["#2"]
    assert ids(filled.ok("list", "--status", "done")) == ["#5"]
    empty = filled.ok("list", "--until", "2h ago")
    assert (empty.out, empty.err) == ("", "no such memory here\n")


def test_nothing_in_a_memory_can_drive_a_terminal(filled):
    for command in (("list",), ("show", 3), ("recall", "what does the red alert mean"), ("list", "--json"), ("show", 3, "--json")):
        out = filled.ok(*command).out
        assert "alert" in out
        assert not set(out) & set("\x1b\x07\x9b\u202e")
    assert "[bold]" in filled.on_a_terminal("list").out
    assert "first\x1b[2J" in json.loads(filled.ok("show", 3, "--json").out)["memory"]["detail"]


def test_scripts_of_every_direction_come_back_whole(filled):
    run = filled.ok("recall", "データベース")
    assert ids(run)[0] == "#6"
    assert "מסד הנתונים 🎉 データベース" in run.out
    assert "src/db.py:7#open_it" in filled.ok("show", 6).out


def test_a_terminal_that_knows_only_ascii_is_served_too(filled):
    for coding in ("ascii", "latin-1"):
        for command in (("list",), ("show", 6), ("recall", "database")):
            assert filled.ok(*command, env={"PYTHONIOENCODING": coding, "PYTHONUTF8": "0"}).err == ""
        answer = filled.ok("show", 6, "--json", env={"PYTHONIOENCODING": coding}).out
        assert json.loads(answer)["memory"]["summary"] == "מסד הנתונים 🎉 データベース"
        assert answer.isascii()
