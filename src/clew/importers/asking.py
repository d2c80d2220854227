"""Asks git about a folder: no prompt, no lock, no network, no program that the repository's own configuration names."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from clew.errors import ClewError
from clew.service.git import GIT_SAFE, git_environment, git_program

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 1 << 20  # bytes read from git at once
PATIENCE = 60.0  # seconds one short question may take
# A commit without parents shows no files: at the edge of a shallow clone it would claim every file there is.
SAFE = (*GIT_SAFE, "log.showRoot=false")


def answer(folder: str, *words: str) -> list[str] | None:
    """The lines, or with `-z` among the words the NUL-ended fields, that git answers in `folder`; None where it cannot."""
    try:
        done = subprocess.run(
            _command(words),
            cwd=folder,
            env=git_environment(),
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
        _command(words), cwd=folder, env=git_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
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
    try:
        return bool(git_program())
    except FileNotFoundError:
        return False


def _command(words: tuple[str, ...]) -> list[str]:
    options = [part for setting in SAFE for part in ("-c", setting)]
    return [git_program(), "--no-pager", *options, *words]
