"""The service: Clew owns the store, the embedder and the clock, and nobody else reads the clock. It loads when it is asked for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clew.model import Event
    from clew.service.agents import Agents
    from clew.service.whole import Clew

__all__ = ["Agents", "Clew", "anybody_on_guard", "cut_off", "ignored", "note_trouble", "on_guard", "too_long"]


def __getattr__(name: str) -> object:
    """Load `Clew`, or `Agents`, the verbs of it that hooks have, where it is first used: the hook before a tool mostly ends without."""
    if name == "Agents":
        from clew.service.agents import Agents

        return Agents
    if name != "Clew":
        raise AttributeError(f"module 'clew.service' has no attribute {name!r}")
    from clew.service.whole import Clew

    return Clew


def anybody_on_guard(env: Mapping[str, str]) -> bool:
    """Whether anything may be stopped in any session: while there is no sign of it, a hook before a tool does nothing at all.

    Raises InvalidInput where no store can be.
    """
    import time

    from clew.config import database
    from clew.store import guard

    return guard.anybody(database(None, env), time.time())


def on_guard(session: str, env: Mapping[str, str]) -> bool:
    """Whether anything may be stopped in a session: while all goes well, the store is not even opened before a tool."""
    import time

    from clew.config import database
    from clew.store import guard

    return guard.stands(database(None, env), session, time.time())


def too_long(event: Event, env: Mapping[str, str]) -> bool:
    """Whether a command printed so much that it may be compiled, its original kept: CLEW_COMPILE_OUTPUT says how much is too much.

    A setting that is none makes nothing too long here; it is told of when the output is looked at.
    """
    if not event.output:
        return False
    from clew.config import compile_output
    from clew.errors import InvalidInput

    try:
        most = compile_output(env)
    except InvalidInput:
        return False
    return most > 0 and (bool(event.whole) or len(event.output) > most)


def note_trouble(text: str, env: Mapping[str, str]) -> None:
    """Leave a hook's trouble in the spool, for `clew status` and the next opening pack. Raises OSError, ValueError, ClewError."""
    import time

    from clew.config import database
    from clew.engines import lines
    from clew.store.spool import Spool

    Spool(database(None, env)).append(lines.trouble_line(text, time.time()))


def cut_off(name: str, env: Mapping[str, str]) -> Callable[[], None]:
    """What to call when a hook on the event `name` runs out of time: it leaves a mark for `clew status` and the next opening pack, and
    neither waits, nor imports, nor raises. Raises InvalidInput where no store can be."""
    from clew.config import database
    from clew.store.spool import Spool

    return Spool(database(None, env)).marker(name)


def ignored(folder: str) -> Callable[[str], bool]:
    """A function that says whether the .clewignore in a folder takes a file out, given its path from there (gitignore(5))."""
    from clew.config import ignore_lines
    from clew.rules import ignore

    return ignore.ignored(ignore_lines(folder))
