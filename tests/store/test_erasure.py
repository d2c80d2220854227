"""Forgetting truly erases: not a byte of the text, its terms or its vector is left in the store's files."""

import os
import random
import subprocess

import pytest

from clew import text
from clew.model import Source
from clew.service import Clew
from clew.store import vectors

SECRET = "The zyxwolf plan of Quagmarch feeds brindlefox money"
DETAIL = "Ask Umberquist about the frobnozzle contract.\n" * 3
TAG = "krellbound"
REASON = "because the vintelope said so"


def traces(path, *needles):
    """The needles that still lie in any of the store's files. Read by another process: closing a file here would drop SQLite's locks."""
    folder, name = os.path.split(path)
    files = [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.startswith(name)]
    assert path in files
    content = subprocess.run(["cat", *files], capture_output=True, check=True).stdout
    return {needle for needle in needles if needle in content}


@pytest.fixture
def clew(tmp_path):
    with Clew(str(tmp_path / "memory.db"), project="p", clock=lambda: 1_000.0) as opened:
        yield opened


def needles_of(number, clew):
    """Text, terms, vector and sign bits of the memory, as they lie in the file, but for terms that stand in the schema too."""
    terms = {t for t in text.index_terms(f"{SECRET} {DETAIL} {TAG}") if clew._store.statistics([1], [t]).holding == {t: 1}}
    schema = " ".join(row[0] for row in clew._store._rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    terms = {t for t in terms if t not in schema}
    assert {"zyxwolf", "quagmarch", "brindlefox", "umberquist", "krellbound"} <= terms
    row = clew._store._rows("SELECT row FROM vectors WHERE id = ?", (number,))[0][0]
    words = [w.encode() for w in (SECRET, "Umberquist", TAG, "vintelope", *terms)]
    return [*words, row, vectors.signs(row)]


@pytest.mark.parametrize("others", [0, 3, 400])
def test_nothing_of_a_forgotten_memory_is_left_in_any_file(clew, tmp_path, others):
    path = str(tmp_path / "memory.db")
    chance = random.Random(others)
    plain = "cache session token deploy request index queue worker timeout retry".split()
    for i in range(others // 2):
        clew.remember(f"number {i}: " + " ".join(chance.choices(plain, k=12)))
    kept = clew.remember(SECRET, detail=DETAIL, tags=[TAG], source=Source(session="s", turn=1)).memory
    for i in range(others // 2):
        clew.remember(f"later number {i}: " + " ".join(chance.choices(plain, k=12)))
    clew.remember(SECRET, detail=DETAIL, tags=[TAG])
    clew.edit(kept.id, summary=SECRET + " indeed")
    clew.edit(kept.id, summary=SECRET)
    clew.done(kept.id, reason=REASON)
    needles = needles_of(kept.id, clew)
    assert traces(path, *needles) == set(needles)
    (gone,) = clew.forget(kept.id)
    assert gone.left == ()
    assert gone.erased["memories"] == 1
    assert traces(path, *needles) == set()
    assert clew.doctor() == []


def test_what_expired_is_erased_as_thoroughly(tmp_path):
    path = str(tmp_path / "memory.db")
    moment = [1_000.0]
    with Clew(path, project="p", clock=lambda: moment[0]) as clew:
        number = clew.remember(SECRET, detail=DETAIL, tags=[TAG], ttl=10.0).memory.id
        needles = [needle for needle in needles_of(number, clew) if needle != b"vintelope"]
    moment[0] += 11.0
    with Clew(path, project="p", clock=lambda: moment[0]) as clew:
        clew.remember("something else")
        assert traces(path, *needles) == set()
        assert clew.recall("zyxwolf plan") == []


def test_a_reader_that_holds_the_old_state_is_named_and_cleaned_up_after(clew, tmp_path):
    path = str(tmp_path / "memory.db")
    number = clew.remember(SECRET).memory.id
    with Clew(path, project="p") as reader:
        reading = reader._store._db.execute("SELECT summary FROM memories UNION ALL SELECT name FROM projects")
        next(reading)
        clew._store._db.set_busy_timeout(1)
        (gone,) = clew.forget(number)
        assert "another process is reading" in " ".join(gone.left)
        reading.close()
    clew.forget(clew.remember("the next forgotten one cleans up").memory.id)
    assert traces(path, SECRET.encode(), b"zyxwolf") == set()


def test_a_copy_from_before_an_upgrade_is_named(clew, tmp_path):
    (tmp_path / "memory.db.schema-1.bak").write_bytes(b"old")
    (gone,) = clew.forget(clew.remember(SECRET).memory.id)
    assert any("memory.db.schema-1.bak" in line for line in gone.left)


def test_terms_that_others_hold_stay_found(clew):
    first = clew.remember("the zyxwolf plan is good").memory.id
    second = clew.remember("the zyxwolf plan is old").memory.id
    clew.forget(first)
    assert [hit.memory.id for hit in clew.recall("zyxwolf plan")] == [second]


def test_entities_that_nobody_mentions_any_more_go_too(clew):
    store = clew._store
    a, b = (clew.remember(f"summary {i}").memory.id for i in range(2))
    with store.transaction():
        store._db.execute("INSERT INTO entities (id, project, kind, name) VALUES (1, 1, 'file', 'a.py'), (2, 1, 'file', 'zyxwolf.py')")
        store._db.execute("INSERT INTO aliases (project, alias, entity) VALUES (1, 'zyx', 2)")
        store._db.executemany("INSERT INTO mentions (memory, entity) VALUES (?, ?)", [(a, 1), (a, 2), (b, 1)])
    clew.forget(a)
    assert store._rows("SELECT name FROM entities") == [("a.py",)]
    assert store._rows("SELECT alias FROM aliases") == []


def test_a_memory_of_a_store_without_a_file_can_be_forgotten_too():
    with Clew(":memory:", project="p") as clew:
        (gone,) = clew.forget(clew.remember(SECRET).memory.id)
        assert gone.left == ()
        assert clew.recall(SECRET) == []
