"""The best answers in a new order: what a reader of question and text together says of each is added to its score.

Added, never put in its place: alone the reader is worse than words, meaning and links together on code, and it knows nothing of time,
confidence or links.
"""

from __future__ import annotations

from clew.rules import pagerank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from clew.model import Hit

    class Judge(Protocol):
        """Reads pairs (clew.embed.pairs), of `most` texts for one question."""

        @property
        def most(self) -> int:
            """The bound."""

        def asked(self, question: str) -> list[int]:
            """The question's word pieces."""

        def told(self, text: str) -> list[int]:
            """A text's word pieces."""

        def judge(self, asked: list[int], told: list[int]) -> float:
            """How surely the one answers the other, 0 to 1."""


PIECES = 4_000  # word pieces read for one question, all answers together: about a second of one processor
WEIGHT = 0.3  # of the reader's word beside the fused score; where it lies among its neighbours: docs/embedders.md


def reordered(judge: Judge, question: str, hits: Sequence[Hit], replaced: Mapping[int, Sequence[int]]) -> list[Hit]:
    """`hits`, best first, with the judge's word added to as many as it reads, fewer where texts are long; those behind them stay behind.

    `replaced` says by what a memory was replaced: a successor stays above it. The work is bounded by how much is read and not by a clock,
    so that the same question has the same answer on a busy machine.
    """
    asked, left = judge.asked(question), PIECES
    words: dict[int, float] = {}
    for hit in hits[: judge.most]:
        told = judge.told(f"{hit.memory.summary}\n{hit.memory.detail}" if hit.memory.detail else hit.memory.summary)
        left -= len(asked) + len(told)
        if left < 0:
            break
        words[hit.memory.id] = judge.judge(asked, told)
    by_id = {hit.memory.id: hit for hit in hits[: len(words)]}
    ranked = sorted(((i, hit.score + WEIGHT * words[i]) for i, hit in by_id.items()), key=lambda pair: (-pair[1], pair[0]))
    known = {old: [new for new in newer if new in by_id] for old, newer in replaced.items()}
    order = pagerank.succeeded(ranked, known)
    return [*(_scored(by_id[i], score, words[i]) for i, score in order), *hits[len(words) :]]


def _scored(hit: Hit, score: float, word: float) -> Hit:
    return hit._replace(score=score, signals=hit.signals._replace(reread=word, score=score))
