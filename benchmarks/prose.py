"""Development memories of any number by a seed: word frequencies of the written ones, with a tail of identifiers; and written questions."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WRITTEN = Path(__file__).parent / "data" / "paraphrase"
IDENTIFIERS = 60_000  # distinct names in the tail
NAMED = 0.06  # share of a text's words that are such names


def _lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (WRITTEN / name).read_bytes().splitlines()]


def _identifier(chance: random.Random, plain: list[str]) -> str:
    parts = chance.choices(plain, k=chance.choice((2, 2, 3)))
    return chance.choice(("_".join(parts), "".join(p.title() for p in parts), ".".join(parts), "-".join(parts)))


@cache
def _vocabulary() -> tuple[list[str], list[float]]:
    """All words, and their frequencies summed up to each."""
    counts = Counter(re.findall(r"[\w./-]*\w", " ".join(f"{line['title']} {line['text']}" for line in _lines("corpus.jsonl"))))
    words = sorted(counts, key=lambda w: (-counts[w], w))
    chance = random.Random(0)  # one vocabulary, whatever the seed of the texts
    plain = [w for w in words if w.isalpha() and w.islower() and len(w) > 2]
    tail = list(dict.fromkeys(_identifier(chance, plain) for _ in range(IDENTIFIERS)))
    zipf = [1.0 / (rank + 2.7) for rank in range(1, len(tail) + 1)]
    scale = NAMED / (1.0 - NAMED) * sum(counts.values()) / sum(zipf)
    return words + tail, list(accumulate([counts[w] for w in words] + [scale * z for z in zipf]))


class Prose:
    """Texts drawn word by word: most words as often as the committed development memories use them (which is Zipf's law), the others
    identifiers made of two or three of them, with Zipf-Mandelbrot frequencies 1 / (rank + 2.7). No grammar: an index sees none.
    """

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def memories(self, count: int, characters: int = 200) -> Iterator[str]:
        """Texts of just below `characters`, in sentences of six to fourteen words."""
        words, weights = _vocabulary()
        for _ in range(count):
            text, left = "", 0
            for word in self._chance.choices(words, cum_weights=weights, k=characters // 3):
                if len(text) + len(word) + 3 > characters:
                    break
                if left:
                    text += " " + word
                else:
                    text += (". " if text else "") + word[:1].upper() + word[1:]
                    left = self._chance.randint(6, 14)
                left -= 1
            yield text + "."

    def questions(self, count: int) -> list[str]:
        """Questions that people wrote about the committed memories, of eight to twelve words, again from the start when they run out."""
        written = [line["query"] for line in _lines("queries.jsonl") if 8 <= len(line["query"].split()) <= 12]
        self._chance.shuffle(written)
        return [written[i % len(written)] for i in range(count)]
