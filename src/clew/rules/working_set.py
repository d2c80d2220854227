"""What is resident in an agent's window, and what leaves it: state in, state and plan out. Nothing here waits, stores or looks at a clock.

A pass: (1) voluntary: what nothing protects and is retained below theta, or alone takes more than LARGEST of the window; (2) mark: above
`fill` of the budget, the lowest score leaves first, down to STEP below it; (3) hard: still above the budget, recent uses and misses
protect no more than LATELY of it, for a small window would be full of them. Never evicted: pinned, what lasts, the last request of the
user, failures of an open goal; and in (1) and (2) what one of the last CALLS used, and what was missed less than SPARED turns ago. What
leaves becomes a stub, one line by which it is asked for.

The whole runs on the activity clock of threshold.py: `used`, `graded` and a strength's `last_use` are its seconds.
"""

from __future__ import annotations

from heapq import heapify, heappop
from math import ceil

from clew.errors import InvalidInput, NotFound
from clew.model import Strength
from clew.rules import fsrs, scoring, threshold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

LARGEST = 0.20  # share of the budget that one thing may take once nothing protects it
STEP = 0.05  # how far below the mark a pass goes, so that not every call evicts
CALLS = 3
LATELY = 0.10  # share of the budget that recent uses and misses protect from the hard pass; the last use always
SPARED = 5  # turns after a miss
LINE = 24  # tokens a stub's line takes
LINES = 0.02  # share of the budget that stubs may take; the oldest lines go first


class Thing(NamedTuple):
    """What comes into the window: `size` in tokens, `tags` of scoring.tags_of, `credit` -1..1, `resolves` as in scoring.worth.

    `handle`, `source` (a file, whatever its hash), `query` (a search or command) and `digest` (of the content) are what it is asked for by.
    """

    handle: str
    size: int
    kind: str = "observation"
    source: str = ""
    query: str = ""
    digest: str = ""
    tags: tuple[str, ...] = ()
    resolves: bool = False
    pinned: bool = False
    credit: float = 0.0
    request: bool = False  # of the user


class Resident(NamedTuple):
    """A thing with its history in this session. `spared` is the first turn in which a miss protects it no more."""

    thing: Thing
    strength: Strength
    call: int
    graded: float | None = None
    graded_turn: int = -1
    spared: int = 0


class Window(NamedTuple):
    """The state of one session. `residents` and `stubs` go by handle, in the order they came; `lines` are the stubs that have a line."""

    budget: int
    clock: threshold.Clock = threshold.Clock()
    registers: threshold.Registers = threshold.Registers()
    turn: int = 0
    call: int = 0
    residents: Mapping[str, Resident] = {}
    stubs: Mapping[str, Resident] = {}
    lines: tuple[str, ...] = ()
    touched: tuple[tuple[str, ...], ...] = ()  # tags of the files used last, the newest last
    request: str = ""  # handle of the last request
    words: tuple[str, ...] = ()  # its tags
    failing: tuple[str, ...] = ()  # handles of what an open goal failed with
    evictions: int = 0
    misses: int = 0


class Plan(NamedTuple):
    """What the window should hold: handles to keep whole, to show as a stub's line, and to leave out; all of them can be asked for."""

    keep: tuple[str, ...]
    stub: tuple[str, ...]
    evict: tuple[str, ...]


def opened(budget: int) -> Window:
    """An empty window of that many tokens. Raises InvalidInput for a budget below one."""
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
        raise InvalidInput("budget", f"must be a whole number of tokens, at least 1, not {budget!r}")
    return Window(budget)


def at(window: Window, now: float) -> Window:
    """The window at `now` (UTC seconds): the activity clock has moved, and idle time the registers. A clock gone back moves nothing."""
    clock = threshold.advanced(window.clock, now)
    return window._replace(clock=clock, registers=threshold.idled(window.registers, clock.active))


def next_turn(window: Window, now: float) -> Window:
    """The window as a new turn of the agent begins."""
    return at(window, now)._replace(turn=window.turn + 1)


def admit(window: Window, thing: Thing, now: float) -> Window:
    """The window with what a call brought. What is known by its handle is used again, and missed when it had left.

    Known by its source, query or content alone, the newcomer takes on the history; a copy that it makes needless (same query or content,
    or a later reading of the file that is no smaller) leaves without a line. Raises InvalidInput for a thing that cannot be.
    """
    sound(thing)
    window = at(window, now)
    old = thing.handle if thing.handle in window.residents or thing.handle in window.stubs else _same(window, thing)
    if old is None:
        fresh = Resident(thing, fsrs.opening(thing.kind, window.clock.active), window.call + 1, window.clock.active, window.turn)
        return _in(window, fresh)
    here = old in window.residents
    window, before = _again(window, old)
    if old != thing.handle:
        needless = not here or thing.source == "" or thing.size >= before.thing.size
        kept = {handle: before if handle == old else r for handle, r in window.residents.items() if handle != old or not needless}
        window = window._replace(residents=kept, stubs={**window.stubs, old: before} if needless else window.stubs)
    return _in(window, before._replace(thing=thing))


def show(window: Window, thing: Thing, now: float) -> Window:
    """The window with a thing that was put before the agent unasked: it is there, but neither used nor missed. Raises InvalidInput."""
    sound(thing)
    window, handle = at(window, now), thing.handle
    if handle in window.residents:
        return window._replace(residents={**window.residents, handle: window.residents[handle]._replace(thing=thing)})
    if handle not in window.stubs:
        return admit(window, thing, now)
    back = window.stubs[handle]
    back = back._replace(thing=thing, strength=back.strength._replace(last_use=window.clock.active))
    stubs = {other: stub for other, stub in window.stubs.items() if other != handle}
    return _in(window._replace(stubs=stubs, lines=tuple(line for line in window.lines if line != handle)), back)


def use(window: Window, handle: str, now: float, *, k: float = 1.0) -> Window:
    """The window after something in it was used; what had left is missed and comes back. `k` as in fsrs.USED. Raises NotFound."""
    window, resident = _again(at(window, now), _known(window, handle), k)
    return _in(window, resident)


def ask(window: Window, what: str, now: float) -> tuple[Window, str]:
    """Whatever is asked for by handle, source, query or content: the window with it resident, and its handle. Raises NotFound."""
    handle = _known(window, what)
    return use(window, handle, now), handle


def settle(window: Window, now: float) -> tuple[Window, Plan]:
    """One pass at `now`: the window without what left, and what it should hold now."""
    window = at(window, now)
    quiet, safe = not threshold.paused(window.registers, window.clock.active), protected(window)
    worn = fsrs.age_at(window.registers.theta, 1.0)  # in stabilities: R < theta without a power for each resident
    leaving: dict[str, None] = {}
    for handle, resident in window.residents.items():
        if handle in safe:
            continue
        age = window.clock.active - resident.strength.last_use
        if (quiet and age > worn * resident.strength.stability) or resident.thing.size > LARGEST * window.budget:
            leaving[handle] = None
    window = _out(window, leaving)
    if used(window) > window.registers.fill * window.budget:
        window = lowered(window, (window.registers.fill - STEP) * window.budget, safe)
    if used(window) > window.budget:
        window = lowered(window, window.budget, protected(window, hard=True))
    return window, plan(window)


def lowered(window: Window, limit: float, safe: Collection[str]) -> Window:
    """The window with the lowest scores gone until it takes at most `limit` tokens, or until only what is `safe` is left.

    What turns out to have left in vain, a larger thing having left after it, stays: the best of it first.
    """
    over = used(window) - limit
    if over <= 0:
        return window
    queue = _queue(window, safe)
    heapify(queue)
    leaving: dict[str, int] = {}  # what each frees
    free = _line_room(window) - len(window.lines)
    while queue and over > 0:
        handle = heappop(queue)[-1]
        size = window.residents[handle].thing.size
        lined = size > LINE and free > 0  # where lines are full a new one takes the place of the oldest
        free -= lined
        leaving[handle] = size - LINE * lined
        over -= leaving[handle]
    for handle in reversed(tuple(leaving)):
        if over + leaving[handle] <= 0:
            over += leaving.pop(handle)
    window = _out(window, leaving)
    surplus = ceil(max(0, used(window) - window.budget) / LINE)  # nothing more may leave but lines
    return window._replace(lines=window.lines[surplus:]) if surplus else window


def protected(window: Window, *, hard: bool = False) -> set[str]:
    """Handles that no pass evicts; in the `hard` pass recent uses and misses together protect LATELY of the budget, the newest first."""
    safe, lately = {*window.failing, window.request}, []
    for handle, resident in window.residents.items():
        if fsrs.lasts(resident.thing.kind, resident.thing.pinned):
            safe.add(handle)
        elif resident.spared > window.turn or resident.call > window.call - CALLS:
            lately.append((resident.call, handle))
    room = LATELY * window.budget
    for place, (_, handle) in enumerate(sorted(lately, reverse=True)):
        room -= window.residents[handle].thing.size
        if not hard or room >= 0 or place == 0:
            safe.add(handle)
    return safe


def used(window: Window) -> int:
    """Tokens the window takes, stubs' lines included."""
    return sum(resident.thing.size for resident in window.residents.values()) + LINE * len(window.lines)


def plan(window: Window) -> Plan:
    """What the window holds, as it is."""
    lines = frozenset(window.lines)
    return Plan(tuple(window.residents), window.lines, tuple(handle for handle in window.stubs if handle not in lines))


def worths(window: Window) -> dict[str, scoring.Worth]:
    """Each resident's signals and score, the next to leave first; what is protected is among them."""
    task, now = scoring.task(window.touched, window.words), window.clock.active
    found = {handle: _worth(resident, task, now) for handle, resident in window.residents.items()}
    return dict(sorted(found.items(), key=lambda pair: (pair[1].score, window.residents[pair[0]].strength.last_use, pair[0])))


def _worth(resident: Resident, task: Mapping[str, float], now: float) -> scoring.Worth:
    thing, strength = resident.thing, resident.strength
    recent = fsrs.retrievability(strength, now, pinned=fsrs.lasts(thing.kind, thing.pinned))
    return scoring.worth(scoring.relevance(thing.tags, task), recent, strength.uses, resolves=thing.resolves, credit=thing.credit)


def _queue(window: Window, safe: Collection[str]) -> list[tuple[float, float, int, str]]:
    """What may leave with its place in the order: score, last use, call, handle. Nothing that lasts is among it."""
    task, now = scoring.task(window.touched, window.words), window.clock.active
    queue = []
    for handle, (thing, strength, call, _, _, _) in window.residents.items():
        if handle not in safe:
            recent, relevant = fsrs.retrievability(strength, now), scoring.relevance(thing.tags, task)
            rank = scoring.score(relevant, recent, strength.uses, resolves=thing.resolves, credit=thing.credit)
            queue.append((rank, strength.last_use, call, handle))
    return queue


def _in(window: Window, resident: Resident) -> Window:
    """The window with that resident used by a new call."""
    thing = resident.thing
    window = window._replace(
        call=window.call + 1,
        residents={**window.residents, thing.handle: resident._replace(call=window.call + 1)},
        touched=(*window.touched, thing.tags)[-scoring.TOUCHED :] if thing.source else window.touched,
    )
    return window._replace(request=thing.handle, words=thing.tags) if thing.request else window


def _again(window: Window, handle: str, k: float = 1.0) -> tuple[Window, Resident]:
    """A known thing used again: graded where that is due, and a miss where it had left (and so graded at its low R, never as a lapse)."""
    now, missed = window.clock.active, handle not in window.residents
    resident = window.stubs[handle] if missed else window.residents[handle]
    due = fsrs.may_grade(resident.graded, now, same_turn=resident.graded_turn == window.turn)
    strength = fsrs.good(resident.strength, resident.thing.kind, now, k=k)
    if due:
        resident = resident._replace(strength=strength, graded=now, graded_turn=window.turn)
    elif k > 0:
        resident = resident._replace(strength=strength._replace(stability=resident.strength.stability))
    if not missed:
        return window, resident
    stubs = {other: stub for other, stub in window.stubs.items() if other != handle}
    window = window._replace(
        stubs=stubs,
        lines=tuple(line for line in window.lines if line != handle),
        registers=threshold.missed(window.registers, now),
        misses=window.misses + 1,
    )
    return window, resident._replace(spared=window.turn + SPARED)


def _out(window: Window, leaving: Collection[str]) -> Window:
    """The window after those residents became stubs: what is no larger than a line has none, and the oldest lines go for new ones."""
    if not leaving:
        return window
    lines = (*window.lines, *(handle for handle in leaving if window.residents[handle].thing.size > LINE))
    room = _line_room(window)
    return window._replace(
        residents={handle: resident for handle, resident in window.residents.items() if handle not in leaving},
        stubs={**window.stubs, **{handle: window.residents[handle] for handle in leaving}},
        lines=lines[len(lines) - room :] if len(lines) > room else lines,
        registers=threshold.evicted(window.registers, window.clock.active, len(leaving)),
        evictions=window.evictions + len(leaving),
    )


def _line_room(window: Window) -> int:
    return int(LINES * window.budget) // LINE


def find(window: Window, what: str) -> str | None:
    """The handle of what goes by that handle, source, query or digest, the newest, residents first; None when nothing does."""
    if what in window.residents or what in window.stubs:
        return what
    for known in (window.residents, window.stubs) if what else ():
        for handle in reversed(tuple(known)):
            thing = known[handle].thing
            if what in (thing.source, thing.query, thing.digest):
                return handle
    return None


def _same(window: Window, thing: Thing) -> str | None:
    """The handle of an earlier thing that this one is again: of the same file, else the same query, else the same content.

    Two files that happen to hold the same, and two commands that both print nothing, are not the same thing.
    """
    for known in (window.residents, window.stubs):
        for handle in reversed(tuple(known)):
            other = known[handle].thing
            if thing.source or other.source:
                same = thing.source == other.source
            elif thing.query or other.query:
                same = thing.query == other.query
            else:
                same = thing.digest != "" and thing.digest == other.digest
            if same:
                return handle
    return None


def _known(window: Window, what: str) -> str:
    handle = find(window, what)
    if handle is None:
        raise NotFound(f"nothing in this working set goes by {what[:80]!r}; handles are those of its plan")
    return handle


def sound(thing: Thing) -> None:
    """Raises InvalidInput, naming the field, for a thing that no window can hold."""
    if not thing.handle:
        raise InvalidInput("handle", "must not be empty")
    if isinstance(thing.size, bool) or not isinstance(thing.size, int) or thing.size < 0:
        raise InvalidInput("size", f"must be a whole number of tokens, 0 or more, not {thing.size!r}")
    if thing.kind not in fsrs.OPENING:
        raise InvalidInput("kind", f"'{thing.kind}' is none of {', '.join(fsrs.OPENING)}")
