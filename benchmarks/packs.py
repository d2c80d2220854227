"""Does the memory that a prompt needs ride along with it, and does an unrelated prompt stay alone?

Question: is the answer in the prompt pack for at least 85 % of the prompts that have one, and do at most 5 % of the others inject
anything? How much of an agent's context does it cost?

Method: a store of the memories of DATA (`memories.jsonl`), and each prompt of `prompts.jsonl` as the first of a session of its own, through
`Clew.prompt_pack` as the hook asks it. `answered` is the share of prompts with an answer whose pack holds it, `first` whose pack begins
with it; `injects_off_topic` the share of the others that get any text; `chars_on` and `chars_off` the mean characters of a pack, silent
ones counted as none. `_low` and `_high` are the Wilson interval at 95 %. Arms: with meaning (the built-in embedder) and by words alone.

Limits: one small store and 40 prompts a side, so an interval is ten points wide; the prompts are in English.

    python -m benchmarks.packs benchmarks/data/packs [--json OUT]
"""

from __future__ import annotations

import argparse
import json
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import track

from benchmarks.report import ROOT, commit, machine, write
from clew.model import Draft
from clew.service import Clew

if TYPE_CHECKING:
    from clew.model import Pack

DATA = ROOT / "benchmarks" / "data" / "packs"
ARMS = {"fused": "static", "lexical": "off"}
Z = 1.96  # standard deviations of a 95 % interval


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON lines file."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def measured(memories: list[dict[str, Any]], prompts: list[dict[str, Any]], embed: str, tell: bool) -> dict[str, float]:
    """One arm's metrics; with `tell` each miss and each needless pack is printed."""
    with Clew(":memory:", project="bench", embed=embed) as clew:
        drafts = [Draft(m["summary"], m["kind"], m.get("detail", "")) for m in memories]
        ids = {m["key"]: r.memory.id for m, r in zip(memories, clew.remember_many(drafts), strict=True)}
        packs = [(p, clew.prompt_pack(p["prompt"])) for p in track(prompts, "asking", transient=True)]
    on = [(ids[p["answer"]], p, pack) for p, pack in packs if p["answer"]]
    off = [(p, pack) for p, pack in packs if not p["answer"]]
    if tell:
        _tell([p for answer, p, pack in on if answer not in pack.ids], [(p, pack) for p, pack in off if pack.text])
    return {
        **share("answered", [answer in pack.ids for answer, _, pack in on]),
        **share("first", [pack.ids[:1] == (answer,) for answer, _, pack in on]),
        **share("injects_off_topic", [bool(pack.text) for _, pack in off]),
        "chars_on": sum(len(pack.text) for _, _, pack in on) / len(on),
        "chars_off": sum(len(pack.text) for _, pack in off) / len(off),
        "memories_on": sum(len(pack.ids) for _, _, pack in on) / len(on),
    }


def share(name: str, hits: list[bool]) -> dict[str, float]:
    """A share and its Wilson interval at 95 %."""
    n, p = len(hits), sum(hits) / len(hits)
    middle, half = p + Z * Z / (2 * n), Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return {name: p, f"{name}_low": (middle - half) / (1 + Z * Z / n), f"{name}_high": (middle + half) / (1 + Z * Z / n)}


def _tell(missed: list[dict[str, Any]], needless: list[tuple[dict[str, Any], Pack]]) -> None:
    for prompt in missed:
        print(f"  missed {prompt['answer']}: {prompt['prompt']}")
    for prompt, pack in needless:
        print(f"  needless ({len(pack.ids)}): {prompt['prompt']}")


def main() -> None:
    """Measure, print a line an arm, and write the results where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA, help="folder with memories.jsonl and prompts.jsonl")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the results to this file")
    parser.add_argument("--tell", action="store_true", help="print every miss and every needless pack")
    given = parser.parse_args()
    memories, prompts = lines(given.data / "memories.jsonl"), lines(given.data / "prompts.jsonl")
    arms = {}
    for arm, embed in ARMS.items():
        arms[arm] = {name: round(value, 3) for name, value in measured(memories, prompts, embed, given.tell).items()}
        print(arm + ":", ", ".join(f"{name} {value:,.2f}" for name, value in arms[arm].items()), flush=True)
    if given.json:
        head = {"bench": "packs", "data": given.data.name, "n": len(prompts), "commit": commit(), "machine": machine()}
        write(given.json, [{**head, "arms": arms}])


if __name__ == "__main__":
    main()
