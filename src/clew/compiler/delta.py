"""Re-read files: an older reading as its difference from the newest, line by line, without context lines.

The difference is found by lines that occur once in both texts (patience) after the common beginning and end are set aside; what lies
between two such lines and differs is replaced whole. It is never wrong, sometimes longer than the shortest one, and its cost is
n log n in lines, where the usual algorithm has a quadratic case that one large file is enough to meet.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NUMBERED_SHARE = 0.9  # of the lines that must begin with their number before the numbers are set aside
NO_NEWLINE = "\\ No newline at end of file\n"


def unified(newest: str, older: str, label: str) -> str:
    """The unified diff that turns `newest` into `older`: 0 lines of context, empty where the lines are the same.

    Where a tool has numbered the lines of both (`   12→code`), the numbers are set aside, because one line put in moves them all.
    """
    before, after = lines_of(newest), lines_of(older)
    plain = [_unnumbered(lines) for lines in (before, after)]
    if plain[0] is not None and plain[1] is not None:
        (offset_a, before), (offset_b, after), label = plain[0], plain[1], f"{label}, line numbers left out"
    else:
        offset_a = offset_b = 0
    hunks = [_hunk(before[a:b], after[c:d], a + offset_a, c + offset_b) for a, b, c, d in changes(before, after)]
    return f"--- {label} (newest)\n+++ {label} (earlier)\n" + "".join(hunks) if hunks else ""


def lines_of(text: str) -> list[str]:
    """The lines with their ends; a line ends at a newline and nowhere else, so they join to the same text."""
    *whole, rest = text.split("\n")
    return [line + "\n" for line in whole] + ([rest] if rest else [])


def changes(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Where the two differ: (a, b, c, d) says that before[a:b] stands where after has after[c:d]; ascending, none empty on both sides."""
    found = []
    at_a = at_c = 0
    for a, c in (*_anchors(before, after), (len(before), len(after))):
        found += _trimmed(before, after, (at_a, a, at_c, c))
        at_a, at_c = a + 1, c + 1
    return found


def _trimmed(before: Sequence[str], after: Sequence[str], gap: tuple[int, int, int, int]) -> list[tuple[int, int, int, int]]:
    """What differs between two anchors: nothing, one change, or two where the anchors were followed and preceded by equal lines."""
    a, b, c, d = gap
    while a < b and c < d and before[a] == after[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and before[b - 1] == after[d - 1]:
        b, d = b - 1, d - 1
    return [(a, b, c, d)] if a < b or c < d else []


def _anchors(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of equal lines that are unique on either side, in an order that both share: the longest rising sequence of them."""
    places = _unique(after)
    pairs = [(a, places[line]) for line, a in _unique(before).items() if line in places]
    tops: list[int] = []  # the smallest end of a rising sequence of each length
    held: list[int] = []  # which pair that end is
    came: list[int] = []  # the pair before each pair
    for index, (_, c) in enumerate(pairs):
        at = bisect_left(tops, c)
        came.append(held[at - 1] if at else -1)
        tops[at : at + 1], held[at : at + 1] = [c], [index]
    chain = []
    index = held[-1] if held else -1
    while index >= 0:
        chain.append(pairs[index])
        index = came[index]
    return chain[::-1]


def _unique(lines: Sequence[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    repeated = set()
    for index, line in enumerate(lines):
        if line in places:
            repeated.add(line)
        places[line] = index
    return {line: index for line, index in places.items() if line not in repeated}


def _hunk(old: Sequence[str], new: Sequence[str], at_old: int, at_new: int) -> str:
    head = f"@@ -{_range(at_old, len(old))} +{_range(at_new, len(new))} @@\n"
    return head + "".join(_signed("-", old)) + "".join(_signed("+", new))


def _range(at: int, size: int) -> str:
    return f"{at + (size > 0)}" + ("" if size == 1 else f",{size}")


def _signed(sign: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield sign + line if line.endswith("\n") else f"{sign}{line}\n{NO_NEWLINE}"


def _unnumbered(lines: list[str]) -> tuple[int, list[str]] | None:
    """(lines before the first one shown, the lines without their numbers) where a tool has numbered them in a row; else None."""
    marks = [_number().match(line) for line in lines]
    if not lines or sum(mark is not None for mark in marks) < NUMBERED_SHARE * len(lines):
        return None
    first = next(int(mark[1]) - index for index, mark in enumerate(marks) if mark)
    if any(mark and int(mark[1]) - index != first for index, mark in enumerate(marks)):
        return None
    return max(0, first - 1), [line[mark.end() :] if mark else line for line, mark in zip(lines, marks, strict=True)]


@cache
def _number() -> re.Pattern[str]:
    return re.compile(r"[ \t]*(\d{1,7})(?:→|\t|\| ?|: )")
