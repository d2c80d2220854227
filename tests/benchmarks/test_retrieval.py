"""The retrieval benchmark on a set small enough to know the answers."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from benchmarks import retrieval

CORPUS = [
    {"id": "a", "title": "Ledger moved to PostgreSQL", "text": "Row level security was the reason.", "meta": {"scope": "one"}},
    {"id": "b", "title": "Ledger stays on MongoDB", "text": "Superseded since.", "meta": {"scope": "one"}},
    {"id": "c", "text": "Nightly export runs at four", "meta": {"scope": "one", "session": 3}},
    {"id": "d", "text": "It failed twice in March", "meta": {"scope": "one", "session": 3}},
    {"id": "e", "title": "Ledger of another team", "text": "PostgreSQL too.", "meta": {"scope": "two", "session": 3}},
]
QUERIES = [
    {"id": "1", "query": "ledger PostgreSQL", "gold": ["a"], "stale": ["b"], "scope": "one", "type": "fact", "pool": ["a", "b"]},
    {"id": "2", "query": "nightly export", "gold": ["c"], "gold_sessions": [3], "scope": "one", "type": "fact", "pool": ["c", "d"]},
]


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "small"
    made.mkdir()
    for name, lines in (("corpus", CORPUS), ("queries", QUERIES), ("offtopic", [{"id": "o", "query": "banana bread recipe", "gold": []}])):
        (made / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return made


@pytest.fixture
def quiet():
    return Console(file=io.StringIO())


def test_every_arm_is_measured_with_its_interval(folder, quiet):
    whole, distractor = retrieval.measure(folder, retrieval.ARMS, quiet)
    assert (whole["bench"], whole["data"], whole["n"], distractor["data"]) == ("retrieval", "small", 2, "small distractor")
    assert list(whole["arms"]) == [arm for arm in retrieval.ARMS if arm != "typed links"]
    fused = whole["arms"]["fused"]
    assert fused["recall@5"] == fused["recall@5_low"] == fused["recall@5_high"] == fused["recall@5 fact"] == fused["full@5 fact"] == 1.0
    assert (fused["stale_above_live"], fused["session_hit@5"], fused["offtopic_answered"]) == (0.0, 1.0, 0.0)
    assert all(isinstance(value, float) for arm in whole["arms"].values() for value in arm.values())


def test_links_of_the_set_are_made_for_the_last_arm_only(folder, quiet):
    edge = {"src": "a", "dst": "d", "relation": "discovered-from"}
    (folder / "edges.jsonl").write_text(json.dumps(edge) + "\n" + json.dumps(edge | {"dst": "gone"}) + "\n", "utf-8")
    (folder / "queries.jsonl").write_text(json.dumps(QUERIES[0] | {"gold": ["a", "d"]}) + "\n", "utf-8")
    arms = retrieval.measure(folder, ["typed links", "fused"], quiet)[0]["arms"]
    assert (arms["fused"]["full@5"], arms["typed links"]["full@5"]) == (0.0, 1.0)


def test_a_question_is_asked_inside_its_scope(folder, quiet, tmp_path):
    store = retrieval.fill(str(tmp_path / "m.db"), CORPUS, quiet)
    (said,) = retrieval.ask(store, "fused", [{"query": "ledger PostgreSQL", "scope": "two"}], quiet)
    assert said.ranked == [store.memory["e"]]


def test_turns_are_counted_inside_their_session():
    sources = [draft.source for _, _, draft in retrieval.drafts(CORPUS)]
    assert [(s.session, s.turn) for s in sources] == [(None, None), (None, None), ("3", 0), ("3", 1), ("3", 0)]


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("A  title\nin two lines", "text", ("A title in two lines", "text")),
        ("", "one short line", ("one short line", "")),
        ("", "first\nrest\nmore", ("first", "rest\nmore")),
        ("", "  ", ("(empty)", "")),
        ("", "x" * 600, ("x" * 200, "x" * 400)),
    ],
)
def test_an_untitled_text_becomes_a_line_and_the_rest(title, text, expected):
    assert retrieval.halves(title, text) == expected


def test_a_folder_of_sets_is_all_its_sets_and_a_set_is_itself(folder):
    (folder.parent / "no set").mkdir()
    assert retrieval.sets(folder) == retrieval.sets(folder.parent) == [folder]


def test_a_text_may_hold_what_looks_like_the_end_of_a_line(tmp_path):
    lines = tmp_path / "corpus.jsonl"
    lines.write_text('{"id": "a", "text": "one\u2028two\x85three"}\r\n\n{"id": "b", "text": ""}', "utf-8", newline="")
    assert [document["id"] for document in retrieval.read(lines)] == ["a", "b"]


def test_a_line_that_is_no_object_is_named(tmp_path):
    lines = tmp_path / "corpus.jsonl"
    lines.write_text('{"id": "a"}\n{"id"\n', "utf-8")
    with pytest.raises(SystemExit, match=r"corpus\.jsonl, line 2: "):
        retrieval.read(lines)


def test_a_folder_that_is_not_there_is_said_with_what_is_looked_for(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["retrieval", str(tmp_path / "nowhere")])
    with pytest.raises(SystemExit, match="2"):
        retrieval.main()
    assert "corpus.jsonl and queries.jsonl are looked for" in capsys.readouterr().err


def test_no_text_and_no_title_is_too_long_to_be_kept(quiet, tmp_path):
    corpus = [{"id": "a", "text": ""}, {"id": "b", "title": "long " * 300, "text": "x"}, {"id": "c", "text": "words " * 2_000}]
    assert len(retrieval.fill(str(tmp_path / "m.db"), corpus, quiet).memory) == 3
