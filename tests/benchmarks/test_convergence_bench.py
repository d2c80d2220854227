"""The convergence benchmark: how traces become steps, what each detector's rule counts, and what ours says of the made-up histories."""

import json

import pytest

from benchmarks import convergence as bench
from benchmarks.histories import FINE, LOOPS, clocked, failing, passing

CALL = {"s": 1, "k": "b", "id": "c1", "tok": 9, "op": "Bash", "err": 1}
FAILURE = {"s": 1, "tool": "Bash", "family": "go test", "kind": "error", "exit": 1, "fp": "f", "template": "a_test.go:L boom"}


@pytest.fixture
def trace(tmp_path):
    """A session of one user's message and `calls` equal failing calls, as files."""

    def write(calls: int, **more):
        references = [{"s": 1, "i": 0, "t": 1.0, "k": "user"}, {"s": 1, "i": 1, "t": 2.0, "k": "compact"}]
        references += [{**CALL, "i": n + 2, "t": 10.0 * (n + 1)} for n in range(calls)]
        failures = [{**FAILURE, **more, "t": 10.0 * (n + 1)} for n in range(calls)]
        for name, rows in (("references", references), ("failures", failures)):
            (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return bench.sessions(tmp_path / "failures.jsonl")

    return write


def test_a_trace_becomes_steps_with_their_failures(trace):
    steps = trace(2)[1]
    assert [step.tool for step in steps] == ["", "Bash", "Bash"]
    assert (steps[1].target, steps[1].text, steps[1].exit, steps[1].failed) == ("go test", "a_test.go:L boom", 1, True)


def test_a_template_that_only_repeats_the_status_has_the_trace_s_own_key(trace):
    assert trace(1, template="Exit code 1")[1][1].text == "Exit code 1 f"


def test_equal_failing_calls_of_a_trace_are_stopped_and_refused_ones_are_not(trace):
    (levels,) = bench.replay(trace(4)[1]).values()
    assert bench.STOP in levels
    assert bench.replay(trace(4, kind="declined")[1]) == {"test: go test": [0, 0, 0, 0]}


def test_calls_of_one_moment_are_one_try():
    steps = [failing("pytest", "E   x")._replace(at=5.0)] * 6
    assert max(next(iter(bench.replay(steps).values()))) == 0


@pytest.mark.parametrize(
    ("rule", "steps", "alarm"),
    [
        (lambda steps: bench.equal_running(steps, 3), [passing("a")] * 3, True),
        (lambda steps: bench.equal_running(steps, 3), [passing("a"), passing("b")] * 3, False),
        (lambda steps: bench.equal_within(steps, 3, 20), [passing("a"), passing("b")] * 3, True),
        (lambda steps: bench.equal_within(steps, 3, 3), [passing("a"), passing("b")] * 3, False),
        (lambda steps: bench.failures_running(steps, 3), [failing("a", "x"), failing("b", "y"), failing("c", "z")], True),
        (lambda steps: bench.failures_running(steps, 3), [failing("a", "x"), passing("b")] * 3, False),
        (lambda steps: bench.same_text(steps, 3), [failing("a", "x"), passing("b")] * 3, True),
        (lambda steps: bench.same_text(steps, 3), [failing("a", "x"), failing("a", "y")] * 2, False),
    ],
)
def test_each_detector_s_rule_restated_counts_as_it_says(rule, steps, alarm):
    assert rule(clocked(steps)) is alarm


def test_ours_catches_every_loop_and_spares_the_rest_and_no_rival_does_both():
    arms = bench.measured({1: clocked([passing("ls")] * 20)}, tell=False)
    assert (arms["clew"]["caught"], arms["clew"]["spared"], arms["clew"]["any"]) == (1.0, 1.0, 0.0)
    assert all(min(arms[rival]["caught"], arms[rival]["spared"]) < 0.9 for rival in bench.RIVALS)


def test_short_sessions_are_not_asked():
    short = clocked([failing("pytest", "E   x")] * 8)
    arms = bench.measured({1: clocked([passing("ls")] * 20), 2: short}, tell=False)
    assert arms["clew"]["any"] == arms["failures_3"]["any"] == 0.0


def test_the_histories_are_of_both_kinds():
    assert (len(LOOPS), len(FINE)) >= (8, 12)
