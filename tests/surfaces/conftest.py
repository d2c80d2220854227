"""The `clew` command as a person runs it: the built wheel, a process of its own, a home and a working directory of its own."""

import json
import os
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
