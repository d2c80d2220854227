"""The latency benchmark: its texts are the same for a seed and of the length they claim, its figures are there for every size."""

from collections import Counter

from rich.progress import Progress

from benchmarks import latency
from benchmarks.prose import Prose
from clew.text import index_terms


def test_the_same_seed_writes_the_same_memories_and_another_one_others():
    first, again, other = (list(Prose(seed).memories(50)) for seed in (1, 1, 2))
    assert first == again
    assert not set(first) & set(other)


def test_memories_are_as_long_as_asked_for_and_use_frequent_words_often():
    texts = list(Prose(1).memories(400))
    assert 185 <= sum(map(len, texts)) / len(texts) <= 200
    assert max(map(len, texts)) <= 200
    counts = sorted(Counter(term for text in texts for term in set(index_terms(text))).values())
    assert counts[-1] > 20
    assert counts[len(counts) // 2] < counts[-1] / 10


def test_questions_have_eight_to_twelve_words():
    questions = Prose(1).questions(300)
    assert len(questions) == 300
    assert {len(q.split()) for q in questions} == {8, 9, 10, 11, 12}


def test_a_store_is_filled_asked_and_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(latency, "SINGLE", 5)
    monkeypatch.setattr(latency, "ASKED", 12)
    path = str(tmp_path / "small.db")
    wrote = latency.fill(path, 60, 20, Progress(disable=True))
    assert min(wrote.values()) > 0
    assert wrote["bytes_per_memory"] > 200
    asked = latency.ask(path, latency.LARGE)
    assert 0 < asked["recall_p50_ms"] <= asked["recall_p95_ms"]
    assert asked["rss_mb"] > 10
    with latency.Clew(path, project="*") as clew:
        assert {p.name: p.memories for p in clew.projects()} == {latency.LARGE: 66, latency.LITTLE: 20}
        links = [line for line in clew.export_jsonl() if line["type"] == "link"]
    assert len(links) == 60 * latency.LINKS
    trails = latency.ask(path, latency.LARGE, graph=True)
    assert all(trails[f"why_{name}_p50_ms"] > 0 for name in ("id", "question"))
