"""docs/json.md and the commands say the same: every answer has exactly the fields of its example, of the same types."""

import hashlib
import json
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"^## ([^\n]+)\n.*?```json\n(.*?)```", PAGE, re.M | re.S))
STANDS_FOR = {
    "MEMORY": json.loads(BLOCKS["The memory"]),
    "ATTEMPT": json.loads(BLOCKS["The attempt"]),
    "WINDOW": json.loads(BLOCKS["clew working-set"])["working_set"],
    "PROJECT": json.loads(re.search(r"A project is `(\{.*?\})`", PAGE).group(1)),
}


def shape(value, name=""):
    """A value's fields and types: numbers are one type; metadata, and what is null or an empty list, may be anything."""
    if isinstance(value, str) and value in STANDS_FOR:
        value = STANDS_FOR[value]
    if name in ("metadata", "residents", "risks", "saved_cost"):
        return "object"
    if isinstance(value, dict):
        return {key: shape(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    if isinstance(value, bool) or value is None:
        return type(value).__name__
    return "number" if isinstance(value, int | float) else "str"


def agree(documented, found, where=""):
    """Where two shapes differ, as text; null agrees with anything and so does an empty list with a list."""
    if "NoneType" in (documented, found):
        return []
    if isinstance(documented, dict) and isinstance(found, dict):
        missing = [f"{where}.{key} is in one only" for key in documented.keys() ^ found.keys()]
        return missing + [text for key in documented.keys() & found.keys() for text in agree(documented[key], found[key], f"{where}.{key}")]
    if isinstance(documented, list) and isinstance(found, list):
        return agree(documented[0], found[0], where + "[]") if documented and found else []
    return [] if documented == found else [f"{where}: {documented} is documented, {found} was answered"]


@pytest.fixture(scope="module")
def answers(filled, tmp_path_factory):
    """One answer of every command, in an order in which each has something to say."""
    out = tmp_path_factory.mktemp("out")
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    notes = out / "notes.txt"
    notes.write_text("We keep bookings in cents because floats lost a penny in March.\n")
    (filled.cwd / "README.md").write_text("# Ledger\n\nThe ledger keeps every booking twice.\n")
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        filled.env.pop(name, None)
    log = "".join(f"12:00:{n % 60:02} INFO booked entry {n} of the ledger\n" for n in range(90)).encode()
    (out / "build.log").write_bytes(log)
    (out / "shot.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x0a\x00\x00\x00\x0a")
    handle = "src:" + hashlib.blake2b(log, digest_size=16).hexdigest()
    seen = {"session_id": "s1", "cwd": str(filled.cwd), "hook_event_name": "PostToolUse", "tool_name": "Read"}
    read = {"tool_input": {"file_path": str(filled.cwd / "README.md")}, "tool_response": {"file": {"content": "# Ledger"}}}
    for _ in range(2):
        filled.ok("hook", "claude", "PostToolUse", stdin=json.dumps(seen | read))
        filled.ok("hook", "claude", "UserPromptSubmit", stdin=json.dumps(seen | {"hook_event_name": "UserPromptSubmit", "prompt": "go"}))
    filled.ok("hook", "claude", "Stop", stdin=json.dumps(seen | {"hook_event_name": "Stop"}))
    commands = {
        "clew remember": ("remember", f"Use SQLite for the ledger, {secret}", "--supersedes", 1, "--reason", "one file", "-m", "pr=1"),
        "clew extract": ("extract", notes),
        "clew edit": ("edit", 2, "-t", "week"),
        "clew supersede": ("supersede", 6, 2),
        "clew done": ("done", 6),
        "clew pin": ("pin", 2),
        "clew unpin": ("unpin", 2),
        "clew feedback": ("feedback", 2, "useful"),
        "clew link": ("link", 2, "because", 1),
        "clew unlink": ("unlink", 2, "because", 1),
        "clew entity": ("entity", "src/db.py"),
        "clew recall": ("recall", "ledger", "--explain"),
        "clew why": ("why", 2),
        "clew path": ("path", 2, 1),
        "clew show": ("show", 4, "--history"),
        "clew list": ("list",),
        "clew attempt": ("attempt", "make check", "--exit", 2, "--output", notes),
        "clew attempts": ("attempts",),
        "clew compile": ("compile", out / "build.log", out / "shot.png", "-b", 400, "-q", "ledger", "--html", out / "page.html"),
        "clew sources": ("sources",),
        "clew sources show": ("sources", "show", handle),
        "clew sources prune": ("sources", "prune", "--older-than", "1d"),
        "clew savings": ("savings",),
        "clew suggest-budget": ("suggest-budget", "claude-opus-5"),
        "clew working-context save": ("working-context", "save", "--goal", "count the bookings"),
        "clew working-context load": ("working-context", "load"),
        "clew working-context list": ("working-context", "list"),
        "clew tried": ("tried", "make check"),
        "clew context": ("context",),
        "clew resume": ("resume", "next: count the bookings"),
        "clew project list": ("project", "list"),
        "clew project show": ("project", "show"),
        "clew project move": ("project", "move", 2, "--into", "elsewhere"),
        "clew project merge": ("project", "merge", "elsewhere", "--into", "ledger"),
        "clew project rename": ("project", "rename", "ledger", "books"),
        "clew init": ("init",),
        "clew export jsonl": ("export", "jsonl", out / "x.jsonl"),
        "clew import jsonl": ("import", "jsonl", out / "x.jsonl"),
        "clew setup": ("setup", "claude"),
        "clew uninstall": ("uninstall", "claude"),
        "clew working-set": ("working-set",),
        "clew restore": ("restore", "README.md"),
        "clew strength": ("strength", 2),
        "clew sweep": ("sweep",),
        "clew status": ("status",),
        "clew doctor": ("doctor",),
        "clew reindex": ("reindex",),
        "clew backup": ("backup", out / "x.db"),
        "clew forget": ("forget", 2, "--yes"),
        "clew completion": ("completion", "zsh"),
    }
    return {name: filled.ok(*words, "--json").json for name, words in commands.items()}


def test_every_command_is_documented_and_every_documented_command_is_there(answers):
    from clew.cli.app import app

    known = {f"clew {name}": command for name, command in app.commands.items()}
    groups = {name: command.commands for name, command in known.items() if hasattr(command, "commands")}
    leaves = {name for name in known if name not in groups or known[name].invoke_without_command} | {
        f"{group} {name}" for group, members in groups.items() for name in members
    }
    documented = {name for name in BLOCKS if name.startswith("clew ")}
    assert documented == leaves == set(answers)


@pytest.mark.parametrize("name", [name for name in BLOCKS if name.startswith("clew ")])
def test_an_answer_has_the_documented_shape(answers, name):
    assert agree(shape(json.loads(BLOCKS[name])), shape(answers[name])) == []
    assert isinstance(answers[name]["notes"], list)


def test_a_line_of_an_export_has_the_documented_type(filled, answers):
    lines = [json.loads(line) for line in filled.ok("export", "jsonl", "-p", "*").out.splitlines()]
    assert {line["type"] for line in lines} == {"memory", "link"}


@pytest.mark.parametrize(
    ("command", "kind", "field", "code"),
    [
        (("show", "zz"), "InvalidInput", "id", 2),
        (("show", 999), "NotFound", None, 3),
        (("list", "-n", 0), "InvalidInput", "limit", 2),
        (("list", "-k", "idea"), "InvalidInput", "--kind", 2),
        (("list", "--jsonn"), "InvalidInput", "--jsonn", 2),
        (("recall",), "InvalidInput", "question", 2),
        (("forget",), "InvalidInput", "ID...", 2),
        (("forget", 1), "InvalidInput", "--yes", 2),
        (("nonsense",), "InvalidInput", None, 2),
        (("recall", "x", "--since", "never"), "InvalidInput", "--since", 2),
        (("recall", "x", "--where", "year >"), "InvalidInput", "where", 2),
        (("list", "-w", ""), "InvalidInput", "where", 2),
        (("feedback", 1, "good"), "InvalidInput", "VERDICT", 2),
        (("feedback", 999, "noise"), "NotFound", None, 3),
    ],
)
def test_an_error_has_the_documented_shape(filled, command, kind, field, code):
    run = filled(*command, "--json")
    assert (run.code, run.out) == (code, "")
    error = json.loads(run.err)["error"]
    assert error.keys() == json.loads(BLOCKS["Errors"])["error"].keys()
    assert (error["type"], error["field"]) == (kind, field)
    assert error["message"]


def test_every_exit_code_of_the_table_is_one_the_errors_have():
    from clew import errors

    codes = {error.exit_code for error in vars(errors).values() if isinstance(error, type) and issubclass(error, errors.ClewError)}
    written = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.M)}
    assert written == codes | {0, 130}
    assert [
        name for name, error in vars(errors).items() if isinstance(error, type) and name != "ClewError" and f"`{name}`" not in PAGE
    ] == []


def test_shapes_that_differ_are_told_apart():
    assert agree({"a": "str"}, {"a": "number"}) == [".a: str is documented, number was answered"]
    assert agree({"a": ["str"]}, {"a": [], "b": "str"}) == [".b is in one only"]
    assert agree({"a": "NoneType"}, {"a": {"b": "str"}}) == []
