"""The verbs that connect memories, with one another and with what they name."""

from __future__ import annotations

from clew.limits import RECALL_LIMIT
from clew.model import Filter, Mentions
from clew.rules.intake import whole
from clew.service.opening import Opened


class Linking(Opened):
    """link, unlink, entity."""

    def link(self, src: int | str, relation: str, dst: int | str) -> bool:
        """Let a typed link lead from memory `src` to memory `dst`: ("because", "depends_on", "fixes", …, or a word of your own).

        False when there was such a link already. Raises InvalidInput for a relation that is no lower-case word of at most 40 characters
        or a link to itself, NotFound for an unknown memory, StoreError.
        """
        from clew.engines import linking  # no hook needs it

        return linking.link(self._store, src, relation, dst, origin=self._origin, now=self._clock())

    def unlink(self, src: int | str, relation: str, dst: int | str) -> bool:
        """Take a link away; False when there was none. One that the wording of a memory states stays away until somebody makes it."""
        from clew.engines import linking  # no hook needs it

        return linking.unlink(self._store, src, relation, dst)

    def entity(self, name: str, *, project: str | None = None, limit: int = 50) -> Mentions:
        """What answers to `name` (a path, symbol, ticket, commit, package, person, title, …) and the newest memories that name it.

        Raises NotFound when nothing in the project or the user's own does, InvalidInput, StoreError.
        """
        whole(limit, "limit", RECALL_LIMIT)
        which = Filter(self._clock(), include_superseded=True)
        from clew.engines import linking  # no hook needs it

        return linking.known_as(self._store, name, self._scope(project), which, limit=limit)
