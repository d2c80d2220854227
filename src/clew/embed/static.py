"""The built-in embedder: a text is the weighted sum of its words' rows in a 4-bit table.

Exact by construction. A row's float32 scale becomes a whole multiple of 2^-33 (for the shipped table without rounding: its scales lie
in 2^-10 .. 2^-4, a float32 there has no finer bit), so products with 4-bit values and sums over 512 rows are whole numbers below 2^53
and come out the same in any order, in Python integers and in numpy's float64.
"""

from __future__ import annotations

import sys
from math import hypot
from struct import Struct, unpack

from clew.embed.base import quantised
from clew.embed.mapped import open_table
from clew.embed.split import words
from clew.embed.vocabulary import PIECE_CHARS, Vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "static-ml-q4"
MOST_ROWS = 512  # rows of one text; later words are not looked at
SCALE_UNIT = 2.0**33
BIAS = 8  # what a stored 4-bit value lies above the value it stands for
_KNOWN_WORDS = 1 << 16
_FEW_TEXTS = 256  # below this, loading numpy takes longer than doing without
_LOW_NIBBLE = bytes(byte & 15 for byte in range(256))
_HIGH_NIBBLE = bytes(byte >> 4 for byte in range(256))
_SCALE = Struct("<f")
_LANE = 8  # bytes of a component in the long integers of `_sum`: 512 rows of 15 · 2^29 need 43 bits


class StaticTable:
    """Embedder over the table in `folder`. Raises DamagedTable when its files are missing or do not fit one another."""

    slack = 0

    def __init__(self, folder: str) -> None:
        self._table = open_table(folder)
        self._vocabulary = Vocabulary(self._table.vocabulary, self._table.offsets, self._table.entries)
        self._known: dict[str, tuple[int, ...]] = {}
        self.name = NAME
        self.dim = self._table.dim
        self.fingerprint = self._table.fingerprint

    def embed(self, text: str) -> bytes:
        """`dim` int8 values, or `b""` when the table covers no word of `text`."""
        rows = self.rows(text)
        return quantised(self._sum(rows)) if rows else b""

    def embed_many(self, texts: Sequence[str]) -> list[bytes]:
        """What `embed` gives for each text; more than a few, and any where it is loaded already, go through numpy."""
        if len(texts) < _FEW_TEXTS and "numpy" not in sys.modules:
            return [self.embed(text) for text in texts]
        from clew.embed.batch import embed_rows

        return embed_rows(self._table, [self.rows(text) for text in texts])

    def rows(self, text: str) -> list[int]:
        """Row numbers of the words and word pieces of `text` in order, at most `MOST_ROWS`."""
        found: list[int] = []
        known = self._known
        for word in words(text):
            rows = known.get(word)
            found += self._rows_of(word) if rows is None else rows
            if len(found) >= MOST_ROWS:
                return found[:MOST_ROWS]
        return found

    def pieces(self, text: str) -> list[str]:
        """The vocabulary's entries behind `rows`, for explaining what was understood of a text."""
        return [self._vocabulary.entry(row).decode() for row in self.rows(text)]

    def _rows_of(self, word: str) -> tuple[int, ...]:
        rows = self._known.get(word)
        if rows is None:
            rows = self._vocabulary.rows_of(word, MOST_ROWS)
            if len(self._known) >= _KNOWN_WORDS:
                self._known.clear()
            if len(word) <= PIECE_CHARS:
                self._known[word] = rows
        return rows

    def _sum(self, rows: list[int]) -> list[int]:
        """Σ scale · component over `rows`, in units of 1 / SCALE_UNIT.

        A row is spread into one long integer with a lane of 8 bytes per component, so that one multiplication scales all of them:
        three times as fast as a loop over components.
        """
        width = self.dim // 2
        lanes = bytearray(self.dim * _LANE)
        total = weight = 0
        for row in rows:
            packed = self._table.vectors[row * width : (row + 1) * width]
            lanes[: width * _LANE : _LANE] = packed.translate(_LOW_NIBBLE)
            lanes[width * _LANE :: _LANE] = packed.translate(_HIGH_NIBBLE)
            scale = round(_SCALE.unpack_from(self._table.scales, 4 * row)[0] * SCALE_UNIT)
            total += int.from_bytes(lanes, "little") * scale
            weight += scale
        bias = BIAS * weight
        return [lane - bias for lane in unpack(f"<{self.dim}Q", total.to_bytes(self.dim * _LANE, "little"))]

    def _vector(self, text: str) -> list[float]:
        """The vector of `text` before it is made bytes, of length 1; all zero when nothing is covered."""
        components = self._sum(self.rows(text))
        length = hypot(*components) or 1.0
        return [component / length for component in components]
