"""Which paths are left alone: the language of gitignore(5), for `.clewignore` and CLEW_EXCLUDE. Pure."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

# One piece of a pattern after another, first match wins.
_PIECE = r"(?s)(?P<deep>(?<![^/])\*\*/)|(?P<all>(?<=/)\*\*$)|(?P<any>\*+)|(?P<one>\?)|(?P<set>\[[!^]?\]?[^\]]*\])|\\?(?P<plain>.)"
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


def exclusion(root: str, own: str, everywhere: str) -> Callable[[str], bool]:
    """A function that says whether a path of a client is left alone: by the lines `own` of the project's folder `root`, or by the lines
    `everywhere`, which mean the path from `root` and the whole path alike. Slashes may lean either way; relative paths start at `root`."""
    by_own, by_all = ignored(own), ignored(everywhere)
    base = root.replace("\\", "/")
    above = [part for part in base.split("/") if part]

    def out(path: str) -> bool:
        whole = path.replace("\\", "/")
        parts = _steps(whole if whole.startswith("/") or whole[1:3] == ":/" else f"{base}/{whole}")
        inside = "/".join(parts[len(above) :]) if parts[: len(above)] == above else ""
        return (inside != "" and (by_own(inside) or by_all(inside))) or (parts != [] and by_all("/".join(parts)))

    return out


def _steps(path: str) -> list[str]:
    """The folders and the file of an absolute path, `.` and `..` walked."""
    steps: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del steps[-1:]
        elif part not in ("", "."):
            steps.append(part)
    return steps


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
        return Rule(re.compile(anywhere + re.sub(_PIECE, _regex, text.removeprefix("/")), re.S), folders, out)
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
