"""Is the same failure recognised as the same, and is another one told apart?

Question: which share of labelled pairs that tell one failure get one fingerprint (`found`, at least 98 %), and which share of pairs that
tell two failures get one all the same (`merged`, at most 2 %)?

Method: FILE holds {a, b, same, kind} a line. No arm knows the project's folder. Arms: `clew`, our exact key; `whitespace`, texts compared
with white space folded; `trackers`, the masks of the common error trackers (addresses of mail, web and network, uuids, hashes, dates,
spans, numbers, quoted strings) restated; `drain`, a template miner restated (equal count of words, equal first words where they hold no
digit, half of the words equal). `_low` and `_high`: Wilson's interval at 95 %. `ms`: CPU time a text of `chars` on the average, `xjson`
the same as a multiple of one `json.dumps` and `loads` of that text. `kinds` counts the pairs of each kind and those that clew judged
right.

Limits: a pair is the smallest question there is; in use the question is whether a text equals any of thousands.

    python -m benchmarks.fingerprint tests/rules/error_pairs.jsonl [--json OUT] [--tell]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.packs import share
from benchmarks.report import commit, machine, write
from benchmarks.rows import TEXT, rows
from clew.errors import InvalidInput
from clew.rules.fingerprint import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

PAIR = {"a": TEXT, "b": TEXT, "same": (bool,), "kind": TEXT}
_TRACKERS = (
    (r"[\w.+-]+@[\w-]+\.[\w.]+", "<email>"),
    (r"\b(?:https?|file|ftp|wss?)://[^\s\"')]+", "<url>"),
    (r"\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}(?![\w:])", "<ip>"),
    (r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b", "<uuid>"),
    (r"\b[0-9a-fA-F]{32,64}\b", "<hash>"),
    (r"\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d:\d\d:\d\d(?:\.\d+)?", "<date>"),
    (r"\b\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h)\b", "<duration>"),
    (r"\b0x[0-9a-fA-F]+\b", "<hex>"),
    (r"\b\d+\.\d+\b", "<float>"),
    (r"-?\b\d+\b", "<int>"),
    (r"'[^'\n]*'|\"[^\"\n]*\"", "<quoted>"),
)
DRAIN_DEPTH, DRAIN_SIMILAR = 2, 0.5


def whitespace(a: str, b: str) -> bool:
    """Equal when white space does not count."""
    return a.split() == b.split()


def trackers(a: str, b: str) -> bool:
    """Equal under the masks of the common error trackers."""
    return _parameterised(a) == _parameterised(b)


def _parameterised(text: str) -> list[str]:
    for pattern, blank in _TRACKERS:
        text = re.sub(pattern, blank, text)
    return text.split()


def drain(a: str, b: str) -> bool:
    """Whether a fixed-depth template tree (He et al. 2017) would put both into one cluster."""
    one, two = a.split(), b.split()
    if len(one) != len(two):
        return False
    first = [["*" if any(c.isdigit() for c in w) else w for w in words[:DRAIN_DEPTH]] for words in (one, two)]
    same = sum(x == y for x, y in zip(one, two, strict=True))
    return first[0] == first[1] and same >= DRAIN_SIMILAR * len(one)


def ours(a: str, b: str) -> bool:
    """Whether both get one exact key."""
    return fingerprint(a).exact == fingerprint(b).exact


ARMS: dict[str, Callable[[str, str], bool]] = {"clew": ours, "whitespace": whitespace, "trackers": trackers, "drain": drain}


def measured(pairs: list[dict[str, Any]], equal: Callable[[str, str], bool]) -> dict[str, float]:
    """One arm's shares."""
    judged = [(pair["same"], equal(pair["a"], pair["b"])) for pair in pairs]
    return {
        **share("found", [found for same, found in judged if same] or [True]),
        **share("merged", [found for same, found in judged if not same] or [False]),
    }


def by_kind(pairs: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """How many pairs of each kind there are and how many clew judges right."""
    kinds: dict[str, dict[str, int]] = defaultdict(lambda: {"pairs": 0, "right": 0})
    for pair in pairs:
        kinds[pair["kind"]]["pairs"] += 1
        kinds[pair["kind"]]["right"] += ours(pair["a"], pair["b"]) == pair["same"]
    return dict(sorted(kinds.items()))


def cost(pairs: list[dict[str, Any]], rounds: int = 5) -> dict[str, float]:
    """CPU time of a fingerprint, the best of `rounds`, in milliseconds and as a multiple of a JSON round trip of the same text."""
    texts = [pair[side] for pair in pairs for side in "ab"]
    prints = min(_cpu(lambda: [fingerprint(text) for text in texts]) for _ in range(rounds))
    trips = min(_cpu(lambda: [json.loads(json.dumps(text)) for text in texts]) for _ in range(rounds))
    return {"ms": prints / len(texts) * 1e3, "xjson": prints / trips, "chars": sum(map(len, texts)) / len(texts)}


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _tell(pairs: list[dict[str, Any]]) -> None:
    for pair in pairs:
        if ours(pair["a"], pair["b"]) != pair["same"]:
            print(f"  {'missed' if pair['same'] else 'merged'} ({pair['kind']})")
            print(*(f"    | {line}" for side in "ab" for line in [*fingerprint(pair[side]).template.split("\n"), "--"]), sep="\n")


def main() -> int:
    """Measure each file, print a line an arm, and write the results where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="labelled pairs, a JSON object a line")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the results to this file")
    parser.add_argument("--tell", action="store_true", help="print every pair that clew judges wrong")
    given = parser.parse_args()
    try:
        results = [_result(file, given.tell) for file in given.files]
    except (InvalidInput, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if given.json:
        write(given.json, results)
    return 0


def _result(file: Path, tell: bool) -> dict[str, Any]:
    pairs = rows(file, PAIR)
    if not pairs:
        raise InvalidInput(file.name, "holds no pairs: {a, b, same, kind} a line")
    arms = {arm: measured(pairs, equal) for arm, equal in ARMS.items()}
    arms["clew"] |= cost(pairs)
    arms = {arm: {name: round(value, 4) for name, value in metrics.items()} for arm, metrics in arms.items()}
    kinds = by_kind(pairs)
    data = f"{file.resolve().parent.name}/{file.stem}"
    print(f"{data}: {len(pairs)} pairs")
    for kind, counts in kinds.items():
        print(f"  {kind}: {counts['right']} of {counts['pairs']}")
    if tell:
        _tell(pairs)
    for arm, metrics in arms.items():
        print(f"{arm}:", ", ".join(f"{name} {value:g}" for name, value in metrics.items()))
    return {"bench": "fingerprint", "data": data, "n": len(pairs), "commit": commit(), "machine": machine(), "arms": arms, "kinds": kinds}


if __name__ == "__main__":
    sys.exit(main())
