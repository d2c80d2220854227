"""Word → row numbers of the table, by binary search on the mapped vocabulary: no dictionary is built for one question."""

from __future__ import annotations

from bisect import bisect_right
from struct import Struct

from clew.embed.split import is_ideographic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap

PIECE_CHARS = 40  # no entry is longer, so that a look-up never compares more
_SPAN = Struct("<II")


class Vocabulary:
    """`count` entries sorted by bytes: `text` holds them with a newline after each, `offsets` where each starts (uint32, count + 1)."""

    def __init__(self, text: mmap, offsets: mmap, count: int) -> None:
        self._text = text
        self._offsets = offsets
        self._rows = range(count)

    def entry(self, row: int) -> bytes:
        """The entry of a row, UTF-8."""
        start, end = _SPAN.unpack_from(self._offsets, 4 * row)
        return self._text[start : end - 1]

    def rows_of(self, word: str, most: int) -> tuple[int, ...]:
        """The rows that cover `word`: greedy longest entries, after the first those that continue a word (`##x`); at most `most`.

        A word with a stretch that no entry covers has none. In a run of kana and ideographs each piece is an entry of its own and a
        character that no entry covers is passed over, for such a run is a whole sentence.
        """
        alone = is_ideographic(word[0])
        rows: list[int] = []
        at = 0
        while at < len(word) and len(rows) < most:
            prefix = "##" if at and not alone else ""
            row, length = self._longest(prefix + word[at : at + PIECE_CHARS])
            if length > len(prefix):
                rows.append(row)
                at += length - len(prefix)
            elif alone:
                at += 1
            else:
                return ()
        return tuple(rows)

    def _longest(self, text: str) -> tuple[int, int]:
        """(row, characters) of the longest entry that `text` starts with; (-1, 0) when there is none.

        The greatest entry not above `text` is that entry if it is a prefix at all. If not, every prefix lies within what the two share.
        """
        sought = text.encode()
        while sought:
            row = bisect_right(self._rows, sought, key=self.entry) - 1
            if row < 0:
                break
            entry = self.entry(row)
            if sought.startswith(entry):
                return row, len(entry.decode("utf-8", "ignore"))
            sought = sought[: _shared(sought, entry)]
        return -1, 0


def _shared(left: bytes, right: bytes) -> int:
    """How many bytes two byte strings start with in common, when they differ within both; 0 when they do not (the table is damaged)."""
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
