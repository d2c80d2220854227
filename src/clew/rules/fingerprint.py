"""The same failure, the same value, though the text drifts: an exact key and a "same place, other message" key of a tool's output.

The lines that say what failed are picked by shape (rules/failures.py), noise in them is blanked by its form (rules/masks.py), and what is
left is hashed as a set: tests that run in another order, a second run of the same site and a longer log are the same failure.
"""

from __future__ import annotations

from clew.ids import blake2b
from clew.rules.failures import CONTEXT, FRAMES, GROUPED, NOISE, NOT_OURS, PREFIXES, SHAPES, SITED, SPEAKERS, TELLS, WRAPPING
from clew.rules.masks import compiled, masked, project_relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator
    from typing import NamedTuple

    from clew.rules.failures import Frames, Shape
else:
    from clew.model import NamedTuple

VERSION = 1  # raised whenever the same text gives other keys; keys of different versions are never compared
HEAD, TAIL = 16 << 10, 48 << 10  # characters that are looked at: tools say how it ended at the end, and what they are at the beginning
LINE_HEAD, LINE_TAIL = 800, 200  # of a longer line
LINES = 60  # that tell the failure; more of them tell no more
SHORT = 3  # lines: a text as short as this was cut out by somebody, each of its lines that speaks of a failure counts
EXPLAINED = 4  # lines after one that speaks of a failure, indented or named as its cause
UNSHAPED = 8  # first lines of a long text in which nothing looks like a failure
TEMPLATE_CHARS = 1000

_MULTILINE = 8  # re.MULTILINE
_BETWEEN = "\x00"  # a character that no cleaned text holds: lines and places are masked in one walk
_COLOUR = r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,1000}(?:\x07|\x1b\\)|\x1b[@-Z\\-_]"
_OVERWRITTEN = r"^[^\n]*\r(?=[^\r\n])"
_CONTROL = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"


class Fingerprint(NamedTuple):
    """`exact`, `place`: 32 hex digits, "" for a text that says nothing. `template`: the telling lines with blanks. `kind`: whose shape."""

    exact: str
    place: str
    template: str
    version: int
    kind: str


class _Told(NamedTuple):
    """A line that tells the failure, and the place it names."""

    line: str
    at: str
    kind: str


def fingerprint(text: str | bytes, *, root: str = "") -> Fingerprint:
    """Which failure a tool's output tells. `root`: the project's folder, "" if unknown. Never fails. Of a long text both ends count."""
    cleaned = clean(text)
    if not cleaned:
        return Fingerprint("", "", "", VERSION, "")
    folder = root.replace("\\", "/").rstrip("/")
    told = _told(cleaned, folder)[:LINES]
    both = masked("\n".join([*(t.line for t in told), _BETWEEN, *dict.fromkeys(t.at for t in told if t.at)]), folder)
    lines, places = map(_distinct, both.split(_BETWEEN))
    kind = told[0].kind
    if kind == "compiler":
        kind = next((name for name, says in SPEAKERS if any(compiled(says).search(line) for line in lines)), kind)
    return Fingerprint(_key(sorted(lines)), _key(sorted(places) or [_head(lines)]), "\n".join(lines)[:TEMPLATE_CHARS], VERSION, kind)


def _distinct(text: str) -> list[str]:
    return [line for line in dict.fromkeys(text.split("\n")) if line]


def clean(text: str | bytes) -> str:
    """`text` as a person would read it on a screen: both ends of a long one, no colours, no overwritten progress, no runners' prefixes."""
    text = _ends(text)
    if "\x1b" in text:
        text = compiled(_COLOUR).sub("", text)
    if "\r" in text:
        text = compiled(_OVERWRITTEN, _MULTILINE).sub("", text.replace("\r\n", "\n").rstrip("\r")).replace("\r", "")
    text = compiled(_CONTROL).sub("", text)
    if text[:1] in " \t\n":
        text = _dedented(text.split("\n"))
    for _ in range(3):
        text, found = compiled(PREFIXES, _MULTILINE).subn("", text)
        if not found:
            break
    if "ExceptionGroup" in text:
        text = compiled(GROUPED, _MULTILINE).sub("", text)
    if "-->" in text:
        text = compiled(SITED, _MULTILINE).sub(r"\2: \1", text)
    text = text.replace("</tool_use_error>", "")
    lines = text.strip("\n").split("\n")
    if any(len(line) > LINE_HEAD + LINE_TAIL for line in lines):
        lines = [line if len(line) <= LINE_HEAD + LINE_TAIL else line[:LINE_HEAD] + "…" + line[-LINE_TAIL:] for line in lines]
    return _dedented([line.rstrip() for line in lines]).strip("\n")


def _dedented(lines: list[str]) -> str:
    """Without the white space that all lines begin with: a text quoted in another is indented."""
    indent = min((_indent(line) for line in lines if line), default=0)
    return "\n".join([line[indent:] for line in lines] if indent else lines)


def _ends(text: str | bytes) -> str:
    """Head and tail of a long text, cut at line ends where there are any."""
    if len(text) > HEAD + TAIL:
        head, tail = _text(text[:HEAD]), _text(text[-TAIL:])
        return head[: head.rfind("\n") + 1 or None] + "\n" + tail[tail.find("\n") + 1 :]
    return _text(text)


def _text(text: str | bytes) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


def _told(text: str, root: str) -> list[_Told]:
    """The lines that tell the failure, each shape's in the order of the table; never none."""
    noise, tells = compiled(NOISE), compiled(TELLS)
    every = [line for line in text.split("\n") if line.strip()]
    telling = [line for line in every if not noise.match(line)]
    found = [*_shaped(SHAPES, text), *_frames(text, root)]
    if found and len(telling) > SHORT:
        return found
    speaking = [line for line in telling if tells.search(line)]
    if found:
        return found + [_Told(line, "", "other") for line in speaking if not any(told.line.strip() in line for told in found)]
    if speaking:
        return [_Told(line, "", "other") for line in _unshaped(telling)]
    found = list(_shaped(WRAPPING, text))
    if not found:
        telling = [line for line in every if tells.search(line)] or telling or every
    if len(telling) <= SHORT or not found:
        found += [_Told(line, "", "other") for line in telling[:UNSHAPED]]
    return found


def _shaped(shapes: Iterable[Shape], text: str) -> Iterator[_Told]:
    for shape in shapes:
        for literal in shape.needs:
            if literal in text:
                break
        else:
            continue
        if shape.lacks and any(literal in text for literal in shape.lacks):
            continue
        for match in compiled(shape.pattern, _MULTILINE).finditer(text):
            groups = match.groupdict()
            lines = (groups.get("says") or match[0]).split("\n")
            if shape.keep:
                lines = [line for line in lines if compiled(shape.keep).search(line)]
            yield from (_Told(line, groups.get("at") or "", shape.kind) for line in lines if line.strip())


def _frames(text: str, root: str) -> Iterator[_Told]:
    """Of each language's stack the frame nearest to the failure that lies in the project."""
    for frames in FRAMES:
        if frames.needs not in text:
            continue
        for match in _nearest(frames, text):
            path = project_relative(match["path"], root) if "/" in match["path"] or "\\" in match["path"] else match["path"]
            if not path.startswith(NOT_OURS):
                name = match.groupdict().get("name") or ""
                yield _Told(f"in {path.rpartition('/')[2]} {name}", f"{path} {name}", frames.kind)
                break


def _nearest(frames: Frames, text: str) -> Iterable[re.Match[str]]:
    found = compiled(frames.pattern, _MULTILINE).finditer(text)
    return reversed(list(found)) if frames.last else found


def _unshaped(lines: list[str]) -> list[str]:
    """Of a text of no known shape: the first lines that tell of a failure and what explains them."""
    tells, explains = compiled(TELLS), compiled(CONTEXT)
    found: list[str] = []
    speaks, left = "", 0
    for line in lines:
        if tells.search(line):
            speaks, left = line, EXPLAINED
            found.append(line)
        elif left and (explains.match(line) or speaks.endswith(":") or _indent(line) > _indent(speaks)):
            left -= 1
            found.append(line)
        else:
            left = 0
        if len(found) > UNSHAPED:
            break
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _head(lines: list[str]) -> str:
    """What stands for the place where none is named: the first line up to its first colon."""
    return lines[0].partition(": ")[0] if lines else ""


def _key(parts: Iterable[str]) -> str:
    return blake2b("\n".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
