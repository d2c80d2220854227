"""From a line of code to the commit that wrote it, and to what is known about that commit, its tickets and the place. Reads only.

git is asked as in `clew.project`: no prompt, no lock, no network, and no program that the repository's own configuration names, which for
a blame includes the filters that a checked-out file would otherwise be run through.
"""

from __future__ import annotations

import os
import re

from clew.errors import InvalidInput
from clew.model import Link, Memory, Pointer, Source, Strength, Trail, TrailNode
from clew.project import GIT_SAFE, git_environment, git_program
from clew.rules.entities import entities, of_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple, NoReturn

    from clew.model import Filter
    from clew.store.base import Store
else:
    from clew.model import NamedTuple

SECONDS = 20.0  # for one question to git; a blame of a long history takes the most
MERGE_SECONDS = 1.0  # for each of the two that find the merge: 100,000 commits; where they take longer the answer is the commit without it
MERGES = 3  # the nearest that brought a commit in, of which the first that names a number is told
MERGE_CHARS = 300  # of a merge's message
SNIFFED = 8_000  # bytes in which git itself looks for a NUL
UNCOMMITTED = "0" * 40
NEAR_LINES = 3  # a pointer this near to a line is about it
AROUND = 15  # lines blamed before and after: git follows moved lines by the block, and one line is too little to tell a move by
MOVES = 8  # commits one behind the other that merely moved a line
TELLING = 6  # letters and digits of a line below which it cannot be told from others
SEEDS = 8
MENTIONING = 12  # memories looked at for each thing that the commit names
BODY_CHARS = 4_000
SAID_CHARS = 120  # of a path in a message
SAFE = (*GIT_SAFE, "blame.ignoreRevsFile=")

# A squashed branch ends its subject with the number itself.
_NUMBERED = re.compile(r"\((?:pull request )?[#!]\d+\)$|^Merged PR \d+")
_ELSEWHERE = re.compile(r"(?<=See merge request )\S+(?=!\d)")  # before a number that is this repository's own all the same
_BLAME = ("blame", "--porcelain", "--no-textconv", "-w", "-M", "-C", "-L")
_DIFF = ("diff-tree", "-p", "-r", "-U0", "-M", "--no-commit-id", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/")
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_HEAD = re.compile(r"([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?")

# How much each way from the commit to a memory says.
WROTE, SAYS, POINTS, TICKET, TOUCHES = 1.0, 0.9, 0.8, 0.7, 0.3


class Blamed(NamedTuple):
    """The commit that wrote a line: `at` is the author's date in UTC seconds, `path` and `line` where the line stood in that commit.

    `here` is where it stands now; both paths are relative to the repository's top, with forward slashes. `merge` tells of the merge that
    brought the commit in where that names a pull request or a ticket, "" elsewhere.
    """

    commit: str
    subject: str
    body: str
    author: str
    at: float
    path: str
    line: int
    here: Pointer
    merge: str = ""


def origin(path: str, line: int, said: str = "") -> Blamed:
    """Who wrote line `line` (from 1) of the file at the absolute `path`; moved and copied lines and renamed files are followed.

    White space alone writes nothing. Raises InvalidInput saying what stands in the way: no such file or line, no repository, not
    committed; there the file is called `said`, as whoever asked wrote it, else by its name.
    """
    file = os.path.realpath(path)
    shown = said[-SAID_CHARS:] or os.path.basename(path)
    _readable(file, shown)
    if line < 1:
        raise _no(f"{shown} has no line {line}: lines are counted from 1")
    folder, name = os.path.split(file)
    prefix, _, top = _ask(folder, shown, line, "rev-parse", "--show-prefix", "--show-toplevel").removesuffix("\n").rpartition("\n")
    guards = tuple(part for driver in _filters(folder) for part in ("-c", f"{driver}="))
    told = _ask(folder, shown, line, *_BLAME, _window(line), "--", name, guards=guards)
    sha, was, old, text = _wrote(told, line)
    if not sha:
        raise _no(f"{shown} has no line {line}: it ends before that")
    if sha == UNCOMMITTED:
        raise _no(f"line {line} of {shown} is not committed yet; `git diff` shows what it was")
    sha, was, old = _unmoved(top, sha, was, old, text)
    fields = _ask(folder, shown, line, "log", "-1", "--format=%H%x00%P%x00%aN%x00%at%x00%s%x00%b", sha).split("\0")
    commit, parents, author, at, subject, body = fields
    # Where a shallow clone's history is cut git takes all that was there for that commit's; as it was written it names its parents.
    if not parents and "\nparent " in _ask(folder, shown, line, "cat-file", "commit", sha).partition("\n\n")[0]:
        raise _no(f"line {line} of {shown} is older than the history of this shallow clone; `git fetch --unshallow` brings the rest")
    subject, here = subject.strip(), Pointer(prefix + name, line=line)
    merge = "" if _NUMBERED.search(subject) else _merge(folder, commit)
    return Blamed(commit, subject, body.strip(), author.strip(), float(at or 0), old or prefix + name, was, here, merge)


def _window(line: int) -> str:
    return f"{max(1, line - AROUND)},{line + AROUND}"


def _unmoved(top: str, sha: str, was: int, old: str, text: str) -> tuple[str, int, str]:
    """(commit, line there, path there) that wrote a line which `sha` took from another place; as given where it did not.

    git follows blocks of some 40 letters to another file, and a constant has fewer. Taken from another place is what a commit takes away
    at one place and adds at one.
    """
    for _ in range(MOVES):
        before = _taken_from(_quick(top, *_DIFF, sha), text)
        told = _quick(top, *_BLAME, _window(before[1]), f"{sha}^", "--", before[0]) if before else ""
        found = _wrote(told, before[1]) if before else ("", 0, "", "")
        if not found[0]:
            break
        sha, was, old, text = found
    return sha, was, old


def _taken_from(diff: str, text: str) -> tuple[str, int] | None:
    """(path, line) before a commit of a line that its diff, without context, takes away once and adds once; None for any other."""
    plain = "".join(text.split())
    if sum(map(str.isalnum, plain)) < TELLING:
        return None
    gone, come, path, at, less, more = list[tuple[str, int]](), 0, "", 0, 0, 0
    for row in diff.split("\n"):
        if not less and not more:
            if hunk := _HUNK.match(row):
                at, less, more = int(hunk[1]), int(hunk[2] or 1), int(hunk[3] or 1)
            elif row.startswith("--- "):
                path = row.removeprefix("--- a/").rstrip("\t")
        elif row[:1] in "-+":
            same = "".join(row[1:].split()) == plain
            if row[:1] == "-":
                gone += [(path, at)] * same
                at, less = at + 1, less - 1
            else:
                come, more = come + same, more - 1
    return gone[0] if len(gone) == 1 == come else None


def _merge(folder: str, commit: str) -> str:
    """What the nearest merge that brought a commit in says, of those that name a number; "" where there is none, or it takes too long."""
    told = _quick(folder, "rev-list", "--ancestry-path", "--topo-order", "--reverse", "--parents", f"{commit}..HEAD")
    within, brought = {commit}, list[str]()
    for line in told.splitlines():
        sha, *parents = line.split()
        if len(parents) > 1 and parents[0] not in within:  # else it came with the branch that something was merged into
            brought.append(sha)
            if len(brought) == MERGES:
                break
        within.add(sha)
    said = _quick(folder, "log", "--no-walk=unsorted", "-z", "--format=%h %B", "--abbrev=12", *brought) if brought else ""
    for text in said.split("\0"):
        sha, _, message = text.partition(" ")
        message = _ELSEWHERE.sub("", " ".join(message.split())[:MERGE_CHARS])
        if any(n.kind in ("ticket", "pr") for n in entities(message)):
            return f"Merged by commit {sha}: {message}"
    return ""


def seeds(store: Store, scope: Sequence[int], which: Filter, blamed: Blamed) -> list[tuple[int, float]]:
    """(memory, how much it says) about the commit, its tickets, what it names, and the place in the code; best first, at most SEEDS."""
    named = {n.key: n.kind for n in of_memory(written(blamed)) if n.kind in ("commit", "ticket", "pr", "file")}
    entities = store.entities_named(scope, [*named, blamed.here.path.casefold()])
    mentioned = store.mentioned({e for ids in entities.values() for e in ids}, MENTIONING)
    known = {m for ids in mentioned.values() for m in ids}
    memories = store.fetch(sorted(store.admitted(sorted(known), scope, which)))
    found: dict[int, float] = {}
    for key, ids in entities.items():
        for number in (m for e in ids for m in mentioned.get(e, ()) if m in memories):
            score = _weight(memories[number], named.get(key, "file"), blamed)
            found[number] = max(found.get(number, 0.0), score)
    best = sorted(((n, score) for n, score in found.items() if score), key=lambda pair: (-pair[1], pair[0]))[:SEEDS]
    return best if not best or best[0][1] == TOUCHES else [pair for pair in best if pair[1] > TOUCHES]


def written(blamed: Blamed) -> Memory:
    """The commit as the memory it would be, number 0: never kept."""
    detail = "\n\n".join(filter(None, (blamed.merge, blamed.body[:BODY_CHARS])))
    return Memory(
        id=0, digest="", project="", kind="fact", status="active", summary=blamed.subject or "(no message)",
        detail=detail, tags=("commit",), metadata={"author": blamed.author} if blamed.author else {}, origin="git",
        source=Source(commit=blamed.commit), pointers=(Pointer(blamed.path, line=blamed.line),), recorded_at=blamed.at,
        updated_at=blamed.at, seen=1, strength=Strength(0.0, 5.0, blamed.at), valid_from=blamed.at,
    )  # fmt: skip


def rooted(found: Trail, blamed: Blamed, known: Sequence[tuple[int, float]]) -> Trail:
    """The trail below the commit, which stands as node 0; as it is when the commit's own memory is among the seeds.

    Links from node 0 are `about`, dated as the commit is, and exist in this answer only.
    """
    if known and known[0][1] == WROTE:
        return found
    below = tuple(node._replace(hop=node.hop + 1, path=(0, *node.path)) for node in found.nodes)
    tops = [node.id for node in found.nodes if node.hop == 0]
    links = tuple(Link(0, "about", top, blamed.at, "git") for top in tops)
    return Trail((TrailNode(0, 0, (0,), 1.0, written(blamed)), *below), (*links, *found.links), found.left_out)


def _weight(memory: Memory, kind: str, blamed: Blamed) -> float:
    own = memory.source.commit
    if own and (blamed.commit.startswith(own) or own.startswith(blamed.commit)):
        return WROTE
    if kind != "file":
        return SAYS if kind == "commit" else TICKET
    places = {blamed.path: blamed.line, blamed.here.path: blamed.here.line or 0}
    lines = [(pointer.line, places[pointer.path]) for pointer in memory.pointers if pointer.path in places]
    if any(line is not None and abs(line - there) <= NEAR_LINES for line, there in lines):
        return POINTS
    elsewhere = bool(lines) and all(line is not None for line, _ in lines)
    return 0.0 if own or elsewhere else TOUCHES  # other commits touch the file for reasons of their own


def _wrote(porcelain: str, line: int) -> tuple[str, int, str, str]:
    """(commit, line there, path there, text) of a line in git's `--porcelain` form; a commit's path is told where it changes."""
    paths: dict[str, str] = {}
    sha, there, here = "", 0, 0
    for text in porcelain.split("\n"):
        head = _HEAD.fullmatch(text)
        if head:
            sha, there, here = head[1], int(head[2]), int(head[3])
        elif text.startswith("filename "):
            paths[sha] = text.removeprefix("filename ")
        elif text.startswith("\t") and here == line:
            return sha, there, paths.get(sha, ""), text[1:]
    return "", 0, "", ""


def _readable(file: str, shown: str) -> None:
    if os.path.isdir(file):
        raise _no(f"{shown} is a folder; name a file in it, and a line: {shown.rstrip('/')}/file.py:12")
    try:
        with open(file, "rb") as opened:
            first = opened.read(SNIFFED)
    except OSError as error:
        raise _no(f"{shown} cannot be read ({error.strerror}); paths start from the folder you stand in") from None
    if b"\0" in first:
        raise _no(f"{shown} is a binary file: it has no lines to ask about")


def _filters(folder: str) -> list[str]:
    """Settings that name a program to run a file through; asked for so that they can be emptied."""
    code, told, _ = _run(folder, (), "config", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$")
    names = told.splitlines() if code == 0 else []
    return [*names, *(f"{name.rpartition('.')[0]}.required" for name in names)]


def _ask(folder: str, shown: str, line: int, *words: str, guards: Sequence[str] = ()) -> str:
    code, told, trouble = _run(folder, guards, *words)
    return told if code == 0 else _explained(trouble, shown, line)


# What git says, and what it means to whoever asked.
_NO_LIST = "could not open object name list"
_TROUBLES = (
    ("not a git repository", "{shown} lies in no git repository, so nobody wrote down who changed it"),
    ("must be run in a work tree", "{shown} lies inside a git directory, not in a work tree"),
    ("no such path", "{shown} is not committed: git does not know the file yet"),
    ("no such ref: head", "nothing is committed here yet"),
    ("bad revision 'head'", "nothing is committed here yet"),
    ("has only", "{shown} has no line {line}: it ends before that"),
    (_NO_LIST, "blame.ignoreRevsFile in this repository's git configuration names a file that is not there; `git config --unset` it"),
)


def _explained(trouble: str, shown: str, line: int) -> NoReturn:
    low = trouble.lower()
    meaning = next((text for sign, text in _TROUBLES if sign in low), "")
    if meaning:
        raise _no(meaning.format(shown=shown, line=line))
    raise _no(f"git cannot tell who wrote line {line} of {shown}: {' '.join(trouble.split())[:200] or 'it says nothing'}")


def _quick(folder: str, *words: str) -> str:
    """What git answers at once, "" for a failure or a question that takes it MERGE_SECONDS."""
    try:
        code, told, _ = _run(folder, (), *words, seconds=MERGE_SECONDS)
    except InvalidInput:
        return ""
    return told if code == 0 else ""


def _run(folder: str, guards: Sequence[str], *words: str, seconds: float = SECONDS) -> tuple[int, str, str]:
    """(exit code, output, what it complained of) of one question asked in `folder`."""
    import subprocess

    options = [part for setting in SAFE for part in ("-c", setting)]
    # Who names .git-blame-ignore-revs for all repositories has blame fail where there is none: then it is asked without what is for all.
    apart = {"GIT_CONFIG_GLOBAL": os.devnull}
    try:
        for more in ({}, apart):
            done = subprocess.run(
                [git_program(), "--no-pager", *options, *guards, *words],
                cwd=folder,
                env=git_environment() | more,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            if done.returncode == 0 or _NO_LIST.encode() not in done.stderr:
                break
    except FileNotFoundError:
        raise _no("needs git to tell who wrote a line, and there is none on PATH") from None
    except subprocess.TimeoutExpired:
        raise _no(f"git gave no answer within {seconds:.0f} s") from None
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def _no(problem: str) -> InvalidInput:
    return InvalidInput("about", problem)
