"""Clew: one short method a verb. It owns the store, the embedder and the clock, and is the only reader of the clock."""

from __future__ import annotations

from clew.service.agents import Agents
from clew.service.caring import Caring
from clew.service.distilling import Distilling
from clew.service.explaining import Explaining
from clew.service.linking import Linking
from clew.service.opening import note_trouble

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Clew", "ignored", "note_trouble"]


class Clew(Agents, Caring, Distilling, Explaining, Linking):
    """A memory engine over one store. Safe to share between threads; a context manager.

    `project` is the default for every verb: None for where the process stands (CLEW_PROJECT, `root`, the repository of the working
    directory, the directory), a name, a path, "@user" for the user's own, or "*" for all of them in verbs that only read.
    """


def ignored(lines: str) -> Callable[[str], bool]:
    """A function that says whether the ignore file `lines` takes a file out, given its path from that file's folder (gitignore(5))."""
    from clew.rules import ignore

    return ignore.ignored(lines)
