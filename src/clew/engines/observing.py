"""What a tool brought into the window, as a part of its event's spool line: what it was, how large, and what is known of it in one line."""

from __future__ import annotations

import os

from clew.engines.hashes import file_hash
from clew.engines.lines import CHARS_PER_TOKEN, SECRET_CHARS, head, storable, tail
from clew.ids import blake2b
from clew.rules import gists
from clew.rules.masks import project_relative
from clew.rules.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from clew.model import Event

TARGET_CHARS = 500
OWN = ("mcp__clew__", "mcp__plugin_clew_")  # what clew itself answers is known to it
HANDLE = "w:"  # before the handle of what a window held
KINDS = ("file", "search", "command", "call")


def observed(event: Event, action: str, root: str) -> dict[str, Any]:
    """The parts of a spool line that tell what a tool brought; none for what brings nothing worth keeping. Reads the file it is about.

    `action` is that of its aim (rules/goals.py). `root` is the project's folder; files outside of it keep their whole path. Everything is
    redacted before it is cut.
    """
    if event.tool.startswith(OWN) or event.interrupted:
        return {}
    if event.path and action in ("look", "edit"):
        return {"seen": _file(event, root)} if not event.failed else {}
    if action in ("talk", "wait", "other", "edit") or not (event.target or event.text):
        return {}
    kind = "call" if action == "call" else "command" if "command" in event.given else "search"
    target = head(event.target or event.tool, TARGET_CHARS)
    gist = gists.of_search(event.text) if kind == "search" else gists.of_command(event.text)
    return {"seen": _thing(kind, target, event.text) | {"gist": head(gist, gists.GIST_CHARS), "text": _ends(event.text)}}


def _file(event: Event, root: str) -> dict[str, Any]:
    path = event.path if os.path.isabs(event.path) else os.path.join(event.cwd or root, event.path)
    found = gists.symbols(event.text)
    told = _thing("file", head(project_relative(path, root), TARGET_CHARS), event.text)
    gist = gists.of_file(event.text, found) if event.text else ""
    return told | {"gist": head(gist, gists.GIST_CHARS), "hash": file_hash(path), "symbols": list(found)}


def _thing(kind: str, target: str, text: str) -> dict[str, Any]:
    handle = HANDLE + blake2b(f"{kind}\0{' '.join(target.split())}".encode(), digest_size=4).hexdigest()
    return {"kind": kind, "target": target, "handle": handle, "tokens": max(1, int(len(text) / CHARS_PER_TOKEN))}


def _ends(text: str) -> str:
    """Both ends of a text, without secrets: what a cut may halve is looked at with what lies around it."""
    each = gists.ENDS + SECRET_CHARS  # so much that a cut within them leaves something out, and says so
    if len(text) > 2 * (each + SECRET_CHARS):
        return gists.ends(head(text, each) + "\n" + tail(text, each), len(text) - 2 * each)
    return gists.ends(redact(storable(text)).text)


def seen_in(line: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What a spool line tells was seen; None where it tells of nothing, or of what we did not write."""
    told = line.get("seen")
    if not isinstance(told, dict) or told.get("kind") not in KINDS:
        return None
    texts = (told.get(name, "") for name in ("target", "handle", "hash", "gist", "text"))
    names, tokens = told.get("symbols", []), told.get("tokens")
    sound_parts = all(isinstance(t, str) for t in texts) and isinstance(names, list) and all(isinstance(n, str) for n in names)
    return told if sound_parts and isinstance(tokens, int) and 0 < tokens < 1 << 31 and told.get("handle") else None
