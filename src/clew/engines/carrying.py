"""What an agent is told when its window was taken away: the carry-over pack, filled from what the store knows of its session."""

from __future__ import annotations

import os

from clew.engines import context, windows
from clew.engines.conditions import filtered
from clew.engines.hashes import FILE_BYTES, file_hash
from clew.engines.lines import CHANGED
from clew.engines.staling import noticed
from clew.ids import blake2b
from clew.rules import carryover, packs
from clew.rules import working_set as rules
from clew.rules.carryover import Carried, Failure, FileInPlay, SetAside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clew.model import Attempt, Memory
    from clew.rules.carryover import CarryOver
    from clew.rules.working_set import Window
    from clew.store.base import Store
    from clew.store.work import Observation

FILES = 120  # that a pack chooses from, which are more than it has room for; each is looked at on the disk
LOOKED_BYTES = 64 << 20  # of them that are read, the most worth keeping first; whether others changed is not told
THINGS = 400  # observations of a session that are looked at
MEMORIES = 12
FAILURES = 8
ASIDE = 40
NEXT_CHARS = 300
NUDGE_CHARS = 40  # of a request below which it may only say to go on
TELLINGS = 50  # starts of one session whose changed files are not told again


def over(
    store: Store, scope: Sequence[int], session: str, *, root: str, project: str, shown: Mapping[int, float], now: float, whole: bool
) -> tuple[CarryOver, list[Memory], list[str]]:
    """(the carry-over pack of a session, the memories in it, marks of the changes it tells of); no text where there is nothing to tell.

    `whole` is for a window that is gone; else (a session that is resumed with its window) it tells only what changed: files that are not
    as they were read, unless it was told so before, and memories that are new. Reads only.
    """
    window = windows.of(store, session)
    seen = {o.handle: o for o in store.observations(scope, limit=THINGS, session=session)}
    if window is None or not (seen or window.request or not whole):
        return carryover.CarryOver(""), [], []
    order = _by_worth(window)
    files = [o for handle in order if (o := seen.get(handle)) is not None and o.kind == "file"][:FILES]
    in_play, marks = _in_play(files, root)
    before = set() if whole else _told(store, scope, session)
    known = noticed([m for m in _memories(store, scope, now) if shown.get(m.id) != m.updated_at], root)
    carried = Carried(
        request=_request(store, scope, session) if whole else "",
        pinned=[m for m in known if m.pinned or m.kind in ("user", "intent")][:MEMORIES],
        settled=[m for m in known if m.kind == "decision" and not m.pinned][:MEMORIES],
        failures=_failures(store, scope, session) if whole else (),
        files=in_play if whole else [f for f in in_play if f.changed and marks[f.path] not in before],
        aside=_aside(order, window, seen) if whole else (),
        next_step=_next(store, scope, session, now) if whole else "",
    )
    pack = carryover.pack(carried, now=now, project=project, whole=whole)
    told = [m for m in (*carried.pinned, *carried.settled) if m.id in pack.ids]
    return pack, told, [marks[path] for path in pack.files if path in marks]


def _told(store: Store, scope: Sequence[int], session: str) -> set[str]:
    """Marks of the changes that a session was told of."""
    found: set[str] = set()
    for _, _, text in store.told(scope, session, CHANGED, limit=TELLINGS):
        found.update(text.split())
    return found


def _request(store: Store, scope: Sequence[int], session: str) -> str:
    """What the user said last; of a nudge ("go on") alone nobody knows the task, so the last longer request stands before it."""
    last = store.said(scope, session, "prompt")
    task = store.said(scope, session, "prompt", least=NUDGE_CHARS) if len(last) < NUDGE_CHARS else ""
    return f"{task}\n{last}" if task else last


def _by_worth(window: Window) -> list[str]:
    """Handles of all that the window holds or held, the most worth keeping first."""
    held = window._replace(residents={**window.stubs, **window.residents})
    return list(reversed(rules.worths(held)))


def _in_play(files: Sequence[Observation], root: str) -> tuple[list[FileInPlay], dict[str, str]]:
    """(the files with whether each is another one now than when it was read; of those that are a mark of that change, by path)."""
    found, marks, left = [], {}, LOOKED_BYTES
    for seen in files:
        path = os.path.join(root, seen.target)
        size = _size(path) if seen.hash else 0  # what could not be read then is not looked for now
        left -= min(FILE_BYTES, size or 0)
        content = "" if size is None else file_hash(path) if left >= 0 and seen.hash else seen.hash
        found.append(FileInPlay(seen.target, seen.gist, content != seen.hash, gone=size is None))
        if content != seen.hash:
            marks[seen.target] = blake2b(f"{seen.target}\0{seen.at}\0{content}".encode("utf-8", "replace"), digest_size=8).hexdigest()
    return found, marks


def _size(path: str) -> int | None:
    """The size of a file in bytes, 0 where it cannot be told, None where there is none."""
    try:
        return os.path.getsize(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        return 0


def _memories(store: Store, scope: Sequence[int], now: float) -> list[Memory]:
    """What is settled and what is pinned, the strongest first."""
    found = store.strongest(scope, filtered(now, kinds=("user", "intent", "decision", "feedback", "state")), limit=4 * MEMORIES)
    led = [m for m in found if packs.RESUME_TAG not in m.tags]
    return sorted(led, key=lambda m: (-packs.standing(m, now), -m.recorded_at, m.id))


def _failures(store: Store, scope: Sequence[int], session: str) -> list[Failure]:
    """The last failure of every goal of the session that was not reached since, the latest first."""
    by_goal: dict[str, list[Attempt]] = {}
    for attempt in store.attempts(scope, limit=THINGS, session=session):  # newest first
        by_goal.setdefault(attempt.goal, []).append(attempt)
    found = []
    for goal, tries in by_goal.items():
        counted = [a for a in tries if a.outcome in ("pass", "partial", "fail")]
        if counted and counted[0].outcome != "pass":
            same = sum(a.fingerprint == counted[0].fingerprint for a in counted)
            found.append(Failure(goal, counted[0].evidence, same))
    return found[:FAILURES]


def _aside(order: Sequence[str], window: Window, seen: Mapping[str, Observation]) -> list[SetAside]:
    """What is no file, with the handle that brings it back."""
    known = {**window.stubs, **window.residents}
    things = [(handle, seen[handle]) for handle in order if handle in seen and seen[handle].kind != "file"][:ASIDE]
    return [SetAside(handle, f"{o.target} → {o.gist}", known[handle].thing.size) for handle, o in things]


def _next(store: Store, scope: Sequence[int], session: str, now: float) -> str:
    """The newest resume pointer, else how the agent's last message ended."""
    pointers = context.pointers(store, scope, now)
    if pointers:
        return pointers[0].summary
    said = [part for part in store.said(scope, session, "reply").split("\n") if part.strip()]
    return said[-1][-NEXT_CHARS:] if said else ""
