"""Write-time checks: which active memories a new one repeats or contradicts. Answered, never acted upon.

Only words are asked, not vectors: what `rules.checks` compares shares nearly all its words, so the word search over the rarest of them
brings it, at a tenth of what writing the memory costs.
"""

from __future__ import annotations

from clew import text
from clew.errors import StoreDamaged
from clew.model import Concern, Filter
from clew.rules import bm25, checks
from clew.rules.statements import clause, stated
from clew.store.base import Asked, Saturation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.model import Memory, Remembered
    from clew.store.base import Store

BATCH = 20  # drafts from which on a batch is an import, whose memories are not held against what is known
NEAREST = 8  # memories that a new one is held against
WORDS = 6  # the rarest words of its summary that find them
COMMON = 1_000  # memories that hold a word which no longer tells one from another; bounds the check in a large project
SHARED = 0.4  # share of these words' weight that one holds which is looked at closely; less is left where only the slot differs


def checked(store: Store, kept: Sequence[Remembered], scope: Sequence[int], now: float) -> list[Remembered]:
    """The same answers with what there is to remark about each new memory; a batch of BATCH or more comes back as it is. Reads only.

    `scope` is what a recall from here would search. A memory that was known already is not held against others again.
    """
    if len(kept) >= BATCH:
        return list(kept)
    return [r._replace(concerns=concerns(store, r.memory, scope, now)) if r.created else r for r in kept]


def concerns(store: Store, memory: Memory, scope: Sequence[int], now: float) -> tuple[Concern, ...]:
    """What speaks against a memory, contradictions first, then by number."""
    others = _nearest(store, memory, scope, now)
    if not others:
        return ()
    mine = stated(memory.summary)
    found = []
    for other in others:
        theirs = stated(other.summary)
        why = checks.clash(mine, theirs)
        if why:
            found.append(Concern("contradiction", other.id, why, other.summary))
        elif memory.summary.casefold() == other.summary.casefold() or checks.same(mine, theirs):
            found.append(Concern("duplicate", other.id, "", other.summary))
    return tuple(sorted(found, key=lambda c: (c.kind, c.id)))


def _nearest(store: Store, memory: Memory, scope: Sequence[int], now: float) -> list[Memory]:
    terms = list(dict.fromkeys(text.index_terms(clause(memory.summary))))
    try:
        stats = store.statistics(scope, ())
        held = {t: n for t, n in store.rare(scope, terms, most=COMMON).items() if n > 1}  # held by itself, and by another
        rarest = sorted(held, key=lambda t: (held[t], t))[:WORDS]
        asked = [Asked(t, bm25.idf(stats.documents, held[t]), (t,)) for t in rarest]
        if not asked:
            return []
        saturation = Saturation(bm25.K1, bm25.B, stats.mean_length)
        said = store.lexical(scope, asked, Filter(now), limit=NEAREST + 1, saturation=saturation)
    except StoreDamaged:  # the memory is kept; what a recall says of the damage is said there
        return []
    least = SHARED * sum(a.weight for a in asked)
    return list(store.fetch([i for i, held in zip(said.ids, said.covered, strict=True) if held >= least and i != memory.id]).values())
