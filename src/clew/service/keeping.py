"""The verbs about what belongs in the window now: the working set and the way back, a memory's strength, and the pass over all of them."""

from __future__ import annotations

from clew.engines import leaving, lifecycle
from clew.errors import InvalidInput
from clew.rules.intake import sound
from clew.service.remembering import Remembering

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from clew.engines.restoring import Restored
    from clew.rules.curves import Curve


class Keeping(Remembering):
    """working_set, restore, strength, sweep."""

    def working_set(self, *, session: str | None = None, project: str | None = None) -> dict[str, Any] | None:
        """What a session's window holds: both registers, tokens used of the budget, residents by kind, evictions, misses, what leaves next.

        `session` None is the one that was active last in the project; None comes back where no session of it has a window.
        """
        from clew.engines import windows

        self._taken_in()
        return windows.told(self._store, self._scope(project, user=False), session)

    def restore(self, what: str, *, session: str | None = None, project: str | None = None) -> Restored:
        """What left the window, or was seen in any session: by its handle, file, command, query, or a memory's number ("m:12").

        A file comes as it is now, and says whether it changed since it was read. A memory that is asked for was of use, and rests no more.
        Raises InvalidInput, NotFound.
        """
        from clew.engines import restoring

        if not sound(what, "what").strip():
            raise InvalidInput("what", "is empty; give a handle, a file, a command, or m:12")
        now = self._clock()
        self._taken_in()
        scope, where = self._scope(project, user=False), self._place(project)
        name = session or self._store.latest_window(scope) or ""
        found = restoring.restored(self._store, scope, what, session=name, root=where.path)
        if self._store.writable:
            restoring.asked(self._store, scope, name, found, now)
        return found

    def strength(self, ref: int | str) -> Curve:
        """How well a memory is retained, from its last use until it would rest, as points of (UTC seconds, 0..1). Raises NotFound."""
        from clew.rules import curves

        memory = lifecycle.find(self._store, ref)
        return curves.curve(memory, self._clock())

    def sweep(self) -> dict[str, int]:
        """One pass over every memory: "resting" counts those that left the active set (found by recall still, and back once they are used),
        "expired" those whose time to live ran out, which are erased.
        """
        now = self._clock()
        expired = 0
        while gone := leaving.sweep(self._store, now):
            expired += gone
        self._swept = True
        return {"resting": leaving.rest(self._store, now), "expired": expired}
