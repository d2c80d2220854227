"""Takes secrets and `<private>` spans out of text before it is stored.

All formats look at the original text; overlapping finds are replaced as one, named by the first of the table. A find
that touches a marker of an earlier redaction is part of what that redaction already judged, so redacting twice changes nothing.
"""

from __future__ import annotations

from clew.rules.secrets import FORMATS, Format, compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

PRIVATE = "private"
NAMES: tuple[str, ...] = (PRIVATE, *(f.name for f in FORMATS))

_EXACT: dict[str, list[tuple[str, int]]] = {}  # literals by a character of theirs, which most texts do without
for _rank, _format in enumerate(FORMATS, 1):
    for _literal in () if _format.fold else _format.literals:
        _sign = "_" if "_" in _literal else "-" if "-" in _literal and not _literal[0].isupper() else _literal[0]
        _EXACT.setdefault(_sign, []).append((_literal, _rank))
_FOLDED = tuple((literal, rank) for rank, f in enumerate(FORMATS, 1) if f.fold for literal in f.literals)
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}  # keeps every offset, which str.lower does not
_BLOCKS = tuple(
    (lead, f.pattern) for lead, name in (("-----BEGIN ", "private-key"), ("Private-Lines:", "putty-key")) for f in FORMATS if f.name == name
)
_MARKERS = frozenset(f"‹redacted:{name}›" for name in NAMES)
_MARKER_CHARS = max(map(len, _MARKERS))


class Redacted(NamedTuple):
    """The text fit to be stored, and the names of what was taken out, each once, in order of first appearance."""

    text: str
    found: tuple[str, ...]


def redact(text: str) -> Redacted:
    """`text` with every secret replaced by `‹redacted:NAME›` and every `<private>` span by `‹redacted:private›`.

    Idempotent, linear in the text, and the very same string where there is nothing to hide.
    """
    if not text:
        return Redacted(text, ())
    folded = _folded(text)
    ranks = {rank for sign, literals in _EXACT.items() if sign in text for literal, rank in literals if literal in text}
    ranks.update(rank for literal, rank in _FOLDED if literal in folded)
    spans = [span for rank in ranks for span in _secrets(text, folded, rank)]
    if "<private" in folded:
        spans.extend((start, end, 0) for start, end in _private_spans(folded))
    if not spans:
        return Redacted(text, ())
    spans = _merged(spans)
    return Redacted(_replaced(text, spans), tuple(dict.fromkeys(NAMES[rank] for _, _, rank in spans)))


def outside(text: str, at: int) -> int:
    """Where the end of a text may begin, `at` or later: behind the `<private>` span or the lines of a key that would be halved there.

    The rest of such a one is not known for what it is. What is shorter than a line is no concern of this.
    """
    if ("<p" in text or "<P" in text) and "<private" in (folded := _folded(text)):
        at = next((end for start, end in _private_spans(folded) if start < at < end), at)
    for lead, pattern in _BLOCKS:
        begun = text.rfind(lead, 0, at + len(lead) - 1)
        if begun >= 0 and (found := compiled(pattern).match(text, begun)):
            at = max(at, found.end())
    return at


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_LOWER)


def _secrets(text: str, folded: str, rank: int) -> Iterator[tuple[int, int, int]]:
    """The (start, end, rank) of every secret of one format."""
    form: Format = FORMATS[rank - 1]
    for match in compiled(form.pattern).finditer(folded if form.fold else text):
        start, end = match.span(match.lastindex or 0)
        if form.check and not form.check(text[match.start() : start], text[start:end]):
            continue
        if not _touches_marker(text, match.start(), match.end()):
            yield start, end, rank


def _touches_marker(text: str, start: int, end: int) -> bool:
    """Whether a marker ends at `start` or begins at `end`: the boundary seen there is not the original text's."""
    if start and text[start - 1] == "›":
        opened = text.rfind("‹", max(0, start - _MARKER_CHARS), start)
        if opened >= 0 and text[opened:start] in _MARKERS:
            return True
    return text.startswith("‹", end) and text[end : text.find("›", end, end + _MARKER_CHARS) + 1] in _MARKERS


def _private_spans(folded: str) -> Iterator[tuple[int, int]]:
    """The (start, end) of each outermost `<private>` span; an unclosed one runs to the end of the text."""
    depth = opened = 0
    for tag in compiled(r"<(/?)private(?:\s[^<>‹›]{0,200})?>").finditer(folded):
        if not tag[1]:
            opened = opened if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield opened, tag.end()
    if depth:
        yield opened, len(folded)


def _merged(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Overlapping spans joined, in order; the lowest rank of those joined names the whole."""
    joined: list[tuple[int, int, int]] = []
    for start, end, rank in sorted(spans):
        if joined and start < joined[-1][1]:
            before, until, first = joined[-1]
            joined[-1] = (before, max(until, end), min(first, rank))
        else:
            joined.append((start, end, rank))
    return joined


def _replaced(text: str, spans: list[tuple[int, int, int]]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, rank in spans:
        parts += (text[at:start], f"‹redacted:{NAMES[rank]}›")
        at = end
    return "".join(parts) + text[at:]
