"""Real git, and what the tests ask of places."""

from __future__ import annotations

import subprocess
from pathlib import Path

from clew.project import Place

FORGE = "https://forge.example/team/app.git"


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(("git", *words), cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def add(folder: Path, message: str) -> None:
    git(folder, "commit", "-q", "--allow-empty", "-m", message)


def kinds(place: Place) -> list[str]:
    return [key.partition(":")[0] for key in place.keys]


def meet(*places: Place) -> bool:
    return bool(set.intersection(*(set(place.keys) for place in places)))
