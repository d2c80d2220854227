"""`--where` and `clew feedback`, as typed."""

import json

import pytest


def ids(run):
    """The numbers of a piped table, or of recall's headings."""
    return sorted(int(line.split()[0][1:]) for line in run.out.splitlines() if line.startswith("#"))


@pytest.fixture(scope="module")
def limits(filled):
    """The shared store with three more memories, the numbers 7 to 9."""
    for year, team in ((2018, "infra"), (2019, "infra"), (2021, "web")):
        filled.ok("remember", f"The upload limit of {year} is {year - 2000} MB", "-m", f"year={year}", "-m", f"team={team}")
    return filled


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ('year>=2019 and team="infra"', [8]),
        ("year >= 2019 or team = infra", [7, 8, 9]),
        ("not year exists", []),
        ("team contains e", [9]),
        ("kind = fact and year between 2018 and 2019", [7, 8]),
    ],
)
def test_both_commands_take_a_condition(limits, where, found):
    assert ids(limits.ok("recall", "upload limit", "--where", where)) == found
    assert [i for i in ids(limits.ok("list", "-w", where)) if i > 6] == found


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("", "the text ends at character 1"),
        ("year", "expected =, !=, <"),
        ("year like 3", "unknown operator 'like' at character 6"),
        ('year="2019"', "but the stored values are number; write a number without quotes"),
        ("team < 3", "but the stored values are text; write a text in quotes"),
        ("year contains 20", "contains compares text"),
        ("summary = x", "meta.summary"),
        ("kind = idea", "it is one of user, feedback"),
        ("(" * 99, "nested more than 32 deep"),
    ],
)
@pytest.mark.parametrize("command", [("recall", "upload limit"), ("list",)])
def test_a_condition_that_makes_no_sense_is_bad_input(limits, command, where, said):
    run = limits(*command, "--where", where, "--json")
    assert (run.code, run.out) == (2, "")
    error = json.loads(run.err)["error"]
    assert (error["type"], error["field"]) == ("InvalidInput", "where")
    assert said in error["message"]
    assert "Traceback" not in limits(*command, "--where", where).err


def test_feedback_says_what_it_did_and_show_tells(limits):
    assert limits.ok("feedback", 7, "useful").out == "#7 counts as useful (confidence 0.60)\n"
    assert limits.ok("feedback", "#7", "noise", "--json").json["memory"]["confidence"] == pytest.approx(0.48, abs=0.01)
    assert "confidence 0.48 since" in limits.ok("show", 7, "--history").out
    assert [event["event"] for event in limits.ok("show", 7, "--history", "--json").json["history"]] == ["noise", "useful"]


@pytest.mark.parametrize(("words", "code"), [((), 2), ((7,), 2), ((7, "good"), 2), ((999, "useful"), 3), (("zz", "noise"), 2)])
def test_feedback_that_cannot_be_taken_changes_nothing(limits, words, code):
    before = limits.ok("show", 8, "--json").json
    run = limits("feedback", *words)
    assert run.code == code
    assert "Traceback" not in run.err
    assert limits.ok("show", 8, "--json").json == before
