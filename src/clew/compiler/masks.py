"""What of a log line is value and not wording (timestamps, counters, ids, measures), what values ranged over, how loud a line is."""

from __future__ import annotations

from clew.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_LONGEST = 4_096  # characters of a line that is looked at; a longer line is only the same as itself
_LISTED = 4  # so many different values are written out, more become a range
_REMEMBERED = 1 << 13  # shapes kept in the memo before it starts anew
_WORTH = 1_024  # characters of a shape that is worth remembering
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_VALUE_CHARS = 60  # of one value in a range

_STAMP = (
    r"(?:\x1b_bk;t=\d+\x07|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:Z|UTC|[+-]\d\d:?\d\d)?\]?"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\[[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d(?:\.\d+)? \d{4}\]|\d{4} \d\d:\d\d:\d\d\.\d+"
    r"|\[ *\d+\.\d{3,}\]|\d{10}(?:\.\d+|\d{3})?(?=[ \t\",}]))"
)
# Before a stamp may stand: colours, the job and step of a CI log in columns, the key of a field, the letter of a level.
_LEAD = (
    r"((?:\x1b\[[\d;]*m)*(?:(?:[^\t\n]{1,80}\t){2}"
    r"|\{\"(?:ts|time|timestamp|@timestamp)\": ?\"?|(?:time|ts|timestamp)=\"?|[IWEF](?=\d{4} \d\d:))?)"
    rf"({_STAMP}(?:[ \t]{{0,2}}{_STAMP})*)"
)
_COLOUR = r"\x1b(?:\[[\d;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|_[^\x07]{0,80}\x07)"
# A number that says what happened, not how often.
_KEPT = (
    r"(\b(?=[cehlpsH])(?:exit(?:ed)?(?: with)?(?: code| status)?|code|status|errno|signal|line|port|HTTP/[\d.]+)\"?[ =:]+\d+\b"
    r"|\" \d{3}(?= )|\b(?=[DGHOP])(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) [^\s\"]+ \d\d\d\b)"
)
_UNIT = r"(?:ns|[µu]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|[kKMGT]?i?B(?:/s)?|bytes|[kKMGT](?![\w]))"
_UUID = r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"
_VALUE = (
    r"((?=\d)(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
    rf"|\d\d/[A-Z][a-z]{{2}}/\d{{4}}:\d\d:\d\d:\d\d(?: [+-]\d{{4}})?|{_UUID}|\b0x[0-9a-fA-F]+\b"
    r"|(?<![\w-])[0-9a-f]{12,}(?![\w-])|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![\w.])"
    rf"|(?<![\w.:/-])(?:\d+h ?)?(?:\d+m ?)?\d+(?:\.\d+)? ?{_UNIT}\b|(?<![\w.:/-])\d+:\d\d(?::\d\d)?(?:\.\d+)?(?![\w:])|\d+(?:\.\d+)? ?%"
    r"|(?<=\":)\d+(?:\.\d+)?(?![.\w])|(?<![\w.:@/-])\d+(?:,\d{3})*(?:\.\d+)?(?: ?/ ?\d+)?(?![.:/-]?\w))"
    rf"|(?=[a-fA-F])(?:{_UUID}|(?<![\w-])(?=[a-f]{{1,11}}\d)[0-9a-f]{{12,}}(?![\w-]))"
    r"|(?<=[\[(]) +\d+(?:\.\d+)?(?: ?%| ?/ ?\d+)?(?=[\] )])|(?<=[\[|])[#=>█▓▒░━╸╺ .\-]{3,}(?=[\]|])|[\u2800-\u28ff])"
)
_IN_NAMES = r"(\d+)"
_PASSED_OVER = r"[A-Za-z_]+[ ./:=,-]*"  # no value begins within a word or right behind it: most of a line is not looked at closely
_MASK = f"{_KEPT}|{_VALUE}|{_IN_NAMES}|{_PASSED_OVER}"
_KEPT_GROUP, _VALUE_GROUP = 1, 2
_NUMBERS = r"\d+(?:\.\d+)?"
_SECONDS = {"ns": 1e-9, "µs": 1e-6, "us": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_BYTES = {"B": 1.0, "kB": 1e3, "KB": 1e3, "KiB": 1024.0, "MB": 1e6, "MiB": 1024.0**2, "GB": 1e9, "GiB": 1024.0**3}
_MEASURES = _SECONDS | _BYTES


class _Shape:
    """What lines of one shape have in common, a shape being a line with every digit a 0: lines of one template share a few.

    The timestamp is line[first:end]; without it and the blanks at the end `size` characters are left. Of these `parts` are no colours (None
    where all are), and in what they join to, the values stand at `values`, and at `wide` with the numbers within names.
    """

    __slots__ = ("end", "first", "parts", "size", "values", "wide")

    def __init__(self, shape: str) -> None:
        lead = compiled(_LEAD).match(shape)
        self.first, self.end = (len(lead[1]), lead.end()) if lead else (0, 0)
        body = (shape[: self.first] + shape[self.end :]).rstrip()
        self.size = len(body)
        self.parts: list[slice] | None = None
        self.values: tuple[tuple[int, int], ...] | None = None
        self.wide: tuple[tuple[int, int], ...] = ()

    def read(self, shape: str) -> tuple[tuple[int, int], ...]:
        """Fill in where the values stand; they take most of the time, and not everybody asks for them."""
        body = (shape[: self.first] + shape[self.end :])[: self.size]
        if "\x1b" in body:
            edges = [0, *(edge for colour in compiled(_COLOUR).finditer(body) for edge in colour.span()), self.size]
            self.parts = [slice(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True)]
            body = "".join(map(body.__getitem__, self.parts))
        found = [(match.lastindex, match.span()) for match in compiled(_MASK).finditer(body) if match.lastindex]
        self.wide = tuple(span for group, span in found if group != _KEPT_GROUP)
        self.values = tuple(span for group, span in found if group == _VALUE_GROUP)
        return self.values


_shapes: dict[str, _Shape] = {}


def shaped(text: str) -> str:
    """The text with every digit a 0, of the same length: the shapes of its lines."""
    return text.encode("utf-8", "surrogatepass").translate(_DIGITS).decode("utf-8", "surrogatepass")


def _shape(shape: str) -> _Shape:
    found = _shapes.get(shape)
    if found is None:
        found = _Shape(shape)
        if len(shape) <= _WORTH:
            if len(_shapes) >= _REMEMBERED:
                _shapes.clear()
            _shapes[shape] = found
    return found


def bare(line: str, shape: str) -> str:
    """A line of that shape without its leading timestamp and the blanks at its end."""
    return line if len(line) > _LONGEST else _body(line, _shape(shape))


def _body(line: str, found: _Shape) -> str:
    if not found.first:
        return line[found.end : found.end + found.size]
    return (line[: found.first] + line[found.end :])[: found.size]


def uncoloured(line: str) -> str:
    """A line without colours and other marks for a terminal."""
    return compiled(_COLOUR).sub("", line)


def masked(line: str, shape: str, *, normalise: bool = True, loose: bool = False) -> tuple[str, tuple[str, ...]]:
    """A line's template and the values taken out of it, the leading timestamp first ("" without one). Without `normalise` only that is
    taken out; with `loose` numbers within names, versions and paths are values too."""
    if len(line) > _LONGEST:
        return line, ("",)
    found = _shape(shape)
    body, stamp = _body(line, found), line[found.first : found.end]
    if not normalise:
        return body, (stamp,)
    places = found.read(shape) if found.values is None else found.values
    if found.parts is not None:
        body = "".join(map(body.__getitem__, found.parts))
    at, text, values = 0, [], [stamp]
    for start, end in found.wide if loose else places:
        text.append(body[at:start])
        values.append(body[start:end])
        at = end
    text.append(body[at:])
    return "\0".join(text), tuple(values)


def ranges(values: Sequence[tuple[str, ...]]) -> tuple[str, bool]:
    """What the masked places of one template ranged over, as ` [until …; 3–52; a, b]` ("" where nothing varied), and whether that is all of
    it: at most one place varies besides the timestamp, and its values are written out."""
    said, varied, whole = [], 0, True
    for place, column in enumerate(zip(*values, strict=True)):
        distinct = list(dict.fromkeys(column))
        if len(distinct) == 1:
            continue
        if place == 0:
            said.append(f"until {_rest(distinct[0], distinct[-1])}")
            continue
        varied += 1
        if len(distinct) <= _LISTED:
            said.append(", ".join(value.strip() for value in distinct))
        else:
            whole = False
            said.append(_range(distinct))
    return (f" [{'; '.join(said)}]" if said else ""), whole and varied <= 1


def _rest(first: str, last: str) -> str:
    """The part of the last timestamp that differs from the first, from the last sign before it that parts its fields."""
    same = 0
    while same < min(len(first), len(last)) and first[same] == last[same]:
        same += 1
    cut = max(last.rfind(sign, 0, same) for sign in "T :-[") + 1
    return last[cut:].strip("[] ") or last.strip("[] ")


def _range(distinct: list[str]) -> str:
    """From the least to the greatest where the values are numbers of one shape or measures of one kind, else how many there are."""
    distinct = [value.strip() for value in distinct]
    sizes: list[Any] = _whole_numbers(distinct)
    if not sizes:
        shapes = {compiled(_NUMBERS).sub("0", value) for value in distinct}
        sizes = [_size(value) for value in distinct] if len(shapes) > 1 else [_numbers(value) for value in distinct]
        if len(shapes) > 1 and min(sizes) < 0:
            return f"{distinct[0][:_VALUE_CHARS]} … {distinct[-1][:_VALUE_CHARS]}, {len(distinct)} values"
    last = len(distinct) - 1 - sizes[::-1].index(max(sizes))
    return f"{distinct[sizes.index(min(sizes))]}–{distinct[last]}"


def _whole_numbers(values: list[str]) -> list[int]:
    """The numbers where all values are whole numbers with the same unit behind them, as most are; else none."""
    unit = values[0].lstrip("0123456789")
    numbers = [value.removesuffix(unit) for value in values if value.endswith(unit)]
    return list(map(int, numbers)) if len(numbers) == len(values) and all(map(str.isdecimal, numbers)) else []


def _numbers(value: str) -> tuple[float, ...]:
    pattern = r"\d+" if value.count(".") > 1 else _NUMBERS  # an address or a version is no decimal fraction
    return tuple(float(number) for number in compiled(pattern).findall(value.replace(",", "")))


def _size(value: str) -> float:
    """A measure in seconds or bytes; a bare number as it is; below nought for anything else."""
    found = compiled(r"(\d+(?:\.\d+)?) ?([µa-zA-Z]*)$").match(value)
    return float(found[1]) * _MEASURES.get(found[2], 1.0) if found else -1.0
