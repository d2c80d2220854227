"""Memories as flat JSON objects, out and in again: numbers become digests, which are the same in every store."""

from __future__ import annotations

from clew.engines import lifecycle
from clew.engines.indexing import meanings
from clew.errors import InvalidInput
from clew.model import STATUSES, Draft, Filter, Pointer, Source, Strength, as_json
from clew.rules import fsrs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from clew.embed.base import Embedder
    from clew.model import Memory
    from clew.store.base import Store

STEP = 500
# Fields of an exported memory that a draft does not have; taken back as they are where the memory is new.
_KEPT = ("status", "recorded_at", "updated_at", "seen", "pinned", "expires_at", "ended_at", "reason", "stale", "confidence", "credit")
_NUMBERS = ("recorded_at", "updated_at", "seen", "expires_at", "ended_at", "confidence", "credit", "valid_from", "valid_to")
_IGNORED = ("id", "digest", "project", "strength", "successor", "origin", "type")
_DRAFTED = ("summary", "kind", "detail", "tags", "metadata", "pointers", "source", "valid_from", "valid_to", "ttl")


def exported(store: Store, scope: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Every memory of the scope as {"type": "memory", …}, then every link between two of them as {"type": "link", …}."""
    digests: dict[int, str] = {}
    everything, after = Filter(now=float("-inf"), include_superseded=True), 0
    while scope and (step := store.select(scope, everything, limit=STEP, after=after, newest=False)):
        after = step[-1].id
        digests.update((m.id, m.digest) for m in step)
        for memory in step:
            yield _shape(store, memory, digests)
    links = {link for i in digests for link in store.links_of([i])}
    for src, relation, dst, at, origin in sorted(links):
        if src in digests and dst in digests:
            yield {"type": "link", "src": digests[src], "relation": relation, "dst": digests[dst], "at": at, "origin": origin}


def _shape(store: Store, memory: Memory, digests: dict[int, str]) -> dict[str, Any]:
    others = [i for i in (memory.successor, *memory.source.drawn_from) if i is not None and i not in digests]
    known = digests | {i: m.digest for i, m in store.fetch(others).items()}
    shape: dict[str, Any] = {"type": "memory", **as_json(memory)}
    shape["successor"] = known.get(memory.successor or 0)
    shape["source"]["drawn_from"] = [known[i] for i in memory.source.drawn_from if i in known]
    return shape


def imported(
    store: Store, embedder: Embedder | None, lines: Iterable[Mapping[str, Any]], project: int, *, origin: str, now: float
) -> dict[str, int]:
    """Take memories and links into a project, all or none: {"new": …, "known": …, "links": …}.

    Exported objects come back with their times, status, strength and successor; a plain object needs a `summary` only. What the store
    knows already is seen once more and keeps its state. Raises InvalidInput naming the line (from 1) and the field.
    """
    drafts: list[tuple[Draft, Mapping[str, Any]]] = []
    links: list[Mapping[str, Any]] = []
    for number, line in enumerate(lines, 1):
        try:
            if line.get("type", "memory") == "link":
                links.append(_link(line))
            else:
                drafts.append((_draft(line), line))
        except InvalidInput as error:
            raise InvalidInput(f"line {number}, {error.field}", error.problem) from None
        except AttributeError:
            raise InvalidInput(f"line {number}", "must be a JSON object") from None
    return _taken(store, embedder, drafts, links, project, origin=origin, now=now)


def _taken(
    store: Store,
    embedder: Embedder | None,
    drafts: Sequence[tuple[Draft, Mapping[str, Any]]],
    links: Sequence[Mapping[str, Any]],
    project: int,
    *,
    origin: str,
    now: float,
) -> dict[str, int]:
    made = lifecycle.drafted(store, [d for d, _ in drafts], project, origin=origin, now=now)
    memories = [_restored(m, line) for m, (_, line) in zip(made, drafts, strict=True)]
    vectors = meanings(memories, embedder)
    names: dict[str, int] = {}
    counts = {"new": 0, "known": 0, "links": 0}
    with store.transaction():
        kept = lifecycle.keep(store, memories, vectors, project, now=now)
        for (memory, created), (_, line) in zip(kept, drafts, strict=True):
            names[str(line.get("digest", memory.digest))] = memory.id
            counts["new" if created else "known"] += 1
        for (memory, created), (_, line) in zip(kept, drafts, strict=True):
            successor = _named(store, names, line.get("successor"))
            if created and successor is not None and successor != memory.id:
                store.save(memory._replace(successor=successor), project)
        for link in links:
            src, dst = _named(store, names, link["src"]), _named(store, names, link["dst"])
            if src is not None and dst is not None and src != dst:
                counts["links"] += store.add_link(src, link["relation"], dst, at=float(link.get("at", now)), origin=origin)
    return counts


def _draft(line: Mapping[str, Any]) -> Draft:
    unknown = sorted(set(line) - set(_DRAFTED) - set(_KEPT) - set(_IGNORED))
    if unknown:
        raise InvalidInput(unknown[0], f"is not a field of a memory; known: {', '.join((*_DRAFTED, *_KEPT))}")
    if "summary" not in line:
        raise InvalidInput("summary", "is missing")
    given = {f: line[f] for f in _DRAFTED if f in line and line[f] is not None}
    for field, kind in (("tags", list), ("pointers", list), ("source", dict), ("metadata", dict)):
        if field in given and not isinstance(given[field], kind):
            raise InvalidInput(field, f"must be {'a list' if kind is list else 'an object'}")
    pointers = tuple(_part(Pointer, p, "pointers") for p in given.pop("pointers", ()))
    source = _part(Source, {k: v for k, v in given.pop("source", {}).items() if k != "drawn_from"}, "source")
    return Draft(**{**given, "tags": tuple(given.get("tags", ())), "pointers": pointers, "source": source})


def _part(kind: Any, given: Any, field: str) -> Any:
    if not isinstance(given, dict) or set(given) - set(kind._fields) or (kind is Pointer and "path" not in given):
        raise InvalidInput(field, f"must be an object with {', '.join(kind._fields)}")
    return kind(**given)


def _link(line: Mapping[str, Any]) -> Mapping[str, Any]:
    for field in ("src", "relation", "dst"):
        if not isinstance(line.get(field), str) or not line[field]:
            raise InvalidInput(field, "must be text (digests for src and dst, a word for relation)")
    return line


def _restored(memory: Memory, line: Mapping[str, Any]) -> Memory:
    for field in _NUMBERS:
        value = line.get(field)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise InvalidInput(field, f"{value!r} is no number")
    if line.get("status", "active") not in STATUSES:
        raise InvalidInput("status", f"'{line['status']}' is not one of {', '.join(STATUSES)}")
    state = {f: line[f] for f in _KEPT if line.get(f) is not None}
    strength = line.get("strength")
    kept = memory._replace(**state)
    return kept._replace(strength=_strength(strength) if strength else fsrs.opening(memory.kind, kept.recorded_at))


def _strength(given: Any) -> Strength:
    strength: Strength = _part(Strength, given, "strength")
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in strength):
        raise InvalidInput("strength", "holds something that is no number")
    return strength


def _named(store: Store, names: Mapping[str, int], digest: Any) -> int | None:
    if not isinstance(digest, str) or not digest:
        return None
    return names.get(digest) or next(iter(store.find_digest(digest)), None)
