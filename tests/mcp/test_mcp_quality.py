"""The server with the quality tier: its recall is read once more, what it keeps is read in the background, and it closes cleanly."""

import importlib.util
import threading

import pytest

from clew.embed.pairs import PACKAGE
from clew.mcp.calls import Desk

pytestmark = pytest.mark.skipif(importlib.util.find_spec(PACKAGE) is None, reason="clew[quality] is not installed")


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A desk as `clew mcp` opens it, with CLEW_EMBED=quality."""
    for name, value in (("CLEW_DB", str(tmp_path / "memory.db")), ("CLEW_PROJECT", "p"), ("CLEW_EMBED", "quality")):
        monkeypatch.setenv(name, value)
    opened = Desk()
    yield opened
    opened.close()


def call(desk, tool, **arguments):
    answer = desk.call(tool, arguments, "codex", None)
    assert not answer["isError"], answer
    return answer["structuredContent"]


def test_what_answers_stands_before_what_is_merely_about_the_same(desk, monkeypatch):
    monkeypatch.setenv("CLEW_EMBED", "static")  # first, while nothing is read in the background
    for text in ("the parser reads TOML", "Ada made the parser"):
        call(desk, "remember", summary=text)
    assert [memory["id"] for memory in call(desk, "recall", question="who wrote the parser")["memories"]] == [1, 2]
    desk.close()
    monkeypatch.setenv("CLEW_EMBED", "quality")
    assert [memory["id"] for memory in call(desk, "recall", question="who wrote the parser")["memories"]] == [2, 1]


def test_closing_ends_the_thread_that_reads(desk):
    call(desk, "remember", summary="deployments happen on Tuesdays")
    desk.close()
    assert [thread.name for thread in threading.enumerate() if thread.name == "clew reads"] == []
    assert call(desk, "recall", question="when do deployments happen")["memories"][0]["id"] == 1
