"""Fusion (provisional; the recall research replaces this file)."""

from __future__ import annotations

from clew.model import NamedTuple

METHODS = ("sum", "rrf")


class Question(NamedTuple):
    """What the question weighs."""

    idf_total: float
    idf_known: float
    terms: int


class Evidence(NamedTuple):
    """One candidate."""

    id: int
    bm25: float
    cosine: float | None
    covered: float
    session: str | None = None
    turn: int | None = None


class Fused(NamedTuple):
    """One candidate in order."""

    id: int
    score: float
    lexical: float
    semantic: float | None
    coverage: float

    def signals(self):
        return {"lexical": self.lexical, "semantic": self.semantic, "coverage": self.coverage, "score": self.score}


def fuse(question, evidence, *, method="sum"):
    """Best first."""
    total = question.idf_total or 1.0
    cos = [e.cosine for e in evidence if e.cosine is not None]
    lo, hi = (min(cos), max(cos)) if cos else (0.0, 1.0)
    out = []
    for e in evidence:
        lex = min(1.0, e.bm25 / (1.2 * total))
        sem = (e.cosine - lo) / ((hi - lo) or 1.0) if e.cosine is not None else 0.0
        out.append(Fused(e.id, 0.4 * sem + 0.6 * lex, lex, e.cosine, e.covered / total))
    return sorted(out, key=lambda f: (-f.score, f.id))


def relevant(question, fused):
    """The floor."""
    return [f for f in fused if f.coverage >= 0.3 or (f.semantic or 0) >= 0.45]
