"""A memory as a row and back: one column table, shared by the dialects."""

from __future__ import annotations

import json

from clew.errors import StoreDamaged
from clew.model import Memory, Pointer, Source, Strength

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Stored columns in order; `id` leads and the project's name closes a row that is read.
COLUMNS = (
    "digest project kind status summary detail tags metadata origin source session turn pointers recorded_at updated_at seen "
    "stability difficulty last_use uses lapses pinned valid_from valid_to expires_at ended_at successor reason stale "
    "confidence credit confidence_at resting"
).split()


def to_row(memory: Memory, project: int) -> tuple[Any, ...]:
    """The values of COLUMNS for this memory."""
    m, s, f = memory, memory.source, memory.strength
    source = {k: v for k, v in (("file", s.file), ("commit", s.commit), ("drawn_from", list(s.drawn_from))) if v}
    return (
        *(m.digest, project, m.kind, m.status, m.summary, m.detail, _text(list(m.tags)), _text(dict(m.metadata)), m.origin),
        *(_text(source), s.session, s.turn, _text([list(p) for p in m.pointers]), m.recorded_at, m.updated_at, m.seen),
        *(f.stability, f.difficulty, f.last_use, f.uses, f.lapses, int(m.pinned), m.valid_from, m.valid_to, m.expires_at),
        *(m.ended_at, m.successor, m.reason, int(m.stale), m.confidence, m.credit, m.confidence_at, int(m.resting)),
    )


def from_row(row: Sequence[Any]) -> Memory:
    """A memory from (id, *COLUMNS, project name). Raises StoreDamaged for a row that cannot have been written so."""
    try:
        return _from_row(row)
    except (ValueError, TypeError, AttributeError) as error:
        raise StoreDamaged(f"memory #{row[0]} is damaged in the store ({error}); `clew forget {row[0]}` removes it") from error


def _from_row(row: Sequence[Any]) -> Memory:
    (id_, digest, _, kind, status, summary, detail, tags, metadata, origin, source, session, turn, pointers, recorded, updated, seen) = row[
        :17
    ]
    (stability, difficulty, last_use, uses, lapses, pinned, valid_from, valid_to, expires, ended, successor, reason, stale) = row[17:30]
    confidence, credit, confidence_at, resting, project = row[30:]
    parts = json.loads(source) if source != "{}" else {}
    return Memory(
        id=id_,
        digest=digest,
        project=project,
        kind=kind,
        status=status,
        summary=summary,
        detail=detail,
        tags=tuple(json.loads(tags)) if tags != "[]" else (),
        metadata=json.loads(metadata) if metadata != "{}" else {},
        origin=origin,
        source=Source(parts.get("file"), parts.get("commit"), session, turn, tuple(parts.get("drawn_from", ()))),
        pointers=tuple(Pointer(*p) for p in json.loads(pointers)) if pointers != "[]" else (),
        recorded_at=recorded,
        updated_at=updated,
        seen=seen,
        strength=Strength(stability, difficulty, last_use, uses, lapses),
        pinned=bool(pinned),
        valid_from=valid_from,
        valid_to=valid_to,
        expires_at=expires,
        ended_at=ended,
        successor=successor,
        reason=reason,
        stale=bool(stale),
        confidence=confidence,
        credit=credit,
        confidence_at=confidence_at,
        resting=bool(resting),
    )


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ("[]" if isinstance(value, list) else "{}")
