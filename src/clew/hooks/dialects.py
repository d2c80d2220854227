"""What clients say and how they want to be answered, as tables. Pure: a payload in, an Event out; a pack in, a reply out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from clew.model import Event, Pack

# Client → its event's name → our kind of event.
EVENTS: dict[str, dict[str, str]] = {
    "claude": {
        "SessionStart": "session_start",
        "UserPromptSubmit": "prompt",
        "PreToolUse": "before_tool",
        "PostToolUse": "tool",
        "PostToolUseFailure": "tool",
        "PreCompact": "compact",
        "Stop": "turn_end",
        "SessionEnd": "session_end",
    },
}
ANSWERED = ("session_start", "prompt", "before_tool", "tool")  # kinds whose reply carries context
ORIGINS = {"claude": "claude-code"}  # what a client is called where memories name their origin
USERS = ("", "user", "sdk")  # sources of a prompt that somebody wrote; the others are timers and notices of the client's own

NAME_CHARS = 150  # of a session's name
AGENT_CHARS = 40  # of a subagent's, behind it
SHELL = "Bash"  # the tool that runs commands
# Of a very long output the answer holds the beginning, and where the rest is: then the model is shown a preview of that.
_PERSISTED = ("persistedOutputPath", "persistedOutputSize")

# Where a tool's arguments name what it works on, the most telling first; a `path` besides is told too, on a line of its own.
_TARGETS = ("file_path", "notebook_path", "command", "pattern", "path", "url", "query", "description")
# Where a tool's answer holds its text, each of them a text, a list of blocks or one more object.
_ANSWERS = ("stdout", "stderr", "file", "content", "text", "filenames", "output", "result", "error")
_DEEP, _BLOCKS = 4, 5_000
_LONGEST = 86_400.0  # seconds a tool may have run; whoever says more is not believed
_EXIT, _EXIT_DIGITS = "Exit code ", 10  # how the error of a command begins
# A foreign program that runs another client's hook file shows itself in the environment (docs/hooks.md).
_FOREIGN = (
    ("copilot", "COPILOT_CLI"),
    ("cursor", "CURSOR_VERSION"),
    ("qwen", "QWEN_CODE_SESSION_ID"),
    ("qwen", "QWEN_PROJECT_DIR"),
    ("gemini", "GEMINI_SESSION_ID"),
)


def caller(client: str, payload: Mapping[str, Any], env: Mapping[str, str]) -> str:
    """Who really runs this hook: Copilot, Cursor, Qwen and others execute hooks that were installed for Claude Code.

    A session id that both the payload and Claude Code's own variable name settles it; a client started inside another one's shell
    inherits that one's variables.
    """
    session = payload.get("session_id")
    if client == "claude" and session and session == env.get("CLAUDE_CODE_SESSION_ID"):
        return client
    if "cursor_version" in payload:
        return "cursor"
    if "hookEventName" in payload and "hook_event_name" not in payload:
        return "vscode"
    return next((name for name, variable in _FOREIGN if env.get(variable)), client)


def event_of(client: str, name: str, payload: Mapping[str, Any], env: Mapping[str, str]) -> Event | None:
    """The Event of a payload, None for one we do not follow. A missing field, or one of another type, counts as empty.

    What the client does not number is told apart by the process it is: a session can be resumed twice within a moment.
    """
    kind = EVENTS.get(client, {}).get(name)
    if kind is None:
        return None
    from clew.model import Event  # two milliseconds, which most hooks before a tool do without

    event = Event(
        kind=kind,
        client=ORIGINS.get(client, client),
        session=_session_of(kind, payload),
        cwd=_text(payload, "cwd"),
        failed=name == "PostToolUseFailure",
        id=_text(payload, "tool_use_id") or _text(payload, "prompt_id") or env.get("CLAUDE_PID", ""),
        **_PARTS[kind](payload),
    )
    return None if kind == "prompt" and event.source not in USERS else event


def _session_of(kind: str, payload: Mapping[str, Any]) -> str:
    """Whose event it is. What a subagent's tools do is a session of its own: it has its own window, its tries are not another's."""
    session, agent = _text(payload, "session_id")[:NAME_CHARS], _text(payload, "agent_id")
    from clew.model import SUBAGENT

    return f"{session}{SUBAGENT}{agent[:AGENT_CHARS]}" if session and agent and kind in ("before_tool", "tool") else session


def _text(payload: Any, field: str) -> str:
    value = payload.get(field) if isinstance(payload, dict) else None
    if not isinstance(value, str):
        return ""
    return value if value.isascii() and "\0" not in value else value.replace("\0", "").encode("utf-8", "replace").decode()


def _session(payload: Mapping[str, Any]) -> dict[str, Any]:
    source = _text(payload, "source") or _text(payload, "reason") or _text(payload, "trigger")
    return {"source": source, "model": _text(payload, "model")[:NAME_CHARS]}


def _prompt(payload: Mapping[str, Any]) -> dict[str, Any]:
    return {"text": _text(payload, "prompt"), "source": _text(payload, "source")}


def _tool(payload: Mapping[str, Any]) -> dict[str, Any]:
    given = payload.get("tool_input")
    told = [value for field in _TARGETS if (value := _text(given, field))]
    place = _text(given, "path")
    answer = payload.get("tool_response")
    error = _text(payload, "error")
    return {
        "text": error or answered(answer),
        "tool": _text(payload, "tool_name"),
        "target": "\n".join(told[:1] + [place] * (place not in ("", *told[:1]))),
        "given": given if isinstance(given, dict) else {},
        "path": _text(given, "file_path") or _text(given, "notebook_path"),
        "exit": _exit(payload, error),
        "output": _printed(payload),
        "whole": _text(answer, _PERSISTED[0]),
        "interrupted": payload.get("is_interrupt") is True or (isinstance(answer, dict) and answer.get("interrupted") is True),
        "took": _took(payload.get("duration_ms")),
    }


def _took(told: Any) -> float:
    """Milliseconds as a client tells them, in seconds; 0.0 for what is no span of time."""
    return told / 1e3 if isinstance(told, int | float) and 0 < told <= _LONGEST * 1e3 else 0.0


def _exit(payload: Mapping[str, Any], error: str) -> int | None:
    """The status of a command: a failed one leads its error with it, one that came back is over with 0; None for other tools."""
    if error.startswith(_EXIT):
        digits = error[len(_EXIT) :].split("\n", 1)[0].strip()
        return int(digits) if digits.isdecimal() and len(digits) <= _EXIT_DIGITS else None
    answer = payload.get("tool_response")
    return 0 if not error and isinstance(answer, dict) and "stdout" in answer else None


def _printed(payload: Mapping[str, Any]) -> str:
    """What a command printed, where something else may be put in its place: as text that can be kept byte for byte, "" otherwise."""
    answer = payload.get("tool_response")
    if payload.get("tool_name") != SHELL or not isinstance(answer, dict) or answer.get("isImage") is True:
        return ""
    stdout = _text(answer, "stdout")
    return stdout if stdout == answer.get("stdout") else ""


def answered(answer: Any, depth: int = 0) -> str:
    """The text of what a tool answered, "" for an answer of no known form. Clients hand on each tool's own object.

    A command answers {stdout, stderr}, a read {file: {content}}, a search {content} or {filenames}, an MCP tool a text or its blocks.
    """
    if isinstance(answer, list):
        return "\n".join(filter(None, (answered(part, depth + 1) for part in answer[:_BLOCKS]))) if depth < _DEEP else ""
    if not isinstance(answer, dict):
        return _text({"": answer}, "")
    parts = (answered(answer[field], depth + 1) for field in _ANSWERS if field in answer) if depth < _DEEP else ()
    return "\n".join(filter(None, parts))


def _turn_end(payload: Mapping[str, Any]) -> dict[str, Any]:
    return {"text": _text(payload, "last_assistant_message")}


_PARTS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "session_start": _session,
    "session_end": _session,
    "compact": _session,
    "prompt": _prompt,
    "before_tool": _tool,
    "tool": _tool,
    "turn_end": _turn_end,
}


def reply(client: str, name: str, pack: Pack, payload: Mapping[str, Any]) -> dict[str, Any] | None:
    """The JSON object that puts a pack before the agent; None for silence. Clients that validate strictly get nothing more.

    Before a tool a pack is the reason why it is not run. After one its `output` takes the place of what a command printed, in the form
    in which the payload tells it.
    """
    kind = EVENTS.get(client, {}).get(name)
    if not (pack.text or pack.output) or kind not in ANSWERED:
        return None
    if kind == "before_tool":
        return {"hookSpecificOutput": {"hookEventName": name, "permissionDecision": "deny", "permissionDecisionReason": pack.text}}
    said: dict[str, Any] = {"additionalContext": pack.text} if pack.text else {}
    if pack.output:
        rest = {name: value for name, value in payload["tool_response"].items() if name not in _PERSISTED}
        said["updatedToolOutput"] = {**rest, "stdout": pack.output}
    return {"hookSpecificOutput": {"hookEventName": name, **said}}
