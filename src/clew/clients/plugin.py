"""The plugin folder for Claude Code, and the marketplace that offers it, made from the table: python -m clew.clients.plugin ROOT"""

from __future__ import annotations

import json
import os
import sys

from clew import __version__
from clew.clients.blocks import group, server
from clew.clients.table import CLAUDE, SERVER
from clew.clients.taught import SKILL_FILE, skills

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = "plugins/clew"
WORDS = ("clew",)  # found on PATH: a plugin is the same on every machine
OWNER = {"name": "The clew authors"}
WHAT = "A local-first memory for coding agents: what was decided, why, and what already failed."


def documents() -> dict[str, Any]:
    """Every file by its path below the repository's root: the JSON value it holds, or its text."""
    plugin = {"name": SERVER, "version": __version__, "description": WHAT, "author": OWNER, "license": "Apache-2.0"}
    offered = {"name": SERVER, "source": f"./{FOLDER}", "description": WHAT}
    hooks = {hook.event: [group(hook, CLAUDE.name, WORDS)] for hook in CLAUDE.hooks}
    return {
        ".claude-plugin/marketplace.json": {"name": SERVER, "owner": OWNER, "description": WHAT, "plugins": [offered]},
        f"{FOLDER}/.claude-plugin/plugin.json": plugin,
        f"{FOLDER}/hooks/hooks.json": {"description": WHAT, "hooks": hooks},
        f"{FOLDER}/.mcp.json": {"mcpServers": {SERVER: server(CLAUDE, WORDS)}},
        **{f"{FOLDER}/skills/{name}/{SKILL_FILE}": text for name, text in skills().items()},
    }


def write(root: str) -> list[str]:
    """Write every file below `root`; the paths written."""
    paths = []
    for name, value in documents().items():
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2) + "\n")
        paths.append(path)
    return paths


if __name__ == "__main__":
    write(sys.argv[1])
