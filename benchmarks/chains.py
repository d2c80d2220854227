"""Does a question about a decision lead to the problem that caused it?

Question: of 24 chains decision → pull request → problem, how many come back whole, by recall and by `why`?
Method: the chains, and as many memories again that have nothing to do with them but look like them, are remembered in one store and linked
as a person would (`decided_in`, `fixes`). A question speaks of the decision; the problem shares no word with it that tells. A chain counts
when all three of its memories are among the answers: ten of a recall, twenty of a trail, both at their default settings.
Arms: `plain`, recall with `graph=False`; `recall`; `why`.
Limits: the chains are our own and short; a real store has more links of each memory, and links that lead astray.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from benchmarks.report import commit, machine, write
from clew import Clew, Draft

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).parent / "data" / "chains"
PROJECT = "chains"


def read(name: str) -> list[dict[str, Any]]:
    """The objects of one file of the data."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def fill(clew: Clew) -> dict[str, int]:
    """Remember and link everything; the number of each memory by its id in the data."""
    memories = read("memories.jsonl")
    kept = clew.remember_many(Draft(m["summary"], kind=m["kind"]) for m in memories)
    made = {m["id"]: done.memory.id for m, done in zip(memories, kept, strict=True)}
    for link in read("links.jsonl"):
        clew.link(made[link["src"]], link["relation"], made[link["dst"]])
    return made


def asks(clew: Clew) -> dict[str, Callable[[str], set[int]]]:
    """What each arm answers to a question: numbers of memories."""
    return {
        "plain": lambda question: {hit.memory.id for hit in clew.recall(question, graph=False)},
        "recall": lambda question: {hit.memory.id for hit in clew.recall(question)},
        "why": lambda question: {node.id for node in clew.why(question).nodes},
    }


def measure() -> dict[str, dict[str, float]]:
    """Figures of every arm: whole chains, and how often the problem alone was there."""
    with Clew(":memory:", project=PROJECT, embed="static") as clew:
        numbers = fill(clew)
        questions = read("questions.jsonl")
        figures: dict[str, dict[str, float]] = {}
        for arm, ask in asks(clew).items():
            golds = [([numbers[g] for g in q["gold"]], ask(q["question"])) for q in questions]
            whole, problem = (sum(found.issuperset(gold[at:]) for gold, found in golds) for at in (0, -1))
            shown = sum(len(found) for _, found in golds) / len(golds)
            figures[arm] = {"whole": whole, "problem": problem, "whole_share": round(whole / len(golds), 4), "shown": round(shown, 2)}
        return figures


def main() -> None:
    """Measure, print, and write what came out."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chains", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args()
    figures = measure()
    table = Table("", *next(iter(figures.values())))
    for arm, values in figures.items():
        table.add_row(arm, *(f"{value:g}" for value in values.values()))
    Console().print(table)
    if options.json:
        n = len(read("questions.jsonl"))
        write(options.json, [{"bench": "chains", "data": "chains", "n": n, "commit": commit(), "machine": machine(), "arms": figures}])


if __name__ == "__main__":
    main()
