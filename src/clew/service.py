"""Clew: one short method a verb. It owns the store, the embedder and the clock, and is the only reader of the clock."""

from __future__ import annotations

import os
import time

from clew.config import IN_MEMORY, exclusions, settings, usable_path
from clew.embed import open_embedder
from clew.engines import capture, context, indexing, lifecycle, moving, portable, projects, recall
from clew.errors import InvalidInput, NotFound, StoreDamaged
from clew.limits import ID_MAX, PACK_CHARS, RECALL_LIMIT
from clew.model import Draft, Memory, Pack
from clew.rules.packs import OPENING_CHARS, PROMPT_CHARS, RESUME_TAG
from clew.store.spool import Spool
from clew.store.sqlite import BUSY_MS, SqliteStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Any

    from clew.engines.projects import Place
    from clew.model import Event, Forgotten, Hit, Pointer, Project, Remembered, Scalar, Source
    from clew.store.base import Store


class Clew:
    """A memory engine over one store. Safe to share between threads; a context manager.

    `project` is the default for every verb: None for where the process stands (CLEW_PROJECT, `root`, the repository of the working
    directory, the directory), a name, a path, "@user" for the user's own, or "*" for all of them in verbs that only read.
    """

    def __init__(
        self,
        path: str | None = None,
        *,
        project: str | None = None,
        root: str | None = None,
        origin: str = "python",
        embed: str | None = None,
        long_lived: bool = True,
        read_only: bool = False,
        busy_ms: int = BUSY_MS,
        clock: Callable[[], float] = time.time,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Open, or create, the store at `path`: default CLEW_DB, else in CLEW_HOME, else ~/.clew/memory.db; ":memory:" is not kept.

        `embed` overrides CLEW_EMBED (static, off). `origin` is written on everything this object remembers. `long_lived` lets searches
        use numpy, which the first of them loads in a tenth of a second and which makes each several times faster.
        `read_only` asks nothing of the disk but reading (a store that is not there yet is then empty), `busy_ms` bounds every wait for
        another writer. Raises InvalidInput and StoreError and its kinds.
        """
        self._env = os.environ if env is None else env
        self._settings = settings(path, embed, self._env)
        self._clock, self._origin, self._project, self._root = clock, origin, project, root
        self._embedder, self._trouble = open_embedder(self._settings.embed)
        database = self._settings.database
        here = IN_MEMORY if read_only and not os.path.exists(database) else database
        self._store: Store = SqliteStore(here, arrays=long_lived, read_only=read_only and here != IN_MEMORY, busy_ms=busy_ms)
        self._spool = Spool(database)
        self._swept = False
        self._damage = ""

    def __enter__(self) -> Clew:
        """The object itself; leaving the block closes the store."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the store, whatever happened."""
        self.close()

    def close(self) -> None:
        """Let go of the store's file; closing twice is fine."""
        self._store.close()

    def now(self) -> float:
        """The moment by this object's clock, UTC seconds: what "three days ago" is counted from."""
        return self._clock()

    # remember

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
        project: str | None = None,
    ) -> Remembered:
        """Keep one memory; saying the same again returns the same one, seen once more.

        Secrets and `<private>` spans are redacted first. A summary of several lines becomes a summary and a detail.
        Times are UTC seconds, `ttl` seconds. Raises InvalidInput (nothing written), EmbedderMismatch, StoreError.
        """
        extra = {} if source is None else {"source": source}
        draft = Draft(
            summary, kind, detail, tags, {} if metadata is None else metadata, pointers,  # type: ignore[arg-type]  # checked() makes tuples
            valid_from=valid_from, valid_to=valid_to, ttl=ttl, pinned=pinned, **extra,
        )  # fmt: skip
        return self.remember_many([draft], project=project)[0]

    def remember_many(
        self, drafts: Iterable[Draft], *, project: str | None = None, origin: str | None = None, again: bool = True
    ) -> list[Remembered]:
        """Keep many memories in one transaction, all or none, in the order given. Raises as `remember` does.

        `origin` stands for this object's own. Without `again`, what is known already is left as it is, not seen once more: for importers.
        """
        cleaned = lifecycle.cleaned(list(drafts))
        where = self._place(project)
        if not cleaned:
            return []
        now = self._clock()
        indexing.agree(self._store, self._embedder)
        self._sweep_once(now)
        into = projects.for_writing(self._store, where, now)
        return lifecycle.remember(self._store, self._embedder, cleaned, into, origin=origin or self._origin, now=now, again=again)

    def edit(self, ref: int | str, **changes: Any) -> Remembered:
        """Put a memory right in place; the former text stays in the log.

        Changes by name: summary, detail, kind, tags, metadata, pointers, valid_from, valid_to, ttl. Raises InvalidInput.
        """
        indexing.agree(self._store, self._embedder)
        return lifecycle.edit(self._store, self._embedder, ref, changes, origin=self._origin, now=self._clock())

    def supersede(self, old: int | str, new: int | str, *, reason: str = "") -> Memory:
        """Let memory `new` stand for `old`, which stays, marked, with its successor and the reason. Returns the old one as it is now."""
        return lifecycle.supersede(self._store, old, new, reason=reason, origin=self._origin, now=self._clock())

    def done(self, ref: int | str, *, reason: str = "") -> Memory:
        """Mark a memory as finished: no longer recalled, still listed."""
        return lifecycle.done(self._store, ref, reason=reason, origin=self._origin, now=self._clock())

    def pin(self, ref: int | str) -> Memory:
        """Let a memory never fade."""
        return lifecycle.pin(self._store, ref, True, now=self._clock())

    def unpin(self, ref: int | str) -> Memory:
        """Let a pinned memory fade again."""
        return lifecycle.pin(self._store, ref, False, now=self._clock())

    def forget(self, *refs: int | str) -> list[Forgotten]:
        """Erase memories for good: text, words, vectors, links, log lines, sources, and the bytes where they lay. All or none."""
        indexing.agree(self._store, None)
        return lifecycle.forget(self._store, refs)

    # recall

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
        fusion: str = "sum",
    ) -> list[Hit]:
        """The memories that answer `question`, best first, each with its signals; an empty list when nothing relevant is known.

        Searches the project and the user's own. `as_of` answers as of that moment, by when things were true, else written.
        `fusion` is "sum" or "rrf" (reciprocal rank, constant 60). Reads only. Raises InvalidInput, EmbedderMismatch, StoreError.
        """
        _checked_limit(limit, RECALL_LIMIT)
        indexing.agree(self._store, self._embedder)
        which = recall.filtered(self._clock(), kinds=kinds, tags=tags, as_of=as_of, since=since, until=until, ended=include_superseded)
        scope = self._scope(project)
        hits, self._damage = recall.recall(self._store, self._embedder, question, scope, which, limit=limit, method=fusion)
        return hits

    def show(self, ref: int | str) -> Memory:
        """One memory by its number (12, "#12") or the first six or more hex digits of its digest. Raises NotFound, also once it expired."""
        memory = lifecycle.find(self._store, ref)
        if memory.expires_at is not None and memory.expires_at <= self._clock():
            raise NotFound(f"memory #{memory.id} has expired")
        return memory

    def history(self, ref: int | str) -> list[dict[str, Any]]:
        """What happened to a memory, newest first: {event, at, origin, text}, text being its former state as JSON."""
        memory = self.show(ref)
        return self._store.read_log(self._store.owner(memory.id), limit=RECALL_LIMIT, memory=memory.id)

    # what reaches an agent by itself

    def context(self, *, project: str | None = None, budget: int = OPENING_CHARS) -> Pack:
        """The opening pack: resume pointers, then the strongest memories of each kind, in at most `budget` characters.

        Raises InvalidInput for a budget outside PACK_CHARS.
        """
        return self._opening(project, {}, budget)[0]

    def resume(self, text: str | None = None, *, project: str | None = None) -> Sequence[Memory]:
        """Set a resume pointer when `text` is given ("next: …"); the open pointers, newest first. `done` ends one."""
        if text is not None:
            self.remember(text, kind="state", tags=[RESUME_TAG], project=project)
        return context.pointers(self._store, self._scope(project, user=False), self._clock())

    def prompt_pack(self, text: str, *, session: str = "", budget: int = PROMPT_CHARS) -> Pack:
        """The few memories that bear on a prompt and that `session` was not shown since they last changed. Reads only."""
        return self._prompt_pack(text, session, budget)[0]

    def capture(self, event: Event) -> Pack:
        """Take an event of a client: it goes to the spool, redacted, and the answer is the pack that belongs before the agent now.

        An event that another install told a moment ago, and one about a path that is left alone (.clewignore, CLEW_EXCLUDE), is not kept;
        the former has no second answer. `take_in` brings the spool into the store. Raises StoreError, InvalidInput, OSError, ValueError.
        """
        where = self._place(None)
        pack, memories, told = self._answer(event)
        stamped = event._replace(at=self._clock())
        if capture.left_alone(event, where, *exclusions(where.path, self._env)):
            if not memories:
                return pack
            stamped = stamped._replace(text="", target="")
        line = capture.line_of(stamped, where, memories) | ({"told": True} if told else {})
        return pack if capture.put(self._store, self._spool, line) else Pack("", (), 0)

    def _answer(self, event: Event) -> tuple[Pack, Sequence[Memory], bool]:
        """(the pack for an event, the memories in it, whether it tells of a hook's trouble)."""
        if event.kind == "prompt":
            return *self._prompt_pack(event.text, event.session, PROMPT_CHARS), False
        if event.kind == "session_start":
            shown = self._shown(event.session) if event.source == "resume" else {}
            trouble = capture.trouble(self._store, self._spool, self._clock(), untold=True)
            return *self._opening(None, shown, OPENING_CHARS, trouble), bool(trouble)
        return Pack("", (), 0), (), False

    def take_in(self) -> int:
        """Take what hooks left in the spool into the store, each line once; how many lines. Raises StoreError, OSError."""
        return capture.take_in(self._store, self._spool, self._clock())

    # projects

    def projects(self) -> list[Project]:
        """All projects of the store, by name."""
        return self._store.projects()

    def project(self, name: str | None = None) -> Project:
        """One project, by default the one this object stands in; id 0 when nothing was remembered there yet."""
        return projects.shown(self._store, self._place(name))

    def project_move(self, refs: Sequence[int | str], *, into: str) -> int:
        """Move memories into another project; how many moved."""
        now = self._clock()
        indexing.agree(self._store, self._embedder)
        known = [self.show(ref).id for ref in refs]
        return moving.move(self._store, self._embedder, known, projects.for_writing(self._store, self._place(into), now), now=now)

    def project_merge(self, name: str, *, into: str) -> int:
        """Move everything of a project into another, which from then on answers to both; how many memories moved."""
        indexing.agree(self._store, self._embedder)
        return projects.merge(self._store, self._embedder, self._place(name), self._place(into), now=self._clock())

    def project_rename(self, name: str, to: str) -> Project:
        """Give a project another label. Raises InvalidInput when it is taken."""
        return projects.rename(self._store, self._place(name), to)

    # care

    def reindex(self, tell: Callable[[int, int], None] = lambda done, last: None) -> int:
        """Rebuild words and vectors from the text that is kept; resumable. `tell(done, last)` follows it. Returns how many were indexed."""
        if self._trouble:
            raise InvalidInput("CLEW_EMBED", self._trouble)
        return indexing.reindex(self._store, self._embedder, [p.id for p in self._store.projects()], tell)

    def notes(self) -> list[str]:
        """What is not as it should be, a sentence each: a missing embedder table, a store that cannot be written, a half-built index, and
        for a week the last trouble of a hook."""
        trouble = capture.trouble(self._store, self._spool, self._clock())
        return [*self._health(), *([trouble] if trouble else [])]

    def status(self) -> dict[str, Any]:
        """Counts, sizes, versions, the project one stands in, the embedder and `notes`."""
        embedder = indexing.signature(self._embedder) if self._embedder else "off"
        here = projects.standing(self._store, None if self._project == "*" else self._place(None))
        return {"store": self._store.facts(), "project": here, "embedder": embedder, "notes": self.notes()}

    def doctor(self) -> list[str]:
        """Examine the whole store; what is wrong and the way out, a sentence each, empty when all is sound."""
        try:
            return [*self.notes(), *self._store.check()]
        except StoreDamaged as damage:
            return [str(damage)]

    def backup(self, path: str) -> None:
        """Write a whole, consistent copy of the store to `path`, with mode 0600."""
        self._store.backup(usable_path(path, "path", self._settings.home))

    def export_jsonl(self, *, project: str | None = None) -> Iterator[dict[str, Any]]:
        """Every memory (ended ones too) and link of the project as flat JSON objects that `import_jsonl` takes back whole."""
        return portable.exported(self._store, self._scope(project, user=False), self._clock())

    def import_jsonl(self, lines: Iterable[Mapping[str, Any]], *, project: str | None = None) -> dict[str, int]:
        """Take exported objects, or plain ones with at least a `summary`, all or none: how many were "new", "known" and "links".

        Raises InvalidInput naming the line and the field.
        """
        judged = portable.judged(lines)
        where = self._place(project)
        now = self._clock()
        indexing.agree(self._store, self._embedder)
        into = projects.for_writing(self._store, where, now)
        return portable.imported(self._store, self._embedder, judged, into, origin=self._origin, now=now)

    def list(
        self,
        *,
        project: str | None = None,
        kinds: Sequence[str] = (),
        tags: Sequence[str] = (),
        statuses: Sequence[str] = ("active",),
        since: float | None = None,
        until: float | None = None,
        limit: int = 50,
    ) -> Sequence[Memory]:
        """Memories of the project, newest first. Raises InvalidInput."""
        _checked_limit(limit)
        which = recall.filtered(self._clock(), kinds=kinds, tags=tags, since=since, until=until, statuses=statuses)
        return self._store.select(self._scope(project, user=False), which, limit=min(limit, ID_MAX))

    def _health(self) -> Sequence[str]:
        read_only = (
            "" if self._store.writable else f"{self._settings.database} cannot be written, so nothing new is kept; recall still answers"
        )
        return [note for note in (self._trouble, read_only, indexing.unfinished(self._store), self._damage) if note]

    def _opening(self, project: str | None, shown: Mapping[int, float], budget: int, trouble: str = "") -> tuple[Pack, Sequence[Memory]]:
        where = self._place(project)
        name = projects.standing(self._store, where).name
        health = " ".join([*self._health(), trouble]).strip()
        now = self._clock()
        return context.opening(
            self._store, self._scope(project), project=name, shown=shown, now=now, health=health, budget=_in_bounds(budget)
        )

    def _prompt_pack(self, text: str, session: str, budget: int) -> tuple[Pack, Sequence[Memory]]:
        indexing.agree(self._store, self._embedder)
        shown = self._shown(session) if session else {}
        scope, now = self._scope(None), self._clock()
        return context.prompt(self._store, self._embedder, text, scope, shown=shown, now=now, budget=_in_bounds(budget))

    def _shown(self, session: str) -> dict[int, float]:
        """What a session was shown: by the store, and by what still waits in the spool."""
        return capture.shown(self._store, self._spool, session)

    def _place(self, project: str | None) -> Place:
        return projects.place(project if project is not None else self._project, root=self._root, env=self._env, home=self._settings.home)

    def _scope(self, project: str | None, *, user: bool = True) -> Sequence[int]:
        if (project if project is not None else self._project) == "*":
            return [p.id for p in self._store.projects()]
        named = project is not None or self._project is not None  # what only CLEW_PROJECT names may be new
        return projects.for_reading(self._store, self._place(project), user=user, strict=named)

    def _sweep_once(self, now: float) -> None:
        if not self._swept:
            self._swept = True
            capture.catch_up(self._store, self._spool, now)
            lifecycle.sweep(self._store, now)


def ignored(lines: str) -> Callable[[str], bool]:
    """A function that says whether the ignore file `lines` takes a file out, given its path from that file's folder (gitignore(5))."""
    from clew.rules import ignore

    return ignore.ignored(lines)


def note_trouble(text: str, env: Mapping[str, str]) -> None:
    """Leave a hook's trouble in the spool, for `clew status` and the next opening pack. Raises OSError, ValueError, ClewError."""
    Spool(settings(None, None, env).database).append(capture.trouble_line(text, time.time()))


def _checked_limit(limit: Any, most: int | None = None) -> None:
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1 or (most is not None and limit > most):
        raise InvalidInput("limit", f"must be a whole number from 1 {f'to {most}' if most else 'on'}")


def _in_bounds(budget: int) -> int:
    low, high = PACK_CHARS
    if not low <= budget <= high:
        raise InvalidInput("budget", f"{budget} characters is outside {low:,}..{high:,}")
    return budget
