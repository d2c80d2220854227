"""What is known of a thing in one line: what a file defines, how a command ended, what a search found. Quick enough for a hook."""

from __future__ import annotations

import re

GIST_CHARS = 240
LOOKED_AT = 64 << 10  # characters of a file
NAMES = 12
ENDS = 1_000  # characters kept of either end of what cannot be read again
# What a line of code defines, in the languages agents read most; the last group that matched is the name.
_DEFINES = (
    r"^(?:(?:export|default|pub(?:\([a-z]+\))?|public|private|protected|static|final|abstract|async|unsafe)\s+)*"
    r"(?:def|class|func(?:\s+\([^)\n]{1,60}\))?|fn|function\*?|type|interface|struct|enum|trait|impl|module|namespace|object|record|const"
    r"|CREATE TABLE)"
    r"\s+([A-Za-z_][\w.]*)"
)
_HEADING = r"^#{1,3}\s+(\S.*)$"
_RULER = r"^([=\-_*#~+─━═])\1{2,}(?:\s+|$)|\s+([=\-_*#~+─━═])\2{2,}$"  # drawn around what a line says, as pytest draws it
_NUMBERED = r"^\s*\d+(?:\t|→)"  # how some clients number the lines of a file


def symbols(text: str) -> tuple[str, ...]:
    """The names that a file defines at its outer level, in order, at most NAMES."""
    plain = re.sub(_NUMBERED, "", text[:LOOKED_AT], flags=re.M)
    return tuple(dict.fromkeys(m.group(1) for m in re.finditer(_DEFINES, plain, re.M)))[:NAMES]


def of_file(text: str, found: tuple[str, ...]) -> str:
    """What a file is about: the names it defines, else its headings, else its first words."""
    if found:
        return _cut("defines " + ", ".join(found))
    plain = re.sub(_NUMBERED, "", text[:LOOKED_AT], flags=re.M)
    headings = [m.group(1).strip() for m in re.finditer(_HEADING, plain, re.M)]
    return _cut("; ".join(headings[:NAMES])) if headings else _cut(_first(plain))


def of_command(text: str) -> str:
    """How a command ended: its last line that says something, without what is drawn around it."""
    lines = [re.sub(_RULER, "", line.strip()) for line in text[-4 * ENDS :].splitlines()]
    said = next((line for line in reversed(lines) if line), "")
    return _cut(said) if said else "no output"


def of_search(text: str) -> str:
    """What a search found: how many lines, and the first of them."""
    lines = [line.strip() for line in text[:LOOKED_AT].splitlines() if line.strip()]
    return _cut(f"{len(lines)} {'line' if len(lines) == 1 else 'lines'}: " + "; ".join(lines[:3])) if lines else "nothing found"


def ends(text: str, gone: int = 0) -> str:
    """Both ends of a text, cut at line ends where there are any, with what is missing between them said: `gone` characters were before."""
    if len(text) <= 2 * ENDS + 100:
        return text
    head, tail = text[:ENDS], text[-ENDS:]
    head, tail = head[: head.rfind("\n") + 1 or None], tail[tail.find("\n") + 1 :]
    return f"{head}\n… ({len(text) + gone - len(head) - len(tail):,} characters left out) …\n{tail}"


def _first(text: str) -> str:
    return next((line for line in text.splitlines() if any(c.isalnum() for c in line)), "")


def _cut(text: str) -> str:
    line = " ".join(text[: 4 * GIST_CHARS].split())
    return line if len(line) <= GIST_CHARS else line[: GIST_CHARS - 1] + "…"
