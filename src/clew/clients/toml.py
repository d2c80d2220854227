"""The block of the MCP server in a TOML settings file: added at the end, changed in place, taken out. Text in, text out.

An addition is plain text at the end of the file, so that nothing before it can change; tomlkit, which keeps layout and comments, does what
happens inside. Every result is read again by the standard library and compared with what was meant, before anyone writes it.
"""

from __future__ import annotations

import json
import re
import tomllib

from clew.clients.blocks import refuse_another
from clew.clients.command import is_server
from clew.clients.table import SERVER
from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")


def with_server(text: str, keys: Sequence[str], wanted: dict[str, Any]) -> str:
    """`text` with the server block; what a person added to it stays.

    Raises InvalidInput where the file does not parse, the name belongs to another program, or the block cannot be added as a table.
    """
    values = _parsed(text)
    now = _holder(values, keys).get(SERVER)
    if now is None:
        return _checked(_with_table(text, [*keys, SERVER], wanted), _with(values, keys, wanted), keys)
    refuse_another(now, (*keys, SERVER))
    fresh = {key: value for key, value in wanted.items() if key in ("command", "args") or key not in now}
    if all(now.get(key) == value for key, value in fresh.items()):
        return text
    import tomlkit

    document = tomlkit.parse(text)
    table = _holder(document, keys)[SERVER]
    for key, value in fresh.items():
        if now.get(key) != value:
            table[key] = value
    return _checked(tomlkit.dumps(document), _with(values, keys, {**now, **fresh}), keys)


def without_server(text: str, keys: Sequence[str], older: str) -> str:
    """`text` without our server block: the `older` text itself where only white space tells the two apart."""
    if not server_in(text, keys):
        return text
    import tomlkit

    document = tomlkit.parse(text)
    del _holder(document, keys)[SERVER]
    after = tomlkit.dumps(document)
    if after.split() == older.split():
        return older
    left = tomllib.loads(after)
    return _checked(after, _with(_parsed(text), keys, None, kept=keys[0] in left), keys)


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


def _holder(values: Any, keys: Sequence[str]) -> Any:
    """The table that servers stand in; an empty one where there is none."""
    for key in keys:
        values = values.get(key, {})
        if not isinstance(values, dict):
            raise InvalidInput(key, "a table is needed here")
    return values


def _with(values: dict[str, Any], keys: Sequence[str], block: dict[str, Any] | None, *, kept: bool = True) -> dict[str, Any]:
    """A copy of the values with the block in its place, or without one; without the table it stood in, too, unless that is `kept`."""
    (key,) = keys
    holder = {name: other for name, other in values.get(key, {}).items() if name != SERVER}
    if block is not None:
        holder[SERVER] = block
    others = {name: other for name, other in values.items() if name != key}
    return {**others, key: holder} if holder or kept else others


def _with_table(text: str, path: Sequence[str], wanted: dict[str, Any]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(path)}]", *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in wanted.items())]
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    return text + gap + newline.join(lines) + newline


def _checked(after: str, expected: dict[str, Any], keys: Sequence[str]) -> str:
    """`after`, if it says what is expected. A servers' table written in one line, for one, takes no table that is added at the end."""
    try:
        if tomllib.loads(after) == expected:
            return after
    except tomllib.TOMLDecodeError:
        pass
    name = ".".join(keys)
    raise InvalidInput(name, f"cannot be edited as it is written; give each server a table of its own: [{name}.NAME]")
