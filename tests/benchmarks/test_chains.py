"""The bench of chains: its data is whole, and what it promises of `why` and recall holds."""

from benchmarks import chains


def test_every_chain_is_three_memories_joined_by_two_links():
    memories = {m["id"]: m for m in chains.read("memories.jsonl")}
    links = {(k["src"], k["relation"], k["dst"]) for k in chains.read("links.jsonl")}
    questions = chains.read("questions.jsonl")
    assert len(questions) == 24
    for question in questions:
        decision, change, problem = question["gold"]
        assert {(decision, "decided_in", change), (change, "fixes", problem)} <= links
        assert memories[decision]["kind"] == "decision"


def test_no_question_shares_a_telling_word_with_its_problem():
    memories = {m["id"]: m["summary"] for m in chains.read("memories.jsonl")}
    plain = set("a the of in our is are was be at on to for and do we why did".split())

    def words(text):
        return {word.strip(".,?'").lower() for word in text.split()} - plain

    shared = [words(q["question"]) & words(memories[q["gold"][2]]) for q in chains.read("questions.jsonl")]
    assert [found for found in shared if found] == []


def test_why_brings_every_chain_and_recall_nearly_every_one_where_plain_search_brings_none():
    figures = chains.measure()
    assert figures["why"]["whole"] == 24
    assert figures["recall"]["whole"] >= 22
    assert figures["plain"]["whole"] <= 3
