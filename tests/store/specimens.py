"""Memories and documents for store tests, and the plain searches that the indexed ones are compared with."""

from __future__ import annotations

import math
import random

from clew.model import Filter, Memory, Source, Strength
from clew.store.searches import Document, Saturation
from clew.store.vectors import DIM

NOW = 1_000.0
ANY = Filter(now=NOW)
EVERYTHING = Filter(now=float("-inf"), include_superseded=True)
SATURATION = Saturation(1.2, 0.75, 7.0)


def memory(number: int, **fields) -> Memory:
    """A memory that is like no other, written at the moment `number`; `fields` replace what it holds."""
    plain = Memory(
        id=0,
        digest=f"{number:032x}",
        project="one",
        kind="fact",
        status="active",
        summary=f"summary {number}",
        detail="",
        tags=(),
        metadata={},
        origin="test",
        source=Source(),
        pointers=(),
        recorded_at=float(number),
        updated_at=float(number),
        seen=1,
        strength=Strength(3600.0, 5.0, 0.0),
    )
    return plain._replace(**fields)


def kept(store, project, *memories) -> list[int]:
    """The numbers of memories that were inserted in one transaction."""
    with store.transaction():
        return [store.insert(m, project) for m in memories]


def ids_of(memories) -> list[int]:
    """Their numbers in order."""
    return [m.id for m in memories]


def vector(chance: random.Random) -> bytes:
    """A random vector of the embedder's form."""
    return chance.randbytes(DIM)


def document(number: int, project: int, chance: random.Random, vocabulary: int = 40) -> Document:
    """A document of random terms; low ones are frequent, so that their postings fill several chunks."""
    words = [f"w{int(vocabulary * chance.random() ** 3)}" for _ in range(chance.randint(1, 12))]
    counts = {word: words.count(word) * chance.randint(1, 3) for word in words}
    return Document(number, project, counts, len(words), vector(chance))


def scored(documents, asked, saturation, allowed=None) -> list[tuple[int, float, float]]:
    """Every document that holds a word of the question, scored one by one: (id, bm25, covered), best first, ties by id."""
    k1, b, mean = saturation
    found = []
    for d in documents:
        score = covered = 0.0
        for word in asked:
            count = sum(d.counts.get(member, 0) for member in word.members)
            if count and word.unless not in d.counts:
                score += word.weight * (k1 + 1) * count / (count + (k1 * (1 - b) + k1 * b / mean * d.length))
                covered += word.weight
        if score and (allowed is None or d.id in allowed):
            found.append((d.id, score, covered))
    return sorted(found, key=lambda f: (-f[1], f[0]))


def cosine(a: bytes, b: bytes) -> float:
    """By definition, over the bytes as signed numbers."""
    x, y = memoryview(a).cast("b").tolist(), memoryview(b).cast("b").tolist()
    norm = math.sqrt(sum(v * v for v in x) * sum(v * v for v in y))
    return sum(p * q for p, q in zip(x, y, strict=True)) / norm if norm else 0.0
