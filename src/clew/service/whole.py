"""Clew: one short method a verb, put together from its parts."""

from __future__ import annotations

from clew.service.agents import Agents
from clew.service.caring import Caring
from clew.service.compiling import Compiling
from clew.service.distilling import Distilling
from clew.service.explaining import Explaining
from clew.service.keeping import Keeping
from clew.service.linking import Linking


class Clew(Agents, Caring, Compiling, Distilling, Explaining, Keeping, Linking):
    """A memory engine over one store. Safe to share between threads; a context manager.

    `project` is the default for every verb: None for where the process stands (CLEW_PROJECT, `root`, the repository of the working
    directory, the directory), a name, a path, "@user" for the user's own, or "*" for all of them in verbs that only read.
    """
