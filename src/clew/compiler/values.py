"""The values of the compiler: what a request becomes, what is decided about each fragment, what comes out.

Times do not occur here. Sizes are tokens by the counter in use unless a name says bytes or chars.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, NamedTuple, TypeAlias

    from clew.compiler.tokens import Counter as Counter

    Reranker: TypeAlias = Callable[[str, Sequence["Candidate"]], Sequence["Candidate"]]
else:
    from clew.model import NamedTuple

RISKS = ("low", "medium", "high")


class Media(NamedTuple):
    """An image or other attachment, decoded."""

    mime: str
    bytes: bytes


class Fragment(NamedTuple):
    """One input. `place` is where it stands in the request, from 0; `id` is the caller's, for the caller alone."""

    place: int
    content: str
    id: int | None = None
    path: str | None = None
    kind: str = "text"
    priority: int = 0
    metadata: Mapping[str, Any] = {}
    media: Media | None = None


class Chunk(NamedTuple):
    """How large a piece may be in UTF-8 bytes, and where text is cut first."""

    max_bytes: int = 2048
    boundary: str = "paragraph"


class Importance(NamedTuple):
    """Weights of what is known about a memory; `recency_field` is a numeric metadata key, none switches recency off."""

    confidence: float = 0.2
    recency: float = 0.1
    recency_field: str | None = None


class Pricing(NamedTuple):
    """What a million input tokens cost."""

    input_per_million: float
    currency: str = "USD"


class Policy(NamedTuple):
    """How to compile; the defaults are the documented ones. TTLs are seconds."""

    response_reserve_tokens: int = 0
    near_duplicates: bool = True
    disabled_rules: tuple[str, ...] = ()
    chunk: Chunk = Chunk()
    normalise_logs: bool = True
    importance: Importance = Importance()
    store_sources: bool = True
    source_ttl_seconds: float | None = None
    record_events: bool = True
    event_ttl_seconds: float | None = None
    slim_response: bool = False
    pricing: Pricing | None = None


class Scope(NamedTuple):
    """Which memories the engine pulls in before compiling; the compiler itself does not read it."""

    project: str
    k: int = 5
    max_hops: int | None = None


class Request(NamedTuple):
    """A valid request."""

    query: str
    token_budget: int
    fragments: tuple[Fragment, ...]
    project: str | None = None
    model: str | None = None
    memory_scope: Scope | None = None
    policy: Policy = Policy()


class Candidate(NamedTuple):
    """What a reranker is shown: a fragment that may be packed, by its place, and its relevance in 0..1."""

    fragment: int
    text: str
    relevance: float


class Decision(NamedTuple):
    """What became of one fragment, by its place in the request, and why.

    action: preserve, cache, abstract, drop, externalize or retrieve. rule: the rule that settled it; classified: the rule of the table
    that it met first. kept: whole, collapsed, diff, part or none. section: cache, body or "" when nothing of it is emitted. hash: 32 hex
    digits of the content (the decoded bytes where it has media). handles: where its bytes can be had, empty when it is emitted whole.
    saved, externalised, lost: tokens, as `Account` has them.
    """

    fragment: int
    id: int | None
    action: str
    rule: str
    classified: str
    critical: bool
    kept: str
    reason: str
    relevance: float
    risk: str
    hash: str
    tokens_in: int
    tokens_out: int
    saved: int = 0
    externalised: int = 0
    lost: int = 0
    section: str = ""
    handles: tuple[str, ...] = ()
    duplicate_of: int | None = None


class Section(NamedTuple):
    """Where one fragment stands in the content: characters [start, end) of it, the marker of what is missing included."""

    name: str
    fragment: int
    start: int
    end: int


class Source(NamedTuple):
    """Original bytes under a handle: UTF-8 text, or an attachment with its type."""

    handle: str
    bytes: bytes
    mime: str = "text/plain; charset=utf-8"


class Account(NamedTuple):
    """Tokens. tokens_in = kept + saved + externalised + lost.

    saved: removed because the content says it elsewhere. externalised: set aside behind a handle, whole or as the values of a log that a
    range stands for. lost: cut out of something that was emitted in part. kept: what of the input is in the output. tokens_out: all of the
    output, separators, markers and images included.
    """

    tokens_in: int
    tokens_out: int
    kept: int
    saved: int
    externalised: int
    lost: int
    budget: int
    saved_cost: float | None = None
    currency: str | None = None


class Insight(NamedTuple):
    """Something worth knowing about the request: a stable code, a sentence, the tokens it is about."""

    code: str
    text: str
    tokens: int


class Compiled(NamedTuple):
    """The compiled context. `content` is the cache section (its first `cache_chars` characters), then the body.

    media: the attachments emitted beside the content, by fragment. sources: handle → original, for everything that is not emitted whole.
    """

    content: str
    cache_chars: int
    media: tuple[tuple[int, Media], ...]
    sections: tuple[Section, ...]
    decisions: tuple[Decision, ...]
    sources: Mapping[str, Source]
    account: Account
    risk: str
    warnings: tuple[str, ...]
    insights: tuple[Insight, ...]
