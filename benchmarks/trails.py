"""Does `why` say nothing about what the store knows nothing of, and something about what it does?

Question: of 100 questions that any person might ask any assistant (poems, recipes, capitals, sport, health), how many get an empty trail,
and how many of the questions that belong to a store get one?
Method: each store is asked the 100 questions of `data/trails/unrelated.jsonl` and its own through `Clew.why`, at default settings. The
stores: our chains, our development store (`data/packs`), our paraphrase set, and every set of the folder that is given (form:
benchmarks/retrieval.py; at most OWN of its questions, evenly spread; the unrelated ones take its scopes in turn).
Figures: `empty`, of the unrelated 100; `answered`, the share of the store's own questions that get a trail; `own`, how many those are.
Limits: what is unrelated depends on the store: a set of encyclopaedia pages or of small talk holds some of the answers, and a trail about
them is then right; an answered question may still have the wrong trail (benchmarks/chains.py says how often it is the right one).
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from benchmarks import chains, retrieval
from benchmarks.report import ROOT, commit, machine, write
from clew import Clew, Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = ROOT / "benchmarks" / "data"
OWN = 100  # of a store's own questions that are asked


def unrelated() -> list[str]:
    """The questions that belong to no store."""
    return [line["question"] for line in retrieval.read(DATA / "trails" / "unrelated.jsonl")]


def measured(clew: Clew, projects: list[str], own: list[tuple[str, str]]) -> dict[str, float]:
    """The figures of one store; `own` are its (question, project)."""
    strange = [(question, projects[place % len(projects)]) for place, question in enumerate(unrelated())]
    empty, silent = (sum(not clew.why(question, project=project).nodes for question, project in asked) for asked in (strange, own))
    return {"empty": 100 * empty / len(strange), "answered": round(1 - silent / len(own), 4), "own": len(own)}


def ours() -> Iterator[tuple[str, dict[str, float]]]:
    """Name and figures of the stores of our own making."""
    with Clew(":memory:", project="chains", embed="static") as clew:
        chains.fill(clew)
        yield "chains", measured(clew, ["chains"], [(line["question"], "chains") for line in chains.read("questions.jsonl")])
    with Clew(":memory:", project="packs", embed="static") as clew:
        lines = retrieval.read(DATA / "packs" / "memories.jsonl")
        clew.remember_many(Draft(m["summary"], m["kind"], m.get("detail", "")) for m in lines)
        prompts = [line["prompt"] for line in retrieval.read(DATA / "packs" / "prompts.jsonl") if line["answer"]]
        yield "packs", measured(clew, ["packs"], [(prompt, "packs") for prompt in prompts])
    yield "paraphrase", of_set(DATA / "paraphrase")


def of_set(folder: Path) -> dict[str, float]:
    """The figures of a set on disk, with the links of its authors."""
    quiet = Console(quiet=True)
    with tempfile.TemporaryDirectory() as scratch:
        store = retrieval.fill(str(Path(scratch) / "memory.db"), retrieval.read(folder / "corpus.jsonl"), quiet)
        retrieval.join(store, retrieval.read(folder / "edges.jsonl"))
        projects = list(store.project.values())
        queries = [q for q in retrieval.read(folder / "queries.jsonl") if q["gold"]]
        spread = queries[:: max(1, len(queries) // OWN)][:OWN]
        own = [(q["query"], store.project.get(str(q.get("scope", "")), projects[0])) for q in spread]
        with Clew(store.path, embed="static") as clew:
            return measured(clew, projects, own)


def main() -> None:
    """Measure, print a line a store, and write the results where asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trails", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="a set, or a folder of sets, beside our own")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args()
    arms: dict[str, dict[str, Any]] = dict(ours())
    for folder in retrieval.sets(options.folder) if options.folder else []:
        arms[folder.name] = of_set(folder)
    table = Table("", "empty of 100", "answered", "own")
    for name, figures in arms.items():
        table.add_row(name, *(f"{value:g}" for value in figures.values()))
    Console().print(table)
    if options.json:
        head = {"bench": "trails", "data": "trails", "n": len(unrelated()), "commit": commit(), "machine": machine()}
        write(options.json, [head | {"arms": arms}])


if __name__ == "__main__":
    main()
