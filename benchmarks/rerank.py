"""What does the quality tier bring: documents read by a transformer, and the best answers read together with the question?

Question: how often are the memories that answer among the first five or ten, by the built-in table alone, with a cross-encoder's word added
to the best fifty, and with the vectors of the transformer in the table's place?
Method: a set as in benchmarks.retrieval, each document a memory; `--queries` questions of it, drawn with a fixed seed, go through
`Clew.recall` as a user's would, graph and times included. Arms: `table`; `rerank`, the same store opened as a process that lives on does
with CLEW_EMBED=quality, read only, so that no vector changes; `quality`, after `clew reindex` with it, without the cross-encoder.
The weight of the cross-encoder's word: one pass gives every answer's score and word, from which each weight's order follows. For each set
that weight is chosen which is best on the mean of the other sets (recall@5 + MRR@10), and `held out` says what it does on this one.
Limits: needs `clew[quality]`; samples are small, see the intervals; an answer beyond the first fifty, or beyond the word pieces that are
read, cannot rise; gold judgements are incomplete, which hurts a reader that finds what nobody marked; the cross-encoder was trained on
questions to a web search in English.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import metrics
from benchmarks.report import commit, machine, write
from benchmarks.retrieval import Filled, fill, read, sets
from clew import Clew
from clew.embed import open_judge

if TYPE_CHECKING:
    from collections.abc import Sequence

ARMS = ("table", "rerank", "quality")
WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.8)
READ = 50  # answers asked for, all that the cross-encoder reads
SEED = 7


class Found(NamedTuple):
    """One answer: the memory, its score without the cross-encoder's word, and that word, None where it was not read."""

    memory: int
    score: float
    word: float | None


def ask(clew: Clew, store: Filled, queries: Sequence[dict[str, Any]], console: Console, *, rerank: bool) -> list[list[Found]]:
    """The answers to all questions, best first as `clew` gives them."""
    from clew.engines.rerank import WEIGHT

    everywhere = next(iter(store.project.values()))
    answers = []
    for query in track(queries, "rerank" if rerank else "recall", console=console, transient=True):
        project = store.project.get(str(query.get("scope", "")), everywhere)
        hits = clew.recall(query["query"], project=project, limit=READ, rerank=rerank)
        words = [h.signals.reread for h in hits]
        answers.append([Found(h.memory.id, h.score - WEIGHT * (w or 0.0), w) for h, w in zip(hits, words, strict=True)])
    return answers


def weighed(found: Sequence[Found], weight: float) -> list[int]:
    """The memories in the order that a weight gives; what was not read stays behind what was."""
    read_ones = [f for f in found if f.word is not None]
    best = sorted(read_ones, key=lambda f: (-(f.score + weight * (f.word or 0.0)), f.memory))
    return [f.memory for f in [*best, *(f for f in found if f.word is None)]]


def figures(store: Filled, queries: Sequence[dict[str, Any]], ranked: Sequence[Sequence[int]]) -> dict[str, list[float]]:
    """Each metric's value for each question that has an answer in the set."""
    values: dict[str, list[float]] = {"recall@5": [], "recall@10": [], "full@5": [], "mrr@10": []}
    for query, order in zip(queries, ranked, strict=True):
        gold = {store.memory[g] for g in query["gold"] if g in store.memory}
        if gold:
            values["recall@5"].append(metrics.recall(order, gold, 5))
            values["recall@10"].append(metrics.recall(order, gold, 10))
            values["full@5"].append(metrics.full(order, gold, 5))
            values["mrr@10"].append(metrics.reciprocal_rank(order, gold))
    return values


def summed(values: dict[str, list[float]]) -> dict[str, float]:
    """Mean, low and high of each metric, flat."""
    flat: dict[str, float] = {}
    for name, sample in values.items():
        flat[name], flat[f"{name}_low"], flat[f"{name}_high"] = (round(v, 4) for v in metrics.interval(sample))
    return flat


def measure(folder: Path, arms: Sequence[str], most: int, console: Console) -> dict[str, Any]:
    """One set's result; the figures of each weight where `rerank` is among the arms."""
    queries = read(folder / "queries.jsonl")
    random.Random(SEED).shuffle(queries)
    queries = queries[:most]
    result: dict[str, Any] = {
        "bench": "rerank",
        "commit": commit(),
        "machine": machine(),
        "data": folder.name,
        "n": len(queries),
        "arms": {},
    }
    with tempfile.TemporaryDirectory() as scratch:
        store = fill(str(Path(scratch) / "memory.db"), read(folder / "corpus.jsonl"), console)
        for arm in sorted(arms, key=ARMS.index):
            if arm == "quality":
                with Clew(store.path, embed="quality") as clew:
                    clew.reindex()
            with Clew(store.path, embed="quality" if arm == "rerank" else "static", read_only=arm == "rerank") as clew:
                before = time.process_time()
                answers = ask(clew, store, queries, console, rerank=arm == "rerank")
                spent = (time.process_time() - before) / len(queries)
            orders = [[f.memory for f in found] for found in answers]
            result["arms"][arm] = summed(figures(store, queries, orders)) | {"cpu_ms": round(1000 * spent, 1)}
            if arm == "rerank":
                result["weights"] = {str(w): means(store, queries, answers, w) for w in WEIGHTS}
    return result


def means(store: Filled, queries: Sequence[dict[str, Any]], answers: Sequence[Sequence[Found]], weight: float) -> dict[str, float]:
    """The means of all metrics with a weight."""
    values = figures(store, queries, [weighed(found, weight) for found in answers])
    return {name: round(sum(sample) / len(sample), 4) for name, sample in values.items()}


def held_out(results: Sequence[dict[str, Any]]) -> None:
    """Put into each result what the weight does on its set that is best on the mean of the others."""
    for result in results:
        others = [r["weights"] for r in results if r is not result and "weights" in r]
        if others and "weights" in result:
            gains = {w: sum(o[w]["recall@5"] + o[w]["mrr@10"] for o in others) for w in result["weights"]}
            weight = max(gains, key=lambda w: gains[w])
            result["held out"] = {"weight": float(weight)} | result["weights"][weight]


def show(result: dict[str, Any], console: Console) -> None:
    """One result as a table: an arm, or a weight, a row."""
    table = Table(title=f"{result['data']} · {result['n']} questions", title_justify="left")
    names = ("recall@5", "recall@10", "full@5", "mrr@10", "cpu_ms")
    for name in ("", *names):
        table.add_column(name, justify="right" if name else "left")
    rows = {**result["arms"], **{f"weight {w}": figured for w, figured in result.get("weights", {}).items()}}
    if "held out" in result:
        rows[f"held out, weight {result['held out']['weight']}"] = result["held out"]
    for name, figured in rows.items():
        cells = [f"{figured[n]:.{1 if n == 'cpu_ms' else 3}f}" if n in figured else "" for n in names]
        table.add_row(name, *cells)
    console.print(table)


def main() -> None:
    """Measure the sets and print, and write, what came out."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rerank", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="sets, or folders of sets")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    parser.add_argument("--arms", default="table,rerank", help=f"comma-separated, of {', '.join(ARMS)}")
    parser.add_argument("--queries", type=int, default=150, help="questions of each set, drawn with a fixed seed")
    options = parser.parse_args()
    arms = [arm for arm in options.arms.split(",") if arm]
    if unknown := set(arms) - set(ARMS):
        parser.error(f"no such arm: {', '.join(sorted(unknown))}")
    open_judge()  # says at once what is not installed
    console = Console()
    results = [measure(folder, arms, options.queries, console) for given in options.folders for folder in sets(given)]
    held_out(results)
    for result in results:
        show(result, console)
    if options.json:
        write(options.json, results)


if __name__ == "__main__":
    main()
