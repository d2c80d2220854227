"""First meetings: a batch of pairs is judged by the rules as they stood before it came, not by those that were mended for it."""

import json
import subprocess

import pytest

from benchmarks import rounds as bench
from clew.errors import InvalidInput

RULES = "from types import SimpleNamespace\ndef fingerprint(text):\n    return SimpleNamespace(exact={})\n"
OLD = [{"a": "x", "b": "x", "same": True}]
BATCH = [
    {"a": "one 1", "b": "one 2", "same": True, "round": 1},
    {"a": "same", "b": "same", "same": True, "round": 1},
    {"a": "two a", "b": "two b", "same": False, "round": 1},
]


class History:
    """A repository with a file of pairs and a package of rules."""

    def __init__(self, folder):
        self.folder, self.file = folder, folder / "pairs.jsonl"
        rules = folder / "src" / "clew" / "rules"
        rules.mkdir(parents=True)
        self.rules = rules / "fingerprint.py"
        for package in (rules, rules.parent):
            (package / "__init__.py").write_text("")
        self.git("init", "-q", "-b", "main")

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.folder, capture_output=True, text=True, check=True).stdout.strip()

    def commit(self, pairs, exact):
        """Commit these pairs together with rules whose key is the expression `exact`; the commit's short name."""
        self.file.write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
        self.rules.write_text(RULES.format(exact))
        self.git("add", ".")
        self.git("commit", "-q", "-m", "x")
        return self.git("rev-parse", "--short", "HEAD")


@pytest.fixture
def history(tmp_path):
    return History(tmp_path)


def test_the_rules_before_a_batch_came_judge_it_as_it_is_labelled_now(history):
    before = history.commit(OLD, "text")
    history.commit([*OLD, BATCH[0] | {"same": False}, *BATCH[1:]], "''")
    history.commit([*OLD, *BATCH], "text[:3]")
    assert list(bench.batches([history.file])) == [1]
    met = bench.first_met(history.folder, [history.file], BATCH)
    assert (met["rules"], met["same"], met["other"], met["found"], met["merged"]) == (before, 2, 1, 0.5, 0.0)


def test_a_pair_that_was_there_before_its_batch_does_not_date_it(history):
    history.commit([*OLD, BATCH[1]], "text")
    before = history.commit([*OLD, BATCH[1]], "text[:3]")
    came = history.commit([*OLD, *BATCH], "''")
    assert bench.brought(history.folder, [history.file], BATCH).startswith(came)
    met = bench.first_met(history.folder, [history.file], BATCH)
    assert (met["rules"], met["found"], met["merged"]) == (before, 1.0, 1.0)


def test_what_history_does_not_tell_is_said(history):
    history.commit(OLD, "text")
    with pytest.raises(InvalidInput, match="was never committed with these pairs"):
        bench.brought(history.folder, [history.file], BATCH)
    with pytest.raises(InvalidInput, match="holds no pairs with a `round`"):
        bench.batches([history.file])
