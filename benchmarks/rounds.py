"""What do texts meet that the rules of fingerprints were not made for?

Question: of each batch of labelled pairs, which share was found, and which merged (benchmarks/fingerprint.py), by the rules as they stood
before anything was changed for that batch?

Method: FILE holds {a, b, same, round} a line; a batch is what has one `round`. From the history of the repository the commit is taken at
which the files first held more than half of a batch, and the package of the commit before it, in a fresh interpreter, judges the whole
batch as it is labelled now.

Limits: the whole history is needed. That rules were not changed ahead of a batch can be read in the history, not measured.

    python -m benchmarks.rounds tests/rules/error_pairs.jsonl tests/rules/format_pairs.jsonl [--json OUT]
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import tarfile
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.packs import share
from benchmarks.report import ROOT, commit, machine, write
from clew.errors import InvalidInput

Pair = dict[str, Any]
_JUDGE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from clew.rules import fingerprint as rules
assert rules.__file__.startswith(sys.argv[1]), rules.__file__
print(json.dumps([rules.fingerprint(a).exact == rules.fingerprint(b).exact for a, b in json.load(sys.stdin)]))
"""


def batches(files: list[Path]) -> dict[int, list[Pair]]:
    """The pairs of each round, from all files together. Raises InvalidInput where there are none."""
    found: dict[int, list[Pair]] = defaultdict(list)
    for pair in (json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()):
        if pair.get("round"):
            found[pair["round"]].append(pair)
    if not found:
        raise InvalidInput("FILE", "holds no pairs with a `round`")
    return dict(sorted(found.items()))


def brought(root: Path, files: list[Path], pairs: list[Pair]) -> str:
    """The first commit at which the files held more than half of the pairs. Raises InvalidInput where history tells of none."""
    names = [file.resolve().relative_to(root.resolve()).as_posix() for file in files]
    wanted = {(pair["a"], pair["b"]) for pair in pairs}
    for sha in _git(root, "log", "--reverse", "--format=%H", "--", *names).decode().split():
        there = _git(root, "ls-tree", "--name-only", sha, *names).decode().split()
        texts = [_git(root, "show", f"{sha}:{name}").decode() for name in there]
        held = {(pair["a"], pair["b"]) for text in texts for pair in map(json.loads, text.splitlines())}
        if 2 * len(wanted & held) > len(wanted):
            return sha
    raise InvalidInput("FILE", "was never committed with these pairs; `git fetch --unshallow` brings a history that is cut")


def first_met(root: Path, files: list[Path], pairs: list[Pair]) -> dict[str, Any]:
    """A batch judged by the commit before it came: which commit that is, how many pairs of either kind, the shares found and merged."""
    before = _git(root, "rev-parse", "--short", f"{brought(root, files, pairs)}^").decode().strip()
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(_git(root, "archive", before, "src/clew"))) as package:
            package.extractall(folder, filter="data")
        told = json.dumps([(pair["a"], pair["b"]) for pair in pairs])
        source = str(Path(folder).resolve() / "src")
        done = subprocess.run([sys.executable, "-c", _JUDGE, source], input=told, capture_output=True, text=True, check=True)
    equal = json.loads(done.stdout)
    one = [found for pair, found in zip(pairs, equal, strict=True) if pair["same"]]
    two = [found for pair, found in zip(pairs, equal, strict=True) if not pair["same"]]
    return {"rules": before, "same": len(one), "other": len(two), **share("found", one or [True]), **share("merged", two or [False])}


def _git(root: Path, *words: str) -> bytes:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True)
    if done.returncode:
        raise InvalidInput("FILE", f"git cannot tell its history ({' '.join(done.stderr.decode('utf-8', 'replace').split())[:200]})")
    return done.stdout


def main() -> int:
    """Measure every batch, print a line each, and write the results where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="labelled pairs with their rounds, a JSON object a line")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the results to this file")
    given = parser.parse_args()
    try:
        rounds = {str(number): first_met(ROOT, given.files, pairs) for number, pairs in batches(given.files).items()}
    except (InvalidInput, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    for number, met in rounds.items():
        one, two = f"{met['same']} of one, found {met['found']:.2f}", f"{met['other']} of two, merged {met['merged']:.2f}"
        print(f"{number} by {met['rules']}: {one}; {two}")
    rounded = {n: {name: round(v, 4) if isinstance(v, float) else v for name, v in met.items()} for n, met in rounds.items()}
    if given.json:
        write(given.json, [{"bench": "rounds", "commit": commit(), "machine": machine(), "rounds": rounded}])
    return 0


if __name__ == "__main__":
    sys.exit(main())
