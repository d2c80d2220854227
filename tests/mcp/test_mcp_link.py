"""The tool `link`: from one memory to another, once, and what `recall` and `why` make of it. Bad input is a result that says so."""

import pytest

from clew import Clew
from clew.mcp.calls import Desk


@pytest.fixture
def call():
    """Calls a tool on a store of three memories, as (text, object); for an error the object is None."""
    clew = Clew(":memory:", project="ledger", embed="hashing", origin="codex", long_lived=False)
    for text in ("Retry uploads with backoff", "The vendor's gateway drops connections", "Perth lost photos"):
        clew.remember(text)
    desk = Desk(lambda root, origin: clew)

    def called(tool, **arguments):
        answer = desk.call(tool, arguments, "codex", None)
        return answer["content"][0]["text"], answer.get("structuredContent")

    yield called
    desk.close()


def test_a_link_is_made_once_and_said_so(call):
    link = {"src": 1, "relation": "because", "dst": 2}
    assert call("link", src="#1", relation="because", dst=2) == ("#1 because #2: linked.", link | {"linked": True})
    assert call("link", src=1, relation="because", dst="2") == ("#1 because #2: linked already.", link | {"linked": False})


def test_why_goes_along_it_and_recall_reaches_what_shares_no_word_unless_told_not_to(call):
    question = "retry uploads with backoff"
    call("link", src=1, relation="because", dst=2)
    assert "#1 -because-> #2\n" in call("why", about="1")[0]
    reached = [memory["id"] for memory in call("recall", question=question)[1]["memories"]]
    plain = [memory["id"] for memory in call("recall", question=question, graph=False)[1]["memories"]]
    assert (reached, plain) == ([1, 2], [1])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"src": "1", "relation": "because", "dst": "1"}, "itself"),
        ({"src": "1", "relation": "Because of", "dst": "2"}, "relation: "),
        ({"src": "1", "relation": "because", "dst": "99"}, "there is no memory #99"),
        ({"src": "1", "relation": "because"}, "dst: is missing; link needs it"),
        ({"src": "1", "relation": "because", "dst": "2", "remove": True}, "remove: is no argument of link; it takes src, relation, dst"),
    ],
)
def test_a_link_that_cannot_be_made_is_an_error_that_changes_nothing(call, arguments, said):
    text, structured = call("link", **arguments)
    assert structured is None
    assert said in text
    assert call("why", about="1")[1]["links"] == []


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("link", {"src": 1, "relation": "because", "dst": 99}),
        ("forget", {"ids": ["99"], "confirm": True}),
        ("restore", {"what": "m:99"}),
        ("feedback", {"id": 99, "verdict": "useful"}),
        ("why", {"about": "#99"}),
        ("remember", {"summary": "Retry less", "supersedes": "#99"}),
        ("resume", {"done": 99}),
    ],
)
def test_who_asks_for_a_memory_that_is_not_there_is_told_of_a_tool_not_of_a_command(call, tool, arguments):
    assert call(tool, **arguments) == ("there is no memory #99; `recall` finds those there are", None)
