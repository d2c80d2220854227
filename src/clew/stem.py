"""Word stems: Porter's algorithm for English, short ending tables for Cyrillic and Arabic words.

Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980; the endings of the other scripts are the inflections
of the light stemmers of Savoy (Russian) and Larkey (Arabic, "light8").
"""

from __future__ import annotations

import re
from functools import lru_cache

_USE = frozenset(("use", "used", "uses", "using"))  # Porter makes them `us`, which is a country

_STEP2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("abli", "able"), ("alli", "al"),
    ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"),
    ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
_STEP3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip
_ENDS2, _ENDS3 = (tuple([suffix for suffix, _ in table]) for table in (_STEP2, _STEP3))

_CONSONANT = r"(?:[^aeiouy]|(?<=[aeiou])y|^y)"
_VOWEL = r"(?:[aeiou]|(?<![aeiou])(?<!^)y)"
_MEASURE = re.compile(f"{_VOWEL}{_CONSONANT}")
_HAS_VOWEL = re.compile(_VOWEL)
_SHORT_END = re.compile(f"{_CONSONANT}{_VOWEL}[^aeiouwxy]$")
_DOUBLE = re.compile(r"([^aeioulsz])\1$")

_CYRILLIC = (
    r"(?<=\w\w\w)(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|иях|иям|ях|ах|ов|ев|ом|ем|ой|ей|ий|ый|ая|яя|ое|ее|ые|ие|ую|юю|ия|ию|ии|ам|ям"
    r"|[ыиаяоеуюьй])$"
)
_ARABIC = r"^(?:و?ال|بال|كال|فال|لل)(?=\w\w)|(?<=\w\w)(?:ها|ان|ات|ون|ين|يه|ية|ه|ي)$"


def stem(word: str) -> str:
    """The stem of one lower-case word without diacritics; words of scripts without a table are handed back as they are."""
    if word.isascii():
        if word in _USE:
            return "use"
        return _porter(word) if len(word) > 2 and word.isalpha() else word
    first = word[0]
    if "\u0400" <= first <= "\u04ff":
        return re.sub(_CYRILLIC, "", word)
    if "\u0600" <= first <= "\u06ff":
        return re.sub(_ARABIC, "", word)
    return word


@lru_cache(1 << 14)
def _porter(word: str) -> str:
    word = _inflection(_plural(word))
    if word.endswith("y") and _HAS_VOWEL.search(word[:-1]):
        word = word[:-1] + "i"
    word = _swap(_swap(word, _STEP2, _ENDS2), _STEP3, _ENDS3)
    return _tidy(_drop_suffix(word))


def _plural(word: str) -> str:
    if not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1]


def _inflection(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    base = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else ""
    if not base or not _HAS_VOWEL.search(base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _DOUBLE.search(base):
        return base[:-1]
    if _measure(base) == 1 and _SHORT_END.search(base):
        return base + "e"
    return base


def _swap(word: str, table: tuple[tuple[str, str], ...], ends: tuple[str, ...]) -> str:
    if not word.endswith(ends):  # most words; asked at once it costs a tenth
        return word
    for suffix, new in table:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return base + new if _measure(base) > 0 else word
    return word


def _drop_suffix(word: str) -> str:
    if not word.endswith(_STEP4):
        return word
    suffix = max((s for s in _STEP4 if word.endswith(s)), key=len)
    base = word[: len(word) - len(suffix)]
    if _measure(base) < 2 or (suffix == "ion" and not base.endswith(("s", "t"))):
        return word
    return base


def _tidy(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        size = _measure(base)
        if size > 1 or (size == 1 and not _SHORT_END.search(base)):
            word = base
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def _measure(base: str) -> int:
    return len(_MEASURE.findall(base))
