"""A project's documents as drafts: one section under its heading, one memory; what agents are told, decisions, and the rest."""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clew.errors import InvalidInput
from clew.importers.asking import answer
from clew.importers.headings import cut, prose
from clew.limits import SUMMARY_CHARS
from clew.model import Draft, Pointer, Source
from clew.service import ignored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clew.importers.headings import Section

DETAIL_CHARS = 4_000  # of one section; the document keeps the rest
FILE_BYTES = 1 << 20  # a longer document is generated
FILES = 2_000  # documents one import reads
PROSE = 20  # letters a section has besides code and pictures, or it says nothing

SUFFIXES = frozenset(("", ".md", ".markdown", ".mdx", ".mdc", ".rst", ".txt"))
# The first that matches a path decides: (path from the project's top, kind, tag, whether the name of the file opens its summaries).
SORTS = tuple(
    (re.compile(pattern, re.I), kind, tag, named)
    for pattern, kind, tag, named in (
        (r"(?:.*/)?(?:claude|agents|gemini)(?:\.local)?\.md", "feedback", "rules", True),
        (r"(?:.*/)?\.(?:cursorrules|windsurfrules|clinerules)|(?:.*/)?\.cursor/rules/.*", "feedback", "rules", True),
        (r"\.github/(?:copilot-instructions\.md|instructions/.*)", "feedback", "rules", True),
        (r"(?:.*/)?(?:adrs?|decisions|decision-records)/[^/]+", "decision", "adr", False),
        (r"(?:.*/)?(readme|contributing|changelog|architecture)(?:[._-][^/]*)?", "reference", "", True),
        (r"docs?/.*", "reference", "docs", False),
    )
)
SKIPPED = frozenset(".git .hg .svn node_modules vendor third_party .venv venv site-packages .tox dist build target __pycache__".split())


class Found(NamedTuple):
    """A document: where it lies on the disk, its path from the project's top, and what is made of it."""

    place: str
    path: str
    kind: str
    tag: str
    named: bool


def sections(folder: str) -> Iterator[Draft]:
    """One draft for each section with prose in the documents below `folder`; none of them lies outside it.

    In a repository what git ignores is left out, everywhere what `.clewignore` names. Raises InvalidInput where there is no folder.
    """
    for found in documents(folder):
        yield from _drafts(found, _read(found.place))


def documents(folder: str) -> list[Found]:
    """The documents below `folder`, by path, at most FILES."""
    found = (Found(place, path, *sort) for place, path, _ in listed(folder, lambda path: _sort(path) is not None) if (sort := _sort(path)))
    return list(islice(found, FILES))


def listed(folder: str, wanted: Callable[[str], bool]) -> Iterator[tuple[str, str, str]]:
    """(where it lies on the disk, its path from the project's top, its path from `folder`) of every wanted file below a folder, by path.

    In a repository what git ignores is left out, everywhere what `.clewignore` names and what lies outside the folder; no file comes
    twice. `wanted` is asked of the path from the project's top. Raises InvalidInput where there is no folder.
    """
    if not os.path.isdir(folder):
        raise InvalidInput("folder", f"there is no folder '{folder}'")
    tracked = answer(folder, "ls-files", "-z", "-co", "--exclude-standard", "--full-name")
    prefix = (answer(folder, "rev-parse", "--show-prefix") or [""])[0]
    inside = os.path.realpath(folder)
    out = ignored(inside)
    seen: set[str] = set()
    for path in sorted(_walked(inside) if tracked is None else set(tracked)):
        here = path.removeprefix(prefix) if tracked is not None else path
        if not wanted(path) or out(here):
            continue
        place = os.path.realpath(os.path.join(inside, here))
        if place.startswith(inside.rstrip(os.sep) + os.sep) and os.path.isfile(place) and place not in seen:
            seen.add(place)
            yield place, path, here


def _sort(path: str) -> tuple[str, str, bool] | None:
    if SKIPPED.intersection(path.split("/")[:-1]) or os.path.splitext(path)[1].lower() not in SUFFIXES:
        return None
    for pattern, kind, tag, named in SORTS:
        if match := pattern.fullmatch(path):
            return kind, tag or match[1].lower(), named
    return None


def _walked(folder: str) -> Iterator[str]:
    """Every file below a folder in no repository, with forward slashes; links to folders are not followed, repositories not entered."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in SKIPPED and not os.path.lexists(os.path.join(where, f, ".git")))
        for name in files:
            yield os.path.relpath(os.path.join(where, name), folder).replace(os.sep, "/")


def _read(place: str) -> str:
    """The text of a file, bytes that are no UTF-8 as U+FFFD; "" for what cannot be read, is binary, or too long to be written by hand."""
    try:
        if not os.path.isfile(place) or os.path.getsize(place) > FILE_BYTES:
            return ""
        with open(place, "rb") as file:
            whole = file.read(FILE_BYTES)
    except OSError:
        return ""
    return "" if b"\0" in whole else whole.decode("utf-8-sig", "replace")


def _drafts(found: Found, text: str) -> Iterator[Draft]:
    path = os.fsencode(found.path).decode("utf-8", "replace")
    whole = cut(text)
    title = next((s.headings[0] for s in whole if s.headings), "")
    taken: dict[str, int] = {}
    for section in whole:
        if prose(section.text) < PROSE:
            continue
        summary = _summary(path, title, found.named, section)
        taken[summary] = taken.get(summary, 0) + 1
        yield Draft(
            summary if taken[summary] == 1 else f"{summary} ({taken[summary]})",
            found.kind,
            _fitted(section, path),
            ("document", found.tag),
            pointers=(Pointer(path, line=section.line),),
            source=Source(file=path),
        )


def _summary(path: str, title: str, named: bool, section: Section) -> str:
    """The way to a section: "README › Install"; where the file's name says little, from its title on."""
    label = os.path.splitext(path)[0].removeprefix(".")
    rest = list(section.headings)
    if title and rest[:1] == [title]:
        if not named:
            label = title
        if not named or len(rest) > 1:
            rest = rest[1:]
    way = " › ".join([label, *rest])
    return way if len(way) <= SUMMARY_CHARS - 8 else "…" + way[-(SUMMARY_CHARS - 9) :]


def _fitted(section: Section, path: str) -> str:
    if len(section.text) <= DETAIL_CHARS:
        return section.text
    return section.text[:DETAIL_CHARS].rstrip() + f"\n… (cut here; {path} has the whole section from line {section.line} on)"
