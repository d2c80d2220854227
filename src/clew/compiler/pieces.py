"""Where a text may be cut: at paragraphs, sentences or lines, never inside a fence, a table row or a grapheme.

Pieces are spans [start, end) in characters that follow one another without a gap, so that all of them together are the text again.
"""

from __future__ import annotations

from unicodedata import category

from clew.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from clew.compiler.values import Chunk

_CLUSTER = 64  # characters back from a cut in which the beginning of a grapheme is looked for
_FLAGS = 512  # flags in a row that are counted to tell which two belong together
_ZWJ = "\u200d"
_FENCE = r"(?m)^[ \t]{0,3}(`{3,}|~{3,})([^\n]*)(?:\n|\Z)"
_BLANK = r"\n(?:[ \t\r]*\n)+"
_SENTENCE = r"[.!?…][\"'”’)\]]*[ \t\r\n]+|[。！？][”’」』）]*|\n(?=[ \t]*(?:[-*+|>#]|\d+[.)])[ \t])"
_ROW = r"(?m)^[ \t]*\|[^\n]*(?:\n|\Z)"
_NEWLINE = r"\n"
_SPACE = r"[ \t]+|(?<=[,;])"


def cut(text: str, chunk: Chunk, *, code: bool = False) -> list[tuple[int, int]]:
    """The pieces of a text: paragraphs (or what `chunk.boundary` says), those above `chunk.max_bytes` cut further; a fence stays whole.

    `code` has no sentences, and what stands in it is no fence.
    """
    if not text:
        return []
    spans = [(0, len(text), False)] if code else list(_blocks(text))
    found: list[tuple[int, int]] = []
    for start, end, atomic in spans:
        found += [(start, end)] if atomic else _cut(text, (start, end), chunk, code)
    return found


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """(start, end, atomic): fenced blocks and what lies between them; an open fence reaches to the end."""
    at, opened = 0, None
    for mark in compiled(_FENCE).finditer(text) if "```" in text or "~~~" in text else ():
        if opened is None:
            if mark[1][0] == "`" and "`" in mark[2]:
                continue  # a code span that begins a line
            if mark.start() > at:
                yield at, mark.start(), False
            at, opened = mark.start(), mark[1]
        elif mark[1].startswith(opened) and not mark[2].strip():
            yield at, mark.end(), True
            at, opened = mark.end(), None
    if at < len(text):
        yield at, len(text), opened is not None


def _cut(text: str, span: tuple[int, int], chunk: Chunk, code: bool) -> list[tuple[int, int]]:
    finer = (_BLANK, _NEWLINE, _SENTENCE) if chunk.boundary == "line" else (_BLANK, _SENTENCE, _NEWLINE)
    first = 0 if chunk.boundary == "paragraph" else 1
    spans = [span]
    for level, pattern in enumerate(finer):
        if code and pattern == _SENTENCE:
            continue
        always = level <= first
        spans = [part for piece in spans for part in ([piece] if not always and _fits(text, piece, chunk) else _at(text, piece, pattern))]
        if level == first == 0 and not code:
            spans = _headed(text, spans)
    return [part for piece in spans for part in ([piece] if _fits(text, piece, chunk) else _hard(text, piece, chunk))]


def _headed(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """A heading stays with the paragraph under it."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        over = found[-1] if found else (0, 0)
        if found and text.startswith("#", over[0]) and "\n" not in text[over[0] : over[1]].rstrip():
            found[-1] = (over[0], end)
        else:
            found.append((start, end))
    return found


def _fits(text: str, span: tuple[int, int], chunk: Chunk) -> bool:
    size = span[1] - span[0]
    if size * 4 <= chunk.max_bytes or size > chunk.max_bytes:
        return size * 4 <= chunk.max_bytes
    return len(text[span[0] : span[1]].encode()) <= chunk.max_bytes


def _at(text: str, span: tuple[int, int], pattern: str) -> list[tuple[int, int]]:
    """The span cut behind every match of the pattern; sentences are not looked for inside a table row."""
    start, end = span
    if pattern == _SENTENCE and "|" in text[start:end]:
        rows = [(row.start(), row.end()) for row in compiled(_ROW).finditer(text, start, end)]
        if rows:
            return [part for piece, row in _around(span, rows) for part in ([piece] if row else _at_all(text, piece, pattern))]
    return _at_all(text, span, pattern)


def _at_all(text: str, span: tuple[int, int], pattern: str) -> list[tuple[int, int]]:
    start, end = span
    found = []
    for match in compiled(pattern).finditer(text, start, end):
        if start < match.end() < end:
            found.append((start, match.end()))
            start = match.end()
    return [*found, (start, end)]


def _around(span: tuple[int, int], rows: list[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], bool]]:
    """The rows and what lies between them, each with whether it is a row."""
    at = span[0]
    for row in rows:
        if at < row[0]:
            yield (at, row[0]), False
        yield row, True
        at = row[1]
    if at < span[1]:
        yield (at, span[1]), False


def _hard(text: str, span: tuple[int, int], chunk: Chunk) -> Iterator[tuple[int, int]]:
    """One long line: cut at a space near the end of each part, else between two graphemes. A table row is not cut."""
    start, end = span
    if compiled(_ROW).match(text, start, end):
        yield span
        return
    width = chunk.max_bytes if text.isascii() else chunk.max_bytes // 4
    while end - start > width:
        stop = grapheme_edge(text, start + width, start)
        spaces = [m.end() for m in compiled(_SPACE).finditer(text, max(start + 1, stop - width // 4), stop)]
        if spaces:
            stop = grapheme_edge(text, spaces[-1], start)
        yield start, stop
        start = stop
    yield start, end


def grapheme_edge(text: str, at: int, floor: int = 0) -> int:
    """The last place at or before `at`, above `floor`, where no grapheme is cut; `at` itself when none is near (a cluster of 64 marks)."""
    for place in range(at, max(floor, at - _CLUSTER), -1):
        if not _inside(text, place):
            return place
    return at


def _inside(text: str, at: int) -> bool:
    """Whether the characters on both sides of `at` belong together: marks, joined and coloured emoji, flags, jamo, CR LF."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if after < "\u0300":
        return before == "\r" and after == "\n"
    if before == _ZWJ or after == _ZWJ or category(after) in ("Mn", "Mc", "Me") or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    if "\U000e0020" <= after <= "\U000e007f":
        return True
    if _flag(before) and _flag(after):
        run = 0
        while run < min(at, _FLAGS) and _flag(text[at - 1 - run]):
            run += 1
        return run % 2 == 1
    return _joins(before, after)


def _flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _joins(before: str, after: str) -> bool:
    """Hangul: a leading consonant or a syllable takes the vowels and final consonants behind it."""
    if not ("\u1160" <= after <= "\u11ff" or "\u1100" <= after <= "\u115f"):
        return False
    return "\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3" if after >= "\u1160" else "\u1100" <= before <= "\u115f"
