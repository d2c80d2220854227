"""What the searches are told of a memory: its terms by weighted field, and the text whose meaning is embedded."""

from __future__ import annotations

from clew import text
from clew.embed.base import made as made_by_it
from clew.embed.blend import blended_many
from clew.engines import extract, stepping
from clew.errors import EmbedderMismatch, StoreError
from clew.rules.bm25 import FIELD_WEIGHTS
from clew.store.searches import Document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clew.embed.base import Embedder
    from clew.model import Memory
    from clew.store.base import Store

DEEPENED = "deepened"  # setting: "reached last" of the pass in `deepening`, under way below last; a rebuild undoes what it did


def document(memory: Memory, project: int, vector: bytes = b"") -> Document:
    """The memory as the searches know it. Pure, so that what was indexed can be named again to take it out."""
    counts: dict[str, int] = {}
    length = 0
    for field, words in _fields(memory):
        if not words:
            continue
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
    detailed = [at for at, m in enumerate(memories) if m.detail]
    vectors = embedder.embed_many([*(m.summary for m in memories), *(memories[at].detail for at in detailed)])
    details = [b""] * len(memories)
    for at, vector in zip(detailed, vectors[len(memories) :], strict=True):
        details[at] = vector
    return blended_many(vectors[: len(memories)], details)


def signature(embedder: Embedder) -> str:
    """Which embedder made a store's vectors: its name and the fingerprint of its table."""
    return f"{embedder.name}@{embedder.fingerprint}"


def agree(store: Store, embedder: Embedder | None) -> tuple[str | None, str | None]:
    """By which embedder and which rules of words the index was made, None each where nothing says so yet.

    Raises EmbedderMismatch, or StoreError for words, when these are others than this process follows.
    """
    made_by = store.setting("embedder")
    if embedder is not None and made_by is not None and not made_by_it(made_by, embedder):
        raise EmbedderMismatch(made_by, signature(embedder))
    words = store.setting("words")
    if words is not None and words != str(text.VERSION):
        raise StoreError(
            f"this store's words were indexed by rules {words}, this clew follows {text.VERSION}; rebuild them with `clew reindex`"
        )
    return made_by, words


def sign(store: Store, embedder: Embedder | None) -> None:
    """Inside a transaction: hold the index's rules against ours once more, and write them down where nothing says so yet.

    A store that gets vectors for some of its memories only is marked, so that the gap is seen. Raises as `agree` does.
    """
    made_by, words = agree(store, embedder)
    if words is None:
        store.set_setting("words", str(text.VERSION))
    if (made_by is None) != (embedder is None) and (made_by is not None or store.latest()):
        store.set_setting("gaps", "1")
    if embedder is not None and made_by is None:
        store.set_setting("embedder", signature(embedder))


def awaits(store: Store, memory: int) -> bool:
    """Whether a rebuild that is under way has still to reach this memory, and will index it as it then is."""
    state = _state(store)
    return state is not None and state[0] < memory <= state[1]


def rebuilding(store: Store) -> bool:
    """Whether a rebuild is under way, by whomever."""
    return _state(store) is not None


def unfinished(store: Store) -> str:
    """A sentence about a rebuild that has not ended, or about memories kept while there was no embedder, or ""."""
    state = _state(store)
    if state is not None:
        return (
            f"the index is half rebuilt (up to #{state[0]} of #{state[1]}), so recall misses the rest; "
            "`clew reindex` goes on where it stopped"
        )
    if store.setting("gaps") is not None:
        return "some memories were kept while the embedder was off, so only their words find them; `clew reindex` adds their meaning"
    return ""


def half_deepened(store: Store) -> str:
    """A sentence about a pass of `deepening` that was begun and has not reached its end, or ""."""
    kept = store.setting(DEEPENED)
    if kept is None:
        return ""
    reached, last = map(int, kept.split())
    if reached >= last:
        return ""
    return f"better vectors are made up to #{reached} of #{last}; `clew reindex` goes on with CLEW_EMBED=quality"


def reindex(store: Store, embedder: Embedder | None, scope: Sequence[int], tell: Callable[[int, int], None]) -> int:
    """Rebuild words, vectors and what is named of every memory from the text that is kept, going on where an earlier rebuild stopped.

    `scope` is every project; `tell(done, last)` is called after each step with memory numbers. Returns how many memories were indexed.
    Memories written meanwhile are indexed by whoever writes them.
    """
    if embedder is not None:
        embedder.embed("ready?")  # a model server that is down shall say so before anything is wiped
    by = signature(embedder) if embedder else None
    with store.transaction():
        at, last = _begun(store, by)
    made = 0
    while at < last:
        step = stepping.step(store, scope, at, last=last)
        vectors = meanings(step, embedder)
        with store.transaction():
            if store.setting("embedder") != by:
                raise EmbedderMismatch(store.setting("embedder") or "off", by or "off")  # another process began anew with it
            if _state(store) == (at, last):
                made += _rebuilt(store, embedder, step, vectors)
                at = step[-1].id if len(step) == stepping.STEP else last
                _reached(store, at, last)
            else:  # another process rebuilds it too, and has done this step
                at, last = _state(store) or (last, last)
        tell(at, last)
    store.scrub()
    return made


def _rebuilt(store: Store, embedder: Embedder | None, step: Sequence[Memory], vectors: Sequence[bytes]) -> int:
    """Index one step; a memory may have been forgotten, moved or edited since it was read."""
    kept = store.fetch([m.id for m in step])
    known = {m.id: v for m, v in zip(step, vectors, strict=True) if kept.get(m.id) == m}
    late = [m for m in kept.values() if m.id not in known]
    known.update(zip((m.id for m in late), meanings(late, embedder), strict=True))
    owners = {m.id: store.owner(m.id) for m in kept.values()}
    store.index([document(m, owners[m.id], known[m.id]) for m in kept.values()])
    for project in dict.fromkeys(owners.values()):
        extract.note(store, [m for m in kept.values() if owners[m.id] == project], project)
    extract.rejoin(store, store.outranked(list(kept)))  # by what is older than a memory that was written meanwhile
    return len(kept)


def _reached(store: Store, at: int, last: int) -> None:
    store.set_setting("reindex", f"{at} {last}" if at < last else None)


def _begun(store: Store, by: str | None) -> tuple[int, int]:
    """(number reached, number to reach) of the rebuild that is under way by the same rules, else of one begun now."""
    state = _state(store)
    if state is not None and store.setting("words") == str(text.VERSION) and store.setting("embedder") == by:
        return state
    store.wipe_index()
    store.wipe_notes()
    store.set_setting("embedder", by)
    store.set_setting("words", str(text.VERSION))
    store.set_setting(DEEPENED, None)
    store.set_setting("gaps", None)  # what is written meanwhile says so itself
    _reached(store, 0, store.latest())
    return 0, store.latest()


def _state(store: Store) -> tuple[int, int] | None:
    kept = store.setting("reindex")
    if kept is None:
        return None
    after, last = kept.split()
    return int(after), int(last)
