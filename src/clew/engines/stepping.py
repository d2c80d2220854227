"""Every memory of some projects in order of its number, ended and expired ones too, some at a time: what is written meanwhile does not move
the place where a walk stands."""

from __future__ import annotations

from clew.model import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clew.model import Memory
    from clew.store.base import Store

STEP = 500  # memories of one step
EVERYTHING = Filter(now=float("-inf"), include_superseded=True)


def step(
    store: Store, scope: Sequence[int], after: int, *, last: int | None = None, which: Filter = EVERYTHING, most: int = STEP
) -> list[Memory]:
    """At most `most` memories behind the number `after` and up to `last`; fewer where there are no more."""
    found = store.select(scope, which, limit=most, after=after, newest=False) if scope else []
    return found if last is None else [m for m in found if m.id <= last]


def steps(store: Store, scope: Sequence[int], *, which: Filter = EVERYTHING) -> Iterator[list[Memory]]:
    """All of them, step by step, each read when it is asked for."""
    after = 0
    while found := step(store, scope, after, which=which):
        after = found[-1].id
        yield found
