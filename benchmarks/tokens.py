"""Does the built-in token counter ever count too few, and how far above the truth does it lie?

Question: on every class of text, is the estimate at least what cl100k and o200k count (`under` is the share of texts where it is not), and
how much is it above the larger of the two (`over`, the mean share by which it exceeds it; `worst`, the nearest it came to it, below 0 where
it counted too few)?

Method: the texts of `benchmarks.token_texts` (made by seed, our own prose in twelve languages and code in six, this project's pages,
Python's standard library) and of every FOLDER, whole and in stretches of 40, 200 and 1,000 characters; `over` of whole texts, `under` and
`worst` of all. The seed differs from the one the margins were fitted with. Arms: `heuristic`, and as a yardstick `quarter`, one token for
four characters, the rule of thumb. `xexact`: the processor time of the estimate as a multiple of the exact count's by cl100k in the same
run, both warm.

Limits: what the margins were fitted on is of the same kinds as what they are measured on. Hostile texts (bytes read as text, endless runs,
rare scripts) are measured apart and not in the means.

    python -m benchmarks.tokens [FOLDER ...] [--json OUT]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from rich.progress import track

from benchmarks.report import commit, machine, write
from benchmarks.token_texts import classes, cuts, from_folder
from clew.compiler.tokens import counter

if TYPE_CHECKING:
    from collections.abc import Callable

    Count = Callable[[str], int]

SEED = 20_261_201
APART = ("hostile", "adv")


def quarter(text: str) -> int:
    """The rule of thumb: one token for four characters."""
    return -(-len(text) // 4)


def measured(count: Count, counted: dict[str, list[list[tuple[str, int]]]]) -> dict[str, float]:
    """The metrics of one counter. `counted`: class → for each text its stretches, the whole text first, with the exact count."""
    found: dict[str, float] = {}
    means, stretches, under = [], 0, 0
    for name, texts in counted.items():
        shares = [[count(cut) / exact - 1 for cut, exact in text if exact] for text in texts]
        over = sum(share[0] for share in shares) / len(shares)
        flat = [one for share in shares for one in share]
        found |= {f"over {name}": over, f"worst {name}": min(flat), f"under {name}": sum(one < 0 for one in flat) / len(flat)}
        if name not in APART:
            means.append(over)
            stretches, under = stretches + len(flat), under + sum(one < 0 for one in flat)
    return {"under": under / stretches, "over": sum(means) / len(means), **found}


def seconds(count: Count, texts: list[str]) -> float:
    """Processor time to count them all, the second time round."""
    for text in texts:
        count(text)
    start = process_time()
    for text in texts:
        count(text)
    return process_time() - start


def main() -> None:
    """Measures, prints, and writes where `--json` says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    texts = classes(SEED)
    for folder in given.folders:
        for name, found in from_folder(folder).items():
            texts.setdefault(name, []).extend(found)
    exact = [counter("cl100k"), counter("o200k")]
    counted = {
        name: [[(cut, max(one.count(cut) for one in exact)) for cut in cuts(text)] for text in found if text]
        for name, found in track(texts.items(), "counting", transient=True)
    }
    arms = {"heuristic": measured(counter().count, counted), "quarter": measured(quarter, counted)}
    plain = [text for name, found in texts.items() if name not in APART for text in found]
    arms["heuristic"]["xexact"] = seconds(counter().count, plain) / seconds(exact[0].count, plain)
    total = sum(len(found) for found in texts.values())
    result: dict[str, Any] = {"bench": "tokens", "data": "own", "n": total, "commit": commit(), "machine": machine(), "arms": arms}
    for arm, metrics in arms.items():
        print(arm)
        print("".join(f"  {name:34} {value:8.3f}\n" for name, value in metrics.items()))
    if given.json:
        write(given.json, [result])


if __name__ == "__main__":
    main()
