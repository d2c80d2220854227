"""Whatever line arrives, the engine answers as the specification says or is silent, and then answers a ping. Ten thousand lines."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.mcp.calls import Desk
from clew.mcp.protocol import HANDSHAKE, KEY, STATELESS, Protocol
from clew.mcp.tools import INSTRUCTIONS, TOOLS
from clew.service import Clew

LINES_AN_EXAMPLE, EXAMPLES = 20, 500  # ten thousand lines
CODES = {-32700, -32600, -32601, -32602, -32022}

texts = st.one_of(st.text(max_size=20), st.sampled_from(["", "\0", "\ud800", "\x1b[2J", "‮", "1", "#1", "abcdef", "x" * 5_000]))
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.sampled_from([1, -1, 2**53, 10**400, 1.5, -0.0, 1e308]), st.floats(allow_nan=False), texts
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=8)
ids = st.one_of(st.integers(0, 99), st.text(max_size=5), values)
versions = st.sampled_from([STATELESS, *HANDSHAKE, "2031-01-01", "", 3, None])
names = [tool["name"] for tool in TOOLS]
NOTICES = ("initialized", "cancelled", "roots/list_changed")
METHODS = ("initialize", "ping", "tools/list", "tools/call", "server/discover", "resources/list", "subscriptions/listen", "")
methods = st.one_of(st.sampled_from([*METHODS, *(f"notifications/{name}" for name in NOTICES)]), values)
metas = st.one_of(
    values,
    st.fixed_dictionaries(
        {KEY + "protocolVersion": versions},
        optional={KEY + "clientCapabilities": st.one_of(st.just({}), values), KEY + "clientInfo": values, "progressToken": values},
    ),
)
# What the compiler's tools take: parts that they know, right and wrong.
kinds = st.one_of(st.sampled_from(["log", "code", "text", "screenshot"]), values)
media = st.one_of(
    values, st.fixed_dictionaries({"mime": st.sampled_from(["image/png", "text/x", "x"]), "bytes_b64": st.just("iVBORw0KGgo=")})
)
fragment = st.fixed_dictionaries(
    {"content": texts | st.just("a line\n" * 400)},
    optional={"kind": kinds, "path": texts, "media": media, "priority": values, "id": values},
)
policies = st.fixed_dictionaries({}, optional={"slim_response": values, "chunk": values, "store_sources": values, "pricing": values})
scopes = st.fixed_dictionaries({"project": st.sampled_from(["lines", "nowhere"]) | values}, optional={"k": values})
requested = {"query": texts, "token_budget": st.integers(0, 300), "fragments": st.lists(fragment, max_size=3), "policy": policies}
requested |= {"memory_scope": scopes}
whole = st.fixed_dictionaries({}, optional=requested)
task = st.fixed_dictionaries({}, optional={"goal": texts, "decisions": st.lists(texts, max_size=3), "exact_evidence": values})
SHAPED = {**requested, "request": whole, "context": task}


@st.composite
def arguments(draw, tool):
    """Some of a tool's arguments, right and wrong, and now and then one that it does not have."""
    properties = next(shown["inputSchema"]["properties"] for shown in TOOLS if shown["name"] == tool)
    right = {"string": texts, "integer": st.integers(0, 500), "number": st.floats(), "boolean": st.booleans()}
    right |= {"array": st.lists(texts, max_size=3), "object": st.dictionaries(texts, scalars, max_size=3)}
    chosen = draw(st.sets(st.sampled_from(sorted(properties)))) if properties else ()
    given_ = {name: draw(st.one_of(SHAPED.get(name, right[properties[name]["type"]]), values)) for name in sorted(chosen)}
    return given_ | draw(st.dictionaries(st.just("origin"), values, max_size=1))


@st.composite
def calls(draw):
    """The params of a tool call."""
    tool = draw(st.sampled_from(names))
    return {"name": tool, "arguments": draw(st.one_of(arguments(tool), values))}


params = st.one_of(
    values,
    calls(),
    st.fixed_dictionaries({"_meta": metas}, optional={"name": st.sampled_from(names), "arguments": values, "cursor": values}),
    st.fixed_dictionaries({"protocolVersion": versions, "capabilities": st.sampled_from([{}, {"roots": {}}, 3]), "clientInfo": values}),
)
requests = st.one_of(
    st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "method": methods}, optional={"id": ids, "params": params}),
    st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "method": st.just("tools/call"), "id": ids, "params": calls()}),
    st.fixed_dictionaries(
        {}, optional={"jsonrpc": values, "id": ids, "method": methods, "params": params, "result": values, "error": values}
    ),
)
messages = st.one_of(requests, requests, st.lists(st.one_of(requests, values), max_size=4), values)
written = messages.map(lambda message: json.dumps(message, allow_nan=True).encode())
lines = st.one_of(
    written,
    written,
    st.binary(max_size=60),
    st.tuples(written, st.integers(0, 40)).map(lambda pair: pair[0][: -pair[1]]),
    st.tuples(written, st.integers(0, 200), st.binary(min_size=1, max_size=3)).map(lambda t: t[0][: t[1]] + t[2] + t[0][t[1] :]),
).map(lambda line: line.replace(b"\n", b" "))


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Tool calls on one store of this module's own, all clients together."""
    folder = tmp_path_factory.mktemp("lines")
    env = {"CLEW_DB": str(folder / "memory.db"), "CLEW_PROJECT": "lines", "HOME": str(folder), "CLEW_EMBED": "hashing"}
    made = Desk(lambda root, origin: Clew(origin=origin, env=env, long_lived=False))
    yield made
    made.close()


def opened(desk):
    return Protocol(desk.call, tools=TOOLS, instructions=INSTRUCTIONS, server={"name": "clew", "version": "0"})


def read(line):
    """What a line means, or None when it is no JSON."""
    try:
        return json.loads(line, parse_constant=lambda name: 1 / 0)
    except (ValueError, RecursionError, ZeroDivisionError):
        return None


def is_valid(reply):
    """Whether one object is a reply as the specification writes it, or a request of ours."""
    if reply.get("method") == "roots/list":
        return set(reply) == {"jsonrpc", "id", "method"}
    if "error" in reply:
        return set(reply) == {"jsonrpc", "id", "error"} and reply["error"]["code"] in CODES and isinstance(reply["error"]["message"], str)
    called = reply["result"].get("content")
    fine = called is None or (
        isinstance(called[0]["text"], str) and reply["result"]["isError"] is ("structuredContent" not in reply["result"])
    )
    return set(reply) == {"jsonrpc", "id", "result"} and fine and isinstance(reply["id"], str | int)


def check(protocol, line):
    """Send a line; what comes back must be valid, and nothing may come back where nothing must."""
    sent = protocol.receive(line) + protocol.give_up()
    assert all(part.isascii() and b"\n" not in part for part in sent)
    replies = [json.loads(part) for part in sent]
    for reply in replies:
        assert all(map(is_valid, reply if isinstance(reply, list) else [reply])), (line, reply)
    assert b"clew could not do this" not in b"".join(sent), (line, sent)  # a fault of ours, answered but not fine
    message = read(line)
    if isinstance(message, dict) and "method" in message and "id" in message:
        assert len(replies) == 1
    elif isinstance(message, dict) and isinstance(message.get("method"), str):
        assert all(reply.get("method") == "roots/list" for reply in replies)
    if not line.strip():
        assert replies == []


def alive(protocol):
    """A ping is answered, whatever came before."""
    (pong,) = protocol.receive(b'{"jsonrpc":"2.0","id":"alive","method":"ping"}')
    return json.loads(pong) == {"jsonrpc": "2.0", "id": "alive", "result": {}}


@settings(
    max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
)
@given(st.lists(lines, min_size=LINES_AN_EXAMPLE, max_size=LINES_AN_EXAMPLE))
def test_no_line_goes_unanswered_wrongly_or_ends_the_engine(desk, sent):
    protocol = opened(desk)
    for line in sent:
        check(protocol, line)
    assert alive(protocol)


@pytest.mark.parametrize("tool", names)
@pytest.mark.parametrize("depth", [500, 200_000])
def test_deep_nesting_in_an_argument_is_answered(desk, tool, depth):
    protocol = opened(desk)
    nested = '{"a":' * depth + "1" + "}" * depth
    call = (
        f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{{"summary":"x","metadata":{nested}}}}}}}'
    )
    (reply,) = map(json.loads, protocol.receive(call.encode()))
    assert reply["id"] is None if depth > 1_000 else reply["result"]["isError"]
    assert alive(protocol)


def test_an_argument_of_twenty_megabytes_is_answered_with_the_limit(desk):
    protocol = opened(desk)
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "remember", "arguments": {"summary": "x", "detail": "y" * 20_000_000}},
    }
    (reply,) = map(json.loads, protocol.receive(json.dumps(call).encode()))
    assert reply["result"]["isError"] is True
    assert "at most 1,048,576" in reply["result"]["content"][0]["text"]
    assert alive(protocol)


def test_a_fault_of_ours_is_an_answer_and_the_store_is_opened_anew():
    opened_at = []

    def broken(root, origin):
        opened_at.append((root, origin))
        raise RuntimeError("no luck\x1b[2J")

    desk = Desk(broken)
    for _ in range(2):
        result = desk.call("recall", {"question": "x"}, "Zed", "file:///srv")
        assert result["isError"] is True
        assert "RuntimeError: no luck[2J" in result["content"][0]["text"]
    assert opened_at == [("file:///srv", "zed")] * 2
