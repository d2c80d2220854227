"""A client with a project that knows three things."""

import pytest
from client_at_work import Client


@pytest.fixture
def client(tmp_path):
    """A client in a folder whose project knows three things."""
    folder = tmp_path / "shop"
    folder.mkdir()
    made = Client(folder)
    with made.clew() as clew:
        clew.remember("We chose SQLite over Postgres: one file is easy to back up", kind="decision")
        clew.remember("Deploys go out on Tuesdays after the smoke test", kind="procedure")
        clew.remember("The cart keeps prices in cents", kind="fact")
    return made
