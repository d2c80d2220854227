"""Explaining a compilation: what became of one fragment, and what of it is in the content."""

import pytest

from clew.compiler.explain import explain
from clew.compiler.request import parse_request
from clew.compiler.tokens import counter
from clew.errors import InvalidInput

GIVEN = {
    "query": "port of the gateway",
    "token_budget": 200,
    "fragments": [
        {"id": 7, "content": "The gateway listens on port 8443."},
        {"id": "8", "content": "The gateway listens on port 8443."},
        {"content": "Filler about the weather and other things. " * 400},
    ],
}


def asked(**which):
    return explain(parse_request(GIVEN), counter("heuristic"), **which)


def test_a_fragment_is_explained_by_its_id_or_its_place():
    whole = asked(fragment_id=7)
    assert whole == asked(fragment_index=0) == asked(fragment_id="7")
    assert whole.decision.kept == "whole"
    assert "port 8443" in whole.emitted


def test_a_duplicate_emits_nothing_and_says_of_what_it_is_one():
    twin = asked(fragment_id=8)
    assert twin.decision.rule == "drop.duplicate"
    assert twin.decision.duplicate_of == 0
    assert twin.emitted == ""


def test_a_fragment_without_room_shows_what_is_left_of_it_and_its_handle():
    cut = asked(fragment_index=2)
    assert cut.decision.rule == "budget.externalize"
    assert len(cut.emitted) < 2_000
    assert cut.decision.handles


@pytest.mark.parametrize(
    ("which", "said"),
    [
        ({}, "give either"),
        ({"fragment_id": 7, "fragment_index": 0}, "give either"),
        ({"fragment_id": 9}, "no fragment has it"),
        ({"fragment_id": "seven"}, "no fragment has it"),
        ({"fragment_index": 3}, "0..2"),
        ({"fragment_index": True}, "0..2"),
        ({"fragment_index": -1}, "0..2"),
    ],
)
def test_a_fragment_that_is_not_there_is_named(which, said):
    with pytest.raises(InvalidInput, match=said):
        asked(**which)


@pytest.mark.parametrize("given", [7, "7", "007", " 7 "])
def test_an_id_is_found_however_its_number_is_written(given):
    request = parse_request({"fragments": [{"content": "a", "id": 70}, {"content": "b", "id": "007"}]})
    assert explain(request, counter(), fragment_id=given).emitted == "b"
