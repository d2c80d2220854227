"""`clew setup` and `clew uninstall` as they are typed: what they print, in words, as a diff and as JSON."""

import json
import os
import re
import subprocess

import pytest

EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact", "Stop", "SessionEnd"]


@pytest.fixture
def clew(clew):
    """The shell of surfaces, in which no client was moved elsewhere."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        clew.env.pop(name, None)
    return clew


def hook_line(clew, event):
    """The command that setup wrote for an event."""
    written = json.loads((clew.home / ".claude" / "settings.json").read_text())
    return written["hooks"][event][0]["hooks"][0]["command"]


def test_setup_says_what_it_wrote_and_where(clew):
    home = clew.home
    (home / ".claude.json").write_text('{"numStartups": 3}\n')
    run = clew.ok("setup", "claude")
    assert run.err == ""
    assert run.out.splitlines() == [
        f"{home}/.claude/settings.json: made",
        *(f"  + hooks.{event}" for event in EVENTS),
        f"{home}/.claude.json: changed (before: {home}/.claude.json.clew-1.bak)",
        "  + mcpServers.clew",
        f"{home}/.claude/skills/clew-compile/SKILL.md: made",
        "  + skills.clew-compile",
        f"{home}/.claude/skills/clew-memory/SKILL.md: made",
        "  + skills.clew-memory",
        "start Claude Code anew to use it",
    ]


def test_setup_names_the_program_by_its_absolute_path(clew):
    clew.ok("setup", "claude")
    assert re.fullmatch(r"'?/.*(/clew'?|python\S*'? -P -m clew) hook claude Stop", hook_line(clew, "Stop"))


def test_what_setup_wrote_can_be_run(clew):
    clew.ok("setup", "claude")
    payload = json.dumps({"session_id": "s", "hook_event_name": "SessionEnd", "cwd": str(clew.cwd), "reason": "other"})
    line = hook_line(clew, "SessionEnd")
    done = subprocess.run(line, shell=True, input=payload.encode(), capture_output=True, env=clew.env, cwd=clew.cwd, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_second_setup_says_that_there_is_nothing_to_do(clew):
    clew.ok("setup", "codex")
    assert clew.ok("setup", "codex").out == "nothing to change for Codex\n"


def test_a_dry_run_prints_a_diff_and_writes_nothing(clew):
    folder = clew.home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text('secret = "far away"\nx = 1\ny = 2\n')
    out = clew.ok("setup", "codex", "--dry-run").out
    path = f"{folder}/config.toml"
    assert out.splitlines()[:6] == [f"--- {path}", f"+++ {path}", "@@ -3 +3,7 @@", " y = 2", "+", "+[mcp_servers.clew]"]
    assert "far away" not in out
    assert os.listdir(folder) == ["config.toml"]


def test_uninstall_takes_out_what_setup_put_in(clew):
    (clew.home / ".claude.json").write_text('{"mcpServers": { }}')
    clew.ok("setup", "claude")
    out = clew.ok("uninstall", "claude").out
    assert "settings.json: removed, for it held nothing else" in out
    assert "  - mcpServers.clew" in out
    assert "  - skills.clew-memory" in out
    assert (clew.home / ".claude.json").read_text() == '{"mcpServers": { }}'
    assert clew.ok("uninstall", "claude").out == "nothing to change for Claude Code\n"


def test_json_names_what_is_ours_and_never_the_rest_of_the_file(clew):
    (clew.home / ".claude.json").write_text('{"oauthAccount": "sekrit"}')
    run = clew.ok("setup", "claude", "--no-hooks", "--no-skills", "--json")
    path = f"{clew.home}/.claude.json"
    file = {"changed": True, "path": path, "added": ["mcpServers.clew"], "updated": [], "removed": [], "backup": f"{path}.clew-1.bak"}
    assert run.json == {"client": "Claude Code", "dry_run": False, "changed": True, "files": [file], "notes": []}
    assert "sekrit" not in run.out


@pytest.mark.parametrize("start", [".", "deep/er"])
def test_a_project_is_the_repository_around(clew, start):
    (clew.cwd / ".git").mkdir()
    (clew.cwd / "deep" / "er").mkdir(parents=True)
    run = clew.ok("setup", "claude", "--project", "--no-mcp", "--json", cwd=clew.cwd / start)
    assert run.json["files"][0]["path"] == f"{clew.cwd}/.claude/settings.local.json"


def test_without_a_repository_a_project_is_where_one_stands(clew):
    clew.ok("setup", "claude", "--project", "--no-mcp")
    assert (clew.cwd / ".claude" / "settings.local.json").is_file()


@pytest.mark.parametrize("verb", ["setup", "uninstall"])
def test_a_client_nobody_knows_is_bad_input(clew, verb):
    assert clew(verb, "emacs") == (2, "", "clew: client: 'emacs' is not known; known are claude, cline, codex\n")


def test_a_broken_file_is_bad_input_with_its_place(clew):
    (clew.home / ".claude.json").write_text('{\n  "a": 1,\n  b: 2\n}')
    run = clew("setup", "claude")
    assert (run.code, run.out) == (2, "")
    assert f"{clew.home}/.claude.json:3:3: a name in double quotes is expected here, but 'b' stands here" in run.err
    assert not (clew.home / ".claude").exists()
