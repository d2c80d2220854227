"""`.clewignore`: which files an import leaves alone, in gitignore's own language. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

# One piece of a pattern after another, first match wins.
_PIECE = re.compile(
    r"(?P<deep>(?<![^/])\*\*/)|(?P<all>(?<=/)\*\*$)|(?P<any>\*+)|(?P<one>\?)|(?P<set>\[[!^]?\]?[^\]]*\])|\\?(?P<plain>.)", re.S
)
_MEANT = {"deep": "(?:.*/)?", "all": ".+", "any": "[^/]*", "one": "[^/]"}


class Rule(NamedTuple):
    """One line: whom it means, whether only folders, and whether it takes them out or back in."""

    pattern: re.Pattern[str]
    folders: bool
    out: bool


def ignored(lines: str) -> Callable[[str], bool]:
    """A function that says whether the ignore file `lines` takes a file out, given its path from that file's folder.

    As in gitignore(5): the last line that matches decides, and nothing comes back in below a folder that is out.
    """
    rules = [rule for line in lines.splitlines() if (rule := _rule(line))]

    def out(path: str) -> bool:
        parts = path.split("/")
        return any(_decided(rules, "/".join(parts[:n]), n < len(parts)) for n in range(1, len(parts) + 1))

    return out


def _decided(rules: list[Rule], path: str, folder: bool) -> bool:
    found = next((r for r in reversed(rules) if (folder or not r.folders) and r.pattern.fullmatch(path)), None)
    return found is not None and found.out


def _rule(line: str) -> Rule | None:
    text = re.sub(r"(?<!\\) +$", "", line.rstrip("\r\n"))
    if not text or text.startswith("#"):
        return None
    out = not text.startswith("!")
    text = text if out else text[1:]
    folders = text.endswith("/")
    text = text.rstrip("/") if folders else text
    anywhere = "" if "/" in text else "(?:.*/)?"
    try:
        return Rule(re.compile(anywhere + _PIECE.sub(_regex, text.removeprefix("/")), re.S), folders, out)
    except re.error:  # a set that no expression can hold, such as [z-a], matches nothing
        return None


def _regex(piece: re.Match[str]) -> str:
    kind = piece.lastgroup or ""
    text = piece[kind]
    if kind == "plain":
        return re.escape(text) if piece[0] not in ("[", "\\") else "(?!)"  # an open set and a last backslash match nothing
    if kind == "set":
        inside = text[1:-1]
        negated = inside[:1] in ("!", "^")
        body = (inside[1:] if negated else inside).replace("\\", r"\\").replace("[", r"\[").replace("]", r"\]")
        return f"(?!/)[{'^' if negated else ''}{body}]"
    return _MEANT[kind]
