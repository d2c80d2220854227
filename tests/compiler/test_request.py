"""A request is taken as it is or refused by name: field, limit, way out."""

from __future__ import annotations

import pytest
from compiled_requests import png

from clew.compiler.classify import RULE_IDS
from clew.compiler.request import parse_request, shown_id
from clew.compiler.values import Policy
from clew.compiler.windows import suggest
from clew.errors import InvalidInput
from clew.limits import TOKENS_MAX


def refused(**fields) -> InvalidInput:
    """The error of a request with these fields."""
    with pytest.raises(InvalidInput) as caught:
        parse_request({"fragments": [], **fields}, RULE_IDS)
    return caught.value


def refused_fragment(**fields) -> InvalidInput:
    """The error of a request whose second fragment has these fields."""
    return refused(fragments=[{"content": "fine"}, {"content": "x", **fields}])


def test_the_defaults_are_the_documented_ones():
    request = parse_request({"fragments": [{"content": "a"}]})
    assert (request.query, request.token_budget, request.project, request.model, request.memory_scope) == ("", TOKENS_MAX, None, None, None)
    policy = request.policy
    assert policy == Policy()
    assert (policy.response_reserve_tokens, policy.near_duplicates, policy.disabled_rules) == (0, True, ())
    assert (policy.chunk.max_bytes, policy.chunk.boundary, policy.normalise_logs) == (2048, "paragraph", True)
    assert tuple(policy.importance) == (0.2, 0.1, None)
    assert (policy.store_sources, policy.source_ttl_seconds, policy.record_events, policy.event_ttl_seconds) == (True, None, True, None)
    assert (policy.slim_response, policy.pricing) == (False, None)


def test_everything_given_arrives():
    request = parse_request(
        {
            "query": "q",
            "token_budget": 9,
            "project": "shop",
            "model": "m",
            "memory_scope": {"project": "shop", "max_hops": 2},
            "fragments": [
                {"id": "12", "content": "c", "path": "p", "kind": "diff", "priority": 255, "metadata": {"turn": 3}, "media": png()}
            ],
            "policy": {
                "chunk": {"boundary": "line"},
                "importance": {"recency_field": "t"},
                "pricing": {"input_per_million": 3},
                "disabled_rules": ["preserve.url"],
            },
        },
        RULE_IDS,
    )
    assert (request.memory_scope.k, request.memory_scope.max_hops) == (5, 2)
    fragment = request.fragments[0]
    assert (fragment.place, fragment.id, fragment.kind, fragment.priority, fragment.metadata) == (0, 12, "diff", 255, {"turn": 3})
    assert fragment.media.bytes.startswith(b"\x89PNG")
    assert (request.policy.chunk.max_bytes, request.policy.chunk.boundary) == (2048, "line")
    assert (request.policy.pricing.input_per_million, request.policy.pricing.currency) == (3.0, "USD")


@pytest.mark.parametrize(
    ("fields", "named", "meant"),
    [
        ({"tokenbudget": 5}, "tokenbudget", "token_budget"),
        ({"policy": {"near_duplicate": True}}, "policy.near_duplicate", "near_duplicates"),
        ({"policy": {"chunk": {"max_byte": 9}}}, "policy.chunk.max_byte", "max_bytes"),
        ({"policy": {"disabled_rules": ["preserve.urls"]}}, "policy.disabled_rules", "preserve.url"),
        ({"memory_scope": {"projekt": "x"}}, "memory_scope.projekt", "project"),
    ],
)
def test_a_misspelt_name_is_refused_with_the_nearest_one(fields, named, meant):
    error = refused(**fields)
    assert error.field == named
    assert f"'{meant}'" in error.problem


def test_a_misspelt_field_of_a_fragment_names_the_fragment():
    error = refused_fragment(priorty=3)
    assert error.field == "fragments[1].priorty"
    assert "'priority'" in error.problem
    assert "'tool_result'" in refused_fragment(kind="tool_results").problem


@pytest.mark.parametrize(
    ("fields", "field", "limit"),
    [
        ({"content": "x" * ((1 << 20) + 1)}, "fragments[1].content", "1048576"),
        ({"content": "é" * (1 << 19) + "x"}, "fragments[1].content", "1048576"),
        ({"metadata": {"a": "x" * 70_000}}, "fragments[1].metadata", "65536"),
        ({"media": {"mime": "image/png", "bytes_b64": "A" * ((4 << 20) + 4)}}, "fragments[1].media.bytes_b64", str(4 << 20)),
        ({"priority": 256}, "fragments[1].priority", "0..255"),
        ({"priority": True}, "fragments[1].priority", "0..255"),
        ({"id": "12a"}, "fragments[1].id", "digits"),
        ({"id": -1}, "fragments[1].id", "digits"),
        ({"id": True}, "fragments[1].id", "digits"),
        ({"content": None}, "fragments[1].content", "text"),
        ({"content": "\ud800"}, "fragments[1].content", "surrogate"),
        ({"metadata": [1]}, "fragments[1].metadata", "a list"),
        ({"metadata": {"a": {1, 2}}}, "fragments[1].metadata", "JSON"),
        ({"media": {"mime": "image/png", "bytes_b64": "not base64!"}}, "fragments[1].media.bytes_b64", ""),
        ({"media": {"mime": "image/png"}}, "fragments[1].media", "bytes_b64"),
        ({"media": {"mime": "image/png\nx: y", "bytes_b64": "QUJD"}}, "fragments[1].media.mime", "plain characters"),
        ({"metadata": {"verbatim": "true"}}, "fragments[1].metadata.verbatim", "true or false"),
        ({"metadata": {"cache": 1}}, "fragments[1].metadata.cache", "true or false"),
    ],
)
def test_a_limit_names_fragment_and_bound(fields, field, limit):
    error = refused_fragment(**fields)
    assert error.field.startswith(field)
    assert limit in str(error)


@pytest.mark.parametrize(
    ("fields", "field", "limit"),
    [
        ({"token_budget": 0}, "token_budget", "1..10000000"),
        ({"token_budget": 10_000_001}, "token_budget", "1..10000000"),
        ({"token_budget": 5.0}, "token_budget", "whole"),
        ({"token_budget": 10, "policy": {"response_reserve_tokens": 10}}, "policy.response_reserve_tokens", "below"),
        ({"fragments": [{"content": ""}] * 1025}, "fragments", "1024"),
        ({"fragments": {}}, "fragments", "list"),
        ({"fragments": ["text"]}, "fragments[0]", "object"),
        ({"query": 5}, "query", "a number"),
        ({"policy": {"near_duplicates": 1}}, "policy.near_duplicates", "true or false"),
        ({"policy": {"source_ttl_seconds": -1}}, "policy.source_ttl_seconds", "0 or more"),
        ({"policy": {"chunk": {"max_bytes": 1}}}, "policy.chunk.max_bytes", "64"),
        ({"policy": {"pricing": {}}}, "policy.pricing.input_per_million", "price"),
        ({"memory_scope": {}}, "memory_scope.project", "name"),
    ],
)
def test_a_request_out_of_bounds_is_refused(fields, field, limit):
    error = refused(**fields)
    assert error.field == field
    assert limit in error.problem


def test_no_request_at_all_is_refused():
    for given in (None, [], "text", 5):
        with pytest.raises(InvalidInput, match="request"):
            parse_request(given)


def test_media_of_all_fragments_together_are_bounded():
    one = {"mime": "image/png", "bytes_b64": "AAAA" * (1 << 20)}
    error = refused(fragments=[{"content": "", "media": one}] * 17)
    assert error.field == "fragments[16].media.bytes_b64"
    assert str(64 << 20) in error.problem


def test_an_id_comes_back_without_losing_a_digit():
    ids = [f.id for f in parse_request({"fragments": [{"content": "", "id": i} for i in (7, "7", "90071992547409931234")]}).fragments]
    assert ids == [7, 7, 90071992547409931234]
    assert [shown_id(i) for i in (None, 7, (1 << 53) - 1, 1 << 53)] == [None, 7, (1 << 53) - 1, str(1 << 53)]


@pytest.mark.parametrize(
    ("more", "budget"),
    [
        ({}, TOKENS_MAX),
        ({"model": "eliza"}, TOKENS_MAX),
        ({"model": "claude-haiku-4-5"}, suggest("claude-haiku-4-5").budget),
        ({"model": "claude-haiku-4-5", "token_budget": 70}, 70),
        (
            {"model": "claude-haiku-4-5", "policy": {"response_reserve_tokens": 40_000}},
            suggest("claude-haiku-4-5", reserve=40_000).budget + 40_000,
        ),
    ],
)
def test_a_budget_that_is_not_given_is_what_suits_the_model(more, budget):
    assert parse_request(more, RULE_IDS).token_budget == budget


def test_a_reserve_that_leaves_nothing_of_the_models_window_is_refused():
    error = refused(model="claude-haiku-4-5", policy={"response_reserve_tokens": 200_000})
    assert error.field == "policy.response_reserve_tokens"
    assert "200,000" in error.problem
    assert refused(model=" ").field == "model"


def test_memories_come_from_the_project_of_the_request_where_the_scope_names_none():
    assert parse_request({"project": "shop", "memory_scope": {}}).memory_scope.project == "shop"
    assert parse_request({"project": "shop", "memory_scope": {"project": "till"}}).memory_scope.project == "till"
    assert refused(memory_scope={}).field == "memory_scope.project"
