"""The content: the cache section, then the body, each in input order, with a marker where a fragment is emitted in part."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple

    from clew.compiler.values import Section
    from clew.compiler.work import Work
else:
    from clew.compiler.values import NamedTuple, Section

GAP = "[…]\n"  # where more is missing


class Assembled(NamedTuple):
    """The content, how many of its characters are the cache section, where each fragment stands, and the tokens once they are counted."""

    content: str
    cache_chars: int
    sections: tuple[Section, ...]
    tokens: int = 0


def assemble(works: Iterable[Work]) -> Assembled:
    """Put together what is chosen."""
    parts: list[str] = []
    sections: list[Section] = []
    at = cache_chars = 0
    for work in sorted((w for w in works if w.chosen), key=lambda w: (not w.cached, w.index)):
        text = emitted(work)
        if parts and text:
            between = _between(parts[-1])
            parts.append(between)
            at += len(between)
        sections.append(Section("cache" if work.cached else "body", work.index, at, at + len(text)))
        if text:
            parts.append(text)
            at += len(text)
        if work.cached:
            cache_chars = at
    return Assembled("".join(parts), cache_chars, tuple(sections))


def _between(before: str) -> str:
    """What makes the next fragment begin behind an empty line."""
    return "" if before.endswith("\n\n") else "\n" if before.endswith("\n") else "\n\n"


def emitted(work: Work) -> str:
    """The text of a work as it is emitted: whole, or its chosen pieces with a marker in the first gap and a short one in the others."""
    if work.whole:
        return work.text
    parts: list[str] = []
    missing = marked = False
    for number, (start, end, _) in enumerate(work.pieces):
        if number not in work.chosen:
            missing = True
            continue
        if missing:
            parts.append(_gap(parts, GAP if marked else _marker(work)))
            marked, missing = True, False
        parts.append(work.text[start:end])
    if missing:
        parts.append(_gap(parts, GAP if marked else _marker(work)))
    return "".join(parts)


def _gap(parts: list[str], marker: str) -> str:
    return marker if not parts or parts[-1].endswith("\n") else "\n" + marker


def _marker(work: Work) -> str:
    return f"[… {len(work.pieces) - len(work.chosen)} of {len(work.pieces)} parts left out, whole: {work.mark()}]\n"
