"""How loud a line is: what is looked at closely is all that can be loud, colours say nothing, numbers can hush."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.compiler import loudness
from clew.compiler.loudness import FAILURE, SUMMARY, WARNING, ranked

WORDINGS = (
    "error|ERR!|fatal|panicked|exception|failed|FAILURES|critical|severe|assert|AssertionError|assertion|traceback|aborted|"
    "segfault|killed|OOM|denied|refused|unreachable|timed out|cannot|can't|could not|couldn't|unable to|undefined|not found|"
    "no such|unresolved|rejected|corrupted|invalid|unexpected|deadlock|crashed|unhandled|uncaught|out of memory|"
    'segmentation fault|core dumped|exit code 3|exited with 1|timeout|ValueError|MyException|E1234|E   |✗|not ok|" 503 |'
    "HTTP/1.1 502|HTTP 404|GET /cart 500|0 errors|no failures|failed: 0|ok|PASSED|12 passed|3 tests|1 skipped|2 warnings|"
    "4 specs|tests: 3|Test Suites: 4|total : 9|Time: 3s|test result:|ran 12 tests|build succeeded|finished in 3s|done in 4 ms|"
    "coverage|summary|=== 3 passed ===|warning|WARN|deprecated|deprecation"
).split("|")
LINES = st.lists(
    st.sampled_from([*WORDINGS, "step", "tests/a_test.py::test_b", "worker-1", "budget", " ", "é", "_", "/", "7"]), max_size=6
).map(" ".join)


def judged_closely(line):
    """The same by the expressions alone."""
    if loudness._fails(line):
        return FAILURE
    if re.search(loudness._SUMMARY, line):
        return SUMMARY
    return WARNING if re.search(loudness._WARNING, line) else None


@given(LINES)
def test_the_quick_look_passes_over_nothing_that_is_loud(line):
    assert loudness._judged(line) == judged_closely(line)


@pytest.mark.parametrize("wording", WORDINGS)
def test_every_wording_is_judged_alike_by_itself_and_within_a_line(wording):
    assert [loudness._judged(line) for line in (wording, f"at 3: {wording}, then", wording.upper(), wording.lower())] == [
        judged_closely(line) for line in (wording, f"at 3: {wording}, then", wording.upper(), wording.lower())
    ]


@pytest.mark.parametrize(("word", "rank"), [("ERROR", FAILURE), ("WARNING", WARNING), ("12 passed", SUMMARY)])
def test_a_coloured_word_is_as_loud_as_a_plain_one(word, rank):
    assert ranked(f"\x1b[31m{word}\x1b[0m of the run", f"{word} of the run") == rank


def test_numbers_hush_a_template_that_speaks_of_failure():
    assert [ranked(f"{n} errors in the run", "\0 errors in the run") for n in (0, 3)] == [SUMMARY, FAILURE]


def test_the_memo_starts_anew_when_it_is_full(monkeypatch):
    monkeypatch.setattr(loudness, "_loudness", {})
    monkeypatch.setattr(loudness, "_REMEMBERED", 3)
    assert {ranked(f"error {word}", f"error {word}") for word in "abcdefgh"} == {FAILURE}
    assert len(loudness._loudness) <= 3
