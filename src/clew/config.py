"""Settings: what a flag says, else the environment, else the default."""

from __future__ import annotations

import os

from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from clew.model import Extractor, Settings

DATABASE = "memory.db"
IN_MEMORY = ":memory:"
IGNORE_FILE = ".clewignore"
IGNORE_BYTES = 64 << 10
OUTPUT_TOKENS = (500, 1_000_000)  # what CLEW_COMPILE_OUTPUT may be
# Categories of characters that would break a line of output, or are no UTF-8: controls, separators of lines, halves of a pair.
_UNFIT = ("Cc", "Zl", "Zp", "Cs")

# dialect: (path of its chat, address where none is given)
CHATS: Mapping[str, tuple[str, str]] = {
    "ollama": ("/api/chat", "http://127.0.0.1:11434"),
    "openai-compatible": ("/v1/chat/completions", ""),
}


def settings(path: str | None, embed: str | None, env: Mapping[str, str]) -> Settings:
    """Settings from flags and `env`; an empty variable counts as unset.

    CLEW_DB names the file, CLEW_HOME the folder it lies in otherwise (default ~/.clew), CLEW_EMBED the embedder (default static),
    CLEW_EMBED_URL, CLEW_EMBED_MODEL and CLEW_EMBED_KEY the model server that some embedders ask, near unless CLEW_EMBED_ANYWHERE=yes.
    Raises InvalidInput naming the variable when a path cannot be one.
    """
    from clew.model import Settings  # the hook before a tool needs the path alone, and does without all values

    home = _home(env)
    chosen = embed if embed is not None else env.get("CLEW_EMBED", "").strip() or "static"
    server = (env.get("CLEW_EMBED_URL", "").strip(), env.get("CLEW_EMBED_MODEL", "").strip(), env.get("CLEW_EMBED_KEY", "").strip())
    host = _host(server[0]) if chosen in CHATS else ""
    if host and not near(host) and env.get("CLEW_EMBED_ANYWHERE", "").strip() != "yes":
        raise InvalidInput("CLEW_EMBED_URL", f"{host} is not near: text would leave this network; CLEW_EMBED_ANYWHERE=yes allows it")
    return Settings(database(path, env), chosen, home, server)


def database(path: str | None, env: Mapping[str, str]) -> str:
    """Where the store is, as in `settings`. Raises InvalidInput."""
    home = _home(env)
    named = path if path is not None else env.get("CLEW_DB", "").strip()
    if named == IN_MEMORY:
        return named
    if named:
        return usable_path(named, "path" if path is not None else "CLEW_DB", home)
    return usable_path(os.path.join(_folder(env, home), DATABASE), "CLEW_HOME", home)


def exclusions(root: str, env: Mapping[str, str]) -> tuple[str, str]:
    """(lines of the .clewignore in the folder `root`, lines of CLEW_EXCLUDE), in gitignore's language: what capture leaves alone.

    CLEW_EXCLUDE separates its patterns as PATH does its folders.
    """
    return ignore_lines(root) if root else "", env.get("CLEW_EXCLUDE", "").replace(os.pathsep, "\n")


def ignore_lines(folder: str) -> str:
    """The lines of the .clewignore in a folder, "" for none; one that cannot be read, or is no file, excludes nothing."""
    place = os.path.join(folder, IGNORE_FILE)
    try:
        if not os.path.isfile(place):
            return ""  # a pipe would keep a hook waiting
        with open(place, "rb") as opened:
            return opened.read(IGNORE_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return ""


def compile_output(env: Mapping[str, str]) -> int:
    """CLEW_COMPILE_OUTPUT: how many tokens of a command's output are too many for the window, 0 for off. Raises InvalidInput."""
    named = env.get("CLEW_COMPILE_OUTPUT", "").strip()
    if not named or named == "0":
        return 0
    low, high = OUTPUT_TOKENS
    if not named.isascii() or not named.isdecimal() or len(named) > len(str(high)) or not low <= int(named) <= high:
        raise InvalidInput("CLEW_COMPILE_OUTPUT", f"'{named[:40]}' is no number of tokens within {low:,}..{high:,}; 0 switches it off")
    return int(named)


def extractor(env: Mapping[str, str]) -> Extractor | None:
    """The model that CLEW_EXTRACTOR, CLEW_EXTRACTOR_URL, CLEW_EXTRACTOR_MODEL and CLEW_EXTRACTOR_KEY name; None for the rules.

    A server out in the world is asked only with CLEW_EXTRACTOR_ANYWHERE=yes. Raises InvalidInput naming the variable.
    """
    dialect = env.get("CLEW_EXTRACTOR", "").strip()
    if dialect in ("", "rules"):
        return None
    if dialect not in CHATS:
        raise InvalidInput("CLEW_EXTRACTOR", f"'{dialect[:40]}' is not one of rules, {', '.join(CHATS)}")
    path, default = CHATS[dialect]
    address = env.get("CLEW_EXTRACTOR_URL", "").strip() or default
    host = _host(address)
    if not host:
        raise InvalidInput("CLEW_EXTRACTOR_URL", "must be a plain http or https address, like http://127.0.0.1:8080")
    if not near(host) and env.get("CLEW_EXTRACTOR_ANYWHERE", "").strip() != "yes":
        raise InvalidInput("CLEW_EXTRACTOR_URL", f"{host} is out in the world, where text would go; CLEW_EXTRACTOR_ANYWHERE=yes allows it")
    name, key = env.get("CLEW_EXTRACTOR_MODEL", "").strip(), env.get("CLEW_EXTRACTOR_KEY", "").strip()
    if not name or len(name) > 200 or not name.isprintable():
        raise InvalidInput("CLEW_EXTRACTOR_MODEL", "must name the model as its server calls it, in at most 200 characters")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InvalidInput("CLEW_EXTRACTOR_KEY", "holds a character that no key has")
    from clew.model import Extractor

    return Extractor(dialect, address.rstrip("/").removesuffix(path).removesuffix("/v1") + path, name, key)


def near(host: str) -> bool:
    """Whether a host is this machine or one of its own network by its name or number alone: nothing is looked up. Pure."""
    last = host.rstrip(".").rpartition(".")[2]
    numbered = last.isdecimal() or last.startswith("0x")  # a resolver reads 134744072 and 0x8080808 as 8.8.8.8: no names
    named = ("." not in host and ":" not in host) or host.endswith((".local", ".lan", ".internal", ".home.arpa"))
    if named and not numbered:
        return True
    import ipaddress

    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return False
    return number.is_private or number.is_loopback or number.is_link_local


def _host(address: str) -> str:
    """The host of a plain http or https address; "" for anything else, also one with a user, a query or blanks."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(address)
        sound = parts.scheme in ("http", "https") and (parts.port or 80) and address.isascii() and address.isprintable()
    except ValueError:
        return ""
    if not sound or parts.username is not None or parts.query or parts.fragment or " " in address:
        return ""
    return parts.hostname or ""


def usable_path(text: str, field: str, home: str) -> str:
    """`text` as an absolute path, `~` being `home`. Raises InvalidInput naming `field` for what no file of ours can be called."""
    if not text.isprintable() and _unfit(text):
        raise InvalidInput(field, f"{ascii(text)[:80]} holds a character that a path may not hold here")
    if text == "~" or text.startswith(("~/", "~\\")):
        text = home + text[1:]
    try:
        return os.path.abspath(text)
    except OSError:
        raise InvalidInput(field, f"'{text[:80]}' starts from the working directory, which is gone; give a whole path") from None


def _unfit(text: str) -> bool:
    from unicodedata import category

    return any(category(character) in _UNFIT for character in text)


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
