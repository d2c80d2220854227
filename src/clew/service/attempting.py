"""The verbs that record attempts, say when to stop repeating one, and tell what was tried before."""

from __future__ import annotations

from clew.engines import capture, lines, projects
from clew.errors import InvalidInput
from clew.limits import ID_MAX
from clew.model import Event, Pack, Verdict
from clew.rules.intake import sound, whole
from clew.service.remembering import Remembering
from clew.store import guard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from clew.engines.attempts import Sight
    from clew.engines.closing import Ending
    from clew.model import Alarm, Attempt, Tried
    from clew.project import Place

    Callback = Callable[[Verdict, Attempt], None]

LIST_LIMIT = 1_000
OPEN_GOALS = 100  # looked at when a session pauses, those that failed last
ABOUT_BYTES = 1 << 20


class Attempting(Remembering):
    """attempt, before_attempt, allow_attempt, tried, attempts, goals, alarms."""

    def attempt(
        self,
        target: str,
        *,
        tool: str = "shell",
        given: Mapping[str, Any] | None = None,
        output: str = "",
        exit: int | None = None,
        failed: bool = False,
        interrupted: bool = False,
        session: str = "",
        project: str | None = None,
        callback: Callback | None = None,
    ) -> Verdict:
        """Record what a tool did and how it ended; what the attempts at its goal say about going on.

        `target` is the command, file or query, `tool` the tool's name, `given` all that it was given. The outcome follows from hard
        evidence: `exit`, `failed` (the tool's own flag), a runner's verdict in `output`. From level 2 on `callback` is called.
        Raises InvalidInput, StoreError.
        """
        from clew.engines import attempts

        if exit is not None and (not isinstance(exit, int) or not -ID_MAX <= exit <= ID_MAX):
            raise InvalidInput("exit", "must be the whole number with which a process ends")
        if not isinstance(output, str):
            raise InvalidInput("output", f"must be text, not {type(output).__name__}")
        if callback is not None and not callable(callback):
            raise InvalidInput("callback", f"must be something to call with (verdict, attempt), not {type(callback).__name__}")
        event = self._tool_event(target, tool, given, session)._replace(text=output, exit=exit, failed=failed, interrupted=interrupted)
        now = self._clock()
        where = self._place(project)
        self._sweep_once(now)
        owner = projects.for_writing(self._store, where, now)
        verdict, made = attempts.record(self._store, owner, event._replace(at=now), where.path)
        self._guard(event.session, verdict.level, now)
        self._close_goals()
        if made and callback is not None and verdict.level > 1:
            callback(verdict, made)
        return verdict

    def before_attempt(
        self, target: str, *, tool: str = "shell", given: Mapping[str, Any] | None = None, session: str = "", project: str | None = None
    ) -> Verdict:
        """What the attempts so far say about a call that is about to run: at level 3 it is about to fail as before. Reads only."""
        from clew.engines import attempts

        event = self._tool_event(target, tool, given, session)
        scope = self._scope(project, user=False)
        seen = attempts.sight(self._store, capture.waiting(self._store, self._spool), scope, event.session)
        return attempts.refused(seen, event, self._place(project).path, self._clock())[0]

    def allow_attempt(
        self, target: str, *, tool: str = "shell", given: Mapping[str, Any] | None = None, session: str = "", project: str | None = None
    ) -> None:
        """Let an approach that was stopped run once more: the user says so. Raises InvalidInput for a call that is never stopped."""
        from clew.engines import attempts

        event = self._tool_event(target, tool, given, session)._replace(at=self._clock())
        where = self._place(project)
        capture.catch_up(self._store, self._spool, event.at)  # what failed comes before the word that lets it run again
        owner = projects.for_writing(self._store, where, event.at)
        attempts.allow(self._store, owner, event, where.path)

    def tried(self, about: str, *, project: str | None = None) -> Tried:
        """What was tried before, in any session, on a target (a file, test or command) or about a failure (its text), and what worked.

        Raises InvalidInput for an empty text.
        """
        from clew.engines import tried

        if not sound(about[:ABOUT_BYTES] if isinstance(about, str) else about, "about").strip():
            raise InvalidInput("about", "is empty; give a file, a test, a command, or the text of an error")
        self._taken_in()
        return tried.tried(self._store, self._scope(project, user=False), about[:ABOUT_BYTES], self._place(project).path)

    def attempts(
        self, *, goal: str | None = None, session: str | None = None, project: str | None = None, limit: int = 20
    ) -> list[Attempt]:
        """The attempts made last, newest first, of one goal or session or of all. Raises InvalidInput."""
        keys: dict[str, Any] = {name: sound(value, name) for name, value in (("goal", goal), ("session", session)) if value is not None}
        self._taken_in()
        return self._store.attempts(self._scope(project, user=False), limit=whole(limit, "limit", LIST_LIMIT), **keys)

    def goals(self, *, session: str | None = None, project: str | None = None, limit: int = 20) -> list[tuple[str, int, int, float, float]]:
        """(goal, attempts, failures, first at, last at), the goal that was attempted last first. Raises InvalidInput."""
        named = None if session is None else sound(session, "session")
        self._taken_in()
        return self._store.goals(self._scope(project, user=False), limit=whole(limit, "limit", LIST_LIMIT), session=named)

    def alarms(self, *, session: str | None = None, project: str | None = None, limit: int = 20) -> list[Alarm]:
        """The warnings, callbacks and stops of a session, newest first; of the one that was active last where none is named."""
        from clew.engines import attempts

        self._taken_in()
        scope = self._scope(project, user=False)
        name = self._store.latest_window(scope) if session is None else sound(session, "session")
        return attempts.alarms(self._store.told(scope, name or self._origin, lines.VERDICT, limit=whole(limit, "limit", LIST_LIMIT)))

    def _tool_event(self, target: str, tool: str, given: Mapping[str, Any] | None, session: str) -> Event:
        for name, value in (("target", target), ("tool", tool), ("session", session)):
            if not isinstance(value, str) or "\0" in value:
                raise InvalidInput(name, "must be text without NUL bytes")
        sound(session, "session")
        if not target.strip():
            raise InvalidInput("target", "is empty; give the command, file or query that was tried")
        if given is not None and not isinstance(given, dict):
            raise InvalidInput("given", f"must be an object of what the tool was given, not {type(given).__name__}")
        told = {} if given is None else dict(given)
        path = next((v for f in ("file_path", "notebook_path") if isinstance(v := told.get(f), str)), "")
        return Event("tool", self._origin, session or self._origin, tool=tool, target=target, given=told, path=path)

    def _done(self, event: Event, where: Place) -> tuple[dict[str, Any], str]:
        """(what a finished tool call adds to its spool line, the text that belongs before the agent now)."""
        from clew.engines import attempts, observing

        scope = self._scope(None, user=False, where=where)
        seen = attempts.sight(self._store, capture.waiting(self._store, self._spool), scope, event.session)
        meant = attempts.aim(seen, event, where.path)
        turn = attempts.turn_of(seen, event)
        made = attempts.made(seen, event, meant, where.path, turn)
        line, text = self._attempted(seen, made, scope, event.at) if made else ({}, "")
        return {"turn": turn, **line, **observing.observed(event, meant.action, where.path)}, text

    def _attempted(self, seen: Sight, made: Attempt, scope: Sequence[int], now: float) -> tuple[dict[str, Any], str]:
        """(what a spool line says of an attempt, the text that belongs before the agent now). Reads only, but for the guard."""
        from clew.engines import attempts, tried
        from clew.rules import alarms

        verdict = attempts.judged(seen, made, now)
        self._guard(made.session, verdict.level, now)
        text = alarms.warning(verdict, attempts.passed_before(seen, made.goal), now)
        if not text and made.fingerprint and not any(a.fingerprint == made.fingerprint for a in seen.attempts):
            text = alarms.known(tried.known(self._store, scope, made), now)
        if not text and made.fingerprint and not any(a.goal == made.goal for a in seen.attempts):
            text = alarms.left(*tried.left(self._store, scope, made), now)
        line = {"attempt": attempts.as_line(made)}
        return line | ({"verdict": attempts.alarm(verdict, made, made.goal)} if verdict.level else {}), text

    def _refused(self, event: Event) -> Pack:
        """Why a call is not to run, as a pack; an empty one lets it run. That it was stopped is kept, where it can be."""
        from clew.engines import attempts
        from clew.rules import alarms, convergence

        now, where = self._clock(), self._place(None)
        scope = self._scope(None, user=False, where=where)
        seen = attempts.sight(self._store, capture.waiting(self._store, self._spool), scope, event.session)
        verdict, goal = attempts.refused(seen, event, where.path, now)
        if verdict.level != convergence.STOP:
            return Pack("", (), 0)
        told = lines.line_of(event._replace(at=now), where)
        try:
            capture.put(self._store, self._spool, {**told, "kind": lines.VERDICT, "verdict": attempts.alarm(verdict, None, goal)})
        except (OSError, ValueError):
            pass  # it is stopped all the same
        return Pack(alarms.refusal(verdict, now), (), 0)

    def _guard(self, session: str, level: int, now: float) -> None:
        """From the first warning on the hook before a tool looks closely; where the file cannot be written it never stops anything."""
        if level > 0:
            try:
                guard.put(self._settings.database, session, now)
            except OSError:
                pass

    def _close_goals(self) -> int:
        """Turn the failures of goals that were reached into facts and what reached them into a decision, and let the memories that were
        there have their credit, also where a session ended without; how many goals."""
        count = 0
        for owner, goal in self._store.open_goals(limit=OPEN_GOALS):
            from clew.engines import closing  # with the rules of attempts, which most sessions' starts do without

            ending = closing.ended(self._store, owner, goal)
            if ending is not None:
                count += self._closed(owner, goal, ending)
        return count

    def _closed(self, owner: int, goal: str, ending: Ending) -> bool:
        from clew.engines import closing

        store, origin, now = self._store, self._origin, self._clock()
        if not ending.passed:
            return closing.give_up(store, owner, goal, ending, origin=origin, now=now)
        return self._with_meaning(lambda embedder: closing.settle(store, embedder, owner, goal, ending, origin=origin, now=now))
