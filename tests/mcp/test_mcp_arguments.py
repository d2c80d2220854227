"""Arguments as models write them: what is taken, what is refused, and that a refusal names the argument."""

import pytest

from clew.errors import InvalidInput
from clew.mcp.arguments import checked, moment


@pytest.mark.parametrize("written", [12, "12", "#12", "abcdef12", 12.0])
def test_an_id_may_be_a_number_or_a_text(written):
    assert checked("supersede", {"old": written, "new": written}) == {"old": written, "new": written}
    assert checked("link", {"src": written, "relation": "because", "dst": written})["dst"] == written
    assert checked("forget", {"ids": [written], "confirm": True})["ids"] == [written]


def test_what_a_program_printed_may_be_no_unicode():
    assert checked("attempt", {"target": "make", "output": "\ud800"})["output"] == "\ud800"


def test_a_source_s_characters_have_bounds_of_their_own():
    assert checked("retrieve_source", {"handle": "src:123456", "limit": 1_000_000})["limit"] == 1_000_000


def test_null_means_not_given():
    assert checked("recall", {"question": "why", "kinds": None, "limit": None}) == {"question": "why"}
    assert checked("context", None) == {}


def test_a_whole_number_may_be_written_with_a_point():
    assert checked("recall", {"question": "x", "limit": 5.0})["limit"] == 5


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("recall", [], "arguments"),
        ("recall", "why", "arguments"),
        ("recall", {}, "question"),
        ("recall", {"question": 3}, "question"),
        ("recall", {"question": "x", "query": "y"}, "query"),
        ("recall", {"question": "x", "limit": "5"}, "limit"),
        ("recall", {"question": "x", "limit": True}, "limit"),
        ("recall", {"question": "x", "limit": 0}, "limit"),
        ("recall", {"question": "x", "limit": 10**30}, "limit"),
        ("recall", {"question": "x", "limit": float("inf")}, "limit"),
        ("recall", {"question": "x", "kinds": "fact"}, "kinds"),
        ("recall", {"question": "x", "graph": 0}, "graph"),
        ("recall", {"question": "x", "tags": [1]}, "tags"),
        ("recall", {"question": "x", "as_of": "yesterday"}, "as_of"),
        ("recall", {"question": "x", "include_superseded": "yes"}, "include_superseded"),
        ("remember", {"summary": "x", "kind": "intent"}, "kind"),
        ("remember", {"summary": "x", "metadata": [1]}, "metadata"),
        ("remember", {"summary": "x", "ttl": "1h"}, "ttl"),
        ("remember", {"summary": "x", "origin": "user"}, "origin"),
        ("supersede", {"old": True}, "old"),
        ("link", {"src": "1", "dst": "2"}, "relation"),
        ("link", {"src": "1", "relation": ["because"], "dst": "2"}, "relation"),
        ("link", {"src": 1.5, "relation": "because", "dst": "2"}, "src"),
        ("link", {"src": "1", "relation": "because", "dst": "2", "note": "x"}, "note"),
        ("forget", {"confirm": True}, "ids"),
        ("working_set", {"session": "s1"}, "session"),
        ("recall", {"question": "\ud800"}, "question"),
        ("recall", {"question": "x", "tags": ["\udfff"]}, "tags"),
        ("retrieve_source", {"handle": "src:123456", "limit": 6_291_457}, "limit"),
        ("compile_context", {"fragments": [None]}, "fragments"),
        ("forget", {"ids": [True], "confirm": True}, "ids"),
    ],
)
def test_what_is_wrong_is_named(tool, arguments, field):
    with pytest.raises(InvalidInput) as refused:
        checked(tool, arguments)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-02", 86_400),
        ("1970-01-01T01:00Z", 3_600),
        ("1970-01-01T01:00+01:00", 0),
        (" 1970-01-01T00:00:01 ", 1),
    ],
)
def test_a_moment_without_a_zone_is_utc(text, seconds):
    assert moment("as_of", text) == seconds


def test_a_refused_argument_lists_the_ones_there_are():
    with pytest.raises(InvalidInput, match="it takes text, done, project"):
        checked("resume", {"next": "x"})
