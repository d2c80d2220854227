"""What memories name, and the links their wording states: kept with every write, inside its transaction. No model, no disk."""

from __future__ import annotations

from clew.store.graph import RULED, Noted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.model import Memory
    from clew.store.base import Store

_READ = ("summary", "detail", "tags", "pointers", "source", "metadata")  # the fields that what is noted comes from


def note(store: Store, memories: Sequence[Memory], project: int) -> None:
    """Inside a transaction: keep what memories name, and join those that their wording, or that of older ones, joins."""
    if memories:
        store.note(project, [_noted(memory) for memory in memories])
        _join(store, [memory.id for memory in memories])


def renote(store: Store, before: Memory, after: Memory, project: int, *, moved: bool = False) -> None:
    """Inside a transaction: note a memory anew where its text has changed, or it has come to another project."""
    if moved or any(getattr(before, field) != getattr(after, field) for field in _READ):
        behind = store.outranked([before.id])
        store.unnote([before.id])
        note(store, [after], project)
        rejoin(store, [*behind, *store.outranked([after.id])])


def rejoin(store: Store, memories: Sequence[int]) -> None:
    """Inside a transaction: make the links by wording of memories anew, which others have let in or kept out by what became of them."""
    if memories:
        store.unjoin(memories)
        _join(store, memories)


def _noted(memory: Memory) -> Noted:
    from clew.rules.cues import cues, subjects  # milliseconds, which a hook does without
    from clew.rules.entities import of_memory

    named = of_memory(memory)
    return Noted(memory.id, named, sorted(subjects(memory)), cues(memory, named))


def _join(store: Store, memories: Sequence[int]) -> None:
    for cued, relation, subject, backward, at in store.meetings(memories):
        src, dst = (subject, cued) if backward else (cued, subject)
        store.add_link(src, relation, dst, at=at, origin=RULED)
