"""How a client calls clew: the absolute path of the program, the command of each hook, and how such a command is known again."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import sysconfig

from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_CALLED = r"""(?:^|[\\/\s"'])clew(?:\.exe)?["']?\s+"""
_HOOK = _CALLED + r"hook\s+{client}\s+[A-Za-z]+\s*$"
_SERVER = _CALLED + r"mcp(?:\s|$)"
_PLAIN = re.compile(r"[\w@%+=:,./~-]+", re.A)


def program(argv0: str) -> tuple[str, ...]:
    """The words that start clew from any folder: the command as it was called, else the one beside this Python, else Python itself.

    A link is kept as it is, for it stays in its place when the program behind it is upgraded.
    """
    called = argv0 if os.path.dirname(argv0) else shutil.which(argv0) or ""
    names = ("clew", "clew.exe")
    candidates = [called] if os.path.basename(called).lower() in names else []
    candidates += [os.path.join(sysconfig.get_path("scripts"), name) for name in names]
    for path in candidates:
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return (_writable(os.path.abspath(path)),)
    # -P: without it a file of the project named like a module of ours would be run in its place.
    return (_writable(sys.executable), "-P", "-m", "clew")


def hook_command(words: Sequence[str], client: str, event: str) -> str:
    """The command line of one hook, the same in every version: a client that trusts it goes on trusting it."""
    return " ".join([*(_quoted(word) for word in words), "hook", client, event])


def is_hook(handler: Any, client: str) -> bool:
    """Whether a hook of a settings file is one of ours, whichever path it was written with."""
    return bool(re.search(_HOOK.format(client=re.escape(client)), _line(handler)))


def is_server(block: Any) -> bool:
    """Whether a server block of a settings file starts our server."""
    return bool(re.search(_SERVER, _line(block)))


def _line(block: Any) -> str:
    """`command` and `args` of a block as one line; "" where they are no text."""
    if not isinstance(block, dict):
        return ""
    args = block.get("args") or []
    words = [block.get("command"), *(args if isinstance(args, list) else [None])]
    return " ".join(words) if all(isinstance(word, str) for word in words) else ""


def _quoted(word: str) -> str:
    if os.name == "nt":  # hooks run in Git Bash there, which takes forward slashes and double quotes
        word = word.replace("\\", "/")
        return word if _PLAIN.fullmatch(word) else f'"{word}"'
    return shlex.quote(word)


def _writable(path: str) -> str:
    """The path, if a settings file can hold it. Raises InvalidInput."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput("path", f"{path!a} is not UTF-8, so no settings file can name it; install clew elsewhere") from None
    return path
