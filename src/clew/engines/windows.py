"""The working sets of clients' sessions: what their events brought and used, kept in the store and passed over when a turn ends."""

from __future__ import annotations

import json

from clew.engines import staling
from clew.engines.lines import CHARS_PER_TOKEN
from clew.engines.working_set import BUDGET, plain_of, status_of, window_of
from clew.errors import InvalidInput
from clew.rules import fsrs, scoring
from clew.rules import working_set as rules
from clew.store.work import Observation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from clew.model import Memory
    from clew.rules.working_set import Window
    from clew.store.base import Store

MEMORY = "m:"  # before a memory's number, as a handle
REQUEST = "r:"  # before a turn's number, as the handle of what the user said in it
STUBS = 400  # of one session that are remembered by their worth; older ones are still found among the observations
WORDS = 12  # of what was observed that describe it
_REQUESTED = "what the user asked earlier"  # stands for what is neither observed nor a memory
_FRESH = ("startup", "clear", "fork")  # sources of a session's start that open a new window


def of(store: Store, session: str) -> Window | None:
    """The window of a session as the store has it; None for none, or one that cannot be read any more."""
    kept = store.window(session)
    try:
        return None if kept is None else window_of(json.loads(kept))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, InvalidInput):
        return None


def told(store: Store, scope: Sequence[int], session: str | None = None) -> dict[str, Any] | None:
    """What a session's window holds, as `status` shows it: working_set.status_of, the session, and what each handle stands for.

    `session` None is the one of the scope that was active last; None comes back where it has no window.
    """
    name = store.latest_window(scope) if session is None else session
    window = of(store, name) if name else None
    if window is None or name is None:
        return None
    status = status_of(window)
    known = {o.handle: o.target for o in store.observations(scope, limit=STUBS, session=name)}
    numbers = [int(one["handle"][len(MEMORY) :]) for one in status["next"] if one["handle"].startswith(MEMORY)]
    known |= {f"{MEMORY}{memory.id}": memory.summary for memory in store.fetch(numbers).values()}
    return {"session": name, **status, "next": [{**one, "what": known.get(one["handle"], _REQUESTED)} for one in status["next"]]}


def follow(store: Store, project: int, session: str, lines: Sequence[Mapping[str, Any]]) -> None:
    """Inside a transaction: let a session's window follow what its events tell, oldest first."""
    window = of(store, session) or rules.opened(BUDGET)
    for line in lines:
        apply = _APPLY.get(line["kind"])
        if apply is not None:
            window = apply(store, project, window, line)
    keep(store, project, session, window, float(lines[-1]["at"]))


def keep(store: Store, project: int, session: str, window: Window, at: float) -> None:
    """Inside a transaction: save a window; of more than STUBS stubs the oldest are left to the observations."""
    if len(window.stubs) > STUBS:
        kept = dict(list(window.stubs.items())[-STUBS:])
        window = window._replace(stubs=kept, lines=tuple(line for line in window.lines if line in kept))
    store.save_window(session, project, json.dumps(plain_of(window), ensure_ascii=False, separators=(",", ":")), at)


def _started(store: Store, project: int, window: Window, line: Mapping[str, Any]) -> Window:
    budget = line.get("budget")
    size = budget if isinstance(budget, int) and budget > 0 else window.budget
    if line.get("source") in _FRESH:
        window = rules.opened(size)
    elif line.get("source") == "compact":
        window = emptied(window)
    return _shown(store, project, window._replace(budget=size), line)


def emptied(window: Window) -> Window:
    """A window whose content a compaction took away: nothing of it was evicted by us, all of it can be asked for."""
    return window._replace(residents={}, stubs={**window.stubs, **window.residents}, lines=(), request="", failing=())


def _prompt(store: Store, project: int, window: Window, line: Mapping[str, Any]) -> Window:
    at, text = float(line["at"]), line.get("text", "")
    window = rules.next_turn(window, at)
    if text:
        tags = scoring.tags_of(text=text)
        item = rules.Thing(f"{REQUEST}{window.turn}", _tokens(text), tags=tags, query=f"{REQUEST}{window.turn}", request=True)
        window = rules.admit(window, item, at)
    return _shown(store, project, window, line)


def _tool(store: Store, project: int, window: Window, line: Mapping[str, Any]) -> Window:
    from clew.engines.observing import seen_in  # with what reads files, which a session's start does without

    seen, at = seen_in(line), float(line["at"])
    if seen is None:
        return window
    target, handle, kind = seen.get("target", ""), seen["handle"], seen["kind"]
    parts = {name: seen.get(name, "") for name in ("hash", "gist", "text")}
    if kind == "file":
        staling.met(store, project, target, parts["hash"], at)
    store.observe(project, Observation(line["session"], handle, kind, target, tokens=seen["tokens"], at=at, **parts))
    names = tuple(seen.get("symbols", ()))[:WORDS]
    tags = scoring.tags_of(target, symbols=names) if kind == "file" else scoring.tags_of(text=target)[:WORDS]
    where = {"source": target} if kind == "file" else {"query": target}
    window = rules.admit(window, rules.Thing(handle, seen["tokens"], tags=tags, resolves=bool(parts["hash"]), **where), at)
    return window._replace(failing=_failing(window.failing, handle, line.get("attempt")))


def _failing(failing: tuple[str, ...], handle: str, attempt: object) -> tuple[str, ...]:
    """The handles of what open goals failed with, after one more attempt."""
    outcome = attempt.get("outcome") if isinstance(attempt, dict) else None
    rest = tuple(h for h in failing if h != handle)
    return (*rest, handle) if outcome == "fail" else rest if outcome in ("pass", "partial") else failing


def _settled(store: Store, project: int, window: Window, line: Mapping[str, Any]) -> Window:
    return rules.settle(window, float(line["at"]))[0]


def _shown(store: Store, project: int, window: Window, line: Mapping[str, Any]) -> Window:
    """Memories that a pack put before the agent are in its window, used by nobody yet; those whose code has changed are found out."""
    at, shown = float(line["at"]), list(store.fetch([number for number, _ in line.get("shown", ())]).values())
    staling.mark(store, shown, line["place"][2], at)
    for memory in shown:
        window = rules.show(window, item_of(memory), at)
    return window


def item_of(memory: Memory) -> rules.Thing:
    """A memory as a thing in a window."""
    text = f"{memory.summary} {memory.detail[:200]}"
    paths = [pointer.path for pointer in memory.pointers[:1]]
    tags = scoring.tags_of(*paths, text=text)[: WORDS + len(paths)]
    handle = f"{MEMORY}{memory.id}"
    size = _tokens(memory.summary + memory.detail)
    return rules.Thing(handle, size, memory.kind, query=handle, tags=tags, resolves=bool(paths), pinned=memory.pinned, credit=memory.credit)


def _used(store: Store, project: int, window: Window, line: Mapping[str, Any]) -> Window:
    """Memories that a recall brought are in the window, and were of use."""
    at = float(line["at"])
    for memory in store.fetch([number for number, _ in line.get("shown", ())]).values():
        window = rules.use(rules.admit(window, item_of(memory), at), f"{MEMORY}{memory.id}", at, k=fsrs.USED["uncertain"])
    return window


def _tokens(text: str) -> int:
    return max(1, int(len(text) / CHARS_PER_TOKEN))


_APPLY: dict[str, Callable[[Store, int, Window, Mapping[str, Any]], Window]] = {
    "session_start": _started,
    "prompt": _prompt,
    "tool": _tool,
    "compact": _settled,
    "turn_end": _settled,
    "used": _used,
}
