"""What a search lets through, checked: a filter's parts, and its `where`, held against the types that the store's metadata has."""

from __future__ import annotations

from clew.errors import InvalidInput
from clew.model import KINDS, META, STATUSES, Filter
from clew.rules.intake import moment, one_line, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from clew.store.base import Store


def filtered(
    now: float,
    *,
    kinds: Sequence[str] = (),
    tags: Sequence[str] = (),
    statuses: Sequence[str] = ("active",),
    as_of: float | None = None,
    since: float | None = None,
    until: float | None = None,
    ended: bool = False,
) -> Filter:
    """A Filter of checked parts; `ended` lets superseded and finished memories through. Raises InvalidInput naming the field."""
    for field, given, known in (("kind", kinds, KINDS), ("status", statuses, STATUSES)):
        for value in _listed(given, field):
            if value not in known:
                raise InvalidInput(field, f"'{str(value)[:40]}' is not one of {', '.join(known)}")
    words = tuple(one_line(sound(tag, "tags")) for tag in _listed(tags, "tags"))
    first, last = moment(since, "since"), moment(until, "until")
    if first is not None and last is not None and last < first:
        raise InvalidInput("until", "lies before since, so nothing could ever match; swap the two")
    return Filter(now, tuple(kinds), words, tuple(statuses), moment(as_of, "as_of"), first, last, ended)


def _listed(given: Any, field: str) -> Sequence[Any]:
    if isinstance(given, str):
        raise InvalidInput(field, f"must be a list, not one text; write [{given[:40]!r}]")
    if not hasattr(given, "__len__") or not hasattr(given, "__iter__"):
        raise InvalidInput(field, f"must be a list, not {type(given).__name__}")
    return given  # type: ignore[no-any-return]


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
