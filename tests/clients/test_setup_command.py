"""`clew setup` and `clew uninstall` as they are typed: what they print, in words, as a diff and as JSON."""

import json
import os
from pathlib import Path

import pytest

from clew.cli.run import run


@pytest.fixture
def clew(monkeypatch, capsys, tmp_path, a_home_of_its_own):
    """Runs one command line of a clew installed at ~/bin/clew; gives exit code, standard output, standard error."""
    program = a_home_of_its_own / "bin" / "clew"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    def called(*words):
        monkeypatch.setattr("sys.argv", [str(program), *words])
        code = run(words)
        return (code, *capsys.readouterr())

    return called


def test_setup_says_what_it_wrote_and_where(clew, a_home_of_its_own):
    home = a_home_of_its_own
    (home / ".claude.json").write_text('{"numStartups": 3}\n')
    code, out, err = clew("setup", "claude")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"{home}/.claude/settings.json: made",
        *(f"  + hooks.{e}" for e in "SessionStart UserPromptSubmit PostToolUse PostToolUseFailure Stop SessionEnd".split()),
        f"{home}/.claude.json: changed (before: {home}/.claude.json.clew-1.bak)",
        "  + mcpServers.clew",
        "start Claude Code anew to use it",
    ]
    written = json.loads((home / ".claude" / "settings.json").read_text())
    assert written["hooks"]["Stop"][0]["hooks"][0]["command"] == f"{home}/bin/clew hook claude Stop"


def test_a_second_setup_says_that_there_is_nothing_to_do(clew):
    clew("setup", "codex")
    assert clew("setup", "codex") == (0, "nothing to change for Codex\n", "")


def test_a_dry_run_prints_a_diff_and_writes_nothing(clew, a_home_of_its_own):
    home = a_home_of_its_own
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text('secret = "far away"\nx = 1\ny = 2\n')
    code, out, _ = clew("setup", "codex", "--dry-run")
    path = f"{home}/.codex/config.toml"
    assert (code, out.splitlines()[:6]) == (0, [f"--- {path}", f"+++ {path}", "@@ -3 +3,7 @@", " y = 2", "+", "+[mcp_servers.clew]"])
    assert "far away" not in out
    assert os.listdir(home / ".codex") == ["config.toml"]


def test_uninstall_takes_out_what_setup_put_in(clew, a_home_of_its_own):
    home = a_home_of_its_own
    (home / ".claude.json").write_text('{"mcpServers": { }}')
    clew("setup", "claude")
    code, out, _ = clew("uninstall", "claude")
    assert code == 0
    assert "settings.json: removed, for it held nothing else" in out
    assert "  - mcpServers.clew" in out
    assert (home / ".claude.json").read_text() == '{"mcpServers": { }}'
    assert clew("uninstall", "claude") == (0, "nothing to change for Claude Code\n", "")


def test_json_names_what_is_ours_and_never_the_rest_of_the_file(clew, a_home_of_its_own):
    (a_home_of_its_own / ".claude.json").write_text('{"oauthAccount": "sekrit"}')
    code, out, _ = clew("setup", "claude", "--no-hooks", "--json")
    assert (code, "sekrit" in out) == (0, False)
    path = f"{a_home_of_its_own}/.claude.json"
    file = {"changed": True, "path": path, "added": ["mcpServers.clew"], "updated": [], "removed": [], "backup": f"{path}.clew-1.bak"}
    assert json.loads(out) == {"client": "Claude Code", "dry_run": False, "changed": True, "files": [file], "notes": []}


@pytest.mark.parametrize("start", [".", "deep/er"])
def test_a_project_is_the_repository_around(clew, tmp_path, monkeypatch, start):
    (tmp_path / ".git").mkdir()
    (tmp_path / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / start)
    code, out, _ = clew("setup", "claude", "--project", "--no-mcp", "--json")
    assert (code, json.loads(out)["files"][0]["path"]) == (0, f"{tmp_path}/.claude/settings.local.json")


def test_without_a_repository_a_project_is_where_one_stands(clew, tmp_path):
    clew("setup", "claude", "--project", "--no-mcp")
    assert Path(tmp_path, ".claude", "settings.local.json").is_file()


@pytest.mark.parametrize("verb", ["setup", "uninstall"])
def test_a_client_nobody_knows_is_bad_input(clew, verb):
    assert clew(verb, "emacs") == (2, "", "clew: client: 'emacs' is not known; known are claude, cline, codex\n")


def test_a_broken_file_is_bad_input_with_its_place(clew, a_home_of_its_own):
    (a_home_of_its_own / ".claude.json").write_text('{\n  "a": 1,\n  b: 2\n}')
    code, out, err = clew("setup", "claude")
    assert (code, out) == (2, "")
    assert f"{a_home_of_its_own}/.claude.json:3:3: a name in double quotes is expected here, but 'b' stands here" in err
    assert not (a_home_of_its_own / ".claude").exists()
