"""One fragment on its way through the stages: what was found out about it so far."""

from __future__ import annotations

from clew.ids import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.compiler.classify import Rule
    from clew.compiler.logs import Collapsed
    from clew.compiler.values import Fragment

SCHEME = "src:"  # before a handle, so that a reader knows what to ask for
HASH_LENGTH = 32  # hex digits: 128 bits
SHOWN = 12  # of them in the content, where each costs tokens; a handle is found by its beginning


def hash_of(content: bytes) -> str:
    """32 hex digits (blake2b-128) of the bytes."""
    return blake2b(content, digest_size=HASH_LENGTH // 2).hexdigest()


def handle_of(digest: str) -> str:
    """The handle of content by its hash: the same bytes have the same handle in every request."""
    return SCHEME + digest


class Work:
    """A fragment, and what the stages add.

    text: what may be emitted. form: how it came from the content: whole, collapsed, diff, handle (a marker for what is set aside) or
    same (a marker for a text that is emitted elsewhere, though not whole). base: the work whose text a diff is against.
    atomic: emitted whole or not at all. pieces: spans of the text with their tiers, filled in when it has to be cut; chosen: which of
    them are emitted; loud: they were cut where failures begin and end; tokens_part: tokens of those.
    """

    __slots__ = (
        "atomic", "base", "blend", "cached", "chosen", "collapsed", "critical", "encoded", "form", "fragment", "hash", "held",
        "image_tokens", "loud", "order", "original", "pieces", "priority", "reasons", "relevance", "rule", "settled", "text", "tokens",
        "tokens_in", "tokens_part",
    )  # fmt: skip

    def __init__(self, fragment: Fragment) -> None:
        self.fragment = fragment
        self.encoded = fragment.content.encode()
        self.hash = hash_of(fragment.media.bytes if fragment.media else self.encoded)
        self.text = fragment.content
        self.form = "whole"
        self.rule: Rule
        self.settled = ""  # the rule outside the table that overrules it
        self.critical = self.atomic = self.cached = self.loud = False
        self.priority = fragment.priority
        self.collapsed: Collapsed | None = None
        self.base: Work | None = None
        self.original: Work | None = None  # the one this is a duplicate of
        self.tokens_in = self.tokens = self.tokens_part = self.image_tokens = 0
        self.relevance = self.blend = 0.0
        self.held: frozenset[str] = frozenset()  # the terms of the query
        self.order = 0
        self.reasons: list[str] = []
        self.pieces: Sequence[tuple[int, int, int]] = ()
        self.chosen: set[int] = set()

    @property
    def index(self) -> int:
        """Its place in the request."""
        return self.fragment.place

    @property
    def dropped(self) -> bool:
        """Whether it is a duplicate: nothing of it is to be packed."""
        return self.original is not None

    @property
    def whole(self) -> bool:
        """Whether all of its text is chosen."""
        return len(self.chosen) == max(1, len(self.pieces))

    def mark(self) -> str:
        """The beginning of its handle, as the content shows it."""
        return SCHEME + self.hash[:SHOWN]
