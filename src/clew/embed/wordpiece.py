"""A text as the numbers that BERT's vocabulary has for its words and word pieces (uncased): what the transformer of the quality tier reads.

The rules are those of Devlin et al. 2018: lower case without accents, punctuation and ideographs alone, greedy longest pieces.
"""

from __future__ import annotations

from unicodedata import category, normalize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"
MOST_IDS = 256  # what the transformer was trained to read, both ends included
_WORD_CHARS = 100  # a longer word is unknown
_IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class Wordpiece:
    """`vocabulary`: one piece a line, its number being the line's, from 0; `##x` continues a word."""

    def __init__(self, vocabulary: str) -> None:
        self._number = {piece: number for number, piece in enumerate(vocabulary.split("\n")) if piece}

    def ids(self, text: str) -> list[int]:
        """The numbers of the first `MOST_IDS - 2` pieces, between those of the two ends."""
        found: list[int] = []
        for word in _words(text):
            found += self._pieces(word)
            if len(found) >= MOST_IDS - 2:
                break
        return [self._number[BEGIN], *found[: MOST_IDS - 2], self._number[END]]

    def _pieces(self, word: str) -> list[int]:
        found: list[int] = []
        at = 0
        while at < len(word):
            end = len(word) if len(word) <= _WORD_CHARS else at
            while end > at and (("##" if at else "") + word[at:end]) not in self._number:
                end -= 1
            if end == at:
                return [self._number[UNKNOWN]]
            found.append(self._number[("##" if at else "") + word[at:end]])
            at = end
        return found


def _words(text: str) -> Iterator[str]:
    plain = "".join(_spaced(char) for char in text)
    for run in plain.split():
        word = ""
        for char in normalize("NFD", run.lower()):
            if category(char) == "Mn":
                continue
            if _is_punctuation(char):
                if word:
                    yield word
                yield char
                word = ""
            else:
                word += char
        if word:
            yield word


def _spaced(char: str) -> str:
    """The character, with room around an ideograph; nothing for what cannot be seen."""
    if char in "\t\n\r" or category(char) == "Zs":
        return " "
    if char == "\ufffd" or category(char)[0] == "C":
        return ""
    return f" {char} " if any(low <= ord(char) <= high for low, high in _IDEOGRAPHS) else char


def _is_punctuation(char: str) -> bool:
    return (char.isascii() and not char.isalnum() and char.isprintable()) or category(char)[0] == "P"
