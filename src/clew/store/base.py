"""The promise every backend keeps: it stores and finds values, decides nothing and reads no clock."""

from __future__ import annotations

from clew.store.work import Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, NamedTuple, Protocol

    from clew.model import Entity, Filter, Memory, Project
else:
    from clew.model import NamedTuple

    Protocol = object


RULED = "rule"  # the origin of a link that wording states: made and unmade with the text
DEGREE_MOST = 256  # edges counted in one direction: beyond that a node is a hub, however large


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
    """Answer of the vector search: cosines by memory id, and the mean and deviation of the sign distances over the whole scope in bits."""

    cosines: dict[int, float]
    scanned: int
    mean: float
    deviation: float


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


class Extent(NamedTuple):
    """When the first and the last memory of a scope was written, UTC seconds, and whether any has another confidence than at first."""

    oldest: float
    newest: float
    judged: bool


class Store(Work, Protocol):
    """One store of memories. A scope is the ids of the projects that are read together.

    Every method may raise StoreBusy, StoreFull, StoreReadOnly or StoreDamaged. Writes happen inside `transaction()`.
    `writable` is False for one that can only be read.
    """

    writable: bool

    def transaction(self) -> AbstractContextManager[None]:
        """Everything written inside is kept whole or not at all; transactions do not nest."""

    def close(self) -> None:
        """Let go of the file or the connection; a closed store cannot be used again."""

    # projects
    def project_for(self, keys: Iterable[str]) -> int | None:
        """The project that the first known key names."""

    def add_project(self, *, uid: str, name: str, path: str, at: float) -> int:
        """A new project; `name` is made unique by a suffix."""

    def claim_keys(self, project: int, keys: Iterable[str]) -> None:
        """Let `keys` name the project from now on; keys that already name one stay there."""

    def projects(self) -> list[Project]:
        """All projects with how many memories each holds, by name."""

    def project_uid(self, project: int) -> str:
        """The project's portable identity, a part of every digest."""

    def rename_project(self, project: int, *, name: str | None = None, path: str | None = None) -> None:
        """Change the label or the last seen path."""

    def drop_project(self, project: int, *, into: int) -> None:
        """Let `into` have the keys, log, attempts and sources of an empty project, and remove it."""

    # memories
    def insert(self, memory: Memory, project: int) -> int:
        """Keep a new memory (its own `id` is ignored); returns its number."""

    def fetch(self, ids: Sequence[int]) -> dict[int, Memory]:
        """The memories of these numbers; unknown numbers are left out."""

    def passing(self, ids: Sequence[int], scope: Sequence[int], which: Filter, *, limit: int) -> list[Memory]:
        """The first `limit` of these memories, in this order, that belong to the scope and pass the filter; the rest is not looked at."""

    def find_digest(self, prefix: str) -> list[int]:
        """Numbers of the memories whose digest starts with `prefix`, at most ten."""

    def save(self, memory: Memory, project: int) -> None:
        """Write every field of a known memory."""

    def erase(self, memory: int) -> dict[str, int]:
        """Remove the row and all that hangs on it (links, log lines, sources); returns how many of each."""

    def select(self, scope: Sequence[int], which: Filter, *, limit: int, after: int = 0, newest: bool = True) -> list[Memory]:
        """Memories that pass the filter, newest first, or in order of their numbers from `after` on."""

    def strongest(self, scope: Sequence[int], which: Filter, *, limit: int) -> list[Memory]:
        """Memories that pass the filter and do not rest: pinned first, then the most used, then the newest."""

    def count(self, scope: Sequence[int], which: Filter) -> int:
        """How many memories pass the filter."""

    def expired(self, now: float, limit: int) -> list[int]:
        """Numbers of memories whose time to live ran out, oldest first."""

    def latest(self) -> int:
        """The highest number a memory has, 0 in an empty store."""

    def metadata_types(self, scope: Sequence[int], keys: Iterable[str]) -> dict[str, list[str]]:
        """Of which types (bool, number, text) the scope's memories hold metadata by each key."""

    def experience(self, ids: Sequence[int]) -> dict[int, tuple[float, float, float | None]]:
        """When each memory was written, its confidence at the last feedback, and when that was."""

    def extent(self, scope: Sequence[int]) -> Extent:
        """From when to when the scope's memories were written, and whether feedback moved any; zeros for none."""

    def owner(self, memory: int) -> int:
        """The project that holds this memory. Raises NotFound."""

    # searches
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

    # links, log, settings
    def add_link(self, src: int, relation: str, dst: int, *, at: float, origin: str) -> bool:
        """A typed edge; False when the same one was there already."""

    def attach(self, src: int, relation: str, dst: int, *, at: float, origin: str) -> bool:
        """A typed edge that somebody makes: it stands for the same one by wording, and outlives that; that the same one was removed counts
        no more. False when it was there already.

        Raises InvalidInput where both ends are one, NotFound where one is gone.
        """

    def remove_link(self, src: int, relation: str, dst: int) -> bool:
        """Take an edge away; False when there was none. One that the wording states is from then on no meeting of `meetings`."""

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

    def entities(self, ids: Sequence[int], scope: Sequence[int]) -> dict[int, Entity]:
        """Those of these entities that belong to the scope, by id."""

    # what memories name
    def note(self, project: int, noted: Sequence[Noted]) -> None:
        """Keep what memories of a project name, are about and state; what is kept already stays."""

    def unnote(self, memories: Sequence[int]) -> None:
        """Forget what these memories name, are about and state, the links made of it, and entities that nothing names any more."""

    def wipe_notes(self) -> None:
        """`unnote` for every memory, as the first step of a rebuild."""

    def meetings(self, memories: Sequence[int]) -> list[Meeting]:
        """Where a cue meets its subject and one of the two is of these memories, by cue and subject. Of one key at most three subjects."""

    def entities_named(self, scope: Sequence[int], keys: Iterable[str]) -> dict[str, list[int]]:
        """Entities that answer to each folded key, by their own key or another; keys of none are left out."""

    def mentioned(self, entities: Iterable[int], limit: int) -> Mapping[int, list[int]]:
        """The newest `limit` memories that mention each of these entities, of whatever project."""

    def write_log(
        self,
        project: int,
        event: str,
        *,
        text: str,
        origin: str,
        at: float,
        memory: int | None = None,
        session: str | None = None,
        turn: int | None = None,
    ) -> None:
        """Append one line to the log."""

    def read_log(self, project: int, *, limit: int, memory: int | None = None) -> list[dict[str, Any]]:
        """The newest lines of a project's log, newest first."""

    def advance_session(self, session: str, project: int, client: str, *, at: float, turns: int) -> int:
        """Note that a session lives (begun with its first sign) and went on by `turns`; how many it has."""

    def end_session(self, session: str, *, at: float, keep_since: float) -> None:
        """Close a session, and drop what those that were last alive before `keep_since` were shown."""

    def mark_shown(self, session: str, memories: Sequence[tuple[int, float]]) -> None:
        """Note that a session was shown memories, each with the `updated_at` it had."""

    def shown(self, session: str) -> dict[int, float]:
        """Memories a session was shown, with the `updated_at` they had then."""

    def forget_shown(self, session: str) -> None:
        """The session's window is new: it was shown nothing."""

    def setting(self, key: str) -> str | None:
        """A stored setting."""

    def set_setting(self, key: str, value: str | None) -> None:
        """Keep or, with None, drop a setting."""

    # care
    def facts(self) -> dict[str, Any]:
        """Sizes, counts and versions for `status`."""

    def check(self) -> list[str]:
        """What a full examination finds wrong, as sentences; empty when sound."""

    def scrub(self) -> list[str]:
        """Overwrite freed pages and the write-ahead log; returns what could not be cleaned and why."""

    def backup(self, path: str) -> None:
        """Write a whole, consistent copy to `path`."""
