"""How many tokens does the context compiler save on work as it is, does what matters survive, and what does it cost?

Question: how much smaller is a compiled context, nothing lost (no budget) and within a window of 8,000 tokens; how many planted facts
still stand in it; is the cache section the same while query, budget and body change; is compiling linear in the input?

Method: requests of `benchmarks/workloads.py`, several seeds each, tokens counted exactly (o200k), raw being the sum over the fragments as
they were given. `fewer` is the mean share of raw tokens that is gone, `fewer_least` that of the worst seed; `fewer_text` leaves images out
of both sides; `facts` is the share of planted facts that stand in the content word for word. Tokens gone are `saved` (said elsewhere),
`externalised` (set aside whole) or `lost` (cut), each a share of raw; whatever is gone can be had back by its handle. `cache`: ten turns in
which query, budget and body change; every pair of turns is compared. `size`: processor time of compiling with the default estimate, the
least of five requests that no memo has seen, and the most memory it took; `xpass` is that time as a multiple of hashing (SHA-256) and
splitting every line of the same inputs in the same run, the least of three passes over each; `xpass_warm` is the same where each request
comes a second time.

Limits: the workloads are made, not recorded; how much is saved depends on how often files are read again and logs repeat. Give a file or a
folder (logs, sources, transcripts of agents) to see what your own work gives: it is compiled without budget and at 8,000.

    python -m benchmarks.compiler [FILE|FOLDER] [--json OUT] [--seeds N]
"""

from __future__ import annotations

import argparse
import tracemalloc
from functools import partial
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from statistics import mean
from time import process_time
from typing import TYPE_CHECKING, Any

from rich.progress import track

from benchmarks.report import commit, machine, write
from benchmarks.workloads import bug_fix, cache_turns, ci_and_documents, iteration, sized
from clew.compiler.pipeline import compile_request
from clew.compiler.tokens import counter
from clew.compiler.transcript import fragments_of
from clew.limits import FRAGMENT_BYTES, FRAGMENTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.workloads import Workload
    from clew.compiler.values import Compiled

WINDOW = 8_000
SIZES = (1_000, 10_000, 55_000, 100_000, 1_000_000, 10_000_000)
RUNS = 5
PASSES = 3
PAGES = {".md": "markdown", ".rst": "markdown", ".log": "log", ".json": "json", ".diff": "diff", ".patch": "diff", ".txt": "text"}
CODE = {".py", ".js", ".ts", ".tsx", ".go", ".rs", ".java", ".c", ".h", ".cpp", ".rb", ".sh", ".css", ".sql", ".toml", ".yaml", ".yml"}


def compiled(request: dict[str, Any], budget: int | None) -> Compiled:
    """The outcome at a budget in o200k tokens, None for no budget."""
    return compile_request({**request, "token_budget": budget}, counter("o200k"))


def figures(workload: Workload, budget: int | None) -> dict[str, float]:
    """What one compilation gives."""
    outcome = compiled(workload.request, budget)
    account, images = outcome.account, [f for f in workload.request["fragments"] if "media" in f]
    exact = counter("o200k")
    text_in = sum(exact.count(f["content"]) for f in workload.request["fragments"])
    return {
        "raw_tokens": account.tokens_in,
        "tokens": account.tokens_out,
        "fewer": 1 - account.tokens_out / account.tokens_in,
        **({"fewer_text": 1 - exact.count(outcome.content) / text_in} if images else {}),
        **{name: getattr(account, name) / account.tokens_in for name in ("saved", "externalised", "lost")},
        "facts": mean(fact in outcome.content for fact in workload.facts) if workload.facts else 1.0,
        "facts_planted": len(workload.facts),
    }


def arm(make: Callable[[int], Workload], budget: int | None, seeds: int) -> dict[str, float]:
    """Means over the seeds, and the worst of what is promised."""
    each = [figures(make(seed), budget) for seed in range(seeds)]
    worst = {f"{name}_least": min(one[name] for one in each) for name in ("fewer", "facts")}
    return {**{name: mean(one[name] for one in each) for name in each[0]}, **worst}


def cache(seeds: int) -> dict[str, float]:
    """The share of pairs of turns whose cache sections are the same bytes."""
    same, pairs, chars = 0, 0, []
    for seed in range(seeds):
        outcomes = [compile_request(request, counter("o200k")) for request in cache_turns(seed)]
        prefixes = [outcome.content[: outcome.cache_chars] for outcome in outcomes]
        chars += [len(prefix) for prefix in prefixes]
        for one, two in combinations(prefixes, 2):
            same, pairs = same + (one == two), pairs + 1
    return {"pairs": pairs, "identical": same / pairs, "cache_chars": mean(chars), "cache_chars_least": min(chars)}


def spent(work: Callable[[], object]) -> float:
    """Processor seconds of one run."""
    began = process_time()
    work()
    return process_time() - began


def yardstick(request: dict[str, Any]) -> None:
    """Hash and split every line."""
    for fragment in request["fragments"]:
        for line in fragment["content"].splitlines():
            sha256(line.encode()).hexdigest()
            line.split()


def cost(make: Callable[[int], Workload]) -> dict[str, float]:
    """Time, its multiple of the yardstick, and memory of one kind of request; each run has a request that no memo has seen."""
    estimate, requests = counter(), [make(seed).request for seed in range(RUNS)]
    seconds = min(spent(lambda r=request: compile_request(r, estimate)) for request in requests)
    again = min(spent(lambda r=request: compile_request(r, estimate)) for request in requests)
    passed = min(spent(lambda r=request: yardstick(r)) for request in requests for _ in range(PASSES))
    tracemalloc.start()
    compile_request(requests[0], estimate)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    amounts = [len(fragment["content"].encode()) for fragment in requests[0]["fragments"]]
    return {"bytes": sum(amounts), "ms": seconds * 1e3, "xpass": seconds / passed, "xpass_warm": again / passed, "peak_mb": peak / 1e6}


def own(path: Path) -> dict[str, Any]:
    """A request of a file or of every file in a folder; a transcript becomes its turns."""
    files = sorted(file for file in path.rglob("*") if file.is_file() and ".git" not in file.parts) if path.is_dir() else [path]
    fragments: list[dict[str, Any]] = []
    for file in files:
        text = file.read_bytes().decode("utf-8", "replace")
        if file.suffix in (".jsonl", ".ndjson"):
            fragments += fragments_of(text)
            continue
        kind = "code" if file.suffix in CODE else PAGES.get(file.suffix, "text")
        fragments += [
            {"content": part, "kind": kind, "path": f"{file.name}#{n}" if n else file.name} for n, part in enumerate(parted(text))
        ]
    if len(fragments) > FRAGMENTS:
        print(f"  {len(fragments)} fragments; only the first {FRAGMENTS} are compiled")
    return {"fragments": fragments[:FRAGMENTS]}


def parted(text: str) -> list[str]:
    """The text in parts that a fragment may hold, cut behind a line where there is one."""
    found = []
    while len(text.encode()) > FRAGMENT_BYTES:
        at = text.rfind("\n", 0, FRAGMENT_BYTES // 4) + 1 or FRAGMENT_BYTES // 4
        found.append(text[:at])
        text = text[at:]
    return [*found, text]


def shown(name: str, metrics: dict[str, float]) -> None:
    """One line on the terminal."""
    print(f"{name}:", ", ".join(f"{key} {value:,.3f}".rstrip("0").rstrip(".") for key, value in metrics.items()), flush=True)


def measured(seeds: int) -> list[dict[str, Any]]:
    """Everything, one result a workload."""
    found: list[dict[str, Any]] = []

    def add(data: str, n: int, arms: dict[str, dict[str, float]]) -> None:
        rounded = {name: {key: round(value, 4) for key, value in metrics.items()} for name, metrics in arms.items()}
        found.append({"bench": "compiler", "data": data, "n": n, "commit": commit(), "machine": machine(), "arms": rounded})
        for name, metrics in rounded.items():
            shown(f"{data}, {name}", metrics)

    add("ci log and documents", seeds, {"budget 4000": arm(ci_and_documents, 4_000, seeds)})
    for make, data in ((bug_fix, "bug fix, 14 turns"), (iteration, "iteration, 36 turns")):
        add(data, seeds, {"lossless": arm(make, None, seeds), "window 8000": arm(make, WINDOW, seeds)})
    add("cache section over ten turns", seeds, {"all pairs": cache(seeds)})
    cost(partial(sized, size=100_000))  # what is loaded and compiled once
    by_size = {amount: cost(partial(sized, size=amount)) for amount in track(SIZES, "sizes", transient=True)}
    growth = by_size[10_000_000]["ms"] / by_size[1_000_000]["ms"]
    add(
        "size",
        RUNS,
        {
            **{f"{amount} bytes": metrics for amount, metrics in by_size.items()},
            "ci log and documents": cost(ci_and_documents),
            "growth": {"10mb_over_1mb": growth},
        },
    )
    return found


def main() -> None:
    """Measure, print a line an arm, and write the results where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, help="a file or folder of your own: logs, sources, transcripts (JSON lines)")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the results to this file")
    parser.add_argument("--seeds", type=int, default=5, help="how many requests of each kind (default 5)")
    given = parser.parse_args()
    if given.data is None:
        results = measured(given.seeds)
    else:
        request = own(given.data)
        arms = {name: one_of(request, budget) for name, budget in (("lossless", None), ("window 8000", WINDOW))}
        results = [{"bench": "compiler", "data": given.data.name, "n": 1, "commit": commit(), "machine": machine(), "arms": arms}]
        for name, metrics in arms.items():
            shown(f"{given.data.name}, {name}", metrics)
    if given.json:
        write(given.json, results)


def one_of(request: dict[str, Any], budget: int | None) -> dict[str, float]:
    """The figures of a request without planted facts, with how often each rule settled a fragment."""
    from benchmarks.workloads import Workload

    metrics = figures(Workload("own", request, []), budget)
    rules = [decision.rule for decision in compiled(request, budget).decisions]
    kept = {key: round(value, 4) for key, value in metrics.items() if not key.startswith("facts")}
    return {"fragments": len(rules), **kept, **{rule: rules.count(rule) for rule in sorted(set(rules))}}


if __name__ == "__main__":
    main()
