"""Who wrote a memory: from the name a client introduces itself by. And in which session, where the client says so."""

import pytest

from clew.mcp.origins import origin_of, session_of


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("claude-code", "claude-code"),
        ("claude-ai", "claude-desktop"),
        ("codex-mcp-client", "codex"),
        ("cursor-vscode", "cursor"),
        ("Visual Studio Code", "vscode"),
        ("Visual Studio Code - Insiders", "vscode"),
        ("gemini-cli-mcp-client-clew", "gemini"),
        ("Cline", "cline"),
        ("Zed", "zed"),
        ("zedekiah", "zedekiah"),
        ("My Agent 2.0!", "my-agent-2-0"),
        ("", "mcp"),
        ("日本", "mcp"),
        ("\n\x1b[31m", "31m"),
        ("x" * 5_000, "x" * 40),
    ],
)
def test_a_client_is_known_by_a_short_name(name, origin):
    assert origin_of(name) == origin


@pytest.mark.parametrize("name", ["user", "USER", "cli", "import:claude", "python", "hook"])
def test_no_client_can_call_itself_what_another_surface_is_called(name):
    origin = origin_of(name)
    assert origin not in ("user", "cli", "python", "hook")
    assert ":" not in origin


@pytest.mark.parametrize(
    ("origin", "env", "session"),
    [
        ("claude-code", {"CLAUDE_CODE_SESSION_ID": "abc"}, "abc"),
        ("claude-code", {"CLAUDE_CODE_SESSION_ID": "x" * 300}, "x" * 200),
        ("claude-code", {}, ""),
        ("codex", {"CLAUDE_CODE_SESSION_ID": "abc"}, ""),
        ("mcp", {"": "odd", "CLAUDE_CODE_SESSION_ID": "abc"}, ""),
    ],
)
def test_a_session_is_the_client_s_own(origin, env, session):
    assert session_of(origin, env) == session
