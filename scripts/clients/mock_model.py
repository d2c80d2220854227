"""A model that does as the prompt says: three model APIs on loopback, so that real agent programs can be driven without a network.

It speaks Anthropic Messages, OpenAI Responses and OpenAI Chat Completions, streamed or whole. A prompt scripts it with `⟦call TOOL {json}⟧`
marks, each one tool call, in order, the next when the last one's result is there; then, and for every other prompt, it ends its turn.
`⟦cost N⟧` makes requests dear, so that a client compacts by itself.
Every request body is kept in `Model.requests`, which is what the checks look into.
"""

from __future__ import annotations

import gzip
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

CALL = re.compile(r"⟦call (\S+) (.*?)⟧", re.S)
COST = re.compile(r"⟦cost (\d+)⟧")  # in a prompt: what requests that hold it are said to have cost, in tokens
QUOTED = re.compile(r"<clew-memory\b.*?</clew-memory>", re.S)  # a pack's records, which may quote an earlier script, are no instructions
ASKS_SUMMARY = re.compile(r"(detailed )?summary of (the|this|our) conversation", re.I)
CLOSING = "All done."
SUMMARY = "<summary>The work so far, summed up.</summary>"
THINKING = 1.2  # seconds before a call: one that follows a result sooner counts as sent together with the call before it
TOKENS = 100  # what every request is said to have cost


class Request(NamedTuple):
    """What a client sent: which API, its body, and the names of the tools it offered."""

    api: str
    body: dict[str, Any]
    tools: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole body as text, the way the model would see it."""
        return json.dumps(self.body, ensure_ascii=False)


class Call(NamedTuple):
    """A tool call the model makes: the tool's full name, its namespace where the API has them, and the arguments as JSON text."""

    name: str
    namespace: str
    arguments: str


def flat(content: Any) -> str:
    """All text of a message's content, results of tools left out."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(flat(part) for part in content)
    if isinstance(content, dict) and content.get("type") != "tool_result":
        return flat(content.get("text") or content.get("content") or "")
    return ""


def steps(api: str, body: dict[str, Any]) -> list[tuple[str, int]]:
    """The conversation as (what a user said, how many results came with it), oldest first."""
    found = []
    for part in body.get("input" if api == "responses" else "messages") or []:
        if not isinstance(part, dict):
            continue
        kind, content = str(part.get("type", "")), part.get("content")
        if part.get("role") == "tool" or kind.endswith("call_output"):
            found.append(("", 1))
        elif part.get("role") == "user":
            results = sum(isinstance(p, dict) and p.get("type") == "tool_result" for p in content) if isinstance(content, list) else 0
            found.append((QUOTED.sub("", flat(content)), results))
    return found


def offered(body: dict[str, Any]) -> list[tuple[str, str]]:
    """(name, namespace) of every tool of a request."""
    found = []
    for tool in body.get("tools") or []:
        if tool.get("type") == "namespace":
            found += [(inner["name"], tool["name"]) for inner in tool.get("tools", [])]
        else:
            name = tool.get("name") or tool.get("function", {}).get("name")
            found += [(name, "")] if name else []
    return found


def turn(api: str, body: dict[str, Any]) -> Call | str:
    """What the model does next: a call of the newest script that has no result yet, or its closing words."""
    said = steps(api, body)
    newest = next((text for text, _ in reversed(said) if text.strip()), "")
    scripted = max((i for i, (text, _) in enumerate(said) if CALL.search(text)), default=-1)
    tools = offered(body)
    if ASKS_SUMMARY.search(newest):
        return SUMMARY
    if not tools or scripted < 0:
        return CLOSING
    calls = CALL.findall(said[scripted][0])
    done = sum(results for _, results in said[scripted + 1 :])
    if done >= len(calls):
        return CLOSING
    wanted, arguments = calls[done]
    name, namespace = next((t for t in tools if t[0] == wanted), None) or next((t for t in tools if t[0].endswith(wanted)), (wanted, ""))
    return Call(name, namespace, arguments.replace('\\"', '"'))


def thought(api: str, body: dict[str, Any]) -> Call | str:
    """What the model does next, after the time a model takes before it calls a tool."""
    act = turn(api, body)
    time.sleep(THINKING * isinstance(act, Call))
    return act


def cost(body: dict[str, Any]) -> int:
    """Tokens that a request is said to have cost."""
    said = COST.search("\n".join(text for text, _ in steps("anthropic", body)))
    return int(said[1]) if said else TOKENS


def anthropic(body: dict[str, Any], act: Call | str) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """(the whole answer, its events) in the Messages API."""
    if isinstance(act, Call):
        block: dict[str, Any] = {"type": "tool_use", "id": f"toolu_{id(act):x}", "name": act.name, "input": json.loads(act.arguments)}
        opened, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": act.arguments}
    else:
        block = {"type": "text", "text": act}
        opened, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": act}
    usage = {"input_tokens": cost(body), "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    stop = "tool_use" if isinstance(act, Call) else "end_turn"
    whole = {"id": f"msg_{id(act):x}", "type": "message", "role": "assistant", "model": body.get("model", ""), "content": [block]}
    whole |= {"stop_reason": stop, "stop_sequence": None, "usage": usage}
    begun = {**whole, "content": [], "stop_reason": None}
    events: list[tuple[str, Any]] = [
        ("message_start", {"message": begun}),
        ("content_block_start", {"index": 0, "content_block": opened}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}),
        ("message_stop", {}),
    ]
    return whole, [(name, {"type": name, **data}) for name, data in events]


def responses(body: dict[str, Any], act: Call | str) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """(the whole answer, its events) in the Responses API."""
    if isinstance(act, Call):
        part: dict[str, Any] = {"type": "function_call", "id": f"fc_{id(act):x}", "call_id": f"call_{id(act):x}", "name": act.name}
        part |= {"arguments": act.arguments, "status": "completed"} | ({"namespace": act.namespace} if act.namespace else {})
    else:
        content = [{"type": "output_text", "text": act, "annotations": []}]
        part = {"type": "message", "id": f"msg_{id(act):x}", "role": "assistant", "status": "completed", "content": content}
    usage = {"input_tokens": TOKENS, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": TOKENS + 5}
    whole = {"id": f"resp_{id(act):x}", "object": "response", "created_at": 0, "status": "completed", "model": body.get("model", "")}
    whole |= {"output": [part], "usage": usage, "error": None, "incomplete_details": None}
    begun = {**whole, "status": "in_progress", "output": [], "usage": None}
    events: list[tuple[str, Any]] = [
        ("response.created", {"response": begun}),
        ("response.output_item.added", {"output_index": 0, "item": {**part, "status": "in_progress"}}),
        ("response.output_item.done", {"output_index": 0, "item": part}),
        ("response.completed", {"response": whole}),
    ]
    return whole, [(name, {"type": name, "sequence_number": n, **data}) for n, (name, data) in enumerate(events)]


def chat(body: dict[str, Any], act: Call | str) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """(the whole answer, its events) in the Chat Completions API."""
    usage = {"prompt_tokens": TOKENS, "completion_tokens": 5, "total_tokens": TOKENS + 5}
    base = {"id": f"chatcmpl-{id(act):x}", "created": 0, "model": body.get("model", "")}
    message: dict[str, Any] = {"role": "assistant", "content": None if isinstance(act, Call) else act}
    if isinstance(act, Call):
        function = {"name": act.name, "arguments": act.arguments}
        message["tool_calls"] = [{"index": 0, "id": f"call_{id(act):x}", "type": "function", "function": function}]
    reason = "tool_calls" if isinstance(act, Call) else "stop"
    choice = {"index": 0, "message": message, "finish_reason": reason}
    whole = {**base, "object": "chat.completion", "usage": usage, "choices": [choice]}
    piece = {**base, "object": "chat.completion.chunk"}
    events: list[tuple[str, Any]] = [
        ("", {**piece, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
        ("", {**piece, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}),
        ("", {**piece, "choices": [], "usage": usage}),
        ("", "[DONE]"),
    ]
    return whole, events


APIS = {"/messages": ("anthropic", anthropic), "/responses": ("responses", responses), "/chat/completions": ("chat", chat)}


class Model:
    """The server, on a free port of loopback while the block lasts. `requests` grows as clients ask."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _answering(self.requests))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Model:
        """Begin to serve."""
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *ended: object) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def since(self, count: int) -> list[Request]:
        """The requests after the first `count` that offered tools: the agent's own turns, without titles and summaries."""
        return [request for request in self.requests[count:] if request.tools]


def _answering(requests: list[Request]) -> type[BaseHTTPRequestHandler]:
    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: standard error is for the checks."""

        def do_HEAD(self) -> None:
            self._send(200, "application/json", b"")

        def do_GET(self) -> None:
            models = [{"id": "mock", "object": "model", "created": 0, "owned_by": "mock"}]
            found = self.path.partition("?")[0].rstrip("/").endswith("/models")
            self._send(200 if found else 404, "application/json", json.dumps({"data": models, "models": []}).encode())

        def do_POST(self) -> None:
            body = self._body()
            path = self.path.partition("?")[0].rstrip("/")
            if path.endswith("/count_tokens"):
                self._send(200, "application/json", json.dumps({"input_tokens": TOKENS}).encode())
                return
            api, wire = next((found for end, found in APIS.items() if path.endswith(end)), ("", None))
            if wire is None:
                self._send(404, "application/json", b'{"error":{"type":"not_found_error","message":"no such path"}}')
                return
            requests.append(Request(api, body, tuple(f"{space}/{name}" if space else name for name, space in offered(body))))
            whole, events = wire(body, thought(api, body))
            if body.get("stream"):
                lines = [
                    (f"event: {name}\n" if name else "") + f"data: {d if isinstance(d, str) else json.dumps(d)}\n\n" for name, d in events
                ]
                self._send(200, "text/event-stream", "".join(lines).encode())
            else:
                self._send(200, "application/json", json.dumps(whole).encode())

        def _body(self) -> dict[str, Any]:
            if "chunked" in self.headers.get("transfer-encoding", ""):
                raw = b""
                while size := int(self.rfile.readline().strip() or b"0", 16):
                    raw += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
            else:
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            if self.headers.get("content-encoding") == "gzip":
                raw = gzip.decompress(raw)
            try:
                body = json.loads(raw or b"{}")
            except ValueError:
                body = {}
            return body if isinstance(body, dict) else {}

        def _send(self, status: int, kind: str, data: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Answering
