"""The part of the promise about what is told: the log, and how far sessions have come."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NamedTuple, Protocol
else:
    from clew.model import NamedTuple

    Protocol = object


class Progress(NamedTuple):
    """How far a session has come: prompts, the agent's turns, when the user last wrote, when it last did anything, when it ended.

    Times are UTC seconds, 0.0 for never; what ended and went on has not ended.
    """

    turns: int = 0
    calls: int = 0
    asked_at: float = 0.0
    last_at: float = 0.0
    ended_at: float = 0.0


class Talk(Protocol):
    """What `Store` promises of it; see there."""

    # the log
    def write_log(
        self,
        project: int,
        event: str,
        *,
        text: str,
        origin: str,
        at: float,
        memory: int | None = None,
        session: str | None = None,
        turn: int | None = None,
    ) -> None:
        """Append one line to the log."""

    def read_log(self, project: int, *, limit: int, memory: int | None = None) -> list[dict[str, Any]]:
        """The newest lines of a project's log, newest first."""

    def told(self, scope: Sequence[int], session: str, event: str, *, limit: int) -> list[tuple[float, str, str]]:
        """(at, session, text) of the log's lines of this event in a session, newest first."""

    def noted(self, project: int, session: str, event: str, text: str) -> float:
        """When the log was last told this text of this event in a session, UTC seconds, 0.0 for never."""

    def said(self, scope: Sequence[int], session: str, event: str, *, least: int = 0) -> str:
        """The text of the last line of the log that a session has of this event, of `least` characters or more; "" for none."""

    # sessions
    def advance_session(self, session: str, project: int, client: str, *, at: float, turns: int) -> int:
        """Note that a session lives (begun with its first sign) and went on by `turns`; how many it has."""

    def advance_calls(self, session: str, *, calls: int = 0, asked_at: float | None = None) -> None:
        """Let a known session go on by `calls` turns of its agent, or note when its user wrote."""

    def progress(self, session: str) -> Progress:
        """How far a session has come; zeros for one that is not known."""

    def end_session(self, session: str, *, at: float, keep_since: float) -> None:
        """Close a session, and drop what those that were last alive before `keep_since` were shown."""

    def mark_shown(self, session: str, memories: Sequence[tuple[int, float]]) -> None:
        """Note that a session was shown memories, each with the `updated_at` it had."""

    def shown(self, session: str) -> dict[int, float]:
        """Memories a session was shown, with the `updated_at` they had then."""

    def forget_shown(self, session: str) -> None:
        """The session's window is new: it was shown nothing."""
