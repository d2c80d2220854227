"""Asks git about a folder: no prompt, no lock, no network, no program that the repository's own configuration names."""

from __future__ import annotations

import os
import subprocess
from shutil import which
from typing import TYPE_CHECKING

from clew.errors import ClewError

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 1 << 20  # bytes read from git at once
PATIENCE = 60.0  # seconds one short question may take

SAFE_ENV = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
# A repository may come from anybody: its fsmonitor and its signature check are programs of its own choosing. A commit without parents
# shows no files: at the edge of a shallow clone it would claim every file there is.
SAFE_CONFIG = (
    "safe.directory=*",
    "core.fsmonitor=false",
    "core.quotePath=false",
    "log.showSignature=false",
    "log.showRoot=false",
    "i18n.logOutputEncoding=UTF-8",
)


def answer(folder: str, *words: str) -> list[str] | None:
    """The lines, or with `-z` among the words the NUL-ended fields, that git answers in `folder`; None where it cannot."""
    try:
        done = subprocess.run(
            _command(words),
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    if done.returncode:
        return None
    text = os.fsdecode(done.stdout)
    return [part for part in text.split("\0") if part] if "-z" in words else text.splitlines()


def fields(folder: str, *words: str) -> Iterator[str]:
    """What git says, field by field (each ended by NUL), while it says it; bytes that are no UTF-8 become U+FFFD.

    Whoever stops listening stops git. Raises ClewError when git ends with an error.
    """
    process = subprocess.Popen(
        _command(words), cwd=folder, env=_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    try:
        rest = b""
        while chunk := process.stdout.read(CHUNK):
            *whole, rest = (rest + chunk).split(b"\0")
            for field in whole:
                yield field.decode("utf-8", "replace")
        code = process.wait()
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
    if code:
        raise ClewError(f"git {words[0]} ended with {code} in {folder}; `git fsck` says whether the repository is damaged")


def installed() -> bool:
    """Whether there is a git to ask."""
    return bool(_program())


def _command(words: tuple[str, ...]) -> list[str]:
    options = [part for setting in SAFE_CONFIG for part in ("-c", setting)]
    return [_program() or "git", "--no-pager", *options, *words]


def _program() -> str:
    """The first git on PATH. Relative entries do not count: a repository must not be able to bring its own git along."""
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder)]
    return which("git", path=os.pathsep.join(folders)) or ""


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name == "GIT_EXEC_PATH"} | SAFE_ENV
