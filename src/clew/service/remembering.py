"""The verbs by which memories come, change and go."""

from __future__ import annotations

from clew.engines import capture, indexing, leaving, lifecycle, projects
from clew.errors import StoreBusy
from clew.model import Draft
from clew.service.opening import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from clew.embed import Embedder
    from clew.model import Forgotten, Memory, Pointer, Remembered, Scalar, Source


class Remembering(Opened):
    """remember, edit, supersede, done, pin, unpin, forget."""

    def remember(
        self,
        summary: str,
        *,
        kind: str = "fact",
        detail: str = "",
        tags: Sequence[str] = (),
        metadata: Mapping[str, Scalar] | None = None,
        pointers: Sequence[Pointer] = (),
        source: Source | None = None,
        valid_from: float | None = None,
        valid_to: float | None = None,
        ttl: float | None = None,
        pinned: bool = False,
        because: int | str | Sequence[int | str] = (),
        links: Sequence[tuple[str, int | str]] = (),
        project: str | None = None,
    ) -> Remembered:
        """Keep one memory; saying the same again returns the same one, seen once more.

        Active memories that a new one seems to repeat or to contradict are named in the answer's `concerns`; nothing is done about them.
        `links` are (relation, memory) pairs that lead from it, `because` one or several memories that gave the reason.
        Secrets and `<private>` spans are redacted first. A summary of several lines becomes a summary and a detail.
        Times are UTC seconds, `ttl` seconds. Raises InvalidInput, NotFound (nothing written), EmbedderMismatch, StoreError.
        """
        from clew.rules.cues import stated

        extra = {} if source is None else {"source": source}
        draft = Draft(
            summary, kind, detail, tags, {} if metadata is None else metadata, pointers,  # type: ignore[arg-type]  # checked() makes tuples
            valid_from=valid_from, valid_to=valid_to, ttl=ttl, pinned=pinned, **extra,
        )  # fmt: skip
        return self.remember_many([draft], project=project, links=stated(links, because))[0]

    def remember_many(
        self,
        drafts: Iterable[Draft],
        *,
        project: str | None = None,
        origin: str | None = None,
        again: bool = True,
        links: Sequence[tuple[str, int | str]] = (),
    ) -> list[Remembered]:
        """Keep many memories in one transaction, all or none, in the order given. Raises as `remember` does.

        Twenty or more at once are not held against what is known. `origin` stands for this object's own. Without `again`, what is known
        already is left as it is, not seen once more: for importers. `links` (relation, memory) lead from every one of them.
        """
        from clew.engines import checking  # milliseconds, which a hook does without
        from clew.rules.cues import checked_relation, stated

        cleaned = lifecycle.cleaned(drafts)
        joined = [(checked_relation(word), lifecycle.find(self._store, ref, _said_in(word)).id) for word, ref in stated(links)]
        where = self._place(project)
        if not cleaned:
            return []
        if any(draft.pointers for draft, _ in cleaned):
            from clew.engines import hashes

            cleaned = [(draft._replace(pointers=hashes.hashed(draft.pointers, where.path)), found) for draft, found in cleaned]
        now = self._clock()

        def keep(embedder: Embedder | None) -> list[Remembered]:
            self._sweep_once(now)
            into = projects.for_writing(self._store, where, now)
            by = origin or self._origin
            kept = lifecycle.remember(self._store, embedder, cleaned, into, origin=by, now=now, again=again, links=joined)
            return checking.checked(self._store, kept, projects.beside(self._store, into), now)

        return self._with_meaning(keep)

    def edit(self, ref: int | str, **changes: Any) -> Remembered:
        """Put a memory right in place; the former text stays in the log.

        Changes by name: summary, detail, kind, tags, metadata, pointers, valid_from, valid_to, ttl. Raises InvalidInput.
        """
        now = self._clock()
        home = lifecycle.find(self._store, ref).project
        root = next((p.path for p in self._store.projects() if p.name == home), "")
        return self._with_meaning(
            lambda embedder: lifecycle.edit(self._store, embedder, ref, changes, origin=self._origin, now=now, root=root)
        )

    def supersede(self, old: int | str, new: int | str, *, reason: str = "") -> Memory:
        """Let memory `new` stand for `old`, which stays, marked, with its successor and the reason. Returns the old one as it is now."""
        return leaving.supersede(self._store, old, new, reason=reason, origin=self._origin, now=self._clock())

    def done(self, ref: int | str, *, reason: str = "") -> Memory:
        """Mark a memory as finished: no longer recalled, still listed."""
        return leaving.done(self._store, ref, reason=reason, origin=self._origin, now=self._clock())

    def pin(self, ref: int | str) -> Memory:
        """Let a memory never fade."""
        return lifecycle.pin(self._store, ref, True, now=self._clock())

    def unpin(self, ref: int | str) -> Memory:
        """Let a pinned memory fade again."""
        return lifecycle.pin(self._store, ref, False, now=self._clock())

    def forget(self, *refs: int | str) -> list[Forgotten]:
        """Erase memories for good: text, words, vectors, links, log lines, sources, and the bytes where they lay. All or none."""
        indexing.agree(self._store, None)
        return leaving.forget(self._store, refs)

    def _taken_in(self) -> None:
        """What a session did a moment ago counts too, where it can be written down; while another process writes, it is done without."""
        if self._store.writable:
            try:
                capture.catch_up(self._store, self._spool, self._clock())
            except StoreBusy:
                pass


def _said_in(relation: str) -> str:
    """The argument that a link of this relation is usually given in, for what is wrong with it."""
    return "because" if relation == "because" else "links"
