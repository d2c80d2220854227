"""One sentence as what it states: its words without filler, its values, whether it denies, and what it says is chosen or holds of what.

Shallow on purpose: tables of words and three patterns, no grammar. What none of them fits keeps its words alone, and nothing is concluded.
"""

from __future__ import annotations

import re
from functools import lru_cache

from clew.rules import wording
from clew.stem import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

LONGEST = 600  # characters of a statement that are looked at: a summary and no more

_REASONS = ("because", "since ", "so that", "due to", "as it", "which is why", "in order to", "to avoid", "to keep", "thanks to")
_REASON = re.compile(rf"(?:[,;]|\s[—–-])?\s+(?:{'|'.join(_REASONS)})(?!\d)\b.*", re.S)
_LABEL = re.compile(r"\s*(?:decision|decided|note|fyi|fact|reminder|todo|update|rule|convention|preference)\s*:\s*", re.I)
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\s[—–]\s.*", re.S)
_TOKEN = re.compile(
    r"#\d+|[A-Za-z][A-Za-z]+-\d+\b(?!-)|\d{4}-\d\d-\d\d\S*|\d{1,2}:\d\d|v?\d+(?:[.,]\d+)*[A-Za-z%]*|%|[=:](?=\s)|[^\W\d_](?:[\w/+#.'’-]*[\w+#])?|\.\w+"
)
_NUMBER = re.compile(r"(v?)(\d+(?:[.,]\d+)*)([a-z%]*)")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d.*|\d{1,2}:\d\d")
_HOUR = re.compile(r"(\d{1,2})(?::(\d\d))?(am|pm)?")
_HALVES = ("am", "pm")
_CONTRACTED = ("n't", "n’t")
_PRONOUNS = ("one", "once", "twice", "thrice")  # "the new one", "only once": no number, unless a unit follows
# What `_denials` looks at, beside contractions: most sentences hold none of it.
_TURNING = wording.DENIALS | wording.OPPOSITES.keys() | {"longer", "using"}


class Statement(NamedTuple):
    """What one sentence says. `words` are stems in order; `values` numbers with units, dates and days in order.

    `relation` is how `slot` (stems) belongs to `subject`: "use", "is", "role", "own" …, "" where no pattern fits; `rejected` is what
    the slot was preferred to; `named` tells whether the slot is written as a name. `denied` is by "not" and its like; `event`, that the
    sentence reports what happened once or one of several that may all be; `aside` what stands in brackets or behind a dash.
    """

    words: tuple[str, ...]
    values: tuple[str, ...]
    denied: bool
    event: bool
    relation: str = ""
    subject: frozenset[str] = frozenset()
    slot: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    named: bool = False
    aside: str = ""


class _Word(NamedTuple):
    """A token: in lower case, its stem ("" for filler), its value ("" for none), as it was written."""

    text: str
    stem: str
    value: str
    raw: str


class _Read(NamedTuple):
    """A token by itself: `plain` where it can be no value, `relates` and `opens` as the tables of that name, `turns` where the words
    around it may deny.
    """

    word: _Word
    plain: bool
    relates: bool
    opens: bool
    turns: bool


@lru_cache(maxsize=1_024)  # what lies near one new memory often lies near the next
def stated(text: str) -> Statement:
    """What `text` states, its reasons, labels and asides left out. Pure; never fails."""
    sentence = clause(text)
    denied, kept = _denials(_tokens(sentence))
    words = _words(kept)
    event = not wording.EVENTS.isdisjoint([w.text for w in words])
    aside = " ".join(_ASIDE.findall(sentence)).lower()
    bare = Statement(tuple([w.stem for w in words if w.stem]), tuple([w.value for w in words if w.value]), denied, event, aside=aside)
    return _related(bare, words)


@lru_cache(maxsize=1_024)
def gist(text: str) -> frozenset[str]:
    """Stems that `text` states, numbers, units, days and denials left out: a third of `stated`'s cost tells what is far from it."""
    return frozenset(map(_stem, _tokens(clause(text)))) - {""}


def _tokens(sentence: str) -> list[str]:
    bare = _ASIDE.sub(" ", sentence) if any(map(sentence.__contains__, "([—–")) else sentence  # the pattern tries itself at every sign
    return _TOKEN.findall(bare.rstrip(" .!"))


def clause(text: str) -> str:
    """What `text` states, without the label before it and the reason after it."""
    stripped = text[:LONGEST].strip()
    told = _LABEL.sub("", stripped, count=1) if ":" in stripped else stripped
    return _REASON.sub("", told) if any(map(told.__contains__, _REASONS)) else told  # the pattern tries itself at every space


def _denials(raw: list[str]) -> tuple[bool, list[str]]:
    """Whether the words deny, each denial turning the sense round, and the words without them. `disabled` is `enabled` denied."""
    if not any(_read(token).turns for token in raw):
        return False, raw
    denied, kept = False, []
    lower = [_folded(t) for t in raw]
    for at, token in enumerate(lower):
        before = lower[at - 1] if at else ""
        choosing = token == "not" and at + 1 < len(raw) and at > 1 and before not in wording.BEFORE_NOT and not before.endswith("ly")
        if choosing:
            kept.append("instead")  # "use A, not B"
        elif token in wording.DENIALS or raw[at].endswith(_CONTRACTED):
            denied = not denied
        elif token == "longer" and before == "no":
            continue
        elif token == "using" and before in ("stop", "stopped"):
            denied, kept = not denied, kept[:-1]
        elif token in wording.OPPOSITES:
            denied = not denied
            kept.append(wording.OPPOSITES[token])
        else:
            kept.append(raw[at])
    return denied, kept


def _folded(token: str) -> str:
    """In lower case, without the denial at its end."""
    return token[:-3].lower() if token.endswith(_CONTRACTED) else token.lower()


@lru_cache(maxsize=1 << 14)
def _read(token: str) -> _Read:
    low = token.lower().removesuffix("'s").removesuffix("’s")
    alike = wording.ALIKE.get(token, wording.ALIKE.get(low, low))
    kept = "" if alike in wording.FILLER else stem(alike)
    plain = low not in wording.DAYS and low not in wording.NUMBERS and not low.lstrip("v")[:1].isdigit()
    turns = token.endswith(_CONTRACTED) or token.lower() in _TURNING
    return _Read(_Word(alike, kept, "", token), plain, low in wording.RELATING, low in wording.OPENING, turns)


@lru_cache(maxsize=1 << 14)
def _stem(token: str) -> str:
    """What a token adds to `gist`."""
    low = _folded(token)
    read = _read(wording.OPPOSITES.get(low, token))
    denies = _read(token).turns and low not in wording.OPPOSITES
    return "" if denies or not read.plain or low in wording.UNITS else read.word.stem


def _words(raw: list[str]) -> list[_Word]:
    found: list[_Word] = []
    related = False
    skip = False
    for at, token in enumerate(raw):
        if skip:
            skip = False
            continue
        word, plain, relates, opens, _ = _read(token)
        if not plain:
            low = token.lower().removesuffix("'s").removesuffix("’s")
            value, skip = _value(low, raw[at + 1].lower() if at + 1 < len(raw) else "", found, related)
            if value:
                word = word._replace(stem="", value=value)
        related = related or opens or (relates and bool(found))
        found.append(word)
    return found


def _value(token: str, following: str, before: list[_Word], related: bool) -> tuple[str, bool]:
    """(the value that a token is, "" where it is a word or names something; whether the token after it, a unit, belongs to it)."""
    last = before[-1].text if before else ""
    if following in wording.UNITS or (related and token not in _PRONOUNS):
        token = wording.NUMBERS.get(token, token)
    if token in wording.DAYS:
        return (wording.DAYS[token], False) if before else ("", False)
    if not token.lstrip("v")[:1].isdigit():
        return "", False
    if (hour := _HOUR.fullmatch(token)) and (related or hour[2]):
        half = hour[3] or (following if following in _HALVES else "")
        if hour[2] or half:
            return _clock(int(hour[1]), hour[2] or "00", half), bool(half and not hour[3])
    if _MOMENT.fullmatch(token):
        return (token, False) if related else ("", False)
    number = _NUMBER.fullmatch(token)
    if not number or last in wording.NUMBERED:
        return "", False
    digits, unit = number[2].replace(",", ""), number[3] or (following if following in wording.UNITS else "")
    if not related and (unit not in wording.UNITS or not before):
        return "", False  # "Sprint 14", "Python 3.11 …": what stands before says what it is called, not what holds of it
    return _measured(digits, unit), bool(not number[3] and unit)


def _clock(hour: int, minute: str, half: str) -> str:
    """`2am`, `2:00` and `02:00` are one moment; what no clock shows stays as it is."""
    turned = hour % 12 + 12 * (half == "pm") if half and 0 < hour <= 12 else hour
    return f"{turned}:{minute}"


def _measured(digits: str, unit: str) -> str:
    """`1 hour` and `60 minutes` are one value."""
    base, factor = wording.UNITS.get(unit, (unit, 1))
    if digits.count(".") > 1:
        return digits + base
    return f"{float(digits) * factor:g}{base}" if factor != 1 or "." not in digits else digits + base


def _name(token: str) -> bool:
    return token[:1].isupper() or any(c.isdigit() or c in "+#._/-" for c in token) or any(c.isupper() for c in token[1:])


def _related(bare: Statement, words: list[_Word]) -> Statement:
    """The statement with its relation, where one of the patterns fits."""
    line = " ".join(w.text for w in words)
    for relation, pattern in wording.PATTERNS:
        found = pattern.fullmatch(line)
        if found is None:
            continue
        slot, rejected = (_span(words, line, found, name) for name in ("slot", "less"))
        subject = [w for name in ("subject", "purpose") for w in _span(words, line, found, name)]
        stems = tuple(w.stem for w in slot if w.stem)
        about = frozenset(w.stem for w in subject if w.stem)
        one_of = wording.SUBJECTS.get(relation)
        if not stems or (one_of and (_state(slot) or not {w.text for w in subject} & one_of)):
            continue
        named = found.start("slot") > 0 and all(_name(w.raw) or not w.stem for w in slot)
        return bare._replace(relation=relation, subject=about, slot=stems, rejected=tuple(w.stem for w in rejected if w.stem), named=named)
    return bare


def _state(slot: list[_Word]) -> bool:
    """Whether what is said of a thing is how it is, of which much may be true at once, and not what it is."""
    first = next((w for w in slot if not w.text.endswith("ly")), None)
    if first is None or _name(first.raw):
        return first is None
    return first.text in wording.STATES or (len(first.text) > 4 and first.text.endswith(wording.STATE_ENDS))


def _span(words: list[_Word], line: str, found: re.Match[str], name: str) -> list[_Word]:
    """The words under one group of a pattern over their joined texts."""
    if name not in found.groupdict() or found[name] is None:
        return []
    first = line.count(" ", 0, found.start(name))
    return words[first : first + found[name].count(" ") + 1]
