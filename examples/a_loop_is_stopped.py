"""A loop that leads nowhere is stopped at the fourth try, and a week later it is known what was tried and what worked.

The agent is made up: it runs the same test again and again, its output never quite the same. A real client's hooks do what `step` does.

python examples/a_loop_is_stopped.py
"""

import os
import tempfile

from clew import Clew

TEST = "pytest tests/test_cart.py"
FAILED = "E   AssertionError: assert {total} == 400\ntests/test_cart.py:{line}: AssertionError\n=== 1 failed in 0.{line}s ==="
PASSED = "=== 3 passed in 0.12s ==="
EDIT = {"file_path": "src/cart.py", "old_string": "price", "new_string": "price * 100"}
WEEK = 7 * 86_400.0


class Clock:
    """A clock that the example turns on by itself."""

    now = 1_800_000_000.0

    def __call__(self) -> float:
        """The moment, UTC seconds: every look at it is a second later."""
        self.now += 1.0
        return self.now


def step(clew: Clew, turn: int, session: str) -> bool:
    """One turn of the agent: ask whether the test may run, run it, tell how it ended. Whether it was run."""
    verdict = clew.before_attempt(TEST, session=session)
    if verdict.level == 3:
        print(f"try {turn}: stopped, {verdict.reason}")
        return False
    verdict = clew.attempt(TEST, output=FAILED.format(total=4, line=10 + turn), exit=1, session=session)
    print(f"try {turn}: failed, {verdict.reason or 'go on'}")
    return True


def main() -> None:
    """Run into the loop, get out of it, and come back a week later."""
    clock = Clock()
    with (
        tempfile.TemporaryDirectory() as folder,
        Clew(os.path.join(folder, "memory.db"), root=folder, embed="off", clock=clock, long_lived=False) as clew,
    ):
        turn = 1
        while step(clew, turn, "monday"):
            turn += 1
        clew.attempt("src/cart.py", tool="Edit", given=EDIT, session="monday")
        print(f"after an edit it may run: level {clew.before_attempt(TEST, session='monday').level}")
        clew.attempt(TEST, output=PASSED, exit=0, session="monday")
        clew.attempt("git commit -m 'cents'", exit=0, session="monday")  # the pass held: the agent has gone on

        clock.now += WEEK
        found = clew.tried(FAILED.format(total=4, line=99))
        print(f"a week later, the same {found.by}: {len(found.failed)} failed tries")
        for fix in found.worked:
            print(f"  {fix.passed.target} passed after {', '.join(fix.changes)}")
        for memory in clew.list():
            print(f"  {memory.kind}: {memory.summary}")


if __name__ == "__main__":
    main()
