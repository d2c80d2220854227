"""How long remembering and recalling take, and what a memory costs, from a thousand to a million memories.

Question: does recall stay within 3 ms at 10,000 memories of one project and 12 ms at 100,000, along links within 20 ms at 100,000, `why`
within 3 ms at 10,000 and 15 ms at 1,000,000 (cold within 10 times `python3 -c pass`), is a small project inside a large store at most twice
as slow as alone, and do writing, opening and size keep pace?

Method: development memories of 200 characters by a seed (benchmarks/prose.py), kept by `remember_many` in batches of 1,000, then 300 more
by `remember`, one transaction each, with the built-in embedder. `bytes_per_memory` is what they take; then each but these 300 gets LINKS
typed links (LINKS_OF_MANY where they are MANY) to any others, by the same seed. A new process opens the store and asks half of the written
questions of 8 to 12 words to warm up and the others for the record: the fused recall of ten (`graph=False`), and in a process of its own
the default one, which also walks links, and `why` at its defaults, of those questions and of as many memories by number (the `graph`
arms). The store of the largest size also holds a project of 1,000 memories, written in tenths while it grew. `_ms` are wall times,
`_cpu_ms` the process's CPU times, `_xpass` multiples of the CPU of `python3 -c pass` in the same run; a rate is memories a second of wall
time (`_per_s`) or of CPU (`_per_cpu_s`, the figure to trust on a busy machine). `cold_cli` is `clew recall` as a process, `cold` the same
recall in a bare process without numpy, each the mean of several. `rss_mb` is the asking process's peak. What begins with `hook_`, `mcp_`
or `why_` and ends with `_xpass` or `_wall_ms` are whole processes (benchmarks/cold.py).

Limits: words are drawn independently, so two words meet as often as chance has it, and so are the ends of links, so that each leads
somewhere new; the file lies in the machine's page cache; one process.

    python -m benchmarks.latency [--sizes 1000,10000,100000,1000000] [--json OUT]
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.cold import hooks, mcp, why
from benchmarks.prose import Prose
from benchmarks.report import ROOT, commit, machine, write
from clew.model import Draft
from clew.service import Clew

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20261130
SIZES = "1000,10000,100000,1000000"
BATCH = 1_000
SINGLE = 300
SMALL = 1_000
ASKED = 1_000  # more than were written: all of them
COLD_RUNS = 10
LINKS, LINKS_OF_MANY = 3, 5  # of each memory of the large project: 10,000 have 30,000,
MANY = 1_000_000  # … and from here on five a memory
RELATIONS = ("because", "depends_on", "implements", "refines")
LARGE, LITTLE = "large", "little"  # the two projects


def fill(path: str, size: int, small: int, bar: Progress) -> dict[str, float]:
    """A store of `size` memories in one project, linked, and `small` in another; how fast it took them."""
    task = bar.add_task(f"writing {size:,}", total=size)
    texts, others = Prose(SEED).memories(size), Prose(SEED + 1).memories(small)
    batch, aside, digests = [0.0, 0.0], 0, list[str]()
    with Clew(path, project=LARGE) as clew:
        clew.remember("the first write also creates what it needs")
        for done in range(0, size, BATCH):
            drafts = [Draft(text) for text in islice(texts, BATCH)]
            begun = clocks()
            kept = clew.remember_many(drafts)
            batch = [total + after - before for total, after, before in zip(batch, clocks(), begun, strict=True)]
            digests += [remembered.memory.digest for remembered in kept]
            bar.update(task, advance=len(drafts))
            due = small * min(size, done + BATCH) // size
            clew.remember_many([Draft(text) for text in islice(others, due - aside)], project=LITTLE)
            aside = due
        single = list(Prose(SEED + 2).memories(SINGLE))
        begun = clocks()
        for text in single:
            clew.remember(text)
        one = [after - before for after, before in zip(clocks(), begun, strict=True)]
    bytes_each = os.path.getsize(path) / (size + small + SINGLE)
    bar.remove_task(task)
    link(path, digests, bar)
    return {
        "batch_per_s": size / batch[0],
        "batch_per_cpu_s": size / batch[1],
        "remember_per_s": SINGLE / one[0],
        "remember_per_cpu_s": SINGLE / one[1],
        "bytes_per_memory": bytes_each,
    }


def link(path: str, digests: list[str], bar: Progress) -> None:
    """Typed links from each of these memories to any others, by the seed."""
    chance, each = random.Random(SEED), LINKS if len(digests) < MANY else LINKS_OF_MANY
    task = bar.add_task(f"linking {len(digests):,}", total=len(digests))
    with Clew(path, project=LARGE) as clew:
        for start in range(0, len(digests), BATCH):
            step = digests[start : start + BATCH]
            lines = []
            for src in step:
                others = [digest for digest in chance.sample(digests, each + 1) if digest != src][:each]
                lines += [{"type": "link", "src": src, "relation": chance.choice(RELATIONS), "dst": dst} for dst in others]
            clew.import_jsonl(lines)
            bar.update(task, advance=len(step))
    bar.remove_task(task)


def clocks() -> tuple[float, float]:
    """Seconds on the wall and of this process's CPU."""
    return time.perf_counter(), time.process_time()


def ask(path: str, project: str, graph: bool = False) -> dict[str, float]:
    """Half of the questions to warm up, the other half for the record; `graph` as in `Clew.recall`."""
    begun = time.perf_counter()
    clew = Clew(path, project=project)
    opened = time.perf_counter() - begun
    questions = sorted(set(Prose(SEED).questions(ASKED)))
    for question in questions[::2]:
        clew.recall(question, graph=graph)
    wall, cpu = [], []
    for question in questions[1::2]:
        begun, used = time.perf_counter(), time.process_time()
        clew.recall(question, graph=graph)
        cpu.append(time.process_time() - used)
        wall.append(time.perf_counter() - begun)
    trails = trailed(clew, questions) if graph else {}
    clew.close()
    again = time.perf_counter()
    Clew(path, project=project).close()
    again = time.perf_counter() - again
    return {
        "recall_p50_ms": quantile(wall, 0.5) * 1e3,
        "recall_p95_ms": quantile(wall, 0.95) * 1e3,
        "recall_p50_cpu_ms": quantile(cpu, 0.5) * 1e3,
        "recall_p95_cpu_ms": quantile(cpu, 0.95) * 1e3,
        "open_ms": opened * 1e3,  # the first in its process, with what that loads
        "open_again_ms": again * 1e3,
        **trails,
        "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024),
    }


def trailed(clew: Clew, questions: list[str]) -> dict[str, float]:
    """How long `why` takes at its defaults, by number and by question: half of each to warm up, the other half for the record."""
    found = {}
    for name, asked in (("id", [memory.id for memory in clew.list(limit=len(questions))]), ("question", questions)):
        for about in asked[::2]:
            clew.why(about)
        wall, cpu = [], []
        for about in asked[1::2]:
            begun, used = time.perf_counter(), time.process_time()
            clew.why(about)
            cpu.append(time.process_time() - used)
            wall.append(time.perf_counter() - begun)
        found |= {f"why_{name}_{share}_ms": quantile(wall, at) * 1e3 for share, at in (("p50", 0.5), ("p95", 0.95))}
        found[f"why_{name}_p50_cpu_ms"] = quantile(cpu, 0.5) * 1e3
    return found


def quantile(values: list[float], share: float) -> float:
    """The value that `share` of `values` lie below."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def asked_apart(path: str, project: str, graph: bool = False) -> dict[str, float]:
    """`ask` in a new process, so that neither memory nor caches of the writing tell."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(ask, (path, project, graph))


def cold(path: str, project: str, passing: float) -> dict[str, float]:
    """CPU of a process that asks one question, as multiples of one that does nothing."""
    question = Prose(SEED).questions(1)[0]
    code = f"from clew.service import Clew; Clew({path!r}, project={project!r}, long_lived=False).recall({question!r})"
    runs = {"cold_xpass": ["-c", code]}
    if importlib.util.find_spec("clew.__main__"):
        runs["cold_cli_xpass"] = ["-m", "clew", "recall", question, "--project", project]
    once = {name: cpu_of([sys.executable, *arguments], path) / passing for name, arguments in runs.items()}
    return once | hooks(path, project, SEED) | mcp(path, project) | why(path, project, SEED)


def cpu_of(command: list[str], path: str) -> float:
    """Mean CPU seconds of a process, the first run left out."""
    env = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "",
        "CLEW_DB": path,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")])),
    }
    taken = []
    for _ in range(COLD_RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return mean(taken[1:])


def measured(sizes: list[int], folder: str) -> Iterator[tuple[str, dict[str, float]]]:
    """(arm, its metrics) of each size, ascending, then of the small project inside the largest store."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, transient=True) as bar:
        steps = bar.add_task("sizes", total=len(sizes) + 1)
        passing = cpu_of([sys.executable, "-c", "pass"], "")
        for size in sizes:
            path = os.path.join(folder, f"{size}.db")
            wrote = fill(path, size, SMALL if size == sizes[-1] else 0, bar)
            yield f"fused@{size}", {"pass_cpu_ms": passing * 1e3, **wrote, **asked_apart(path, LARGE), **cold(path, LARGE, passing)}
            yield f"graph@{size}", asked_apart(path, LARGE, graph=True)
            bar.advance(steps)
        alone = os.path.join(folder, "alone.db")
        with Clew(alone, project=LITTLE) as clew:
            clew.remember_many([Draft(text) for text in Prose(SEED + 1).memories(SMALL)])
        inside, apart = asked_apart(path, LITTLE), asked_apart(alone, LITTLE)
        ratios = {f"x_alone_{share}": inside[f"recall_{share}_cpu_ms"] / apart[f"recall_{share}_cpu_ms"] for share in ("p50", "p95")}
        yield f"{SMALL}-inside-{sizes[-1]}", inside | ratios
        yield f"{SMALL}-alone", apart
        bar.advance(steps)


def main() -> None:
    """Measure, print a line an arm, and write the results where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default=SIZES, help="memories of each store, with commas")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the results to this file")
    given = parser.parse_args()
    sizes = sorted(int(size) for size in given.sizes.split(","))
    arms: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for arm, metrics in measured(sizes, folder):
            arms[arm] = {name: round(value, 3) for name, value in metrics.items()}
            print(arm + ":", ", ".join(f"{name} {value:,.2f}" for name, value in arms[arm].items()), flush=True)
    if given.json:
        head = {"bench": "latency", "data": f"prose, seed {SEED}", "n": sizes[-1], "commit": commit(), "machine": machine()}
        write(given.json, [{**head, "arms": arms}])


if __name__ == "__main__":
    main()
