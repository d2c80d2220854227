"""Made-up histories of an agent at work: loops that must be stopped by the fourth try, and work that looks alike and must be left alone."""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """One call and its result; without a tool, a message of the user. `old`, `new`: of an edit. `name` stands for further arguments."""

    tool: str
    target: str = ""
    old: str = ""
    new: str = ""
    text: str = ""
    exit: int | None = None
    failed: bool = False
    kind: str = ""
    at: float = 0.0
    name: str = ""


def clocked(steps: list[Step], gap: float = 20.0) -> list[Step]:
    """The steps one after another, `gap` seconds between."""
    return [step._replace(at=1_000.0 + gap * n) for n, step in enumerate(steps)]


def failing(command: str, text: str, status: int = 1) -> Step:
    """A command that failed and said `text`."""
    return Step("Bash", command, text=text, exit=status, failed=True)


def passing(command: str, text: str = "") -> Step:
    """A command that passed."""
    return Step("Bash", command, text=text, exit=0)


def edit(path: str, old: str, new: str, failed: str = "") -> Step:
    """An edit of a file, and the tool's complaint where it failed."""
    return Step("Edit", path, old, new, failed, failed=bool(failed))


def _drift(n: int) -> str:
    return (
        f"2026-03-0{n + 1}T10:0{n}:11Z worker[{4000 + n}] job {n}c640d66{n}-42dc-4047-b16f-f6f8a77d17f{n} at 0x7f{n}c4c0d36{n}0\n"
        f"--- FAIL: TestTotal (0.{n}4s)\n    cart_test.go:{30 + n}: got 2, want 3\nFAIL\tshop/cart\t0.{n}9s"
    )


def _test(text: str = "AssertionError: 2 != 3") -> Step:
    return failing("python -m unittest", f"FAIL: test_total (cart.CartTest)\n{text}\nFAILED (failures=1)")


_DO, _UNDO = edit("src/cart.py", "a", "b"), edit("src/cart.py", "b", "a")
_NOT_FOUND = "The old text is not in the file."

LOOPS: dict[str, list[Step]] = {
    "the same test again, its text drifting": clocked([failing("go test ./cart", _drift(n)) for n in range(5)]),
    "the same test in other dress": clocked(
        [
            failing(c, _drift(n))
            for n, c in enumerate(("go test ./cart", "go test -v ./cart", "cd /x && timeout 60 go test ./cart | tail -5"))
        ]
        + [failing("go test -count=1 ./cart 2>&1", _drift(3))] * 2
    ),
    "two commands by turns": clocked(
        [failing("npm install left-pad@99", "npm error code ETARGET"), failing("npm install left-pad@98", "npm error code ETARGET v98")] * 4
    ),
    "an edit undone and redone": clocked([_DO, _test(), _UNDO, _test()] * 4),
    "two edits by turns": clocked([_DO, _test(), edit("src/cart.py", "b", "c"), _test("3 != 2"), edit("src/cart.py", "c", "a")] * 4),
    "an edit whose old text is not there": clocked([edit("src/cart.py", "x", "y", _NOT_FOUND)] * 5),
    "reading between the tries": clocked(
        [failing("cargo build", "error[E0308]: mismatched types\n --> src/main.rs:4:9"), Step("Read", "src/main.rs")] * 5
    ),
    "a fix that installs the same thing": clocked([passing("npm install"), failing("npm test", "Error: Cannot find module './cart'")] * 5),
}

FINE: dict[str, list[Step]] = {
    "a poll every five minutes": clocked([failing("./deployed.sh staging", "not yet", 1)] * 12, 300.0),
    "the checks of a pull request": clocked([failing("gh pr checks 12", "test\tpending\t0\thttps://ci.example/runs/1", 8)] * 8, 30.0),
    "a wait in a loop": clocked([failing("sleep 30 && curl -sf http://localhost:8080/health", "curl: (7) Failed to connect", 7)] * 8, 31.0),
    "files moved one by one": clocked([passing(f"mv docs/{n}.md pages/{n}.md") for n in range(30)]),
    "files moved one by one, some missing": clocked(
        [failing(f"mv docs/{n}.md pages/", f"mv: cannot stat 'docs/{n}.md': No such file or directory") for n in range(12)]
    ),
    "the test after every edit": clocked(
        [step for n in range(9) for step in (edit("src/cart.py", f"{n}", f"{n + 1}"), _test(f"AssertionError: {n} != 30"))]
    ),
    "a flaky network retried": clocked(
        [failing("git push origin main", "fatal: unable to access 'https://x/': Could not resolve host: x", 128)] * 6
    ),
    "a service that is overloaded": clocked(
        [failing("npm publish", "npm error 503 Service Unavailable - PUT https://registry.example/shop")] * 6
    ),
    "searches that find nothing": clocked([failing("grep -rn total src", "", 1)] * 8),
    "words of failure in what was read": clocked([Step("Read", "log.txt", text="ERROR: 5 failed, Traceback (most recent call last)")] * 12),
    "the user says no": clocked([Step("Bash", "rm -r build", text="The user doesn't want to proceed", failed=True, kind="declined")] * 6),
    "the user asks again each time": clocked([_test(), Step("")] * 6),
    "one passes in between": clocked([_test(), _test(), passing("python -m unittest", "OK")] * 5),
}
