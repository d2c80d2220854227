"""Cuts a document at its headings: Markdown's `#`, and underlined ones as in Markdown and reStructuredText. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_HASHES = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r"([=\-~^\"'`*+.:])\1{2,}[ \t]*")
_BULLET = re.compile(r"\s|[-*+>|#]|\d+[.)] |```|~~~")  # a line that opens like this is no title
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_BADGE = re.compile(r"\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?|^\.\. image::.*$", re.M)
_CODE = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.S | re.M)
_LINKED = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_LETTER = re.compile(r"[^\W\d_]")


class Section(NamedTuple):
    """A heading with those above it, outermost first; the line it stands on, from 1; the text up to the next heading."""

    headings: tuple[str, ...]
    line: int
    text: str


def cut(document: str) -> list[Section]:
    """The sections of a document in their order; what stands before the first heading has none."""
    lines = document.splitlines()
    start = _front_matter(lines)
    sections: list[Section] = []
    above: list[tuple[int, str]] = []
    begun, text = start, start
    for at, level, title, after in _headings(lines, start):
        sections.append(Section(tuple(t for _, t in above), begun + 1, _text(lines[text:at])))
        above = [*((n, t) for n, t in above if n < level), (level, title)]
        begun, text = at, after
    sections.append(Section(tuple(t for _, t in above), begun + 1, _text(lines[text:])))
    return [s for s in sections if s.headings or s.text]


def prose(text: str) -> int:
    """How many letters a text has once code blocks, comments and pictures are out."""
    for left_out in (_COMMENT, _CODE, _BADGE):
        text = left_out.sub("", text)
    return len(_LETTER.findall(_LINKED.sub(r"\1", text)))


def _headings(lines: list[str], start: int) -> Iterator[tuple[int, int, str, int]]:
    """(line index of the heading, level, title, line index of what follows), code blocks and comments passed over."""
    fence, comment, underlines = "", False, ["=", "-"]
    for at in range(start, len(lines)):
        line = lines[at]
        if fence:
            fence = "" if line.strip().startswith(fence) and not line.strip().strip(fence[0]) else fence
        elif comment or line.lstrip().startswith("<!--"):
            comment = "-->" not in line
        elif at > start and _underlined(lines, at, start):  # before fences: `~~~~` under a title as long is no code
            mark = line[0]
            if mark not in underlines:
                underlines.append(mark)
            yield at - 1, underlines.index(mark) + 1, _plain(lines[at - 1]), at + 1
        elif opened := _FENCE.match(line):
            fence = opened[1]
        elif (hashes := _HASHES.fullmatch(line)) and hashes[2]:
            yield at, len(hashes[1]), _plain(hashes[2]), at + 1


def _underlined(lines: list[str], at: int, start: int) -> bool:
    title, before = lines[at - 1], lines[at - 2] if at - 2 >= start else ""
    alone = not before.strip() or _UNDERLINE.fullmatch(before)
    return bool(
        _UNDERLINE.fullmatch(lines[at])
        and title.strip()
        and alone
        and not _BULLET.match(title)
        and not _UNDERLINE.fullmatch(title)
        and (lines[at][0] in "=-" or len(lines[at].rstrip()) >= len(title.rstrip()))
    )


def _front_matter(lines: list[str]) -> int:
    if lines[:1] == ["---"] and "---" in lines[1:]:
        return lines.index("---", 1) + 1
    return 0


def _plain(title: str) -> str:
    return _LINKED.sub(r"\1", _COMMENT.sub("", _BADGE.sub("", title))).replace("`", "").strip(" *_:")


def _text(lines: list[str]) -> str:
    return _COMMENT.sub("", "\n".join(lines)).strip()
