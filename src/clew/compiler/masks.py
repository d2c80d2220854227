"""What of a log line is value and not wording (timestamps, counters, ids, measures), what values ranged over, how loud a line is."""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FAILURE, SUMMARY, WARNING = range(3)
_LONGEST = 4_096  # characters of a line that is looked at; a longer line is only the same as itself
_LISTED = 4  # so many different values are written out, more become a range
_REMEMBERED = 1 << 14  # shapes and templates kept in a memo before it starts anew
_DIGITS = dict.fromkeys(range(ord("1"), ord("9") + 1), "0")
_shapes: dict[tuple[str, bool], tuple[tuple[int, int], ...]] = {}
_loudness: dict[str, bool] = {}
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
# The first group is kept: a number that says what happened, not how often.
_KEPT = (
    r"(\b(?:exit(?:ed)?(?: with)?(?: code| status)?|code|status|errno|signal|line|port|HTTP/[\d.]+)\"?[ =:]+\d+\b|\" \d{3}(?= )"
    r"|\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) [^\s\"]+ \d\d\d\b)"
)
_UNIT = r"(?:ns|[µu]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|[kKMGT]?i?B(?:/s)?|bytes|[kKMGT](?![\w]))"
_VALUE = (
    r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d(?: [+-]\d{4})?"
    r"|\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b|\b0x[0-9a-fA-F]+\b"
    r"|(?<![\w-])(?=[a-f]{0,11}\d)[0-9a-f]{12,}(?![\w-])|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![\w.])"
    rf"|(?<![\w.:/-])(?:\d+h ?)?(?:\d+m ?)?\d+(?:\.\d+)? ?{_UNIT}\b|(?<![\w.:/-])\d+:\d\d(?::\d\d)?(?:\.\d+)?(?![\w:])|\d+(?:\.\d+)? ?%"
    r"|(?<=[\[(]) +\d+(?:\.\d+)?(?: ?%| ?/ ?\d+)?(?=[\] )])"
    r"|(?<=\":)\d+(?:\.\d+)?(?![.\w])"
    r"|(?<=[\[|])[#=>█▓▒░━╸╺ .\-]{3,}(?=[\]|])|[\u2800-\u28ff]|(?<![\w.:@/-])\d+(?:,\d{3})*(?:\.\d+)?(?: ?/ ?\d+)?(?![.:/-]?\w))"
)
_NUMBERS = r"\d+(?:\.\d+)?"
_SECONDS = {"ns": 1e-9, "µs": 1e-6, "us": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_BYTES = {"B": 1.0, "kB": 1e3, "KB": 1e3, "KiB": 1024.0, "MB": 1e6, "MiB": 1024.0**2, "GB": 1e9, "GiB": 1024.0**3}
_MEASURES = _SECONDS | _BYTES

_FAILURE = (
    r"(?i:(?<![\w/.-])(?:errors?|err|fatal|panic(?:ked)?|exception|fail(?:ed|ures?|s|ing)?|critical|severe|assert(?:ion)?(?:error)?|traceback"
    r"|abort(?:ed)?|segfault|killed|oom|denied|refused|unreachable|timed out|cannot|can't|could not|couldn't|unable to|undefined|not found"
    r"|no such|unresolved|rejected|corrupt(?:ed)?|invalid|unexpected|deadlock|crash(?:ed)?|unhandled|uncaught|out of memory"
    r"|segmentation fault|core dumped|exit(?:ed)?(?: with)?(?: code| status)?[ =:]+[1-9]|timeout(?! ?[=:]? ?\d))(?![\w/]|\.\w|-\w))"
    r"|\w(?:Error|Exception)\b(?!\.\w)|ERR!|\bE\d{4}\b|^E {2,}|[✗✘✖❌]|\bnot ok\b|\" [45]\d\d |HTTP[ /][\d.]*\"? [45]\d\d\b"
    r"|\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) \S+ 5\d\d\b"
)
_NO_FAILURE = (
    r"(?i)\b(?:0|no|zero|without) (?:errors?|failures?|failed|failing|exceptions?)\b|\b(?:errors?|failures?|failed)\"?\s*[:=]\s*0\b"
)
_PASSED = r"^\s*(?:✓|✔|ok \d|PASS\b|--- PASS)|(?:PASSED|\bok|\bOK|✓)\s*(?:\[ *\d+%\])?(?:\s*\([\d. ]+m?s\))?\s*$"
_WARNING = r"(?i)(?<![\w/.-])(?:warn(?:ings?)?|deprecat(?:ed|ion))\b(?!\.\w)"
_SUMMARY = (
    r"(?i:\b\d+ (?:passed|failed|skipped|tests?|errors?|warnings?|examples?|specs?)\b"
    r"|^\s*(?:tests?|test suites?|suites?|total|summary|snapshots|time)\s*:"
    r"|\btest result:|\bran \d+ tests?|\bbuild (?:success|failed|succeeded)|finished in|done in|\bcoverage\b"
    r"|exit(?:ed)?(?: with)? (?:code|status)"
    r"|\bsummary\b|^={3,} .* ={3,}\s*$)"
)


def masked(line: str, normalise: bool, loose: bool = False) -> tuple[str, tuple[str, ...]]:
    """A line's template and the values taken out of it, the leading timestamp first ("" without one). With `loose` numbers within names,
    versions and paths are values too."""
    if len(line) > _LONGEST:
        return line, ("",)
    lead = _compiled(_LEAD).match(line)
    stamp, body = (lead[2], lead[1] + line[lead.end() :]) if lead else ("", line)
    body = body.rstrip()
    if not normalise:
        return body, (stamp,)
    if "\x1b" in body:
        body = _compiled(_COLOUR).sub("", body)
    at, text, values = 0, [], [stamp]
    for start, end in _places(body.translate(_DIGITS), loose):
        text.append(body[at:start])
        values.append(body[start:end])
        at = end
    return "\0".join([*text, body[at:]]), tuple(values)


def _places(shape: str, loose: bool) -> tuple[tuple[int, int], ...]:
    """Where the values of a line lie, from its shape: every digit is a 0, so that the lines of one template share a few shapes."""
    found = _shapes.get((shape, loose))
    if found is None:
        if len(_shapes) >= _REMEMBERED:
            _shapes.clear()
        pattern = f"{_KEPT}|{_VALUE}|(\\d+)" if loose else f"{_KEPT}|{_VALUE}"
        found = tuple(match.span() for match in _compiled(pattern).finditer(shape) if match[1] is None)
        _shapes[shape, loose] = found
    return found


def ranked(line: str, template: str) -> int | None:
    """FAILURE, SUMMARY, WARNING, or None for the plain course of a log. Numbers can hush a template that speaks of failure (`0 errors`),
    never make a plain one loud, so that most lines are judged by a template seen before."""
    loud = _loudness.get(template)
    if loud is None:
        if len(_loudness) >= _REMEMBERED:
            _loudness.clear()
        loud = _loudness[template] = _judged(template[:_LONGEST].replace("\0", "1")) is not None
    return _judged(line[:_LONGEST]) if loud else None


def _judged(line: str) -> int | None:
    if _compiled(_FAILURE).search(line) and not _compiled(_PASSED).search(line) and _compiled(_FAILURE).search(_calm(line)):
        return FAILURE
    if _compiled(_SUMMARY).search(line):
        return SUMMARY
    return WARNING if _compiled(_WARNING).search(line) else None


def _calm(line: str) -> str:
    return _compiled(_NO_FAILURE).sub("", line)


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
    shapes = {_compiled(_NUMBERS).sub("0", value) for value in distinct}
    if len(shapes) == 1 or all(_size(value) >= 0 for value in distinct):
        by_size = sorted(distinct, key=_size if len(shapes) > 1 else _numbers)
        return f"{by_size[0]}–{by_size[-1]}"
    return f"{distinct[0][:_VALUE_CHARS]} … {distinct[-1][:_VALUE_CHARS]}, {len(distinct)} values"


def _numbers(value: str) -> tuple[float, ...]:
    pattern = r"\d+" if value.count(".") > 1 else _NUMBERS  # an address or a version is no decimal fraction
    return tuple(float(number) for number in _compiled(pattern).findall(value.replace(",", "")))


def _size(value: str) -> float:
    """A measure in seconds or bytes; a bare number as it is; below nought for anything else."""
    found = _compiled(r"(\d+(?:\.\d+)?) ?([µa-zA-Z]*)$").match(value)
    return float(found[1]) * _MEASURES.get(found[2], 1.0) if found else -1.0


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
