"""Which project one stands in: a cheap first answer from the file system, deeper keys from git when there is time.

A project is known by keys, strongest first; two places that share a key are one project.

    user:                  the reserved project of the person
    name:<name>            a name given with -p or CLEW_PROJECT
    git:<path>             the shared git directory: subfolders, symlinks and worktrees meet here
    root:<sha>|<remote>    first commit and main remote: clones, and (with no remote) renamed folders and copies, meet here
    remote:<remote>        the main remote alone, the only thing that a shallow clone shares with a full one
    dir:<path>             a folder without git; also last among a repository's keys, so that `git init` keeps what was remembered

Forks and templates share a first commit with what they come from, so the first commit never identifies by itself: it is bound to
the main remote (`origin`, else the first one configured), and a fork has another. Further remotes (`upstream`, `template`,
`deploy`) identify nothing, or every project made from one template would meet at it.
"""

from __future__ import annotations

import os

from clew.errors import InvalidInput
from clew.limits import LABEL_CHARS
from clew.model import USER_PROJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NamedTuple, TypeAlias

    Ask: TypeAlias = Callable[..., list[str]]
else:
    from clew.model import NamedTuple

WINDOWS = os.name == "nt"
STRENGTH = ("git", "root", "remote", "dir")  # a repository's kinds of key, strongest first
ORIGIN_CHAIN = 4  # clones of clones of local repositories that are followed
POINTER_BYTES = 8 << 10  # a .git file or commondir holds one path

# Only these answer for git: no prompt, no lock, no network whatever the repository's own configuration says, no rewritten history.
GIT_ENV = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
# A repository may come from anybody: its fsmonitor and its signature check are programs of its own choosing.
GIT_SAFE = ("safe.directory=*", "core.fsmonitor=false", "core.quotePath=false", "log.showSignature=false", "i18n.logOutputEncoding=UTF-8")


class Place(NamedTuple):
    """Where one stands. `keys` strongest first, `name` a short label, `path` absolute and NFC ("" for a named project)."""

    keys: tuple[str, ...]
    name: str
    path: str
    explicit: bool


def locate(explicit: str | None, *, env: Mapping[str, str], home: str, client_root: str | None = None, cwd: str | None = None) -> Place:
    """The place named by `explicit`, else CLEW_PROJECT, else `client_root` (path or file URI), else the working directory.

    Starts no process. A value with a path separator, `.`, `..` or `~` is a folder; anything else is a name.
    Home, what lies above it and a file-system root are never projects: standing there is standing in the user's own project.
    Raises InvalidInput naming `project` or `CLEW_PROJECT` for a bad name or a folder that does not exist.
    """
    named = env.get("CLEW_PROJECT", "").strip()
    if explicit is not None and not isinstance(explicit, str):
        raise InvalidInput("project", f"must be the name of a project or a folder, not {type(explicit).__name__}")
    if explicit is not None:
        return _chosen(explicit.strip(), "project", env, home, cwd)
    if named:
        return _chosen(named, "CLEW_PROJECT", env, home, cwd)
    root = local_path(client_root) if client_root else None
    if root and _usable(root):
        return _place_of(root if os.path.isabs(root) else os.path.join(_working_directory(env, home, cwd), root), home)
    return _place_of(_working_directory(env, home, cwd), home)


def deepen(place: Place, *, timeout: float = 2.0) -> Place:
    """The same place with the keys that only git knows. `timeout` is in seconds, for all questions together.

    The first commit is the one at the end of HEAD's first parents: merging another history in (a subtree) does not change it.
    An origin that is a repository on this machine lends its keys, so that a clone is the same project as what it was cloned from.
    When git is missing, slow or failing the place comes back unchanged; half an answer is never used, because
    "no remote" and "the remote is not known" are different identities.
    """
    if not place.keys[0].startswith("git:"):
        return place
    import subprocess

    common = _on_disk(place.keys[0].removeprefix("git:"))
    try:
        found = _repository_keys(_asker(timeout), common, _on_disk(place.path), ORIGIN_CHAIN)
    except (OSError, ValueError, subprocess.SubprocessError):
        return place
    keys = dict.fromkeys((*place.keys, *found))
    return place._replace(keys=tuple(sorted(keys, key=lambda key: STRENGTH.index(key.partition(":")[0]))))


def normal_path(path: str, windows: bool = WINDOWS) -> str:
    """`path` as it is compared and stored: NFC, encodable; on Windows lower case, forward slashes, no `\\\\?\\` prefix. Pure."""
    if windows:
        path = path.replace("\\", "/").lower()
        path = path.replace("//?/unc/", "//", 1).removeprefix("//?/")
    if path.isascii():
        return path
    return _nfc(path.encode("utf-8", "backslashreplace").decode())


def normal_remote(url: str) -> str:
    """`host/path` of a remote, whatever the scheme, user, password, port and ending; a bare path when it is local. Pure.

    The case of the path is kept: not every host ignores it. Credentials never survive.
    """
    path = local_path(url)
    if path is not None:
        return _trimmed(path)
    url = url.strip()
    rest = url.partition("://")[2]
    host, _, path = rest.partition("/") if rest else url.partition(":")
    host = host.rpartition("@")[2]
    host = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return f"{host.lower()}/{_trimmed(path.lstrip('/'))}"


def local_path(url: str) -> str | None:
    """The path that a file URI or a plain path names, None for anything that lies behind a protocol or on another host. Pure."""
    url = url.strip()
    scheme, mark, rest = url.partition("://")
    if mark and scheme.lower() == "file":
        from urllib.parse import unquote_to_bytes

        path = os.fsdecode(unquote_to_bytes("/" + rest.partition("/")[2]))
        return path[1:] if path[2:3] == ":" and path[1].isalpha() else path
    head, colon, tail = url.partition(":")
    drive = len(head) == 1 and tail[:1] in ("/", "\\")
    return url if not colon or "/" in head or drive else None


def _chosen(value: str, field: str, env: Mapping[str, str], home: str, cwd: str | None) -> Place:
    if value == USER_PROJECT:
        return _user(explicit=True)
    if value not in (".", "..", "~") and not any(sep in value for sep in (os.sep, os.altsep) if sep):
        return _named(value, field)
    if not _usable(value):
        raise InvalidInput(field, "this path holds a character that no file name can have")
    if value == "~" or value[:2] in ("~" + os.sep, "~/"):
        value = home + value[1:]
    path = value if os.path.isabs(value) else os.path.join(_working_directory(env, home, cwd), value)
    if not os.path.exists(path):
        raise InvalidInput(field, f"there is no folder '{value}'; a name (without '{os.sep}') chooses a project by name")
    return _place_of(path, home)._replace(explicit=True)


def _named(value: str, field: str) -> Place:
    name = _nfc(value)
    problems = (
        (not name, f"the name is empty; give a name, a path, or {USER_PROJECT}"),
        (name.startswith("@"), f"only {USER_PROJECT} may start with '@'"),
        (len(name) > LABEL_CHARS, f"the name has {len(name)} characters, the limit is {LABEL_CHARS}"),
        (_printable(name) != name, "the name holds control characters; use letters, digits, spaces and signs"),
    )
    for wrong, problem in problems:
        if wrong:
            raise InvalidInput(field, problem)
    return Place(("name:" + _nfc(name.casefold()),), name, "", True)


def _user(explicit: bool) -> Place:
    return Place(("user:",), USER_PROJECT, "", explicit)


def _place_of(start: str, home: str) -> Place:
    start = os.path.realpath(start)
    if os.path.isfile(start):
        start = os.path.dirname(start)
    bound = normal_path(os.path.realpath(home)) if home else ""
    if _never_a_project(start, bound):
        return _user(explicit=False)
    folder = start
    while not _never_a_project(folder, bound):
        common = _common_dir(folder)
        if common:
            return _repository_place(folder, common)
        folder = os.path.dirname(folder)
    path = normal_path(start)
    return Place(("dir:" + path,), _label(start), normal_path(start, windows=False), False)


def _repository_place(folder: str, common: str) -> Place:
    keys = ["git:" + normal_path(common)]
    if common == os.path.join(folder, ".git"):
        keys.append("dir:" + normal_path(folder))
    base = os.path.basename(common)
    name = _label(os.path.dirname(common)) if base.startswith(".") else _label(common.removesuffix(".git"))
    return Place(tuple(keys), name, normal_path(folder, windows=False), False)


def _never_a_project(folder: str, home: str) -> bool:
    """Home itself, anything above it, and every root (of a drive too)."""
    above = normal_path(folder).rstrip("/") + "/"
    return (home + "/").startswith(above) or os.path.dirname(folder) == folder


def _common_dir(folder: str) -> str:
    """The shared git directory of the repository whose top, or whose bare directory, is `folder`; "" when there is none."""
    dot = os.path.join(folder, ".git")
    mark, _, elsewhere = _pointer(dot).partition(":")
    inside = os.path.join(folder, elsewhere.strip()) if mark == "gitdir" else dot
    for inner in (inside, folder):
        if not os.path.lexists(os.path.join(inner, "HEAD")):
            continue
        shared = os.path.join(inner, _pointer(os.path.join(inner, "commondir")))
        if os.path.isdir(os.path.join(shared, "objects")) and os.path.isdir(os.path.join(shared, "refs")):
            return os.path.realpath(shared)
    return ""


def _pointer(file: str) -> str:
    """The one path that a small git file holds, "" when it cannot be read. Only plain files: opening a pipe would wait for ever."""
    if not os.path.isfile(file):
        return ""
    try:
        with open(file, "rb") as opened:
            text = os.fsdecode(opened.read(POINTER_BYTES)).strip()
    except OSError:
        return ""
    return text if _usable(text) else ""


def _working_directory(env: Mapping[str, str], home: str, cwd: str | None) -> str:
    if cwd is not None:
        return cwd
    try:
        return os.getcwd()
    except OSError:  # it was deleted; the shell still says where it was
        known = env.get("PWD", "")
        return known if os.path.isabs(known) else home


def _repository_keys(ask: Ask, common: str, top: str, chain: int) -> list[str]:
    own = ["git:" + normal_path(common)]
    url = _main_remote(ask, common)
    path = local_path(url) if url else None
    if path:
        path = os.path.realpath(os.path.join(top, path))
        origin = _common_dir(path) or _common_dir(path + ".git")
        if origin:
            return own + (_repository_keys(ask, origin, path, chain - 1) if chain else [])
    remote = normal_remote(normal_path(path) if path else url)
    sha = _first_commit(ask, common)
    roots = [f"root:{sha}|{remote}"] if sha else []
    return own + roots + (["remote:" + remote] if remote else [])


def _main_remote(ask: Ask, common: str) -> str:
    """The url of `origin`, else of the first remote configured, after the user's `insteadOf` rules; "" when there is none."""
    lines = ask(common, "config", "--local", "--includes", "--name-only", "--get-regexp", r"^remote\..+\.url$", tolerate=1)
    names = [line.removeprefix("remote.").removesuffix(".url") for line in lines]
    if not names:
        return ""
    return next(iter(ask(common, "remote", "get-url", "origin" if "origin" in names else names[0])), "")


def _first_commit(ask: Ask, common: str) -> str:
    """The oldest first parent of HEAD; of several histories (HEAD without a commit) the smallest; "" when shallow or empty."""
    if os.path.exists(os.path.join(common, "shallow")):
        return ""
    walk = ("rev-list", "--first-parent", "--max-parents=0")
    # The closing `--` matters: the folder it is asked in holds a file called HEAD.
    found = ask(common, *walk, "HEAD", "--", tolerate=128) or ask(common, *walk, "--all", "--")
    return min(found, default="")


def _asker(timeout: float) -> Ask:
    """A function that asks git one question about one git directory and gives the lines of the answer.

    It runs in that directory: the working directory may be deleted, and may hold a program called git.
    """
    import subprocess
    from time import monotonic

    program, env = git_program(), git_environment()
    end = monotonic() + timeout

    def ask(common: str, *words: str, tolerate: int = 0) -> list[str]:
        done = subprocess.run(
            [program, "-c", "safe.directory=*", f"--git-dir={common}", *words],
            cwd=common,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=max(0.0, end - monotonic()),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        if done.returncode not in (0, tolerate):
            raise subprocess.SubprocessError(f"git {words[0]} ended with {done.returncode}")
        return os.fsdecode(done.stdout).splitlines()

    return ask


def git_environment() -> dict[str, str]:
    """The environment that git is asked in: ours without what steers git, and GIT_ENV."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name == "GIT_EXEC_PATH"} | GIT_ENV


def git_program() -> str:
    """The first git on PATH. Relative entries do not count: a repository must not be able to bring its own git along.

    Raises FileNotFoundError when there is none.
    """
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = os.path.join(folder, "git.exe" if WINDOWS else "git")
        if os.path.isabs(folder) and os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    raise FileNotFoundError("git")


def _on_disk(path: str) -> str:
    """The spelling of a normalised path that the file system knows (a folder named in NFD is another folder to Linux)."""
    if os.path.exists(path) or os.path.dirname(path) == path:
        return path
    parent = _on_disk(os.path.dirname(path))
    wanted = os.path.basename(path)
    try:
        spelled = next((name for name in os.listdir(parent) if normal_path(name) == wanted), wanted)
    except OSError:
        spelled = wanted
    return os.path.join(parent, spelled)


def _label(path: str) -> str:
    """A folder's name made fit for a label; '@' in front is dropped because it marks the reserved project."""
    name = _printable(normal_path(os.path.basename(path), windows=False))
    return name.lstrip("@").strip()[:LABEL_CHARS] or "project"


def _printable(text: str) -> str:
    """`text` without control characters, line separators and lone surrogates."""
    if text.isascii() and text.isprintable():
        return text
    from unicodedata import category

    return "".join(char for char in text if category(char) not in ("Cc", "Cs", "Zl", "Zp"))


def _usable(path: str) -> bool:
    """Whether the operating system can be asked about `path` at all."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _nfc(text: str) -> str:
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFC", text)


def _trimmed(path: str) -> str:
    return path.rstrip("/").removesuffix(".git").rstrip("/")
