"""What stays in a full window: hits on files met again, ours against the literature's caches and the optimum, on recorded sessions.

python -m benchmarks.eviction FILE [--capacity 10] [--json OUT]; FILE is as benchmarks/traces.py says.

What is replayed. Each session has a window of its own, empty at its start. Every result of a tool comes into it: files, searches, commands
and the rest. A file is one thing however often it is read or edited, a search or command one by its normalised text; it is as large as
the most it ever brought. A request of the user opens a turn and takes no place: the traces do not know its size.

What counts. A re-reference is a file that was met before in its session. It is a hit when the window still held it. A command run again
is not one: it is run to see what changed, and its old output would not have spared it. `hit_all` counts those too.

Arms. Windows of 5, 10 and 20 things, and of 8k, 16k and 32k tokens. Every arm evicts when its window is full and not before, and none
holds what is larger than its window. `ours` is rules/working_set.py: lowest score first, recent uses and misses protected as in its hard
pass, and under a token window a line for each stub is paid for. `ours_without_X` lacks one signal. No arm knows other sessions. The
signals are what a trace can say: a file's path and folder stand in as hashes, there are no symbols and no words of a request, and a
pointer resolves for a file alone. The optimum is farthest next use; by size where windows count tokens, and there a bound no more.

The whole machine, `adaptive` against `fixed` fill mark at equal budget: voluntary pass, mark and all; only the mark's movement differs.

Compactions. `rereads` is the share of the distinct files read after a compaction (until the next) that the session had met before: what
has to be read again with nothing carried over. `listed` is the share of those that stand in a carry-over pack of 4,000 characters, built
from the window by rules/carryover.py with a request of 400 characters, and paths of 48 characters and a line of 60 for what is known of
each. `rereads_carried` counts a listed file as spared: the least that is possible, for a pack says what is known and not the whole file.

`known_first_reads`: of the first reads of a file in a session, those of files that an earlier session had met.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import caches, traces
from benchmarks.report import commit, machine, write
from clew.errors import InvalidInput
from clew.rules import carryover, fsrs, scoring, threshold, working_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from benchmarks.traces import Reference
    from clew.model import Strength

    Session = list[Reference]

ITEMS = (5, 10, 20)
TOKENS = (8_000, 16_000, 32_000)
RESIDENTS, PASSES, TRIES = 2_000, 200, 3
CARRY_WINDOW = 100_000  # tokens of the window a compaction ends
RIVALS = ("lru", "lfu", "arc", "sieve", "s3fifo")
NAMES = ("optimum", "ours", "fsrs", "actr", *RIVALS, "age")
SIGNALS = tuple(scoring.WEIGHTS)


class FsrsAlone(caches.Lowest):
    """The rank that retrievability alone gives: each reference is a use."""

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.strengths: dict[str, Strength] = {}

    def seen(self, name: str, at: float) -> None:
        known = self.strengths.get(name)
        self.strengths[name] = fsrs.good(known, "observation", at) if known else fsrs.opening("observation", at)

    def rank(self, name: str, at: float) -> float:
        return fsrs.retrievability(self.strengths[name], at)


class Ours:
    """The working set as a cache: the lowest score leaves when the window is full."""

    def __init__(self, capacity: int, of_tokens: bool) -> None:
        self.window, self.of_tokens = working_set.opened(capacity), of_tokens

    def hit(self, reference: Reference) -> bool:
        """Whether what is referred to was held; afterwards it is, and the window within its capacity."""
        hit, known = reference.id in self.window.residents, thing(reference, self.of_tokens)
        if known.size > self.window.budget:  # no window holds it, under any arm
            self.window = without(self.window, reference.id)
            return hit
        window = working_set.admit(self.window, known, reference.at)
        self.window = working_set.lowered(window, window.budget, working_set.protected(window, hard=True))
        return hit

    def turn(self, at: float) -> None:
        """A request of the user."""
        self.window = working_set.next_turn(self.window, at)


def thing(reference: Reference, of_tokens: bool) -> working_set.Thing:
    """A reference as what comes into a working set."""
    tags: tuple[str, ...] = ()
    if reference.kind == "f":
        tags = (f"path:{reference.id}", f"dir:{reference.folder}", f"ext:{reference.extension}")
    size = reference.size if of_tokens else 1
    source = reference.id if reference.kind == "f" else ""
    return working_set.Thing(reference.id, size, source=source, tags=tags, resolves=reference.kind == "f")


def without(window: working_set.Window, handle: str) -> working_set.Window:
    """The window without what has grown larger than all of it."""
    return window._replace(residents={other: resident for other, resident in window.residents.items() if other != handle})


def replayed(sessions: list[Session], arm: str, capacity: int, of_tokens: bool) -> dict[str, float]:
    """Hit rates of one arm over all sessions: on files met again, and on everything met again."""
    counts = {True: [0, 0], False: [0, 0]}  # by whether it is a file: hits, re-references
    for session in sessions:
        hit, turn = _policy(session, arm, capacity, of_tokens)
        met: set[str] = set()
        for reference in session:
            if reference.kind == "user":
                turn(reference.at)
            elif reference.result:
                held = hit(reference)
                if reference.id in met:
                    counts[reference.kind == "f"][0] += held
                    counts[reference.kind == "f"][1] += 1
                met.add(reference.id)
    files, rest = counts[True], counts[False]
    return {"hit": files[0] / max(1, files[1]), "hit_all": (files[0] + rest[0]) / max(1, files[1] + rest[1])}


def _policy(session: Session, arm: str, capacity: int, of_tokens: bool) -> tuple[Callable[[Reference], bool], Callable[[float], None]]:
    if arm == "ours":
        ours = Ours(capacity, of_tokens)
        return ours.hit, ours.turn
    made: dict[str, Callable[[], Any]] = {
        "optimum": lambda: caches.Optimum(capacity, [reference.id for reference in session if reference.result]),
        "fsrs": lambda: FsrsAlone(capacity),
        "actr": lambda: caches.ActR(capacity),
        "lru": lambda: caches.Lru(capacity),
        "lfu": lambda: caches.Lfu(capacity),
        "arc": lambda: caches.Arc(capacity),
        "sieve": lambda: caches.Sieve(capacity),
        "s3fifo": lambda: caches.S3Fifo(capacity),
        "age": lambda: caches.Age(capacity),
    }
    policy = made[arm]()
    return lambda reference: policy.hit(reference.id, reference.size if of_tokens else 1, reference.at), lambda _: None


def windows(sessions: list[Session], items: Iterable[int]) -> dict[str, dict[str, float]]:
    """Hit rates of every arm in every window, by arm; `closed` is the part of the way from LRU to the optimum that an arm goes."""
    arms: dict[str, dict[str, float]] = {arm: {} for arm in NAMES}
    for capacity, of_tokens in [*((c, False) for c in items), *((c, True) for c in TOKENS)]:
        label = f"{capacity // 1000}k" if of_tokens else str(capacity)
        for arm in NAMES:
            arms[arm] |= {f"{name}@{label}": value for name, value in replayed(sessions, arm, capacity, of_tokens).items()}
        best, plain = arms["optimum"][f"hit@{label}"], arms["lru"][f"hit@{label}"]
        arms["ours"][f"closed@{label}"] = (arms["ours"][f"hit@{label}"] - plain) / (best - plain) if best > plain else 1.0
        print(f"{label:>4}:", ", ".join(f"{arm} {arms[arm][f'hit@{label}']:.3f}" for arm in NAMES), flush=True)
    return arms


def without_each(sessions: list[Session], capacity: int) -> dict[str, dict[str, float]]:
    """Ours with each signal's weight taken away, the others as they are."""
    arms = {}
    for signal in SIGNALS:
        name, kept = f"_{signal.upper()}", scoring.WEIGHTS[signal]
        setattr(scoring, name, 0.0)
        try:
            arms[f"ours_without_{signal}"] = {f"hit@{capacity}": replayed(sessions, "ours", capacity, False)["hit"]}
        finally:
            setattr(scoring, name, kept)
    return arms


def marks(sessions: list[Session]) -> dict[str, dict[str, float]]:
    """The whole machine with a mark that moves and with one that does not: hits on files, misses and evictions."""
    arms: dict[str, dict[str, float]] = {}
    for arm, moves in (("adaptive", True), ("fixed", False)):
        arms[arm] = {}
        for budget in TOKENS:
            counts = {"hit": 0, "again": 0, "evictions": 0}
            for session in sessions:
                _settled(session, budget, moves, counts)
            label = f"{budget // 1000}k"
            arms[arm] |= {f"hit@{label}": counts["hit"] / max(1, counts["again"]), f"evictions@{label}": counts["evictions"]}
    return arms


def _settled(session: Session, budget: int, moves: bool, counts: dict[str, int]) -> None:
    window, met = working_set.opened(budget), set[str]()
    for reference in session:
        if reference.kind == "user":
            window = working_set.next_turn(window, reference.at)
        elif reference.result:
            if reference.kind == "f" and reference.id in met:
                counts["again"] += 1
                counts["hit"] += reference.id in window.residents
            met.add(reference.id)
            if reference.size > budget:
                window = without(window, reference.id)
                continue
            window = working_set.admit(window, thing(reference, True), reference.at)
            if not moves:
                window = window._replace(registers=window.registers._replace(fill=threshold.FILL[0]))
            window, _ = working_set.settle(window, reference.at)
    counts["evictions"] += window.evictions


def compactions(sessions: list[Session]) -> dict[str, float]:
    """What has to be read again after each compaction, and how much of that a carry-over pack lists."""
    count = read = again = listed = 0
    for session in sessions:
        window, known = working_set.opened(CARRY_WINDOW), set[str]()
        carried: set[str] = set()
        after: set[str] | None = None  # distinct files read since the last compaction
        for reference in session:
            if reference.kind == "compact":
                carried, after, count = _carried(window, reference.at), set(), count + 1
                known = {held.thing.handle for held in (*window.residents.values(), *window.stubs.values()) if held.thing.source}
            elif reference.kind == "user":
                window = working_set.next_turn(window, reference.at)
            elif reference.result:
                if reference.tool == "Read" and after is not None and reference.id not in after:
                    after.add(reference.id)
                    read += 1
                    again += reference.id in known
                    listed += reference.id in known and reference.id in carried
                window, _ = working_set.settle(working_set.admit(window, thing(reference, True), reference.at), reference.at)
    return {
        "compactions": count,
        "reads": read,
        "rereads": again / max(1, read),
        "rereads_carried": (again - listed) / max(1, read),
        "listed": listed / max(1, again),
    }


def _carried(window: working_set.Window, at: float) -> set[str]:
    """Files that the pack lists: residents with the best first, then what had left with the last first."""
    handles = [*reversed(working_set.worths(window)), *reversed(window.stubs)]
    known = {**window.stubs, **window.residents}
    files = {f"src/{handle}".ljust(48, "x"): handle for handle in handles if known[handle].thing.source}
    what = carryover.Carried(request="word " * 80, files=[carryover.FileInPlay(path, "k" * 60) for path in files])
    return {files[path] for path in carryover.pack(what, now=at).files}


def known_first_reads(sessions: list[Session]) -> dict[str, float]:
    """Of the first reads of a file in each session, the share of files that a session begun earlier had met by then."""
    met: dict[str, int] = {}
    seen: set[tuple[int, str]] = set()
    first = known = 0
    for reference in sorted((r for session in sessions for r in session if r.kind == "f"), key=lambda r: r.at):
        if (reference.session, reference.id) not in seen:
            seen.add((reference.session, reference.id))
            if reference.tool == "Read":
                first += 1
                known += met.get(reference.id, reference.session) != reference.session
        met.setdefault(reference.id, reference.session)
    return {"first_reads": first, "known_first_reads": known / max(1, first)}


def pass_times() -> dict[str, float]:
    """CPU of one pass over RESIDENTS residents that has to rank them all, in milliseconds: the median and the 99th percentile.

    Of PASSES moments, each passed over TRIES times and its least taken: the same work differs only by what else the machine does.
    """
    window = working_set.opened(1 << 40)
    for n in range(RESIDENTS):
        path = f"src/package_{n % 37}/part_{n % 5}/module_{n}.py"
        tags = scoring.tags_of(path, symbols=(f"Thing{n}", f"make_{n}"))
        window = working_set.admit(window, working_set.Thing(f"m{n}", 50 + n % 900, source=path, tags=tags, resolves=True), 1e9 + n)
    window = window._replace(budget=int(1.1 * working_set.used(window)), words=scoring.tags_of(text="make the module of package_7 faster"))
    taken = []
    for n in range(PASSES):
        tries = []
        for _ in range(TRIES):
            began = time.process_time()
            working_set.settle(window, 1e9 + RESIDENTS + n / 10)
            tries.append(1_000 * (time.process_time() - began))
        taken.append(min(tries))
    taken.sort()
    return {"residents": RESIDENTS, "pass_ms": taken[PASSES // 2], "pass_p99_ms": taken[int(0.99 * PASSES)]}


def measured(path: Path, capacity: int) -> dict[str, dict[str, float]]:
    """Every arm of every question."""
    sessions = traces.sessions(path)
    arms = windows(sessions, sorted({*ITEMS, capacity})) | without_each(sessions, capacity) | marks(sessions)
    arms["carryover"], arms["across"], arms["pass"] = compactions(sessions), known_first_reads(sessions), pass_times()
    arms["trace"] = {"sessions": len(sessions)}
    return {arm: {name: round(value, 3) for name, value in found.items()} for arm, found in arms.items()}


def main() -> int:
    """Measure, print a line an arm, and write the results where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trace", type=Path, metavar="FILE", help="references.jsonl of a set of sessions")
    parser.add_argument("--capacity", type=int, default=10, help="things in one more window, and in the windows that lack a signal")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the results to this file")
    given = parser.parse_args()
    try:
        if given.capacity < 1:
            raise InvalidInput("capacity", f"must be at least 1, not {given.capacity}")
        arms = measured(given.trace, given.capacity)
    except (InvalidInput, OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        return 2
    for arm in [*(f"ours_without_{signal}" for signal in SIGNALS), "adaptive", "fixed", "carryover", "across", "pass"]:
        print(arm + ":", ", ".join(f"{name} {value:g}" for name, value in arms[arm].items()))
    if given.json:
        head = {
            "bench": "eviction",
            "data": given.trace.stem,
            "n": len(traces.sessions(given.trace)),
            "commit": commit(),
            "machine": machine(),
        }
        write(given.json, [{**head, "arms": arms}])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
