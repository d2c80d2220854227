"""What clew writes into a JSON settings file and takes out again: hooks by event, and the block of the MCP server. Text in, text out."""

from __future__ import annotations

from typing import NamedTuple

from clew.clients import jsonc
from clew.clients.command import hook_command, is_hook, is_server
from clew.clients.table import SERVER
from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from clew.clients.table import Client, Hook


class Found(NamedTuple):
    """One of our hooks as it stands in a file: event, place of its group, place inside the group, the hook itself."""

    event: str
    group: int
    place: int
    handler: dict[str, Any]

    def path(self, keys: Sequence[str]) -> tuple[str | int, ...]:
        """Where it stands."""
        return (*keys, self.event, self.group, "hooks", self.place)


def group(hook: Hook, client: str, words: Sequence[str]) -> dict[str, Any]:
    """The block of one event as a client reads it."""
    handler = {"type": "command", "command": hook_command(words, client, hook.event), "timeout": hook.timeout}
    return {**({"matcher": hook.matcher} if hook.matcher else {}), "hooks": [handler]}


def server(client: Client, words: Sequence[str]) -> dict[str, Any]:
    """The server block: how it is started, then what the table says besides."""
    first, *rest = words
    kind = {key: value for key, value in client.server.items() if key == "type"}
    return {**kind, "command": first, **client.server, "args": [*rest, *client.server["args"]]}


def with_hooks(text: str, keys: Sequence[str], client: Client, words: Sequence[str]) -> str:
    """`text` with each of the client's events calling us once: added, or where one calls us already, its command brought up to date."""
    wanted = {hook.event: hook for hook in client.hooks}
    kept: dict[str, Found] = {}
    surplus = [f for f in _found(text, keys, client.name) if f.event not in wanted or kept.setdefault(f.event, f) is not f]
    for found in kept.values():
        text = _updated(text, found.path(keys), found.handler, group(wanted[found.event], client.name, words)["hooks"][0])
    text = _without(text, keys, surplus, "{}")
    for event, hook in wanted.items():
        if event not in kept:
            text = jsonc.append(text, (*keys, event), group(hook, client.name, words))
    return text


def without_hooks(text: str, keys: Sequence[str], client: Client, older: str) -> str:
    """`text` without our hooks; what is empty then is as it was in the `older` text."""
    text = _without(text, keys, _found(text, keys, client.name), older)
    return _emptied(text, keys, older)


def hooks_in(text: str, keys: Sequence[str], client: Client) -> dict[str, Any]:
    """Our hooks in a file, by a name to show: {"hooks.Stop": {…}}."""
    return {".".join((*keys, found.event)): found.handler for found in _found(text, keys, client.name)}


def with_server(text: str, keys: Sequence[str], wanted: dict[str, Any]) -> str:
    """`text` with our server block; what a person added to it stays. Raises InvalidInput where the name belongs to another program."""
    path = (*keys, SERVER)
    now = jsonc.read(text, path)
    if now is None:
        return jsonc.put(text, path, wanted)
    refuse_another(now, path)
    return _updated(text, path, now, wanted)


def without_server(text: str, keys: Sequence[str], older: str) -> str:
    """`text` without our server block; another program's of the same name stays."""
    return _emptied(jsonc.drop(text, (*keys, SERVER)), keys, older) if server_in(text, keys) else text


def server_in(text: str, keys: Sequence[str]) -> dict[str, Any]:
    """Our server block in a file, by a name to show: {"mcpServers.clew": {…}}."""
    holder = jsonc.read(text, keys)
    now = holder.get(SERVER) if isinstance(holder, dict) else None
    return {".".join((*keys, SERVER)): now} if is_server(now) else {}


def refuse_another(block: Any, path: Sequence[str]) -> None:
    """Raises InvalidInput where the block under our name starts something else."""
    if not is_server(block):
        raise InvalidInput(".".join(path), "this name belongs to another server; rename that one, or leave ours out with --no-mcp")


def _updated(text: str, path: Sequence[str | int], now: dict[str, Any], wanted: dict[str, Any]) -> str:
    """The block at `path` starting what is wanted: command and args as wanted, anything else only where it is missing."""
    if "args" in now and "args" not in wanted:  # written with command and arguments apart: one line cannot follow from two
        return jsonc.put(text, path, wanted)
    for key, value in wanted.items():
        if key in ("command", "args") or key not in now:
            text = jsonc.put(text, (*path, key), value)
    return text


def _found(text: str, keys: Sequence[str], client: str) -> list[Found]:
    """Our hooks in the order they stand in. What does not have the shape of hooks holds none of ours."""
    events = jsonc.read(text, keys)
    return [
        Found(event, g, h, handler)
        for event, groups in (events.items() if isinstance(events, dict) else ())
        for g, block in enumerate(groups if isinstance(groups, list) else ())
        for h, handler in enumerate(_handlers(block))
        if is_hook(handler, client)
    ]


def _handlers(block: Any) -> list[Any]:
    handlers = block.get("hooks") if isinstance(block, dict) else None
    return handlers if isinstance(handlers, list) else []


def _without(text: str, keys: Sequence[str], surplus: Sequence[Found], older: str) -> str:
    """The text without these hooks and the groups and events that held nothing else; last first, so that places stay right."""
    for found in reversed(surplus):
        path = found.path(keys)
        text = jsonc.drop(text, path)
        if jsonc.read(text, path[:-1]) == []:
            text = jsonc.drop(text, path[:-2])
        text = jsonc.put_back(text, (*keys, found.event), older)
    return text


def _emptied(text: str, keys: Sequence[str], older: str) -> str:
    for depth in range(len(keys), -1, -1):
        text = jsonc.put_back(text, keys[:depth], older)
    return text
