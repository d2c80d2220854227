"""How memories go: superseded, stale, done, forgotten, expired, at rest. One verb, one transaction."""

from __future__ import annotations

from clew.engines import extract
from clew.engines.indexing import document
from clew.engines.lifecycle import find, log_state
from clew.errors import InvalidInput
from clew.model import Forgotten, Memory
from clew.rules import fsrs
from clew.rules.intake import reason_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.store.base import Store

SWEPT = 1_000  # expired memories one sweep takes


def supersede(store: Store, old: int | str, new: int | str, *, reason: str, origin: str, now: float) -> Memory:
    """Let `new` stand for `old`: the old memory stays, marked, with its successor and the reason; a `supersedes` link joins them.

    The old one ends when the new one began to be true. Raises InvalidInput for itself, or where it would close a circle.
    """
    line, _ = reason_line(reason)
    with store.transaction():
        before, after = find(store, old, "old"), find(store, new, "new")
        if before.id == after.id:
            raise InvalidInput("new", f"memory #{before.id} cannot supersede itself")
        if before.id in successors(store, after):
            raise InvalidInput(
                "new", f"#{after.id} is itself superseded by way of #{before.id}; say the newer one again first to make it active"
            )
        ended = min(now, after.valid_from) if after.valid_from is not None else now
        project = store.owner(before.id)
        log_state(store, project, "superseded", before, origin=origin, now=now)
        weaker = fsrs.again(before.strength)
        known = before._replace(status="superseded", successor=after.id, reason=line, strength=weaker, stale=True)
        store.save(known._replace(ended_at=ended, updated_at=now), project)
        store.attach(after.id, "supersedes", before.id, at=now, origin=origin)
    return store.fetch([before.id])[before.id]


def successors(store: Store, memory: Memory) -> set[int]:
    """Numbers of all that came after a memory, each once."""
    seen: set[int] = set()
    step: Memory | None = memory
    while step is not None and step.successor is not None and step.successor not in seen:
        seen.add(step.successor)
        step = store.fetch([step.successor]).get(step.successor)
    return seen


def staled(store: Store, before: Memory, *, now: float) -> None:
    """Inside a transaction: the code a memory is about has changed, so it is called stale and is retained less; said again or edited it
    is not any more. To those who were shown it it is no other memory for that.
    """
    project = store.owner(before.id)
    log_state(store, project, "stale", before, origin="clew", now=now)
    store.save(before._replace(stale=True, strength=fsrs.again(before.strength)), project)


def done(store: Store, ref: int | str, *, reason: str, origin: str, now: float) -> Memory:
    """Mark a memory as finished: out of every default search, still there to be listed."""
    line, _ = reason_line(reason)
    with store.transaction():
        before = find(store, ref)
        project = store.owner(before.id)
        log_state(store, project, "done", before, origin=origin, now=now)
        store.save(before._replace(status="done", reason=line, ended_at=now, updated_at=now), project)
    return store.fetch([before.id])[before.id]


def forget(store: Store, refs: Sequence[int | str]) -> list[Forgotten]:
    """Erase memories for good: rows, words, vectors, links, log lines and sources, and overwrite where they lay.

    All or none; then the write-ahead log is emptied. What could not be cleaned is said in the answer.
    """
    with store.transaction():
        memories = list({m.id: m for m in (find(store, ref) for ref in refs)}.values())
        gone = _erased(store, memories)
    left = tuple(store.scrub())
    return [f._replace(left=left) for f in gone]


def _erased(store: Store, memories: Sequence[Memory]) -> list[Forgotten]:
    behind = store.outranked([m.id for m in memories])
    store.unindex([document(m, store.owner(m.id)) for m in memories])
    gone = [Forgotten(m.id, store.erase(m.id)) for m in memories]
    extract.rejoin(store, behind)
    return gone


def sweep(store: Store, now: float) -> int:
    """Erase what has expired, at most SWEPT at a time; how many."""
    if not store.expired(now, 1):
        return 0
    with store.transaction():  # asked again inside: another process may have swept, or been told to keep one longer
        gone = _erased(store, list(store.fetch(store.expired(now, SWEPT)).values()))
    store.scrub()
    return len(gone)


def rest(store: Store, now: float) -> int:
    """Let memories rest that are retained less than what a window would evict; pinned and lasting ones never do. How many began to."""
    from clew.rules.threshold import THETA  # of the registers, which no other verb here asks

    with store.transaction():
        return store.rest(now, worn=fsrs.age_at(THETA[0], 1.0), lasting=fsrs.LASTING_KINDS)
