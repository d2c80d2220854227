"""A store in memory under a clock that is set by hand, and the hashing embedder."""

import pytest

from clew import Clew

START = 1_800_000_000.0


class Clock:
    """A clock that is set by hand."""

    def __init__(self, at=START):
        self.at = at

    def __call__(self):
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(clock):
    """A store in memory, standing in the project `trip`."""
    with Clew(":memory:", project="trip", embed="hashing", clock=clock) as clew:
        yield clew
