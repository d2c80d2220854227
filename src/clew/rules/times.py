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
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from typing import NamedTuple

    from clew.model import Memory
else:
    from clew.model import NamedTuple

GAIN = 0.8  # of its own score that a memory which fits wholly gains,
LIFT = 0.2  # … and of the best one's: of that time, it is wanted though it shares few words;
SUBJECT = 2.0  # … as much again and again where it is about what the question is about
UNKNOWN = 0.1  # how well one fits that names no time
INSIDE, BEGINS, ENDS = 0.4, 0.5, 0.1  # parts of a fit: in the time asked about, near where that begins, near where it ends
READ = 20_000  # characters of a text that are looked at
ASKED = 1_000  # of a question: what is longer was pasted, and its times are no one's wish

_NEVER = float("inf")
DAY = 86_400.0
YEAR = 365.2425 * DAY
NEAR = 1.5  # years off by which BEGINS and ENDS have fallen to a third; of a time shorter than a year as many of its lengths
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_UNITS = {"day": DAY, "week": 7 * DAY, "month": YEAR / 12, "year": YEAR}
_NUMBERED = (  # a number behind such words is no year,
    *"port error code exit status http line pid id page room build step row issue ticket pr mr request commit rfc pep version".split(),
    *"size limit timeout max min".split(),
    *("more than", "less than", "fewer than", "at least", "at most"),
)
_COUNTED = (  # nor one that says how many of these
    "ms|s|milliseconds?|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|weeks?|months?|bytes?|bits?|[kmgt]i?b|px|pixels?|hz|rpm|rps|qps|rows?|lines?"
    "|requests?|calls?|items?|tokens?|char(?:acter)?s?|files?|times|percent|usd|eur|euros?|dollars?|km|miles|met(?:er|re)s|entries|retries"
    "|connections|threads"
)
_A_YEAR = (
    "".join(rf"(?<!\b{word} )" for word in _NUMBERED)
    + r"(?:(?<![A-Za-z_\d.,/#$€£¥×-])|(?<=(?<![\w.,/#-])[12]\d{3}[-/]))(1\d{3}|20\d\d)(?![A-Za-z_\d%$€£¥×]|[.,]\d)"
    + rf"(?![\s-]*(?:{_COUNTED})\b)"
)
_YEARS = r"(?<![A-Za-z_\d.,#])(1\d{3}|20\d\d)(?!\d|[.,]\d|%)"  # in a memory: "1995-98" and 2023-04-01 count
_RANGE = r"(?<![A-Za-z_\d.,#])(1\d{3}|20\d\d)\s*(?:-|–|—|to|until|till|through)\s*(1\d{3}|20\d\d|\d\d)(?![\d-])"
_POINT = (  # the first that fits at a place: day, month or year, said in any of these ways
    rf"(?P<iso>\b(?:1\d{{3}}|20\d\d)-\d\d(?:-\d\d)?\b)"
    rf"|(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?\b(?P<month>{_MONTH})\.?,?\s+(?:(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?"
    rf"(?:of\s+)?(?P<year>1\d{{3}}|20\d\d)\b"
    rf"|\b(?:(?P<part>early|mid|late)[\s-]+(?:the\s+)?)?(?P<decade>1\d\d0|20\d0)s\b"
    rf"|(?P<bare>{_A_YEAR})"
)
_AGO = rf"\b(?P<many>\d{{1,4}}|{'|'.join(_NUMBERS)})\s+(?P<unit>day|week|month|year)s?\s+ago\b"
_LAST = (
    r"\b(?P<which>last|past|this)\s+(?:(?P<many>\d{1,4}|two|three|four|five|six|seven|eight|nine|ten)\s+)?(?P<unit>day|week|month|year)s?\b"
)
_NEAR = r"\b(?P<near>today|yesterday)\b"
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# A month without its year, a day of one, a day of the week: only behind a word that goes with times, and what is a verb too written large.
_SAID = _MONTH.replace("mar(?:ch)?", "(?-i:Mar(?:ch)?)").replace("|may|", "|(?-i:May)|")
_CALENDAR = (
    r"\b(?:on|in|since|before|after|until|till|from|of|during|last)\s+(?:the\s+)?(?P<at>"
    rf"(?P<weekday>{'|'.join(_DAYS)})\b"
    rf"|(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{_SAID})\b"
    r"(?:\s+(?P<day2>\d{1,2})(?:st|nd|rd|th)?\b)?(?!\.?,?\s+(?:of\s+)?\d))"
)
_PARTS = {"early": (0, 4), "mid": (3, 7), "late": (6, 10), None: (0, 10)}  # years of a decade
_JOINED = r"\s*(?:to|until|till|through|and|-|–|—)\s+(?:the\s+)?|\s*[-–—]\s*"  # between the two ends of one stretch
_BEFORE = r"\b(?:before|until|till|up to|prior to)\s+(?:the\s+|last\s+)?$"
_AFTER = r"\b(?:after|following)\s+(?:the\s+|last\s+)?$"
_SINCE = r"\bsince\s+(?:the\s+|last\s+)?$"
_CLAUSE = r"[,;:—]\s+"
_WORD = r"[^\W\d_]+"
_LEADING = frozenset(
    "in on at of from to between during since until till before after by around about back again and or but then the".split()
)
_QUESTION_WORDS = frozenset({"what", "which", "who", "whom", "whose", "when", "where", "why", "how"})
_ANY = rf"\d|{_NEAR}|\b(?:last|past|this|ago)\b|{_CALENDAR}"
# The words one of which _ANY finds where it finds no digit: looked for first, since most questions name no time and it is long to compile.
_HINTS = frozenset(
    "today yesterday last past this ago monday tuesday wednesday thursday friday saturday sunday jan january feb february mar march apr "
    "april may jun june jul july aug august sep sept september oct october nov november dec december".split()
)


class Span(NamedTuple):
    """A stretch of time in UTC seconds, `end` not included."""

    start: float
    end: float


class _Named(NamedTuple):
    """A time in a question, and where it is said."""

    span: Span
    start: int
    end: int


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def asked(question: str, now: float) -> Span | None:
    """The time that a question names; None when it names none.

    "from X to Y" is one stretch. Of one time inside another ("the mayor of 1999 to 2008, in 2005") the inner one is meant; of several apart
    those that are asked about ("the school, chartered in 1894, what was it called in 1950"), from the earliest to the latest. "before X" is
    all that lies before, "after X" and "since X" all that lies behind. "last week" is counted back from `now`;
    "in May" and "on 3 November" are the last that began, "on Friday" is the last one before today. Of a question the first ASKED
    characters are looked at.
    """
    question = question[:ASKED]
    if not _hinted(question) or not _pattern(_ANY).search(question):
        return None
    spans = [*_relative(question, now), *_calendar(question, now), *_asked_about(question, _named(question))]
    meant = [s for s in spans if not any(_within(other, s) for other in spans)]
    if not meant:
        return None
    whole = Span(min(s.start for s in meant), max(s.end for s in meant))
    if whole == (-_NEVER, _NEVER):  # "after 1990 and before 1995" means what both hold
        whole = Span(max(s.start for s in meant), min(s.end for s in meant))
    return whole if whole.start < whole.end else None


def _hinted(question: str) -> bool:
    """Whether _ANY may find something; of other letters than ASCII it decides itself, which of them are the same but for case."""
    if not question.isascii():
        return True
    words = "".join(char if char.isalnum() or char == "_" else " " for char in question.lower()).split()
    return any(char.isdigit() for char in question) or not _HINTS.isdisjoint(words)


def _within(inner: Span, outer: Span) -> bool:
    return inner != outer and outer.start <= inner.start and inner.end <= outer.end


def _named(question: str) -> list[_Named]:
    named: list[_Named] = []
    for found in _pattern(_POINT).finditer(question):
        span = _point(found)
        if span is None:
            continue
        if named and _pattern(_JOINED).fullmatch(question, named[-1].end, found.start()):
            first = named.pop()
            named.append(_Named(Span(min(first.span.start, span.start), max(first.span.end, span.end)), first.start, found.end()))
        else:
            named.append(_Named(_directed(span, question[: found.start()]), found.start(), found.end()))
    return named


def _asked_about(question: str, named: Sequence[_Named]) -> list[Span]:
    """Of several times those in the clause of the question word or in one of their own ("From 1932 to 1950, what was ..."), if any is:
    a clause that has a time and more only describes what is asked about."""
    breaks = [c for c in _pattern(_CLAUSE).finditer(question) if not any(n.start <= c.start() < n.end for n in named)]
    edges = [0, *(c.end() for c in breaks), len(question)]
    meant = []
    for span, start, end in named:
        first, last = max(e for e in edges if e <= start), min(e for e in edges if e >= end)
        others = {word.lower() for word in _pattern(_WORD).findall(f"{question[first:start]} {question[end:last]}")}
        if others <= _LEADING or others & _QUESTION_WORDS:
            meant.append(span)
    return meant or [n.span for n in named]


def _directed(span: Span, before: str) -> Span:
    if _pattern(_BEFORE).search(before):
        return Span(float("-inf"), span.start)
    if _pattern(_AFTER).search(before):
        return Span(span.end, float("inf"))
    if _pattern(_SINCE).search(before):
        return Span(span.start, float("inf"))
    return span


def _point(found: re.Match[str]) -> Span | None:
    if found["iso"]:
        return _dated(*map(int, found["iso"].split("-")))
    if found["month"]:
        month = _MONTHS.index(found["month"][:3].lower()) + 1
        day = found["day"] or found["day2"]
        return _civil(int(found["year"]), month, *([int(day)] if day else []))
    if found["decade"]:
        first, last = _PARTS[found["part"] and found["part"].lower()]
        return Span(_start(int(found["decade"]) + first), _start(int(found["decade"]) + last))
    return _civil(int(found["bare"]))


def _relative(question: str, now: float) -> Iterator[Span]:
    for found in _pattern(_AGO).finditer(question):
        many, unit = _number(found["many"]), _UNITS[found["unit"].lower()]
        yield _directed(Span(now - (many + 0.5) * unit, now - (many - 0.5) * unit), question[: found.start()])
    for found in _pattern(_LAST).finditer(question):
        length = _UNITS[found["unit"].lower()] * _number(found["many"] or "1")
        span = Span(now - length * (1 if found["many"] or found["which"].lower() == "this" else 2), now + DAY)
        yield _directed(span, question[: found.start()])
    for found in _pattern(_NEAR).finditer(question):
        midnight = now - now % DAY - (DAY if found["near"].lower() == "yesterday" else 0.0)
        yield _directed(Span(midnight, midnight + DAY), question[: found.start()])


def _calendar(question: str, now: float) -> Iterator[Span]:
    """The days and months that are said without a year: the last such that has begun; of a weekday the last before today."""
    for found in _pattern(_CALENDAR).finditer(question):
        if found["weekday"]:
            today = int(now // DAY)
            back = (today + 3 - _DAYS.index(found["weekday"].lower()) - 1) % 7 + 1  # day 0 was a Thursday
            span: Span | None = Span((today - back) * DAY, (today - back + 1) * DAY)
        else:
            day, month = int(found["day"] or found["day2"] or 0), _MONTHS.index(found["month"][:3].lower()) + 1
            span = _civil(_year(now), month, day)
            if span is not None and span.start > now:
                span = _civil(_year(now) - 1, month, day)
        if span is not None:
            yield _directed(span, question[: found.start("at")])


def _number(word: str) -> int:
    return _NUMBERS.get(word.lower()) or int(word)


def _dated(year: int, month: int, day: int = 0) -> Span | None:
    """A month or a day in figures; of "2019-21", which no month has, the years from one to the other."""
    last = year - year % 100 + month
    return Span(_start(year), _start(last + 1)) if month > 12 and not day and last > year else _civil(year, month, day)


def _civil(year: int, month: int = 0, day: int = 0) -> Span | None:
    """A year, a month or a day; None for what no calendar has."""
    if month > 12 or (day and not month):
        return None
    if not month:
        return Span(_start(year), _start(year + 1))
    whole = Span(_start(year, month), _start(year + month // 12, month % 12 + 1))
    if not day:
        return whole
    midnight = _start(year, month, day)
    return Span(midnight, midnight + DAY) if midnight < whole.end else None


def _start(year: int, month: int = 1, day: int = 1) -> float:
    """Midnight UTC in seconds; the civil calendar as Howard Hinnant's `days_from_civil` counts it."""
    y = year - (month <= 2)
    era, of_era = y // 400, y % 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return DAY * (era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468)


def _year(moment: float) -> int:
    near = 1970 + int(moment // YEAR)
    return near + (moment >= _start(near + 1)) - (moment < _start(near))


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


def written(memory: Memory, span: Span) -> tuple[Span, ...]:
    """The moment a memory was written, where `span` began at most a year before: it stands for the time of one that speaks of none.

    "What did we decide last week" asks for what was kept last week, while of 1990 it is told later.
    """
    at = memory.recorded_at
    return (Span(at, at + 1.0),) if span.start <= at < min(span.end, span.start + YEAR) else ()


def fit(span: Span, spans: tuple[Span, ...]) -> float | None:
    """How well times fit the one asked about, 0..1; None for a memory of no time.

    A text that answers "from 1990 to 1995" names one of the two years more often than one between, and now and then misses it by one: so
    nearness to the ends counts. An open time ("since 1990") has one end.
    """
    if not spans:
        return None
    near = NEAR * min(span.end - span.start, YEAR)
    first, last = span.start > -_NEVER, span.end < _NEVER
    part = INSIDE if any(_overlap(s, span) for s in spans) else 0.0
    if first:
        part += (BEGINS if last else BEGINS + ENDS) * exp(-min(_gap(s, span.start) for s in spans) / near)
    if last:
        part += (ENDS if first else BEGINS + ENDS) * exp(-min(_gap(s, span.end) for s in spans) / near)
    return part


def about(summary: Iterable[str], asked: AbstractSet[str], lexical: float) -> float:
    """How much a memory is about what a question is about, 0..1, from the terms of both and what the memory's words score beside the best.

    One whose summary names nothing but what the question names too is about that; so is the one that says most of what the question says.
    """
    terms = set(summary)
    return max(len(terms & asked) / len(terms) if terms else 0.0, lexical)


def lifted(score: float, best: float, fit: float | None, about: float) -> float:
    """The score of a memory that fits the time asked about this well (None: it names none) and is about the subject of the question, as
    `about` has it, where the best one has the score `best`. What only happens to be of that time gains a third of that."""
    known = UNKNOWN if fit is None else fit
    return score + known * (1.0 + SUBJECT * about) * (GAIN * abs(score) + LIFT * abs(best))


def _overlap(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end


def _gap(span: Span, moment: float) -> float:
    """Seconds between a span and a moment, 0.0 inside it; of an open one from its one end: what holds since long ago is no news."""
    if (span.start > -_NEVER) != (span.end < _NEVER):
        return abs(moment - (span.start if span.start > -_NEVER else span.end))
    return max(0.0, span.start - moment, moment - span.end)
