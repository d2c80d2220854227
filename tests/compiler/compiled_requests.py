"""What the tests of the compiler share: a counter of their own, requests of any shape, and ways to look at what came out."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode

from hypothesis import strategies as st

from clew.compiler.pipeline import compile_request
from clew.compiler.values import Compiled

PROSE = (
    "The importer keeps open orders until somebody looks.",
    "Never restart the primary by hand.",
    "Release 2.14.3 of 2026-02-01 listens on port 8443 with 48 workers.",
    "See https://wiki.example/runbook#limits for the rest.",
    "A carrier may call twice; the second call is ignored.",
    "Les clés ne doivent jamais quitter le coffre.",
    "ご注意ください、再起動は禁止です。",
    "| port | 8443 |\n| host | db-1 |",
    "```python\nLIMIT = 3\n\nprint(LIMIT)\n```",
    "plain words and nothing else here",
)


class Words:
    """Counts as any counter may: roughly four bytes a token, a little less together than apart."""

    name = "words"

    def count(self, text: str) -> int:
        return (len(text.encode()) + 3) // 4


def compiled(fragments: list[dict], budget: int | None = None, query: str = "", **policy: object) -> Compiled:
    """The outcome of a request of fragments given as dicts."""
    request = {"query": query, "fragments": fragments, "policy": policy}
    return compile_request(request if budget is None else {**request, "token_budget": budget}, Words())


def rules(outcome: Compiled) -> list[str]:
    """The rule that settled each fragment."""
    return [decision.rule for decision in outcome.decisions]


def original(fragment: dict) -> bytes:
    """The bytes of a text fragment."""
    return fragment["content"].encode()


def png(width: int = 300, height: int = 250, seed: int = 0) -> dict[str, str]:
    """An image as a fragment's media."""

    def part(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    pixels = part(b"IDAT", zlib.compress(bytes([seed % 251]) * 64))
    return {"mime": "image/png", "bytes_b64": b64encode(b"\x89PNG\r\n\x1a\n" + head + pixels + part(b"IEND", b"")).decode()}


def log_of(lines: int) -> str:
    """A log of a build that goes well until it does not."""
    steps = [f"2026-03-02T09:{i // 60 % 60:02}:{i % 60:02}Z INFO worker: job {i} took {i % 7} ms" for i in range(lines)]
    return "\n".join([*steps, "2026-03-02T10:00:00Z ERROR worker: job 17 failed: no route to host", "1 failed"]) + "\n"


texts = st.one_of(
    st.lists(st.sampled_from(PROSE), min_size=1, max_size=6).map("\n\n".join),
    st.lists(st.sampled_from(PROSE), min_size=1, max_size=6).map("\n".join),
    st.integers(1, 60).map(log_of),
    st.text(max_size=120),
)


@st.composite
def fragments(draw: st.DrawFn) -> dict:
    """Any fragment: text, code, log, re-read file, cached, verbatim, image, memory."""
    fragment: dict = {"content": draw(texts), "kind": draw(st.sampled_from(["text", "code", "log", "markdown", "memory", "tool_result"]))}
    if draw(st.booleans()):
        fragment["path"] = draw(st.sampled_from(["a.py", "b.md"]))
    if draw(st.integers(0, 3)) == 0:
        fragment["priority"] = draw(st.integers(0, 255))
    fragment["metadata"] = draw(st.sampled_from([{}, {}, {}, {"cache": True}, {"verbatim": True}, {"target": "page"}, {"confidence": 0.9}]))
    if draw(st.integers(0, 7)) == 0:
        fragment["kind"], fragment["media"] = "screenshot", png(draw(st.integers(1, 400)), 30, draw(st.integers(0, 2)))
    return fragment


requests = st.builds(
    lambda listed, budget, query: {"query": query, "token_budget": budget, "fragments": listed},
    st.lists(fragments(), max_size=8),
    st.integers(1, 900),
    st.sampled_from(["", "which port", "who restarts the primary", "job failed", "zzz"]),
)
