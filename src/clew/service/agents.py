"""The verbs by which memory reaches an agent by itself, and by which we hear of what it does."""

from __future__ import annotations

from clew.config import compile_output, exclusions
from clew.engines import capture, context, lifecycle, lines, projects
from clew.errors import InvalidInput, StoreError
from clew.limits import OPENING_CHARS, PACK_CHARS
from clew.model import Memory, Pack
from clew.rules.intake import sound
from clew.rules.packs import PROMPT_CHARS, RESUME_TAG
from clew.service.attempting import Attempting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from clew.model import Event
    from clew.project import Place


CARRIED = ("compact", "resume")  # starts of a session that goes on


class Agents(Attempting):
    """context, resume, resume_done, prompt_pack, capture, used, take_in."""

    def context(self, *, project: str | None = None, budget: int = OPENING_CHARS) -> Pack:
        """The opening pack: resume pointers, then the strongest memories of each kind, in at most `budget` characters.

        Raises InvalidInput for a budget outside PACK_CHARS.
        """
        return self._opening(project, {}, budget)[0]

    def resume(self, text: str | None = None, *, project: str | None = None) -> Sequence[Memory]:
        """Set a resume pointer when `text` is given ("next: …"); the open pointers, newest first. `resume_done` ends one."""
        if text is not None:
            self.remember(text, kind="state", tags=[RESUME_TAG], project=project)
        return context.pointers(self._store, self._scope(project, user=False), self._clock())

    def resume_done(self, ref: int | str) -> Memory:
        """End a resume pointer; the memory as it is now. Raises InvalidInput for a memory that is none, which stays as it is."""
        memory = lifecycle.find(self._store, ref)
        if RESUME_TAG not in memory.tags or memory.kind != "state":
            raise InvalidInput("done", f"#{memory.id} is no resume pointer: `resume` lists them, `done` is for other memories")
        return memory if memory.status == "done" else self.done(memory.id)

    def prompt_pack(self, text: str, *, session: str = "", budget: int = PROMPT_CHARS) -> Pack:
        """The few memories that bear on a prompt and that `session` was not shown since they last changed. Reads only."""
        if not isinstance(text, str):
            raise InvalidInput("text", f"must be text, not {type(text).__name__}")
        return self._prompt_pack(text, session, budget)[0]

    def capture(self, event: Event) -> Pack:
        """Take an event of a client: it goes to the spool, redacted, and the answer is the pack that belongs before the agent now.

        An event that another install told a moment ago, and one about a path that is left alone (.clewignore, CLEW_EXCLUDE), is not kept;
        the former has no second answer. `take_in` brings the spool into the store. Raises StoreError, InvalidInput, OSError, ValueError.
        """
        if event.kind == "before_tool":
            return self._refused(event)
        where = self._place(None)
        stamped = event._replace(at=self._clock())
        if stamped.kind == "session_start" and stamped.source in CARRIED:
            self._catch_up()
        pack, memories, also = self._answer(stamped)
        alone = exclusions(where.path, self._env)
        if lines.left_alone(stamped, where, *alone):
            if not memories:
                return pack
            stamped = stamped._replace(text="", target="", path="", given={})
        stamped = lines.without_left_alone(stamped, where, *alone)
        line = lines.line_of(stamped, where, memories) | also
        if stamped.kind == "tool" and stamped.tool:
            more, text = self._done(stamped, where)
            line, pack = line | more, Pack(text, (), 0)
        if stamped.model:
            from clew.compiler.windows import suggest  # as the verb `suggest_budget` does

            line |= {"budget": suggest(sound(stamped.model, "model")).budget}
        if not capture.put(self._store, self._spool, line):
            return Pack("", (), 0)
        return pack._replace(output=self._shortened(stamped, where)) if stamped.output else pack

    def _shortened(self, event: Event, where: Place) -> str:
        """What is to stand in place of a command's output, "" to leave it; off unless CLEW_COMPILE_OUTPUT says how much is too much."""
        most = compile_output(self._env)
        if not most or not (event.whole or len(event.output) > most):
            return ""
        from clew.engines import shortening  # with the whole compiler

        return shortening.shortened(self._store, event, where, most=most)

    def _answer(self, event: Event) -> tuple[Pack, Sequence[Memory], dict[str, Any]]:
        """(the pack for an event, the memories in it, what else it tells of: a hook's trouble, files that changed)."""
        if event.kind == "prompt":
            return *self._prompt_pack(event.text, event.session, PROMPT_CHARS), {}
        if event.kind == "session_start":
            shown = self._shown(event.session) if event.source == "resume" else {}
            trouble = capture.trouble(self._store, self._spool, self._clock(), untold=True)
            carried, memories, marks = self._carried(event, shown) if event.source in CARRIED else (Pack("", (), 0), (), ())
            changed = {lines.CHANGED: " ".join(marks)} if marks else {}
            if event.source == "compact" and carried.text:
                return carried, memories, changed
            led = {m.id: m.updated_at for m in memories}
            pack, more = self._opening(None, {**shown, **led}, OPENING_CHARS, trouble)
            text = "\n".join(filter(None, (carried.text, pack.text)))
            return Pack(text, (*carried.ids, *pack.ids), pack.left_out), (*memories, *more), changed | ({"told": True} if trouble else {})
        return Pack("", (), 0), (), {}

    def _carried(self, event: Event, shown: Mapping[int, float]) -> tuple[Pack, Sequence[Memory], Sequence[str]]:
        """(the carry-over pack of a session whose window is gone, or that is resumed; the memories in it, marks of changes it tells of)."""
        from clew.engines import carrying

        where, now = self._place(None), self._clock()
        name = projects.name_of(self._store, where)
        pack, memories, marks = carrying.over(
            self._store,
            self._scope(None),
            event.session,
            root=where.path,
            project=name,
            shown=shown,
            now=now,
            whole=event.source == "compact",
        )
        return Pack(pack.text, pack.ids, pack.left_out), memories, marks

    def _catch_up(self) -> None:
        """What a session did a moment ago belongs into what it is told now; while another process holds the store it is told without."""
        try:
            self.take_in()
        except (OSError, StoreError):
            pass

    def used(self, *refs: int, session: str = "") -> None:
        """Memories by number that an answer put before somebody: each was of use just now, which the next write takes in.

        In `session` they are in the window from then on. Where nothing can be written nothing is noted: an answer does not fail for it.
        """
        if refs:
            capture.note_used(self._spool, refs, self._clock(), session, self._place(None) if session else None)

    def take_in(self) -> int:
        """Take what hooks left in the spool into the store, each line once; how many lines. Raises StoreError, OSError."""
        count = capture.take_in(self._store, self._spool, self._clock())
        if count:
            self._close_goals()
        return count

    def _opening(self, project: str | None, shown: Mapping[int, float], budget: int, trouble: str = "") -> tuple[Pack, Sequence[Memory]]:
        where = self._place(project)
        name = projects.name_of(self._store, where)
        health = " ".join([*self._health(), trouble]).strip()
        now = self._clock()
        return context.opening(
            self._store, self._scope(project), project=name, shown=shown, now=now, health=health, budget=_in_bounds(budget), root=where.path
        )

    def _prompt_pack(self, text: str, session: str, budget: int) -> tuple[Pack, Sequence[Memory]]:
        shown = self._shown(session) if session else {}
        scope, now, most = self._scope(None), self._clock(), _in_bounds(budget)
        return self._with_meaning(lambda embedder: context.prompt(self._store, embedder, text, scope, shown=shown, now=now, budget=most))

    def _shown(self, session: str) -> dict[int, float]:
        """What a session was shown: by the store, and by what still waits in the spool."""
        return capture.shown(self._store, self._spool, session)


def _in_bounds(budget: int) -> int:
    low, high = PACK_CHARS
    if not isinstance(budget, int) or not low <= budget <= high:
        raise InvalidInput("budget", f"{budget} characters is outside {low:,}..{high:,}")
    return budget
