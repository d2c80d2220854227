"""How clients call us: an absolute path that a shell reads as one word, and a command line that is known again."""

import os
import shlex
import sys
import sysconfig

import pytest

from clew.clients import command
from clew.errors import InvalidInput


def executable(folder, name="clew"):
    """A program that can be run."""
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_the_program_is_the_one_that_was_called(tmp_path):
    path = executable(tmp_path)
    assert command.program(path) == (path,)


def test_a_relative_call_becomes_an_absolute_path(tmp_path, monkeypatch):
    path = executable(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert command.program("./clew") == (path,)


def test_a_call_by_name_is_looked_up(tmp_path, monkeypatch):
    path = executable(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command.program("clew") == (path,)


def test_a_link_is_kept_for_it_outlives_the_version_behind_it(tmp_path):
    (tmp_path / "v1").mkdir()
    (tmp_path / "bin").mkdir()
    link = tmp_path / "bin" / "clew"
    link.symlink_to(executable(tmp_path / "v1"))
    assert command.program(str(link)) == (str(link),)


def test_called_as_a_module_the_command_beside_python_is_taken(tmp_path, monkeypatch):
    path = executable(tmp_path)
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    assert command.program("/src/clew/__main__.py") == (path,)


def test_without_any_command_python_is_called_away_from_the_projects_files(tmp_path, monkeypatch):
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    assert command.program("/src/clew/__main__.py") == (sys.executable, "-P", "-m", "clew")


@pytest.mark.skipif(os.name == "nt", reason="paths there are text")
def test_a_path_that_no_settings_file_can_hold_is_refused(tmp_path):
    folder = os.fsencode(tmp_path) + b"/\xff"
    os.mkdir(folder)
    path = os.fsdecode(folder) + "/clew"
    with open(path, "w"):
        os.chmod(path, 0o755)
    with pytest.raises(InvalidInput, match="is not UTF-8"):
        command.program(path)


@pytest.mark.parametrize("path", ["/opt/clew", "/my tools/clew", "/o'brien/clew", "/$HOME/`x`/clew", "/ünï/clew"])
def test_a_shell_reads_the_command_as_it_was_meant(path):
    line = command.hook_command((path,), "claude", "Stop")
    assert shlex.split(line) == [path, "hook", "claude", "Stop"]
    assert command.is_hook({"type": "command", "command": line}, "claude")


def test_a_plain_path_is_not_quoted():
    assert command.hook_command(("/opt/clew",), "claude", "Stop") == "/opt/clew hook claude Stop"


def test_on_windows_the_path_suits_the_shell_hooks_run_in(monkeypatch):
    monkeypatch.setattr(command.os, "name", "nt")
    line = command.hook_command((r"C:\Program Files\clew.exe",), "claude", "Stop")
    monkeypatch.undo()
    assert line == '"C:/Program Files/clew.exe" hook claude Stop'
    assert command.is_hook({"command": line}, "claude")


OURS = [
    "clew hook claude Stop",
    "/a/b/clew hook claude SessionStart",
    "'/a b/clew' hook claude Stop",
    '"C:\\x\\clew.exe" hook claude Stop',
    "/usr/bin/python3 -P -m clew hook claude Stop",
    "CLEW_HOME=/x clew hook claude Stop ",
]
THEIRS = [
    "clew hook codex Stop",
    "my-clew hook claude Stop",
    "clewless hook claude Stop",
    "clew hook claude",
    "clew status",
    "clew hook claude Stop && rm x",
    "",
]


@pytest.mark.parametrize("line", OURS)
def test_ours_is_known_again(line):
    assert command.is_hook({"type": "command", "command": line}, "claude")


@pytest.mark.parametrize("line", THEIRS)
def test_theirs_is_never_taken_for_ours(line):
    assert not command.is_hook({"type": "command", "command": line}, "claude")


@pytest.mark.parametrize("handler", [None, 1, [], {}, {"command": 1}, {"command": "clew", "args": [1]}, {"command": "clew", "args": {}}])
def test_what_is_no_hook_is_none_of_ours(handler):
    assert not command.is_hook(handler, "claude")
    assert not command.is_server(handler)


@pytest.mark.parametrize(
    ("block", "ours"),
    [
        ({"command": "/x/clew", "args": ["mcp"]}, True),
        ({"command": "/x y/clew", "args": ["mcp", "--stdio"]}, True),
        ({"command": "python", "args": ["-m", "clew", "mcp"]}, True),
        ({"command": "uvx", "args": ["clew", "mcp"]}, True),
        ({"command": "clew", "args": ["mcpx"]}, False),
        ({"command": "clew"}, False),
        ({"url": "http://127.0.0.1/clew mcp"}, False),
    ],
)
def test_a_server_block_is_known_by_what_it_starts(block, ours):
    assert command.is_server(block) is ours
