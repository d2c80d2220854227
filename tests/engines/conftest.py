"""A store in memory under the settable clock, and the hashing embedder."""

import pytest

from clew import Clew


@pytest.fixture
def store(clock):
    """A store in memory, standing in the project `trip`."""
    with Clew(":memory:", project="trip", embed="hashing", clock=clock) as clew:
        yield clew
