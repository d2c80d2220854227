"""Settings: what a flag says, else the environment, else the default."""

from __future__ import annotations

import os
import re

from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

DATABASE = "memory.db"
IN_MEMORY = ":memory:"
IGNORE_FILE = ".clewignore"
IGNORE_BYTES = 64 << 10
_UNFIT = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff]")  # would break a line of output, or is no UTF-8


class Settings(NamedTuple):
    """Where the store is (an absolute path, or ":memory:"), which embedder it uses, (address, model, key) of the server that one asks,
    and the user's home."""

    database: str
    embed: str
    home: str
    server: tuple[str, str, str] = ("", "", "")


def settings(path: str | None, embed: str | None, env: Mapping[str, str]) -> Settings:
    """Settings from flags and `env`; an empty variable counts as unset.

    CLEW_DB names the file, CLEW_HOME the folder it lies in otherwise (default ~/.clew), CLEW_EMBED the embedder (default static),
    CLEW_EMBED_URL, CLEW_EMBED_MODEL and CLEW_EMBED_KEY the model server that some embedders ask.
    Raises InvalidInput naming the variable when a path cannot be one.
    """
    home = _home(env)
    named = path if path is not None else env.get("CLEW_DB", "").strip()
    if named == IN_MEMORY:
        database = named
    elif named:
        database = usable_path(named, "path" if path is not None else "CLEW_DB", home)
    else:
        database = usable_path(os.path.join(_folder(env, home), DATABASE), "CLEW_HOME", home)
    server = (env.get("CLEW_EMBED_URL", "").strip(), env.get("CLEW_EMBED_MODEL", "").strip(), env.get("CLEW_EMBED_KEY", "").strip())
    return Settings(database, embed if embed is not None else env.get("CLEW_EMBED", "").strip() or "static", home, server)


def exclusions(root: str, env: Mapping[str, str]) -> tuple[str, str]:
    """(lines of the .clewignore in the folder `root`, lines of CLEW_EXCLUDE), in gitignore's language: what capture leaves alone.

    CLEW_EXCLUDE separates its patterns as PATH does its folders; a file that cannot be read excludes nothing.
    """
    named = env.get("CLEW_EXCLUDE", "").replace(os.pathsep, "\n")
    if not root:
        return "", named
    try:
        with open(os.path.join(root, IGNORE_FILE), "rb") as opened:
            return opened.read(IGNORE_BYTES).decode("utf-8", "replace"), named
    except OSError:
        return "", named


def usable_path(text: str, field: str, home: str) -> str:
    """`text` as an absolute path, `~` being `home`. Raises InvalidInput naming `field` for what no file of ours can be called."""
    if _UNFIT.search(text):
        raise InvalidInput(field, f"{ascii(text)[:80]} holds a character that a path may not hold here")
    if text == "~" or text.startswith(("~/", "~\\")):
        text = home + text[1:]
    try:
        return os.path.abspath(text)
    except OSError:
        raise InvalidInput(field, f"'{text[:80]}' starts from the working directory, which is gone; give a whole path") from None


def _home(env: Mapping[str, str]) -> str:
    """The user's home: from the environment, else from the user database; "" when neither knows it."""
    named = env.get("HOME", "").strip() or env.get("USERPROFILE", "").strip()
    if named:
        return named
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):  # Windows, or a container's number without a name
        return ""


def _folder(env: Mapping[str, str], home: str) -> str:
    named = env.get("CLEW_HOME", "").strip()
    if not named and not home:
        raise InvalidInput("CLEW_HOME", "is not set and this user has no home; name the folder that memories are to be kept in")
    return named or os.path.join(home, ".clew")
