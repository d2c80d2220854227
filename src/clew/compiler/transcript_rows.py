"""How each client writes down what was said, called and answered: one reader a client, each tells a `Building`."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from clew.compiler.transcript_fragments import Building

    Row = dict[str, Any]

_SKIPPED_BLOCKS = ("thinking", "redacted_thinking", "reasoning")


def messages_of(given: object) -> list[Row] | None:
    """The rows of a transcript that is one JSON value: a list, or an object with `messages` (a single row stands for itself)."""
    if isinstance(given, dict):
        inner = given.get("messages")
        given = inner if isinstance(inner, list) else [given]
    return [row for row in given if isinstance(row, dict)] if isinstance(given, list) else None


def _claude(rows: list[Row], building: Building) -> None:
    """Claude Code, and Cursor, whose rows have the role outside."""
    for row in rows:
        message = row.get("message")
        if not isinstance(message, dict) or row.get("isMeta") is True or row.get("isSidechain") is True:
            continue
        role = message.get("role") or row.get("role") or row.get("type")
        building.summary = row.get("isCompactSummary") is True
        _content(str(role), message.get("content", message.get("parts")), building)
        building.summary = False


def _roles(rows: list[Row], building: Building) -> None:
    """Role and content, as model APIs take them."""
    for row in rows:
        if row.get("role") in ("tool", "function"):
            building.result(str(row.get("tool_call_id") or ""), row.get("content"), name=str(row.get("name") or ""))
            continue
        _content(str(row.get("role")), row.get("content", row.get("parts")), building)
        for call in _listed(row.get("tool_calls")):
            function = call.get("function")
            if isinstance(function, dict):
                building.call(str(call.get("id") or ""), str(function.get("name")), _arguments(function.get("arguments")))


def _content(role: str, content: Any, building: Building) -> None:
    """A text, or blocks: text, image, tool_use, tool_result, or Gemini's parts."""
    if isinstance(content, str):
        building.says(role, content)
        return
    key = ""  # of the last result: Gemini puts its images beside it
    for block in _listed(content):
        kind = block.get("type")
        if kind in _SKIPPED_BLOCKS or block.get("thought") is True:
            continue
        if kind == "tool_use":
            building.call(str(block.get("id") or ""), str(block.get("name")), _arguments(block.get("input")))
        elif kind == "tool_result":
            building.result(str(block.get("tool_use_id") or ""), block.get("content"))
        elif isinstance(call := block.get("functionCall"), dict):
            building.call(str(call.get("id") or call.get("name") or ""), str(call.get("name")), _arguments(call.get("args")))
        elif isinstance(reply := block.get("functionResponse"), dict):
            key = str(reply.get("id") or reply.get("name") or "")
            building.result(key, _response(reply), name=str(reply.get("name") or ""))
        elif not building.shows("tool" if key else role, block, key):
            building.says(role, str(block.get("text") or ""))


def _codex(rows: list[Row], building: Building) -> None:
    """Codex: the items sent to the model. Events repeat them for the screen and are only read where no item holds what was said."""
    payloads = [(row.get("type"), row["payload"]) for row in rows if isinstance(row.get("payload"), dict)]
    said = any(kind == "response_item" and payload.get("type") == "message" for kind, payload in payloads)
    for kind, payload in payloads:
        if kind == "response_item":
            _item(payload, building)
        elif kind == "compacted":
            building.summary = True
            building.says("user", str(payload.get("message") or ""))
            building.summary = False
        elif kind == "event_msg" and not said and payload.get("type") in ("user_message", "agent_message"):
            building.says("user" if payload["type"] == "user_message" else "assistant", str(payload.get("message") or ""))


def _item(item: Row, building: Building) -> None:
    kind, call = item.get("type"), str(item.get("call_id") or item.get("id") or "")
    if kind == "message" and item.get("role") != "developer":
        _content(str(item.get("role")), item.get("content"), building)
    elif kind in ("function_call", "custom_tool_call"):
        building.call(call, str(item.get("name")), _arguments(item.get("arguments", item.get("input"))))
    elif kind == "local_shell_call" and isinstance(item.get("action"), dict):
        building.call(call, "shell", item["action"])
    elif kind in ("function_call_output", "custom_tool_call_output", "local_shell_call_output"):
        output = item.get("output")
        parsed = _arguments(output) if isinstance(output, str) and output.startswith("{") else output
        building.result(call, parsed.get("output", parsed.get("content", output)) if isinstance(parsed, dict) else output)


def _gemini(rows: list[Row], building: Building) -> None:
    """Gemini CLI: a message written again under its id replaces the first; `$set` may replace them all."""
    found: dict[str, Row] = {}
    for place, row in enumerate(rows):
        change = row.get("$set")
        if isinstance(change, dict) and isinstance(change.get("messages"), list):
            found = {str(one.get("id") or i): one for i, one in enumerate(change["messages"]) if isinstance(one, dict)}
        elif row.get("type") in ("user", "gemini"):
            found[str(row.get("id") or place)] = row
    for row in found.values():
        _content("user" if row.get("type") == "user" else "assistant", row.get("content"), building)
        for call in _listed(row.get("toolCalls")):
            key = str(call.get("id") or "")
            building.call(key, str(call.get("name")), _arguments(call.get("args")))
            answered = [part for part in _listed(call.get("result")) if "functionResponse" in part or "inlineData" in part]
            if answered:
                _answered(key, answered, building)
            elif call.get("result") or call.get("resultDisplay"):
                building.result(key, call.get("result") or call.get("resultDisplay"))


def _answered(key: str, parts: list[Row], building: Building) -> None:
    for part in parts:
        if not building.shows("tool", part, key):
            building.result(key, _response(part["functionResponse"]))


def _response(reply: Row) -> Any:
    response = reply.get("response") if isinstance(reply, dict) else None
    if isinstance(response, dict):
        return next((response[key] for key in ("output", "error", "content", "result") if key in response), response)
    return response


def _opencode(rows: list[Row], building: Building) -> None:
    """opencode: messages with parts, or one part an event; a tool's part holds its call and its answer."""
    for row in rows:
        info = row.get("info")
        role = str(info.get("role") if isinstance(info, dict) else row.get("role") or "assistant")
        for part in _listed(row.get("parts") or [row.get("part")]):
            state = part.get("state")
            if part.get("type") == "text" and part.get("synthetic") is not True and part.get("ignored") is not True:
                building.says(role, str(part.get("text") or ""))
            elif part.get("type") == "file":
                building.shows(role, part)
            elif part.get("type") == "tool" and isinstance(state, dict):
                key = str(part.get("callID") or "")
                building.call(key, str(part.get("tool")), _arguments(state.get("input")))
                building.result(key, state.get("output", state.get("error", "")))
                for attached in _listed(state.get("attachments")):
                    building.shows("tool", attached, key)


def _listed(value: Any) -> list[Row]:
    return (
        [one if isinstance(one, dict) else {"text": one} for one in value if isinstance(one, (dict, str))]
        if isinstance(value, list)
        else []
    )


def _arguments(value: Any) -> Any:
    """A call's arguments: as an object, or as the JSON text of one; any other text as it is."""
    if isinstance(value, str):
        try:
            parsed = json.loads(value)
        except (ValueError, RecursionError):
            return value
        return parsed if isinstance(parsed, dict) else value
    return value


def _is_claude(row: Row) -> bool:
    return isinstance(row.get("message"), dict) and (row.get("type") in ("user", "assistant") or row.get("role") in ("user", "assistant"))


def _is_codex(row: Row) -> bool:
    return isinstance(row.get("payload"), dict) and isinstance(row.get("type"), str)


def _is_gemini(row: Row) -> bool:
    return row.get("type") in ("user", "gemini") and ("content" in row or "toolCalls" in row)


def _is_opencode(row: Row) -> bool:
    return (isinstance(row.get("info"), dict) and isinstance(row.get("parts"), list)) or isinstance(row.get("part"), dict)


def _is_role(row: Row) -> bool:
    return isinstance(row.get("role"), str) and ("content" in row or "parts" in row or "tool_calls" in row)


# The first reader that knows a row of the transcript reads all of it.
ROWS: tuple[tuple[Callable[[Row], bool], Callable[[list[Row], Building], None]], ...] = (
    (_is_claude, _claude),
    (_is_codex, _codex),
    (_is_opencode, _opencode),
    (_is_gemini, _gemini),
    (_is_role, _roles),
)
