"""Hooks on a disk that is full or closed: what was kept stays, what cannot be kept is not half kept, and memory still answers."""

import os

import pytest

from clew import Clew
from clew.errors import ClewError
from clew.model import Event


def prompts(clew):
    """The prompts of the log, oldest first."""
    clew.take_in()
    lines = reversed(clew._store.read_log(clew.project().id, limit=1_000))
    return [line["text"] for line in lines if line["event"] == "prompt"]


def test_a_full_disk_keeps_what_was_there_and_goes_on_when_there_is_room(small_disk, tmp_path):
    path, filler = str(small_disk / "memory.db"), small_disk / "filler"
    with Clew(path, root=str(tmp_path), embed="off", long_lived=False) as clew:
        clew.remember("deploys go out on Tuesdays")
        clew.capture(Event("prompt", "c", "s", text="before"))
        with pytest.raises(OSError, match="space"), open(filler, "wb") as file:
            while True:
                os.write(file.fileno(), b"\0" * 4_096)
        kept = []
        for turn in range(60):
            try:
                clew.capture(Event("prompt", "c", "s", text=f"while full {turn} " + "x" * 900))
                kept.append(turn)
            except (OSError, ClewError):
                pass
        assert len(kept) < 60
        filler.unlink()
        clew.capture(Event("prompt", "c", "s", text="after"))
        found = prompts(clew)
    assert found[0] == "before"
    assert found[-1] == "after"
    assert [int(text.split()[2]) for text in found[1:-1]] == kept
