"""Better vectors in the place of the table's, memory by memory, while everything else goes on: the quality tier's pass."""

from __future__ import annotations

from clew.engines.indexing import DEEPENED, document, meanings, signature
from clew.errors import EmbedderMismatch
from clew.model import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clew.embed.base import Embedder
    from clew.store.base import Store

STEP = 50  # memories of one step, one transaction each: a second or two of reading


def begin(store: Store) -> None:
    """Write down that every memory there is now is to be read; whoever stops half way can go on."""
    with store.transaction():
        store.set_setting(DEEPENED, f"0 {store.latest()}")


def deepen(store: Store, reader: Embedder, scope: Sequence[int], tell: Callable[[int, int], None]) -> int:
    """Give the memories of the pass that is under way the vectors that `reader` makes of them; how many got theirs.

    `reader` shares name and fingerprint with the embedder in whose space its vectors lie. A memory that changes meanwhile keeps what it was
    indexed with. `tell(done, last)` is called after each step with memory numbers. Raises EmbedderMismatch.
    """
    made = 0
    everything = Filter(now=float("-inf"), include_superseded=True)
    while (state := _state(store)) is not None:
        at, last = state
        step = [m for m in store.select(scope, everything, limit=STEP, after=at, newest=False) if m.id <= last]
        vectors = meanings(step, reader)
        with store.transaction():
            made_by = store.setting("embedder")
            if made_by not in (None, signature(reader)):
                raise EmbedderMismatch(made_by or "off", signature(reader))
            if _state(store) != state:  # another process did this step, or began anew
                continue
            kept = store.fetch([m.id for m in step])
            known = [(m, vector) for m, vector in zip(step, vectors, strict=True) if kept.get(m.id) == m and vector]
            same = [document(m, store.owner(m.id), vector) for m, vector in known]
            store.unindex(same)
            store.index(same)
            made += len(same)
            at = step[-1].id if len(step) == STEP else last
            store.set_setting(DEEPENED, f"{at} {last}" if at < last else None)
        tell(at, last)
    store.scrub()
    return made


def _state(store: Store) -> tuple[int, int] | None:
    kept = store.setting(DEEPENED)
    if kept is None:
        return None
    reached, last = kept.split()
    return int(reached), int(last)
