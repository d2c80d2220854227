"""Edits JSON with comments as text: what is added follows the file's own style, and every character outside the edit stays as it is.

Taking away what was added gives the text of before: an added member brings its comma, its line break and its indentation, and takes them
along. Only an object or list that was empty loses the white space between its brackets; `put_back` restores that from an older text.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from clew.clients.tree import COMMENT, STRING, fault, parse, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from clew.clients.tree import Key, Member, Node


_OPENED = re.compile(r"^([ \t]*).*[\[{][ \t]*\r?\n([ \t]+)(?=\S)", re.M)


class Style(NamedTuple):
    """How a file is written: its line break, one step of indentation, what stands between a name and its value and after a comma."""

    newline: str
    step: str
    colon: str
    gap: str


def read(text: str, path: Sequence[Key]) -> Any:
    """The plain value at `path`, None where there is none. Raises InvalidInput as `tree.parse` and `tree.walk` do."""
    node = _at(text, path)
    return None if node is None else node.value


def put(text: str, path: Sequence[Key], value: Any) -> str:
    """`text` with `value` at `path`: replaced where it stands, else added as the last member; missing objects on the way are made."""
    if not text.strip():
        return json.dumps(_nested(path, value), ensure_ascii=False, indent=2) + "\n"
    root = parse(text)
    nodes = walk(text, root, path)
    missing = path[len(nodes) - 1 :]
    if missing:
        return _added(text, root, nodes[-1], missing[0], _nested(missing[1:], value))
    here = nodes[-1]
    if here.value == value:
        return text
    written = _written(value, _style(text, root), _indent(text, here.start), flat=not _breaks(text))
    return text[: here.start] + written + text[here.end :]


def append(text: str, path: Sequence[Key], value: Any) -> str:
    """`text` with `value` as the last element of the list at `path`, which is made where it is missing."""
    node = _at(text, path) if text.strip() else None
    if node is None:
        return put(text, path, [value])
    if text[node.start] != "[":
        raise fault(text, node.start, "a list is needed here")
    return _added(text, parse(text), node, None, value)


def drop(text: str, path: Sequence[Key]) -> str:
    """`text` without the member at `path`; unchanged where there is none."""
    if _at(text, path) is None:
        return text
    holder = walk(text, parse(text), path[:-1])[-1]
    place = next(n for n, member in enumerate(holder.members) if member.name == path[-1])
    member = holder.members[place]
    cuts = [(_lead(text, holder, member), member.node.end)]
    if member.comma >= 0:
        cuts.append((member.comma, member.comma + 1))
    elif place:
        cuts.append((comma := holder.members[place - 1].comma, comma + 1))
    inside = _cut(text[: holder.end], cuts)[holder.start + 1 : -1]
    if not inside.strip():
        return text[: holder.start + 1] + text[holder.end - 1 :]
    return _cut(text, cuts)


def put_back(text: str, path: Sequence[Key], older: str) -> str:
    """`text` after something was dropped from the container at `path`: where it is empty now, as it was in the `older` text.

    So a container that did not exist is taken away, and one that was empty gets its white space back; anything else stays.
    """
    now = _at(text, path)
    if now is None or now.members or now.value not in ({}, []):
        return text
    then = _at(older, path) if older.strip() else None
    inside = text[now.start : now.end]
    if then is None and not path:
        return older if not (text[: now.start] + text[now.end :]).strip() else text
    if then is None:
        return text if COMMENT.search(inside) else drop(text, path)
    before = older[then.start : then.end]
    same = then.value == now.value and COMMENT.findall(inside) == COMMENT.findall(before)
    return text[: now.start] + before + text[now.end :] if same else text


def _at(text: str, path: Sequence[Key]) -> Node | None:
    if not text.strip():
        return None
    nodes = walk(text, parse(text), path)
    return nodes[-1] if len(nodes) == len(path) + 1 else None


def _nested(path: Sequence[Key], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def _added(text: str, root: Node, holder: Node, name: Key | None, value: Any) -> str:
    """The text with one more member at the end of `holder`; `name` is None in a list."""
    style, close = _style(text, root), holder.end - 1
    last = holder.members[-1] if holder.members else None
    lines = _on_lines(text, root, holder)
    outer = _indent(text, holder.start)
    inner = (_indent(text, last.start) if last and _starts_line(text, last.start) else outer + style.step) if lines else outer
    label = "" if name is None else json.dumps(name, ensure_ascii=False) + style.colon
    member = label + _written(value, style, inner, flat=not lines)
    lead = style.newline + inner if lines else style.gap if last else ""
    if last is None:
        at = _after_comments(text, holder.start + 1, close)
        return text[:at] + lead + member + (style.newline + outer if lines else "") + text[close:]
    trailing = last.comma >= 0
    at = _after_comments(text, last.comma + 1 if trailing else last.node.end, close)
    comma = "" if trailing else ","
    return text[: last.node.end] + comma + text[last.node.end : at] + lead + member + ("," if trailing else "") + text[at:]


def _on_lines(text: str, root: Node, holder: Node) -> bool:
    """Whether a new member of `holder` gets a line of its own."""
    if not holder.members:
        return not root.members or _breaks(text)
    first, last = holder.members[0], holder.members[-1]
    return _breaks(text[holder.start : first.start]) or _breaks(text[last.node.end : holder.end])


def _breaks(text: str) -> bool:
    """Whether a line ends in `text`, in whichever way; a comment may need it."""
    return "\n" in text or "\r" in text


def _written(value: Any, style: Style, indent: str, *, flat: bool) -> str:
    if flat:
        return json.dumps(value, ensure_ascii=False, separators=("," + style.gap, style.colon))
    text = json.dumps(value, ensure_ascii=False, indent=style.step, separators=(",", style.colon))
    return text.replace("\n", style.newline + indent)  # a line break inside a text is written \n, so these are all of the layout


def _style(text: str, root: Node) -> Style:
    newline = "\r\n" if "\r\n" in text else "\n"
    colon = _colon(text, root)
    return Style(newline, _step(text), colon, " " if colon.endswith(" ") else "")


def _colon(text: str, root: Node) -> str:
    """What stands between the first name and its value, where it is no more than a colon and blanks."""
    named = [member for member in root.members if isinstance(member.name, str)]
    if not named:
        return ": "
    found = STRING.match(text, named[0].start)
    between = text[found.end() : named[0].node.start] if found else ""
    return between if between.strip(" \t") == ":" else ": "


def _step(text: str) -> str:
    """One step of indentation: how much further in a line stands than the one before it that ends in a bracket; else two blanks."""
    for found in _OPENED.finditer(text):
        outer, inner = found.groups()
        if inner.startswith(outer) and inner != outer:
            return inner[len(outer) :]
    return "  "


def _indent(text: str, at: int) -> str:
    """The white space that the line of `at` begins with."""
    start = text.rfind("\n", 0, at) + 1
    return text[start : start + len(text[start:at]) - len(text[start:at].lstrip(" \t"))]


def _starts_line(text: str, at: int) -> bool:
    start = text.rfind("\n", 0, at) + 1
    return start > 0 and not text[start:at].strip()


def _lead(text: str, holder: Node, member: Member) -> int:
    """Where the white space begins that goes with a member; none does when it ends a comment that would swallow what follows."""
    start = len(text[: member.start].rstrip(" \t\r\n"))
    earlier = [other for other in holder.members if other.start < member.start]
    comments = COMMENT.findall(text, (earlier[-1].comma if earlier else holder.start) + 1, member.start)
    follows = text[max(member.node.end, member.comma + 1) :].lstrip(" \t")
    swallows = comments and comments[-1].startswith("//") and not follows.startswith(("\n", "\r"))
    return member.start if swallows else start


def _after_comments(text: str, start: int, end: int) -> int:
    """The end of the last comment in text[start:end], which holds nothing else but white space; `start` where there is none."""
    return max((found.end() for found in COMMENT.finditer(text, start, end)), default=start)
