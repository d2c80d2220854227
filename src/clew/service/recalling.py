"""The verbs that find memories again."""

from __future__ import annotations

from clew.engines import conditions, feedback, lifecycle, recall
from clew.errors import InvalidInput, MissingExtra, NotFound
from clew.limits import ID_MAX, RECALL_LIMIT
from clew.rules.intake import whole
from clew.rules.learned import PLAIN, WEIGHTS
from clew.service.opening import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from clew.engines.rerank import Judge
    from clew.model import Filter, Hit, Memory


class Recalling(Opened):
    """recall, show, history, list, feedback."""

    _judged = False
    _pairs: Judge | None = None

    def recall(
        self,
        question: str,
        *,
        project: str | None = None,
        limit: int = 10,
        kinds: Sequence[str] = (),
        tags: Sequence[str] = (),
        as_of: float | None = None,
        since: float | None = None,
        until: float | None = None,
        include_superseded: bool = False,
        where: str | Mapping[str, Any] | None = None,
        fusion: str = "sum",
        learned: bool = True,
        graph: bool = True,
        dated: bool = True,
        rerank: bool = True,
    ) -> list[Hit]:
        """The memories that answer `question`, best first, each with its signals; an empty list when nothing relevant is known.

        Searches the project and the user's own. `as_of` answers as of that moment, by when things were true, else written.
        `where` is a condition on metadata and fields, as text or JSON (docs/where.md); one that asks of the status sees ended ones too.
        `fusion` is "sum" or "rrf" (reciprocal rank, constant 60); without `learned` feedback and recency do not count.
        With `graph` what is linked to an answer, or names the same things, is reached too; with `dated` memories of a time that the
        question names stand higher (docs/why.md). With `rerank`, in a process that lives on and has CLEW_EMBED=quality, the best fifty
        are read together with the question, and what that says is added to their scores (docs/embedders.md).
        Reads only. Raises InvalidInput, EmbedderMismatch, StoreError.
        """
        whole(limit, "limit", RECALL_LIMIT)
        which = conditions.filtered(self._clock(), kinds=kinds, tags=tags, as_of=as_of, since=since, until=until, ended=include_superseded)
        which = conditions.asking(which, where)
        scope = self._scope(project)
        conditions.agreed(self._store, scope, which)
        again, weights = rerank and fusion == "sum", WEIGHTS if learned else PLAIN
        return self._recalled(question, scope, which, limit=limit, rerank=again, method=fusion, learned=weights, graph=graph, dated=dated)

    def _recalled(
        self, question: str, scope: Sequence[int], which: Filter, *, limit: int, rerank: bool = True, method: str = "sum", **how: Any
    ) -> list[Hit]:
        """The hits of the engine's `recall`, asked `how`, the best of them read again where there is a judge and `rerank`."""
        judge = self._judge() if rerank else None
        most = max(limit, judge.most) if judge else limit
        hits, self._damage = self._with_meaning(
            lambda embedder: recall.recall(self._store, embedder, question, scope, which, limit=most, method=method, **how)
        )
        return self._reread(judge, question, hits, scope, which)[:limit] if judge else hits

    def _judge(self) -> Judge | None:
        """The reader of pairs, loaded once; None without the quality tier."""
        if self._deep and not self._judged:
            from clew.embed import open_judge

            try:
                self._pairs = open_judge()
            except (MissingExtra, InvalidInput):
                self._pairs = None  # the order is then the plain one; it is `clew reindex` that says what is missing
            self._judged = True
        return self._pairs

    def _reread(self, judge: Judge, question: str, hits: Sequence[Hit], scope: Sequence[int], which: Filter) -> list[Hit]:
        from clew.engines import reach, rerank  # a hook needs neither

        best = [hit.memory.id for hit in hits[: judge.most]]
        return rerank.reordered(judge, question, hits, reach.replaced(self._store, best, scope, which))

    def show(self, ref: int | str) -> Memory:
        """One memory by its number (12, "#12") or the first six or more hex digits of its digest. Raises NotFound, also once it expired."""
        return self._living(ref, "id")

    def _living(self, ref: int | str, field: str) -> Memory:
        """What `show` answers; bad input is told as that of `field`."""
        memory = lifecycle.find(self._store, ref, field)
        if memory.expires_at is not None and memory.expires_at <= self._clock():
            raise NotFound(f"memory #{memory.id} has expired")
        return memory

    def history(self, ref: int | str) -> list[dict[str, Any]]:
        """What happened to a memory, newest first: {event, at, origin, text}, text being its former state as JSON."""
        memory = self.show(ref)
        return self._store.read_log(self._store.owner(memory.id), limit=RECALL_LIMIT, memory=memory.id)

    def list(
        self,
        *,
        project: str | None = None,
        kinds: Sequence[str] = (),
        tags: Sequence[str] = (),
        statuses: Sequence[str] = ("active",),
        since: float | None = None,
        until: float | None = None,
        where: str | Mapping[str, Any] | None = None,
        limit: int = 50,
    ) -> Sequence[Memory]:
        """Memories of the project, newest first; `where` as for `recall`. Raises InvalidInput."""
        whole(limit, "limit")
        which = conditions.filtered(self._clock(), kinds=kinds, tags=tags, since=since, until=until, statuses=statuses)
        which = conditions.asking(which, where)
        scope = self._scope(project, user=False)
        conditions.agreed(self._store, scope, which)
        return self._store.select(scope, which, limit=min(limit, ID_MAX))

    def feedback(self, ref: int | str, verdict: str) -> Memory:
        """Say that a memory which was brought was "useful" or "noise": its confidence moves, and with it a little its place among those
        that a question selects. Returns it as it is now. Raises InvalidInput, NotFound.
        """
        return feedback.feedback(self._store, ref, verdict, origin=self._origin, now=self._clock())
