"""What the searches are told of a memory: its terms by weighted field, and the text whose meaning is embedded."""

from __future__ import annotations

from clew import text
from clew.errors import EmbedderMismatch, StoreError
from clew.model import Filter
from clew.rules.bm25 import FIELD_WEIGHTS
from clew.store.base import Document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clew.embed.base import Embedder
    from clew.model import Memory
    from clew.store.base import Store

STEP = 500  # memories of one step of a rebuild, one transaction each


def document(memory: Memory, project: int, vector: bytes = b"") -> Document:
    """The memory as the searches know it. Pure, so that what was indexed can be named again to take it out."""
    counts: dict[str, int] = {}
    length = 0
    for field, words in _fields(memory):
        weight = FIELD_WEIGHTS[field]
        terms = text.index_terms(words)
        length += len(terms)
        for term in terms:
            counts[term] = counts.get(term, 0) + weight
    return Document(memory.id, project, counts, length, vector)


def _fields(memory: Memory) -> tuple[tuple[str, str], ...]:
    named = [*memory.tags, *(f"{p.path} {p.symbol or ''}" for p in memory.pointers)]
    return ("summary", memory.summary), ("tags", " \n".join(named)), ("detail", memory.detail)


def meanings(memories: Sequence[Memory], embedder: Embedder | None) -> list[bytes]:
    """The vectors of memories, b"" each without an embedder: the slow part of a write, done before its transaction opens."""
    if embedder is None:
        return [b""] * len(memories)
    return embedder.embed_many([f"{m.summary}. {m.detail}" if m.detail else m.summary for m in memories])


def signature(embedder: Embedder) -> str:
    """Which embedder made a store's vectors: its name and the fingerprint of its table."""
    return f"{embedder.name}@{embedder.fingerprint}"


def agree(store: Store, embedder: Embedder | None) -> None:
    """Raises EmbedderMismatch, or StoreError for words, when the index was made by other rules than this process follows."""
    made_by = store.setting("embedder")
    if embedder is not None and made_by is not None and made_by != signature(embedder):
        raise EmbedderMismatch(made_by, signature(embedder))
    words = store.setting("words")
    if words is not None and words != str(text.VERSION):
        raise StoreError(
            f"this store's words were indexed by rules {words}, this clew follows {text.VERSION}; rebuild them with `clew reindex`"
        )


def sign(store: Store, embedder: Embedder | None) -> None:
    """Write down, inside a transaction, by which rules the index is made, where nothing says so yet."""
    if store.setting("words") is None:
        store.set_setting("words", str(text.VERSION))
    if embedder is not None and store.setting("embedder") is None:
        store.set_setting("embedder", signature(embedder))


def awaits(store: Store, memory: int) -> bool:
    """Whether a rebuild that is under way has still to reach this memory, and will index it as it then is."""
    state = _state(store)
    return state is not None and state[0] < memory <= state[1]


def rebuilding(store: Store) -> str:
    """A sentence about a rebuild that has not ended, or ""."""
    state = _state(store)
    if state is None:
        return ""
    return (
        f"the index is half rebuilt (up to #{state[0]} of #{state[1]}), so recall misses the rest; `clew reindex` goes on where it stopped"
    )


def reindex(store: Store, embedder: Embedder | None, scope: Sequence[int], tell: Callable[[int, int], None]) -> int:
    """Rebuild words and vectors of every memory from the text that is kept, going on where an earlier rebuild stopped.

    `scope` is every project; `tell(done, last)` is called after each step with memory numbers. Returns how many memories were indexed.
    Memories written meanwhile are indexed by whoever writes them.
    """
    with store.transaction():
        after, last = _begun(store, embedder)
    everything = Filter(now=float("-inf"), include_superseded=True)
    made = 0
    while after < last:
        step = [m for m in store.select(scope, everything, limit=STEP, after=after, newest=False) if m.id <= last]
        after = step[-1].id if len(step) == STEP else last
        vectors = meanings(step, embedder)
        with store.transaction():
            kept = store.fetch([m.id for m in step])  # one may have been forgotten or edited since
            store.index([document(kept[m.id], store.owner(m.id), v) for m, v in zip(step, vectors, strict=True) if kept.get(m.id) == m])
            late = [m for m in step if m.id in kept and kept[m.id] != m]
            store.index(
                [
                    document(kept[m.id], store.owner(m.id), v)
                    for m, v in zip(late, meanings([kept[m.id] for m in late], embedder), strict=True)
                ]
            )
            store.set_setting("reindex", f"{after} {last}" if after < last else None)
        made += len(kept)
        tell(after, last)
    with store.transaction():
        store.set_setting("reindex", None)
    return made


def _begun(store: Store, embedder: Embedder | None) -> tuple[int, int]:
    """(number reached, number to reach) of the rebuild that is under way by the same rules, else of one begun now."""
    by = signature(embedder) if embedder else None
    state = _state(store)
    if state is not None and store.setting("words") == str(text.VERSION) and store.setting("embedder") == by:
        return state
    store.wipe_index()
    store.set_setting("embedder", by)
    store.set_setting("words", str(text.VERSION))
    store.set_setting("reindex", f"0 {store.latest()}")
    return 0, store.latest()


def _state(store: Store) -> tuple[int, int] | None:
    kept = store.setting("reindex")
    if kept is None:
        return None
    after, last = kept.split()
    return int(after), int(last)
