"""Who writes: the client's name as it introduces itself, made the short origin that is kept with a memory; and in which session."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

UNNAMED = "mcp"
LONGEST = 40
RESERVED = ("user", "cli", "python", "hook", "import")  # origins of other surfaces; a client of that name is told apart

# The beginning of the slug → origin. Clients introduce themselves with suffixes that change (`gemini-cli-mcp-client-v1`).
KNOWN = (
    ("claude-code", "claude-code"),
    ("claude-ai", "claude-desktop"),
    ("claude-desktop", "claude-desktop"),
    ("codex", "codex"),
    ("cursor", "cursor"),
    ("visual-studio-code", "vscode"),
    ("vscode", "vscode"),
    ("github-copilot", "copilot"),
    ("copilot", "copilot"),
    ("gemini", "gemini"),
    ("antigravity", "antigravity"),
    ("qwen", "qwen"),
    ("cline", "cline"),
    ("roo", "roo"),
    ("kilo", "kilo"),
    ("opencode", "opencode"),
    ("windsurf", "windsurf"),
    ("devin", "devin"),
    ("zed", "zed"),
    ("goose", "goose"),
    ("continue", "continue"),
    ("amp", "amp"),
    ("crush", "crush"),
    ("kiro", "kiro"),
    ("junie", "junie"),
    ("warp", "warp"),
)
# Where a client puts the name of its session, the very one that its hooks tell. A client that was started inside another one's shell
# inherits that one's variables, so each has its own alone.
SESSIONS = {"claude-code": "CLAUDE_CODE_SESSION_ID"}
SESSION_CHARS = 200


def origin_of(name: str) -> str:
    """`Cursor-VSCode` → cursor, `My Agent 2` → my-agent-2, nothing → mcp. Lower-case ASCII letters, digits and single dashes. Pure."""
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in name[:200].lower()).split()
    slug = "-".join(words)[:LONGEST].rstrip("-")
    for beginning, origin in KNOWN:
        if slug == beginning or slug.startswith(beginning + "-"):
            return origin
    return f"{UNNAMED}-{slug}" if slug in RESERVED else slug or UNNAMED


def session_of(origin: str, env: Mapping[str, str]) -> str:
    """The session of the client that is known by `origin`; "" where it names none. Pure."""
    return env.get(SESSIONS[origin], "")[:SESSION_CHARS] if origin in SESSIONS else ""
