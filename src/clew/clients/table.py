"""The clients clew can be written into: their files, their events, what goes where. One table; everything else reads it."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SERVER = "clew"  # what the MCP server is called in every client


class File(NamedTuple):
    """A settings file: `name` inside the folder that the variable names, else inside `folder`. `keys` lead to what is edited.

    In `folder`, ~ is the user's home and . the project. "{project}" among the keys stands for the project's absolute path.
    """

    variable: str
    folder: str
    name: str
    keys: tuple[str, ...]


class Hook(NamedTuple):
    """An event the client calls us for: at most `timeout` seconds; `matcher` picks the kinds of the event, "" for all."""

    event: str
    timeout: int
    matcher: str = ""


class Client(NamedTuple):
    """One client. `hook_file` is None where it has no hooks of this shape; `project` holds the files of one project's scope, if it has one.

    `server` is what its server block holds beside the command. `plugins` is the key that tells whether our plugin is installed.
    `skills` is the folder that skills of one's own lie in, one folder each; None where clew writes none.
    """

    name: str
    title: str
    server_file: File
    server: dict[str, Any]
    hook_file: File | None = None
    hooks: tuple[Hook, ...] = ()
    project_server_file: File | None = None
    project_hook_file: File | None = None
    plugins: str = ""
    skills: File | None = None


CLAUDE = Client(
    name="claude",
    title="Claude Code",
    server_file=File("CLAUDE_CONFIG_DIR", "~", ".claude.json", ("mcpServers",)),
    # Without alwaysLoad the model sees the tools' names only, and has to ask for them before it can call one.
    server={"type": "stdio", "args": ["mcp"], "alwaysLoad": True},
    hook_file=File("CLAUDE_CONFIG_DIR", "~/.claude", "settings.json", ("hooks",)),
    hooks=(
        Hook("SessionStart", 10, "startup|resume|clear|compact|fork"),
        Hook("UserPromptSubmit", 5),
        Hook("PreToolUse", 5, "Bash|Edit|MultiEdit|Write|NotebookEdit|mcp__.*"),  # what may be stopped; a read never is
        Hook("PostToolUse", 5),
        Hook("PostToolUseFailure", 5),
        Hook("PreCompact", 10),
        Hook("Stop", 10),
        Hook("SessionEnd", 10),  # without a timeout of its own this one is killed after a second and a half
    ),
    # Both are read for this user alone: an absolute path is of no use to anyone else who has the repository.
    project_server_file=File("CLAUDE_CONFIG_DIR", "~", ".claude.json", ("projects", "{project}", "mcpServers")),
    project_hook_file=File("", "./.claude", "settings.local.json", ("hooks",)),
    plugins="enabledPlugins",
    skills=File("CLAUDE_CONFIG_DIR", "~/.claude", "skills", ()),
)

CODEX = Client(
    name="codex",
    title="Codex",
    server_file=File("CODEX_HOME", "~/.codex", "config.toml", ("mcp_servers",)),
    # Codex hands a server only the variables named here. Not `required`: a required server that fails stops Codex itself.
    server={
        "args": ["mcp"],
        "startup_timeout_sec": 10,
        "env_vars": [
            "CLEW_HOME",
            "CLEW_DB",
            "CLEW_PROJECT",
            *(f"CLEW_EMBED{part}" for part in ("", "_URL", "_MODEL", "_KEY", "_ANYWHERE")),
        ],
    },
)

CLINE = Client(
    name="cline",
    title="Cline",
    server_file=File("", "~/.cline/data/settings", "cline_mcp_settings.json", ("mcpServers",)),
    server={"type": "stdio", "args": ["mcp"]},
)

CLIENTS: dict[str, Client] = {client.name: client for client in (CLAUDE, CODEX, CLINE)}
