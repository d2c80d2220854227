"""What was said, called and shown in a session, put together as fragments within the limits of a request."""

from __future__ import annotations

import json
import re

from clew.compiler.logs import looks_like_log
from clew.compiler.media import decode_base64
from clew.errors import InvalidInput
from clew.limits import FRAGMENT_BYTES, FRAGMENTS, MEDIA_BASE64, MEDIA_TOTAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Fragment = dict[str, Any]

_PATHS = ("file_path", "filePath", "absolute_path", "target_file", "notebook_path", "path", "file")
_RANGES = ("offset", "limit", "start_line", "end_line", "startLine", "endLine", "view_range")
_TARGETS = ("url", "target", "selector", *_PATHS)
_READS = re.compile(r"(?i)^(?:mcp__\w+__)?(?:read|view|open|cat)(?:_?(?:text_?)?file(?:_contents?)?)?$|^fs_read$")
_READ_COMMAND = re.compile(
    r"\s*(?:cat|nl -ba|head(?: -n? ?\d+)?|tail(?: -n? ?\d+)?|sed -n ['\"]?[\d,$]+p['\"]?)\s+(['\"]?)([\w./~@+-]+)\1\s*$"
)
_WHOLE_COMMAND = re.compile(r"\s*(?:cat|nl)\b")
_SCREENSHOT = re.compile(r"(?i)screen_?shot|snapshot|computer")
_DIFF = re.compile(r"(?:diff --git |--- \S.*\n\+\+\+ \S|Index: )")
_DATA = re.compile(r"data:([\w.+/-]+);base64,")
_KINDS = {"md": "markdown", "markdown": "markdown", "rst": "markdown", "json": "json", "jsonl": "json", "log": "log", "txt": "text"}
_KINDS |= {"diff": "diff", "patch": "diff"}
_COMMAND_CHARS = 500  # of a command kept beside its output


class Building:
    """Takes in a session in its order. `summary`: whether what is said now is the client's own summary of what went before."""

    def __init__(self) -> None:
        self.summary = False
        self._fragments: list[Fragment] = []
        self._calls: dict[str, tuple[str, Any]] = {}
        self._turn = 0
        self._media = 0

    def says(self, role: str, text: str) -> None:
        """A text of the user, the assistant or the system."""
        if not text.strip():
            return
        if role == "user":
            self._turn += 1
        self._put(text, "text", "assistant" if role == "model" else role, {"summary": True} if self.summary else {})

    def call(self, key: str, name: str, arguments: Any) -> None:
        """A tool is called; `key` is what the result will name."""
        self._calls[key] = name, arguments
        written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)
        self._put(f"{name} {written}", "text", "assistant", {"tool": name})

    def result(self, key: str, content: Any, *, name: str = "") -> None:
        """What a tool gave back: a text, or blocks of text and images."""
        called, arguments = self._calls.get(key, (name, None))
        more = {"tool": called} if called else {}
        command = _command(arguments)
        if command:
            more["command"] = command[:_COMMAND_CHARS]
        for block in content if isinstance(content, list) else [content]:
            if isinstance(block, dict) and self.shows("tool", block, key):
                continue
            text = block if isinstance(block, str) else _text(block)
            if text.strip():
                path = _read_path(called, arguments, command)
                part = _range(arguments, command) if path else {}
                self._put(text, _kind(text, path), "tool", more | part, path)

    def shows(self, role: str, block: dict[str, Any], key: str = "") -> bool:
        """Takes the block in if it is an image in one of the ways clients write one; says whether it was."""
        found = _image(block)
        if found is None:
            return False
        mime, encoded = found
        called, arguments = self._calls.get(key, ("", None))
        more = {"tool": called} if called else {}
        target = _first(arguments, _TARGETS) or (called if _SCREENSHOT.search(called) else "")
        problem = self._unfit(encoded)
        if problem:
            self._put(f"[{mime}, {len(encoded)} characters of base64: {problem}]", "text", role, more)
        else:
            self._media += len(encoded)
            self._put("", "screenshot", role, more | ({"target": target} if target else {}))
            self._fragments[-1]["media"] = {"mime": mime, "bytes_b64": encoded}
        return True

    def done(self) -> list[Fragment]:
        """All fragments; where they are too many, the oldest are joined."""
        over = len(self._fragments) - FRAGMENTS
        if over <= 0:
            return self._fragments
        joined: list[Fragment] = []
        for place, fragment in enumerate(self._fragments):
            if over > 0 and joined and _fit(joined[-1], fragment):
                joined[-1] = _joined(joined[-1], fragment)
                over -= 1
            else:
                joined.append(fragment)
            if over <= 0:
                return joined + self._fragments[place + 1 :]
        left = joined[: over + 1]  # attachments alone: too many to be shown, and nothing to join them with
        told = {"content": f"[{len(left)} earlier attachments left out]", "kind": "text", "metadata": {"turn": 0, "role": "system"}}
        return [told, *joined[over + 1 :]]

    def _put(self, text: str, kind: str, role: str, more: dict[str, Any], path: str = "") -> None:
        for part in _parts(text):
            fragment: Fragment = {"content": part, "kind": kind, "metadata": {"turn": self._turn, "role": role, **more}}
            if path:
                fragment["path"] = path
            self._fragments.append(fragment)

    def _unfit(self, encoded: str) -> str:
        if len(encoded) > MEDIA_BASE64:
            return "larger than an attachment may be"
        if self._media + len(encoded) > MEDIA_TOTAL:
            return "more than all attachments together may have"
        try:
            decode_base64(encoded, "media")
        except InvalidInput:
            return "not readable"
        return ""


def _parts(text: str) -> Iterator[str]:
    """The text in parts of at most FRAGMENT_BYTES, cut after a line where there is one; the parts together are the text."""
    text = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate has no bytes
    most = FRAGMENT_BYTES // 4 if not text.isascii() else FRAGMENT_BYTES
    at = 0
    while len(text) - at > most:
        end = text.rfind("\n", at + 1, at + most) + 1 or at + most
        yield text[at:end]
        at = end
    yield text[at:]


def _fit(one: Fragment, other: Fragment) -> bool:
    room = FRAGMENT_BYTES - len(one["content"].encode()) - len(other["content"].encode())
    return "media" not in one and "media" not in other and room > 1


def _joined(one: Fragment, other: Fragment) -> Fragment:
    kind = one["kind"] if one["kind"] == other["kind"] else "text"
    turns = {"turn": one["metadata"]["turn"], "role": "several", "until": other["metadata"]["turn"]}
    return {"content": f"{one['content']}\n{other['content']}", "kind": kind, "metadata": turns}


def _kind(text: str, path: str) -> str:
    if path:
        return _KINDS.get(path.rpartition(".")[2].lower() if "." in path.rpartition("/")[2] else "txt", "code")
    if _DIFF.match(text):
        return "diff"
    return "log" if looks_like_log(text) else "tool_result"


def _text(block: Any) -> str:
    if isinstance(block, dict) and isinstance(block.get("text"), str):
        return str(block["text"])
    return "" if block in (None, {}, []) else json.dumps(block, ensure_ascii=False, default=str)


def _command(arguments: Any) -> str:
    found = arguments.get("command", arguments.get("cmd")) if isinstance(arguments, dict) else None
    if isinstance(found, list):  # ["bash", "-lc", "npm test"]
        words = [str(word) for word in found]
        return words[-1] if len(words) == 3 and words[1] in ("-lc", "-c") else " ".join(words)
    return found if isinstance(found, str) else ""


def _read_path(called: str, arguments: Any, command: str) -> str:
    """Which file the result is a reading of: of a tool that reads, or of a command that only prints one file."""
    if command:
        printed = _READ_COMMAND.match(command)
        return printed[2] if printed else ""
    return _first(arguments, _PATHS) if _READS.match(called) else ""


def _range(arguments: Any, command: str) -> dict[str, Any]:
    if command:
        return {} if _WHOLE_COMMAND.match(command) else {"range": command.split()[:-1]}
    given = arguments if isinstance(arguments, dict) else {}
    found = {key: given[key] for key in _RANGES if given.get(key) is not None}
    return {"range": found} if found else {}


def _first(arguments: Any, keys: tuple[str, ...]) -> str:
    return next((arguments[k] for k in keys if isinstance(arguments.get(k), str)), "") if isinstance(arguments, dict) else ""


def _image(block: dict[str, Any]) -> tuple[str, str] | None:
    """Mime type and base64: Anthropic's source, Gemini's inlineData, MCP's data, or a data address."""
    inner = block.get("source") or block.get("inlineData") or block.get("inline_data") or block
    if isinstance(inner, dict) and isinstance(inner.get("data"), str):
        mime = inner.get("media_type") or inner.get("mimeType") or inner.get("mime_type")
        return (mime, inner["data"]) if isinstance(mime, str) and mime.startswith("image/") else None
    address = block.get("image_url") or block.get("url")
    if isinstance(address, dict):
        address = address.get("url")
    if not isinstance(address, str):
        return None
    found = _DATA.match(address)
    return (found[1], address[found.end() :]) if found and found[1].startswith("image/") else None
