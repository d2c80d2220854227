"""The six promises of the compiler, tried on requests of every shape."""

from __future__ import annotations

from base64 import b64decode

import pytest
from compiled_requests import Words, fragments, requests, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.compiler.pipeline import compile_request
from clew.compiler.tokens import counter

COUNTER = Words()
MANY = settings(max_examples=250)


def images(request, outcome):
    """Tokens of the attachments that were emitted, as the account must have counted them."""
    return outcome.account.tokens_out - COUNTER.count(outcome.content)


@MANY
@given(requests, st.integers(0, 100))
def test_the_content_never_exceeds_the_budget_less_the_reserve(request_, reserve):
    reserve = min(reserve, request_["token_budget"] - 1)
    outcome = compile_request({**request_, "policy": {"response_reserve_tokens": reserve}}, COUNTER)
    assert COUNTER.count(outcome.content) + images(request_, outcome) <= request_["token_budget"] - reserve
    assert outcome.account.budget == request_["token_budget"] - reserve
    assert images(request_, outcome) >= 0


@settings(max_examples=40)
@given(requests)
def test_the_budget_holds_for_the_estimate_too_which_counts_less_together_than_apart(request_):
    estimate = counter("heuristic")
    outcome = compile_request(request_, estimate)
    assert estimate.count(outcome.content) <= outcome.account.tokens_out <= request_["token_budget"]


@MANY
@given(requests)
def test_every_fragment_gets_exactly_one_decision_that_says_why(request_):
    outcome = compile_request(request_, COUNTER)
    assert [decision.fragment for decision in outcome.decisions] == list(range(len(request_["fragments"])))
    assert all(d.reason and d.rule and d.hash and 0 <= d.relevance <= 1 and d.risk in ("low", "medium", "high") for d in outcome.decisions)
    shown = {section.fragment for section in outcome.sections}
    assert shown == {d.fragment for d in outcome.decisions if d.section}


@MANY
@given(requests)
def test_whatever_is_not_emitted_whole_can_be_had_back_byte_for_byte(request_):
    outcome = compile_request(request_, COUNTER)
    places = {section.fragment: outcome.content[section.start : section.end] for section in outcome.sections}
    for fragment, decision in zip(request_["fragments"], outcome.decisions, strict=True):
        behind = [outcome.sources[handle].bytes for handle in decision.handles]
        if decision.kept == "whole":
            assert places[decision.fragment] == fragment["content"]
            assert ("media" not in fragment) or any(place == decision.fragment for place, _ in outcome.media)
            continue
        assert fragment["content"] == "" or fragment["content"].encode() in behind
        assert "media" not in fragment or b64decode(fragment["media"]["bytes_b64"]) in behind


@MANY
@given(requests)
def test_losing_part_of_what_is_critical_reads_high_and_warns(request_):
    outcome = compile_request(request_, COUNTER)
    by_place = dict(enumerate(outcome.decisions))
    for fragment, decision in zip(request_["fragments"], outcome.decisions, strict=True):
        shown = fragment["content"] in outcome.content and (decision.kept == "whole" or decision.rule.startswith("drop."))
        if (
            decision.critical
            and not shown
            and decision.rule != "drop.near_duplicate"
            and (fragment["content"].strip() or "media" in fragment)
        ):
            assert outcome.risk == "high"
            assert by_place[decision.fragment].risk == "high"
            assert any(f"fragment {decision.fragment} " in line for line in outcome.warnings)


@MANY
@given(
    st.lists(fragments(), max_size=5),
    st.lists(st.text("abcdefgh", min_size=9, max_size=12).map("fact{}".format), unique=True, max_size=4),
    st.data(),
)
def test_a_planted_fact_is_in_the_output_or_behind_a_listed_handle_and_risk_says_which(listed, facts, data):
    for fact in facts:
        shape = data.draw(st.sampled_from(["own", "inside", "log", "path"]))
        text = data.draw(texts)
        planted = {
            "own": {"content": fact},
            "inside": {"content": f"{text}\n\nthe {fact} is unique\n\n{text}"},
            "log": {
                "content": "\n".join(f"2026-03-02T09:00:{i % 60:02}Z INFO step {i} ok {fact if i == 7 else 'x'}" for i in range(20)),
                "kind": "log",
            },
            "path": {"content": f"{text}\n{fact}\n", "path": "a.py"},
        }[shape]
        listed.insert(data.draw(st.integers(0, len(listed))), planted)
    request_ = {"query": "job", "token_budget": data.draw(st.integers(1, 700)), "fragments": listed}
    outcome = compile_request(request_, COUNTER)
    behind = b"\n".join(source.bytes for source in outcome.sources.values())
    listed_handles = {handle for decision in outcome.decisions for handle in decision.handles}
    assert listed_handles == set(outcome.sources)
    for fact in facts:
        assert fact in outcome.content or fact.encode() in behind
        if fact not in outcome.content:
            assert outcome.risk != "low"


@MANY
@given(requests, st.sampled_from(["", "which port", "unheard of"]), st.integers(400, 5000))
def test_the_cache_section_depends_on_what_is_marked_for_it_alone(request_, query, budget):
    marked = [f for f in request_["fragments"] if f["metadata"].get("cache")]
    alone = compile_request({"fragments": marked, "token_budget": budget}, COUNTER)
    among = compile_request({**request_, "query": query, "token_budget": budget}, COUNTER)
    assert among.content[: among.cache_chars] == alone.content[: alone.cache_chars]


@MANY
@given(requests)
def test_saved_set_aside_and_lost_are_told_apart(request_):
    outcome = compile_request(request_, COUNTER)
    sums = outcome.account
    assert sums.tokens_in == sums.kept + sums.saved + sums.externalised + sums.lost
    assert min(sums.kept, sums.saved, sums.externalised, sums.lost) >= 0
    for decision in outcome.decisions:
        assert decision.tokens_in == decision.tokens_out + decision.saved + decision.externalised + decision.lost or decision.kept == "none"
        if decision.rule == "budget.externalize" and decision.kept == "none":
            assert (decision.saved, decision.externalised) == (0, decision.tokens_in)
        if decision.saved:
            assert decision.rule in ("drop.duplicate", "drop.near_duplicate", "delta.reread", "abstract.log_collapse", "budget.externalize")


@settings(max_examples=60)
@given(requests)
def test_the_same_request_gives_the_same_bytes(request_):
    assert compile_request(request_, COUNTER) == compile_request(request_, COUNTER)


@MANY
@given(requests)
def test_a_duplicate_is_only_dropped_for_something_that_is_emitted_whole(request_):
    outcome = compile_request(request_, COUNTER)
    for fragment, decision in zip(request_["fragments"], outcome.decisions, strict=True):
        if decision.rule == "drop.duplicate":
            assert outcome.decisions[decision.duplicate_of].kept == "whole"
            assert fragment["content"] in outcome.content


@pytest.mark.parametrize("budget", [1, 7, 10_000])
def test_an_empty_request_is_an_empty_answer(budget):
    outcome = compile_request({"token_budget": budget, "fragments": []}, COUNTER)
    assert (outcome.content, outcome.risk, outcome.decisions) == ("", "low", ())
