"""Terminals and pipes: colour, tables, questions, interrupts, closed pipes, full disks, help and mistyped words."""

import json
import os
import re
import subprocess

import pytest

ESCAPE = "\x1b["
COLOUR = re.compile(r"\x1b\[[\d;]*m")
GONE = [("list", "--all"), ("recall", "ledger"), ("export", "jsonl"), ("--help",), ("status", "--json")]
MISTYPED = {
    "recal": "recall",
    "rember x": "remember",
    "project lst": "list",
    "list --jsn": "--json",
    "xyzzy": "recall",
    "mpc": "mcp",
    "hooks": "hook",
}
LOOKS = [("list",), ("recall", "ledger"), ("recall", "ledger", "--explain"), ("show", "2"), ("status",), ("doctor",), ("project", "list")]


def into(output, shell, command):
    """What became of a command whose standard output is this file."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": subprocess.PIPE}
    return subprocess.run([*shell.argv, *command], env=shell.env, cwd=shell.cwd, timeout=60, **streams)


@pytest.mark.parametrize("command", LOOKS, ids=" ".join)
def test_colour_is_for_terminals_only(filled, command):
    assert ESCAPE not in filled.ok(*command).out
    assert COLOUR.search(filled.on_a_terminal(*command).out)


@pytest.mark.parametrize(("arguments", "env"), [((), {"NO_COLOR": "1"}), (("--no-color",), {}), ((), {"TERM": "dumb"})])
def test_whoever_wants_no_colour_gets_none(filled, arguments, env):
    for command in [*LOOKS, ("show", 99), ("list", "--kind", "idea")]:
        assert ESCAPE not in filled.on_a_terminal(*command, *arguments, **env).out


def test_a_terminal_shows_a_table_with_headings_and_a_pipe_does_not(filled):
    screen = COLOUR.sub("", filled.on_a_terminal("list").out)
    assert re.search(r"id +kind +age +marks +summary", screen)
    assert "─" in screen
    assert "summary" not in filled.ok("list").out


def test_a_narrow_terminal_loses_no_word(filled):
    screen = COLOUR.sub("", filled.on_a_terminal("list", COLUMNS="50").out)
    assert max(map(len, screen.splitlines())) <= 50
    assert "afternoon" in screen


def test_an_error_is_one_red_line(filled):
    assert filled.on_a_terminal("show", 99).out == "\x1b[31mclew: there is no memory #99; `clew list` shows those there are\x1b[0m\n"
    assert filled("show", 99) == (3, "", "clew: there is no memory #99; `clew list` shows those there are\n")


def test_reindex_shows_a_bar_on_a_terminal_and_nothing_in_a_pipe(clew):
    clew.ok("remember", "One")
    screen = clew.on_a_terminal("reindex").out
    assert "indexing" in screen
    assert screen.endswith("indexed 1 memory\n")
    assert clew.ok("reindex") == (0, "indexed 1 memory\n", "")


def test_an_interrupt_at_a_question_is_quiet(clew):
    clew.ok("remember", "Keep me")
    run = clew.on_a_terminal("forget", 1, until="[y/N]", interrupt=True)
    assert run.code == 130
    assert "Traceback" not in run.out
    assert clew("show", 1).code == 0


@pytest.mark.parametrize(
    "command", [("list", "--all"), ("recall", "ledger"), ("export", "jsonl"), ("--help",), ("status", "--json")], ids=" ".join
)
def test_a_reader_that_is_gone_is_no_trouble(filled, command):
    reading, writing = os.pipe()
    os.close(reading)
    argv = [*filled.argv, *command]
    done = subprocess.run(
        argv, stdout=writing, stderr=subprocess.PIPE, env=filled.env, cwd=filled.cwd, timeout=60, stdin=subprocess.DEVNULL
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_pipe_that_closes_after_a_line_gets_that_line(clew):
    lines = "".join(json.dumps({"summary": f"memory {n}", "detail": "x" * 500}) + "\n" for n in range(500))
    clew.ok("import", "jsonl", stdin=lines)
    argv = [*clew.argv, "export", "jsonl"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clew.env, cwd=clew.cwd) as process:
        assert b"memory 0" in process.stdout.readline()
        process.stdout.close()
        assert (process.wait(timeout=60), process.stderr.read()) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("command", [("list",), ("export", "jsonl"), ("show", "1", "--json")], ids=" ".join)
def test_an_output_that_is_full_is_said_and_is_no_success(filled, command):
    with open("/dev/full", "wb") as full:
        argv = [*filled.argv, *command]
        done = subprocess.run(
            argv, stdout=full, stderr=subprocess.PIPE, env=filled.env, cwd=filled.cwd, timeout=60, stdin=subprocess.DEVNULL
        )
    assert done.returncode == 1
    assert b"No space left" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_trouble(filled, closed):
    for command in ("list", "recall ledger"):
        line = " ".join([*filled.argv, command, closed])
        done = subprocess.run(["sh", "-c", line], capture_output=True, env=filled.env, cwd=filled.cwd, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")
    done = subprocess.run(["sh", "-c", " ".join([*filled.argv, "remember", "<&-"])], capture_output=True, env=filled.env, cwd=filled.cwd)
    assert done.returncode == 2


def test_help_is_in_sections_and_clew_alone_prints_it(filled):
    run = filled()
    assert (run.code, run.err) == (0, "")
    assert run.out == filled.ok("--help").out == filled.ok("-h").out
    for heading in ("Remember:", "Recall:", "Projects and files:", "Care:"):
        assert heading in run.out
    assert "..." not in run.out.partition("Remember:")[2]
    assert filled.ok("project").out == filled.ok("project", "--help").out


@pytest.mark.parametrize("typed", MISTYPED)
def test_a_mistyped_word_is_answered_with_the_nearest(filled, typed):
    run = filled(*typed.split())
    assert (run.code, run.out) == (2, "")
    assert MISTYPED[typed] in run.err
    assert run.err.count("\n") == 1


def test_a_mistyped_command_cannot_drive_the_terminal(filled):
    assert "\x1b" not in filled("\x1b[2Jrecall").err


def test_the_version_is_the_packages(filled):
    assert re.fullmatch(r"clew \d+\.\d+\.\d+\S*\n", filled.ok("--version").out)


def test_a_piped_recall_loads_neither_rich_nor_numpy(filled):
    for command in (["recall", "ledger"], ["list"], ["recall", "ledger", "--json"]):
        argv = [*filled.argv, *command]
        watched = filled.env | {"PYTHONPROFILEIMPORTTIME": "1"}
        done = subprocess.run(argv, capture_output=True, env=watched, cwd=filled.cwd, timeout=60, stdin=subprocess.DEVNULL)
        loaded = {line.rpartition(b"|")[2].strip().partition(b".")[0] for line in done.stderr.splitlines() if b"|" in line}
        assert b"click" in loaded
        assert loaded & {b"rich", b"numpy", b"importlib_metadata", b"asyncio"} == set()
