"""Damaged files: what can be read is read, the rest is said in a sentence, and a damaged index is rebuilt from the text."""

import json
import random
import shutil

import apsw
import pytest

from clew import ClewError, StoreDamaged
from trips import command, opened

PAGE = 4096
INDEXES = {"words": "the word index is damaged", "vectors": "the vector index is damaged", "signs": "the vector index is damaged"}
QUESTION = "decision 7 about the ledger service"


def pages_of(path, table):
    """Offsets of the pages that a table's tree takes in the file."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return [(row[0] - 1) * PAGE for row in db.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,))]
    finally:
        db.close()


def leaves_of(path, table):
    """Those of its pages that hold rows."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return [(row[0] - 1) * PAGE for row in db.execute("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'", (table,))]
    finally:
        db.close()


def overwrite(path, offsets, seed=1):
    """Random bytes over whole pages."""
    rng = random.Random(seed)
    with open(path, "r+b") as file:
        for offset in offsets:
            file.seek(offset)
            file.write(rng.randbytes(PAGE))


def garbled(path, table):
    """Rows of an index with lengths that cannot be."""
    statement = {
        "words": "UPDATE words SET postings = x'010203'",
        "vectors": "UPDATE vectors SET row = x'0102'",
        "signs": "UPDATE signs SET ids = x'010203', bits = x'0405'",
    }[table]
    db = apsw.Connection(str(path))
    db.execute(statement)
    db.close()


HARMS = {"pages": lambda path, table: overwrite(path, pages_of(path, table)), "rows": garbled}


@pytest.mark.parametrize("long_lived", [True, False], ids=["numpy", "plain"])
@pytest.mark.parametrize("table", INDEXES)
@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_index_leaves_the_other_search_and_a_rebuild_heals_it(harm, table, long_lived, victim):
    HARMS[harm](victim, table)
    with opened(victim, long_lived=long_lived) as clew:
        if (harm, table, long_lived) != ("rows", "vectors", False):  # short rows make other cosines there, which nothing can tell
            assert clew.recall(QUESTION)[0].memory.summary == QUESTION
            assert any(INDEXES[table] in sentence and "clew reindex" in sentence for sentence in clew.notes())
            assert clew.why(QUESTION).nodes[0].memory.summary == QUESTION
        assert any("clew reindex" in sentence for sentence in clew.doctor())
        assert len(clew.list(limit=100)) == 60
        assert clew.reindex() == 60
    with opened(victim, long_lived=long_lived) as clew:
        assert clew.doctor() == []
        assert clew.recall(QUESTION)[0].memory.summary == QUESTION
        assert clew.remember("written after the rebuild").created
        assert clew.doctor() == []


@pytest.mark.parametrize("table", INDEXES)
def test_the_command_answers_over_a_damaged_index_and_says_so(table, victim):
    HARMS["pages"](victim, table)
    how = {"CLEW_DB": str(victim), "CLEW_EMBED": "hashing"}
    found = command("recall", QUESTION, "--project", "trip", **how)
    assert found.code == 0
    assert QUESTION in found.out
    assert INDEXES[table] in found.err
    assert "Traceback" not in found.err
    assert command("reindex", **how).code == 0
    assert command("doctor", **how).code == 0


WRITES = {
    "remember": lambda clew: clew.remember("new decision about the ledger"),
    "forget": lambda clew: clew.forget(7),
    "edit": lambda clew: clew.edit(8, summary="other words"),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("table", INDEXES)
@pytest.mark.parametrize("harm", HARMS)
def test_a_write_over_a_damaged_index_is_whole_or_refused(harm, table, write, victim):
    HARMS[harm](victim, table)
    with opened(victim) as clew:
        before = clew.list(limit=100)
        try:
            WRITES[write](clew)
        except StoreDamaged as error:
            assert "reindex" in str(error) or "doctor" in str(error)
            assert clew.list(limit=100) == before
        clew.reindex()
        assert clew.doctor() == []


@pytest.mark.parametrize("seed", range(60))
def test_random_bytes_anywhere_in_the_file_never_show_a_traceback(seed, victim):
    rng = random.Random(seed)
    size = victim.stat().st_size
    if seed % 3 == 0:
        overwrite(victim, rng.sample(range(0, size - PAGE, PAGE), 1 + seed % 5), seed)
    elif seed % 3 == 1:
        with open(victim, "r+b") as file:
            for _ in range(400):
                file.seek(rng.randrange(100, size))
                file.write(rng.randbytes(1))
    else:
        with open(victim, "r+b") as file:
            file.truncate(rng.randrange(size))
    acts = (
        lambda clew: clew.recall(QUESTION),
        lambda clew: clew.list(limit=100),
        lambda clew: clew.remember("new decision about the ledger"),
        lambda clew: clew.edit(5, detail="changed"),
        lambda clew: clew.forget(3),
        lambda clew: clew.status(),
        lambda clew: list(clew.export_jsonl()),
        lambda clew: clew.reindex(),
    )
    said = []
    for act in acts:
        try:
            with opened(victim, long_lived=bool(seed % 2)) as clew:
                act(clew)
        except ClewError as error:
            said.append(str(error))
    assert all(str(victim) in text or "#" in text or "damaged" in text for text in said)


def test_doctor_names_what_is_damaged_where_the_memories_themselves_are(victim):
    overwrite(victim, pages_of(victim, "memories")[:2])
    with opened(victim) as clew:
        assert any("damaged" in sentence for sentence in clew.doctor())
    told = command("doctor", CLEW_DB=str(victim), CLEW_EMBED="hashing")
    assert told.code != 0
    assert "damaged" in told.out + told.err
    assert "Traceback" not in told.err


def test_doctor_and_recall_over_a_file_that_is_cut_off_name_the_way_out(victim):
    with open(victim, "r+b") as file:
        file.truncate(30_000)
    for words in (("doctor",), ("recall", QUESTION)):
        told = command(*words, CLEW_DB=str(victim), CLEW_EMBED="hashing")
        assert told.code == 6
        assert "cannot be opened" in told.err
        assert "the copy in its place that `clew backup` made" in told.err


def test_doctor_examines_a_store_whose_settings_are_damaged(victim):
    overwrite(victim, pages_of(victim, "settings"))
    with opened(victim) as clew:
        said = clew.doctor()
    assert any("`clew export` saves what can be read" in sentence for sentence in said)
    assert not any("`clew doctor`" in sentence for sentence in said)


def test_a_memory_whose_text_is_no_text_any_more_is_named(victim):
    db = apsw.Connection(str(victim))
    db.execute("UPDATE memories SET tags = '{not json' WHERE id = 9")
    db.close()
    with opened(victim) as clew, pytest.raises(StoreDamaged, match=r"#9 is damaged"):
        clew.show(9)


def test_a_store_without_its_write_ahead_log_is_whole_as_of_its_last_checkpoint(template, tmp_path):
    path = tmp_path / "memory.db"
    shutil.copy(template, path)
    with opened(path) as clew:
        clew.remember("in the log only")
        lost = tmp_path / "copy.db"
        shutil.copy(path, lost)
    with opened(lost) as clew:
        assert clew.doctor() == []
        assert len(clew.list(limit=100)) == 60


NAMES = ("mentions", "aliases", "entities", "subjects", "cues", "tagged")


@pytest.fixture
def named(tmp_path):
    """A store whose memories name tickets, files and each other's tickets."""
    path = tmp_path / "named" / "memory.db"
    path.parent.mkdir(mode=0o700)
    with opened(path) as clew:
        for i in range(40):
            clew.remember(f"#{i}: the ledger loses row {i}", detail="in src/ledger.py" + " and more" * 40, tags=[f"part-{i}"])
            clew.remember(f"Rule {i} of the ledger because of #{i}, see UserProfile{i}", kind="decision", links=[("depends_on", 1 + 2 * i)])
    return path


@pytest.mark.parametrize("table", [*NAMES, "links"])
def test_recall_answers_without_links_and_names_where_those_are_damaged(table, named):
    overwrite(named, pages_of(named, table))
    with opened(named) as clew:
        assert clew.recall("which rule 7 of the ledger, and why?")[0].memory.summary.startswith("Rule 7 ")
        said = clew.notes()
    assert table not in ("mentions", "entities", "links") or any("links and names are damaged" in sentence for sentence in said)


@pytest.mark.parametrize("table", NAMES)
def test_names_that_are_damaged_are_made_anew_by_a_rebuild(table, named):
    with opened(named) as clew:
        trail = [node.id for node in clew.why(8).nodes]
    overwrite(named, pages_of(named, table))
    with opened(named) as clew:
        assert any("clew reindex" in sentence for sentence in clew.doctor())
        assert clew.reindex() == 80
    with opened(named) as clew:
        assert clew.doctor() == []
        assert [node.id for node in clew.why(8).nodes] == trail
        assert len(clew.list(tags=["part-3"])) == 1
        assert clew.entity("UserProfile7").memories


@pytest.mark.parametrize("page", [0, 3, -1])
def test_an_export_of_damaged_memories_holds_all_that_can_be_read_and_then_says_what_cannot(page, named, tmp_path):
    overwrite(named, [leaves_of(named, "memories")[page]])
    kept = []
    with opened(named) as clew, pytest.raises(StoreDamaged, match=r"from #\d+ to #\d+ cannot be read; everything else was exported"):
        kept.extend(clew.export_jsonl())
    summaries = {line["summary"] for line in kept if line["type"] == "memory"}
    assert 60 < len(summaries) < 80
    target = tmp_path / "saved.jsonl"
    run = command("export", "jsonl", str(target), "-p", "trip", CLEW_DB=str(named), CLEW_EMBED="hashing")
    assert (run.code, "cannot be read" in run.err) == (6, True)
    with opened(tmp_path / "fresh.db") as clew:
        assert clew.import_jsonl(json.loads(line) for line in target.read_text("utf-8").splitlines())["new"] == len(summaries)


def test_an_export_with_damaged_links_holds_every_memory(named):
    overwrite(named, pages_of(named, "links"))
    kept = []
    with opened(named) as clew, pytest.raises(StoreDamaged, match="some links cannot be read"):
        kept.extend(clew.export_jsonl())
    assert len(kept) == 80
