"""What the trips share: a process of its own for a few lines of Python, and disks of their own."""

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from clew import Clew

ROOT = Path(__file__).parents[2]
SOURCE = str(ROOT / "src")
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def _can_mount():
    """Whether a disk of its own can be mounted and closed, tried once."""
    if not IS_ROOT:
        return False
    folder = tempfile.mkdtemp()
    tries = (["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], ["mount", "-o", "remount,ro", folder], ["umount", folder])
    try:
        return all(subprocess.run(words, capture_output=True).returncode == 0 for words in tries)
    except FileNotFoundError:
        return False
    finally:
        os.rmdir(folder)


CAN_MOUNT = _can_mount()


class Ended(NamedTuple):
    """How a process ended."""

    code: int
    out: str
    err: str


def environment(**more):
    """The environment of a child: this one's, the source on its path, and `more`, where None takes a variable away."""
    path = os.pathsep.join(filter(None, [SOURCE, os.environ.get("PYTHONPATH")]))
    merged = os.environ | {"PYTHONPATH": path, "PYTHONUTF8": "1"} | more
    return {name: value for name, value in merged.items() if value is not None}


def python(code, *arguments, cwd=None, **env):
    """Run `code` in a fresh interpreter to its end."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, env=environment(**env), cwd=cwd, timeout=120
    )
    return Ended(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def command(*arguments, cwd=None, stdin=b"", **env):
    """Run `python -m clew` with these arguments to its end."""
    argv = [sys.executable, "-m", "clew", *map(str, arguments)]
    done = subprocess.run(argv, input=stdin, capture_output=True, env=environment(**env), cwd=cwd, timeout=120)
    return Ended(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def opened(path, **how):
    """A Clew over a file, by the hashing embedder, in the project `trip`."""
    return Clew(str(path), **{"project": "trip", "embed": "hashing"} | how)


def summaries(clew, **how):
    """What the project holds, as a set of summaries."""
    return {memory.summary for memory in clew.list(limit=100_000, **how)}


@contextmanager
def disk(folder, size):
    """A small disk of its own, mounted at `folder`. Root only."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def read_only(folder):
    """Let nothing be written in `folder`, a mounted disk for root, by permission bits for anyone else."""
    if IS_ROOT:
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    else:
        bits = {path: path.stat().st_mode for path in [folder, *folder.rglob("*")]}
        for path in bits:
            path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        yield
    finally:
        if IS_ROOT:
            subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
        else:
            for path, mode in bits.items():
                path.chmod(mode)
