"""The verbs that look after the store and its projects."""

from __future__ import annotations

from clew.config import usable_path
from clew.engines import capture, indexing, moving, projects
from clew.errors import EmbedderDown, InvalidInput, StoreDamaged
from clew.limits import QUALITY
from clew.rules.intake import sound
from clew.service.recalling import Recalling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from clew.embed import Embedder
    from clew.model import Project


class Caring(Recalling):
    """projects, project, project_move/_merge/_rename, reindex, notes, status, doctor, backup, export_jsonl, import_jsonl."""

    def projects(self) -> list[Project]:
        """All projects of the store, by name."""
        return self._store.projects()

    def project(self, name: str | None = None) -> Project:
        """One project, by default the one this object stands in; id 0 when nothing was remembered there yet."""
        return projects.shown(self._store, self._place(name))

    def project_move(self, refs: Sequence[int | str], *, into: str) -> int:
        """Move memories into another project; how many moved."""
        if not isinstance(refs, list | tuple):
            raise InvalidInput("refs", f"must be a list of memories, not {type(refs).__name__}")
        now = self._clock()
        known = [self.show(ref).id for ref in refs]

        def moved(embedder: Embedder | None) -> int:
            return moving.move(self._store, embedder, known, projects.for_writing(self._store, self._place(into), now), now=now)

        return self._with_meaning(moved)

    def project_merge(self, name: str, *, into: str) -> int:
        """Move everything of a project into another, whose the folders of both are from then on; how many memories moved."""
        now = self._clock()
        return self._with_meaning(lambda embedder: projects.merge(self._store, embedder, self._place(name), self._place(into), now=now))

    def project_rename(self, name: str, to: str) -> Project:
        """Give a project another label. Raises InvalidInput when it is taken."""
        return projects.rename(self._store, self._place(name), to)

    def reindex(self, tell: Callable[[int, int], None] = lambda done, last: None) -> int:
        """Rebuild words and vectors from the text that is kept; resumable. `tell(done, last)` follows it. Returns how many were indexed.

        With CLEW_EMBED=quality a second pass follows, during which recall answers as before. Raises MissingExtra, EmbedderDown.
        """
        if self._trouble:
            raise InvalidInput("CLEW_EMBED", self._trouble)
        scope = [p.id for p in self._store.projects()]
        if self._embedder is None or self._settings.embed != QUALITY:
            return indexing.reindex(self._store, self._embedder, scope, tell)
        from clew.embed import open_reader
        from clew.engines import deepening

        reader = open_reader(self._embedder)
        made = 0
        if not indexing.half_deepened(self._store) or indexing.unfinished(self._store):
            made = indexing.reindex(self._store, self._embedder, scope, tell)
            deepening.begin(self._store)
        return max(made, deepening.deepen(self._store, reader, scope, tell))

    def notes(self) -> list[str]:
        """What is not as it should be, a sentence each: a missing embedder table, a store that cannot be written, a half-built index, and
        for a week the last trouble of a hook."""
        trouble = capture.trouble(self._store, self._spool, self._clock())
        return [*self._health(), *([trouble] if trouble else [])]

    def status(self) -> dict[str, Any]:
        """Counts, sizes, versions, the project one stands in, the embedder, the window of its last session and how often that one was
        warned and stopped (None for none), and `notes`."""
        embedder = self._signature()
        here = projects.standing(self._store, None if self._project == "*" else self._place(None))
        window = self._window()
        found = {"store": self._facts(), "project": here, "embedder": embedder, "working_set": window, "alarms": self._alarmed()}
        return {**found, "notes": self.notes()}

    def _alarmed(self) -> dict[str, Any] | None:
        from clew.engines import attempts

        try:
            scope = self._scope(None, user=False)
            session = self._store.latest_window(scope)
            return attempts.counted(self._store, scope, session) if session else None
        except StoreDamaged:
            return None

    def _facts(self) -> dict[str, Any]:
        try:
            return {**self._store.facts(), "source_bytes": self._store.sources_kept()[1]}
        except StoreDamaged:
            return {**self._store.facts(), "source_bytes": None}

    def _window(self) -> dict[str, Any] | None:
        from clew.engines import windows  # with the rules of a working set, which a hook that only reads does without

        try:
            return windows.told(self._store, self._scope(None, user=False))
        except StoreDamaged:  # `doctor` says what is
            return None

    def _signature(self) -> str:
        try:
            return indexing.signature(self._embedder) if self._embedder else "off"
        except EmbedderDown as down:
            self._down = str(down)
            return down.model

    def doctor(self) -> list[str]:
        """Examine the whole store; what is wrong and the way out, a sentence each, empty when all is sound."""
        notes = list[str]()
        try:
            notes = self.notes()
        except StoreDamaged:
            pass  # the examination names it, with what helps
        try:
            return [*notes, *self._store.check()]
        except StoreDamaged as damage:
            return [str(damage)]

    def backup(self, path: str) -> None:
        """Write a whole, consistent copy of the store to `path`, with mode 0600."""
        self._store.backup(usable_path(sound(path, "path"), "path", self._settings.home))

    def export_jsonl(self, *, project: str | None = None) -> Iterator[dict[str, Any]]:
        """Every memory (ended ones too) and link of the project as flat JSON objects that `import_jsonl` takes back whole."""
        from clew.engines import portable  # a millisecond, which a hook does without

        return portable.exported(self._store, self._scope(project, user=False), self._clock())

    def import_jsonl(self, lines: Iterable[Mapping[str, Any]], *, project: str | None = None) -> dict[str, int]:
        """Take exported objects, or plain ones with at least a `summary`, all or none: how many were "new", "known" and "links".

        Raises InvalidInput naming the line and the field.
        """
        from clew.engines import portable

        judged = portable.judged(lines)
        where = self._place(project)
        now = self._clock()

        def imported(embedder: Embedder | None) -> dict[str, int]:
            into = projects.for_writing(self._store, where, now)
            return portable.imported(self._store, embedder, judged, into, origin=self._origin, now=now)

        return self._with_meaning(imported)
