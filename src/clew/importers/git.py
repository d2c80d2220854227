"""The history of a repository as drafts: one commit, one memory; the newest first, without noise.

A merge counts as the pull request that it brought in: a forge writes that one's title and text below a line of its own.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clew.errors import InvalidInput
from clew.importers.asking import answer, fields
from clew.limits import SUMMARY_CHARS
from clew.model import Draft, Pointer, Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clew.model import Scalar

DETAIL_CHARS = 4_000  # of one message; more is a pasted log, and the commit keeps it
FILES = 8  # pointers of one commit: the files it changed most

_FORMAT = "--format=%H%x00%aN%x00%at%x00%P%x00%s%x00%b%x00"
_HEAD = 6  # fields of one commit before the files it touched
_TOUCHED = re.compile(r"\n?(\d+|-)\t(\d+|-)\t(.+)", re.S)  # lines added, lines taken away (- where binary), path

_TYPES = "feat|fix|docs|style|refactor|perf|test|tests|build|ci|chore|revert|deps|release|security"
_CONVENTIONAL = re.compile(rf"({_TYPES})(?:\(([^()]+)\))?!?: +(.+)", re.I)  # conventionalcommits.org 1.0
_TRAILER = re.compile(r"(?:[\w-]+-by|cc|change-id|git-svn-id|see-also-by):.*|\(cherry picked from commit \w+\)", re.I)

# Subjects that git and forges write over a merge, what was brought in left to the body: GitHub, GitLab, Bitbucket, Gitea, bors and homu.
_MERGED = re.compile(
    r"merge (?:branch(?:es)?|tag|commit|remote-tracking|pull request|[0-9a-f]{7,40} into)\b.*|merged in \S+ \(pull request #\d+\)"
    r"|(?:auto |rollup )?merge (?:of )?#\d+\b.*|merge \S+(?: in)?to \S+|merge \S+",
    re.I,
)
_TITLED = re.compile(r"merge pull request ['\"](.+)['\"] \(#\d+\)", re.I)  # Gitea
_NUMBER = re.compile(r"#\d{1,7}\b")
_BELOW = re.compile(r"(?im)^see merge request \S*(!\d{1,7})$")  # GitLab
_ADDED = re.compile(
    r"(?m)\A(?:\* .*:\n(?:  .*\n?)+\n*)+|^(?:# )?Conflicts:\n(?:#?\t.*\n?)+"
)  # by git: a log of the branch, files in conflict

# Commits that teach nothing, by subject (a conventional type and scope cut off).
_NOISE = re.compile(
    r"merge (?:branch|tag|commit|pull request|remote-tracking|[0-9a-f]{7,40} into)\b"
    r"|(?:fixup|squash|amend)!"
    r"|\W*wip\b"
    r"|(?:bump|increment|update|set|prepare)s?(?: the)? (?:package )?version\b"
    r"|(?:release|prepare(?: for)?(?: the)? release|version|tag)?:? *v?\d+(?:\.\d+)+\S*$"
    r"|bumps? \S+ (?:and \S+ )?(?:from \S+ )?to v?\d"
    r"|(?:bump the|update) \S+ (?:group|digest)\b"
    r"|(?:update|pin|lock file maintenance)(?:ing)?(?: \w+)? dependenc(?:y|ies)\b|lock file maintenance"
    r"|\[pre-commit\.ci\]",
    re.I,
)
_BOTS = re.compile(r"\[bot\]$|^(?:dependabot|renovate|pyup|greenkeeper|snyk|pre-commit-ci|github-actions)\b", re.I)
# Subjects that say nothing where no body explains them.
_EMPTY = re.compile(
    r"(?:fix(?:es|ed)?|update[sd]?|tests?|typos?|fix typos?|lint|fix lint|format(?:ting)?|clean ?up|minor|changes|tmp|temp|misc|stuff"
    r"|initial commit|first commit|\W*|.)[.!]*$"
    r"|(?:update|create|delete|rename) \S+\.\w+$|add files via upload$",
    re.I,
)

# A choice opens the subject, or a reason stands anywhere.
_CHOICE = re.compile(
    r"(?:use|adopt|switch|replace|revert|drop|remove|prefer|deprecate|migrate|move|stop|choose|pick|standardi[sz]e|decide|avoid|allow"
    r"|forbid|require|default to|keep|never|always|make \S+ (?:the )?default)\b|revert:",
    re.I,
)
_REASON = re.compile(
    r"\b(?:because|instead of|rather than|in favou?r of|so that|no longer|due to|switch(?:ed|es|ing)? to|migrat(?:ed|es|ing) to"
    r"|replac(?:ed|es|ing)|revert(?:ed|s|ing)|decided?|chose|chosen|trade-?offs?|otherwise|which is why|the reason|therefore)\b",
    re.I,
)


class Commit(NamedTuple):
    """One commit as git tells it: `at` in UTC seconds, `touched` the paths it changed most, from the repository's top.

    Of a merge that says what it brought in, `subject` and `body` are that, `number` the pull request's and `merged` the line git wrote.
    """

    sha: str
    author: str
    at: float
    subject: str
    body: str
    touched: tuple[str, ...]
    number: str = ""
    merged: str = ""


def commits(folder: str, *, limit: int) -> Iterator[Draft]:
    """The newest `limit` commits worth remembering that led to HEAD; below a repository's top, those that touched the folder.

    Branches that were merged are followed, merges that only say so are left out. A repository without a commit gives none.
    Raises InvalidInput for a folder in no repository, ClewError when the repository is damaged.
    """
    if answer(folder, "rev-parse", "--git-dir") is None:
        raise InvalidInput("folder", f"{folder} is in no git repository")
    if answer(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") is None:
        return iter(())
    # A partial clone has no old files to count lines in, and must not fetch them.
    partial = answer(folder, "config", "--get-regexp", r"^remote\..*\.promisor$")
    files = ("--no-patch",) if partial else ("--numstat", "--no-renames", "--no-ext-diff", "--no-textconv")
    told = fields(folder, "log", "-z", _FORMAT, *files, "HEAD", *_within(folder))
    return islice((draft(c) for c in _parsed(told) if not noise(c)), limit)


def count(folder: str) -> int:
    """How many commits there are to look at, noise included; 0 where there are none."""
    lines = answer(folder, "rev-list", "--count", "HEAD", *_within(folder))
    return int(lines[0]) if lines else 0


def shallow(folder: str) -> bool:
    """Whether the clone holds only the newest part of its history."""
    return answer(folder, "rev-parse", "--is-shallow-repository") == ["true"]


def noise(commit: Commit) -> bool:
    """Whether a commit teaches nothing: a bot's, a version bump, work in progress, or a subject that says nothing. Pure."""
    subject = _plain(commit.subject)
    says_nothing = not commit.body.strip() and _EMPTY.match(subject)
    return bool(_NOISE.match(commit.subject) or _NOISE.match(subject) or _BOTS.search(commit.author) or says_nothing)


def draft(commit: Commit) -> Draft:
    """A commit as a draft: a decision where it gives a reason or makes a choice, else a fact. Pure."""
    body = "\n".join(line for line in commit.body.splitlines() if not _TRAILER.fullmatch(line.strip())).strip()
    chosen = _CHOICE.match(_plain(commit.subject)) or _CHOICE.match(commit.subject) or _REASON.search(f"{commit.subject}\n{body}")
    author: Mapping[str, Scalar] = {"author": commit.author} if commit.author else {}
    numbered = f"{commit.subject} ({commit.number})" if commit.number and commit.number not in commit.subject else commit.subject
    summary, detail = _fitted(numbered, body, commit.sha)
    return Draft(
        summary,
        "decision" if chosen else "fact",
        "\n\n".join(filter(None, (detail, commit.merged))),
        ("commit", *_type_and_scope(commit.subject)),
        author,
        tuple(Pointer(path) for path in commit.touched),
        Source(commit=commit.sha),
        valid_from=commit.at,
    )


def _fitted(subject: str, body: str, sha: str) -> tuple[str, str]:
    if len(subject) > SUMMARY_CHARS:
        body = f"{subject}\n\n{body}".strip()
        subject = subject[: SUMMARY_CHARS - 1].rstrip() + "…"
    if len(body) > DETAIL_CHARS:
        body = body[:DETAIL_CHARS].rstrip() + f"\n… (cut here; `git show {sha[:12]}` has the whole message)"
    return subject, body


def _type_and_scope(subject: str) -> list[str]:
    found = _CONVENTIONAL.fullmatch(subject)
    return [part.strip().lower() for part in found.group(1, 2) if part] if found else []


def _plain(subject: str) -> str:
    found = _CONVENTIONAL.fullmatch(subject)
    return found[3] if found else subject


def _within(folder: str) -> tuple[str, ...]:
    """Below the top, the folder's own history alone; at the top everything, commits that touch no file included."""
    return ("--", ".") if answer(folder, "rev-parse", "--show-prefix") not in (None, [], [""]) else ("--",)


def _parsed(told: Iterator[str]) -> Iterator[Commit]:
    head: list[str] = []
    touched: list[tuple[int, str]] = []
    for field in told:
        changed = _TOUCHED.fullmatch(field) if len(head) == _HEAD else None
        if changed:
            lines = sum(int(n) for n in changed.group(1, 2) if n != "-")
            touched.append((lines, changed[3]))
        elif len(head) < _HEAD:
            head.append(field)
        elif field.strip():  # git ends a commit with an empty field; the next one begins with its sha
            yield _commit(head, touched)
            head, touched = [field], []
    if len(head) == _HEAD:
        yield _commit(head, touched)


def _commit(head: list[str], touched: list[tuple[int, str]]) -> Commit:
    sha, author, at, parents, subject, body = head
    most = sorted(touched, key=lambda pair: -pair[0])[:FILES]
    told = Commit(sha, author.strip(), float(at or 0), subject.strip(), body, tuple(path for _, path in most))
    _, *others = parents.split() or [""]
    return brought(told, others[0]) if others else told


def brought(merge: Commit, tip: str) -> Commit:
    """A merge as what it brought in, the branch that ended at `tip`: without a subject where nobody said, as it is where somebody
    wrote its subject. Pure."""
    if not _MERGED.fullmatch(merge.subject):
        return merge
    below = _BELOW.search(merge.body)
    number = below[1] if below else next(iter(_NUMBER.findall(merge.subject)), "")
    body = _ADDED.sub("", _BELOW.sub("", merge.body)).strip()
    titled = _TITLED.match(merge.subject)
    title, _, rest = (titled[1], "", body) if titled else body.partition("\n")
    if not title or _TRAILER.fullmatch(title):
        return merge._replace(subject="", body="")
    line = f"{merge.subject[:SUMMARY_CHARS]} (commit {tip[:12]})"
    return merge._replace(subject=title.strip(), body=rest.strip(), number=number, merged=line)
