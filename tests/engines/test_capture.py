"""What is kept of an event, and for how long it matters."""

import json

import pytest

from clew import Clew, InvalidInput
from clew.engines import capture, lines, projects
from clew.model import Event
from clew.project import Place
from clew.rules import goals

HERE = Place(("dir:/tmp/shop",), "shop", "/tmp/shop", False)


def test_a_line_holds_what_its_event_says_and_no_more_than_the_log_keeps():
    line = lines.line_of(Event("tool", "c", "s", at=1.0, text="x" * 9_000, target="y" * 9_000, tool="z" * 9_000, failed=True), HERE)
    assert len(line["text"]) == lines.TEXT_CHARS["tool"]
    assert len(line["target"]) == lines.TARGET_CHARS
    assert len(line["tool"]) == lines.NAME_CHARS
    assert line["failed"] is True
    assert "source" not in line


def test_a_prompt_is_kept_whole_and_a_very_long_one_by_both_ends():
    whole = "start " + "x" * 15_900 + " please fix the parser"
    assert lines.line_of(Event("prompt", "c", "s", at=1.0, text=whole), HERE)["text"] == whole
    key = "AKIA" + "Q7WE3RT5YU2IO6PA"
    for shift in range(40):
        long = "start " + "y " * 5_980 + "z" * shift + f" {key} " + "x " * 20_000 + f" {key} " + "w " * 1_980 + " please fix the parser"
        text = lines.line_of(Event("prompt", "c", "s", at=1.0, text=long), HERE)["text"]
        assert text.startswith("start ")
        assert text.endswith("please fix the parser")
        assert "characters left out" in text
        assert "AKIA" not in text
        assert "Q7WE3RT5" not in text
        assert len(text) < 16_100


@pytest.mark.parametrize("tool", ["Bash", "Read", "mcp__tracker__get"])
def test_of_a_finished_call_it_is_asked_once_where_it_was_and_what_it_was_for(clew, monkeypatch, tmp_path, tool):
    (tmp_path / "a.py").write_text("def f(): pass")
    asked = []
    place, aim_of = projects.place, goals.aim_of
    monkeypatch.setattr(projects, "place", lambda *args, **how: asked.append("place") or place(*args, **how))
    monkeypatch.setattr(goals, "aim_of", lambda *args, **how: asked.append("aim_of") or aim_of(*args, **how))
    given = {"command": "pytest", "file_path": "a.py", "id": "7"}
    clew.capture(Event("tool", "c", "s", tool=tool, target="a.py", path="a.py" * (tool == "Read"), given=given, text="1 passed", exit=0))
    assert sorted(asked) == ["aim_of", "place"]
    (line,) = clew._spool.read("", 0)[2]
    assert line["seen"]["tokens"] > 0
    assert line["turn"] == 1
    assert ("attempt" in line) is (tool == "Bash")


def test_an_unknown_kind_is_refused():
    with pytest.raises(InvalidInput, match="event"):
        lines.line_of(Event("dance", "c", "s"), HERE)


@pytest.mark.parametrize("before", range(1_980, 2_020))
def test_a_secret_at_the_cut_is_kept_neither_whole_nor_in_half(before):
    key = "AKIA" + "Q7WE3RT5YU2IO6PA"
    block = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEow" * 300 + "\n-----END RSA PRIVATE KEY-----\n"
    line = lines.line_of(Event("tool", "c", "s", failed=True, text=block + " " * (before + 1_000 - len(block)) + key), HERE)
    assert "AKIA" not in line["text"]
    assert "MIIEow" not in line["text"]


@pytest.mark.parametrize("after", range(0, 6_000, 499))
def test_a_key_that_the_cut_of_a_long_prompt_would_halve_is_kept_in_no_part(after):
    body = [f"{n:02}" + "MIIEow" * 10 for n in range(50)]
    block = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *body, "-----END RSA PRIVATE KEY-----"])
    keys = " ".join(f"ghp_{n:036}" for n in range(600))
    text = lines.line_of(Event("prompt", "c", "s", text=f"{keys}\n{block}\n" + "please " * (after // 7)), HERE)["text"]
    assert "MIIEow" not in text
    assert "ghp_" not in text


def test_a_private_span_that_the_cut_of_a_long_prompt_would_halve_is_kept_in_no_part():
    text = "please " * 1_000 + "<private>" + "the hidden plan " * 1_000 + "</private> and now?"
    assert lines.line_of(Event("prompt", "c", "s", text=text), HERE)["text"].endswith("…\n and now?")
    assert "hidden" not in lines.line_of(Event("prompt", "c", "s", text=text), HERE)["text"]


def test_using_a_memory_again_at_once_is_no_further_use_and_showing_it_none(clew, clock):
    clew.remember("the parser is recursive")
    for expected in (1, 1, 2):
        clew.capture(Event("session_start", "c", f"s{clock.at}", source="startup"))
        clew.used(1)
        clew.take_in()
        assert clew.show(1).strength.uses == expected
        clock.at += capture.USED_APART * 0.6


def test_what_old_sessions_were_shown_is_dropped_when_another_ends(clew, clock):
    clew.remember("the parser is recursive")
    for session in ("old", "new"):
        clew.capture(Event("session_start", "c", session, source="startup"))
        clew.take_in()
        clock.at += capture.KEPT_SESSIONS * 0.6
    clew.capture(Event("session_end", "c", "new"))
    clew.take_in()
    assert clew._store.shown("old") == {}
    assert clew._store.shown("new") != {}


def test_twins_are_told_apart_by_time_and_by_their_names(clew, clock):
    def fire(**more):
        return clew.capture(Event("tool", "c", "s", tool="Bash", target="ls", **more))

    fire(id="1")
    fire(id="1")
    clew.take_in()
    fire(id="1")  # the first is in the store by now
    fire(id="2")
    clock.at += capture.TWIN_SECONDS + 1
    fire(id="1")
    clew.take_in()
    where = clew.project()
    assert len([line for line in clew._store.read_log(where.id, limit=100) if line["event"] == "tool"]) == 3


def test_trouble_counts_up_for_a_week_and_begins_anew_after(clew, clock):
    for _ in range(3):
        clew._spool.append(lines.trouble_line("the disk is full", clock.at))
    assert clew.notes() == ["the disk is full (just now, 3 times)"]
    clew.take_in()
    clock.at += 7_200
    assert clew.notes() == ["the disk is full (2h ago, 3 times)"]
    clock.at += capture.TROUBLE_SECONDS
    assert clew.notes() == []
    clew._spool.append(lines.trouble_line("the disk is full", clock.at))
    assert clew.notes() == ["the disk is full (just now)"]


def test_a_kind_of_a_newer_version_is_passed_over(clew):
    clew._spool.append({"kind": "telepathy", "at": 1.0, "session": "s"})
    assert clew.take_in() == 1
    assert clew.notes() == []


def test_many_lines_are_taken_in_steps(clew, monkeypatch):
    monkeypatch.setattr(capture, "LINES_AT_ONCE", 3)
    for n in range(10):
        clew.capture(Event("prompt", "c", "s", text=f"prompt {n}"))
    assert clew.take_in() == 10
    log = clew._store.read_log(clew.project().id, limit=100)
    assert [line["text"] for line in reversed(log)] == [f"prompt {n}" for n in range(10)]
    assert [line["turn"] for line in reversed(log)] == list(range(1, 11))


def test_a_line_is_plain_json(clew):
    line = lines.line_of(Event("prompt", "c", "s", text="é\ud800\0"), HERE)
    assert json.loads(json.dumps(line)) == line
    assert line["text"] == "é"


def test_what_an_answer_brought_counts_as_a_use_with_the_next_write(tmp_path):
    with Clew(str(tmp_path / "a.db"), project="p", embed="hashing") as clew:
        kept = clew.remember("Use tabs").memory
        clew.used(kept.id)
        assert clew.show(kept.id).strength.uses == 0
        clew.take_in()
        assert clew.show(kept.id).strength.uses == 1
        clew.used()
        assert clew.take_in() == 0
