"""A transcript as a client keeps it → fragments by turn and kind.

Read are Claude Code's, Codex's, Gemini CLI's, Qwen Code's and Cursor's lines of JSON, Gemini CLI's older single file, opencode's export and
event lines, lists and lines of role and content as model APIs have them, and plain text with "User:" and "Assistant:" before its turns.
"""

from __future__ import annotations

import json
import re

from clew.compiler.transcript_fragments import Building
from clew.compiler.transcript_rows import ROWS, messages_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SPEAKER = re.compile(r"^(?:\*\*|#{1,4} )?(User|Human|You|Assistant|AI|Claude|Model|System|Tool)(?:\*\*)?:(?:\*\*)?[ \t]*", re.M | re.I)
_ROLES = {"user": "user", "human": "user", "you": "user", "system": "system", "tool": "tool"}
_BROKEN = 0.5  # of the lines may be no JSON; above that, the text is prose that begins with a brace


def fragments_of(text: str) -> list[dict[str, Any]]:
    """Fragments as a request takes them: {content, kind, path?, metadata {turn, role, tool?, command?, range?, target?, summary?}, media?}.

    A turn begins with what the user says. Files that were read carry their path, and a `range` where only a part was read; images are
    screenshots, with a `target` where the same thing is shown again and again. What a model thought by itself, subagents' own turns and
    the client's bookkeeping are left out. Within the limits of a request: what is longer is parted, what is too many is joined, oldest
    first, an image over the limit leaves a line that says so. Never fails, whatever the text.
    """
    building = Building()
    given = _json(text) if text.lstrip()[:1] in ("{", "[") else None
    rows = messages_of(given) if given is not None else _lines(text)
    if rows is None:
        _plain(text, building)
        return building.done()
    read = next((reader for fits, reader in ROWS if any(fits(row) for row in rows)), None)
    if read is None:
        _plain(text, building)
    else:
        read(rows, building)
    return building.done()


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _lines(text: str) -> list[dict[str, Any]] | None:
    """The objects of JSON lines; one that is broken, as the last of a running session may be, is passed over."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or not lines[0].lstrip().startswith("{"):
        return None
    rows = [row for row in map(_json, lines) if isinstance(row, dict)]
    return rows if len(rows) >= len(lines) * _BROKEN else None


def _plain(text: str, building: Building) -> None:
    """Turns by their speakers; text before the first speaker is the system's, text without any speaker the user's."""
    found = list(_SPEAKER.finditer(text))
    if not found:
        building.says("user", text)
        return
    building.says("system", text[: found[0].start()])
    for here, after in zip(found, [*found[1:], None], strict=True):
        said = text[here.end() : after.start() if after else len(text)].rstrip("\n")
        role = _ROLES.get(here[1].lower(), "assistant")
        if role == "tool":
            building.result("", said)
        else:
            building.says(role, said)
