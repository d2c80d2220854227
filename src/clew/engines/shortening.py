"""A command's output that is too long for the window, compiled: the original stays behind a handle, or nothing is done at all."""

from __future__ import annotations

from clew.compiler.pipeline import compile_request
from clew.compiler.request import parse_request
from clew.compiler.tokens import counter
from clew.engines import compiling, projects
from clew.errors import StoreError
from clew.limits import TEXT_BYTES
from clew.rules.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clew.compiler.values import Compiled
    from clew.model import Event
    from clew.project import Place
    from clew.store.base import Store

WORTH = 0.7  # of its characters; what is hardly shorter is not worth a detour
KEPT_SECONDS = 30 * 86_400.0  # how long the original stays
NOTE_TOKENS = 100  # of what is said beside the content
QUERY_BYTES = 4_096  # of the command, which says what was asked for


def shortened(store: Store, event: Event, where: Place, *, most: int) -> str:
    """What is to stand in place of an output of more than `most` tokens, "" to leave it as it is. Reads the file that holds it, if any.

    It is left when losing what is cut would be of high risk, when it holds a secret (the original could not be kept byte for byte), when
    it hardly gets shorter or nothing of it is left, when it is more than one fragment may hold, and when the original cannot be written
    just now. `where` is the project that keeps it.
    """
    printed = _whole(event.whole) if event.whole else event.output
    if not store.writable or len(printed) <= most or len(printed.encode()) > TEXT_BYTES or redact(printed).found:
        return ""
    fragment = {"content": printed, "kind": "tool_result", "metadata": {"command": event.target[:QUERY_BYTES]}}
    policy = {"response_reserve_tokens": NOTE_TOKENS, "source_ttl_seconds": KEPT_SECONDS}
    query = event.target.encode()[:QUERY_BYTES].decode("utf-8", "ignore")
    request = parse_request({"query": query, "token_budget": most, "fragments": [fragment], "policy": policy})
    compiled = compile_request(request, counter())
    text = _said(compiled, printed)
    if (
        not compiled.content.strip()
        or compiled.account.tokens_in <= most
        or compiled.risk == "high"
        or not compiled.sources
        or len(text) > WORTH * len(printed)
    ):
        return ""
    try:
        owner = projects.for_writing(store, where, event.at)
        with store.transaction():
            store.prune_sources(event.at)  # what was kept for a while only makes room
            compiling.keep(store, request, compiled, project=owner, session=event.session, counter="heuristic", now=event.at)
    except StoreError:
        return ""
    return text


def _whole(path: str) -> str:
    """All that a client put into a file, "" where that is too much, is no text, or is not there."""
    try:
        with open(path, "rb") as file:
            raw = file.read(TEXT_BYTES + 1)
        return "" if len(raw) > TEXT_BYTES or b"\0" in raw else raw.decode()
    except (OSError, ValueError):
        return ""


def _said(compiled: Compiled, whole: str) -> str:
    (handle, *_) = compiled.decisions[0].handles or ("",)
    short, lines = compiling.short(handle), whole.count("\n") + (not whole.endswith("\n"))
    note = f"[clew compiled {lines:,} line{'s' * (lines > 1)}; whole: retrieve_source {short}, or `clew sources show {short}`]"
    return f"{compiled.content.rstrip()}\n{note}"
