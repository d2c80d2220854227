"""How memories come to belong to another project, each meeting there the one that says the same."""

from __future__ import annotations

from clew.engines import extract
from clew.engines.indexing import awaits, document, meanings, sign
from clew.engines.leaving import successors
from clew.engines.lifecycle import find, seen_again
from clew.ids import digest_of
from clew.store.graph import RULED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clew.embed.base import Embedder
    from clew.model import Memory
    from clew.store.base import Store


def move(store: Store, embedder: Embedder | None, refs: Sequence[int | str], into: int, *, now: float) -> int:
    """Let memories belong to another project; one that says what is said there already is joined to it. How many moved."""
    ahead = meant([find(store, ref) for ref in refs], embedder)
    with store.transaction():
        sign(store, embedder)
        return shift(store, embedder, list(store.fetch(list(ahead)).values()), ahead, into, now=now)


def meant(memories: Sequence[Memory], embedder: Embedder | None) -> dict[int, tuple[Memory, bytes]]:
    """Memories by number with their vectors, for `shift`."""
    return {m.id: (m, vector) for m, vector in zip(memories, meanings(memories, embedder), strict=True)}


def shift(
    store: Store, embedder: Embedder | None, memories: Sequence[Memory], ahead: Mapping[int, tuple[Memory, bytes]], into: int, *, now: float
) -> int:
    """Inside a transaction: give memories as they are now to a project; those not `ahead`, or changed since, get their meaning here."""
    coming = [m for m in memories if store.owner(m.id) != into]
    late = [m for m in coming if m.id not in ahead or ahead[m.id][0] != m]
    vectors = {i: vector for i, (_, vector) in ahead.items()} | dict(zip((m.id for m in late), meanings(late, embedder), strict=True))
    uid = store.project_uid(into)
    gone: dict[int, int] = {}  # joined to a twin: who is asked for by the old number means the twin
    for memory in coming:
        store.unindex([document(memory, store.owner(memory.id))])
        moved = memory._replace(
            digest=digest_of(uid, memory.kind, memory.summary, memory.detail),
            successor=gone.get(memory.successor or 0, memory.successor),
        )
        twin = store.find_digest(moved.digest)
        if twin:
            gone[memory.id] = twin[0]
            _join_twin(store, moved, store.fetch(twin)[twin[0]], into, vectors[memory.id], now=now)
            continue
        store.save(moved._replace(updated_at=now), into)
        extract.renote(store, memory, moved, into, moved=True)
        if not awaits(store, memory.id):
            store.index([document(moved, into, vectors[memory.id])])
    return len(coming)


def _join_twin(store: Store, memory: Memory, other: Memory, into: int, vector: bytes, *, now: float) -> None:
    """Give a memory's tags, links and predecessors to the one that says the same, with its state if that is the later one; drop the row."""
    joined = seen_again(store, other, memory, into, vector, now=now, revive=False)
    later = memory.updated_at > other.updated_at and other.id not in successors(store, memory)
    if later or other.successor == memory.id:
        state = {f: getattr(memory, f) for f in ("status", "successor", "ended_at", "reason")}
        store.save(joined._replace(**state), into)
    links = store.links_of([memory.id])
    for src, relation, dst, at, origin in links:
        a, b = (other.id if i == memory.id else i for i in (src, dst))
        if a != b and origin != RULED:  # what the wording states the other one's states too, of what is about it there
            store.add_link(a, relation, b, at=at, origin=origin)
    for src, relation, dst in store.unlinked([memory.id]):
        a, b = (other.id if i == memory.id else i for i in (src, dst))
        if a != b:
            store.refuse_link(a, relation, b)
    for before in store.fetch([dst for src, relation, dst, *_ in links if relation == "supersedes" and src == memory.id]).values():
        if before.successor == memory.id and before.id != other.id:
            store.save(before._replace(successor=other.id), store.owner(before.id))
    behind = store.outranked([memory.id])
    store.erase(memory.id)
    extract.rejoin(store, behind)
