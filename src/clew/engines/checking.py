"""Write-time checks: which active memories a new one repeats or contradicts. Answered, never acted upon.

Only words are asked, not vectors: what `rules.checks` compares shares nearly all its words, so the rarest of them bring it, at a tenth of
what writing the memory costs.
"""

from __future__ import annotations

from clew import text
from clew.errors import StoreDamaged
from clew.model import Concern, Filter
from clew.rules import bm25, checks
from clew.rules.statements import clause, gist, stated
from clew.store import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clew.model import Memory, Remembered
    from clew.store.base import Store
    from clew.store.searches import Statistics

BATCH = 20  # drafts from which on a batch is an import, whose memories are not held against what is known
NEAREST = 8  # memories that a new one is held against
WORDS = 6  # the rarest words of its summary that find them
COMMON = 1_000  # memories that hold a word which no longer tells one from another; bounds the check in a large project
SHARED = 0.4  # share of these words' weight that one holds which is looked at closely; less is left where only the slot differs


def checked(store: Store, kept: Sequence[Remembered], scope: Sequence[int], now: float) -> list[Remembered]:
    """The same answers with what there is to remark about each new memory; a batch of BATCH or more comes back as it is. Reads only.

    `scope` is what a recall from here would search. A memory that was known already is not held against others again, unless it had ended
    and is active again since now: what took its place stays active beside it.
    """
    if len(kept) >= BATCH:
        return list(kept)
    return [r._replace(concerns=concerns(store, r.memory, scope, now)) if r.created or _revived(store, r.memory, now) else r for r in kept]


def _revived(store: Store, memory: Memory, now: float) -> bool:
    logged = store.read_log(store.owner(memory.id), limit=1, memory=memory.id) if memory.updated_at == now else []
    return any(line["event"] == "revived" and line["at"] == now for line in logged)


def concerns(store: Store, memory: Memory, scope: Sequence[int], now: float) -> tuple[Concern, ...]:
    """What speaks against a memory, contradictions first, then by number."""
    found = []
    here = gist(memory.summary)
    for other in _nearest(store, memory, scope, now):
        if checks.far(here, gist(other.summary)):
            continue
        mine, theirs = stated(memory.summary), stated(other.summary)
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
        held = store.rarest(scope, terms, most=COMMON, wanted=WORDS).values()  # each held by itself, and by another
        ranked = [i for i in _sharing(held, stats) if i != memory.id]
        return store.passing(ranked, scope, Filter(now), limit=NEAREST) if ranked else []
    except StoreDamaged:  # the memory is kept; what a recall says of the damage is said there
        return []


def _sharing(held: Iterable[bytes], stats: Statistics) -> list[int]:
    """The memories that hold SHARED of these words' weight or more, first what holds most: by BM25, as if each memory held its words once
    in its summary.
    """
    weighed = [(bm25.idf(stats.documents, len(packed) // words.POSTING.size), packed) for packed in held]
    once = bm25.FIELD_WEIGHTS["summary"] + bm25.K1 * (1.0 - bm25.B)
    slope = bm25.K1 * bm25.B / stats.mean_length if stats.mean_length > 0 else 0.0
    return words.sharing(weighed, SHARED * sum([weight for weight, _ in weighed]), once, slope)
