"""What clients told us, taken in: a writer brings the lines of the spool into sessions, log and uses, each exactly once."""

from __future__ import annotations

import json

from clew.engines import projects
from clew.engines.lines import CHANGED, VERDICT, storable, told_turn, trouble_line, usable
from clew.model import ago
from clew.project import Place
from clew.rules import fsrs
from clew.rules.echo import is_command
from clew.store.spool import FULL_BYTES, LINE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from clew.store.base import Store
    from clew.store.spool import Spool

USED_APART = 60.0  # seconds within which showing a memory again is no further use
KEPT_SESSIONS = 30 * 86_400.0  # seconds after which what a session was shown is dropped
KEPT_WINDOWS = 90 * 86_400.0  # and what its window held, and what was observed in it
TWIN_SECONDS = 2.0  # two installs that fire for one event do so within this
LINES_AT_ONCE = 500  # of one transaction: what was taken stays taken when the process ends
TROUBLE_SECONDS = 7 * 86_400.0  # how long a hook's trouble is spoken of


def put(store: Store, spool: Spool, line: Mapping[str, Any]) -> bool:
    """Append a line, unless the very same event is there or was taken in a moment ago: False then, and it wants no second answer.

    Raises OSError when it cannot be kept; but not for a session's start, whose answer does no harm when it is given twice.
    """

    def known(waiting: Sequence[Mapping[str, Any]]) -> bool:
        # Asked while the spool is locked: a line that is no longer in it is in the store already.
        seen = [(w.get("once"), w.get("at")) for w in waiting] + json.loads(store.setting("taken") or "[]")
        return any(once == line["once"] and isinstance(at, int | float) and abs(line["at"] - at) <= TWIN_SECONDS for once, at in seen)

    try:
        return spool.append(line, known)
    except OSError:
        if line["kind"] == "session_start":
            return True
        raise


def note_used(spool: Spool, ids: Sequence[int], at: float, session: str = "", where: Place | None = None) -> None:
    """Append the line of memories that an answer brought; a spool that cannot be written is passed over.

    With a session and where it works, its window has them too.
    """
    line: dict[str, Any] = {"kind": "used", "shown": [[i, at] for i in ids], "at": at}
    if session and where is not None:
        line |= {"session": session, "place": [list(where.keys), where.name, where.path]}
    try:
        spool.append(line)
    except (OSError, ValueError):
        pass


def trouble(store: Store, spool: Spool, now: float, *, untold: bool = False) -> str:
    """Why the spool cannot be used, else the last thing that went wrong in a hook, how long ago and how often.

    The latter is "" after a week, and with `untold` once a pack told it.
    """
    try:
        _, end, lines, _ = spool.read(*_state(store))
    except OSError as error:
        return f"{spool.path} cannot be read ({error.strerror}), so nothing is kept of what agents do"
    if end > FULL_BYTES - LINE_BYTES:
        return f"{spool.path} is full, so nothing more is kept of what agents do; any clew command that writes takes it in"
    last = json.loads(store.setting("trouble") or "{}")
    for line in [*_cut_off(spool), *filter(usable, lines)]:
        last = _troubled(last, line)
    if not last or now - last["at"] > TROUBLE_SECONDS or (untold and last["told"]):
        return ""
    often = f", {last['times']} times" if last["times"] > 1 else ""
    return f"{last['text']} ({ago(last['at'], now)}{often})"


def _cut_off(spool: Spool) -> list[dict[str, Any]]:
    """A line of trouble for each hook that ran out of time and could leave no more than a mark."""
    names, at = spool.cut()
    return [trouble_line(f"a hook{f' on {name}' if name else ''} ran out of time and was cut off", at) for name in names]


def waiting(store: Store, spool: Spool) -> list[dict[str, Any]]:
    """Lines of the spool that no writer has taken in yet: they count already. None when it cannot be read just now."""
    try:
        return [line for line in spool.read(*_state(store))[2] if usable(line)]
    except OSError:
        return []


def shown(store: Store, spool: Spool, session: str) -> dict[int, float]:
    """Memories that this session was shown, with the `updated_at` they had then; a new window (clear, compact) begins with none."""
    seen = store.shown(session)
    for line in waiting(store, spool):
        if line.get("session") == session and line["kind"] != "used":  # what it asked for itself is not what a pack has shown it
            if _new_window(line):
                seen = {}
            seen.update((i, float(updated)) for i, updated in line.get("shown", ()))
    return seen


def take_in(store: Store, spool: Spool, now: float) -> int:
    """Take in every waiting line, once; how many. Raises StoreError (what was taken before stays taken) and OSError."""
    _take_cuts(store, spool)
    total = 0
    while True:
        state = _state(store)
        generation, end, found, broken = spool.read(*state, most=LINES_AT_ONCE)
        if (generation, end) == state:
            spool.empty(generation, end)  # also when whoever took the last lines died before it could
            return total
        lines = [line for line in found if usable(line)]
        broken += len(found) - len(lines)
        ids = {key: _project(store, line, now) for line in lines if (key := _place_key(line))}
        with store.transaction():
            if _state(store) != state:
                continue  # another writer was faster
            for line in lines:
                _APPLY.get(line["kind"], _ignored)(store, line, ids.get(_place_key(line)))
            _follow(store, lines, ids)
            if broken:
                _note_trouble(store, trouble_line(f"{broken} damaged lines of the spool were dropped", now), None)
            recent = json.loads(store.setting("taken") or "[]") + [[line["once"], line["at"]] for line in lines if "once" in line]
            store.set_setting("taken", json.dumps([[once, at] for once, at in recent if at > now - TWIN_SECONDS]))
            store.set_setting("spool", f"{generation} {end}")
        total += len(lines)


def _take_cuts(store: Store, spool: Spool) -> None:
    """Let the store know of hooks that were cut off; whoever dies before the marks are taken away has them counted once more."""
    if cut := _cut_off(spool):
        with store.transaction():
            for line in cut:
                _note_trouble(store, line, None)
        try:
            spool.forget_cut()
        except FileNotFoundError:
            pass  # another writer was faster


def _follow(store: Store, lines: Sequence[Mapping[str, Any]], ids: Mapping[str, int | None]) -> None:
    """Let the windows of the sessions follow; a home directory is no project and has none."""
    told: dict[str, tuple[int, list[Mapping[str, Any]]]] = {}
    for line in lines:
        project, session = ids.get(_place_key(line)), line.get("session")
        if session and project is not None and line["place"][0][0] != "user:":
            told.setdefault(session, (project, []))[1].append(line)
    if told:
        from clew.engines import windows  # with the rules of a working set, which a hook that only reads does without

        for session, (project, its_lines) in told.items():
            windows.follow(store, project, session, its_lines)


def catch_up(store: Store, spool: Spool, now: float) -> None:
    """Take in what waits, if the spool can be read just now: a verb that writes does not fail for it. Raises StoreError."""
    try:
        take_in(store, spool, now)
    except OSError:
        pass


def mark_used(store: Store, ids: Sequence[int], now: float) -> None:
    """Inside a transaction: memories were of use, how much is not known; one grade each within USED_APART seconds. None rests on."""
    for memory in store.fetch(ids).values():
        if now - memory.strength.last_use >= USED_APART or not memory.strength.uses:
            used = fsrs.good(memory.strength, memory.kind, now, k=fsrs.USED["uncertain"])
            store.save(memory._replace(strength=used, resting=False), store.owner(memory.id))


def _state(store: Store) -> tuple[str, int]:
    kept = (store.setting("spool") or "").partition(" ")
    return kept[0], int(kept[2] or 0)


def _place_key(line: Mapping[str, Any]) -> str:
    return json.dumps(line["place"]) if line.get("place") else ""


def _project(store: Store, line: Mapping[str, Any], now: float) -> int | None:
    """The project of a line; for a home directory, which is none, the user's own where it is known."""
    keys, name, path = line["place"]
    where = Place(tuple(keys), name, path, False)
    return store.project_for(keys) if keys[0] == "user:" else projects.for_writing(store, where, now)


def _ignored(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    """A line of a kind that this version does not know: written by a newer clew, of no use here."""


def _log(store: Store, line: Mapping[str, Any], project: int | None, event: str, text: str) -> None:
    """Let the session go on, and keep what was said; talk in a home directory is nobody's context and is not kept."""
    session, client, at = line.get("session", ""), line.get("client", ""), float(line["at"])
    if project is not None and session:
        turn = store.advance_session(session, project, client, at=at, turns=int(event == "prompt"))
        if line["place"][0][0] != "user:":
            store.write_log(project, event, text=text, origin=client, at=at, session=session, turn=turn)


def _session_start(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    if _new_window(line):
        store.forget_shown(line.get("session", ""))
    if line.get("told"):
        _note_trouble(store, line, project)
    _log(store, line, project, "session_start", line.get("source", ""))
    if isinstance(line.get(CHANGED), str):
        _log(store, line, project, CHANGED, storable(line[CHANGED]))
    _shown(store, line)


def _new_window(line: Mapping[str, Any]) -> bool:
    return line["kind"] == "session_start" and line.get("source") != "resume"


def _prompt(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    text = line.get("text", "")
    if text and not is_command(text):
        _log(store, line, project, "prompt", text)
        store.advance_calls(line.get("session", ""), asked_at=float(line["at"]))
    _shown(store, line)


def _tool(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    used = f"{line.get('tool', '')} {line.get('target', '')}".strip()
    answer = f"\n{line['text']}" if line.get("text") else ""
    _log(store, line, project, "tool_failed" if line.get("failed") else "tool", used + answer)
    session = line.get("session", "")
    turn = told_turn(line)
    store.advance_calls(session, calls=max(0, turn - store.progress(session).calls) if turn else 1)
    if project is not None and "attempt" in line:
        from clew.engines import attempts  # with its rules, which most lines do without

        if attempt := attempts.attempt_in(line):
            store.add_attempt(project, attempt)
    if line.get("verdict"):
        _verdict(store, line, project)


def _verdict(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    """A warning or a stop: nothing was done by it, so the session does not go on."""
    if project is not None and isinstance(line.get("verdict"), str):
        at, session = float(line["at"]), line.get("session", "")
        store.write_log(project, VERDICT, text=storable(line["verdict"]), origin=line.get("client", ""), at=at, session=session)


def _turn_end(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    if line.get("text"):
        _log(store, line, project, "reply", line["text"])


def _compact(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    _log(store, line, project, "compact", line.get("source", ""))


def _session_end(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    _log(store, line, project, "session_end", line.get("source", ""))
    at = float(line["at"])
    store.end_session(line.get("session", ""), at=at, keep_since=at - KEPT_SESSIONS)
    store.drop_windows(at - KEPT_WINDOWS)


def _shown(store: Store, line: Mapping[str, Any]) -> None:
    """Remember what was put before the session; to be merely shown is no use."""
    seen = [(i, float(updated)) for i, updated in line.get("shown", ())]
    if seen:
        store.mark_shown(line.get("session", ""), seen)


def _used(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    mark_used(store, [i for i, _ in line.get("shown", ())], float(line["at"]))


def _troubled(last: dict[str, Any], line: Mapping[str, Any]) -> dict[str, Any]:
    """The last trouble once `line` is counted: a new one, or a session's start that told it to the agent. Marks come before the spool's
    lines, so a line may be older than what is known."""
    if last and line["at"] < last["at"]:
        return {**last, "times": last["times"] + 1} if line["kind"] == "trouble" else last
    if line["kind"] == "trouble":
        again = last and line["at"] - last["at"] < TROUBLE_SECONDS
        return {"text": line.get("text", ""), "at": line["at"], "times": last["times"] + 1 if again else 1, "told": False}
    return {**last, "told": True} if last and line.get("told") else last


def _note_trouble(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    store.set_setting("trouble", json.dumps(_troubled(json.loads(store.setting("trouble") or "{}"), line)))


_APPLY: dict[str, Callable[[Store, Mapping[str, Any], int | None], None]] = {
    "session_start": _session_start,
    "prompt": _prompt,
    "tool": _tool,
    "compact": _compact,
    "turn_end": _turn_end,
    "session_end": _session_end,
    "used": _used,
    "trouble": _note_trouble,
    VERDICT: _verdict,
}
