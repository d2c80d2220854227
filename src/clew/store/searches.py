"""The part of the promise about the two searches: by words and by vectors."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NamedTuple, Protocol

    from clew.model import Filter
else:
    from clew.model import NamedTuple

    Protocol = object


class Document(NamedTuple):
    """What the searches know of one memory: weighted counts of its terms, its length in terms and its vector (b"" for none)."""

    id: int
    project: int
    counts: Mapping[str, int]
    length: int
    vector: bytes = b""


class Statistics(NamedTuple):
    """What a scope holds: indexed memories, their mean length in terms, and how many hold each of the terms asked for (absent: none)."""

    documents: int
    mean_length: float
    holding: Mapping[str, int]


class Asked(NamedTuple):
    """One word of a question as the index is to look for it.

    `members` are the index terms that count as this word, their frequencies summed; `weight` multiplies the gain (the idf, discounted);
    memories that hold the term `unless` are left to another word.
    """

    term: str
    weight: float
    members: tuple[str, ...]
    unless: str = ""


class Saturation(NamedTuple):
    """BM25's parameters: how fast repeats stop counting, how much length discounts, and the scope's mean length in terms."""

    k1: float
    b: float
    mean_length: float


class Lexical(NamedTuple):
    """Answer of the word search, best first, ties by id.

    `bm25[i]` and `covered[i]` (the summed weights of the words it holds) belong to `ids[i]`.
    """

    ids: list[int]
    bm25: list[float]
    covered: list[float]


class Near(NamedTuple):
    """Answer of the vector search: cosines by memory id, and how many vectors the scope holds."""

    cosines: dict[int, float]
    scanned: int


class Extent(NamedTuple):
    """When the first and the last memory of a scope was written, UTC seconds, and whether any has another confidence than at first."""

    oldest: float
    newest: float
    judged: bool


class Searches(Protocol):
    """What `Store` promises of it; see there."""

    def index(self, documents: Sequence[Document]) -> None:
        """Make memories findable that are not yet; a caller that changes one takes it out first."""

    def unindex(self, documents: Sequence[Document]) -> None:
        """Take memories out of both searches; `counts` must hold the terms they were indexed by."""

    def wipe_index(self) -> None:
        """Empty both searches, as the first step of a rebuild."""

    def statistics(self, scope: Sequence[int], terms: Sequence[str]) -> Statistics:
        """How much the scope holds and how many of its memories hold each term. Terms are bare words."""

    def known(self, scope: Sequence[int], terms: Sequence[str]) -> set[str]:
        """Those of the terms that any memory of the scope holds. Costs the same however many hold them."""

    def rarest(self, scope: Sequence[int], terms: Sequence[str], *, most: int, wanted: int) -> dict[str, bytes]:
        """Of the terms that two memories or more and no more than `most` hold, the `wanted` that fewest hold, rarest first, each with its
        postings as `words` packs them. Costs the same however common the others are."""

    def longer(self, scope: Sequence[int], prefix: str, *, most: int) -> list[tuple[str, int]]:
        """Terms that begin with `prefix` and are longer, with how many memories hold each, the most frequent first."""

    def lexical(self, scope: Sequence[int], asked: Sequence[Asked], which: Filter, *, limit: int, saturation: Saturation) -> Lexical:
        """The best `limit` memories that pass the filter, by BM25."""

    def nearest(self, scope: Sequence[int], vector: bytes, which: Filter, *, limit: int, also: Sequence[int] = ()) -> Near:
        """Cosines of about the `limit` nearest memories and of `also`."""

    def has_turns(self, scope: Sequence[int]) -> bool:
        """Whether any memory of the scope came from a session."""

    def turns(self, ids: Sequence[int]) -> dict[int, tuple[str, int]]:
        """Session and turn of those memories that came from one."""
