"""The part of the promise about work under way: attempts, sources behind handles, compilations, working contexts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NamedTuple, Protocol

    from clew.model import Attempt
else:
    from clew.model import NamedTuple

    Protocol = object


class Original(NamedTuple):
    """Bytes under a content-addressed handle, and the memory they were drawn from; times UTC seconds, no `expires_at`: until pruned."""

    handle: str
    content: bytes
    mime: str
    at: float
    expires_at: float | None = None
    memory: int | None = None


class Context(NamedTuple):
    """A working context as it was saved: `content` is the JSON text of its parts, `at` UTC seconds; `id` 0 before it is kept."""

    id: int
    session: str
    content: str
    origin: str
    at: float


class Observation(NamedTuple):
    """What a tool brought into a session's window: a file, search, command or call, what is known of it, `tokens` of its size.

    `hash` is of the file when it was read or written last, `text` both ends of what cannot be read again, `at` UTC seconds.
    """

    session: str
    handle: str
    kind: str
    target: str
    hash: str = ""
    gist: str = ""
    text: str = ""
    tokens: int = 1
    reads: int = 1
    at: float = 0.0


class Work(Protocol):
    """What `Store` promises of it; see there."""

    # attempts
    def add_attempt(self, project: int, attempt: Attempt) -> int:
        """Keep an attempt (its own `id` is ignored); its number."""

    def attempts(
        self, scope: Sequence[int], *, limit: int, settled: bool | None = None, since: float | None = None, **keys: str
    ) -> list[Attempt]:
        """Attempts of the scope, newest first. `keys` are values they have of goal, session, target, fingerprint, place, approach."""

    def attempts_naming(self, scope: Sequence[int], text: str, *, limit: int) -> list[Attempt]:
        """Attempts whose target or goal holds `text`, newest first."""

    def attempts_telling(self, scope: Sequence[int], text: str, *, limit: int) -> list[Attempt]:
        """Attempts whose failure's telling lines hold `text`, newest first."""

    def goals(self, scope: Sequence[int], *, limit: int, session: str | None = None) -> list[tuple[str, int, int, float, float]]:
        """(goal, attempts, failures, first at, last at) of the goals attempted last, the latest first."""

    def open_goals(self, *, limit: int) -> list[tuple[int, str]]:
        """(project, goal) of goals with a failure that no memory was made of yet, those that failed last first."""

    def settle(self, attempts: Sequence[int]) -> None:
        """Note that memories were made of these attempts."""

    # sources, compilations, working contexts
    def put_sources(self, project: int, originals: Sequence[Original]) -> None:
        """Keep originals; one whose handle is known stays as it is, and until the later of the two times."""

    def source(self, handle: str) -> Original | None:
        """The original behind a handle, whether or not its time has run out."""

    def source_handles(self, prefix: str, *, most: int) -> list[str]:
        """The first `most` handles that begin with `prefix`."""

    def prune_sources(self, now: float, *, before: float | None = None) -> tuple[int, int]:
        """Drop sources and compilations whose time ran out, and sources last put before `before`; (how many sources, their bytes)."""

    def sources_kept(self) -> tuple[int, int]:
        """(how many sources there are, their bytes)."""

    def add_compilation(self, project: int, figures: Mapping[str, Any]) -> None:
        """Keep the figures of one compilation: session, at, expires_at, counter, risk, fragments, tokens_in, tokens_out, saved,
        externalised, lost, and perhaps saved_cost and currency."""

    def compilations(self, scope: Sequence[int]) -> dict[str, Any]:
        """Sums over every compilation of the scope: compilations, five token counts, first_at, last_at, risks, saved_cost by currency."""

    def save_context(self, project: int, context: Context) -> int:
        """Keep a working context beside those saved before; its number."""

    def contexts(self, scope: Sequence[int], *, session: str | None, limit: int) -> list[Context]:
        """The working contexts saved last, of one session or of all, newest first."""

    # windows
    def window(self, session: str) -> str | None:
        """The state of a session's window as it was saved, None for none."""

    def save_window(self, session: str, project: int, state: str, at: float) -> None:
        """Keep the state of a session's window in place of the one before."""

    def latest_window(self, scope: Sequence[int]) -> str | None:
        """The session of the scope, no subagent's, whose window was saved last."""

    def observe(self, project: int, seen: Observation) -> None:
        """Keep what was seen; seen again in its session it is read once more, and what is known of it now stands."""

    def observations(self, scope: Sequence[int], *, limit: int, session: str = "", handle: str = "", target: str = "") -> list[Observation]:
        """What was observed, newest first, of one session, handle or target where one is given."""

    def drop_windows(self, before: float) -> None:
        """Drop windows and observations last touched before then."""
