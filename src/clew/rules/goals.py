"""What a tool call is for when the host does not say: its goal, the approach it tries, whether it counts, what it changes.

A goal is what must pass: a test, build or lint command on its subject, an edit of one file, else what the user asked for. An approach is
the call with its arguments *and* the changes made so far: the same command after an edit is another approach, after that edit was undone
it is the old one.
"""

from __future__ import annotations

from clew.ids import blake2b
from clew.rules.commands import VERIFYING, purpose_of
from clew.rules.masks import masked, project_relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

GOAL_CHARS = 200
# Tools of the clients by what they do, names folded: lower case, no `_`, `-`, `.` or server's prefix.
_TOOLS = {
    "run": "bash shell runshellcommand runcommands runcommand execcommand executecommand localshell powershell terminal runterminalcmd"
    " runinterminal bashtool execute shellcommand containerexec unifiedexec",
    "edit": "edit multiedit write writefile applypatch strreplace strreplaceeditor strreplacebasededittool replace notebookedit createfile"
    " create replaceinfile writetofile editfile insert searchreplace filewrite fileedit editnotebook patch",
    "look": "read view readfile grep glob ls list search find webfetch websearch readmanyfiles codebasesearch searchfiles listfiles"
    " listdirectory lsp fetch getdiagnostics notebookread readlints fileread filesearch grepsearch findfiles viewimage toolsearch listdir",
    "wait": "bashoutput taskoutput wait sleep killshell killbash monitor taskstop awaitshell getterminaloutput readbashoutput writestdin",
    "talk": "todowrite todoread taskcreate taskupdate tasklist taskget exitplanmode enterplanmode askuserquestion askfollowupquestion skill"
    " think plan updateplan attemptcompletion slashcommand savememory requestuserinput structuredoutput",
}
_ACTION_OF = {name: action for action, names in _TOOLS.items() for name in names.split()}
_LOOKING_VERBS = (
    "get",
    "list",
    "search",
    "read",
    "find",
    "query",
    "fetch",
    "describe",
    "show",
    "recall",
    "why",
    "status",
    "view",
    "lookup",
)


class Aim(NamedTuple):
    """What a call is for. `action`: test, build, lint, edit, run, call, look, wait or talk; only the first six count as attempts.

    `approach` is its key under the goal; `change` is what the tree is changed by when it succeeds, "" for nothing (see `changed`).
    """

    goal: str
    action: str
    target: str
    approach: str
    counts: bool
    change: str = ""


def aim_of(tool: str, target: str = "", *, arguments: str = "", changes: Iterable[str] = (), request: str = "", root: str = "") -> Aim:
    """The aim of a call of `tool` on `target` (a file, a command, a query).

    `arguments`: the rest of what it was given, as text; of an edit by `edit_arguments`. `changes`: those in effect, from `changed`.
    `request`: the user's last words. `root`: the project's folder. Anything odd (no name, no target) is an aim that does not count.
    """
    action = _action_of(tool)
    if action == "run":
        return _command(target, tuple(changes), request, root)
    place = project_relative(target, root) if action in ("edit", "look") else target
    if action == "edit":
        key = f"edit:{place}:{arguments}"
        return Aim(f"edit: {place}"[:GOAL_CHARS], action, place, key, bool(place), key if place else "")
    if action in ("look", "wait", "talk", ""):
        return Aim(_asked(request), action or "other", place, _key(tool, place, arguments), False)
    return Aim(_asked(request), "call", tool, _key(tool, target, arguments) + "@" + state_key(changes), True)


def edit_arguments(old: str, new: str) -> str:
    """The part of an edit's key that says what it replaced by what; swapped, it is that edit's undoing. `old` "": a file was written."""
    return f"{_key(old)[:12] if old else '*'}>{_key(new)[:12]}"


def changed(changes: Iterable[str], change: str) -> tuple[str, ...]:
    """The changes in effect after one more succeeded. An edit's undoing takes it away, a restored file loses its edits.

    A command that moves the tree (a merge, a checkout) is a change each time anew; any other that was made before adds nothing.
    """
    kept = list(changes)
    kind, _, rest = change.partition(":")
    if kind == "edit":
        path, _, what = rest.rpartition(":")
        old, _, new = what.partition(">")
        if old == "*":
            return (*(c for c in kept if not c.startswith(f"edit:{path}:")), change)
        undone = f"edit:{path}:{new}>{old}"
        if undone in kept:
            kept.remove(undone)
            return tuple(kept)
    elif kind == "restored":
        paths = rest.split("\n") if rest else []
        return tuple(c for c in kept if not (c.startswith("edit:") and (not paths or c.split(":")[1] in paths)))
    elif kind == "moved":
        return (*kept, f"{change}#{sum(c.startswith('moved:') for c in kept)}")
    return tuple(kept) if change in kept or not change else (*kept, change)


def change_of(approach: str) -> str:
    """The change that a kept approach made, "" for none: so that the changes in effect can be told from the attempts kept."""
    change = approach.rpartition("@")[0] or approach
    return change if change.partition(":")[0] in ("edit", "ran", "moved", "restored") else ""


def state_key(changes: Iterable[str]) -> str:
    """What stands for the state of the tree in an approach: the same for the same changes in whatever order."""
    return _key(*sorted(changes))[:12]


def _command(command: str, changes: tuple[str, ...], request: str, root: str) -> Aim:
    purpose = purpose_of(command)
    words = masked(purpose.words, root)
    change = f"{purpose.change}:{_key(words)[:12]}" if purpose.change else ""
    if purpose.change == "restored":
        change = "restored:" + "\n".join(project_relative(path, root) for path in purpose.restored)
    goal = f"{purpose.action}: {masked(purpose.subject, root)}"[:GOAL_CHARS] if purpose.action in VERIFYING else _asked(request)
    approach = (change or f"do:{_key(words)[:16]}") + "@" + state_key(changes)
    counts = purpose.action in (*VERIFYING, "run") and bool(words)
    return Aim(goal, purpose.action, masked(purpose.subject or purpose.words, root), approach, counts, change)


def _action_of(tool: str) -> str:
    """What a client's tool does; "" for one without a name, "call" for one that nobody knows."""
    name = tool.rpartition("__")[2].rpartition(".")[2]
    folded = name.lower().replace("_", "").replace("-", "")
    if not folded:
        return ""
    known = _ACTION_OF.get(folded)
    return known or ("look" if name.lower().replace("-", "_").split("_")[0] in _LOOKING_VERBS else "call")


def _asked(request: str) -> str:
    return "request: " + " ".join(request.split())[: GOAL_CHARS - 20] if request.strip() else "request"


def _key(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
