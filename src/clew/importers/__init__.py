"""What a project knows already, taken in: its git history and its documents. Importing again adds only what is new."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from clew.errors import InvalidInput, NotFound
from clew.importers import asking, documents, git
from clew.model import STATUSES, Draft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from clew.model import Memory, Remembered
    from clew.service import Clew

BATCH = 500  # drafts in one transaction
COMMITS = 10_000  # commits taken in where the caller names no limit
KEPT = 100_000  # sections of earlier imports that are compared

_EDITED = "{} was edited"  # reasons, with the file's path
_GONE = "no longer in {}"
_DOCUMENTS, _GIT = "import:documents", "import:git"  # origins


def init(
    clew: Clew, folder: str, *, limit: int = COMMITS, tell: Callable[[int, int], None] = lambda done, everything: None
) -> dict[str, Any]:
    """Take in the newest `limit` commits and every document of `folder`, into the project that `clew` stands in.

    A section that was edited since the last import supersedes what it said before; one that is gone is marked done.
    `tell(done, everything)` follows it. Interrupted, it keeps what it has; begun again, it goes on.
    Returns {"commits": new, "documents": new, "known": left as they were, "superseded": …, "done": …, "refused": …, "notes": [sentences]}.
    Raises InvalidInput for a bad limit, no such folder, home, or a folder with neither history nor documents; StoreError.
    """
    if limit < 0:
        raise InvalidInput("limit", f"{limit} is below 0; 0 takes in the documents alone")
    folder = _checked(folder)
    sections = list(documents.sections(folder))
    commits, notes = _commits(folder, limit)
    commits_to_read = min(limit, git.count(folder))
    if not sections and not commits_to_read:
        raise InvalidInput(
            "folder",
            f"{folder} has nothing to take in: no git history, and no README, CHANGELOG, agent rules, docs/ or decisions with text; "
            "name a project's folder, or start with `clew remember`",
        )
    everything = len(sections) + commits_to_read
    counts: dict[str, Any] = dict.fromkeys(("commits", "documents", "known", "superseded", "done", "refused"), 0)
    tell(0, everything)
    before = _imported_sections(clew)
    current = _revived(clew, _fed(clew, sections, _DOCUMENTS, counts, lambda done: tell(done, everything)))
    _retire(clew, before, current, counts)
    _fed(clew, commits, _GIT, counts, lambda done: tell(min(len(sections) + done, everything), everything))
    tell(everything, everything)
    return {**counts, "notes": notes}


def _checked(folder: str) -> str:
    whole = os.path.abspath(os.path.expanduser(folder))
    if not os.path.isdir(whole):
        raise InvalidInput("folder", f"there is no folder '{folder}'")
    home = os.path.realpath(os.path.expanduser("~"))
    if os.path.join(home, "").startswith(os.path.join(os.path.realpath(whole), "")):
        raise InvalidInput("folder", f"{whole} is your home folder or lies above it; name a project's folder")
    return whole


def _commits(folder: str, limit: int) -> tuple[Iterator[Draft], list[str]]:
    """The history, and a sentence on what of it could not be had."""
    if not asking.installed():
        return iter(()), ["git is not installed, so only documents were taken in"]
    if asking.answer(folder, "rev-parse", "--git-dir") is None:
        return iter(()), [f"{folder} is in no git repository, so only documents were taken in"]
    if not git.count(folder):
        return iter(()), ["the repository has no commits here yet, so only documents were taken in"]
    notes = ["this is a shallow clone: only the commits that it holds were taken in"] if git.shallow(folder) else []
    return git.commits(folder, limit=limit), notes


def _fed(clew: Clew, drafts: Iterable[Draft], origin: str, counts: dict[str, Any], tell: Callable[[int], None]) -> list[Memory]:
    """The memories that the drafts are now, new or known, counted and told batch by batch."""
    new, waiting = "commits" if origin == _GIT else "documents", iter(drafts)
    kept: list[Memory] = []
    done = 0
    while batch := list(islice(waiting, BATCH)):
        results = _remembered(clew, batch, origin)
        created = sum(r.created for r in results)
        counts[new] += created
        counts["known"] += len(results) - created
        counts["refused"] += len(batch) - len(results)
        kept += [r.memory for r in results]
        done += len(batch)
        tell(done)
    return kept


def _remembered(clew: Clew, batch: list[Draft], origin: str) -> list[Remembered]:
    """A batch in one transaction; one that holds a draft nobody can keep (all of it private, say) is kept without that draft."""
    try:
        return clew.remember_many(batch, origin=origin, again=False)
    except InvalidInput:
        if len(batch) == 1:
            return []
        half = len(batch) // 2
        return _remembered(clew, batch[:half], origin) + _remembered(clew, batch[half:], origin)


def _imported_sections(clew: Clew) -> list[Memory]:
    """Sections of earlier imports that are still active."""
    try:
        found = clew.list(tags=("document",), statuses=STATUSES[:1], limit=KEPT)
    except NotFound:  # a project named with -p or CLEW_PROJECT that holds nothing yet
        return []
    return [m for m in found if m.origin == _DOCUMENTS]


def _revived(clew: Clew, current: list[Memory]) -> list[Memory]:
    """The same memories; those that an import had ended because their text was gone are active again. What a person ended stays so."""
    back = [m for m in current if m.status != "active" and m.reason in (_EDITED.format(m.source.file), _GONE.format(m.source.file))]
    drafts = [Draft(m.summary, m.kind, m.detail) for m in back]
    again = {r.memory.id: r.memory for r in clew.remember_many(drafts, origin=_DOCUMENTS)} if drafts else {}
    return [again.get(m.id, m) for m in current]


def _retire(clew: Clew, before: list[Memory], current: list[Memory], counts: dict[str, Any]) -> None:
    """End what the documents no longer say. Files that this import did not see keep what they said."""
    ids = {m.id for m in current}
    files = {m.source.file for m in current}
    now_there = {(m.source.file, m.summary): m for m in current}
    for old in before:
        if old.id in ids or old.source.file not in files:
            continue
        new = now_there.get((old.source.file, old.summary))
        if new is not None and new.status == "active":
            clew.supersede(old.id, new.id, reason=_EDITED.format(old.source.file))
            counts["superseded"] += 1
        else:
            clew.done(old.id, reason=_GONE.format(old.source.file))
            counts["done"] += 1
