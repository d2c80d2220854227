"""Hooks and server block in any JSON that has room for them: put in, found again, taken out without a trace."""

import pytest
from hypothesis import given
from jsonc_documents import documents

from clew.clients import blocks, jsonc
from clew.clients.table import CLAUDE, CLIENTS
from clew.errors import InvalidInput

WORDS = ("/opt/clew",)


@given(documents())
def test_hooks_come_and_go_without_a_trace_or_are_refused(document):
    text, _ = document
    try:
        edited = blocks.with_hooks(text, ("hooks",), CLAUDE, WORDS)
    except InvalidInput as error:
        assert "is needed here" in error.problem
        return
    assert set(blocks.hooks_in(edited, ("hooks",), CLAUDE)) == {f"hooks.{hook.event}" for hook in CLAUDE.hooks}
    assert blocks.with_hooks(edited, ("hooks",), CLAUDE, WORDS) == edited
    assert blocks.without_hooks(edited, ("hooks",), CLAUDE, text) == text


@given(documents())
def test_a_server_comes_and_goes_without_a_trace_or_is_refused(document):
    text, _ = document
    wanted = blocks.server(CLAUDE, WORDS)
    try:
        edited = blocks.with_server(text, ("a", "mcpServers"), wanted)
    except InvalidInput as error:
        assert "is needed here" in error.problem
        return
    assert blocks.server_in(edited, ("a", "mcpServers")) == {"a.mcpServers.clew": wanted}
    assert blocks.with_server(edited, ("a", "mcpServers"), wanted) == edited
    assert blocks.without_server(edited, ("a", "mcpServers"), text) == text


@pytest.mark.parametrize("shape", ["[]", "null", '"x"', "{}", '{"Stop": 1}', '{"Stop": [1, null, {}, {"hooks": 1}, {"hooks": [1, {}]}]}'])
def test_what_has_not_the_shape_of_hooks_holds_none_of_ours(shape):
    text = f'{{"hooks": {shape}}}'
    assert blocks.hooks_in(text, ("hooks",), CLAUDE) == {}
    assert blocks.without_hooks(text, ("hooks",), CLAUDE, text) == text


def test_a_group_that_holds_others_too_loses_ours_alone():
    text = '{"hooks": {"Stop": [{"matcher": "x", "hooks": [{"command": "clew hook claude Stop"}, {"command": "date"}]}]}}'
    left = jsonc.read(blocks.without_hooks(text, ("hooks",), CLAUDE, ""), ("hooks", "Stop"))
    assert left == [{"matcher": "x", "hooks": [{"command": "date"}]}]


def test_every_client_of_the_table_can_be_written():
    for client in CLIENTS.values():
        block = blocks.server(client, ("/usr/bin/python3", "-P", "-m", "clew"))
        assert (block["command"], block["args"]) == ("/usr/bin/python3", ["-P", "-m", "clew", "mcp"])
        assert len({hook.event for hook in client.hooks}) == len(client.hooks)
        assert all(hook.timeout >= 5 for hook in client.hooks)
