"""Which embedder made the vectors: another is refused with the way out, none falls back to words, a rebuild changes over."""

import os
import shutil
import signal

import pytest

import clew.embed
from clew import EmbedderMismatch
from trips import command, opened, python, summaries

QUESTION = "decision 7 about the ledger service"


def verbs(clew):
    """Every verb that reads or writes vectors."""
    return {
        "remember": lambda: clew.remember("new"),
        "recall": lambda: clew.recall(QUESTION),
        "edit": lambda: clew.edit(1, summary="new"),
        "import": lambda: clew.import_jsonl([{"summary": "new"}]),
        "merge": lambda: clew.project_merge("trip", into="other"),
        "move": lambda: clew.project_move([1], into="other"),
    }


def test_another_embedder_is_refused_by_every_verb_with_the_command_that_rebuilds(victim):
    with opened(victim, embed="static") as clew:
        for verb, act in verbs(clew).items():
            with pytest.raises(EmbedderMismatch, match=r"hashing.*static.*`clew reindex`.*CLEW_EMBED=off"):
                act()
            assert len(clew.list(limit=100)) == 60, verb
        assert [project.name for project in clew.projects()] == ["trip"]
    told = command("recall", QUESTION, "-p", "trip", CLEW_DB=str(victim))
    assert (told.code, told.out, "Traceback" in told.err) == (5, "", False)
    assert "clew reindex" in told.err


def test_verbs_that_need_no_vectors_work_whatever_the_embedder(victim):
    with opened(victim, embed="static") as clew:
        assert clew.show(7).id == 7
        assert clew.done(7).status == "done"
        assert clew.pin(8).pinned
        assert clew.forget(9)[0].left == ()
        assert clew.doctor() == []
        assert len(list(clew.export_jsonl())) == 59


def test_a_rebuild_changes_over_to_another_embedder_and_the_old_one_is_then_refused(victim):
    with opened(victim, embed="static") as clew:
        assert clew.reindex() == 60
        assert clew.recall(QUESTION)[0].memory.summary == QUESTION
        assert clew.doctor() == []
    with opened(victim) as clew, pytest.raises(EmbedderMismatch, match=r"static.*hashing"):
        clew.recall(QUESTION)


CHANGE_OVER = """
import os, signal, sys
from clew import Clew
with Clew(sys.argv[1], project="trip", embed="static") as clew:
    clew.reindex(lambda done, last: os.kill(os.getpid(), signal.SIGKILL))
"""


def test_a_killed_change_over_goes_on_with_the_new_embedder_and_can_go_back_to_the_old(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path) as clew:
        clew.import_jsonl({"summary": f"fact number {i}"} for i in range(700))
    assert python(CHANGE_OVER, path).code == -signal.SIGKILL
    with opened(path) as clew, pytest.raises(EmbedderMismatch):
        clew.recall("fact number 7")
    other = shutil.copy(path, tmp_path / "other.db")
    with opened(path, embed="static") as clew:
        assert clew.reindex() == 200
        assert clew.doctor() == []
    with opened(other) as clew:
        assert clew.reindex() == 700
        assert clew.doctor() == []
        assert clew.recall("fact number 7")[0].memory.summary == "fact number 7"


WRITE_LATE = """
import sys
from clew import Clew, EmbedderMismatch
with Clew(sys.argv[1], project="trip", embed="hashing") as clew:
    clew.recall("ledger")
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        clew.remember("too late")
    except EmbedderMismatch as error:
        print(error)
"""


def test_a_process_that_was_there_before_the_change_over_is_refused_too(victim):
    import subprocess
    import sys

    from trips import environment

    argv = [sys.executable, "-c", WRITE_LATE, str(victim)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), text=True) as process:
        assert process.stdout.readline() == "ready\n"
        with opened(victim, embed="static") as clew:
            clew.reindex()
        out, _ = process.communicate("go\n", timeout=60)
    assert "`clew reindex`" in out
    with opened(victim, embed="static") as clew:
        assert "too late" not in summaries(clew)
        assert clew.doctor() == []


def test_without_an_embedder_words_alone_answer(victim):
    with opened(victim, embed="off") as clew:
        hits = clew.recall(QUESTION)
        assert hits[0].memory.summary == QUESTION
        assert {hit.signals.semantic for hit in hits} == {None}
        assert clew.recall("zebra quilting patterns") == []
        assert clew.notes() == []


def test_what_was_kept_without_the_embedder_is_a_gap_that_is_said_and_filled(victim):
    with opened(victim, embed="off") as clew:
        clew.remember("written while it was off")
    with opened(victim) as clew:
        assert any("kept while the embedder was off" in sentence and "clew reindex" in sentence for sentence in clew.doctor())
        assert clew.reindex() == 61
        assert clew.doctor() == []
        assert clew.recall("written while it was off")[0].signals.semantic == pytest.approx(1.0, abs=0.01)


def test_a_store_begun_without_an_embedder_says_what_lacks_meaning_once_there_is_one(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path, embed="off") as clew:
        clew.remember("words alone")
        assert clew.doctor() == []
    with opened(path) as clew:
        assert clew.doctor() == []
        clew.remember("words and meaning")
        assert any("clew reindex" in sentence for sentence in clew.doctor())
        clew.reindex()
        assert clew.doctor() == []


@pytest.fixture
def broken_table(tmp_path, monkeypatch):
    """The shipped table with one file cut short."""
    folder = tmp_path / "table"
    shutil.copytree(os.path.join(os.path.dirname(clew.embed.__file__), "table"), folder)
    with open(folder / "vectors.i4", "r+b") as file:
        file.truncate(1_000)
    monkeypatch.setattr(clew.embed, "_SHIPPED", str(folder))
    return folder


def test_a_damaged_table_falls_back_to_words_with_a_note_and_is_no_embedder_to_rebuild_with(broken_table, tmp_path):
    path = tmp_path / "memory.db"
    with opened(path, embed="static") as store:
        store.remember("the ledger is kept in PostgreSQL")
        assert store.recall("ledger PostgreSQL")[0].memory.summary == "the ledger is kept in PostgreSQL"
        (said,) = store.notes()
        assert "vectors.i4" in said
        assert "reinstall clew" in said
        with pytest.raises(Exception, match="reinstall clew"):
            store.reindex()


def test_the_note_about_a_damaged_table_reaches_the_user_of_the_command(broken_table, tmp_path):
    code = (
        f"import clew.embed; clew.embed._SHIPPED = {str(broken_table)!r}; import sys; from clew.__main__ import main;"
        "sys.argv = ['clew', *sys.argv[1:]]; main()"
    )
    how = {"CLEW_DB": str(tmp_path / "memory.db")}
    assert python(code, "remember", "the ledger is kept in PostgreSQL", "-p", "trip", **how).code == 0
    found = python(code, "recall", "ledger", "-p", "trip", **how)
    assert (found.code, "Traceback" in found.err) == (0, False)
    assert "the ledger is kept in PostgreSQL" in found.out
    assert "reinstall clew" in found.err
