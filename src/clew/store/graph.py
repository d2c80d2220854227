"""The part of the promise about the graph: links between memories, and the entities that they name."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import NamedTuple, Protocol

    from clew.model import Entity, Filter
else:
    from clew.model import NamedTuple

    Protocol = object

RULED = "rule"  # the origin of a link that wording states: made and unmade with the text
DEGREE_MOST = 256  # edges counted in one direction: beyond that a node is a hub, however large


class Edges(NamedTuple):
    """The edges of some nodes: `rows` of (node, other, relation, whether it leads from node to other, at, origin), and the nodes' degrees.

    A memory is its number, an entity the negative of its own; a mention is an edge without time and origin, of the
    relation "about" where the memory is about the entity, else "mentions".
    """

    rows: list[tuple[int, int, str, bool, float | None, str]]
    degrees: Mapping[int, int]


class Noted(NamedTuple):
    """What a memory names as (kind, folded key, name, other keys), keys of what it is about, and its cues: (relation, key, backward)."""

    memory: int
    named: Sequence[tuple[str, str, str, Sequence[str]]]
    subjects: Iterable[str] = ()
    cues: Sequence[tuple[str, str, bool]] = ()


class Meeting(NamedTuple):
    """A cue whose key is a subject: the memory that says it, the relation, the memory about it, whether the link ends at the cue, when."""

    cued: int
    relation: str
    subject: int
    backward: bool
    at: float


class Graph(Protocol):
    """What `Store` promises of it; see there."""

    # links
    def add_link(self, src: int, relation: str, dst: int, *, at: float, origin: str) -> bool:
        """A typed edge; False when the same one was there already."""

    def attach(self, src: int, relation: str, dst: int, *, at: float, origin: str) -> bool:
        """A typed edge that somebody makes: it stands for the same one by wording, and outlives that; that the same one was removed counts
        no more. False when it was there already.

        Raises InvalidInput where both ends are one, NotFound where one is gone.
        """

    def remove_link(self, src: int, relation: str, dst: int) -> bool:
        """Take an edge away; False when there was none. One that the wording states is from then on no meeting of `meetings`."""

    def refuse_link(self, src: int, relation: str, dst: int) -> None:
        """Take an edge away that the wording states, and from then on it is no meeting of `meetings`; one that somebody made stays."""

    def unlinked(self, ids: Sequence[int]) -> list[tuple[int, str, int]]:
        """Edges of these memories that the wording states or may state and that were taken away, as (src, relation, dst)."""

    def links_of(self, ids: Sequence[int]) -> list[tuple[int, str, int, float, str]]:
        """Edges that touch any of these memories, as (src, relation, dst, at, origin)."""

    def has_edges(self, scope: Sequence[int]) -> bool:
        """Whether anything in the scope may be linked or name an entity: True is a reason to look."""

    def has_superseded(self, scope: Sequence[int]) -> bool:
        """Whether anything in the scope was superseded."""

    def edges_of(self, nodes: Sequence[int], *, most: int) -> Edges:
        """At most `most` edges of each of these nodes in each direction, of whatever project; of too many those of the highest
        relations and numbers."""

    def degrees(self, nodes: Sequence[int]) -> dict[int, int]:
        """How many edges each node has, counted to DEGREE_MOST in each direction."""

    def admitted(self, ids: Sequence[int], scope: Sequence[int], which: Filter) -> set[int]:
        """Those of these memories that belong to the scope and pass the filter."""

    # what memories name
    def note(self, project: int, noted: Sequence[Noted]) -> None:
        """Keep what memories of a project name, are about and state; what is kept already stays."""

    def unnote(self, memories: Sequence[int]) -> None:
        """Forget what these memories name, are about and state, the links made of it, and entities that nothing names any more."""

    def unjoin(self, memories: Sequence[int]) -> None:
        """Forget the links made of what these memories and others state, not what they name."""

    def wipe_notes(self) -> None:
        """`unnote` for every memory, as the first step of a rebuild."""

    def meetings(self, memories: Sequence[int]) -> list[Meeting]:
        """Where a cue meets its subject and one of the two is of these memories, by cue and subject. Of one key at most three subjects."""

    def outranked(self, memories: Sequence[int]) -> list[int]:
        """Memories that no cue of some key meets because these are older: they would be of the key's three subjects without these."""

    def entities(self, ids: Sequence[int], scope: Sequence[int]) -> dict[int, Entity]:
        """Those of these entities that belong to the scope, by id."""

    def entities_named(self, scope: Sequence[int], keys: Iterable[str]) -> dict[str, list[int]]:
        """Entities that answer to each folded key, by their own key or another; keys of none are left out."""

    def mentioned(self, entities: Iterable[int], limit: int) -> Mapping[int, list[int]]:
        """The newest `limit` memories that mention each of these entities, of whatever project."""
