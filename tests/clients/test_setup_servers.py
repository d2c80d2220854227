"""Codex and Cline get the MCP server; Codex's TOML keeps its layout, and gives up every byte of ours again."""

import json
import os
import tomllib
from pathlib import Path

import pytest
from client_samples import CODEX as SAMPLES
from client_samples import SAMPLES as JSON_SAMPLES
from hypothesis import given
from hypothesis import strategies as st

from clew.clients import blocks, install, toml
from clew.clients.table import CLINE, CODEX
from clew.errors import InvalidInput

WORDS = ("/opt/clew/bin/clew",)
KEYS = ("mcp_servers",)
BLOCK = blocks.server(CODEX, WORDS)
LINES = [
    'model = "x"',
    "[mcp_servers.other]",
    'command = "y" # c',
    "[tui]",
    "n = 1",
    "# note",
    "",
    "  ",
    "[[list]]",
    '[mcp_servers.other.env]\nA = "1"',
]


@pytest.fixture
def place(tmp_path):
    """A home of its own."""
    return install.Place(str(tmp_path), {})


@pytest.fixture
def config(tmp_path):
    """~/.codex/config.toml."""
    (tmp_path / ".codex").mkdir()
    return tmp_path / ".codex" / "config.toml"


def test_a_fresh_home_gets_a_block_that_codex_reads(place, config):
    install.install(CODEX, WORDS, place)
    assert config.read_text() == (
        '[mcp_servers.clew]\ncommand = "/opt/clew/bin/clew"\nargs = ["mcp"]\nstartup_timeout_sec = 10\n'
        'env_vars = ["CLEW_HOME", "CLEW_DB", "CLEW_PROJECT", "CLEW_EMBED", "CLEW_EMBED_URL", '
        '"CLEW_EMBED_MODEL", "CLEW_EMBED_KEY", "CLEW_EMBED_ANYWHERE"]\n'
    )
    install.uninstall(CODEX, place)
    assert not config.exists()


@pytest.mark.parametrize("name", SAMPLES)
def test_uninstalling_gives_back_every_byte(name, place, config):
    before = SAMPLES[name].encode()
    config.write_bytes(before)
    install.install(CODEX, WORDS, place)
    edited = config.read_bytes()
    assert edited.startswith(before)
    assert edited.count(b"\n") == edited.count(b"\r\n") or name != "windows"
    (again,) = install.install(CODEX, WORDS, place)
    assert (again.backup, config.read_bytes()) == (None, edited)
    install.uninstall(CODEX, place)
    assert config.read_bytes() == before


@given(st.lists(st.sampled_from(LINES), max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_any_toml_gets_the_block_and_loses_it_without_a_trace(lines, newline, final):
    text = newline.join(lines).replace("\r\n", "\n").replace("\n", newline) + (newline if final else "")
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(InvalidInput):
            toml.with_server(text, KEYS, BLOCK)
        return
    edited = toml.with_server(text, KEYS, BLOCK)
    assert edited.startswith(text)
    assert tomllib.loads(edited) == {**values, "mcp_servers": {**values.get("mcp_servers", {}), "clew": BLOCK}}
    assert toml.with_server(edited, KEYS, BLOCK) == edited
    assert toml.without_server(edited, KEYS, text) == text
    assert toml.without_server(edited, KEYS, "").rstrip() == text.rstrip(), "even where nobody knows what there was before"


def test_what_was_written_after_ours_stays(place, config):
    config.write_text('model = "x"\n')
    install.install(CODEX, WORDS, place)
    with config.open("a") as file:
        file.write('\n# theirs\n[mcp_servers.other]\ncommand = "y"\n')
    install.uninstall(CODEX, place)
    assert tomllib.loads(config.read_text()) == {"model": "x", "mcp_servers": {"other": {"command": "y"}}}
    assert "# theirs" in config.read_text()


OLDER = """# mine
[mcp_servers.clew] # memory
command = "/old/clew"   # was here first
args = ["mcp", "--stdio"]
startup_timeout_sec = 30
required = true

[mcp_servers.clew.env]
CLEW_HOME = "/x"

[tui]
n = 1
"""


def test_values_over_several_lines_are_replaced_whole(place, config):
    config.write_text('[mcp_servers.clew]\nargs = [\n  "mcp", # x\n  "--stdio",\n] # y\ncommand = \'/old #/clew\'')
    install.install(CODEX, WORDS, place)
    text = config.read_text()
    assert tomllib.loads(text)["mcp_servers"]["clew"] == BLOCK
    assert text.startswith('[mcp_servers.clew]\nargs = ["mcp"] # y\ncommand = "/opt/clew/bin/clew"\nstartup_timeout_sec = 10\n')


def test_an_older_block_is_brought_up_to_date_in_its_place(place, config):
    config.write_text(OLDER)
    install.install(CODEX, WORDS, place)
    text = config.read_text()
    after = tomllib.loads(text)["mcp_servers"]["clew"]
    assert after == {**BLOCK, "startup_timeout_sec": 30, "required": True, "env": {"CLEW_HOME": "/x"}}
    assert 'command = "/opt/clew/bin/clew"   # was here first' in text
    assert text.startswith("# mine\n[mcp_servers.clew] # memory\n")
    assert text.endswith('\n[mcp_servers.clew.env]\nCLEW_HOME = "/x"\n\n[tui]\nn = 1\n')
    install.uninstall(CODEX, place)
    assert tomllib.loads(config.read_text()) == {"tui": {"n": 1}}


REFUSED = [
    ('model = "x\n', r"config\.toml:1:11: "),
    ("a = 1\na = 2\n", r"config\.toml:2:6: "),
    ("[mcp_servers", r"config\.toml:1:1"),
    ('mcp_servers = {other = {command = "x"}}\n', r"give each server a table of its own, as in \[mcp_servers\.clew\]"),
    ("mcp_servers = 1\n", r"mcp_servers: a table is needed here"),
    ('[mcp_servers]\nclew = {command = "/old/clew", args = ["mcp"]}\n', r"give each server a table of its own"),
    ('mcp_servers.clew.command = "/old/clew"\nmcp_servers.clew.args = ["mcp"]\n', r"give each server a table of its own"),
    ('[mcp_servers.clew]\ncommand = "yarn"\nargs = ["knit"]\n', r"belongs to another server"),
]


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_what_cannot_be_edited_is_refused_and_left(text, why, place, config):
    config.write_text(text)
    with pytest.raises(InvalidInput, match=why) as caught:
        install.install(CODEX, WORDS, place)
    assert "Nothing was written" in str(caught.value)
    assert (config.read_text(), os.listdir(config.parent)) == (text, ["config.toml"])


def test_codex_is_found_where_its_variable_says(tmp_path):
    install.install(CODEX, WORDS, install.Place(str(tmp_path), {"CODEX_HOME": str(tmp_path / "cx")}))
    assert os.listdir(tmp_path / "cx") == ["config.toml"]


@pytest.mark.parametrize("client", [CODEX, CLINE], ids=lambda client: client.name)
def test_a_client_without_project_settings_says_so(client, place):
    with pytest.raises(InvalidInput, match="leave out --project"):
        install.install(client, WORDS, place._replace(project="/somewhere"))


@pytest.mark.parametrize("name", JSON_SAMPLES)
def test_cline_gets_the_server_and_gives_back_every_byte(name, place, tmp_path):
    path = tmp_path / ".cline" / "data" / "settings" / "cline_mcp_settings.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(JSON_SAMPLES[name].encode())
    (change,) = install.install(CLINE, WORDS, place)
    assert (change.path, change.added) == (str(path), ("mcpServers.clew",))
    install.uninstall(CLINE, place)
    assert path.read_bytes() == JSON_SAMPLES[name].encode()


def test_cline_reads_what_it_gets(place):
    (change,) = install.install(CLINE, WORDS, place)
    assert json.loads(Path(change.path).read_text()) == {"mcpServers": {"clew": {"type": "stdio", "command": WORDS[0], "args": ["mcp"]}}}


def test_a_client_nobody_knows_is_refused_with_those_that_are():
    with pytest.raises(InvalidInput, match="'emacs' is not known; known are claude, cline, codex"):
        install.named("emacs")
