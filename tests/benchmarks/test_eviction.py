"""The bench of windows: its rivals behave as their rules say, its traces are read with care, and its figures follow from what happens."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import caches, eviction, traces
from clew.errors import InvalidInput
from clew.rules import working_set


def row(index: int, kind: str = "f", **more) -> dict:
    return {"s": 1, "i": index, "t": 10.0 * index, "k": kind, **more}


def read(index: int, name: str, size: int = 100, **more) -> dict:
    return row(index, id=name, tok=size, op="Read", err=0, d="folder", x="go", **more)


def trace(tmp_path, rows):
    path = tmp_path / "references.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    return path


def hits(policy, names: str) -> str:
    """`+` and `-` for each name in turn, all of size 1."""
    return "".join("-+"[policy.hit(name, 1, float(at))] for at, name in enumerate(names))


# Traces


@pytest.mark.parametrize(
    ("line", "what"),
    [("not json", "is not a reference"), ("[1]", "is not a reference"), ('{"s": 1}', "is not a reference"), ("null", "is not a reference"),
     (json.dumps(read(1, "a", -5)), "a size is"), (json.dumps(row(1, "z")), "kind 'z'"), (json.dumps(row(1)), "needs an id")],
)  # fmt: skip
def test_a_line_that_is_no_reference_is_named(tmp_path, line, what):
    path = trace(tmp_path, [read(0, "a")])
    path.write_text(path.read_text("utf-8") + line + "\n", "utf-8")
    with pytest.raises(InvalidInput, match=f"line 2: .*{what}"):
        traces.sessions(path)


@pytest.mark.parametrize("arguments", [["missing.jsonl"], ["{bad}"], ["{good}", "--capacity", "0"]])
def test_bad_input_is_one_line_and_a_code(tmp_path, monkeypatch, capsys, arguments):
    bad, good = tmp_path / "bad.jsonl", trace(tmp_path, [read(0, "a")])
    bad.write_text("{\n", "utf-8")
    monkeypatch.setattr("sys.argv", ["eviction", *(argument.format(bad=bad, good=good) for argument in arguments)])
    assert eviction.main() == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1


def test_a_file_is_as_large_as_the_most_it_brought(tmp_path):
    (session,) = traces.sessions(trace(tmp_path, [read(0, "a", 50), read(1, "a", 900), read(2, "a", 20)]))
    assert [reference.size for reference in session] == [50, 900, 900]


def test_a_result_without_an_id_is_met_once(tmp_path):
    (session,) = traces.sessions(trace(tmp_path, [row(0, "other", tok=5), row(1, "other", tok=5)]))
    assert session[0].id != session[1].id


# Rivals


@pytest.mark.parametrize(
    ("policy", "names", "expected"),
    [
        (caches.Lru(2), "abacab", "--+-+-"),
        (caches.Lfu(2), "aabcab", "-+--+-"),
        (caches.Age(2), "abaca", "--+--"),
        (caches.Optimum(2, list("abcab")), "abcab", "---++"),
        (caches.Optimum(1, list("aba")), "aba", "--+"),
        (caches.ActR(2), "aaabca", "-++--+"),
        (caches.Sieve(2), "abaca", "--+-+"),
        (caches.Arc(2), "aabca", "-+--+"),
        (caches.S3Fifo(10), "aaabcdefghijkla", "-++-----------+"),
        (eviction.FsrsAlone(2), "abac", "--+-"),
    ],
)
def test_a_rival_holds_what_its_rule_says(policy, names, expected):
    assert hits(policy, names) == expected


def makers():
    return [caches.Lru, caches.Lfu, caches.Age, caches.ActR, caches.Arc, caches.Sieve, caches.S3Fifo, eviction.FsrsAlone]


references = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 30)), max_size=60)


@given(references, st.integers(1, 40), st.sampled_from(makers()))
def test_no_rival_holds_more_than_its_window(history, capacity, make):
    policy = make(capacity)
    for at, (name, size) in enumerate(history):
        policy.hit(name, size, float(at))
        parts = [value for value in vars(policy).values() if isinstance(value, caches.OrderedDict)]
        held = parts[:1] if isinstance(policy, caches.Lowest | caches.Sieve) else parts[:2]
        assert sum(map(caches.total, held)) <= capacity


@given(references, st.integers(1, 2_000))
def test_ours_holds_no_more_than_its_window(history, capacity):
    ours = eviction.Ours(capacity, True)
    for at, (name, size) in enumerate(history):
        ours.hit(traces.Reference(1, float(at), "f", name, 60 * size))
        assert working_set.used(ours.window) <= capacity


@given(st.lists(st.sampled_from("abcdefgh"), max_size=80), st.integers(1, 8))
def test_no_rule_beats_the_optimum(names, capacity):
    best = hits(caches.Optimum(capacity, names), names).count("+")
    assert all(hits(make(capacity), names).count("+") <= best for make in makers())


# What is measured


def walk(tmp_path) -> list[list[traces.Reference]]:
    """Three files, many outputs, the files again; a compaction; one file again and a new one."""
    rows = [read(n, f"file{n}") for n in range(3)]
    rows += [row(n, "b", id=f"cmd{n}", tok=100, op="Bash", err=0) for n in range(3, 12)]
    rows += [read(12 + n, f"file{n}") for n in range(3)]
    return traces.sessions(trace(tmp_path, [*rows, row(15, "compact"), read(16, "file1"), read(17, "file9"), read(18, "file1")]))


def test_files_outlast_outputs_and_count_alone(tmp_path):
    sessions = walk(tmp_path)
    assert eviction.replayed(sessions, "ours", 5, False)["hit"] == 1.0
    assert eviction.replayed(sessions, "lru", 5, False)["hit"] == pytest.approx(2 / 5)
    again = [*sessions[0], traces.Reference(1, 200.0, "b", "cmd3", 100)]
    assert eviction.replayed([again], "ours", 5, False) == {"hit": 1.0, "hit_all": pytest.approx(5 / 6)}


def test_after_a_compaction_each_file_counts_once(tmp_path):
    assert eviction.compactions(walk(tmp_path)) == {"compactions": 1, "reads": 2, "rereads": 0.5, "rereads_carried": 0.0, "listed": 1.0}


def test_a_first_read_is_known_when_an_earlier_session_met_the_file(tmp_path):
    rows = [read(0, "a"), read(1, "b"), read(2, "a") | {"s": 2}, read(3, "c") | {"s": 2}]
    assert eviction.known_first_reads(traces.sessions(trace(tmp_path, rows))) == {"first_reads": 4, "known_first_reads": 0.25}


def test_a_signal_is_taken_away_for_one_arm_and_given_back(tmp_path):
    sessions = walk(tmp_path)
    before = eviction.replayed(sessions, "ours", 5, False)
    found = eviction.without_each(sessions, 5)
    assert set(found) == {f"ours_without_{signal}" for signal in eviction.SIGNALS}
    assert eviction.replayed(sessions, "ours", 5, False) == before


def test_the_whole_bench_writes_the_figures_it_prints(tmp_path, monkeypatch, capsys):
    walk(tmp_path)
    monkeypatch.setattr(eviction, "RESIDENTS", 40)
    monkeypatch.setattr(eviction, "PASSES", 3)
    out = tmp_path / "out.json"
    monkeypatch.setattr("sys.argv", ["eviction", str(tmp_path / "references.jsonl"), "--capacity", "4", "--json", str(out)])
    assert eviction.main() == 0
    result = json.loads(out.read_text("utf-8"))
    assert (result["bench"], result["data"], result["n"]) == ("eviction", "references", 1)
    assert {"optimum", "ours", *eviction.RIVALS, "adaptive", "fixed", "carryover", "across", "pass"} <= set(result["arms"])
    assert all(f"hit@{window}" in result["arms"]["ours"] for window in (4, 5, 10, 20, "8k", "16k", "32k"))
    assert f"ours {result['arms']['ours']['hit@4']:.3f}" in capsys.readouterr().out
