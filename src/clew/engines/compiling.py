"""Around the compiler: memories come in as fragments, originals stay behind handles, the figures of every compilation add up."""

from __future__ import annotations

from clew.compiler.values import Fragment
from clew.compiler.work import SCHEME
from clew.engines import projects
from clew.errors import InvalidInput, NotFound, StoreBusy, StoreFull, StoreReadOnly
from clew.rules.redact import redact
from clew.store.work import Context, Original

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from clew.compiler.values import Compiled, Request, Source
    from clew.model import Memory
    from clew.project import Place
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


def keeps(request: Request, compiled: Compiled) -> bool:
    """Whether the policy wants anything of a compilation kept."""
    policy = request.policy
    return policy.record_events or bool(policy.store_sources and compiled.sources)


def kept(store: Store, request: Request, compiled: Compiled, *, where: Place, session: str | None, counter: str, now: float) -> Compiled:
    """The compilation once its sources and figures are kept in the project `where`, with a warning where they are not, or not byte for
    byte. One transaction."""
    try:
        owner = projects.for_writing(store, where, now)
        with store.transaction():
            told = keep(store, request, compiled, project=owner, session=session, counter=counter, now=now)
    except (StoreReadOnly, StoreBusy, StoreFull) as trouble:
        told = [f"nothing of this is kept, so its handles cannot be retrieved: {trouble}"] if compiled.sources else []
    return compiled._replace(warnings=(*compiled.warnings, *told)) if told else compiled


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
    """The sums of the store with the shares they make: of `tokens_in`, how much was saved, set aside and lost, 0..1; None of nothing."""
    whole = sums["tokens_in"]
    shares = {f"{name}_share": round(sums[name] / whole, 4) if whole else None for name in ("saved", "externalised", "lost")}
    return {**sums, **shares}


def prune(store: Store, now: float, older_than: float | None) -> dict[str, int]:
    """Drop sources whose time ran out, and those put longer ago than so many seconds; how many "sources", and their "bytes"."""
    with store.transaction():
        count, size = store.prune_sources(now, before=None if older_than is None else now - older_than)
    return {"sources": count, "bytes": size}


def save_context(store: Store, owner: int, text: str, *, session: str, origin: str, now: float) -> int:
    """Keep a working context, the JSON text of its parts, beside those saved before; its number."""
    with store.transaction():
        return store.save_context(owner, Context(0, session, text, origin, now))
