"""Figures of merit of ranked answers: pure functions of ranks and golds, and their bootstrap intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

BOOTSTRAP_ROUNDS = 1000
BOOTSTRAP_SEED = 20_26


def recall(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """Share of `gold` among the first `k`, 0..1; 0 for no gold."""
    return len(set(ranked[:k]) & set(gold)) / len(set(gold)) if gold else 0.0


def hit(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """1 when any of `gold` is among the first `k`, else 0."""
    return float(bool(set(ranked[:k]) & set(gold)))


def full(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """1 when all of `gold` are among the first `k`, else 0."""
    return float(bool(gold) and set(gold) <= set(ranked[:k]))


def reciprocal_rank(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int = 10) -> float:
    """1 / rank of the first of `gold` within the first `k`, else 0."""
    return next((1.0 / rank for rank, found in enumerate(ranked[:k], 1) if found in gold), 0.0)


def ndcg(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """Normalised discounted cumulative gain of the first `k` with gains of 1 (Järvelin & Kekäläinen 2002), 0..1."""
    gained = sum(1.0 / math.log2(rank + 1) for rank, found in enumerate(ranked[:k], 1) if found in gold)
    ideal = sum(1.0 / math.log2(rank + 1) for rank in range(1, min(k, len(set(gold))) + 1))
    return gained / ideal if ideal else 0.0


def above(ranked: Sequence[Hashable], wrong: Collection[Hashable], right: Collection[Hashable]) -> float:
    """1 when one of `wrong` stands before the first of `right` (a stale memory above its live successor), else 0."""
    for found in ranked:
        if found in right:
            return 0.0
        if found in wrong:
            return 1.0
    return 0.0


def distinct(ranked: Sequence[Hashable]) -> list[Hashable]:
    """The first appearance of each, in order."""
    return list(dict.fromkeys(ranked))


def selective_accuracy(confidences: Sequence[float], right: Sequence[float], share: float) -> float:
    """Mean of `right` over the `share` (0..1) of the answers that are surest: one point of the abstention curve. 0 for no answers."""
    kept = math.ceil(len(confidences) * share)
    order = sorted(range(len(confidences)), key=lambda i: (-confidences[i], i))[:kept]
    return sum(right[i] for i in order) / kept if kept else 0.0


def interval(values: Sequence[float], rounds: int = BOOTSTRAP_ROUNDS, seed: int = BOOTSTRAP_SEED) -> tuple[float, float, float]:
    """(mean, low, high): 95 % percentile bootstrap over questions (Efron 1979), the same for the same values."""
    sample = np.asarray(values, dtype=float)
    if not len(sample):
        return 0.0, 0.0, 0.0
    chosen = np.random.default_rng(seed).integers(0, len(sample), (rounds, len(sample)))
    low, high = np.percentile(sample[chosen].mean(axis=1), (2.5, 97.5))
    return float(sample.mean()), float(low), float(high)
