"""The values that travel between floors: memory, draft, hit, filter and their parts.

Standard library only and no `typing` or `dataclasses` at run time: a hook imports this on every prompt (docs/decisions/0001).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple, TypeAlias

    Scalar: TypeAlias = str | int | float | bool
else:
    from clew.tuples import NamedTuple

USER_PROJECT = "@user"  # the reserved project read alongside every project

KINDS = ("user", "feedback", "state", "decision", "fact", "reference", "observation", "procedure", "intent")
STATUSES = ("active", "superseded", "done")
EVENTS = ("session_start", "prompt", "before_tool", "tool", "compact", "turn_end", "session_end")
META = "meta."  # before the name of metadata in a predicate
_AGES = ((86_400 * 365, "y"), (86_400 * 30, "mo"), (86_400, "d"), (3_600, "h"), (60, "min"))
SUBAGENT = "/agent:"  # between a session and the name of a subagent that works in it


class Pointer(NamedTuple):
    """Code a memory is about. `path` is relative to the project's root with forward slashes; `hash` is of the file when written."""

    path: str
    symbol: str | None = None
    line: int | None = None
    hash: str | None = None


class Source(NamedTuple):
    """Where a memory came from; every part may be unknown. `drawn_from` holds memory ids."""

    file: str | None = None
    commit: str | None = None
    session: str | None = None
    turn: int | None = None
    drawn_from: tuple[int, ...] = ()


class Strength(NamedTuple):
    """FSRS state. `stability` and `last_use` in seconds, `difficulty` 1..10, counts of uses and lapses."""

    stability: float
    difficulty: float
    last_use: float
    uses: int = 0
    lapses: int = 0


class Draft(NamedTuple):
    """A memory as handed in, before redaction, identity and strength. Times are UTC seconds, `ttl` seconds."""

    summary: str
    kind: str = "fact"
    detail: str = ""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Scalar] = {}
    pointers: tuple[Pointer, ...] = ()
    source: Source = Source()
    valid_from: float | None = None
    valid_to: float | None = None
    ttl: float | None = None
    pinned: bool = False


class Memory(NamedTuple):
    """A memory as stored. `id` below 2^53; `digest` 32 hex digits; times UTC seconds; `confidence` 0..1; `credit` -1..1."""

    id: int
    digest: str
    project: str
    kind: str
    status: str
    summary: str
    detail: str
    tags: tuple[str, ...]
    metadata: Mapping[str, Scalar]
    origin: str
    source: Source
    pointers: tuple[Pointer, ...]
    recorded_at: float
    updated_at: float
    seen: int
    strength: Strength
    pinned: bool = False
    valid_from: float | None = None
    valid_to: float | None = None
    expires_at: float | None = None
    ended_at: float | None = None
    successor: int | None = None
    reason: str = ""
    stale: bool = False
    confidence: float = 0.5  # as the last feedback left it, at `confidence_at`; it decays to the middle (rules/learned.py)
    credit: float = 0.0
    confidence_at: float | None = None
    resting: bool = False  # so little retained that nobody is shown it unasked; asking for it ends that

    def untrue(self, now: float) -> str:
        """Why it does not hold now: "no longer true", "not true yet", or ""."""
        if self.valid_to is not None and self.valid_to <= now:
            return "no longer true"
        return "not true yet" if self.valid_from is not None and self.valid_from > now else ""


class Signals(NamedTuple):
    """Why a hit stands where it stands. `None` means that the signal had nothing to say about this memory."""

    lexical: float | None = None  # share of the question's word weight this memory earns, 0..1
    semantic: float | None = None  # cosine, -1..1
    lexical_rank: int | None = None
    semantic_rank: int | None = None
    neighbours: float = 0.0  # lent by the turns before and after
    graph: float | None = None  # share of what the walk over links and mentions brought here, best 1
    time: float | None = None  # how well it fits the time that the question names, 0..1
    coverage: float = 0.0  # share of the question's known word weight that this memory holds, 0..1
    words: tuple[str, ...] = ()  # the question's words it holds
    learned: float = 0.0  # what confidence and recency added, a share of the score
    score: float = 0.0
    reread: float | None = None  # how surely it answers the question by the reader of the quality tier, 0..1


class Hit(NamedTuple):
    """One answer of a recall: the memory, its score (higher is better) and, when asked to explain, every signal."""

    memory: Memory
    score: float
    signals: Signals


class Predicate(NamedTuple):
    """A condition on a memory. `op` joins `parts` (and, or, not), or compares what the memory holds by `name` with `values`.

    `name` is a field's, or META and a metadata key. All values are of the `type` text, number, bool or time; numbers and times are floats.
    """

    op: str
    name: str = ""
    type: str = ""
    values: tuple[str | float | bool, ...] = ()
    parts: tuple[Predicate, ...] = ()


class Filter(NamedTuple):
    """Which memories a search may see; empty means any. `now` decides expiry, `as_of` is the moment the answer speaks of.

    `since` and `until` bound when a memory became true, else when it was written. What was true at some moment of `spoken`, the stretch
    (start, end) that a question speaks of, passes as what is true now does.
    """

    now: float
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()  # all of them
    statuses: tuple[str, ...] = ("active",)
    as_of: float | None = None
    since: float | None = None
    until: float | None = None
    include_superseded: bool = False
    where: Predicate | None = None
    spoken: tuple[float, float] | None = None


class Entity(NamedTuple):
    """A thing that memories name: a file, symbol, ticket, commit, person, title, … `id` as in the store, above 0."""

    id: int
    kind: str
    name: str


class Mentions(NamedTuple):
    """What answers to a name and the newest memories that name it; `left_out` counts those beyond the limit."""

    entities: tuple[Entity, ...]
    memories: tuple[Memory, ...]
    left_out: int = 0


class Link(NamedTuple):
    """A directed edge between two nodes: memories by number, entities by the negative of theirs. `at` UTC seconds, None for a mention."""

    src: int
    relation: str
    dst: int
    at: float | None = None
    origin: str = ""


class TrailNode(NamedTuple):
    """A memory or an entity on a trail: `id` as links name it, how many hops from a seed, over which nodes (seed first, itself last)."""

    id: int
    hop: int
    path: tuple[int, ...]
    relevance: float  # what arrived here of a seed's score
    memory: Memory | None = None
    entity: Entity | None = None


class Trail(NamedTuple):
    """What a question, or a memory, hangs together with: nodes by hop, relevance and id, the links among them, how many were left out."""

    nodes: tuple[TrailNode, ...] = ()
    links: tuple[Link, ...] = ()
    left_out: int = 0


class Concern(NamedTuple):
    """What speaks against a new memory: `kind` is "contradiction" or "duplicate", `id` and `summary` are of the memory it is about.

    `why` says how they contradict: "changed value", "negation" or "swapped choice"; "" for a duplicate.
    """

    kind: str
    id: int
    why: str
    summary: str


class Remembered(NamedTuple):
    """What `remember` did: the memory, whether it is new, what was redacted (names of the secret formats), what speaks against it."""

    memory: Memory
    created: bool
    redacted: tuple[str, ...] = ()
    concerns: tuple[Concern, ...] = ()


class Forgotten(NamedTuple):
    """What `forget` erased: the memory's number, how many rows of each kind went with it, and what could not be cleaned and why."""

    id: int
    erased: Mapping[str, int]
    left: tuple[str, ...] = ()


class Pack(NamedTuple):
    """Text chosen to fit a budget in characters, the numbers of the memories in it, how many were left out. No text: nothing to say.

    `output` stands in place of what the tool printed, "" leaves that as it is.
    """

    text: str
    ids: tuple[int, ...]
    left_out: int
    output: str = ""


class Event(NamedTuple):
    """Something a client told us, whatever its dialect: `kind` is one of EVENTS, texts as the client sent them, `at` by our clock."""

    kind: str
    client: str
    session: str
    at: float = 0.0
    cwd: str = ""
    text: str = ""  # the prompt, the agent's last message, or what a tool answered
    source: str = ""  # how a session began or why it ended
    tool: str = ""
    target: str = ""  # the file, command or query a tool was given
    given: Mapping[str, Any] = {}  # all that a tool was given
    path: str = ""  # the file it was given
    failed: bool = False
    interrupted: bool = False  # by the user
    exit: int | None = None  # the status of a command
    output: str = ""  # what it printed, where the client lets us put something else in its place
    whole: str = ""  # the file that holds all of that, where `output` is its beginning alone
    model: str = ""  # that the client says it uses
    id: str = ""  # what the client calls this moment, where it does: two installs that fire for one event are told by it
    took: float = 0.0  # seconds that a tool ran, where the client says so


class Attempt(NamedTuple):
    """One try at a goal, as kept: what was done to what, how it ended, and by which keys the same failure and the same approach are known.

    `outcome` is pass, fail, partial, uncertain, declined, infra, or allowed (the user let an approach run once more). `turn` counts the
    agent's steps in its session. `fingerprint` and `place` are "" for what did not fail; `failing` counts what a runner says fails.
    """

    id: int
    session: str
    turn: int
    goal: str
    action: str
    target: str
    approach: str
    outcome: str
    evidence: str = ""
    exit: int | None = None
    failing: int | None = None
    fingerprint: str = ""
    place: str = ""
    template: str = ""
    version: int = 0
    origin: str = ""
    at: float = 0.0


class Verdict(NamedTuple):
    """What a history of attempts says about going on: `level` 0..3 (nothing, warn, callback, stop), why, and the attempts, oldest first."""

    level: int
    reason: str = ""
    evidence: tuple[Attempt, ...] = ()


class Alarm(NamedTuple):
    """A warning (level 1), a callback (2) or a stop (3) as the log keeps it: why, at which goal, and what was done or about to be done."""

    level: int
    reason: str
    goal: str
    target: str
    session: str
    at: float


class Fix(NamedTuple):
    """An attempt that passed where others had failed, and the targets of what was changed between."""

    passed: Attempt
    changes: tuple[str, ...] = ()


class Tried(NamedTuple):
    """What was tried before: matched `by` the same failure, the same place, the target or nothing; newest first."""

    by: str
    failed: tuple[Attempt, ...] = ()
    worked: tuple[Fix, ...] = ()


class Project(NamedTuple):
    """A project of the store: its name (unique label), last seen path and how many memories it holds."""

    id: int
    name: str
    path: str
    memories: int = 0


def age(then: float, now: float) -> str:
    """How long ago in its largest unit: `3d`, `2h`, `now`; times in UTC seconds."""
    gone = max(0.0, now - then)
    return next((f"{int(gone // size)}{unit}" for size, unit in _AGES if gone >= size), "now")


def ago(then: float, now: float) -> str:
    """`age` as a sentence has it: `3d ago`, `just now`."""
    gone = age(then, now)
    return "just now" if gone == "now" else f"{gone} ago"


def as_json(value: Any) -> Any:
    """The documented JSON shape of any value above: named fields become an object, tuples a list. Pure."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: as_json(getattr(value, name)) for name in value._fields}
    if isinstance(value, tuple | list):
        return [as_json(v) for v in value]
    if isinstance(value, dict):
        return {k: as_json(v) for k, v in value.items()}
    return value


class Settings(NamedTuple):
    """Where the store is (an absolute path, or ":memory:"), which embedder it uses, (address, model, key) of the server that one asks,
    and the user's home."""

    database: str
    embed: str
    home: str
    server: tuple[str, str, str] = ("", "", "")


class Extractor(NamedTuple):
    """A model that finds memories in prose: how its server is spoken to, the whole address of its chat, its name, a bearer token or ""."""

    dialect: str
    url: str
    name: str
    key: str = ""
