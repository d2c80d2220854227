"""The plugin that lies in the repository is what the table says; python -m clew.clients.plugin . makes it so."""

import json
import re
from pathlib import Path

import pytest

import clew
from clew.clients import command, plugin
from clew.clients.table import CLAUDE
from clew.mcp.tools import TOOLS

ROOT = Path(__file__).parents[2]


def load(name):
    """A committed file's value."""
    return json.loads((ROOT / name).read_text("utf-8"))


def test_the_committed_files_are_what_the_table_says(tmp_path):
    written = {Path(path).relative_to(tmp_path).as_posix(): Path(path).read_bytes() for path in plugin.write(str(tmp_path))}
    assert {name: (ROOT / name).read_bytes() for name in written} == written, "run python -m clew.clients.plugin . and commit"


def test_nothing_else_lies_in_the_plugin_folder():
    held = {path.relative_to(ROOT).as_posix() for path in (ROOT / plugin.FOLDER).rglob("*") if path.is_file()}
    assert held == {name for name in plugin.documents() if name.startswith(plugin.FOLDER)}


def test_the_marketplace_leads_to_the_plugin():
    (offered,) = load(".claude-plugin/marketplace.json")["plugins"]
    folder = (ROOT / offered["source"]).relative_to(ROOT).as_posix()
    assert load(f"{folder}/.claude-plugin/plugin.json")["name"] == offered["name"] == "clew"
    assert load(f"{folder}/.claude-plugin/plugin.json")["version"] == clew.__version__


def test_the_plugin_calls_the_same_hooks_and_server_as_setup_does():
    hooks = load("plugins/clew/hooks/hooks.json")["hooks"]
    assert list(hooks) == [hook.event for hook in CLAUDE.hooks]
    lines = [handler["command"] for groups in hooks.values() for group in groups for handler in group["hooks"]]
    assert lines == [f"clew hook claude {event}" for event in hooks]
    assert command.is_server(load("plugins/clew/.mcp.json")["mcpServers"]["clew"])


@pytest.mark.parametrize("name", plugin.skills())
def test_a_skill_is_named_as_its_folder_and_says_when_it_is_wanted(name):
    text = (ROOT / plugin.FOLDER / "skills" / name / "SKILL.md").read_text("utf-8")
    _, front, body = text.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    assert set(fields) == {"name", "description"}
    assert fields["name"] == name
    assert re.fullmatch(r"[a-z][a-z-]{0,63}", name)
    assert "Use when" in fields["description"]
    assert len(fields["description"]) <= 1_024
    assert ": " not in fields["description"]  # unquoted YAML
    assert len(body) <= 4_000


def table_words(text):
    """The words in code of the last column of every table of a skill."""
    rows = re.findall(r"^\| .*? \| (.*) \|$", text, re.M)
    return {word for row in rows for word in re.findall(r"`(\w+)`", row)}


def test_the_skills_name_tools_and_arguments_that_there_are():
    tools = {tool["name"]: tool["inputSchema"]["properties"] for tool in TOOLS}
    called = [call for text in plugin.skills().values() for call in re.findall(r"`(\w+)\((.*?)\)`", text)]
    assert {"recall", "why", "link", "feedback"} <= {name for name, _ in called}
    for name, given in called:
        assert set(re.findall(r"(\w+)=", given)) <= set(tools[name])


def test_the_tables_of_the_skills_hold_every_tool_once():
    memory, compiler = (table_words(plugin.skills()[name]) for name in ("clew-memory", "clew-compile"))
    tools = {tool["name"] for tool in TOOLS}
    assert memory & compiler & tools == set()
    assert (memory | compiler) & tools == tools - {"forget", "savings", "list_working_context"}


def test_the_skill_on_compiling_names_fields_kinds_and_commands_that_there_are():
    from clew.cli.app import app
    from clew.compiler.request import FRAGMENT, REQUEST
    from clew.limits import FRAGMENT_KINDS

    text = plugin.skills()["clew-compile"]
    assert {"query", "token_budget"} <= set(REQUEST) & set(re.findall(r"`(\w+)`", text))
    assert {"kind", "metadata"} <= set(FRAGMENT)
    (line,) = [line for line in text.splitlines() if line.startswith("- `kind` matters")]
    assert set(re.findall(r"`(\w+)`", line)) - {"kind"} <= set(FRAGMENT_KINDS)
    assert {"compile", "sources"} <= set(re.findall(r"`clew ([a-z-]+)", text)) <= set(app.commands)
