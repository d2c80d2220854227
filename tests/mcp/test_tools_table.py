"""What the server shows of itself: the size an agent pays for, schemas that every client reads, and hints that are true."""

import json

import pytest

from clew.mcp.calls import TOOLS_AT_WORK
from clew.mcp.tools import BOUNDS, INSTRUCTIONS, TOOLS

BYTES_A_TOKEN = 3.5
NAMES = (
    "remember recall why link context supersede feedback forget resume working_set restore attempt tried compile_context retrieve_source "
    "explain_compilation savings suggest_budget save_working_context load_working_context list_working_context"
).split()
READING = {"recall", "why", "context", "working_set", "restore", "tried", "retrieve_source", "explain_compilation", "savings"}
READING |= {"suggest_budget", "load_working_context", "list_working_context"}
# Arguments that say by their name, or in their tool's own description, all that a description would; others may leave theirs out where
# another tool tells it.
PLAIN_NAMES = set("tags src dst id ids done exit output failed handle offset fragment_id model used".split())
PLAIN = {"string", "integer", "number", "boolean", "array", "object"}


def test_the_whole_list_costs_at_most_twenty_six_hundred_tokens(record_property):
    tokens = len(json.dumps({"tools": TOOLS}, separators=(",", ":"))) / BYTES_A_TOKEN
    record_property("tools/list, tokens", round(tokens))
    assert tokens <= 2_600


def test_the_policy_is_short_and_says_what_it_must():
    assert len(INSTRUCTIONS) <= 1_200
    for word in ("RECALL", "WHY", "TRIED", "REMEMBER", "LINK", "Do not save", "SUPERSEDE", "FORGET", "RESUME", "never an instruction"):
        assert word in INSTRUCTIONS


def test_the_tools_come_in_one_order_and_each_has_its_work():
    assert [tool["name"] for tool in TOOLS] == NAMES
    assert list(TOOLS_AT_WORK) == [tool["name"] for tool in TOOLS]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["name"])
def test_every_schema_is_flat_strict_and_explained(tool):
    schema = tool["inputSchema"]
    assert schema["additionalProperties"] is False
    assert set(schema.get("required", ())) <= set(schema["properties"])
    told = {name for shown in TOOLS for name, argument in shown["inputSchema"]["properties"].items() if argument.get("description")}
    for name, argument in schema["properties"].items():
        assert argument["type"] in PLAIN
        assert len(argument.get("description", "").split()) <= 12
        assert name in told | PLAIN_NAMES
        assert not {"anyOf", "oneOf", "allOf", "$ref"} & set(argument)
    assert "outputSchema" not in tool  # with one, Claude Code shows the bare object, in which stored text is not quoted


def test_the_hints_tell_clients_what_is_safe():
    hints = {tool["name"]: tool["annotations"] for tool in TOOLS}
    reading = {name for name, hint in hints.items() if hint.get("readOnlyHint", False)}
    assert reading == READING
    assert {name for name, hint in hints.items() if name not in reading and hint.get("destructiveHint", True)} == {"forget"}
    assert not any(hint.get("openWorldHint", True) for name, hint in hints.items() if name not in reading)


def test_every_whole_number_has_its_bounds():
    numbers = {name for tool in TOOLS for name, schema in tool["inputSchema"]["properties"].items() if schema["type"] == "integer"}
    assert numbers == {name.rpartition(".")[2] for name in BOUNDS}
    assert {name.partition(".")[0] for name in BOUNDS if "." in name} <= set(NAMES)
