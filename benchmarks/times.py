"""What does recall gain from knowing when, in whatever words a question names the time?

Question: a set whose questions say "from 1990 to 1995" rewards one form, and exact years are words that are found anyway. How much more is
found with times than without where the same questions name their time otherwise?
Method: every question of the set that says "from Y to Y" (months may stand before the years) is asked as it is and again in each form of
FORMS, with the times it names (recall as it is by default) and without them (`dated=False`); nothing else differs. Questions of other
forms are asked as they are, in the row `as asked`, which holds all of the set.
Figures: recall@5 of both, and the difference in points with its 95 % bootstrap interval over questions, a fixed seed.
A set is a folder in the form of benchmarks/retrieval.py; one without such questions is refused.
Limits: a form that names less ("until 1995") leaves other texts right too that the set does not know of, so only the two columns of a
row compare, not the rows; the constants were chosen with the development half of one such set in view.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import metrics, retrieval
from benchmarks.report import commit, machine, write
from clew import Clew

if TYPE_CHECKING:
    from collections.abc import Sequence

_STRETCH = re.compile(r"\b(?:from|between)\s+((?:[A-Z][a-z]+\s+)?(\d{4}))\s+(?:to|and)\s+((?:[A-Z][a-z]+\s+)?(\d{4}))")
# The first and last time as they were said, and as years.
FORMS = {
    "between": "between {first} and {last}",
    "its first year": "in {begin}",
    "its middle": "in {middle}",
    "its decade": "in the {decade}s",
    "after": "after {begin}",
    "before": "before {end}",
    "until": "until {end}",
}


def asked(question: str, form: str) -> str:
    """The question with its "from Y to Y" said in another form; "" where it has none, or one that ends before it begins."""
    found = _STRETCH.search(question)
    if found is None or int(found[2]) > int(found[4]):
        return ""
    begin, end = int(found[2]), int(found[4])
    said = form.format(first=found[1], last=found[3], begin=begin, end=end, middle=(begin + end) // 2, decade=begin // 10 * 10)
    return question[: found.start()] + said + question[found.end() :]


def measure(folder: Path, console: Console) -> dict[str, Any]:
    """The result of one set: an arm a form."""
    queries = retrieval.read(folder / "queries.jsonl")
    forms = {"as asked": [(q["query"], q) for q in queries]}
    forms |= {name: [(said, q) for q in queries if (said := asked(q["query"], form))] for name, form in FORMS.items()}
    if not forms["between"]:
        raise SystemExit(f'{folder}: no question says "from YEAR to YEAR"; give a set of questions about times')
    with tempfile.TemporaryDirectory() as scratch:
        store = retrieval.fill(str(Path(scratch) / "memory.db"), retrieval.read(folder / "corpus.jsonl"), console)
        with Clew(store.path, embed="static") as clew:
            arms = {name: compared(clew, store, questions, name, console) for name, questions in forms.items()}
    return {"bench": "times", "data": folder.name, "n": len(queries), "commit": commit(), "machine": machine(), "arms": arms}


def compared(
    clew: Clew, store: retrieval.Filled, questions: Sequence[tuple[str, dict[str, Any]]], name: str, console: Console
) -> dict[str, float]:
    """recall@5 with and without times, and what lies between them in points."""
    everywhere = next(iter(store.project.values()))
    found: dict[bool, list[float]] = {True: [], False: []}
    for said, query in track(questions, name, console=console, transient=True):
        project = store.project.get(str(query.get("scope", "")), everywhere)
        gold = {store.memory[g] for g in query["gold"] if g in store.memory}
        for dated, values in found.items():
            hits = clew.recall(said, project=project, limit=5, dated=dated)
            values.append(metrics.recall([h.memory.id for h in hits], gold, 5))
    with_times, without = (sum(values) / len(values) for values in (found[True], found[False]))
    gain, low, high = metrics.interval([100 * (a - b) for a, b in zip(found[True], found[False], strict=True)])
    figures = {"recall@5": with_times, "recall@5_without": without, "gain": gain, "gain_low": low, "gain_high": high}
    return {key: round(value, 4) for key, value in figures.items()} | {"n": len(questions)}


def main() -> None:
    """Measure a set and print, and write, what came out."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.times", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a set of questions about times, as benchmarks/retrieval.py reads it")
    parser.add_argument("--json", type=Path, help="write the result to this file")
    options = parser.parse_args()
    if not retrieval.read(options.folder / "queries.jsonl"):
        parser.error(f"no set in {options.folder}: corpus.jsonl and queries.jsonl are looked for")
    console = Console()
    if not console.is_terminal:
        console = Console(width=retrieval.WIDE)
    result = measure(options.folder, console)
    table = Table(title=f"{result['data']} · recall@5", title_justify="left")
    for column in ("the time, said", "questions", "without times", "with times", "gain, points"):
        table.add_column(column, justify="left" if column == "the time, said" else "right")
    for form, f in result["arms"].items():
        between = f"{f['gain']:+.1f} ({f['gain_low']:+.1f} to {f['gain_high']:+.1f})"
        table.add_row(form, str(f["n"]), f"{f['recall@5_without']:.3f}", f"{f['recall@5']:.3f}", between)
    console.print(table)
    if options.json:
        write(options.json, [result])


if __name__ == "__main__":
    main()
