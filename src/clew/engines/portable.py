"""Memories as flat JSON objects, out and in again: numbers become digests, which are the same in every store."""

from __future__ import annotations

from clew.engines import leaving, lifecycle
from clew.engines.indexing import meanings, sign
from clew.engines.stepping import EVERYTHING, STEP, steps
from clew.errors import InvalidInput, StoreDamaged
from clew.ids import DIGEST_LENGTH
from clew.limits import ID_MAX, LABEL_CHARS
from clew.model import STATUSES, Draft, Pointer, Source, Strength, as_json
from clew.rules import fsrs
from clew.rules.intake import checked, moment, one_line, reason_line, sound
from clew.rules.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, NamedTuple

    from clew.embed.base import Embedder
    from clew.model import Memory
    from clew.store.base import Store
else:
    from clew.model import NamedTuple

_DRAFTED = ("summary", "kind", "detail", "tags", "metadata", "pointers", "source", "valid_from", "valid_to", "ttl")
_TIMES = ("recorded_at", "updated_at", "expires_at", "ended_at", "confidence_at")
_FLAGS = ("pinned", "stale", "resting")
_SHARES = {"confidence": (0.0, 1.0), "credit": (-1.0, 1.0)}
_KEPT = ("status", "seen", "reason", *_TIMES, *_FLAGS, *_SHARES)  # fields of an exported memory that a draft does not have
_NAMED = ("digest", "successor", "strength")
_TYPES = ("memory", "link", "unlinked")
_IGNORED = ("id", "project", "origin", "type")  # this store's own to say


class Line(NamedTuple):
    """One object of an import, judged: a draft with its state, or (where `relation` is set) a link between two, `refused` or not."""

    number: int
    digest: str
    draft: tuple[Draft, tuple[str, ...]] | None = None
    state: Mapping[str, Any] = {}
    successor: str = ""
    drawn_from: tuple[str, ...] = ()
    relation: str = ""
    dst: str = ""
    at: float | None = None
    refused: bool = False


def exported(store: Store, scope: Sequence[int], now: float) -> Iterator[dict[str, Any]]:
    """Every memory of the scope that has not expired as {"type": "memory", …}, then every link between two as {"type": "link", …}, then
    those that the wording states and somebody took away as {"type": "unlinked", …}.

    What a damaged file no longer gives is left out; StoreDamaged, raised after all the rest, says what.
    """
    digests: dict[int, str] = {}
    lost: list[int] = []
    for step in _steps(store, scope, now, lost):
        digests.update((m.id, m.digest) for m in step)
        for memory in step:
            yield _shape(store, memory, digests)
    numbers = list(digests)
    parts = [numbers[i : i + STEP] for i in range(0, len(numbers), STEP)]
    links, whole = _edges(store.links_of, parts)
    refused, all_of_them = _edges(store.unlinked, parts)
    for kind, edges in (("link", links), ("unlinked", refused)):
        for src, relation, dst, *more in sorted(edges):
            if src in digests and dst in digests:
                shape = {"type": kind, "src": digests[src], "relation": relation, "dst": digests[dst]}
                yield shape | dict(zip(("at", "origin"), more, strict=False))
    whole = whole and all_of_them
    if lost or not whole:
        memories = f"up to {len(lost)} memories from #{lost[0]} to #{lost[-1]}" if lost else ""
        gone = " and ".join(filter(None, (memories, "" if whole else "some links")))
        raise StoreDamaged(f"the store is damaged: {gone} cannot be read; everything else was exported")


def _steps(store: Store, scope: Sequence[int], now: float, lost: list[int]) -> Iterator[Sequence[Memory]]:
    """All memories of the scope, some at a time; from where the file is damaged on by number, `lost` taking those that cannot be read."""
    after = 0
    try:
        for step in steps(store, scope, which=EVERYTHING._replace(now=now)):
            after = step[-1].id
            yield step
    except StoreDamaged:
        last = store.latest()
        for start in range(after + 1, last + 1, STEP):
            found = _found(store, range(start, min(start + STEP, last + 1)), lost)
            yield [m for m in found if store.owner(m.id) in scope and (m.expires_at is None or m.expires_at > now)]


def _found(store: Store, numbers: Sequence[int], lost: list[int]) -> list[Memory]:
    """Those of these memories that can be read: halved where they cannot, until one is left."""
    try:
        found = store.fetch(numbers)
        return [found[number] for number in sorted(found)]
    except StoreDamaged:
        if len(numbers) == 1:
            lost.extend(numbers)
            return []
    half = len(numbers) // 2
    return _found(store, numbers[:half], lost) + _found(store, numbers[half:], lost)


def _edges(of: Callable[[Sequence[int]], list[Any]], parts: Sequence[Sequence[int]]) -> tuple[set[Any], bool]:
    """(edges of these memories, whether all could be read)."""
    edges: set[Any] = set()
    whole = True
    for part in parts:
        try:
            edges.update(of(part))
        except StoreDamaged:
            whole = False
    return edges, whole


def _shape(store: Store, memory: Memory, digests: dict[int, str]) -> dict[str, Any]:
    others = [i for i in (memory.successor, *memory.source.drawn_from) if i is not None and i not in digests]
    known = digests | ({m.id: m.digest for m in _found(store, others, [])} if others else {})
    shape: dict[str, Any] = {"type": "memory", **as_json(memory)}
    shape["successor"] = known.get(memory.successor or 0)
    shape["source"]["drawn_from"] = [known[i] for i in memory.source.drawn_from if i in known]
    return shape


def judged(lines: Iterable[Any]) -> list[Line]:
    """Objects of an import as `imported` takes them, before anything is written. Raises InvalidInput naming line (from 1) and field."""
    if not hasattr(lines, "__iter__"):
        raise InvalidInput("lines", f"must be JSON objects, one after the other, not {type(lines).__name__}")
    kept = []
    for number, line in enumerate(lines, 1):
        if not hasattr(line, "get") or not hasattr(line, "keys"):
            raise InvalidInput(f"line {number}", f"must be a JSON object, not {type(line).__name__}")
        try:
            kept.append(_judged(number, line))
        except InvalidInput as error:
            raise InvalidInput(f"line {number}, {error.field}", error.problem) from None
    return kept


def _judged(number: int, line: Mapping[str, Any]) -> Line:
    kind = line.get("type", "memory")
    if kind not in _TYPES:
        raise InvalidInput("type", f"must be one of {', '.join(_TYPES)}")
    return _memory(number, line) if kind == "memory" else _link(number, line, refused=kind == "unlinked")


def imported(store: Store, embedder: Embedder | None, lines: Sequence[Line], project: int, *, origin: str, now: float) -> dict[str, int]:
    """Take memories and links into a project, all or none: {"new": …, "known": …, "links": …}; links that were refused are kept away.

    Exported objects come back with their times, status, strength and successor; a plain object needs a `summary` only. What the store
    knows already is seen once more and keeps its state. Raises InvalidInput naming the line for successors that run in a circle.
    """
    told = [(line, line.draft) for line in lines if line.draft is not None]
    made = lifecycle.drafted(store, [draft for _, (draft, _) in told], project, origin=origin, now=now)
    memories = [_restored(m, line.state) for m, (line, _) in zip(made, told, strict=True)]
    vectors = meanings(memories, embedder)
    with store.transaction():
        sign(store, embedder)
        kept = lifecycle.keep(store, memories, vectors, project, now=now, revive=False)
        names = {line.digest or m.digest: m.id for (m, _), (line, _) in zip(kept, told, strict=True)}
        for (memory, created), (line, _) in zip(kept, told, strict=True):
            if created:
                _name_others(store, names, store.fetch([memory.id])[memory.id], line, project)
        links = sum(_linked(store, names, line, origin=origin, now=now) for line in lines if line.relation)
    new = sum(created for _, created in kept)
    return {"new": new, "known": len(kept) - new, "links": links}


def _name_others(store: Store, names: Mapping[str, int], memory: Memory, line: Line, project: int) -> None:
    """Give a new memory the numbers here of its successor and of what it was drawn from."""
    successor = _number(store, names, line.successor)
    drawn = tuple(i for i in (_number(store, names, d) for d in line.drawn_from) if i is not None)
    if successor is not None and (successor == memory.id or memory.id in leaving.successors(store, store.fetch([successor])[successor])):
        raise InvalidInput(f"line {line.number}, successor", "the memories that follow one another run in a circle")
    if successor is not None or drawn:
        store.save(memory._replace(successor=successor, source=memory.source._replace(drawn_from=drawn)), project)


def _linked(store: Store, names: Mapping[str, int], line: Line, *, origin: str, now: float) -> bool:
    src, dst = _number(store, names, line.digest), _number(store, names, line.dst)
    if src is None or dst is None or src == dst:
        return False
    if line.refused:
        store.refuse_link(src, line.relation, dst)
        return False
    return store.add_link(src, line.relation, dst, at=now if line.at is None else line.at, origin=origin)


def _number(store: Store, names: Mapping[str, int], digest: str) -> int | None:
    if len(digest) != DIGEST_LENGTH:
        return names.get(digest)
    return names[digest] if digest in names else next(iter(store.find_digest(digest)), None)


def _memory(number: int, line: Mapping[str, Any]) -> Line:
    unknown = sorted(str(key) for key in set(line) - {*_DRAFTED, *_KEPT, *_NAMED, *_IGNORED})
    if unknown:
        raise InvalidInput(unknown[0][:60], f"is not a field of a memory; known: {', '.join((*_DRAFTED, *_KEPT, *_NAMED))}")
    if line.get("summary") is None:
        raise InvalidInput("summary", "is missing")
    given = {f: line[f] for f in _DRAFTED if line.get(f) is not None}
    for field, kind in (("tags", list), ("pointers", list), ("source", dict), ("metadata", dict)):
        if not isinstance(given.get(field, kind()), kind):
            raise InvalidInput(field, f"must be {'a list' if kind is list else 'an object'}")
    source = dict(given.pop("source", {}))
    drawn = source.pop("drawn_from", None) or []
    if not isinstance(drawn, list | tuple):
        raise InvalidInput("source.drawn_from", "must be a list of digests")
    pointers = tuple(_part(Pointer, p, "pointers") for p in given.pop("pointers", ()))
    draft = Draft(**{**given, "pointers": pointers, "source": _part(Source, source, "source")})
    return Line(number, _digest(line, "digest"), checked(draft), _state(line), _digest(line, "successor"), tuple(map(str, drawn)))


def _link(number: int, line: Mapping[str, Any], *, refused: bool) -> Line:
    src, dst, relation = _digest(line, "src"), _digest(line, "dst"), line.get("relation")
    word = redact(one_line(sound(relation, "relation"))).text
    if not word or len(word) > LABEL_CHARS:
        raise InvalidInput("relation", f"must be a word of at most {LABEL_CHARS} characters")
    if not src or not dst:
        raise InvalidInput("dst" if src else "src", "must be the digest of a memory")
    return Line(number, src, relation=word, dst=dst, at=moment(line.get("at"), "at"), refused=refused)


def _digest(line: Mapping[str, Any], field: str) -> str:
    value = line.get(field)
    return "" if value is None else sound(value, field).lower()


def _part(kind: Any, given: Any, field: str) -> Any:
    if not isinstance(given, dict) or set(given) - set(kind._fields) or (kind is Pointer and "path" not in given):
        raise InvalidInput(field, f"must be an object with {', '.join(kind._fields)}")
    return kind(**given)


def _state(line: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `_KEPT` and the strength that a line gives, judged."""
    given = {f: line[f] for f in _KEPT if line.get(f) is not None}
    if given.get("status", "active") not in STATUSES:
        raise InvalidInput("status", f"is not one of {', '.join(STATUSES)}")
    for field in _TIMES:
        if field in given:
            given[field] = moment(given[field], field)
    for field in _FLAGS:
        if not isinstance(given.get(field, False), bool):
            raise InvalidInput(field, "must be true or false")
    for field, (low, high) in _SHARES.items():
        if field in given:
            given[field] = _number_within(given[field], field, low, high)
    if "seen" in given:
        given["seen"] = int(_number_within(given["seen"], "seen", 1, ID_MAX))
    if "reason" in given:
        given["reason"] = reason_line(given["reason"])[0]
    if line.get("strength") is not None:
        given["strength"] = _strength(line["strength"])
    return given


def _number_within(value: Any, field: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise InvalidInput(field, f"must be a number within {low:g}..{high:g}")
    return value


def _strength(given: Any) -> Strength:
    if not isinstance(given, dict) or set(given) != set(Strength._fields):
        raise InvalidInput("strength", f"must be an object with {', '.join(Strength._fields)}")
    return Strength(
        stability=float(_number_within(given["stability"], "strength.stability", 1e-3, 1e12)),
        difficulty=float(_number_within(given["difficulty"], "strength.difficulty", 1, 10)),
        last_use=moment(given["last_use"], "strength.last_use") or 0.0,
        uses=int(_number_within(given["uses"], "strength.uses", 0, ID_MAX)),
        lapses=int(_number_within(given["lapses"], "strength.lapses", 0, ID_MAX)),
    )


def _restored(memory: Memory, state: Mapping[str, Any]) -> Memory:
    kept = memory._replace(**state)
    return kept if "strength" in state else kept._replace(strength=fsrs.opening(memory.kind, kept.recorded_at))
