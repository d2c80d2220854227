"""What reaches an agent by itself: the opening pack of a session, the prompt pack, and the resume pointers that lead the first."""

from __future__ import annotations

from clew.engines import recall
from clew.engines.conditions import filtered
from clew.model import Pack
from clew.rules import packs
from clew.rules.echo import asks_nothing, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clew.embed.base import Embedder
    from clew.model import Memory
    from clew.store.base import Store

RESUMES = 5  # pointers an opening pack shows
STRONGEST = 40  # memories of a part that are looked at
ASKED = 12  # hits a prompt pack chooses from


def pointers(store: Store, scope: Sequence[int], now: float) -> list[Memory]:
    """Open resume pointers, newest first."""
    return store.select(scope, filtered(now, kinds=("state",), tags=(packs.RESUME_TAG,)), limit=RESUMES)


def opening(
    store: Store, scope: Sequence[int], *, project: str, shown: Mapping[int, float], now: float, health: str, budget: int, root: str = ""
) -> tuple[Pack, list[Memory]]:
    """(the opening pack, the memories in it): resume pointers, then each part's strongest, without what this window has seen. Reads only.

    `shown` maps memory numbers to the `updated_at` they were shown with; in the folder `root` is looked whether the code they are about
    has changed.
    """
    resume = [m for m in pointers(store, scope, now) if shown.get(m.id) != m.updated_at]
    led = {m.id for m in resume}
    parts: list[list[Memory]] = [resume]
    for _, kinds, _ in packs.PARTS[1:]:
        found = store.strongest(scope, filtered(now, kinds=kinds), limit=STRONGEST)
        fresh = [m for m in found if m.id not in led and shown.get(m.id) != m.updated_at]
        parts.append(sorted(fresh, key=lambda m: (-packs.standing(m, now), -m.recorded_at, m.id)))
    seen = sum(m.status == "active" for m in store.fetch(list(shown)).values())
    known = max(0, store.count(scope, filtered(now)) - seen)
    pack = packs.opening(parts, project=project, known=known, now=now, health=health, budget=budget)
    chosen = [m for part in parts for m in part if m.id in pack.ids]
    if stale := _stale(chosen, root):
        parts = [[stale.get(m.id, m) for m in part] for part in parts]
        pack = packs.opening(parts, project=project, known=known, now=now, health=health, budget=budget)
    return pack, [m for m in chosen if m.id in pack.ids]


def _stale(chosen: Sequence[Memory], root: str) -> dict[int, Memory]:
    """Those of the memories that are found to be stale just now."""
    if not any(pointer.hash for memory in chosen for pointer in memory.pointers):
        return {}
    from clew.engines import staling  # reads files, which most packs do without

    looked = zip(chosen, staling.noticed(chosen, root), strict=True)
    return {after.id: after for before, after in looked if after.stale and not before.stale}


def prompt(
    store: Store, embedder: Embedder | None, text: str, scope: Sequence[int], *, shown: Mapping[int, float], now: float, budget: int
) -> tuple[Pack, list[Memory]]:
    """(the prompt pack, the memories in it): what is relevant and was not shown in this session since it last changed. Reads only.

    `shown` maps memory numbers to the `updated_at` they were shown with.
    """
    asked = said(text)
    if asks_nothing(asked) or not scope:
        return Pack("", (), 0), []
    hits, _ = recall.recall(store, embedder, asked, scope, filtered(now), limit=ASKED, method="sum", words=False, graph=False, dated=False)
    fresh = [m for m in packs.bearing(hits) if shown.get(m.id) != m.updated_at and not m.resting]
    pack = packs.prompt(fresh, now=now, budget=budget)
    return pack, [m for m in fresh if m.id in pack.ids]
