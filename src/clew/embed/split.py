"""Text → the words that the table's vocabulary is asked for. Pure."""

from __future__ import annotations

import re
from itertools import groupby

TEXT_CHARS = 1 << 16  # what is looked at; bounds the time that a text of unknown words can take

_CASED = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"  # aB, ABc, underscores, letters beside digits
_ASCII = re.compile(_CASED + r"|[+#@]")
_RUN = re.compile(r"\w+|[+#@]")
# A table and not a pattern: Python takes 3 ms to compile one with these ranges, in every cold process.
_IDEOGRAPHIC = (
    ("\u3005", "\u3005"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0003ffff"),
)


def words(text: str) -> list[str]:
    """The words of `text` in order, lower-cased: runs of word characters, and each of `+ # @`.

    ASCII runs are cut at case changes, underscores and between letters and digits. Other runs lose their combining marks (NFD,
    category Mn) and are cut around kana and CJK ideographs. Characters after the first `TEXT_CHARS` are not looked at.
    """
    text = text[:TEXT_CHARS]
    if text.isascii():
        return [word.lower() for word in _ASCII.findall(text)]
    found: list[str] = []
    for run in _RUN.findall(text):
        if run.isascii():
            found.extend(word.lower() for word in _ASCII.findall(run))
        else:
            found.extend(_by_script(_without_marks(run.lower())))
    return found


def is_ideographic(character: str) -> bool:
    """Whether one character is kana or a CJK ideograph: written without spaces, so that every piece of such a run stands alone."""
    return character >= "\u3005" and any(first <= character <= last for first, last in _IDEOGRAPHIC)


def _by_script(run: str) -> list[str]:
    return ["".join(stretch) for _, stretch in groupby(run, is_ideographic)]


def _without_marks(run: str) -> str:
    from unicodedata import category, normalize  # here because most questions are ASCII

    return "".join(c for c in normalize("NFD", run) if category(c) != "Mn")
