"""Reads JSON with comments into values that know where in the text they stand, and says by line and column what cannot be read."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import NamedTuple

from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Key = str | int

DEPTH = 200  # nesting beyond this is no settings file, and deeper than Python's own stack likes
COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.S)
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SKIPPED = re.compile(rf"(?:[ \t\r\n]+|{COMMENT.pattern})*", re.S)
_SCALAR = re.compile(rf"{STRING.pattern}|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null", re.A)
_KINDS = {"{": "an object", "[": "a list", '"': "a text"}


class Node(NamedTuple):
    """A value at text[start:end]. `value` is the plain Python value; members are those of an object or a list."""

    start: int
    end: int
    value: Any
    members: tuple[Member, ...] = ()


class Member(NamedTuple):
    """One member of an object, by name, or of a list, by place. It starts at its name, if it has one; `comma` is -1 where none follows."""

    name: Key
    start: int
    node: Node
    comma: int


@lru_cache(maxsize=4)  # an edit looks at the same text several times, and some of these files have megabytes
def parse(text: str) -> Node:
    """The value that `text` holds: JSON, comments and trailing commas allowed. Raises InvalidInput with field "line:column".

    The answer is shared: nobody may change its values.
    """
    root = _value(text, skip(text, 0), 0)
    end = skip(text, root.end)
    if end < len(text):
        raise fault(text, end, "nothing but comments may follow the closing bracket")
    return root


def walk(text: str, root: Node, path: Sequence[Key]) -> list[Node]:
    """The nodes along `path` from the root on, as far as they exist.

    Raises InvalidInput where the way leads through a value that is no container of the right kind, or through a name that stands twice.
    """
    nodes = [root]
    for key in path:
        wanted = "{" if isinstance(key, str) else "["
        if text[nodes[-1].start] != wanted:
            here = _KINDS.get(text[nodes[-1].start], json.dumps(nodes[-1].value))
            raise fault(text, nodes[-1].start, f"{_KINDS[wanted]} is needed here, but {here} stands here")
        found = [member for member in nodes[-1].members if member.name == key]
        if len(found) > 1:
            raise fault(text, found[1].start, f'"{key}" stands here a second time; keep one of the two')
        if not found:
            break
        nodes.append(found[0].node)
    return nodes


def skip(text: str, at: int) -> int:
    """Where white space and comments from `at` on end."""
    found = _SKIPPED.match(text, at)
    return found.end() if found else at


def fault(text: str, at: int, problem: str) -> InvalidInput:
    """The error for a place in the text; line and column count from 1."""
    return InvalidInput(f"{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}", problem)


def _value(text: str, at: int, depth: int) -> Node:
    if depth > DEPTH:
        raise fault(text, at, f"nested deeper than {DEPTH} levels")
    if text[at : at + 1] in ("{", "["):
        return _container(text, at, depth)
    found = _SCALAR.match(text, at)
    if found is None:
        raise fault(text, at, _instead(text, at, "a value"))
    try:
        return Node(at, found.end(), json.loads(found.group()))
    except ValueError:  # Python reads no integer of more than some thousand digits
        raise fault(text, at, "a number too long to be read") from None


def _container(text: str, at: int, depth: int) -> Node:
    named, closing = text[at] == "{", "}" if text[at] == "{" else "]"
    members: list[Member] = []
    here = skip(text, at + 1)
    while text[here : here + 1] != closing:
        if members and members[-1].comma < 0:
            raise fault(text, here, _instead(text, here, f"a comma or {closing}"))
        start = here
        name, here = _name(text, here) if named else (len(members), here)
        node = _value(text, here, depth + 1)
        here = skip(text, node.end)
        comma = here if text[here : here + 1] == "," else -1
        members.append(Member(name, start, node, comma))
        here = here if comma < 0 else skip(text, comma + 1)
    value = {member.name: member.node.value for member in members} if named else [member.node.value for member in members]
    return Node(at, here + 1, value, tuple(members))


def _name(text: str, at: int) -> tuple[str, int]:
    """A member's name, and where its value starts."""
    found = STRING.match(text, at)
    if found is None:
        raise fault(text, at, _instead(text, at, "a name in double quotes"))
    colon = skip(text, found.end())
    if text[colon : colon + 1] != ":":
        raise fault(text, colon, _instead(text, colon, "a colon"))
    return str(json.loads(found.group())), skip(text, colon + 1)


def _instead(text: str, at: int, wanted: str) -> str:
    if text.startswith("/*", at):
        return "this comment does not end"
    return f"{wanted} is expected here, but " + (f"{text[at]!r} stands here" if at < len(text) else "the file ends")
