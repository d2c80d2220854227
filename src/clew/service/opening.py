"""Opening: where the store is, which embedder it uses, and what every verb asks of them. The only reader of the clock."""

from __future__ import annotations

import os
import time

from clew.config import IN_MEMORY, settings
from clew.engines import capture, indexing, leaving, projects
from clew.errors import EmbedderDown
from clew.limits import QUALITY, SERVED
from clew.store.spool import Spool
from clew.store.sqlite import BUSY_MS, SqliteStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType
    from typing import Self, TypeVar

    from clew.embed import Embedder
    from clew.project import Place
    from clew.service.background import Background
    from clew.store.base import Store

    Answer = TypeVar("Answer")


class Opened:
    """An open store, its embedder and its clock, for the verbs that build on it."""

    def __init__(
        self,
        path: str | None = None,
        *,
        project: str | None = None,
        root: str | None = None,
        origin: str = "python",
        embed: str | None = None,
        long_lived: bool | None = True,
        read_only: bool = False,
        busy_ms: int = BUSY_MS,
        clock: Callable[[], float] = time.time,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Open, or create, the store at `path`: default CLEW_DB, else in CLEW_HOME, else ~/.clew/memory.db; ":memory:" is not kept.

        `embed` overrides CLEW_EMBED (static, off, ollama, …). `origin` is written on everything this object remembers. `long_lived` lets
        searches use numpy, which the first of them loads in a tenth of a second and which makes each several times faster; with
        CLEW_EMBED=quality it also has a thread read what is new, and the best answers ordered anew (docs/embedders.md). None is for a
        process that lives on and stays small: as True with CLEW_EMBED=quality, whose models bring numpy along, else as False.
        `read_only` asks nothing of the disk but reading (a store that is not there yet is then empty) and nothing of a model server
        (words alone answer where CLEW_EMBED names one), `busy_ms` bounds every wait for another writer.
        Raises InvalidInput and StoreError and its kinds.
        """
        self._env = os.environ if env is None else env
        self._settings = settings(path, embed, self._env)
        self._clock, self._origin, self._project, self._root = clock, origin, project, root
        self._meaning: tuple[Embedder | None, str] | None = None
        self._asks_servers = not read_only
        if not read_only:
            self._open_embedder()  # a setting that means none is told at once; who only reads may never need it
        database = self._settings.database
        here = IN_MEMORY if read_only and not os.path.exists(database) else database
        self._deep = long_lived is not False and self._settings.embed == QUALITY and self._embedder is not None
        arrays = self._deep or bool(long_lived)
        self._store: Store = SqliteStore(here, arrays=arrays, read_only=read_only and here != IN_MEMORY, busy_ms=busy_ms)
        self._spool = Spool(database)
        self._swept = False
        self._damage = self._down = ""
        self._background = self._reading_on() if self._deep and not read_only else None

    def _reading_on(self) -> Background:
        from clew.embed import open_reader
        from clew.service.background import Background  # threading and what is read with: for the quality tier alone

        embedder = self._embedder
        assert embedder is not None
        return Background(self._store, lambda: open_reader(embedder))

    def _open_embedder(self) -> tuple[Embedder | None, str]:
        """The embedder, or None and why it cannot be had; opened once. Raises InvalidInput for a setting that means none."""
        if self._meaning is None:
            from clew.embed import open_embedder  # milliseconds that a hook after a tool does without

            known = self._settings.embed
            self._meaning = open_embedder(known if self._asks_servers or known not in SERVED else "off", server=self._settings.server)
        return self._meaning

    @property
    def _embedder(self) -> Embedder | None:
        return self._open_embedder()[0]

    @property
    def _trouble(self) -> str:
        return self._open_embedder()[1]

    def __enter__(self) -> Self:
        """The object itself; leaving the block closes the store."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the store, whatever happened."""
        self.close()

    def close(self) -> None:
        """Let go of the store's file; closing twice is fine."""
        if self._background is not None:
            self._background.stop()
        self._store.close()

    def now(self) -> float:
        """The moment by this object's clock, UTC seconds: what "three days ago" is counted from."""
        return self._clock()

    def _health(self) -> Sequence[str]:
        read_only = (
            "" if self._store.writable else f"{self._settings.database} cannot be written, so nothing new is kept; recall still answers"
        )
        half_done = indexing.unfinished(self._store), indexing.half_deepened(self._store)
        return [note for note in (self._trouble, self._down, read_only, *half_done, self._damage) if note]

    def _with_meaning(self, verb: Callable[[Embedder | None], Answer]) -> Answer:
        """What `verb` gives with the embedder or, when its server is down, without: words are kept and found, the gap is marked.

        Raises EmbedderMismatch when the embedder is not the store's, and what the verb raises.
        """
        try:
            indexing.agree(self._store, self._embedder)
            answer = verb(self._embedder)
        except EmbedderDown as down:
            self._down = str(down)
            indexing.agree(self._store, None)
            return verb(None)
        self._down = ""
        if self._background is not None:
            self._background.wake()
        return answer

    def _place(self, project: str | None, *, inside: str | None = None) -> Place:
        """What `project` names, else where one stands; `inside` is a folder that is asked about from wherever one stands."""
        named = project if project is not None else self._project
        return projects.place(named, root=inside or self._root, env=self._env, home=self._settings.home)

    def _scope(self, project: str | None, *, user: bool = True, where: Place | None = None, inside: str | None = None) -> Sequence[int]:
        """What is read for a project; `where` is its place, where that was asked for already, `inside` as in `_place`."""
        if (project if project is not None else self._project) == "*":
            return [p.id for p in self._store.projects()]
        named = project is not None or self._project is not None  # what only CLEW_PROJECT names may be new
        return projects.for_reading(self._store, where or self._place(project, inside=inside), user=user, strict=named)

    def _sweep_once(self, now: float) -> None:
        if not self._swept:
            self._swept = True
            capture.catch_up(self._store, self._spool, now)
            leaving.sweep(self._store, now)
