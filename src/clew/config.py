"""Settings: what a flag says, else the environment, else the default."""

from __future__ import annotations

import os

from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

DATABASE = "memory.db"
IN_MEMORY = ":memory:"


class Settings(NamedTuple):
    """Where the store is (an absolute path, or ":memory:"), which embedder it uses, and the user's home."""

    database: str
    embed: str
    home: str


def settings(path: str | None, embed: str | None, env: Mapping[str, str]) -> Settings:
    """Settings from flags and `env`; an empty variable counts as unset.

    CLEW_DB names the file, CLEW_HOME the folder it lies in otherwise (default ~/.clew), CLEW_EMBED the embedder (default static).
    Raises InvalidInput naming the variable when a path cannot be one.
    """
    home = os.path.expanduser("~") if "HOME" not in env and "USERPROFILE" not in env else env.get("HOME") or env.get("USERPROFILE") or "/"
    folder = _path(env.get("CLEW_HOME", "").strip() or os.path.join(home, ".clew"), "CLEW_HOME", home)
    named = path if path is not None else env.get("CLEW_DB", "").strip()
    field = "path" if path is not None else "CLEW_DB"
    database = named if named == IN_MEMORY else _path(named, field, home) if named else os.path.join(folder, DATABASE)
    return Settings(database, embed if embed is not None else env.get("CLEW_EMBED", "").strip() or "static", home)


def _path(text: str, field: str, home: str) -> str:
    if "\0" in text or "\n" in text:
        raise InvalidInput(field, "holds a character that no path may hold")
    if text == "~" or text.startswith(("~/", "~\\")):
        text = home + text[1:]
    return os.path.abspath(text)
