"""The fingerprint benchmark: its rivals' rules do what they say, and on our own pairs ours is the better in both directions."""

import json

import pytest

from benchmarks import fingerprint as bench
from benchmarks.report import ROOT

PAIRS = [json.loads(line) for line in (ROOT / "tests" / "rules" / "error_pairs.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("rule", "a", "b", "same"),
    [
        (bench.whitespace, "a  b\n", "a b", True),
        (bench.whitespace, "a 1", "a 2", False),
        (bench.trackers, "job 12 took 3ms", "job 13 took 4ms", True),
        (bench.trackers, "no module 'a'", "no module 'b'", True),
        (bench.trackers, "a failed", "b failed", False),
        (bench.drain, "cannot open file a.txt now", "cannot open file b.txt now", True),
        (bench.drain, "cannot open file", "cannot open file now", False),
        (bench.drain, "x1 open file", "x2 open file", True),
        (bench.ours, "a.py:3: KeyError", "a.py:9: KeyError", True),
        (bench.ours, "no module 'a'", "no module 'b'", False),
    ],
)
def test_each_rule_restated_judges_as_it_says(rule, a, b, same):
    assert rule(a, b) is same


def test_on_pairs_of_real_runs_ours_finds_nearly_all_and_never_merges():
    found = {arm: bench.measured(PAIRS, equal) for arm, equal in bench.ARMS.items()}
    assert found["clew"]["found"] >= 0.95
    assert found["clew"]["merged"] == 0.0
    assert found["whitespace"]["found"] < 0.5
    assert min(found["trackers"]["merged"], found["drain"]["merged"]) > 0.1


def test_shares_of_nothing_are_shares():
    assert bench.measured([], bench.ours)["merged"] == 0.0


def test_kinds_are_counted_with_what_was_judged_right():
    pairs = [{"a": "x", "b": "x", "same": same, "kind": "k"} for same in (True, False)]
    assert bench.by_kind(pairs) == {"k": {"pairs": 2, "right": 1}}


def test_the_cost_is_told_in_cpu_time_and_in_a_yardstick():
    cost = bench.cost(PAIRS[:5], rounds=1)
    assert cost.keys() == {"ms", "xjson", "chars"}
    assert cost["chars"] > 10
