"""What a draft must be before it is kept: redacted, checked against every limit, one-line fields made one line."""

from __future__ import annotations

import json
import re
from math import isfinite

from clew import limits
from clew.errors import InvalidInput
from clew.model import KINDS, Draft, Pointer, Source
from clew.rules.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from clew.model import Scalar

    class Clean(Protocol):
        """Redacts one text, makes it one line where asked to, and remembers what it took out."""

        def __call__(self, text: Any, field: str, line: bool = False) -> str: ...


_ESCAPE = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])"  # ECMA-48 CSI, OSC and two-character sequences
_BREAK = r"[\t\n\v\f\r\x85\u2028\u2029]+"
_CONTROL = r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]"  # C0, C1, and the marks that reorder what follows
_FARTHEST = 1e12  # seconds from 1970 that a time may lie: what every client's date still shows


def checked(draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """(the draft fit to be stored, names of the secret formats taken out of it).

    A summary of several lines, or too long a one, without a detail is split: its first line stays, the rest becomes the detail.
    Raises InvalidInput naming the field, the limit and the way out; nothing is changed in place.
    """
    found: dict[str, None] = {}

    def clean(text: Any, field: str, line: bool = False) -> str:
        kept, names = _cleaned(text, field, line)
        found.update(dict.fromkeys(names))
        return kept

    summary, detail = _split(clean(draft.summary, "summary"), clean(draft.detail, "detail"))
    if summary != draft.summary:
        summary = clean(summary, "summary", True)  # what escapes or line breaks kept apart stands together now
    if (size := len(summary.encode()) + len(detail.encode())) > limits.TEXT_BYTES:
        raise _too_long("text", size)
    if draft.kind not in KINDS:
        raise InvalidInput("kind", f"'{str(draft.kind)[:40]}' is not one of {', '.join(KINDS)}")
    kept = draft._replace(
        summary=summary,
        detail=detail,
        tags=_tags(draft.tags, clean),
        metadata=_metadata(draft.metadata, clean),
        pointers=_pointers(draft.pointers, clean),
        source=_source(draft.source, clean),
        valid_from=moment(draft.valid_from, "valid_from"),
        valid_to=moment(draft.valid_to, "valid_to"),
        ttl=moment(draft.ttl, "ttl"),
        pinned=bool(draft.pinned),
    )
    _ordered(kept)
    return kept, tuple(found)


def sound(text: Any, field: str) -> str:
    """`text` as it is, or InvalidInput for what cannot be stored as UTF-8 text: another type, a NUL, a lone surrogate, too much."""
    if not isinstance(text, str):
        raise InvalidInput(field, f"must be text, not {type(text).__name__}")
    if len(text) > limits.TEXT_BYTES:  # before anything walks over it
        raise _too_long(field, len(text))
    if "\0" in text:
        raise InvalidInput(field, "holds a NUL byte; is this a binary file?")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            field, f"character {error.start + 1} is half of a surrogate pair, which is no text; decode the input as UTF-8"
        ) from None
    return text


def one_line(text: str) -> str:
    """`text` without ANSI escapes and control characters, line breaks as spaces, ends trimmed: it cannot forge a line of a pack."""
    if text.isprintable():  # nothing that the patterns look for is
        return text.strip()
    return re.sub(_CONTROL, "", re.sub(_BREAK, " ", re.sub(_ESCAPE, "", text))).strip()


def reason_line(text: str) -> tuple[str, tuple[str, ...]]:
    """A reason as one redacted line, and what was taken out. Raises InvalidInput over limits.REASON_CHARS."""
    kept, found = _cleaned(text, "reason", True)
    if len(kept) > limits.REASON_CHARS:
        raise InvalidInput("reason", f"{len(kept):,} characters; the limit is {limits.REASON_CHARS:,}")
    return kept, found


def moment(value: Any, field: str) -> float | None:
    """Seconds as a float, None as it is. Raises InvalidInput for what is no number or lies beyond any date."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(field, f"must be a number of seconds, not {type(value).__name__}")
    if not -_FARTHEST <= value <= _FARTHEST:
        raise InvalidInput(field, f"is no time; seconds lie within ±{_FARTHEST:g}")
    return float(value)


def whole(value: Any, field: str, most: int | None = None) -> int:
    """`value` as it is, a whole number from 1 to `most`, or from 1 on. Raises InvalidInput naming `field`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1 or (most is not None and value > most):
        raise InvalidInput(field, f"must be a whole number from 1 {f'to {most:,}' if most else 'on'}")
    return value


def _cleaned(text: Any, field: str, line: bool) -> tuple[str, tuple[str, ...]]:
    """Redacted text; as one line redacted twice, since an escape or a line break can keep the halves of a secret apart."""
    kept, found = redact(sound(text, field))
    if not line:
        return kept, found
    folded = one_line(kept)
    if folded == kept:
        return kept, found
    again = redact(folded)
    return again.text, (*found, *again.found)


def _too_long(field: str, size: int) -> InvalidInput:
    return InvalidInput(
        field, f"{size:,} bytes; one memory holds at most {limits.TEXT_BYTES:,}: keep the file and point at it, or cut it up"
    )


def _split(summary: str, detail: str) -> tuple[str, str]:
    lines = [line for line in (one_line(part) for part in summary.splitlines()) if line]
    if not lines or not "".join(lines).replace("‹redacted:private›", "").strip():
        raise InvalidInput(
            "summary", "is empty" + (" once what is private was taken out" if lines else "; say in one line what is to be remembered")
        )
    if not detail.strip() and (len(lines) > 1 or len(lines[0]) > limits.SUMMARY_CHARS):
        if len(lines[0]) <= limits.SUMMARY_CHARS:
            return lines[0], _below_first(summary)
        short = lines[0][: limits.SUMMARY_CHARS - 1]
        return (short.rpartition(" ")[0] or short) + "…", summary.strip()
    line = " ".join(lines)
    if len(line) > limits.SUMMARY_CHARS:
        raise InvalidInput("summary", f"{len(line):,} characters; the limit is {limits.SUMMARY_CHARS:,}: put the rest into the detail")
    return line, detail


def _below_first(text: str) -> str:
    """What stands below the first line that says something, its own line breaks kept."""
    parts = text.splitlines(keepends=True)
    first = next(i for i, part in enumerate(parts) if one_line(part))
    return "".join(parts[first + 1 :]).strip("\r\n")


def _tags(tags: Any, clean: Clean) -> tuple[str, ...]:
    if isinstance(tags, str):
        raise InvalidInput("tags", f"must be a list of words, not one text; write [{tags[:40]!r}]")
    given = _listed(tags, "tags", "words")
    if len(given) > limits.TAGS:
        raise InvalidInput("tags", f"{len(given)} tags; the limit is {limits.TAGS}")
    kept = dict.fromkeys(tag for tag in (clean(t, "tags", True) for t in given) if tag)
    for tag in kept:
        if len(tag) > limits.TAG_CHARS:
            raise InvalidInput("tags", f"'{tag[:40]}…' has {len(tag)} characters; the limit is {limits.TAG_CHARS}")
    return tuple(kept)


def _listed(value: Any, field: str, of: str) -> list[Any]:
    try:
        return list(dict.fromkeys(value))
    except TypeError:
        raise InvalidInput(field, f"must be a list of {of}, not {type(value).__name__}") from None


def _metadata(metadata: Any, clean: Clean) -> Mapping[str, Scalar]:
    if not hasattr(metadata, "items"):
        raise InvalidInput("metadata", f"must be a flat object of names and values, not {type(metadata).__name__}")
    if len(metadata) > limits.METADATA_KEYS:
        raise InvalidInput("metadata", f"{len(metadata)} names; the limit is {limits.METADATA_KEYS}")
    kept: dict[str, Scalar] = {}
    for key, value in metadata.items():
        name = clean(key, "metadata", True)
        if not name or name in kept:
            raise InvalidInput("metadata", f"two names are '{name[:40]}' once cleaned" if name else "a name is empty")
        kept[name] = _scalar(name, value, clean)
    if (size := len(json.dumps(kept))) > limits.METADATA_BYTES:
        raise InvalidInput("metadata", f"{size:,} bytes as JSON; the limit is {limits.METADATA_BYTES:,}")
    return kept


def _scalar(name: str, value: Any, clean: Clean) -> Scalar:
    field = f"metadata.{name[:60]}"
    if isinstance(value, str):
        plain = clean(value, field)
        # A name such as `password` makes a secret of what would be a word elsewhere.
        label = f"{name}: "
        named = clean(label + plain, field)
        return named.removeprefix(label) if named.startswith(label) else plain
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) <= limits.ID_MAX):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, int | float):
        raise InvalidInput(field, f"is not a number every client keeps; the limit is ±{limits.ID_MAX}")
    raise InvalidInput(field, f"must be a string, a number or a bool, not {type(value).__name__}; metadata is flat")


def _pointers(pointers: Any, clean: Clean) -> tuple[Pointer, ...]:
    given = _listed(pointers, "pointers", "pointers")
    if len(given) > limits.POINTERS:
        raise InvalidInput("pointers", f"{len(given)} pointers; the limit is {limits.POINTERS}")
    kept = []
    for pointer in given:
        if not isinstance(pointer, Pointer):
            raise InvalidInput("pointers", f"must be a list of Pointer, not of {type(pointer).__name__}")
        path = clean(pointer.path, "pointers.path", True).replace("\\", "/")
        if not path:
            raise InvalidInput("pointers.path", "is empty")
        symbol, file_hash = (
            None if v is None else clean(v, f"pointers.{f}", True) for f, v in (("symbol", pointer.symbol), ("hash", pointer.hash))
        )
        kept.append(Pointer(path, symbol, _count(pointer.line, "pointers.line", 1), file_hash))
    return tuple(dict.fromkeys(kept))


def _source(source: Any, clean: Clean) -> Source:
    if not isinstance(source, Source):
        raise InvalidInput("source", f"must be a Source, not {type(source).__name__}")
    file, commit, session = (
        None if v is None else clean(v, f"source.{f}", True) for f, v in zip(source._fields[:3], source[:3], strict=True)
    )
    drawn = [_count(i, "source.drawn_from", 1) for i in _listed(source.drawn_from, "source.drawn_from", "memory numbers")]
    return Source(file, commit, session, _count(source.turn, "source.turn", 0), tuple(i for i in drawn if i is not None))


def _count(value: Any, field: str, least: int) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not least <= value <= limits.ID_MAX):
        raise InvalidInput(field, f"must be a whole number from {least} on")
    return value


def _ordered(draft: Draft) -> None:
    if draft.ttl is not None and draft.ttl <= 0:
        raise InvalidInput("ttl", f"{draft.ttl:g} seconds; must be above 0 (leave it out to keep the memory for good)")
    if draft.valid_from is not None and draft.valid_to is not None and draft.valid_to <= draft.valid_from:
        raise InvalidInput("valid_to", "must lie after valid_from")
