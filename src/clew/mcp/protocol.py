"""The Model Context Protocol without input or output: a line comes in, lines to be sent come back, or silence.

Two eras share one process. A request whose `_meta` names a protocol version is served by itself (2026-07-28); `initialize` opens the
older one (2024-11-05 to 2025-11-25), the only one with a handshake, `ping`, roots and batches. Rules kept here:

- a request gets exactly one reply, a notification none, whatever is wrong with it;
- what cannot be read is answered with id null; nothing that arrives raises;
- a tool's own trouble is a result with `isError`, never a protocol error;
- a client that has roots is asked for them before its first tool call runs, so that nothing is written to the wrong project.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias

    Call: TypeAlias = Callable[[str, Any, str, str | None], dict[str, Any]]

STATELESS = "2026-07-28"
HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # newest first
KEY = "io.modelcontextprotocol/"
CACHED_MS = 3_600_000  # how long a client may keep what never changes while a process runs
MOST_HELD = 64  # messages that wait for a client's roots; one more, and none waits any longer

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
UNSUPPORTED_VERSION = -32022


class Refused(Exception):
    """A request that gets a JSON-RPC error; never leaves this module."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.error: dict[str, Any] = {"code": code, "message": message}
        if data is not None:
            self.error["data"] = data


class Protocol:
    """One client's connection. `call(tool, arguments, client name, root)` gives a tool result; `tools` is what tools/list shows."""

    def __init__(self, call: Call, *, tools: list[dict[str, Any]], instructions: str, server: dict[str, str]) -> None:
        self._call, self._tools, self._instructions, self._server = call, tools, instructions, server
        self._names = frozenset(tool["name"] for tool in tools)
        self._client = ""
        self._has_roots = False
        self._root: str | None = None
        self._question = 0  # how often roots were asked for; the id of the latest question
        self._held: list[Any] | None = None  # messages that wait for the answer; None when none is awaited
        self._eras: dict[bool, dict[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
            True: {"server/discover": self._discover, "tools/list": self._list, "tools/call": self._call_stateless},
            False: {
                "initialize": self._initialize,
                "ping": lambda _: {},
                "tools/list": self._list,
                "tools/call": lambda params: self._called(params, self._client, self._root),
            },
        }

    @property
    def waiting(self) -> bool:
        """Whether a tool call is held back until the client answers `roots/list`; `give_up` lets it go."""
        return bool(self._held)

    def receive(self, line: bytes | None) -> list[bytes]:
        """What to send for one line, without its newline; None stands for a line that was too long to keep."""
        if line is None:
            return [_sent(_failure(None, INVALID_REQUEST, "the line is longer than this server reads"))]
        if not line.strip():
            return []
        try:
            message = json.loads(line.removeprefix(b"\xef\xbb\xbf").decode(), parse_constant=_no_number)
        except RecursionError:
            return [_sent(_failure(None, PARSE_ERROR, "Parse error: nested too deeply"))]
        except ValueError as error:  # bad JSON, bad UTF-8, a number too long to read
            return [_sent(_failure(None, PARSE_ERROR, f"Parse error: {error}"[:200]))]
        return [_sent(reply) for reply in self._taken(message)]

    def give_up(self) -> list[bytes]:
        """Stop waiting for the client's roots and answer what was held."""
        return [_sent(reply) for reply in self._released()]

    def _taken(self, message: Any) -> Iterable[Any]:
        if self._held is not None and _calls_a_tool(message):
            self._held.append(message)
            return self._released() if len(self._held) > MOST_HELD else []
        if isinstance(message, list) and message:
            replies = [reply for part in message for reply in self._one(part)]
            answers = [reply for reply in replies if "method" not in reply]
            return ([answers] if answers else []) + [reply for reply in replies if "method" in reply]
        return self._one(message)

    def _one(self, message: Any) -> list[dict[str, Any]]:
        if not isinstance(message, dict):
            return [_failure(None, INVALID_REQUEST, "Invalid request: not an object")]
        if "method" not in message and ("result" in message or "error" in message):
            return self._answered(message)
        method, asked = message.get("method"), message.get("id")
        if "id" not in message and isinstance(method, str):
            return self._noticed(method, message.get("params"))
        if not isinstance(asked, str | int) or isinstance(asked, bool):
            return [_failure(None, INVALID_REQUEST, "Invalid request: `id` must be a string or an integer")]
        if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
            return [_failure(asked, INVALID_REQUEST, 'Invalid request: needs "jsonrpc": "2.0" and a `method`')]
        try:
            return [{"jsonrpc": "2.0", "id": asked, "result": self._result(method, message.get("params"))}]
        except Refused as refused:
            return [{"jsonrpc": "2.0", "id": asked, "error": refused.error}]

    def _result(self, method: str, params: Any) -> dict[str, Any]:
        params = {} if params is None else params
        if not isinstance(params, dict):
            raise Refused(INVALID_PARAMS, "`params` must be an object")
        stateless = method == "server/discover" or (method != "initialize" and _has_envelope(params))
        if stateless:
            _check_envelope(params.get("_meta"))
        answer = self._eras[stateless].get(method)
        if answer is None:
            raise Refused(METHOD_NOT_FOUND, f"Method not found: {method[:100]}")
        result = answer(params)
        return {"resultType": "complete", **result, "_meta": {KEY + "serverInfo": self._server}} if stateless else result

    # requests

    def _discover(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"supportedVersions": [STATELESS], **self._offer(), "ttlMs": CACHED_MS, "cacheScope": "public"}

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        asked, capabilities = params.get("protocolVersion"), params.get("capabilities")
        self._client = _name_of(params.get("clientInfo"))
        self._has_roots = isinstance(capabilities, dict) and isinstance(capabilities.get("roots"), dict)
        self._root = None
        version = asked if asked in HANDSHAKE else HANDSHAKE[0]
        return {"protocolVersion": version, **self._offer(), "serverInfo": self._server}

    def _offer(self) -> dict[str, Any]:
        return {"capabilities": {"tools": {"listChanged": False}}, "instructions": self._instructions}

    def _list(self, params: dict[str, Any]) -> dict[str, Any]:
        if params.get("cursor") is not None:
            raise Refused(INVALID_PARAMS, "`cursor` is not one of this server's: all tools are on the first page")
        return {"tools": self._tools, **({"ttlMs": CACHED_MS, "cacheScope": "public"} if "_meta" in params else {})}

    def _call_stateless(self, params: dict[str, Any]) -> dict[str, Any]:
        return self._called(params, _name_of(params["_meta"].get(KEY + "clientInfo")), None)

    def _called(self, params: dict[str, Any], client: str, root: str | None) -> dict[str, Any]:
        name = params.get("name")
        if not isinstance(name, str) or name not in self._names:
            raise Refused(INVALID_PARAMS, f"Unknown tool: {str(name)[:100]}")
        return self._call(name, params.get("arguments"), client, root)

    # notifications and the client's answers

    def _noticed(self, method: str, params: Any) -> list[dict[str, Any]]:
        if method in ("notifications/initialized", "notifications/roots/list_changed") and self._has_roots:
            self._question += 1
            self._held = self._held or []
            return [{"jsonrpc": "2.0", "id": self._question, "method": "roots/list"}]
        if method == "notifications/cancelled" and self._held and isinstance(params, dict):
            gone = params.get("requestId")
            self._held = [held for held in self._held if not (isinstance(held, dict) and held.get("id") == gone)]
        return []

    def _answered(self, message: dict[str, Any]) -> list[Any]:
        if self._held is None or message.get("id") != self._question:
            return []
        self._root = _first_root(message.get("result"))
        return self._released()

    def _released(self) -> list[Any]:
        held, self._held = self._held or [], None
        return [reply for message in held for reply in self._taken(message)]


def _has_envelope(params: Any) -> bool:
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and KEY + "protocolVersion" in meta


def _check_envelope(meta: Any) -> None:
    """Raises Refused unless `_meta` carries what every stateless request must, for a version that is spoken here."""
    meta = meta if isinstance(meta, dict) else {}
    version = meta.get(KEY + "protocolVersion")
    for key, kind in (("protocolVersion", str), ("clientCapabilities", dict)):
        if not isinstance(meta.get(KEY + key), kind):
            raise Refused(INVALID_PARAMS, f"`_meta` must hold {KEY}{key}, {'a string' if kind is str else 'an object'}")
    if version != STATELESS:
        raise Refused(UNSUPPORTED_VERSION, "Unsupported protocol version", {"supported": [STATELESS, *HANDSHAKE], "requested": version})


def _calls_a_tool(message: Any) -> bool:
    """Whether the message, or one of a batch, is a tool call of the older era."""
    parts = message if isinstance(message, list) else [message]
    calls = [part for part in parts if isinstance(part, dict) and part.get("method") == "tools/call"]
    return any(not _has_envelope(call.get("params")) for call in calls)


def _name_of(info: Any) -> str:
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) else ""


def _first_root(result: Any) -> str | None:
    roots = result.get("roots") if isinstance(result, dict) else None
    uris = [root.get("uri") for root in roots if isinstance(root, dict)] if isinstance(roots, list) else []
    return next((uri for uri in uris if isinstance(uri, str) and uri.startswith("file:")), None)


def _failure(asked: str | int | None, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": asked, "error": {"code": code, "message": message}}


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _sent(reply: Any) -> bytes:
    """One line of pure ASCII: no character in it can look like the end of a line to any client, and lone surrogates survive."""
    return json.dumps(reply, allow_nan=False, separators=(",", ":")).encode()
