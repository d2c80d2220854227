"""Words of a text as the index and the question see them: split identifiers, stems, folded diacritics, grams of unspaced scripts."""

from __future__ import annotations

import unicodedata

from clew.patterns import compiled
from clew.stem import stem
from clew.stopwords import ASKED, COMMON

VERSION = 1  # raised whenever the same text gives other terms; a store indexed under another version is rebuilt

LONGEST = 64  # characters of one term; what is longer is cut
_REMEMBERED = 1 << 16  # tokens kept in the memo before it starts anew

# Letters, digits and the vowel signs and accents that `\w` does not count as letters.
_W = (
    r"\w\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u0eb1-\u0ece"
    r"\u0f18-\u0fbc\u102b-\u103e\u1056-\u109d\u17b4-\u17d3\u200c\u200d\u3099\u309a"
)
_TOKEN = (
    r"(?:(?<![{W}.])[@#.](?=[^\W\d])|(?<![{W}])[#](?=\d))?"  # @user, .NET, #12
    r"[{W}]+(?:(?:['’._/-]|::|,(?=\d\d\d(?!\d)))[{W}]+)*"  # words, names, paths, numbers
    r"(?:\+\+|[#](?!\w)|\(\))?"  # C++, C#, useState()
)
_ASCII_TOKEN, _ANY_TOKEN = _TOKEN.replace("{W}", r"\w"), _TOKEN.replace("{W}", _W)
_SEPARATOR = r"['’._-]+|::"
_BETWEEN = r"(?<!\d)(?:['’._-]|::)+|(?:['’._-]|::)+(?!\d)"
_POSSESSIVE = r"(?i)['’]s$"
_HUMP = r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^A-Za-z\d]+"
_LETTERS_DIGITS = r"[A-Za-z]{1,2}\d+[a-z]?$|\d+[A-Za-z]{1,2}$"
_NUMBER = r"[vV]?\d+(?:\.\d+)+$"
_INITIALS = r"(?:[A-Za-z]\.)+[A-Za-z]$"
_MARKS = r"[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u200c\u200d]"
_ALIKE = str.maketrans({"ı": "i", "đ": "d", "Đ": "D", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "æ": "ae", "œ": "oe", "ى": "ي", "ة": "ه"})
_IDEOGRAPHS = r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3\U00020000-\U0003ffff"
_SOUTHEAST = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer: letters carry too little to stand alone
_UNSPACED = f"[{_IDEOGRAPHS}]+|[{_SOUTHEAST}]+"
_RUN = f"[{_IDEOGRAPHS}]+|[{_SOUTHEAST}]+|[^{_IDEOGRAPHS}{_SOUTHEAST}]+"
_SOUTHEAST_FIRST = f"[{_SOUTHEAST}]"
_ASKED_UNSPACED = (
    "为什么|為什麼|什么|什麼|多少|哪些|哪个|哪個|哪里|哪裡|哪|谁|誰|怎么|怎麼|怎样|如何"
    "|几个|是否|吗|嗎|呢|请问|何の|何が|何を|何|ですか|ますか|どの|どこ|いつ|だれ"
)

_Analysis = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
_NOTHING: _Analysis = ((), (), ())
_memo: dict[str, tuple[str, ...]] = {}


def index_terms(text: str) -> list[str]:
    """The terms under which `text` is found, in order, with repeats. Never fails, whatever the characters."""
    terms: list[str] = []
    for token in _tokens(text):
        known = _memo.get(token)
        terms += _learn(token) if known is None else known
    return terms


def question_terms(text: str) -> list[str]:
    """The terms a question asks for, each once, in order, without its stop words (with them when nothing else is there)."""
    tokens = _question_tokens(text)
    asked = [t for token in tokens if _plain(token) not in ASKED for part in _analyse(token, asked=True)[:2] for t in part]
    return list(dict.fromkeys(asked or [t for token in tokens for t in _learn(token)]))


def bonus_terms(text: str) -> list[str]:
    """The terms of `question_terms` that are whole identifiers (`userprofileservice`, `@user`): worth something where the store
    holds them, and no gap in the answer where it does not, since their parts are asked for too."""
    bonus = [t for token in _question_tokens(text) for t in _analyse(token, asked=True)[1]]
    return list(dict.fromkeys(bonus))


def _question_tokens(text: str) -> list[str]:
    if text.isupper() and text.isascii() and " " in text.strip():
        text = text.lower()  # shouted: capitals say nothing about stop words
    return _tokens(text if text.isascii() else compiled(_ASKED_UNSPACED).sub(" ", text))


def _tokens(text: str) -> list[str]:
    return compiled(_ASCII_TOKEN if text.isascii() else _ANY_TOKEN).findall(text)


def _learn(token: str) -> tuple[str, ...]:
    required, bonus, hidden = _analyse(token)
    terms = bonus + required + hidden
    if len(token) <= LONGEST:
        if len(_memo) >= _REMEMBERED:
            _memo.clear()
        _memo[token] = terms
    return terms


def _plain(token: str) -> str:
    return token.lower().replace("’", "").replace("'", "")


def _analyse(token: str, asked: bool = False) -> _Analysis:
    """The terms of one token as (asked for, whole names worth a bonus, found but never asked for)."""
    if not token.isascii():
        token = _unaccented(token)
    if token.isalpha() and token.isascii() and (token.islower() or token.istitle()):
        word = token.lower()
        return _NOTHING if word in COMMON else ((stem(word[:LONGEST]),), (), ())
    token = compiled(_POSSESSIVE).sub("", token)
    if not token:
        return _NOTHING
    if _plain(token) in COMMON and not (len(token) > 1 and token.isupper()):
        return _NOTHING
    if "/" in token:
        return _path(token, asked)
    if token.startswith(("@", "#", ".")):
        return _led(token, asked)
    if token.endswith(("++", "#", "()")):
        return _tailed(token, asked)
    if not token.isascii() and compiled(_UNSPACED).search(token):
        return _mixed(token, asked)
    return _name(token)


def _unaccented(token: str) -> str:
    bare = compiled(_MARKS).sub("", unicodedata.normalize("NFKD", token).translate(_ALIKE))
    return unicodedata.normalize("NFC", bare).replace("\u2044", "/")


def _path(token: str, asked: bool) -> _Analysis:
    parts = [_analyse(piece, asked) for piece in token.split("/") if piece]
    required, bonus, hidden = (tuple(t for part in parts for t in part[i]) for i in range(3))
    return required, (token.lower()[:LONGEST], *bonus) if len(parts) > 1 else bonus, hidden


def _led(token: str, asked: bool) -> _Analysis:
    """`@user` and `#12` also speak of user and 12; `.NET` does not speak of net, though net may find it."""
    required, bonus, hidden = _analyse(token[1:], asked)
    whole = token.lower()[:LONGEST]
    if token[0] == ".":
        return (whole,), (), (*required, *bonus, *hidden)
    return required, (whole, *bonus), hidden


def _tailed(token: str, asked: bool) -> _Analysis:
    """`C++` and `C#` are not C; a longer name (`notepad++`, `useState()`) is also itself without the signs."""
    tail = "++" if token.endswith("++") else "#" if token.endswith("#") else "()"
    base = token[: -len(tail)]
    *before, last = compiled(_SEPARATOR).split(base)
    required, bonus, hidden = _analyse(base, asked)
    whole = (last + tail).lower()[-LONGEST:]
    if len(last) > 2 or tail == "()":
        return required, (whole, *bonus), hidden
    if not before:
        return (whole,), (), ()
    return (*required, whole), bonus, hidden


def _mixed(token: str, asked: bool) -> _Analysis:
    required: list[str] = []
    bonus: list[str] = []
    hidden: list[str] = []
    for run in compiled(_RUN).findall(token):
        found = _grams(run) if compiled(_UNSPACED).match(run) else _analyse(run.strip("'’._-"), asked)
        required += found[0]
        bonus += found[1]
        hidden += found[2]
    return tuple(required), tuple(bonus), tuple(hidden)


def _grams(run: str) -> _Analysis:
    """Bigrams of ideographs, with the single characters there to be found; bigrams and trigrams of the alphabets without spaces."""
    pairs = tuple(run[i : i + 2] for i in range(len(run) - 1))
    if compiled(_SOUTHEAST_FIRST).match(run):
        return (*pairs, *(run[i : i + 3] for i in range(len(run) - 2))) or (run,), (), ()
    return (pairs, (), tuple(run)) if pairs else ((run,), (), ())


def _name(token: str) -> _Analysis:
    """A word, number or identifier: whole, and its parts when it has several."""
    token = token.replace(",", "")
    if compiled(_NUMBER).match(token):
        return _versions(token.lower())
    if compiled(_INITIALS).match(token):
        return (token.replace(".", "").lower()[:LONGEST],), (), ()
    whole = stem(_folded(compiled(_BETWEEN).sub("", token)))
    parts = [p for piece in compiled(_SEPARATOR).split(token) if piece for p in _humps(piece)]
    long = [p for p in parts if len(p) > 1 or not p.isascii()]
    if len(parts) < 2 or not long:
        return ((whole,) if whole else ()), (), ()
    required = tuple(stem(p) for p in long if p not in COMMON)
    if not required:
        return (whole,), (), tuple(long)
    return required, (whole,), tuple(p for p in long if p in COMMON)


def _humps(piece: str) -> list[str]:
    if compiled(_LETTERS_DIGITS).match(piece) or not piece.isascii() or (piece.isalpha() and (piece.islower() or piece.isupper())):
        return [_folded(piece)]
    return [_folded(p) for p in compiled(_HUMP).findall(piece)]


def _folded(word: str) -> str:
    return word.casefold()[:LONGEST]


def _versions(number: str) -> _Analysis:
    """`v3.11.4` also says 3.11.4 and 3.11."""
    digits = number.lstrip("v")
    pieces = digits.split(".")
    shorter = [".".join(pieces[:i]) for i in range(len(pieces), 1, -1)]
    return tuple(s[:LONGEST] for s in shorter), ((number[:LONGEST],) if number != digits else ()), ()
