"""A model server of our own on loopback, for the embedders that ask one."""

import pytest
import sitecustomize
from model_server import ModelServer


@pytest.fixture
def loopback():
    """Lets this test's own process reach 127.0.0.1."""
    sitecustomize.LOOPBACK.append(True)
    yield
    sitecustomize.LOOPBACK.pop()


@pytest.fixture
def server(loopback):
    """A running ModelServer."""
    with ModelServer() as running:
        yield running
