"""A home without git settings, repositories below it, and where one stands in them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from real_git import add, git

from clew.project import deepen, locate


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home of its own, and no trace of the git settings of whoever runs the tests."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    author = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b.c"}
    for name, value in {"HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **author}.items():
        monkeypatch.setenv(name, value)
    return folder


@pytest.fixture
def make(home):
    """`make("app")` is a repository below home whose first commit is its own."""

    def make(name: str, *, commit: bool = True) -> Path:
        folder = home / name
        git(home, "init", "-q", "-b", "main", str(folder))
        if commit:
            add(folder, f"first commit of {name}")
        return folder

    return make


@pytest.fixture
def at(home):
    """Where one stands in a folder, deep keys included, however busy the machine."""
    return lambda folder: deepen(locate(None, env={}, home=str(home), cwd=str(folder)), timeout=60)
