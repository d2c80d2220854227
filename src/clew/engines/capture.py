"""What clients tell us: an event becomes a capped, redacted spool line; a writer takes lines into sessions, log and uses, exactly once."""

from __future__ import annotations

import json

from clew.engines import projects
from clew.errors import InvalidInput
from clew.model import EVENTS
from clew.project import Place
from clew.rules.echo import is_command, said
from clew.rules.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from clew.model import Event, Memory
    from clew.store.base import Store
    from clew.store.spool import Spool

TEXT_CHARS = {"prompt": 4_000, "turn_end": 4_000, "tool": 500}  # of an event's text in the log
TARGET_CHARS = 500
NAME_CHARS = 200
USED_APART = 60.0  # seconds within which showing a memory again is no further use
KEPT_SESSIONS = 30 * 86_400.0  # seconds after which what an ended session was shown is dropped


def line_of(event: Event, where: Place, shown: Sequence[Memory] = ()) -> dict[str, Any]:
    """The spool line of an event: redacted before anything touches the disk, its texts cut to what the log keeps.

    `shown` are the memories that the answer to this event puts before the agent. Raises InvalidInput for an unknown kind.
    """
    if event.kind not in EVENTS:
        raise InvalidInput("event", f"'{event.kind[:40]}' is not one of {', '.join(EVENTS)}")
    text = said(event.text) if event.kind == "prompt" else event.text
    line: dict[str, Any] = {
        "kind": event.kind,
        "client": event.client[:NAME_CHARS],
        "session": event.session[:NAME_CHARS],
        "at": event.at,
        "place": [list(where.keys), where.name, where.path],
        "text": _kept(text, TEXT_CHARS.get(event.kind, NAME_CHARS)),
        "source": event.source[:NAME_CHARS],
        "tool": event.tool[:NAME_CHARS],
        "target": _kept(event.target, TARGET_CHARS),
        "failed": event.failed,
        "shown": [[m.id, m.updated_at] for m in shown],
    }
    return {k: v for k, v in line.items() if v or k == "at"}


def trouble_line(text: str, at: float) -> dict[str, Any]:
    """The spool line of something that went wrong in a hook."""
    return {"kind": "trouble", "text": _kept(text, 500), "at": at}


def _kept(text: str, limit: int) -> str:
    sound = text.replace("\0", "").encode("utf-8", "replace").decode()
    cut = redact(sound[: 4 * limit]).text  # a secret that the cut would halve is seen whole first
    return cut if len(cut) <= limit else cut[: limit - 1] + "…"


def waiting(store: Store, spool: Spool) -> list[dict[str, Any]]:
    """Lines of the spool that no writer has taken in yet: they count already. Raises OSError."""
    return spool.read(*_state(store))[2]


def shown(store: Store, spool: Spool, session: str) -> dict[int, float]:
    """Memories that this session was shown, with the `updated_at` they had then; a new window (clear, compact) begins with none."""
    seen = store.shown(session)
    for line in waiting(store, spool):
        if line.get("session") == session:
            if line.get("kind") == "session_start" and line.get("source") != "resume":
                seen = {}
            seen.update((int(i), float(updated)) for i, updated in line.get("shown", ()))
    return seen


def take_in(store: Store, spool: Spool, now: float) -> int:
    """Take in every waiting line, once; how many. Raises StoreError (then nothing was taken) and OSError."""
    while True:
        state = _state(store)
        generation, end, lines, broken = spool.read(*state)
        if (generation, end) == state:
            return 0
        ids = {key: _project(store, line, now) for line in lines if (key := _place_key(line))}
        with store.transaction():
            if _state(store) != state:
                continue  # another writer was faster
            for line in lines:
                _APPLY.get(str(line.get("kind")), _ignored)(store, line, ids.get(_place_key(line)))
            if broken:
                _note_trouble(store, {"text": f"{broken} damaged lines of the spool were dropped", "at": now}, None)
            store.set_setting("spool", f"{generation} {end}")
        spool.empty(generation, end)
        return len(lines)


def _state(store: Store) -> tuple[str, int]:
    kept = (store.setting("spool") or "").partition(" ")
    return kept[0], int(kept[2] or 0)


def _place_key(line: Mapping[str, Any]) -> str:
    place = line.get("place")
    return json.dumps(place) if isinstance(place, list) and len(place) == 3 and place[0] else ""


def _project(store: Store, line: Mapping[str, Any], now: float) -> int | None:
    """The project of a line; none for the user's own, since a home directory is no project and its talk is nobody's context."""
    keys, name, path = line["place"]
    where = Place(tuple(map(str, keys)), str(name), str(path), False)
    return None if where.keys[0] == "user:" else projects.for_writing(store, where, now)


def _ignored(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    """A line of a kind that this version does not know: written by a newer clew, of no use here."""


def _log(store: Store, line: Mapping[str, Any], project: int, event: str, text: str) -> None:
    session = str(line.get("session", ""))
    turn = store.advance_session(session, project, str(line.get("client", "")), at=float(line["at"]), turns=int(event == "prompt"))
    store.write_log(project, event, text=text, origin=str(line.get("client", "")), at=float(line["at"]), session=session, turn=turn)


def _session_start(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    if line.get("source") != "resume":
        store.forget_shown(str(line.get("session", "")))
    if project is not None:
        _log(store, line, project, "session_start", str(line.get("source", "")))
    _shown(store, line)


def _prompt(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    if project is not None and not is_command(str(line.get("text", ""))):
        _log(store, line, project, "prompt", str(line.get("text", "")))
    _shown(store, line)


def _tool(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    if project is not None:
        said_of_it = f"{line.get('tool', '')} {line.get('target', '')}".strip()
        answer = f"\n{line['text']}" if line.get("text") else ""
        _log(store, line, project, "tool_failed" if line.get("failed") else "tool", said_of_it + answer)


def _turn_end(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    if project is not None and line.get("text"):
        _log(store, line, project, "reply", str(line["text"]))


def _session_end(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    if project is not None:
        _log(store, line, project, "session_end", str(line.get("source", "")))
        store.end_session(str(line.get("session", "")), at=float(line["at"]), keep_since=float(line["at"]) - KEPT_SESSIONS)


def _shown(store: Store, line: Mapping[str, Any]) -> None:
    """Remember what was put before the session, and that it was of use just now."""
    shown = [(int(i), float(updated)) for i, updated in line.get("shown", ())]
    if shown:
        store.mark_shown(str(line.get("session", "")), shown)
        mark_used(store, [i for i, _ in shown], float(line["at"]))


def mark_used(store: Store, ids: Sequence[int], now: float) -> None:
    """Inside a transaction: count a use of memories, at most one each within USED_APART seconds."""
    for memory in store.fetch(ids).values():
        if now - memory.strength.last_use >= USED_APART or not memory.strength.uses:
            used = memory.strength._replace(uses=memory.strength.uses + 1, last_use=max(now, memory.strength.last_use))
            store.save(memory._replace(strength=used), store.owner(memory.id))


def _note_trouble(store: Store, line: Mapping[str, Any], project: int | None) -> None:
    earlier = json.loads(store.setting("trouble") or "{}")
    store.set_setting(
        "trouble", json.dumps({"text": str(line.get("text", "")), "at": line.get("at", 0.0), "times": earlier.get("times", 0) + 1})
    )


_APPLY = {
    "session_start": _session_start,
    "prompt": _prompt,
    "tool": _tool,
    "turn_end": _turn_end,
    "session_end": _session_end,
    "trouble": _note_trouble,
}
