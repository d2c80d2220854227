"""The time a question speaks of, and how well a memory fits it: a small grammar of years, months, days and "ago". Pure.

A boost, never a filter: a memory that names no time is neither here nor there, and the words stay in the question. The weights were chosen
on a development set of questions about years (docs/decisions/0008).
"""

from __future__ import annotations

import re
from functools import cache
from math import exp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    from clew.model import Memory
else:
    from clew.model import NamedTuple

GAIN = 0.8  # of its score that a memory which fits wholly gains
UNKNOWN = 0.2  # how well one fits that names no time
INSIDE, BEGINS, ENDS = 0.5, 0.35, 0.15  # parts of a fit: something in the time asked about, in its first year, in its last
FADING = 1.0  # years outside the time asked about at which INSIDE has fallen to a third
READ = 20_000  # characters of a text that are looked at

DAY = 86_400.0
YEAR = 365.2425 * DAY
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_UNITS = {"day": DAY, "week": 7 * DAY, "month": YEAR / 12, "year": YEAR}
_A_YEAR = r"(?<![\d.,/#-])(1\d{3}|20\d\d)(?![\d%]|[.,]\d)"
_YEARS = r"(?<![\d.,#])(1\d{3}|20\d\d)(?!\d|[.,]\d|%)"  # in a memory: "1995-98" and 2023-04-01 count
_RANGE = r"(?<![\d.,#])(1\d{3}|20\d\d)\s*(?:-|–|—|to|until|till|through)\s*(1\d{3}|20\d\d|\d\d)(?![\d-])"
_POINT = (  # the first that fits at a place: day, month or year, said in any of these ways
    rf"(?P<iso>\b(?:1\d{{3}}|20\d\d)-\d\d(?:-\d\d)?\b)"
    rf"|(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?\b(?P<month>{_MONTH})\.?,?\s+(?:(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?"
    rf"(?:of\s+)?(?P<year>1\d{{3}}|20\d\d)\b"
    rf"|\b(?P<decade>1\d\d0|20\d0)s\b"
    rf"|(?P<bare>{_A_YEAR})"
)
_AGO = rf"\b(?P<many>\d{{1,4}}|{'|'.join(_NUMBERS)})\s+(?P<unit>day|week|month|year)s?\s+ago\b"
_LAST = (
    r"\b(?P<which>last|past|this)\s+(?:(?P<many>\d{1,4}|two|three|four|five|six|seven|eight|nine|ten)\s+)?(?P<unit>day|week|month|year)s?\b"
)
_NEAR = r"\b(?P<near>today|yesterday)\b"
_BEFORE = r"\b(?:before|until|till|up to|prior to)\s+(?:the\s+)?$"
_AFTER = r"\b(?:after|following)\s+(?:the\s+)?$"
_SINCE = r"\bsince\s+(?:the\s+)?$"
_ANY = rf"\d|{_NEAR}|\b(?:last|past|this|ago)\b"


class Span(NamedTuple):
    """A stretch of time in UTC seconds, `end` not included."""

    start: float
    end: float


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def asked(question: str, now: float) -> Span | None:
    """The time that a question names, from the earliest to the latest of its points; None when it names none.

    "before X" is all that lies before, "after X" and "since X" what lies between and now. "last week" is counted back from `now`.
    """
    if not _pattern(_ANY).search(question):
        return None
    spans = [*_relative(question, now)]
    for found in _pattern(_POINT).finditer(question):
        span = _point(found)
        if span is not None:
            spans.append(_directed(span, question[: found.start()], now))
    return Span(min(s.start for s in spans), max(s.end for s in spans)) if spans else None


def _directed(span: Span, before: str, now: float) -> Span:
    if _pattern(_BEFORE).search(before):
        return Span(float("-inf"), span.start)
    if _pattern(_AFTER).search(before):
        return Span(span.end, max(now, span.end + DAY))
    if _pattern(_SINCE).search(before):
        return Span(span.start, max(now, span.end))
    return span


def _point(found: re.Match[str]) -> Span | None:
    if found["iso"]:
        return _civil(*map(int, found["iso"].split("-")))
    if found["month"]:
        month = _MONTHS.index(found["month"][:3].lower()) + 1
        day = found["day"] or found["day2"]
        return _civil(int(found["year"]), month, *([int(day)] if day else []))
    if found["decade"]:
        return Span(_start(int(found["decade"])), _start(int(found["decade"]) + 10))
    return _civil(int(found["bare"]))


def _relative(question: str, now: float) -> Iterator[Span]:
    for found in _pattern(_AGO).finditer(question):
        many, unit = _number(found["many"]), _UNITS[found["unit"].lower()]
        yield Span(now - (many + 0.5) * unit, now - (many - 0.5) * unit)
    for found in _pattern(_LAST).finditer(question):
        length = _UNITS[found["unit"].lower()] * _number(found["many"] or "1")
        yield Span(now - length * (1 if found["many"] or found["which"].lower() == "this" else 2), now + DAY)
    for found in _pattern(_NEAR).finditer(question):
        midnight = now - now % DAY - (DAY if found["near"].lower() == "yesterday" else 0.0)
        yield Span(midnight, midnight + DAY)


def _number(word: str) -> int:
    return _NUMBERS.get(word.lower()) or int(word)


def _civil(year: int, month: int = 0, day: int = 0) -> Span | None:
    """A year, a month or a day; None for what no calendar has."""
    if month > 12 or day > 31:
        return None
    if day:
        return Span(_start(year, month, day), _start(year, month, day) + DAY)
    if month:
        return Span(_start(year, month), _start(year + month // 12, month % 12 + 1))
    return Span(_start(year), _start(year + 1))


def _start(year: int, month: int = 1, day: int = 1) -> float:
    """Midnight UTC in seconds; the civil calendar as Howard Hinnant's `days_from_civil` counts it."""
    y = year - (month <= 2)
    era, of_era = y // 400, y % 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return DAY * (era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468)


def of_memory(memory: Memory) -> tuple[Span, ...]:
    """The times a memory speaks of: when it is valid, and the years its text names."""
    said = f"{memory.summary}\n{memory.detail[:READ]}"
    years = {(int(year), int(year)) for year in _pattern(_YEARS).findall(said)}
    years |= {(int(first), int(last if len(last) == 4 else first[:2] + last)) for first, last in _pattern(_RANGE).findall(said)}
    spans = [Span(_start(first), _start(last + 1)) for first, last in sorted(years) if first <= last]
    if memory.valid_from is not None or memory.valid_to is not None:
        low = float("-inf") if memory.valid_from is None else memory.valid_from
        spans.append(Span(low, float("inf") if memory.valid_to is None else memory.valid_to))
    return tuple(spans)


def fit(span: Span, spans: tuple[Span, ...]) -> float | None:
    """How well times fit the one asked about, 0..1; None for a memory of no time."""
    if not spans:
        return None
    away = min(0.0 if s.start < span.end and s.end > span.start else YEAR + max(s.start - span.end, span.start - s.end) for s in spans)
    begins = any(s.start < span.start + YEAR and s.end > span.start for s in spans)
    ends = any(s.start < span.end and s.end > span.end - YEAR for s in spans)
    return INSIDE * exp(-away / (FADING * YEAR)) + BEGINS * begins + ENDS * ends
