"""The tools about a session under way: what its window holds, the way back to what left it, and what was tried before."""

from __future__ import annotations

import re

from clew.errors import InvalidInput, StoreError
from clew.mcp.answers import clean, framed, line, quoted
from clew.model import ago

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from clew.mcp.answers import Answer
    from clew.model import Attempt, Fix
    from clew.service import Clew

SHOWN = 10  # attempts an answer shows; those that say the same are one
_SAID = (  # by the level of a verdict
    "Go on{}.",
    "Warning{}. Do not repeat it: read what failed once more, question what was taken for granted, or ask the user.",
    "It failed again after a warning{}. Stop here: say what was tried, and ask the user how to go on.",
    "Do not run it{}. Change something first, try another way, or ask the user.",
)
_NUMBER = re.compile(r"#[0-9]+")  # a memory's, as answers write it; plain digits may be a file's name
_BY = {"failure": "the same failure", "place": "the same place", "target": "this target"}


def _caught_up(clew: Clew) -> None:
    """What hooks told a moment ago belongs into the answer; while another process holds the store it is given without."""
    try:
        clew.take_in()
    except (OSError, StoreError):
        pass


def _working_set(clew: Clew, given: dict[str, Any]) -> Answer:
    session = given["session"]
    found = (clew.working_set(session=session) if session else None) or clew.working_set()
    if found is None:
        return "No window is known here: the hooks of a client tell clew what it holds (`clew setup`).", {"session": None, "residents": {}}
    kinds = ", ".join(f"{count} {line(kind)}" for kind, count in found["residents"].items())
    said = (
        f"Session {line(found['session'])}: {found['used']:,} of {found['budget']:,} tokens{f' in {kinds}' if kinds else ''}; "
        f"{found['stubs']} set aside, `restore` gets them back; "
        f"{found['evictions']} evicted, {found['misses']} missed.\n"
    )
    if not found["next"]:
        return f"{said}Nothing leaves it next.", found
    leaving = "".join(f"{line(one['handle'])}, worth {one['score']:.2f}\n{quoted(one['what'])}" for one in found["next"])
    return f"{said}What leaves it next when room is needed, if worth less than {found['evict_below']:.2f}:\n{framed(leaving)}", found


def _restore(clew: Clew, given: dict[str, Any]) -> Answer:
    what = str(given["what"])
    if not isinstance(given["what"], str) or _NUMBER.fullmatch(what.strip()):
        what = f"m:{what.strip().lstrip('#')}"
    found = clew.restore(what, session=given["session"] or None)
    now = clew.now()
    parts = [line(found.handle), found.kind, ago(found.at, now)]
    if found.changed:
        parts.append("changed since it was read" if found.kind == "file" else "stale: the code it points at has changed")
    if not found.whole:
        parts.append("not all of it was kept" if found.kind != "file" else "not all of it: the file is longer")
    what = quoted(found.target) if found.kind != "memory" else ""
    shape = found._asdict() | {"age": ago(found.at, now)}
    del shape["at"]
    return framed(f"{', '.join(parts)}\n{what}{quoted(found.text)}"), shape


def _attempt(clew: Clew, given: dict[str, Any]) -> Answer:
    target, before = given.pop("target"), given.pop("before", False)
    if before:
        for name in ("exit", "output", "failed"):
            told = given.pop(name, None)
            if told or (name == "exit" and told is not None):
                raise InvalidInput(name, "tells of what has run; with `before` nothing ran yet")
        verdict = clew.before_attempt(target, **given)
    else:
        _caught_up(clew)
        verdict = clew.attempt(target, **given)
    said = _SAID[verdict.level].format(f": {line(verdict.reason)}" if verdict.reason else "")
    told, objects = _tries(verdict.evidence, clew.now())
    shape = {"level": verdict.level, "reason": clean(verdict.reason), "evidence": objects}
    return f"{said}\n{framed(told)}" if told else said, shape


def _tried(clew: Clew, given: dict[str, Any]) -> Answer:
    found, now = clew.tried(given["about"]), clew.now()
    if not found.failed:
        return "Nothing like it was tried here before.", {"by": "nothing", "failed": [], "worked": []}
    told, objects = _tries(found.failed, now)
    said = f"Tried before on {_BY.get(found.by, found.by)}, newest first, and it failed. "
    said += "What worked stands last." if found.worked else "Nothing that was tried made it pass."
    worked = "".join(_fix(fix, now) for fix in found.worked)
    fixes = [{"passed": _shape([fix.passed], now), "changes": list(map(clean, fix.changes))} for fix in found.worked]
    return f"{said}\n{framed(told + worked)}", {"by": found.by, "failed": objects, "worked": fixes}


def _tries(attempts: Iterable[Attempt], now: float) -> tuple[str, list[dict[str, Any]]]:
    """Attempts as lines and as objects; those of one target that ended alike are one, with how often."""
    alike: dict[tuple[str, str, str], list[Attempt]] = {}
    for attempt in attempts:
        alike.setdefault((attempt.target, attempt.outcome, attempt.fingerprint or attempt.evidence), []).append(attempt)
    shown = list(alike.values())[:SHOWN]
    return "".join(_try(same, now) for same in shown), [_shape(same, now) for same in shown]


def _try(same: Sequence[Attempt], now: float) -> str:
    last = max(same, key=lambda attempt: attempt.at)
    parts = [ago(last.at, now), last.outcome, line(last.action)]
    parts += [f"{len(same)} times"] * (len(same) > 1) + [f"exit {last.exit}"] * (last.exit is not None)
    return f"{', '.join(parts)}\n{quoted(last.target)}{quoted(last.evidence)}"


def _shape(same: Sequence[Attempt], now: float) -> dict[str, Any]:
    last = max(same, key=lambda attempt: attempt.at)
    names = ("id", "session", "goal", "action", "target", "outcome", "evidence", "exit", "failing", "origin")
    told = {name: clean(value) if isinstance(value := getattr(last, name), str) else value for name in names}
    return {name: value for name, value in told.items() if value not in ("", None)} | {"times": len(same), "age": ago(last.at, now)}


def _fix(fix: Fix, now: float) -> str:
    changes = "after changes to\n" + "".join(map(quoted, fix.changes)) if fix.changes else "after no edit that was seen\n"
    return f"{ago(fix.passed.at, now)}, it passed\n{quoted(fix.passed.target)}{changes}"


CALLS: dict[str, Callable[[Clew, dict[str, Any]], Answer]] = {
    "working_set": _working_set,
    "restore": _restore,
    "attempt": _attempt,
    "tried": _tried,
}
