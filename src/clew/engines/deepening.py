"""Better vectors in the place of the table's, memory by memory, while everything else goes on: the quality tier's pass.

How far it came is one setting, "reached last": below `last` a pass is under way, at `last` it has ended and what is newer waits.
"""

from __future__ import annotations

from clew.engines import stepping
from clew.engines.indexing import DEEPENED, agree, document, meanings, rebuilding, signature
from clew.errors import EmbedderMismatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clew.embed.base import Embedder
    from clew.store.base import Store

STEP = 50  # memories of one step, one transaction each: a second or two of reading; fewer would break the sign bits into small blocks


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
    while (state := _state(store)) is not None and state[0] < state[1]:
        done = _step(store, reader, scope, state)
        if done is not None:
            made, reached = made + done[0], done[1]
            tell(reached, state[1])
    store.scrub()
    return made


def behind(store: Store) -> bool:
    """Whether a step of `catch_up` would find a memory that no reader has read yet. Two small queries."""
    reached, _ = _state(store) or (0, 0)
    return reached < store.latest() and not rebuilding(store) and store.setting("embedder") is not None


def catch_up(store: Store, reader: Embedder, scope: Sequence[int]) -> bool:
    """One step towards the newest memory; whether there was one to take. It goes on with a pass that was cut off.

    Raises EmbedderMismatch, StoreError.
    """
    if not behind(store):
        return False
    reached, last = _state(store) or (0, 0)
    _step(store, reader, scope, (reached, max(last, store.latest())))
    return True


def _step(store: Store, reader: Embedder, scope: Sequence[int], state: tuple[int, int]) -> tuple[int, int] | None:
    """(vectors made, number reached) of the next memories up to the last of `state`; None where another process was faster."""
    before = store.setting(DEEPENED)
    at, last = state
    step = stepping.step(store, scope, at, last=last, most=STEP)
    vectors = meanings(step, reader)
    with store.transaction():
        made_by = store.setting("embedder")
        if made_by not in (None, signature(reader)):
            raise EmbedderMismatch(made_by or "off", signature(reader))
        agree(store, reader)
        if store.setting(DEEPENED) != before or rebuilding(store):  # another process did this step, or makes the index anew
            return None
        kept = store.fetch([m.id for m in step])
        known = [(m, vector) for m, vector in zip(step, vectors, strict=True) if kept.get(m.id) == m and vector]
        same = [document(m, store.owner(m.id), vector) for m, vector in known]
        store.unindex(same)
        store.index(same)
        reached = step[-1].id if len(step) == STEP else last
        store.set_setting(DEEPENED, f"{reached} {max(reached, int((before or '0 0').split()[1]))}")
    return len(same), reached


def _state(store: Store) -> tuple[int, int] | None:
    kept = store.setting(DEEPENED)
    if kept is None:
        return None
    reached, last = kept.split()
    return int(reached), int(last)
