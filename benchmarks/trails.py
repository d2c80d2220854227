"""Does `why` say nothing about what the store knows nothing of, and something about what it does?

Question: of 100 questions that any person might ask any assistant (poems, recipes, capitals, sport, health), and of those that belong to
other stores, how many get an empty trail, and how many of the questions that belong to a store get one?
Method: each store is asked the 100 questions of `data/trails/unrelated.jsonl`, its own and every other store's through `Clew.why`, at
default settings. The stores: our chains, our development store (`data/packs`), our paraphrase set, and every set of the folder that is
given (form: benchmarks/retrieval.py). Of a store's questions at most OWN are asked, evenly spread; those of others take a store's scopes
in turn. `--own` leaves the other stores' questions out, which is most of the time.
Figures: `empty`, of the unrelated 100; `kept`, the per cent of `data/trails/kept.jsonl`, which chose nothing; `answered`, the share of the
store's own questions that get a trail; `own`, how many those are; `of NAME`, the per cent of that store's questions that get none here.
Limits: what is unrelated depends on the store: a set of encyclopaedia pages or of small talk holds some of the answers, and a trail about
them is then right; so are many trails between two stores about software, or between two languages of one text. An answered question may
still have the wrong trail (benchmarks/chains.py says how often it is the right one).
"""

from __future__ import annotations

import argparse
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks import chains, retrieval
from benchmarks.report import ROOT, commit, machine, write
from clew import Clew, Draft

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

DATA = ROOT / "benchmarks" / "data"
OWN = 100  # of a store's own questions that are asked
WIDE = 180  # columns of the table in a file


class Asked(NamedTuple):
    """A store, its projects, and its own questions, each with the project it belongs to."""

    clew: Clew
    projects: Sequence[str]
    own: Sequence[tuple[str, str]]


def unrelated(name: str = "unrelated") -> list[str]:
    """The questions that belong to no store, of one file of the data."""
    return [line["question"] for line in retrieval.read(DATA / "trails" / f"{name}.jsonl")]


def silent(store: Asked, questions: Sequence[tuple[str, str]]) -> float:
    """The share of (question, project) that get an empty trail, 0..1."""
    return sum(not store.clew.why(question, project=project).nodes for question, project in questions) / len(questions)


def strange(store: Asked, questions: Sequence[str]) -> float:
    """The per cent of questions from elsewhere that get an empty trail; they take the store's projects in turn."""
    asked = [(question, store.projects[place % len(store.projects)]) for place, question in enumerate(questions)]
    return round(100 * silent(store, asked), 1)


def measured(store: Asked, others: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """The figures of one store; `others` are the questions of the other stores by their names."""
    figures = {"empty": strange(store, unrelated()), "kept": strange(store, unrelated("kept"))}
    figures |= {"answered": round(1 - silent(store, store.own), 4), "own": len(store.own)}
    return figures | {f"of {name}": strange(store, questions) for name, questions in others.items()}


def filled(folder: Path | None, scratch: Path) -> Iterator[tuple[str, Asked]]:
    """Name and store of ours and of every set of the folder, still open."""
    clew = Clew(":memory:", project="chains", embed="static")
    chains.fill(clew)
    yield "chains", Asked(clew, ["chains"], [(line["question"], "chains") for line in chains.read("questions.jsonl")])
    clew = Clew(":memory:", project="packs", embed="static")
    lines = retrieval.read(DATA / "packs" / "memories.jsonl")
    clew.remember_many(Draft(m["summary"], m["kind"], m.get("detail", "")) for m in lines)
    prompts = [line["prompt"] for line in retrieval.read(DATA / "packs" / "prompts.jsonl") if line["answer"]]
    yield "packs", Asked(clew, ["packs"], [(prompt, "packs") for prompt in prompts])
    for one in [DATA / "paraphrase", *(retrieval.sets(folder) if folder else [])]:
        yield one.name, of_set(one, scratch / f"{one.name}.db")


def of_set(folder: Path, path: Path) -> Asked:
    """A set on disk in a store at `path`, with the links of its authors."""
    store = retrieval.fill(str(path), retrieval.read(folder / "corpus.jsonl"), Console(quiet=True))
    retrieval.join(store, retrieval.read(folder / "edges.jsonl"))
    projects = list(store.project.values())
    queries = [q for q in retrieval.read(folder / "queries.jsonl") if q["gold"]]
    spread = queries[:: max(1, len(queries) // OWN)][:OWN]
    own = [(q["query"], store.project.get(str(q.get("scope", "")), projects[0])) for q in spread]
    return Asked(Clew(store.path, embed="static"), projects, own)


def arms(folder: Path | None, *, others: bool) -> dict[str, dict[str, float]]:
    """The figures of every store by its name."""
    with ExitStack() as open_ones, tempfile.TemporaryDirectory() as scratch:
        stores = {}
        for name, store in filled(folder, Path(scratch)):
            stores[name] = store
            open_ones.enter_context(store.clew)
        questions = {name: [question for question, _ in store.own] for name, store in stores.items()} if others else {}
        found = {}
        for name, store in stores.items():
            found[name] = measured(store, {other: asked for other, asked in questions.items() if other != name})
        open_ones.close()
        return found


def show(found: Mapping[str, Mapping[str, float]], console: Console) -> None:
    """A line a store: its figures, and how many of each other store's questions get an empty trail."""
    names = list(dict.fromkeys(key for figures in found.values() for key in figures))
    table = Table("", *names)
    for name, figures in found.items():
        table.add_row(name, *(f"{figures[key]:g}" if key in figures else "" for key in names))
    console.print(table)


def main() -> None:
    """Measure, print a line a store, and write the results where asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trails", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="a set, or a folder of sets, beside our own")
    parser.add_argument("--own", action="store_true", help="do not ask a store the questions of the others")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args()
    found = arms(options.folder, others=not options.own)
    console = Console()
    show(found, console if console.is_terminal else Console(width=WIDE))
    if options.json:
        head: dict[str, Any] = {"bench": "trails", "data": "trails", "n": len(unrelated()), "commit": commit(), "machine": machine()}
        write(options.json, [head | {"arms": found}])


if __name__ == "__main__":
    main()
