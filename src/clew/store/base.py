"""The promise every backend keeps: it stores and finds values, decides nothing and reads no clock."""

from __future__ import annotations

from clew.store.graph import Graph
from clew.store.searches import Searches
from clew.store.talk import Talk
from clew.store.work import Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, Protocol

    from clew.model import Filter, Memory, Project
    from clew.store.searches import Extent
else:
    Protocol = object


class Store(Searches, Graph, Talk, Work, Protocol):
    """One store of memories. A scope is the ids of the projects that are read together.

    Every method may raise StoreBusy, StoreFull, StoreReadOnly or StoreDamaged. Writes happen inside `transaction()`.
    `writable` is False for one that can only be read.
    """

    writable: bool

    def transaction(self) -> AbstractContextManager[None]:
        """Everything written inside is kept whole or not at all; transactions do not nest."""

    def close(self) -> None:
        """Let go of the file or the connection; a closed store cannot be used again."""

    # projects
    def project_for(self, keys: Iterable[str]) -> int | None:
        """The project that the first known key names."""

    def add_project(self, *, uid: str, name: str, path: str, at: float) -> int:
        """A new project; `name` is made unique by a suffix."""

    def claim_keys(self, project: int, keys: Iterable[str]) -> None:
        """Let `keys` name the project from now on; keys that already name one stay there."""

    def projects(self) -> list[Project]:
        """All projects with how many memories each holds, by name."""

    def project_uid(self, project: int) -> str:
        """The project's portable identity, a part of every digest. Raises NotFound."""

    def project_name(self, project: int) -> str:
        """The project's label, at the same cost however much it holds. Raises NotFound."""

    def rename_project(self, project: int, *, name: str | None = None, path: str | None = None) -> None:
        """Change the label or the last seen path."""

    def drop_project(self, project: int, *, into: int) -> None:
        """Let `into` have the keys, log, attempts and sources of an empty project, and remove it."""

    # memories
    def insert(self, memory: Memory, project: int) -> int:
        """Keep a new memory (its own `id` is ignored); returns its number."""

    def fetch(self, ids: Sequence[int]) -> dict[int, Memory]:
        """The memories of these numbers; unknown numbers are left out."""

    def passing(self, ids: Sequence[int], scope: Sequence[int], which: Filter, *, limit: int) -> list[Memory]:
        """The first `limit` of these memories, in this order, that belong to the scope and pass the filter; the rest is not looked at."""

    def find_digest(self, prefix: str) -> list[int]:
        """Numbers of the memories whose digest starts with `prefix`, at most ten."""

    def save(self, memory: Memory, project: int) -> None:
        """Write every field of a known memory."""

    def erase(self, memory: int) -> dict[str, int]:
        """Remove the row and all that hangs on it (links, log lines, sources); returns how many of each."""

    def select(self, scope: Sequence[int], which: Filter, *, limit: int, after: int = 0, newest: bool = True) -> list[Memory]:
        """Memories that pass the filter, newest first, or in order of their numbers from `after` on."""

    def strongest(self, scope: Sequence[int], which: Filter, *, limit: int) -> list[Memory]:
        """Memories that pass the filter and do not rest: pinned first, then the most used, then the newest."""

    def count(self, scope: Sequence[int], which: Filter) -> int:
        """How many memories pass the filter."""

    def used_between(self, scope: Sequence[int], since: float, until: float, *, limit: int) -> list[int]:
        """Active memories of the scope whose last use lies between these moments (UTC seconds), the latest first."""

    def rest(self, now: float, *, worn: float, lasting: Sequence[str]) -> int:
        """Let active memories rest that are older than `worn` times their stability, but for pinned ones and those of the `lasting` kinds;
        how many began to."""

    def expired(self, now: float, limit: int) -> list[int]:
        """Numbers of memories whose time to live ran out, oldest first."""

    def latest(self) -> int:
        """The highest number a memory has, 0 in an empty store."""

    def metadata_types(self, scope: Sequence[int], keys: Iterable[str]) -> dict[str, list[str]]:
        """Of which types (bool, number, text) the scope's memories hold metadata by each key."""

    def experience(self, ids: Sequence[int]) -> dict[int, tuple[float, float, float | None]]:
        """When each memory was written, its confidence at the last feedback, and when that was."""

    def extent(self, scope: Sequence[int]) -> Extent:
        """From when to when the scope's memories were written, and whether feedback moved any; zeros for none."""

    def owner(self, memory: int) -> int:
        """The project that holds this memory. Raises NotFound."""

    # settings
    def setting(self, key: str) -> str | None:
        """A stored setting."""

    def set_setting(self, key: str, value: str | None) -> None:
        """Keep or, with None, drop a setting."""

    # care
    def facts(self) -> dict[str, Any]:
        """Sizes, counts and versions for `status`."""

    def check(self) -> list[str]:
        """What a full examination finds wrong, as sentences; empty when sound."""

    def scrub(self) -> list[str]:
        """Overwrite freed pages and the write-ahead log; returns what could not be cleaned and why."""

    def backup(self, path: str) -> None:
        """Write a whole, consistent copy to `path`."""
