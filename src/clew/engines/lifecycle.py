"""How memories come and change: remember, edit, pin. One verb, one transaction."""

from __future__ import annotations

import json

from clew import limits
from clew.engines import extract
from clew.engines.indexing import awaits, document, meanings, sign
from clew.errors import InvalidInput, NotFound
from clew.ids import digest_of, parse_ref
from clew.model import Draft, Memory, Remembered, as_json
from clew.rules import fsrs
from clew.rules.intake import checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from clew.embed.base import Embedder
    from clew.model import Pointer
    from clew.store.base import Store

EDITABLE = ("summary", "detail", "kind", "tags", "metadata", "pointers", "valid_from", "valid_to", "ttl")
_PLACE = 3  # parts of a pointer that say where: path, symbol, line


def find(store: Store, ref: int | str, field: str = "id") -> Memory:
    """The memory that a number or a digest prefix names. Raises InvalidInput for neither or an ambiguous prefix, NotFound for none."""
    number, prefix = parse_ref(ref, field)
    if number is not None:
        found = store.fetch([number])
        if found:
            return found[number]
    if prefix is not None:
        ids = store.find_digest(prefix)
        if len(ids) == 1:
            return store.fetch(ids)[ids[0]]
        if ids:
            raise InvalidInput(
                field, f"'{prefix}' begins the digests of {len(ids)} memories ({', '.join(f'#{i}' for i in ids)}); give more digits"
            )
    raise NotFound(f"there is no memory {f'#{number}' if number is not None else prefix}", "`clew list` shows those there are")


def cleaned(drafts: Iterable[Draft]) -> list[tuple[Draft, tuple[str, ...]]]:
    """Each draft fit to be kept, with what was redacted: judged before anything is written. Raises InvalidInput."""
    given = list(drafts) if hasattr(drafts, "__iter__") else [None]
    if not all(isinstance(d, Draft) for d in given):
        raise InvalidInput("drafts", "must be a list of Draft")
    return [checked(d) for d in given if d is not None]


def remember(
    store: Store,
    embedder: Embedder | None,
    drafts: Sequence[tuple[Draft, tuple[str, ...]]],
    project: int,
    *,
    origin: str,
    now: float,
    again: bool = True,
    links: Sequence[tuple[str, int]] = (),
) -> list[Remembered]:
    """Keep cleaned drafts, all or none. One that says what is kept already is that memory seen once more: it gains, it loses nothing.

    Without `again` such a draft changes nothing at all: what has ended stays so. `links` (relation, memory) lead from each of them.
    Raises InvalidInput when what a memory gains would go over a limit or a link would lead to itself (nothing written), and StoreError.
    """
    made = drafted(store, [d for d, _ in drafts], project, origin=origin, now=now)
    vectors = meanings(made, embedder)
    with store.transaction():
        sign(store, embedder)
        kept = keep(store, made, vectors, project, now=now, again=again)
        for src, relation, dst in ((m.id, relation, dst) for m, _ in kept for relation, dst in links):
            store.attach(src, relation, dst, at=now, origin=origin)
        latest = store.fetch([m.id for m, _ in kept])
    return [Remembered(latest[m.id], created, found) for (m, created), (_, found) in zip(kept, drafts, strict=True)]


def drafted(store: Store, drafts: Sequence[Draft], project: int, *, origin: str, now: float) -> list[Memory]:
    """Memories as `remember` would keep them, not kept yet, of drafts that are cleaned."""
    uid = store.project_uid(project)
    return [_made(d, uid, origin=origin, now=now) for d in drafts]


def keep(
    store: Store,
    made: Sequence[Memory],
    vectors: Sequence[bytes],
    project: int,
    *,
    now: float,
    again: bool = True,
    revive: bool = True,
) -> list[tuple[Memory, bool]]:
    """Inside a transaction: insert and index what is new; join what is known, or without `again` leave it as it is.

    Each memory with its number, and whether it is new. With `revive` a memory that had ended is active again, since somebody says so
    now; a copy from elsewhere says nothing of the kind.
    """
    known = _known(store, made)
    kept: list[tuple[Memory, bool]] = []
    fresh: dict[int, tuple[Memory, bytes]] = {}
    for memory, vector in zip(made, vectors, strict=True):
        earlier = known.get(memory.digest)
        if earlier is None:
            now_kept = memory._replace(id=store.insert(memory, project))
            fresh[now_kept.id] = now_kept, vector
        elif not again:
            now_kept = earlier
        elif earlier.id in fresh:  # said twice in one batch: not indexed yet, so only the row and what will be indexed change
            now_kept = _joined(earlier, memory, now=now, revive=revive)
            store.save(now_kept, project)
            fresh[now_kept.id] = now_kept, vector
        else:
            now_kept = seen_again(store, earlier, memory, project, vector, now=now, revive=revive)
        if again and revive:
            _within_limits(now_kept)
        known[memory.digest] = now_kept
        kept.append((now_kept, earlier is None))
    store.index([document(m, project, vector) for m, vector in fresh.values()])
    extract.note(store, [m for m, _ in fresh.values()], project)
    return kept


def _within_limits(memory: Memory) -> None:
    for field, held, limit in (
        ("tags", memory.tags, limits.TAGS),
        ("metadata", memory.metadata, limits.METADATA_KEYS),
        ("pointers", memory.pointers, limits.POINTERS),
    ):
        if len(held) > limit:
            raise InvalidInput(
                field, f"{len(held)} with those that memory #{memory.id} has already; the limit is {limit}, `edit` sets them"
            )


def _known(store: Store, made: Sequence[Memory]) -> dict[str, Memory]:
    ids = [i for digest in {m.digest for m in made} for i in store.find_digest(digest)]
    return {m.digest: m for m in store.fetch(ids).values()}


def _made(draft: Draft, uid: str, *, origin: str, now: float) -> Memory:
    return Memory(
        id=0,
        digest=digest_of(uid, draft.kind, draft.summary, draft.detail),
        project="",
        kind=draft.kind,
        status="active",
        summary=draft.summary,
        detail=draft.detail,
        tags=tuple(draft.tags),
        metadata=draft.metadata,
        origin=origin,
        source=draft.source,
        pointers=tuple(draft.pointers),
        recorded_at=now,
        updated_at=now,
        seen=1,
        strength=fsrs.opening(draft.kind, now),
        pinned=draft.pinned or draft.kind in fsrs.PINNED_KINDS,
        valid_from=draft.valid_from,
        valid_to=draft.valid_to,
        expires_at=None if draft.ttl is None else now + draft.ttl,
    )


def seen_again(store: Store, earlier: Memory, again: Memory, project: int, vector: bytes, *, now: float, revive: bool) -> Memory:
    """Inside a transaction: join what is said to the memory that says it already, its former state kept in the log."""
    joined = _joined(earlier, again, now=now, revive=revive)
    event = "seen" if earlier.status == joined.status else "revived"
    log_state(store, project, event, earlier, origin=again.origin, now=now)
    _rewrite(store, earlier, joined, project, vector)
    return joined


def _joined(earlier: Memory, again: Memory, *, now: float, revive: bool) -> Memory:
    """What was there joined with what is said now."""
    lives = () if earlier.expires_at is None or again.expires_at is None else (earlier.expires_at, again.expires_at)
    joined = earlier._replace(
        tags=tuple(dict.fromkeys((*earlier.tags, *again.tags))),
        metadata={**earlier.metadata, **again.metadata} if revive else {**again.metadata, **earlier.metadata},
        pointers=_pointed(earlier.pointers, again.pointers),
        source=earlier.source if any(earlier.source) else again.source,
        seen=earlier.seen + 1,
        updated_at=now,
        pinned=earlier.pinned or again.pinned,
        expires_at=max(lives, default=None),
    )
    if not revive:
        return joined
    return joined._replace(
        valid_from=earlier.valid_from if again.valid_from is None else again.valid_from,
        valid_to=earlier.valid_to if again.valid_to is None else again.valid_to,
        status="active",
        successor=None,
        ended_at=None,
        reason="",
        stale=earlier.stale and not {p[:_PLACE] for p in earlier.pointers} <= {p[:_PLACE] for p in again.pointers},
    )


def _pointed(earlier: Sequence[Pointer], again: Sequence[Pointer]) -> tuple[Pointer, ...]:
    """The places of both, each once, with the hash that it has now where that is known."""
    held = {p[:_PLACE]: p for p in earlier}
    held |= {p[:_PLACE]: p for p in again if p.hash or p[:_PLACE] not in held}
    return tuple(held.values())


def _rewrite(store: Store, before: Memory, after: Memory, project: int, vector: bytes) -> None:
    """Save a memory, and index and note it anew where that would tell the difference."""
    store.save(after, project)
    extract.renote(store, before, after, project)
    old, new = document(before, project), document(after, project)
    if (old != new or before.detail != after.detail) and not awaits(store, before.id):
        store.unindex([old])
        store.index([new._replace(vector=vector)])


def log_state(store: Store, project: int, event: str, before: Memory, *, origin: str, now: float) -> None:
    """Inside a transaction: keep what is about to be overwritten in the log, so that no change loses anything."""
    changing = (
        "status",
        "summary",
        "detail",
        "kind",
        "tags",
        "metadata",
        "pointers",
        "valid_from",
        "valid_to",
        "expires_at",
        "successor",
        "reason",
    )
    text = json.dumps({f: as_json(getattr(before, f)) for f in changing}, ensure_ascii=False)
    store.write_log(project, event, text=text, origin=origin, at=now, memory=before.id)


def edit(
    store: Store, embedder: Embedder | None, ref: int | str, changes: Mapping[str, Any], *, origin: str, now: float, root: str = ""
) -> Remembered:
    """Put a memory right in place; its former text stays in the log. `changes` by field name (EDITABLE), a `ttl` of None ends the expiry.
    What changes nothing leaves no trace. Who edits text or pointers has the code as it is now in mind: in `root` its files are hashed anew.

    Raises InvalidInput for an unknown field, a bad value, or a text that another memory already says.
    """
    unknown = sorted(set(changes) - set(EDITABLE))
    if unknown:
        raise InvalidInput(unknown[0], f"cannot be edited; what can: {', '.join(EDITABLE)}")
    before = find(store, ref)
    after, found = _edited(store, before, changes, now=now, root=root)
    (vector,) = meanings([after], embedder)
    with store.transaction():
        sign(store, embedder)
        latest = find(store, before.id)
        if latest != before:  # another process changed it while its meaning was being found
            before = latest
            after, found = _edited(store, before, changes, now=now, root=root)
            (vector,) = meanings([after], embedder)
        project = store.owner(before.id)
        same = [i for i in store.find_digest(after.digest) if i != before.id]
        if same:
            raise InvalidInput("summary", f"memory #{same[0]} already says this; supersede #{before.id} by it instead")
        if repr(after) != repr(before._replace(updated_at=now)):  # repr, since 1 == True and both are metadata
            log_state(store, project, "edited", before, origin=origin, now=now)
            _rewrite(store, before, after, project, vector)
    return Remembered(store.fetch([before.id])[before.id], False, found)


def _edited(store: Store, before: Memory, changes: Mapping[str, Any], *, now: float, root: str) -> tuple[Memory, tuple[str, ...]]:
    known = {f: changes.get(f, getattr(before, f)) for f in EDITABLE if f != "ttl"}
    draft, found = checked(Draft(**known, ttl=changes.get("ttl")))
    made = _made(draft, store.project_uid(store.owner(before.id)), origin=before.origin, now=now)
    fields = ("digest", "summary", "detail", "kind", "tags", "metadata", "pointers", "valid_from", "valid_to")
    after = before._replace(updated_at=now, **{f: getattr(made, f) for f in fields})
    if changes.keys() & {"summary", "detail", "pointers"}:
        from clew.engines import hashes  # reads files, which a hook does without

        after = after._replace(stale=False, pointers=hashes.hashed(after.pointers, root, anew=True))
    return (after._replace(expires_at=made.expires_at) if "ttl" in changes else after), found


def pin(store: Store, ref: int | str, pinned: bool, *, now: float) -> Memory:
    """Pin or unpin: a pinned memory never fades; unpinned it is as stable as it was, and fades from now on."""
    with store.transaction():
        before = find(store, ref)
        strength = fsrs.unpinned(before.strength, now) if before.pinned and not pinned else before.strength
        resting = before.resting and not pinned
        store.save(before._replace(pinned=pinned, strength=strength, resting=resting, updated_at=now), store.owner(before.id))
    return store.fetch([before.id])[before.id]
