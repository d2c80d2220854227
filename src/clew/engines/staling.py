"""Memories whose code changed: a pointer keeps the hash its file had, and once the file is another one the memory is stale."""

from __future__ import annotations

import os

from clew.engines import leaving
from clew.engines.hashes import file_hash, ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clew.model import Memory, Pointer
    from clew.store.base import Store

FILES = 60  # that are looked at for one pack
NAMING = 200  # memories that name a file, the newest, looked at when it was read or written


def noticed(memories: Sequence[Memory], root: str) -> list[Memory]:
    """The memories, those whose file is another one now as stale ones. Reads FILES files at most, and writes nothing."""
    return list(_looked_at(memories, root, {}))


def mark(store: Store, memories: Sequence[Memory], root: str, now: float) -> None:
    """Inside a transaction: grade and mark those of the memories whose file is another one now; each once, until it is put right."""
    for before, after in zip(memories, noticed(memories, root), strict=True):
        if after.stale and not before.stale:
            leaving.staled(store, before, now=now)


def met(store: Store, project: int, path: str, content: str, now: float) -> None:
    """Inside a transaction: a file was read or written and has the hash `content` now; mark the memories that know another one of it."""
    if not ours(content):
        return
    things = [entity for found in store.entities_named([project], [path.casefold()]).values() for entity in found]
    naming = {memory for found in store.mentioned(things, NAMING).values() for memory in found} if things else ()
    for memory in store.fetch(sorted(naming)).values():
        known = [p.hash for p in memory.pointers if p.path.removeprefix("./") == path and ours(p.hash)]
        if not memory.stale and memory.status == "active" and any(h != content for h in known):
            leaving.staled(store, memory, now=now)


def _looked_at(memories: Sequence[Memory], root: str, hashes: dict[str, str]) -> Iterable[Memory]:
    for memory in memories:
        watched = [p for p in memory.pointers if ours(p.hash)] if root and not memory.stale else []
        for pointer in watched:
            if pointer.path not in hashes and len(hashes) < FILES:
                hashes[pointer.path] = file_hash(os.path.join(root, pointer.path))
        yield memory._replace(stale=True) if any(_differs(p, hashes) for p in watched) else memory


def _differs(pointer: Pointer, hashes: Mapping[str, str]) -> bool:
    return pointer.path in hashes and hashes[pointer.path] != pointer.hash
