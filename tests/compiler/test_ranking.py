"""Relevance, what is known about memories, and the seam for a reranker."""

from __future__ import annotations

import pytest
from compiled_requests import Words, compiled
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.compiler.pipeline import compile_request
from clew.compiler.score import Scale
from clew.errors import InvalidInput
from clew.text import index_terms, question_terms

WORDS = (
    "settle settles settling happy happiest capability capable hope hoping uses using "
    "user_profile UserProfile getUser 5,000 v3.11.4 test's C++ #12 a/b.py café naïve e-mail"
)
TEXTS = ["the port of the gateway", "the port of the ledger", "nothing at all"]


def relevances(query: str, texts: list[str] = TEXTS) -> list[float]:
    """The relevance of fragments with these texts."""
    return [d.relevance for d in compiled([{"content": text} for text in texts], query=query, near_duplicates=False).decisions]


def test_relevance_is_the_share_of_the_query_weighted_by_rarity():
    gateway, ledger, nothing = relevances("gateway port")
    assert gateway == 1.0
    assert 0 < ledger < 0.5  # it holds the commoner word of the two
    assert nothing == 0.0


def test_without_a_query_nothing_is_relevant():
    assert relevances("") == relevances("the of and") == [0.0, 0.0, 0.0]


def test_words_are_split_as_recall_splits_them():
    assert relevances("settling", ["they settle", "set"]) == [1.0, 0.0]
    assert relevances("user profile", ["class UserProfile", "profiles of users", "x"])[:2] == [1.0, 1.0]
    assert relevances("端口", ["网关的端口", "账本"]) == [1.0, 0.0]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=4), st.lists(st.sampled_from(WORDS.split()), max_size=30))
def test_looking_near_the_letters_finds_what_the_index_finds(query, text):
    asked, content = " ".join(query), " ".join(text)
    assert Scale(asked).held(content) == set(question_terms(asked)) & set(index_terms(content))


def test_a_text_full_of_look_alikes_is_still_searched_to_its_end():
    assert Scale("port").held("import support report " * 50 + "port")
    assert not Scale("port").held("import support " * 50)


def memory(text: str, **metadata: object) -> dict:
    """A fragment as the engine pulls it in."""
    return {"content": text, "kind": "memory", "metadata": metadata}


def survivor(memories: list[dict], **importance: object) -> int:
    """Which of equally long and relevant memories is packed when there is room for one."""
    outcome = compiled(memories, 8, "port", importance=importance)
    (kept,) = [d.fragment for d in outcome.decisions if d.kept == "whole"]
    return kept


TRIO = [
    memory("port one is open", confidence=0.5, at=10),
    memory("port two is open", confidence=0.9, at=20),
    memory("port six is open", confidence=0.4, at=90),
]


def test_confidence_and_recency_reorder_memories_and_say_so():
    assert survivor(TRIO) == 1
    assert survivor(TRIO, confidence=0) == 0
    assert survivor(TRIO, confidence=0, recency_field="at") == 2
    assert survivor(TRIO, confidence=0, recency=0, recency_field="at") == 0
    reason = compiled(TRIO, query="port", importance={"recency_field": "at"}).decisions[1].reason
    assert "confidence 0.2·(0.90 - 0.5)·2" in reason
    assert "recency 0.1·0.12" in reason
    assert "relevance 1.000" in reason


def test_both_weights_at_nothing_give_the_plain_order_and_no_words_about_it():
    plain = compiled(TRIO, query="port", importance={"confidence": 0, "recency": 0})
    assert all("confidence" not in d.reason for d in plain.decisions)
    assert [d.relevance for d in plain.decisions] == [1.0, 1.0, 1.0]


def test_odd_values_of_metadata_are_no_signal():
    odd = [memory("port a", confidence="high", at=True), memory("port b", confidence=float("inf"), at=None), memory("port c")]
    assert [d.kept for d in compiled(odd, query="port", importance={"recency_field": "at"}).decisions] == ["whole"] * 3


def test_numbers_beyond_all_measure_are_no_signal_and_no_crash():
    vast = [memory("port a", confidence=10**400, at=1e308), memory("port b", at=-(10**400)), memory("port c", at=-1e308)]
    outcome = compiled(vast, query="port", importance={"recency_field": "at"})
    assert all("nan" not in d.reason and "recency 0.1·0.00" in d.reason for d in outcome.decisions)


def test_a_reranker_that_cannot_be_called_is_refused():
    with pytest.raises(InvalidInput, match="reranker"):
        compile_request({"fragments": [{"content": "a b"}]}, Words(), 5)


def test_a_reranker_decides_what_is_packed_within_what_is_equally_critical():
    listed = [{"content": f"plain words {name}"} for name in ("alpha", "bravo", "gamma")] + [{"content": "never do that"}]
    request = {"query": "alpha", "token_budget": 12, "fragments": listed}
    seen = []

    def backwards(query, pool):
        seen.append((query, [(c.fragment, c.text) for c in pool]))
        return sorted(pool, key=lambda c: -c.fragment)

    outcome = compile_request(request, Words(), backwards)
    assert seen[0][0] == "alpha"
    assert seen[0][1][0] == (0, "plain words alpha")
    assert [d.kept for d in outcome.decisions] == ["none", "none", "whole", "whole"]
    assert "by the reranker" in outcome.decisions[2].reason
    assert [d.kept for d in compile_request(request, Words()).decisions] == ["whole", "none", "none", "whole"]


@pytest.mark.parametrize(
    "change", [lambda pool: pool[1:], lambda pool: [*pool, pool[0]], lambda pool: [], lambda pool: None, lambda pool: [0, 1]]
)
def test_a_reranker_that_loses_or_invents_is_refused(change):
    with pytest.raises(InvalidInput, match="reranker"):
        compile_request({"fragments": [{"content": "a b"}, {"content": "c d"}]}, Words(), lambda query, pool: change(pool))


def test_without_a_budget_nothing_is_cut():
    outcome = compile_request({"fragments": [{"content": "never " * 50}, {"content": "x"}]}, Words())
    assert [d.kept for d in outcome.decisions] == ["whole", "whole"]
    assert outcome.account.lost == outcome.account.externalised == 0
