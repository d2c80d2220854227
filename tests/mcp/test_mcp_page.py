"""The page on MCP says all there is: every tool with every argument it takes, every field of what it answers, every bound."""

from pathlib import Path

import pytest

from clew.mcp.tools import BOUNDS, TOOLS

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text("utf-8")
ROWS = {line.split("`")[1]: line for line in PAGE.splitlines() if line.startswith("| `")}


def test_the_table_has_the_tools_in_their_order():
    assert list(ROWS) == [tool["name"] for tool in TOOLS]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["name"])
def test_each_row_names_every_argument_and_no_other(tool):
    arguments = ROWS[tool["name"]].split(" | ")[2]
    assert set(arguments.split("`")[1::2]) == set(tool["inputSchema"]["properties"])


def test_every_bound_is_told():
    numbers = {f"{most:,}" for _, most in BOUNDS.values() if most < 1 << 30}
    assert {number for number in numbers if number not in PAGE} == set()
