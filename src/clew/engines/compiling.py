"""Around the compiler: memories come in as fragments, originals stay behind handles, the figures of every compilation add up."""

from __future__ import annotations

from clew.compiler.values import Fragment
from clew.compiler.work import SCHEME
from clew.errors import InvalidInput, NotFound
from clew.rules.redact import redact
from clew.store.work import Original

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from clew.compiler.values import Compiled, Request, Source
    from clew.model import Memory
    from clew.store.base import Store

HANDLE_LEAST = 6  # hex digits of a handle that may stand for it
SHOWN = 12  # hex digits of a handle in a sentence
_STEERS = ("verbatim", "cache")  # what a caller says of a fragment; a memory that happens to have such a key says nothing by it
_FIGURES = ("tokens_in", "tokens_out", "saved", "externalised", "lost", "saved_cost", "currency")


class Drawn(dict[str, "Any"]):
    """The metadata of a fragment that is a memory. A caller's fragments may have the same keys and are none."""

    __slots__ = ()


def with_memories(request: Request, memories: Sequence[Memory]) -> Request:
    """The request with memories as its last fragments, each a quoted record whose metadata carries its number and confidence."""
    first = len(request.fragments)
    pulled = (_fragment(memory, first + n) for n, memory in enumerate(memories))
    return request._replace(fragments=(*request.fragments, *pulled))


def _fragment(memory: Memory, index: int) -> Fragment:
    told = f"#{memory.id} {memory.kind} ({memory.origin}): {memory.summary}"
    text = f"{told}\n{memory.detail}" if memory.detail else told
    known = {"memory": memory.id, "confidence": memory.confidence, "recorded_at": memory.recorded_at}
    own = {name: value for name, value in memory.metadata.items() if name not in _STEERS}
    return Fragment(index, text.replace("<", "‹").replace(">", "›"), kind="memory", id=memory.id, metadata=Drawn({**own, **known}))


def keep(store: Store, request: Request, compiled: Compiled, *, project: int, session: str | None, counter: str, now: float) -> list[str]:
    """Inside a transaction: keep the originals of a compilation and its figures, as its policy says; what of them is not byte for byte.

    A secret in an original is taken out before anything touches the disk, as everywhere.
    """
    policy, notes = request.policy, []
    if policy.store_sources and compiled.sources:
        drawn = {
            h: known["memory"]
            for d in compiled.decisions
            if isinstance(known := request.fragments[d.fragment].metadata, Drawn)
            for h in d.handles
        }
        until = None if policy.source_ttl_seconds is None else now + policy.source_ttl_seconds
        originals = []
        for handle, source in compiled.sources.items():
            content, found = _safe(source)
            originals.append(Original(handle, content, source.mime, now, until, drawn.get(handle)))
            if found:
                notes.append(f"{short(handle)} is kept without its secrets ({', '.join(found)}): it comes back, but not byte for byte")
        store.put_sources(project, originals)
    if policy.record_events:
        figures = {name: getattr(compiled.account, name) for name in _FIGURES}
        until = None if policy.event_ttl_seconds is None else now + policy.event_ttl_seconds
        about = {"session": session, "at": now, "expires_at": until, "counter": counter, "risk": compiled.risk}
        store.add_compilation(project, {**figures, **about, "fragments": len(request.fragments)})
    return notes


def _safe(source: Source) -> tuple[bytes, tuple[str, ...]]:
    try:
        text = source.bytes.decode()
    except UnicodeDecodeError:
        if not source.mime.startswith("text/"):
            return source.bytes, ()
        text = source.bytes.decode("utf-8", "surrogateescape")
    redacted = redact(text)
    return (redacted.text.encode("utf-8", "surrogateescape"), redacted.found) if redacted.found else (source.bytes, ())


def short(handle: str) -> str:
    """As much of a handle as leads back to it."""
    return handle[: len(SCHEME) + SHOWN]


def original(store: Store, handle: str, now: float) -> Original:
    """The original behind a handle, or behind the only handle that begins so. Raises InvalidInput, NotFound."""
    asked = handle.strip().removeprefix(SCHEME).lower()
    if not HANDLE_LEAST <= len(asked) <= 32 or not all(c in "0123456789abcdef" for c in asked):
        raise InvalidInput("handle", f"'{handle[:60]}' is none: it looks like {SCHEME}3f9a0c…, at least {HANDLE_LEAST} hex digits of it")
    known = store.source_handles(SCHEME + asked, most=2)
    if len(known) > 1:
        raise InvalidInput("handle", f"more than one source begins with {SCHEME}{asked}; give more of it")
    found = store.source(known[0]) if known else None
    if found is None:
        raise NotFound(f"there is no source {SCHEME}{asked}: it was never kept here, or was pruned")
    if found.expires_at is not None and found.expires_at <= now:
        raise NotFound(f"the time of source {short(found.handle)} ran out; give `source_ttl_seconds` more, or none")
    return found


def summed(sums: Mapping[str, Any]) -> dict[str, Any]:
    """The sums of the store with the shares they make: of `tokens_in`, how much was saved, put aside and lost, 0..1; None of nothing."""
    whole = sums["tokens_in"]
    shares = {f"{name}_share": round(sums[name] / whole, 4) if whole else None for name in ("saved", "externalised", "lost")}
    return {**sums, **shares}
