"""An agent's loop with a working set: sixty turns in a small window, and what was kept, evicted, missed and saved.

The model is made up: it walks through the files of a small project, edits what it has read, runs the tests, and comes back to earlier
files. Whatever it needs that is not in its window it asks for.

python examples/agent_loop.py
"""

from clew import WorkingSet

TURNS, BUDGET = 60, 6_000  # tokens
FILES = [f"src/{part}/{name}.py" for part in ("parser", "store", "web") for name in ("model", "reader", "writer", "errors")]


def project() -> dict[str, str]:
    """Twelve files of different lengths."""
    return {path: f"# {path}\n" + "def check(value):\n    return value\n" * (30 + 10 * (n % 4)) for n, path in enumerate(FILES)}


def wanted(turn: int) -> str:
    """The file the model works on: it stays in one part for twenty turns, and now and then looks at the file all parts share."""
    if turn % 7 == 6:
        return FILES[0]
    part, step = turn // 20 % 3, turn * 5 % 4
    return FILES[4 * part + step]


def main() -> None:
    """Run the loop and tell what became of the window."""
    files, window, now = project(), WorkingSet(BUDGET), 1_700_000_000.0
    handles: dict[str, str] = {}  # which message holds which file
    resident: set[str] = set()
    spared = 0
    window.admit("Make every reader and writer accept empty values, and keep the tests green.", size=20, request=True)
    for turn in range(TURNS):
        path = wanted(turn)
        if path not in handles:
            handles[path] = window.admit(files[path], source=path, size=len(files[path]) // 4)
        elif handles[path] in resident:
            spared += 1  # it is in the window: nothing is read again
            window.used(handles[path])
        else:
            files[path] = window.request(handles[path])
        window.admit(f"{10 + turn} passed in 0.{turn:02d} s\n" * 25, size=250, query=f"pytest -k {path.split('/')[1]} # {turn}")
        now += 40.0
        plan = window.turn(now)
        resident = set(plan.keep)
    status = window.status()
    print(f"{TURNS} turns in {BUDGET} tokens: {status['used']} used")
    print(f"kept {len(plan.keep)}, as a line {len(plan.stub)}, left out {len(plan.evict)}")
    print(f"evicted {status['evictions']}, missed {status['misses']}")
    print(f"saved {spared} of {spared + status['misses']} readings of a file met before")
    print(f"the last to leave: {window.stub(plan.stub[-1])}")


if __name__ == "__main__":
    main()
