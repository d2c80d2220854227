"""The protocol engine by what goes in and what comes out: both eras, every error, roots, batches. No process, no store."""

import json

import pytest

from clew.mcp.protocol import HANDSHAKE, KEY, MOST_HELD, STATELESS, Protocol

TOOL = {"name": "recall", "inputSchema": {"type": "object"}}
ENVELOPE = {KEY + "protocolVersion": STATELESS, KEY + "clientCapabilities": {}, KEY + "clientInfo": {"name": "claude-code"}}


class Client:
    """Sends to an engine whose one tool answers with how it was called."""

    def __init__(self):
        self.calls = []
        self.protocol = Protocol(self.called, tools=[TOOL], instructions="policy", server={"name": "clew", "version": "1"})

    def called(self, *how):
        self.calls.append(how)
        return {"content": [], "isError": False}

    def line(self, line):
        return [json.loads(reply) for reply in self.protocol.receive(line)]

    def send(self, message):
        return self.line(json.dumps(message).encode())

    def ask(self, method, params=None, asked=1):
        """The one reply to a request."""
        (reply,) = self.send({"jsonrpc": "2.0", "id": asked, "method": method, **({} if params is None else {"params": params})})
        assert (reply["jsonrpc"], reply["id"]) == ("2.0", asked)
        return reply

    def tell(self, method, params=None):
        return self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def open(self, version="2025-06-18", **capabilities):
        return self.ask(
            "initialize", {"protocolVersion": version, "capabilities": capabilities, "clientInfo": {"name": "codex-mcp-client"}}
        )["result"]

    def call_tool(self, asked=7):
        return self.send({"jsonrpc": "2.0", "id": asked, "method": "tools/call", "params": {"name": "recall", "arguments": {"a": 1}}})


@pytest.fixture
def client():
    return Client()


# the older era


@pytest.mark.parametrize("version", HANDSHAKE)
def test_a_known_version_is_agreed_to(client, version):
    opened = client.open(version)
    assert opened == {
        "protocolVersion": version,
        "capabilities": {"tools": {"listChanged": False}},
        "instructions": "policy",
        "serverInfo": {"name": "clew", "version": "1"},
    }


@pytest.mark.parametrize("version", ["1999-01-01", STATELESS, None, 7, ["2025-06-18"], {}])
def test_any_other_version_is_answered_with_the_newest_that_has_a_handshake(client, version):
    assert client.open(version)["protocolVersion"] == "2025-11-25"


def test_a_handshake_without_anything_in_it_still_opens(client):
    assert client.ask("initialize")["result"]["protocolVersion"] == "2025-11-25"
    assert client.ask("initialize", {"clientInfo": "x", "capabilities": 3})["result"]["serverInfo"]["name"] == "clew"


def test_notifications_are_never_answered(client):
    client.open()
    for method in ("notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed", "tools/list", "unheard/of"):
        assert client.tell(method) == []
    assert client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": [1]}) == []


def test_ping_is_answered_with_nothing(client):
    assert client.ask("ping", asked="a")["result"] == {}


def test_tools_are_listed_in_the_older_era_without_the_newer_one_s_fields(client):
    assert client.ask("tools/list")["result"] == {"tools": [TOOL]}


def test_a_call_carries_the_name_from_the_handshake(client):
    client.open()
    assert client.call_tool()[0]["result"] == {"content": [], "isError": False}
    assert client.calls == [("recall", {"a": 1}, "codex-mcp-client", None)]


# the newer era


def test_discovery_says_what_there_is(client):
    assert client.ask("server/discover", {"_meta": ENVELOPE})["result"] == {
        "resultType": "complete",
        "supportedVersions": [STATELESS],
        "capabilities": {"tools": {"listChanged": False}},
        "instructions": "policy",
        "ttlMs": 3_600_000,
        "cacheScope": "public",
        "_meta": {KEY + "serverInfo": {"name": "clew", "version": "1"}},
    }


def test_every_stateless_result_is_complete_and_signed(client):
    listed = client.ask("tools/list", {"_meta": ENVELOPE})["result"]
    called = client.ask("tools/call", {"_meta": ENVELOPE, "name": "recall"})["result"]
    for result in (listed, called):
        assert (result["resultType"], result["_meta"]) == ("complete", {KEY + "serverInfo": {"name": "clew", "version": "1"}})
    assert (listed["ttlMs"], listed["cacheScope"]) == (3_600_000, "public")
    assert client.calls == [("recall", None, "claude-code", None)]


def test_nothing_is_inferred_from_an_earlier_request(client):
    client.open()
    nameless = {key: value for key, value in ENVELOPE.items() if not key.endswith("clientInfo")}
    client.ask("tools/call", {"_meta": nameless, "name": "recall"})
    assert client.calls == [("recall", None, "", None)]


def test_an_unknown_version_is_told_which_there_are(client):
    error = client.ask("tools/list", {"_meta": ENVELOPE | {KEY + "protocolVersion": "2031-01-01"}})["error"]
    assert error["code"] == -32022
    assert error["data"] == {"supported": [STATELESS, *HANDSHAKE], "requested": "2031-01-01"}


@pytest.mark.parametrize("missing", ["protocolVersion", "clientCapabilities"])
@pytest.mark.parametrize("value", [None, 3])
def test_an_incomplete_envelope_is_refused_by_name(client, missing, value):
    error = client.ask("server/discover", {"_meta": ENVELOPE | {KEY + missing: value}})["error"]
    assert error["code"] == -32602
    assert KEY + missing in error["message"]


def test_ping_and_the_handshake_belong_to_the_older_era(client):
    assert client.ask("ping", {"_meta": ENVELOPE})["error"]["code"] == -32601
    assert client.ask("initialize", {"_meta": ENVELOPE})["result"]["protocolVersion"] == "2025-11-25"
    assert client.ask("server/discover")["error"]["code"] == -32602


# what is wrong


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"nonsense",
        b"\xff\xfe{}",
        b"\x00",
        b'{"a":\x00}',
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b"NaN",
        b'{"id":NaN}',
        b"9" * 9_000,
        b"{}{}",
    ],
    ids=range(11),
)
def test_what_cannot_be_read_is_a_parse_error_with_id_null(client, line):
    (reply,) = client.line(line)
    assert (reply["id"], reply["error"]["code"]) == (None, -32700)


@pytest.mark.parametrize("line", [b"", b" ", b"\r", b"\t\r"])
def test_a_blank_line_is_met_with_silence(client, line):
    assert client.line(line) == []


def test_a_byte_order_mark_and_a_carriage_return_do_no_harm(client):
    (reply,) = client.line(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}\r')
    assert reply["result"] == {}


@pytest.mark.parametrize("message", [None, 1, "x", True, [], {}, {"id": 1}, {"jsonrpc": "2.0", "id": 1}, {"jsonrpc": "2.0", "method": 3}])
def test_what_is_no_request_is_an_invalid_request(client, message):
    (reply,) = client.send(message)
    assert reply["error"]["code"] == -32600
    assert reply["id"] == (message.get("id") if isinstance(message, dict) else None)


@pytest.mark.parametrize("asked", [None, True, 1.5, [], {}])
def test_an_id_that_is_neither_text_nor_whole_is_an_invalid_request(client, asked):
    (reply,) = client.send({"jsonrpc": "2.0", "id": asked, "method": "ping"})
    assert (reply["id"], reply["error"]["code"]) == (None, -32600)


@pytest.mark.parametrize("version", ["1.0", 2, None])
def test_another_json_rpc_is_an_invalid_request(client, version):
    (reply,) = client.send({"jsonrpc": version, "id": 5, "method": "ping"})
    assert (reply["id"], reply["error"]["code"]) == (5, -32600)


def test_unknown_methods_tools_cursors_and_params_have_their_codes(client):
    assert client.ask("resources/list")["error"]["code"] == -32601
    assert client.ask("x" * 10_000)["error"]["message"] == "Method not found: " + "x" * 100
    assert client.ask("tools/call", {"name": "fly"})["error"] == {"code": -32602, "message": "Unknown tool: fly"}
    assert client.ask("tools/call", {"name": ["recall"]})["error"]["code"] == -32602
    assert client.ask("tools/list", {"cursor": "2"})["error"]["code"] == -32602
    assert client.ask("tools/list", [1])["error"]["code"] == -32602


def test_a_line_that_was_too_long_is_an_invalid_request(client):
    (reply,) = [json.loads(line) for line in client.protocol.receive(None)]
    assert (reply["id"], reply["error"]["code"]) == (None, -32600)


def test_what_is_sent_is_one_line_of_ascii(client):
    (line,) = client.protocol.receive('{"jsonrpc":"2.0","id":"\\ud800 \u2028é","method":"ping"}'.encode())
    assert line.isascii()
    assert line.splitlines() == [line]
    assert json.loads(line)["id"] == "\ud800 \u2028é"


# batches


def test_a_batch_is_answered_as_a_batch_without_its_notifications(client):
    ping, notice = {"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "method": "notifications/initialized"}
    (replies,) = client.send([ping, notice, 7, ping | {"id": 2}])
    assert [(reply["id"], "result" in reply) for reply in replies] == [(1, True), (None, False), (2, True)]
    assert client.send([notice, notice]) == []


def test_a_request_of_our_own_is_no_part_of_a_batch_s_answer(client):
    client.open(roots={})
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    replies, question = client.send([{"jsonrpc": "2.0", "method": "notifications/initialized"}, ping])
    assert [reply["id"] for reply in replies] == [1]
    assert question["method"] == "roots/list"


# roots


def answer(client, question, *uris):
    return client.send({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": [{"uri": uri} for uri in uris]}})


def test_a_client_with_roots_is_asked_once_it_is_ready(client):
    client.open(roots={"listChanged": True})
    (question,) = client.tell("notifications/initialized")
    assert question["method"] == "roots/list"
    assert answer(client, question, "https://example.invalid/", "file:///srv/ledger", "file:///other") == []
    client.call_tool()
    assert client.calls == [("recall", {"a": 1}, "codex-mcp-client", "file:///srv/ledger")]


def test_a_tool_call_waits_for_the_roots_and_everything_else_does_not(client):
    client.open(roots={})
    (question,) = client.tell("notifications/initialized")
    assert client.call_tool() == []
    assert client.protocol.waiting
    assert client.ask("ping")["result"] == {}
    (reply,) = answer(client, question, "file:///srv/ledger")
    assert reply["id"] == 7
    assert client.calls[0][3] == "file:///srv/ledger"
    assert not client.protocol.waiting


def test_a_batch_with_a_tool_call_waits_whole(client):
    client.open(roots={})
    (question,) = client.tell("notifications/initialized")
    call = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "recall"}}
    assert client.send([call, {"jsonrpc": "2.0", "id": 4, "method": "ping"}]) == []
    (replies,) = answer(client, question, "file:///srv")
    assert [reply["id"] for reply in replies] == [3, 4]


def test_a_client_that_refuses_or_muddles_its_roots_is_served_without(client):
    client.open(roots={})
    for reply in ({"error": {"code": -32601}}, {"result": None}, {"result": {"roots": "x"}}, {"result": {"roots": [3, {"uri": 4}]}}):
        (question,) = client.tell("notifications/roots/list_changed")
        client.call_tool()
        assert [held["id"] for held in client.send({"jsonrpc": "2.0", "id": question["id"], **reply})] == [7]
    assert [call[3] for call in client.calls] == [None] * 4


def test_only_the_answer_to_the_latest_question_counts(client):
    client.open(roots={})
    (first,) = client.tell("notifications/initialized")
    (second,) = client.tell("notifications/roots/list_changed")
    assert answer(client, first, "file:///old") == []
    client.call_tool()
    assert client.calls == []
    assert [reply["id"] for reply in answer(client, second, "file:///new")] == [7]
    assert client.calls[0][3] == "file:///new"
    assert answer(client, second, "file:///again") == []


def test_waiting_can_be_given_up(client):
    client.open(roots={})
    client.tell("notifications/initialized")
    client.call_tool()
    assert [json.loads(reply)["id"] for reply in client.protocol.give_up()] == [7]
    assert client.calls[0][3] is None


def test_not_more_than_a_few_messages_wait(client):
    client.open(roots={})
    client.tell("notifications/initialized")
    replies = [client.call_tool(asked) for asked in range(MOST_HELD + 1)]
    assert replies[:-1] == [[]] * MOST_HELD
    assert [reply["id"] for reply in replies[-1]] == list(range(MOST_HELD + 1))


def test_a_cancelled_call_that_still_waits_is_never_made(client):
    client.open(roots={})
    (question,) = client.tell("notifications/initialized")
    client.call_tool(7)
    client.call_tool(8)
    assert client.tell("notifications/cancelled", {"requestId": 7}) == []
    assert [reply["id"] for reply in answer(client, question)] == [8]


def test_clients_without_roots_and_stateless_ones_are_not_asked_nor_held(client):
    client.open()
    assert client.tell("notifications/initialized") == []
    client.open(roots={})
    client.tell("notifications/initialized")
    client.ask("ping")
    assert client.ask("tools/call", {"_meta": ENVELOPE, "name": "recall"})["result"]["resultType"] == "complete"
