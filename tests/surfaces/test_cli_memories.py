"""Commands that change what is known, run as a person runs them: remember, edit, supersede, done, pin, unpin, forget."""

import re

import pytest


def only(clew, *arguments):
    """The memory of an answer that holds one."""
    return clew.ok(*arguments, "--json").json["memory"]


def test_what_was_remembered_is_recalled_in_the_next_process(clew):
    said = clew.ok("remember", "Use", "PostgreSQL", "for the ledger", "-k", "decision")
    assert (said.out, said.err) == ("remembered #1 in somewhere\n", "")
    assert "#1  Use PostgreSQL for the ledger" in clew.ok("recall", "which", "database", "for", "the", "ledger").out


def test_saying_it_again_is_the_same_memory_seen_once_more(clew):
    clew.ok("remember", "Deploys freeze on Fridays", "-t", "deploy")
    assert clew.ok("remember", "Deploys  freeze on Fridays", "-t", "team").out == "already known as #1 (seen 2 times)\n"
    memory = only(clew, "show", 1)
    assert (memory["seen"], memory["tags"]) == (2, ["deploy", "team"])


def test_every_field_arrives_as_it_was_typed(clew):
    memory = only(
        clew, "remember", "Retry the queue", "-k", "procedure", "-d", "three\ntimes", "-t", "queue", "-t", "ops",
        "-m", "pr=12", "-m", "ratio=0.5", "-m", "live=true", "-m", 'version="12"', "-m", "team=a=b", "-m", "none=null", "-m", "gap=",
        "-m", "odd=NaN", "-m", "list=[1", "--pointer", "src/q.py:3#Queue.retry", "--pointer", "docs/q.md",
        "--ttl", "2h", "--valid-from", "2026-01-01T00:00Z", "--valid-to", "2026-01-02T01:00+01:00", "--pin",
    )  # fmt: skip
    assert memory["kind"] == "procedure"
    assert memory["detail"] == "three\ntimes"
    assert memory["tags"] == ["queue", "ops"]
    facts = {"pr": 12, "ratio": 0.5, "live": True, "version": "12", "team": "a=b", "none": "null", "gap": "", "odd": "NaN", "list": "[1"}
    assert memory["metadata"] == facts
    places = [(p["path"], p["line"], p["symbol"]) for p in memory["pointers"]]
    assert places == [("src/q.py", 3, "Queue.retry"), ("docs/q.md", None, None)]
    assert memory["expires_at"] - memory["recorded_at"] == pytest.approx(7_200)
    assert memory["valid_to"] - memory["valid_from"] == 86_400
    assert memory["pinned"] is True
    assert memory["origin"] == "cli"


def test_a_secret_is_named_by_its_format_and_kept_nowhere(clew):
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    said = clew.ok("remember", f"The token is {secret} <private>and this\nis mine</private> indeed")
    assert "redacted: " in said.out
    assert secret not in said.out + clew.ok("show", 1).out + clew.ok("show", 1, "--history", "--json").out
    assert "mine" not in clew.ok("export", "jsonl").out
    assert all(secret.encode() not in path.read_bytes() for path in clew.clew_home.iterdir())


def test_a_memory_that_replaces_another_marks_it_with_the_reason(clew):
    clew.ok("remember", "We deploy with Jenkins")
    said = clew.ok("remember", "We deploy with Argo", "--supersedes", "#1", "--reason", "Jenkins was shut down")
    assert said.out == "remembered #2 in somewhere\n#1 is superseded by #2\n"
    shown = clew.ok("show", 1).out
    assert re.search(r"^status +superseded$", shown, re.M)
    assert re.search(r"^strength +stability \d\.\d h, 0 uses, 1 lapse$", shown, re.M)
    assert "#2 We deploy with Argo" in shown
    assert "Jenkins was shut down" in shown


def test_nothing_is_remembered_when_what_it_replaces_is_not_there(clew):
    run = clew("remember", "We deploy with Argo", "--supersedes", 9)
    assert (run.code, run.err) == (3, "clew: there is no memory #9; `clew list` shows those there are\n")
    assert clew.ok("list", "--all").out == ""


def test_a_reason_without_what_it_replaces_is_an_error(clew):
    assert "--supersedes" in clew("remember", "We deploy with Argo", "--reason", "x").err


def test_an_edit_changes_what_it_names_and_keeps_what_was_there_in_the_history(clew):
    clew.ok("remember", "Use PostgreSQL 16", "-t", "db", "-t", "old", "-m", "pr=1", "-m", "ok=true", "--pointer", "a.py", "--ttl", "1h")
    said = clew.ok(
        "edit", "#1", "-s", "Use PostgreSQL 18", "-d", "-", "-k", "decision", "-t", "new", "--untag", "old", "-m", "pr=2", "--unmeta", "ok",
        "--pointer", "b.py", "--unpoint", "a.py", "--ttl", "none", "--valid-from", "2026-01-01T00:00Z", stdin="for the ledger",
    )  # fmt: skip
    assert said.out == "edited #1\n"
    memory = only(clew, "show", 1)
    assert (memory["summary"], memory["detail"], memory["kind"]) == ("Use PostgreSQL 18", "for the ledger", "decision")
    assert (memory["tags"], memory["metadata"], [p["path"] for p in memory["pointers"]]) == (["db", "new"], {"pr": 2}, ["b.py"])
    assert (memory["expires_at"], memory["valid_from"]) == (None, 1767225600.0)
    assert only(clew, "edit", 1, "--valid-from", "none")["valid_from"] is None
    history = clew.ok("show", 1, "--history").out
    assert "edited by cli" in history
    assert "Use PostgreSQL 16" in history


def test_an_edit_that_names_no_change_says_what_it_could_change(clew):
    run = clew("edit", 1)
    assert run.code == 2
    assert "--summary" in run.err


def test_an_edit_that_changes_nothing_says_so_and_leaves_no_trace(clew):
    clew.ok("remember", "Use PostgreSQL", "-m", "pr=1")
    before = only(clew, "show", 1)
    for change in (["-s", "Use PostgreSQL"], ["--untag", "none"], ["--unmeta", "none"], ["--unpoint", "a.py"], ["--ttl", "none"]):
        assert clew.ok("edit", 1, *change).out == "#1 stays as it was\n"
    assert only(clew, "show", 1) == before
    assert clew.ok("edit", 1, "-m", "pr=true").out == "edited #1\n"


def test_a_superseded_and_a_finished_memory_are_listed_only_when_asked_for(clew):
    for text in ("Use MySQL", "Use PostgreSQL", "Ship it"):
        clew.ok("remember", text)
    assert clew.ok("supersede", 1, "#2", "--reason", "licence").out == "#1 is superseded by #2\n"
    assert clew.ok("done", 3).out == "#3 is done\n"
    assert [line.split("\t")[0] for line in clew.ok("list").out.splitlines()] == ["#2"]
    assert {line.split("\t")[3] for line in clew.ok("list", "--all").out.splitlines()} == {"", "done", "superseded by #2"}
    assert [line.split("\t")[0] for line in clew.ok("list", "--status", "superseded").out.splitlines()] == ["#1"]
    assert clew("supersede", 2, 2).code == 2


def test_a_pin_holds_until_it_is_taken_out(clew):
    clew.ok("remember", "Answer in English")
    assert clew.ok("pin", "#1").out == "#1 is pinned\n"
    assert "pinned" in clew.ok("list").out
    assert clew.ok("unpin", 1).out == "#1 is no longer pinned\n"
    assert "pinned" not in clew.ok("list").out


def test_forget_says_what_went_and_nothing_of_it_is_left(clew):
    clew.ok("remember", "The launch codename is Nightingale")
    clew.ok("remember", "Another thing")
    clew.ok("supersede", 1, 2)
    said = clew.ok("forget", "#1", "--yes").out
    assert said.startswith("forgot #1: its text, words and vector")
    assert "also 1 link, 1 line of its history" in said
    assert clew("show", 1).code == 3
    assert all(b"Nightingale" not in path.read_bytes() for path in clew.clew_home.iterdir())


def test_forget_names_what_could_not_be_cleaned(clew):
    clew.ok("remember", "The launch codename is Nightingale")
    (clew.clew_home / "memory.db.v0.bak").write_bytes(b"Nightingale")
    assert "could not be cleaned: an older copy of the store" in clew.ok("forget", 1, "-y").out


def test_forget_needs_a_yes_where_nobody_can_be_asked(clew):
    clew.ok("remember", "Keep me")
    for how in ((), ("--json",)):
        run = clew("forget", 1, *how)
        assert run.code == 2
        assert "--yes" in run.err
    assert clew("show", 1).code == 0


def test_forget_is_all_or_none(clew):
    clew.ok("remember", "Keep me")
    assert clew("forget", 1, 7, "--yes").code == 3
    assert clew("show", 1).code == 0


@pytest.mark.parametrize(("answer", "code"), [("y\n", 3), ("n\n", 0), ("\n", 0)])
def test_forget_asks_a_person_and_takes_anything_but_yes_for_no(clew, answer, code):
    clew.ok("remember", "Keep me perhaps")
    run = clew.on_a_terminal("forget", 1, until="[y/N]", typed=answer)
    assert run.code == 0
    assert "Keep me perhaps" in run.out
    assert clew("show", 1).code == code


def test_what_no_longer_holds_is_marked_where_a_question_about_its_time_finds_it(clew):
    clew.ok("remember", "Ada leads the platform team", "--valid-from", "2018-01-01", "--valid-to", "2021-01-01")
    said = clew.ok("recall", "who led the platform team in 2019").out
    assert "Ada leads the platform team" in said
    assert "no longer true" in said
    assert clew.ok("recall", "who leads the platform team").out == "nothing known about that\n"
