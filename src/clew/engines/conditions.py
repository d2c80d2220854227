"""`where` on its way into a filter: read, and held against the types that the store's metadata has."""

from __future__ import annotations

from clew.model import META, STATUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from clew.model import Filter
    from clew.store.base import Store


def asking(which: Filter, where: Any) -> Filter:
    """The filter with a condition, text or JSON. One that asks of the status decides about it: then ended memories pass the filter.

    Raises InvalidInput for what cannot be read or makes no sense.
    """
    if where is None:
        return which
    from clew.rules import predicates  # a millisecond, which a hook does without
    from clew.rules.where import parsed

    condition = parsed(where)
    decides = condition is not None and "status" in predicates.names(condition) and which.statuses == ("active",)
    return which._replace(where=condition, statuses=STATUSES if decides else which.statuses)


def agreed(store: Store, scope: Sequence[int], which: Filter) -> None:
    """Raises InvalidInput where the condition compares metadata with a type that none of its values in the scope has."""
    if which.where is not None and scope:
        from clew.rules import predicates

        keys = [name.removeprefix(META) for name in sorted(predicates.names(which.where)) if name.startswith(META)]
        predicates.fit(which.where, store.metadata_types(scope, keys))
