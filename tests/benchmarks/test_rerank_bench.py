"""The benchmark of the quality tier: orders by weight, the weight that others choose, and its sums on a set small enough to know."""

import importlib.util
import io
import json

import pytest
from rich.console import Console

from benchmarks import rerank
from benchmarks.rerank import Found
from clew.embed.pairs import PACKAGE

CORPUS = [
    {"id": "a", "text": "Ada made the parser"},
    {"id": "b", "text": "the parser is slow"},
    {"id": "c", "text": "the parser reads TOML"},
]
QUERIES = [{"id": "1", "query": "who wrote the parser", "gold": ["a"]}, {"id": "2", "query": "what does the parser read", "gold": ["c"]}]


def test_a_weight_gives_an_order_and_what_was_not_read_stays_behind():
    found = [Found(1, 0.9, 0.0), Found(2, 0.8, 1.0), Found(3, 0.5, None), Found(4, 0.8, 1.0)]
    assert rerank.weighed(found, 0.0) == [1, 2, 4, 3]
    assert rerank.weighed(found, 0.2) == [2, 4, 1, 3]


def test_the_weight_for_a_set_is_chosen_on_the_others():
    def result(name, best, gain=1.0):
        weights = {w: {"recall@5": gain * (w == best), "mrr@10": 0.0} for w in ("0.0", "0.3", "0.5")}
        return {"data": name, "weights": weights}

    results = [result("x", "0.5", gain=2.0), result("y", "0.3"), result("z", "0.3")]
    rerank.held_out(results)
    assert [r["held out"]["weight"] for r in results] == [0.3, 0.5, 0.5]
    assert [r["held out"]["recall@5"] for r in results] == [0.0, 0.0, 0.0]
    alone = [result("x", "0.5")]
    rerank.held_out(alone)
    assert "held out" not in alone[0]


@pytest.mark.skipif(importlib.util.find_spec(PACKAGE) is None, reason="clew[quality] is not installed")
def test_every_arm_is_measured_and_the_judges_word_puts_the_answer_first(tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    for name, lines in (("corpus", CORPUS), ("queries", QUERIES)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    result = rerank.measure(folder, rerank.ARMS, 2, Console(file=io.StringIO()))
    assert (result["data"], result["n"], list(result["arms"])) == ("small", 2, ["table", "rerank", "quality"])
    assert result["arms"]["rerank"]["mrr@10"] == 1.0
    assert result["weights"]["0.0"] == {name: result["arms"]["table"][name] for name in result["weights"]["0.0"]}
    assert result["weights"]["0.3"]["mrr@10"] == 1.0
    rerank.show(result, Console(file=io.StringIO()))
