"""Do the alarms leave productive work alone, and do they catch true loops?

Question: in how many real sessions with 20 or more calls does any alarm go off (at most 3 %), is anything stopped, and which of the loops
that agents run into are stopped at the fourth try?

Method: FILE holds the failing results of real sessions ({s, t, tool, family, kind, exit, fp, template} a line); `references.jsonl` beside
it all their calls. Calls are replayed in order. A failure's template goes through our own fingerprint, its command through our own goals;
a template that only repeats the exit status has the trace's own `fp`. Arms: `clew`, and rules of known detectors restated: `equal_5` (one
tool with equal arguments 5 times running), `equal_3_of_20` (3 times within the last 20 calls), `failures_3` (3 failing results running),
`same_text_3` (the same failure text 3 times in a session, whatever happened between). `any` is the share of sessions with an alarm, with
the Wilson interval at 95 %; `stops` the number of refused calls; `goals` the share of goals with an alarm. `caught` and `spared` are
shares of the made-up histories of `benchmarks/histories.py`: true loops stopped by the fourth try, and work of other kinds that is left
alone.

Limits: the sessions come from one project. What a passing command was is known only where it failed elsewhere, and of an edit only the
file and the size; so changes by shell commands are missed, which makes alarms more likely, not less. The made-up histories are few and
ours.

    python -m benchmarks.convergence ../shared/data/traces/failures.jsonl [--json OUT] [--tell]
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import track

from benchmarks.histories import FINE, LOOPS, Step
from benchmarks.packs import share
from benchmarks.report import commit, machine, write
from benchmarks.rows import NUMBER, TEXT, rows
from clew.errors import InvalidInput
from clew.model import Attempt
from clew.rules.convergence import STOP, before, verdict
from clew.rules.fingerprint import fingerprint
from clew.rules.goals import aim_of, changed, edit_arguments
from clew.rules.outcome import Result, outcome_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LONG = 20  # calls of a session that counts
SHELL = "Bash"
FAILURE = {"s": NUMBER, "t": NUMBER, "exit": (int, type(None)), **dict.fromkeys(("tool", "family", "kind", "fp", "template"), TEXT)}
REFERENCE = {"s": NUMBER, "t": NUMBER, "i": NUMBER, "k": TEXT}


def sessions(file: Path) -> dict[int, list[Step]]:
    """Every session of the trace as steps, in order; a step without a tool is the user's message."""
    failures, families = defaultdict(list), {}
    references = rows(file.with_name("references.jsonl"), REFERENCE)
    for failure in rows(file, FAILURE):
        failures[failure["s"], failure["t"], failure["tool"]].append(failure)
    for r in references:
        for failure in failures.get((r["s"], r["t"], r.get("op")), ())[:1]:
            families.setdefault(r.get("id"), failure["family"])
    found: dict[int, list[Step]] = defaultdict(list)
    for r in references:
        if r["k"] == "compact":
            continue
        pending = failures.get((r["s"], r["t"], r.get("op")), [])
        found[r["s"]].append(_step(r, pending.pop(0) if pending else None, families))
    return dict(found)


def _step(r: dict[str, Any], failure: dict[str, Any] | None, families: dict[str, str]) -> Step:
    if r["k"] == "user":
        return Step("", at=r["t"])
    name, size = r.get("id", ""), str(r.get("tok", 0))
    family = families.get(name, "")
    tool = r.get("op") or r["k"]
    target = family if tool == SHELL else name
    text = failure["template"] if failure else ""
    if failure and text.startswith("Exit code"):
        text = f"{text} {failure['fp']}"
    failed = bool(failure) or bool(r.get("err"))
    old, new = (name + str(r["i"]), size + str(r["i"])) if not failed else ("", size)  # a successful edit is always another one
    return Step(
        tool, target, old, new, text, failure["exit"] if failure else None, failed, failure["kind"] if failure else "", r["t"], name
    )


def replay(steps: Iterable[Step]) -> dict[str, list[int]]:
    """The levels our rules give, per goal, one for each call that counts; STOP where a call would have been refused before it ran."""
    attempts: dict[str, list[Attempt]] = defaultdict(list)
    levels: dict[str, list[int]] = defaultdict(list)
    changes: tuple[str, ...] = ()
    since, turn, sent = 0.0, 0, -1.0
    for step in steps:
        if not step.tool:
            since = step.at
            continue
        turn, sent = turn + (step.at != sent), step.at  # calls of one moment went out together
        arguments = edit_arguments(step.old, step.new) if step.tool in ("Edit", "Write") else step.name
        aim = aim_of(step.tool, step.target, arguments=arguments, changes=changes)
        approach = aim.approach + step.name if step.tool == SHELL else aim.approach
        if not aim.counts:
            continue
        history = attempts[aim.goal]
        if before(history, approach, now=step.at, since=since).level == STOP:
            levels[aim.goal].append(STOP)
        result = Result(aim.action, step.text, step.exit, step.failed, step.kind == "declined")
        outcome = outcome_of(result).outcome
        print_of = fingerprint(step.text).exact if outcome == "fail" else ""
        made = Attempt(0, "", turn, aim.goal, aim.action, aim.target, approach, outcome, step.text[:300], fingerprint=print_of, at=step.at)
        history.append(made)
        if outcome == "pass":
            changes = changed(changes, aim.change)
        levels[aim.goal].append(verdict(history, now=step.at, since=since).level if outcome == "fail" else 0)
    return levels


def equal_running(steps: Iterable[Step], times: int) -> bool:
    """One tool with equal arguments so many times running."""
    row, last = 0, None
    for step in steps:
        same = (step.tool, step.target, step.name, step.new)
        row, last = (row + 1 if same == last else 1), same
        if step.tool and row >= times:
            return True
    return False


def equal_within(steps: Iterable[Step], times: int, window: int) -> bool:
    """One tool with equal arguments so many times within a window of calls."""
    calls = [(s.tool, s.target, s.name, s.new) for s in steps if s.tool]
    return any(calls[max(0, at - window + 1) : at + 1].count(call) >= times for at, call in enumerate(calls))


def failures_running(steps: Iterable[Step], times: int) -> bool:
    """So many failing results running."""
    row = 0
    for step in steps:
        row = row + 1 if step.failed else 0 if step.tool else row
        if row >= times:
            return True
    return False


def same_text(steps: Iterable[Step], times: int) -> bool:
    """The same failure text so many times, whatever happened between."""
    seen: dict[str, int] = defaultdict(int)
    for step in steps:
        if step.failed and step.text:
            seen[step.text] += 1
    return any(count >= times for count in seen.values())


RIVALS: dict[str, Callable[[list[Step]], bool]] = {
    "equal_5": lambda steps: equal_running(steps, 5),
    "equal_3_of_20": lambda steps: equal_within(steps, 3, 20),
    "failures_3": lambda steps: failures_running(steps, 3),
    "same_text_3": lambda steps: same_text(steps, 3),
}


def measured(found: dict[int, list[Step]], tell: bool) -> dict[str, dict[str, float]]:
    """Every arm on the sessions and on the made-up histories."""
    long = {s: steps for s, steps in found.items() if sum(bool(step.tool) for step in steps) >= LONG}
    replayed = {s: replay(steps) for s, steps in track(long.items(), "replaying", transient=True)}
    goals = [max(levels) for goals in replayed.values() for levels in goals.values()]
    top = {s: max((max(levels) for levels in goals.values()), default=0) for s, goals in replayed.items()}
    if tell:
        _tell(replayed)
    arms: dict[str, dict[str, float]] = {
        "clew": {
            **share("any", [level > 0 for level in top.values()] or [False]),
            **{f"level_{n}": float(sum(level >= n for level in top.values())) for n in (1, 2, 3)},
            "stops": float(sum(levels.count(STOP) for goals in replayed.values() for levels in goals.values())),
            "goals": sum(level > 0 for level in goals) / len(goals) if goals else 0.0,
            "caught": _mean(STOP in _levels(steps) for steps in LOOPS.values()),
            "spared": _mean(max(_levels(steps), default=0) == 0 for steps in FINE.values()),
        }
    }
    for name, alarms in RIVALS.items():
        arms[name] = {
            **share("any", [alarms(steps) for steps in long.values()] or [False]),
            "caught": _mean(alarms(steps) for steps in LOOPS.values()),
            "spared": _mean(not alarms(steps) for steps in FINE.values()),
        }
    return arms


def _levels(steps: list[Step]) -> list[int]:
    return [level for levels in replay(steps).values() for level in levels]


def _mean(hits: Iterable[bool]) -> float:
    found = list(hits)
    return sum(found) / len(found)


def _tell(replayed: dict[int, dict[str, list[int]]]) -> None:
    for session, goals in replayed.items():
        for goal, levels in goals.items():
            if max(levels):
                print(f"  session {session}, {goal}: {levels}")


def main() -> int:
    """Measure, print a line an arm, and write the results where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="failures.jsonl, with references.jsonl beside it")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the results to this file")
    parser.add_argument("--tell", action="store_true", help="print every goal with an alarm and its levels")
    given = parser.parse_args()
    try:
        found = sessions(given.file)
    except (InvalidInput, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    arms = {arm: {k: round(v, 4) for k, v in metrics.items()} for arm, metrics in measured(found, given.tell).items()}
    for arm, metrics in arms.items():
        print(f"{arm}:", ", ".join(f"{name} {value:g}" for name, value in metrics.items()))
    if given.json:
        write(
            given.json,
            [
                {
                    "bench": "convergence",
                    "data": given.file.parent.name,
                    "n": len(found),
                    "commit": commit(),
                    "machine": machine(),
                    "arms": arms,
                }
            ],
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
