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
    from collections.abc import Callable, Mapping
    from typing import Any

    from clew.model import Scalar

_ESCAPE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])"
)  # ECMA-48 CSI, OSC and two-character sequences
_BREAK = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")  # C0, C1, and the marks that reorder what follows


def checked(draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """(the draft fit to be stored, names of the secret formats taken out of it).

    A summary of several lines, or too long a one, without a detail is split: its first line stays, the rest becomes the detail.
    Raises InvalidInput naming the field, the limit and the way out; nothing is changed in place.
    """
    found: dict[str, None] = {}

    def clean(text: Any, field: str) -> str:
        kept, names = redact(sound(text, field))
        found.update(dict.fromkeys(names))
        return kept

    summary, detail = _split(clean(draft.summary, "summary"), clean(draft.detail, "detail"))
    if len((summary + detail).encode()) > limits.TEXT_BYTES:
        size = len((summary + detail).encode())
        raise InvalidInput(
            "text", f"{size:,} bytes; one memory holds at most {limits.TEXT_BYTES:,}: keep the file and point at it, or cut it up"
        )
    if draft.kind not in KINDS:
        raise InvalidInput("kind", f"'{str(draft.kind)[:40]}' is not one of {', '.join(KINDS)}")
    kept = draft._replace(
        summary=summary,
        detail=detail,
        tags=_tags(draft.tags, clean),
        metadata=_metadata(draft.metadata, clean),
        pointers=_pointers(draft.pointers, clean),
        source=_source(draft.source, clean),
        pinned=bool(draft.pinned),
    )
    _times(kept)
    return kept, tuple(found)


def sound(text: Any, field: str) -> str:
    """`text` as it is, or InvalidInput for what cannot be stored as UTF-8 text: another type, a NUL, a lone surrogate."""
    if not isinstance(text, str):
        raise InvalidInput(field, f"must be text, not {type(text).__name__}")
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
    return _CONTROL.sub("", _BREAK.sub(" ", _ESCAPE.sub("", text))).strip()


def reason_line(text: str) -> tuple[str, tuple[str, ...]]:
    """A reason as one redacted line, and what was taken out. Raises InvalidInput over limits.REASON_CHARS."""
    kept, found = redact(sound(text, "reason"))
    if len(kept) > limits.REASON_CHARS:
        raise InvalidInput("reason", f"{len(kept):,} characters; the limit is {limits.REASON_CHARS:,}")
    return one_line(kept), found


def _split(summary: str, detail: str) -> tuple[str, str]:
    lines = [line for line in (one_line(part) for part in summary.splitlines()) if line]
    if not lines or not re.sub(r"‹redacted:private›", "", "".join(lines)).strip():
        raise InvalidInput(
            "summary", "is empty" + (" once what is private was taken out" if lines else "; say in one line what is to be remembered")
        )
    if not detail.strip() and (len(lines) > 1 or len(lines[0]) > limits.SUMMARY_CHARS):
        whole = summary.strip()
        if len(lines[0]) <= limits.SUMMARY_CHARS:
            return lines[0], whole.partition("\n")[2].strip("\r\n")
        return lines[0][: limits.SUMMARY_CHARS - 1].rpartition(" ")[0][: limits.SUMMARY_CHARS - 1] + "…", whole
    line = " ".join(lines)
    if len(line) > limits.SUMMARY_CHARS:
        raise InvalidInput("summary", f"{len(line):,} characters; the limit is {limits.SUMMARY_CHARS:,}: put the rest into the detail")
    return line, detail


def _tags(tags: Any, clean: Callable[[Any, str], str]) -> tuple[str, ...]:
    if isinstance(tags, str):
        raise InvalidInput("tags", f"must be a list of words, not one text; write [{tags[:40]!r}]")
    kept = dict.fromkeys(tag for tag in (one_line(clean(t, "tags")) for t in tags) if tag)
    if len(kept) > limits.TAGS:
        raise InvalidInput("tags", f"{len(kept)} tags; the limit is {limits.TAGS}")
    for tag in kept:
        if len(tag) > limits.TAG_CHARS:
            raise InvalidInput("tags", f"'{tag[:40]}…' has {len(tag)} characters; the limit is {limits.TAG_CHARS}")
    return tuple(kept)


def _metadata(metadata: Any, clean: Callable[[Any, str], str]) -> Mapping[str, Scalar]:
    if not hasattr(metadata, "items"):
        raise InvalidInput("metadata", f"must be a flat object of names and values, not {type(metadata).__name__}")
    if len(metadata) > limits.METADATA_KEYS:
        raise InvalidInput("metadata", f"{len(metadata)} names; the limit is {limits.METADATA_KEYS}")
    kept: dict[str, Scalar] = {}
    for key, value in metadata.items():
        name = one_line(clean(key, "metadata"))
        if not name:
            raise InvalidInput("metadata", "a name is empty")
        kept[name] = _scalar(name, value, clean)
    if (size := len(json.dumps(kept))) > limits.METADATA_BYTES:
        raise InvalidInput("metadata", f"{size:,} bytes as JSON; the limit is {limits.METADATA_BYTES:,}")
    return kept


def _scalar(name: str, value: Any, clean: Callable[[Any, str], str]) -> Scalar:
    field = f"metadata.{name[:60]}"
    if isinstance(value, str):
        return clean(value, field)
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) <= limits.ID_MAX:
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, int | float):
        raise InvalidInput(field, f"{str(value)[:40]} is not a number every client keeps; the limit is ±{limits.ID_MAX}")
    raise InvalidInput(field, f"must be a string, a number or a bool, not {type(value).__name__}; metadata is flat")


def _pointers(pointers: Any, clean: Callable[[Any, str], str]) -> tuple[Pointer, ...]:
    if len(pointers) > limits.POINTERS:
        raise InvalidInput("pointers", f"{len(pointers)} pointers; the limit is {limits.POINTERS}")
    kept = []
    for pointer in pointers:
        path = one_line(clean(pointer.path, "pointers.path")).replace("\\", "/")
        if not path:
            raise InvalidInput("pointers.path", "is empty")
        if pointer.line is not None and (not isinstance(pointer.line, int) or pointer.line < 1):
            raise InvalidInput("pointers.line", f"{pointer.line!r} is no line number; lines count from 1")
        symbol = None if pointer.symbol is None else one_line(clean(pointer.symbol, "pointers.symbol"))
        kept.append(Pointer(path, symbol, pointer.line, pointer.hash))
    return tuple(dict.fromkeys(kept))


def _source(source: Source, clean: Callable[[Any, str], str]) -> Source:
    file, commit, session = (
        None if v is None else one_line(clean(v, f"source.{f}")) for f, v in zip(source._fields[:3], source[:3], strict=True)
    )
    return Source(file, commit, session, source.turn, tuple(source.drawn_from))


def _times(draft: Draft) -> None:
    for field, value in (("valid_from", draft.valid_from), ("valid_to", draft.valid_to), ("ttl", draft.ttl)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value)):
            raise InvalidInput(field, f"{value!r} is no number of seconds")
    if draft.ttl is not None and draft.ttl <= 0:
        raise InvalidInput("ttl", f"{draft.ttl:g} seconds; must be above 0 (leave it out to keep the memory for good)")
    if draft.valid_from is not None and draft.valid_to is not None and draft.valid_to <= draft.valid_from:
        raise InvalidInput("valid_to", "must lie after valid_from")
