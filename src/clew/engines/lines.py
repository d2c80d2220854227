"""What a hook leaves in the spool: an event as one line, redacted before anything touches the disk and cut to what is kept of it."""

from __future__ import annotations

import os

from clew.errors import InvalidInput
from clew.ids import blake2b
from clew.limits import ID_MAX
from clew.model import EVENTS
from clew.rules.echo import own
from clew.rules.redact import outside, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from clew.model import Event, Memory
    from clew.project import Place

TEXT_CHARS = {"prompt": 12_000, "turn_end": 4_000, "tool": 500}  # of an event's text in the log
PROMPT_END = 4_000  # characters of a longer prompt's end that are kept besides: what is asked for often stands there
TARGET_CHARS = 500
NAMED_CHARS = 20_000  # of a command that are looked through for paths that are left alone: a hook has no time for more
NAME_CHARS = 200
ANSWER_END = 64 << 10  # characters of either end of a tool's answer that may be kept of it
ANSWER_PATH_CHARS = 500
CHARS_PER_TOKEN = 3.6  # of what tools return, as the estimate that a hook can afford
SECRET_CHARS = 1_000  # a secret that a cut may halve is no longer than this
_APART = str.maketrans(dict.fromkeys("'\"`,;()[]{}<>|&=", " "))  # what may stand around a path in a command
VERDICT = "verdict"  # kind of a line, and event of the log: a warning, a callback or a stop
CHANGED = "changed"  # event of the log, and part of a start's line: marks of the files that a session was told to have changed
PLACE = 3  # parts of a line's place: keys, name, path


def line_of(event: Event, where: Place, shown: Sequence[Memory] = ()) -> dict[str, Any]:
    """The spool line of an event: redacted before anything touches the disk, its texts cut to what the log keeps.

    `shown` are the memories that the answer to this event puts before the agent. Raises InvalidInput for an unknown kind.
    """
    if event.kind not in EVENTS:
        raise InvalidInput("event", f"'{event.kind[:40]}' is not one of {', '.join(EVENTS)}")
    text = own(event.text) if event.kind == "prompt" else event.text
    if event.kind == "tool" and not event.failed:
        text = ""  # what a tool answered is not the log's: the working set keeps what is known of it
    line: dict[str, Any] = {
        "kind": event.kind,
        "client": storable(event.client[:NAME_CHARS]),
        "session": storable(event.session[:NAME_CHARS]),
        "at": event.at,
        "once": _digest(event),
        "place": [list(where.keys), where.name, where.path],
        "text": _whole(text) if event.kind == "prompt" else kept(text, TEXT_CHARS.get(event.kind, NAME_CHARS)),
        "source": storable(event.source[:NAME_CHARS]),
        "tool": storable(event.tool[:NAME_CHARS]),
        "target": kept(event.target, TARGET_CHARS),
        "failed": event.failed,
        "stopped": event.interrupted,
        "shown": [[m.id, m.updated_at] for m in shown],
    }
    return {k: v for k, v in line.items() if v or k == "at"}


def left_alone(event: Event, where: Place, own: str, everywhere: str) -> bool:
    """Whether an event is about a path that nothing is captured of: the folder it happened in, or a file its tool was given.

    `own` and `everywhere` are lines in gitignore's language (config.exclusions). A command is about every word of it, and about what
    stands between its quotes, equals signs and the like; a relative path is one from where the client works, and one from the project.
    """
    if not (own.strip() or everywhere.strip()):
        return False
    from clew.rules.ignore import exclusion

    out, here = exclusion(where.path, own, everywhere), event.cwd or where.path
    named = _named(event.target[:NAMED_CHARS]) if event.kind == "tool" else set()
    return out(f"{here}/_") or any(out(path) or out(_inside(here, path)) for path in named)


def without_left_alone(event: Event, where: Place, own: str, everywhere: str) -> Event:
    """A tool's event without the lines of its answer that begin with a path that is left alone, as searches and lists of files do.

    Both ends of a long answer are looked through; from what lies between nothing is kept.
    """
    if event.kind != "tool" or not event.text or not (own.strip() or everywhere.strip()):
        return event
    from clew.rules.ignore import exclusion

    out, here = exclusion(where.path, own, everywhere), event.cwd or where.path
    known: dict[str, bool] = {}

    def stays(line: str) -> bool:
        path = line.lstrip()[:ANSWER_PATH_CHARS].partition(":")[0].partition(" ")[0].rstrip()
        if path not in known:
            known[path] = not path or not (out(path) or out(os.path.join(here, path)))
        return known[path]

    text = event.text
    parts = (text,) if len(text) <= 2 * ANSWER_END else (text[:ANSWER_END], text[ANSWER_END:-ANSWER_END], text[-ANSWER_END:])
    kept = [part if n == 1 else "".join(filter(stays, part.splitlines(keepends=True))) for n, part in enumerate(parts)]
    return event._replace(text="".join(kept))


def _named(target: str) -> set[str]:
    """Everything in a tool's target that may be a path."""
    words = target.split()
    return {target, *target.splitlines(), *(word.strip("'\"`,;()") for word in words), *target.translate(_APART).split()} - {""}


def _inside(here: str, path: str) -> str:
    """A path from where the client works; of a folder that is there, a file in it, since one may leave alone only what is in it."""
    whole = os.path.join(here, path)
    return f"{whole}/_" if os.path.isdir(whole) else whole


def trouble_line(text: str, at: float) -> dict[str, Any]:
    """The spool line of something that went wrong in a hook."""
    return {"kind": "trouble", "text": kept(text, 500), "at": at}


def _digest(event: Event) -> str:
    parts = (event.client, event.session, event.kind, event.id, event.source, event.tool, event.target, event.text)
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def kept(text: str, limit: int) -> str:
    """The start of a text as it may be written down: redacted, of at most `limit` characters."""
    window = 4 * limit + SECRET_CHARS
    cut = redact(storable(text[:window])).text
    if len(text) > window:
        cut = cut[: max(0, len(cut) - SECRET_CHARS)]  # the window's end may have halved a secret, which then looks like none
    return cut if len(cut) <= limit else cut[: limit - 1] + "…"


def _whole(text: str) -> str:
    """A prompt as it is kept: all of it, or of a very long one both ends and how much is missing between them."""
    limit = TEXT_CHARS["prompt"]
    if len(text) <= limit + PROMPT_END:
        return kept(text, limit + PROMPT_END)
    return f"{head(text, limit)}\n… ({len(text) - limit - PROMPT_END:,} characters left out) …\n{tail(text, PROMPT_END)}"


def head(text: str, limit: int) -> str:
    """At most the first `limit` characters of a text, redacted. Where secrets fell out it is shorter: what lies near the window's end may
    be half a secret, which looks like none."""
    window = limit + SECRET_CHARS
    cut = redact(storable(text[:window])).text
    return (cut if len(text) <= window else cut[: max(0, len(cut) - SECRET_CHARS)])[:limit]


def tail(text: str, limit: int) -> str:
    """At most the last `limit` characters of a text, redacted; shorter as `head` is, and where it would begin within what is private."""
    start = max(0, len(text) - limit - SECRET_CHARS)
    begin = outside(text, start) if start else 0
    cut = redact(storable(text[begin:])).text
    return (cut[SECRET_CHARS:] if start == begin > 0 else cut)[-limit:]


def storable(text: str) -> str:
    """A text as any store can hold it: without NUL bytes and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def told_turn(line: Mapping[str, Any]) -> int:
    """The turn that a spool line says it was of, 0 where it says none."""
    turn = line.get("turn")
    return turn if isinstance(turn, int) and not isinstance(turn, bool) and 0 < turn < 1 << 31 else 0


def usable(line: Mapping[str, Any]) -> bool:
    """Whether a line has the form of ours: one that has not must not stop those behind it."""
    at, place, seen = line.get("at"), line.get("place"), line.get("shown", [])
    texts = [line.get(f, "") for f in ("client", "session", "text", "source", "tool", "target", "once")]
    try:
        "".join([line["kind"], *texts, *([*place[0], *place[1:]] if place else [])]).encode()
        return (
            isinstance(at, int | float)
            and abs(at) < 1e12
            and (not place or (len(place) == PLACE and bool(place[0])))
            and all(isinstance(i, int) and 0 < i <= ID_MAX and isinstance(updated, int | float) for i, updated in seen)
        )
    except (KeyError, TypeError, ValueError):
        return False
