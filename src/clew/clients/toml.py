"""The block of the MCP server in a TOML settings file: added at the end, changed in place, taken out. Text in, text out.

The edits are of lines, so that what stands elsewhere cannot change; each result is read again and compared with what was meant before
anyone writes it. (A library that writes a document out from its own model was tried: it moves tables and takes comments along.)
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import NamedTuple

from clew.clients.blocks import refuse_another
from clew.clients.command import is_server
from clew.clients.table import SERVER
from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")


class Section(NamedTuple):
    """A table's lines: its header at `start`, its last line that says something before `last`, the next header at `end`."""

    path: tuple[str, ...]
    start: int
    last: int
    end: int


def with_server(text: str, keys: Sequence[str], wanted: dict[str, Any]) -> str:
    """`text` with the server block; what a person added to it stays.

    Raises InvalidInput where the file does not parse, the name belongs to another program, or the block cannot be a table of its own.
    """
    values, path = _parsed(text), (*keys, SERVER)
    now = _holder(values, keys).get(SERVER)
    if now is None:
        return _checked(_with_table(text, path, wanted), [_with(values, keys, wanted)], path)
    refuse_another(now, path)
    lines = _lines(text)
    fresh = {key: value for key, value in wanted.items() if (key in ("command", "args") or key not in now) and now.get(key) != value}
    for key, value in fresh.items():
        _set(lines, path, key, json.dumps(value, ensure_ascii=False))
    return _checked("".join(lines), [_with(values, keys, {**now, **fresh})], path)


def without_server(text: str, keys: Sequence[str], older: str) -> str:
    """`text` without our server block: the `older` text itself where only white space tells the two apart."""
    if not server_in(text, keys):
        return text
    values, lines = _parsed(text), _lines(text)
    for section in reversed(_sections(lines)):
        if section.path[: len(keys) + 1] == (*keys, SERVER):
            blank_before = section.start > 0 and not lines[section.start - 1].strip()
            del lines[section.start - blank_before : section.last]
    after = "".join(lines)
    if after.split() == older.split():
        return older
    return _checked(after, [_with(values, keys, None), {name: value for name, value in values.items() if name != keys[0]}], (*keys, SERVER))


def server_in(text: str, keys: Sequence[str]) -> dict[str, Any]:
    """Our server block in a file, by a name to show: {"mcp_servers.clew": {…}}."""
    now = _holder(_parsed(text), keys).get(SERVER)
    return {".".join((*keys, SERVER)): now} if is_server(now) else {}


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        place = f"{found[1]}:{found[2]}" if found else f"{text.count(chr(10)) + 1}:1"
        raise InvalidInput(place, _PLACE.sub("", str(error)).strip()) from None


def _parses(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _holder(values: dict[str, Any], keys: Sequence[str]) -> Any:
    """The table that servers stand in; an empty one where there is none."""
    for key in keys:
        values = values.get(key, {})
        if not isinstance(values, dict):
            raise InvalidInput(key, "a table is needed here")
    return values


def _with(values: dict[str, Any], keys: Sequence[str], block: dict[str, Any] | None) -> dict[str, Any]:
    """A copy of the values with the block in its place, or without one."""
    (key,) = keys
    holder = {name: other for name, other in values.get(key, {}).items() if name != SERVER}
    return {**values, key: holder if block is None else {**holder, SERVER: block}}


def _with_table(text: str, path: Sequence[str], wanted: dict[str, Any]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(path)}]", *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in wanted.items())]
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    return text + gap + newline.join(lines) + newline


def _lines(text: str) -> list[str]:
    """The lines of TOML, ends included; what Python takes for further line breaks may stand inside a text."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _sections(lines: Sequence[str]) -> list[Section]:
    """The tables with a header, in order. A line inside a text or a list of several lines is no header: what precedes it does not parse."""
    headers = [(n, path) for n, line in enumerate(lines) if (path := _header(line)) and _parses("".join(lines[:n]))]
    ends = [start for start, _ in headers[1:]] + [len(lines)]
    sections = []
    for (start, path), end in zip(headers, ends, strict=False):
        last = max(n for n in range(start, end) if n == start or lines[n].strip()[:1] not in ("", "#"))
        sections.append(Section(path, start, last + 1, end))
    return sections


def _header(line: str) -> tuple[str, ...]:
    """The names in a header line; none for any other line."""
    if not line.lstrip().startswith("[") or not _parses(line):
        return ()
    path, values = [], tomllib.loads(line)
    while isinstance(values, dict) and values:
        ((name, values),) = values.items()
        path.append(name)
    return tuple(path)


def _set(lines: list[str], path: Sequence[str], key: str, written: str) -> None:
    """Give `key` of the table at `path` a new value, in its line or in one of its own. Without such a table nothing happens."""
    section = next((section for section in _sections(lines) if section.path == tuple(path)), None)
    if section is None:
        return
    for n in range(section.start + 1, section.last):
        found = re.match(rf"\s*{key}\s*=\s*", lines[n])
        if found:
            stop = next((m for m in range(n + 1, section.last) if _parses("".join(lines[n:m]))), section.last)
            lines[n:stop] = [found.group() + written + _after_value("".join(lines[n:stop]), found.end())]
            return
    newline = "\r\n" if lines[section.start].endswith("\r\n") else "\n"
    lines[section.last - 1] = lines[section.last - 1].rstrip("\r\n") + newline
    lines.insert(section.last, f"{key} = {written}{newline}")


def _after_value(statement: str, start: int) -> str:
    """The white space, the comment and the line break behind a value."""
    end = next(
        (found.start() for found in re.finditer(r"\s*#", statement) if found.start() > start and _parses(statement[: found.start()])), -1
    )
    return statement[end if end > 0 else len(statement.rstrip()) :]


def _checked(after: str, meant: Sequence[dict[str, Any]], path: Sequence[str]) -> str:
    """`after`, if it says what is meant. A block written in one line, or added to a table that is, does not."""
    if _parses(after) and tomllib.loads(after) in meant:
        return after
    name = ".".join(path)
    raise InvalidInput(name, f"cannot be edited as this file is written; give each server a table of its own, as in [{name}]")
