"""The tools at work: each call checked, carried out by one Clew, answered as text and object. Opened at the first call, not before.

Those about memories are here; those of a session and of the compiler stand in files of their own.
"""

from __future__ import annotations

import os

from clew.errors import ClewError, InvalidInput, NotFound, StoreError
from clew.limits import OPENING_CHARS
from clew.mcp import answers, compiler_calls, session_calls
from clew.mcp.arguments import checked
from clew.mcp.origins import origin_of, session_of
from clew.mcp.tools import RECALL_CHARS, SAID_BY_THE_USER
from clew.model import as_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from clew.mcp.answers import Answer
    from clew.service import Clew

OPEN_AT_ONCE = 8  # (root, origin) pairs; more than one only where several clients share a process
MOST_FOUND = 100
# Tools that are carried out in the session of the client that called.
OF_A_SESSION = frozenset(("recall", "working_set", "restore", "attempt", "compile_context", "save_working_context"))
# What an error tells those who have the command, and what it tells those who have these tools.
WAYS_OUT = {"`clew list` shows those there are": "`recall` finds those there are"}
# What a fault of ours could raise. No line that a client sends may end the process, and it says so instead.
FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    MemoryError,
    NameError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


class Desk:
    """Carries out tool calls. Keeps one Clew open for each place and client that called."""

    def __init__(self, open_clew: Callable[[str | None, str], Clew] | None = None) -> None:
        self._open_clew = open_clew or _open
        self._clews: dict[tuple[str | None, str], Clew] = {}

    def call(self, tool: str, arguments: Any, client: str, root: str | None) -> dict[str, Any]:
        """A tool result. `client` is the name it introduced itself by, `root` the folder it says it works in."""
        place = (root or os.environ.get("CLAUDE_PROJECT_DIR") or None, origin_of(client))
        try:
            given = checked(tool, arguments)
            if tool in OF_A_SESSION:
                given["session"] = session_of(place[1], os.environ)
            text, structured, *blocks = TOOLS_AT_WORK[tool](self._clew(place), given)
        except StoreError as error:
            self._drop(place)  # opened anew next time: the file may have been replaced or repaired meanwhile
            return _failed(str(error))
        except NotFound as error:
            way_out = WAYS_OUT.get(error.way_out, error.way_out)
            return _failed(f"{error.problem}; {way_out}" if way_out else error.problem)
        except ClewError as error:
            return _failed(str(error))
        except FAULTS as fault:
            self._drop(place)
            return _failed(
                f"clew could not do this ({type(fault).__name__}: {fault}); nothing else is affected, `clew doctor` may tell more"
            )
        return {"content": [{"type": "text", "text": text}, *blocks], "structuredContent": structured, "isError": False}

    def close(self) -> None:
        """Let go of every store."""
        while self._clews:
            self._clews.popitem()[1].close()

    def _clew(self, place: tuple[str | None, str]) -> Clew:
        if place not in self._clews:
            if len(self._clews) >= OPEN_AT_ONCE:
                self.close()
            self._clews[place] = self._open_clew(*place)
        return self._clews[place]

    def _drop(self, place: tuple[str | None, str]) -> None:
        clew = self._clews.pop(place, None)
        if clew is not None:
            clew.close()


def _open(root: str | None, origin: str) -> Clew:
    from clew.service import Clew

    return Clew(root=root, origin=origin, long_lived=None)


def _failed(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": answers.clean(text)[:2_000]}], "isError": True}


def _remember(clew: Clew, given: dict[str, Any]) -> Answer:
    old, reason = given.pop("supersedes", None), given.pop("reason", "")
    if reason and old is None:
        raise InvalidInput("reason", "says why another memory no longer holds: give `supersedes` too, or put it into the detail")
    replaced = clew.show(old) if old is not None else None
    kept, created, redacted, concerns = clew.remember(given.pop("summary"), **given)
    said = [f"Remembered #{kept.id}" if created else f"Known already: #{kept.id}, now seen {kept.seen} times"]
    said[0] += f" ({kept.kind}, project {answers.line(kept.project)})."
    structured = {"id": kept.id, "created": created, "redacted": list(redacted)}
    if redacted:
        said.append(f"Taken out before it was kept: {', '.join(redacted)}.")
    if replaced is not None:
        clew.supersede(replaced.id, kept.id, reason=reason)
        said.append(f"#{replaced.id} is superseded by it.")
        structured["superseded"] = replaced.id
    open_ones = [concern for concern in concerns if replaced is None or concern.id != replaced.id]
    said += map(answers.concern, open_ones)
    if open_ones:
        structured["concerns"] = [as_json(concern) for concern in open_ones]
    return " ".join(said), structured


def _recall(clew: Clew, given: dict[str, Any]) -> Answer:
    budget, session = given.pop("max_chars", RECALL_CHARS), given.pop("session")
    hits = clew.recall(given.pop("question"), **given)
    answer = answers.recalled([hit.memory for hit in hits], clew.now(), budget)
    clew.used(*(shown["id"] for shown in answer[1]["memories"]), session=session)
    return answer


def _why(clew: Clew, given: dict[str, Any]) -> Answer:
    budget = given.pop("max_chars", RECALL_CHARS)
    return answers.trail(clew.why(given.pop("about"), **({"limit": 10} | given)), clew.now(), budget)


def _link(clew: Clew, given: dict[str, Any]) -> Answer:
    src, relation, dst = clew.show(given["src"]).id, given["relation"], clew.show(given["dst"]).id
    made = clew.link(src, relation, dst)
    said = f"#{src} {relation} #{dst}: " + ("linked." if made else "linked already.")
    return said, {"src": src, "relation": relation, "dst": dst, "linked": made}


def _context(clew: Clew, given: dict[str, Any]) -> Answer:
    pack = clew.context(project=given.get("project"), budget=given.get("budget", OPENING_CHARS))
    structured = {"text": pack.text, "ids": list(pack.ids), "left_out": pack.left_out}
    return pack.text or "Nothing is known here yet.", structured


def _supersede(clew: Clew, given: dict[str, Any]) -> Answer:
    old, created = clew.show(given["old"]), False
    if ("new" in given) == ("summary" in given):
        raise InvalidInput("new", "give either `new`, the id of the memory that replaces it, or `summary`, the new truth")
    if "new" in given:
        if "detail" in given:
            raise InvalidInput("detail", "belongs to a `summary`; the memory named by `new` has its own")
        new = clew.show(given["new"])
    else:
        if old.kind in SAID_BY_THE_USER:
            raise InvalidInput("old", f"#{old.id} is an {old.kind} of the user's; only the user changes it, with `clew supersede`")
        new, created, *_ = clew.remember(
            given["summary"], kind=old.kind, detail=given.get("detail", ""), tags=old.tags, pinned=old.pinned, project=old.project
        )
    clew.supersede(old.id, new.id, reason=given.get("reason", ""))
    return f"#{old.id} is superseded by #{new.id}; it stays, marked.", {"old": old.id, "new": new.id, "created": created}


def _feedback(clew: Clew, given: dict[str, Any]) -> Answer:
    memory = clew.feedback(given["id"], given["verdict"])
    structured = {"id": memory.id, "confidence": round(memory.confidence, 4)}
    return f"#{memory.id} counts as {given['verdict']}, confidence {memory.confidence:.2f}.", structured


def _forget(clew: Clew, given: dict[str, Any]) -> Answer:
    if not given["ids"]:
        raise InvalidInput("ids", "is empty; name the memories to erase")
    if given.get("confirm") is not True:
        going = "; ".join(f"#{m.id} “{answers.line(m.summary)}”" for m in map(clew.show, given["ids"][:MOST_FOUND]))
        raise InvalidInput("confirm", f"must be true; this would erase for good: {going}")
    gone = clew.forget(*given["ids"])
    left = [reason for forgotten in gone[:1] for reason in forgotten.left]
    said = f"Erased for good: {', '.join(f'#{forgotten.id}' for forgotten in gone)}." + "".join(
        f" Not cleaned: {reason}." for reason in left
    )
    return said, {"forgotten": [forgotten.id for forgotten in gone], "left": left}


def _resume(clew: Clew, given: dict[str, Any]) -> Answer:
    ended = clew.resume_done(given["done"]) if "done" in given else None
    return answers.pointers(clew.resume(given.get("text"), project=given.get("project")), clew.now(), RECALL_CHARS, ended)


TOOLS_AT_WORK: dict[str, Callable[[Clew, dict[str, Any]], Answer]] = {
    "remember": _remember,
    "recall": _recall,
    "why": _why,
    "link": _link,
    "context": _context,
    "supersede": _supersede,
    "feedback": _feedback,
    "forget": _forget,
    "resume": _resume,
    **session_calls.CALLS,
    **compiler_calls.CALLS,
}
