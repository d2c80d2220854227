"""Labelled pairs of failure texts: the same failure gets one key, another failure another, by tool and all in all.

`error_pairs.jsonl` was made by running real tools twice, with an edit or in another folder between (tool and version beside each pair);
`format_pairs.jsonl` was written by hand after the formats of tools that were not run.
`round`: the batch of docs/attempts.md that a pair came with.
"""

import json
from pathlib import Path

import pytest

from clew.rules.fingerprint import fingerprint

HERE = Path(__file__).parent
READ = [json.loads(line) for name in ("error_pairs", "format_pairs") for line in (HERE / f"{name}.jsonl").read_text("utf-8").splitlines()]
MET = 12  # the last batch that the rules were mended for; a newer one only stands to be measured
PAIRS = [pair for pair in READ if pair.get("round", 0) <= MET]
RAN = [pair for pair in PAIRS if pair["tool"] != "by hand"]
TOOLS = sorted({pair["tool"] for pair in PAIRS})


def equal(pair) -> bool:
    return fingerprint(pair["a"]).exact == fingerprint(pair["b"]).exact


# One failure that clew takes for two: nothing in the texts says so, or only what would make one of two elsewhere.
OPEN = {
    "pytest": ["--tb=short against --tb=long"],  # where it raised is told by one only
    "python": ["log line, process, line, folder"],  # a number among words
    "mypy": ["line, column, folder"],  # its wrapped lines
    "gcc": ["assertion of C, line"],  # a file without a folder, and the same below the checkout
    "javac": ["line, folder"],
    "pip": ["no such file, folder"],
    "tsc": ["from the folder above"],
    "git": ["worktree taken, folder"],
    "by hand": ["cuda: what is free at the moment", "lock: process"],  # a sentence more; a number among words
}


@pytest.mark.parametrize("tool", TOOLS)
def test_pairs_of_one_tool_are_told_apart_as_they_are_labelled(tool):
    wrong = [pair["kind"] for pair in PAIRS if pair["tool"] == tool and equal(pair) != pair["same"]]
    assert wrong == OPEN.get(tool, [])


def test_there_are_more_than_sixty_pairs_of_real_runs_both_ways_from_thirty_tools():
    assert len(RAN) >= 100
    assert min(sum(pair["same"] for pair in RAN), sum(not pair["same"] for pair in RAN)) >= 45
    assert len(TOOLS) >= 30
    assert all(pair["version"] for pair in READ)


def test_no_pair_of_real_runs_is_the_same_text_twice_and_differs_by_label_only():
    assert [pair["tool"] for pair in PAIRS if not pair["same"] and pair["a"] == pair["b"]] == []


DRIFTS = {
    "a runner's prefix": lambda text: "\n".join(f"[test:unit] {line}" for line in text.split("\n")),
    "a log's time stamps": lambda text: "\n".join(f"2026-01-19T15:18:54.123Z {line}" for line in text.split("\n")),
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "colours": lambda text: "\n".join(f"\x1b[31m{line}\x1b[0m" for line in text.split("\n")),
    "a status in front": "Exit code 1\n{}\n".format,
    "blank lines around": "\n\n{}\n  \n".format,
    "overwritten progress": "Working 1%\rWorking 50%\r{}".format,
    "a runner's echo": "> shop@1.0.0 test\n> run\n\n{}".format,
}


@pytest.mark.parametrize("drift", DRIFTS)
def test_what_is_put_around_a_failure_does_not_change_it(drift):
    texts = {pair[side] for pair in PAIRS for side in "ab"}
    changed = [text for text in texts if fingerprint(DRIFTS[drift](text)).exact != fingerprint(text).exact]
    assert len(changed) <= 0.02 * len(texts)  # those that hold nothing but a status or a warning
