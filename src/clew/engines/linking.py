"""Links that somebody makes, and what is remembered about a thing by its name."""

from __future__ import annotations

from clew.engines.lifecycle import find
from clew.errors import InvalidInput, NotFound
from clew.limits import RECALL_LIMIT
from clew.model import Mentions
from clew.rules.cues import checked_relation
from clew.rules.entities import asked_keys
from clew.rules.intake import sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.model import Filter
    from clew.store.base import Store


def link(store: Store, src: int | str, relation: str, dst: int | str, *, origin: str, now: float) -> bool:
    """Let a link lead from one memory to another; False when it did already. Raises InvalidInput, NotFound."""
    word = checked_relation(relation)
    with store.transaction():
        return store.attach(find(store, src, "src").id, word, find(store, dst, "dst").id, at=now, origin=origin)


def unlink(store: Store, src: int | str, relation: str, dst: int | str) -> bool:
    """Take a link away; False when there was none. Raises InvalidInput, NotFound."""
    word = checked_relation(relation)
    with store.transaction():
        return store.remove_link(find(store, src, "src").id, word, find(store, dst, "dst").id)


def known_as(store: Store, name: str, scope: Sequence[int], which: Filter, *, limit: int) -> Mentions:
    """The things in the scope that answer to a name, and the newest memories that name them.

    Raises NotFound for a name of nothing, InvalidInput for an empty one.
    """
    asked = sound(name, "name").strip()
    if not asked:
        raise InvalidInput("name", "is empty; give a file, symbol, ticket, commit, package, person or title")
    ids = sorted({i for found in store.entities_named(scope, asked_keys(asked)).values() for i in found}) if scope else []
    entities = store.entities(ids, scope) if ids else {}
    if not entities:
        raise NotFound(f"nothing that is remembered here names '{asked[:60]}'", "`clew recall` finds what merely speaks of it")
    mentioned = store.mentioned(entities, RECALL_LIMIT)
    memories = sorted({memory for found in mentioned.values() for memory in found}, reverse=True)
    passed = store.admitted(memories, scope, which)
    newest = [memory for memory in memories if memory in passed]
    kept = store.fetch(newest[:limit])
    return Mentions(tuple(entities[i] for i in ids if i in entities), tuple(kept[i] for i in newest[:limit]), len(newest) - len(kept))
