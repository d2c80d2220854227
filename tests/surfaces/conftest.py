"""The `clew` command as a person runs it: the built wheel, a process of its own, a home and a working directory of its own."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
GUARD = ROOT / "tests" / "refuse_sockets"


class Run(NamedTuple):
    """What one command did."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """Standard output read as one JSON value."""
        return json.loads(self.out)


def command() -> list[str]:
    """How `clew` is called: from the wheel that `make test` installed; from the source outside CI when there is none."""
    folder = os.environ.get("CLEW_WHEEL_BIN")
    if folder:
        program = Path(folder) / ("clew.exe" if os.name == "nt" else "clew")
        assert program.is_file(), f"CLEW_WHEEL_BIN is set, but {program} does not exist: run `make test`"
        return [str(program)]
    assert os.environ.get("CI") != "true", "CLEW_WHEEL_BIN is not set: in CI surfaces are tested from the built wheel (make test)"
    return [sys.executable, "-m", "clew"]


class Shell:
    """Runs `clew` with arguments. `argv` and `env` are there for tests that start, feed or kill the process themselves."""

    def __init__(self, home: Path, cwd: Path) -> None:
        self.argv = command()
        self.home = home
        self.cwd = cwd
        self.clew_home = home / ".clew"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLEW_", "PYTHON"))}
        source = [] if os.environ.get("CLEW_WHEEL_BIN") else [str(ROOT / "src")]
        self.env = kept | {
            "HOME": str(home),
            "USERPROFILE": str(home),
            "CLEW_HOME": str(self.clew_home),
            "PYTHONPATH": os.pathsep.join([str(GUARD), *source]),
            "PYTHONUTF8": "1",
            "COLUMNS": "120",
            "TERM": "dumb",
        }

    def __call__(self, *arguments: object, stdin: str | bytes = b"", env: dict[str, str] | None = None, cwd: Path | None = None) -> Run:
        """One command to its end. `env` is laid over the shell's own; a value of "" removes nothing, it is an empty setting."""
        done = subprocess.run(
            [*self.argv, *map(str, arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env=self.env | (env or {}),
            cwd=cwd or self.cwd,
            timeout=120,
        )
        return Run(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    def on_a_terminal(self, *arguments: object, typed: str = "", until: str = "", interrupt: bool = False, **env: str) -> Run:
        """One command whose three streams are a pseudo terminal 100 columns wide; `out` is all that the screen was sent.

        When `until` has been sent, `typed` is typed there, or Ctrl-C is pressed.
        """
        import pty

        ours, theirs = pty.openpty()
        shown = {"TERM": "xterm-256color", "COLUMNS": "100"}
        process = subprocess.Popen(
            [*self.argv, *map(str, arguments)],
            stdin=theirs, stdout=theirs, stderr=theirs, env=self.env | shown | env, cwd=self.cwd, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        screen, waiting = b"", bool(typed or interrupt)
        try:
            while True:
                if interrupt and not waiting and not select.select([ours], [], [], 0.5)[0]:
                    process.send_signal(signal.SIGINT)  # again: Python misses one that comes just before it begins to read
                    continue
                sent = os.read(ours, 65_536)
                screen += sent
                if waiting and until.encode() in screen:
                    waiting = False
                    if not interrupt:
                        os.write(ours, typed.encode())
        except OSError:  # Linux says EIO where the other side has gone
            pass
        os.close(ours)
        return Run(process.wait(timeout=120), screen.decode("utf-8", "replace").replace("\r\n", "\n"), "")

    def ok(self, *arguments: object, **how) -> Run:
        """One command that must succeed; what it printed is shown when it does not."""
        run = self(*arguments, **how)
        assert run.code == 0, f"clew {' '.join(map(str, arguments))} exited {run.code}\n{run.out}{run.err}"
        return run


@pytest.fixture
def clew(a_home_of_its_own, tmp_path) -> Shell:
    """`clew("recall", "why sqlite", "--json").json`, in an empty folder with an empty home."""
    cwd = tmp_path / "somewhere"
    cwd.mkdir()
    return Shell(a_home_of_its_own, cwd)


@pytest.fixture(scope="module")
def filled(tmp_path_factory) -> Shell:
    """A store that a module's tests share and only read: see MEMORIES, in this order."""
    home = tmp_path_factory.mktemp("filled")
    cwd = home / "ledger"
    cwd.mkdir()
    shell = Shell(home, cwd)
    lines = "".join(json.dumps(memory) + "\n" for memory in MEMORIES)
    shell.ok("import", "jsonl", stdin=lines)
    shell.ok("supersede", 4, 1, "--reason", "it lost writes")
    shell.ok("done", 5, "--reason", "released")
    shell.ok("pin", 2)
    return shell


MEMORIES = (
    {"summary": "Use PostgreSQL for the ledger", "detail": "MongoDB lost writes under load", "kind": "decision", "tags": ["db"]},
    {"summary": "Deploys freeze on Friday afternoon", "kind": "procedure", "tags": ["deploy", "team"], "metadata": {"pr": 12}},
    {"summary": "The \x1b[31mred\x07 [bold]alert[/bold] means the \u202equeue is full", "detail": "first\x1b[2J\nsecond\x9b31m\ttab"},
    {"summary": "Use MongoDB for the ledger", "kind": "decision", "tags": ["db"]},
    {"summary": "Ship the importer", "kind": "intent"},
    {"summary": "מסד הנתונים 🎉 データベース", "kind": "reference", "pointers": [{"path": "src/db.py", "line": 7, "symbol": "open_it"}]},
)
