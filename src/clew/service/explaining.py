"""The verbs that say how memories hang together."""

from __future__ import annotations

import os
import re

from clew.engines import lifecycle
from clew.errors import InvalidInput, NotFound
from clew.limits import QUESTION_BYTES
from clew.model import Filter, Trail
from clew.rules.intake import sound
from clew.service.recalling import Recalling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.model import Memory

_CODE = r"(.+?)(?::|#L)(-?\d{1,18})(?::\d{1,18}|(-L?\d{1,18}))?"  # a compiler adds the column, an editor several lines, GitHub an L
_NUMBER, _DIGITS = r"#?-?\d{1,16}", r"[0-9a-f]{6,32}"


class Explaining(Recalling):
    """why, path."""

    def why(self, about: int | str, *, project: str | None = None, max_hops: int = 2, limit: int = 20) -> Trail:
        """How what answers a question, one memory (12, "#12", a digest) or a line of code came to be: what it is linked to, `max_hops` far.

        A line ("src/app.py:12", from `root` or the working directory) leads to the commit that wrote it and to what is known about that
        commit, its tickets and the place in the repository it lies in; a commit that no memory holds stands as number 0, and nothing is
        written.

        Nodes by hop, relevance and number, at most `limit` memories, superseded ones too; no nodes when nothing is known about it.
        Reads only, and never leaves the project and the user's own. Raises InvalidInput, NotFound for an unknown number, StoreError.
        """
        from clew.engines import graph
        from clew.rules.entities import exact_keys
        from clew.rules.trail import SEEDS, names_in

        if isinstance(about, str):
            about = sound(about.strip()[:QUESTION_BYTES], "about")
            if not about:
                raise InvalidInput("about", "is empty; name a memory (12), a line of code (src/app.py:12), or ask in words")
            if (place := self._place_in_code(about)) is not None:
                return self._why_line(place, project, max_hops, limit)
        memory = self._named(about)
        if memory is not None:
            return self._trail([(memory.id, 1.0)], self._scope_around(memory.id, project), max_hops, limit)
        scope, names = self._scope(project), names_in(str(about))
        keys = graph.exactly(str(about))
        if keys and (seeds := graph.naming(self._store, keys, scope)):
            return self._trail(seeds, scope, max_hops, limit)
        hits = self._recalled(str(about), scope, self._everything(), limit=SEEDS, words=bool(names), graph=False)
        if keys:
            return self._trail(graph.saying(hits, keys), scope, max_hops, limit)
        seeds = self._with_meaning(lambda embedder: graph.seeds(self._store, embedder, str(about), hits, scope))
        seeds = seeds or graph.naming(self._store, exact_keys(str(about)), scope)
        return self._trail(seeds, scope, max_hops, limit)

    def path(self, a: int | str, b: int | str, *, project: str | None = None) -> Trail:
        """The shortest connection of two memories, at most ten hops, from `a` to `b`; no nodes when there is none. Raises NotFound."""
        from clew.engines import graph  # with the rules of a trail a millisecond, which a hook does without

        start, goal = self._living(a, "a").id, self._living(b, "b").id
        scope = self._scope_around(start, project)
        return graph.path(self._store, start, goal, scope, self._everything())

    def _trail(self, seeds: Sequence[tuple[int, float]], scope: Sequence[int], max_hops: int, limit: int) -> Trail:
        from clew.engines import graph

        return graph.why(self._store, seeds, scope, self._everything(), max_hops=max_hops, limit=limit)

    def _why_line(self, place: tuple[str, int, str], project: str | None, max_hops: int, limit: int) -> Trail:
        from clew.engines import blame

        blamed = blame.origin(*place)
        scope = self._scope(project, inside=os.path.dirname(os.path.realpath(place[0])))  # its tickets are counted by its own repository
        which = self._everything()
        known = blame.seeds(self._store, scope, which, blamed)
        found = self._trail(known, scope, max_hops, limit)
        return blame.rooted(found, blamed, known)

    def _place_in_code(self, about: str) -> tuple[str, int, str] | None:
        """(absolute path, line, path as it was written) of `path:line`; None for any other text."""
        found = re.fullmatch(_CODE, about)
        if found is None:
            return None
        path = os.path.join(self._root or os.getcwd(), os.path.expanduser(found[1]))
        plain = " " not in found[1] and "://" not in found[1] and any(sign in found[1] for sign in "./\\")
        if not plain and not os.path.isfile(path):
            return None
        if found[3]:
            raise InvalidInput("about", f"{about[-80:]} names several lines; ask about one of them: {found[1][-60:]}:{found[2]}")
        return path, int(found[2]), found[1]

    def _everything(self) -> Filter:
        return Filter(self._clock(), include_superseded=True)

    def _scope_around(self, memory: int, project: str | None) -> Sequence[int]:
        """What is read here; of a memory from elsewhere, its own project."""
        scope, owner = self._scope(project), self._store.owner(memory)
        return scope if owner in scope else [owner]

    def _named(self, about: int | str) -> Memory | None:
        """The memory that a number or a digest names; None for a question, be it a word of six letters from a to f."""
        if not isinstance(about, str) or re.fullmatch(_NUMBER, about):
            return self._living(about, "about")
        try:
            return lifecycle.find(self._store, about) if re.fullmatch(_DIGITS, about) else None
        except NotFound:
            return None
