"""A real repository to import from, made commit by commit."""

import os
import subprocess
from pathlib import Path

import pytest

from clew import Clew


class Repo:
    """A folder and the git in it. `commit` writes files and keeps them under a message; times go up by a minute."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = 1_700_000_000
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *words: str, stdin: bytes = b"", **env: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.folder, input=stdin, capture_output=True, env=os.environ | env)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "replace").strip()

    def write(self, path: str, text: str | bytes = "something\n") -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def commit(self, message: str | bytes, files: dict[str, str] | None = None, author: str = "Ada", config: tuple[str, ...] = ()) -> str:
        for path, text in (files or {}).items():
            self.write(path, text)
        self.clock += 60
        when = f"{self.clock} +0200"
        self.git("add", "-A")
        self.git(
            *config, "commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-F", "-",
            stdin=message if isinstance(message, bytes) else message.encode(),
            GIT_AUTHOR_NAME=author, GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when,
        )  # fmt: skip
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repo(tmp_path):
    return Repo(tmp_path / "shop")


@pytest.fixture
def another(tmp_path):
    """Makes further repositories by name."""
    return lambda name: Repo(tmp_path / name)


@pytest.fixture
def store(repo):
    """A Clew that stands in the repository, in memory, by words alone."""
    with Clew(":memory:", root=str(repo.folder), embed="off", long_lived=False) as clew:
        yield clew
