"""Stores under the settable clock: one in memory with the hashing embedder, one on disk in a folder that it stands in."""

import pytest

from clew import Clew


@pytest.fixture
def store(clock):
    """A store in memory, standing in the project `trip`."""
    with Clew(":memory:", project="trip", embed="hashing", clock=clock) as clew:
        yield clew


@pytest.fixture
def clew(clock, tmp_path):
    """A store on disk, by words alone, as a command or hook that stands in the folder `tmp_path` opens it."""
    with Clew(str(tmp_path / "db" / "memory.db"), root=str(tmp_path), embed="off", clock=clock, long_lived=False) as made:
        yield made


@pytest.fixture
def ticking(clock):
    """The clock goes on by a second whenever it is read."""
    clock.step = 1.0
