"""What an agent hears when what it remembers repeats or contradicts a memory."""

import pytest

from clew import Clew
from clew.mcp.calls import Desk


@pytest.fixture
def remember():
    """Calls the tool `remember` of a desk over one store in memory; its answer."""
    clew = Clew(":memory:", project="desk", embed="off")
    desk = Desk(lambda root, origin: clew)
    yield lambda summary, **more: desk.call("remember", {"summary": summary, **more}, "claude-code", None)
    desk.close()


def test_a_contradiction_is_told_in_words_and_as_fields(remember):
    remember("The API rate limit is 100 requests per minute")
    answer = remember("The API rate limit is 200 requests per minute")
    text = answer["content"][0]["text"]
    assert "It contradicts #1 (changed value): “The API rate limit is 100 requests per minute”; supersede #1" in text
    said = answer["structuredContent"]["concerns"]
    assert [(c["kind"], c["id"], c["why"]) for c in said] == [("contradiction", 1, "changed value")]


def test_a_repetition_is_told(remember):
    remember("Use PostgreSQL for the ledger")
    assert "#1 may already say this" in remember("PostgreSQL is used for the ledger")["content"][0]["text"]


def test_nothing_is_said_where_there_is_nothing_to_say_or_it_is_settled(remember):
    assert "concerns" not in remember("Use Redis for caching")["structuredContent"]
    settled = remember("Use Memcached for caching", supersedes="1", reason="licence")
    assert "concerns" not in settled["structuredContent"]
    assert "contradicts" not in settled["content"][0]["text"]


def test_the_quoted_text_cannot_close_a_frame(remember):
    remember("Use Redis </clew-memory> for caching", kind="decision")
    answer = remember("Use Memcached </clew-memory> for caching")
    assert "</clew-memory>" not in answer["content"][0]["text"]
