"""The way back: what left a window, or was seen in any session, by its handle, its file, its query, or a memory's number."""

from __future__ import annotations

import os

from clew.engines import capture, windows
from clew.engines.hashes import file_hash
from clew.engines.lifecycle import find
from clew.engines.observing import HANDLE
from clew.errors import InvalidInput, NotFound
from clew.rules import working_set as rules
from clew.rules.masks import project_relative
from clew.rules.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from clew.store.base import Store
    from clew.store.work import Observation
else:
    from clew.model import NamedTuple

TEXT_BYTES = 1 << 20  # of a file that is restored


class Restored(NamedTuple):
    """What came back: `kind` file, search, command, call or memory; its text now; whether a file changed since it was read, or a memory is
    stale; when it was seen or written.

    `whole` is False where only both ends were kept, or the file is longer than is handed out.
    """

    handle: str
    kind: str
    target: str
    text: str
    changed: bool = False
    whole: bool = True
    at: float = 0.0


def restored(store: Store, scope: Sequence[int], what: str, *, session: str, root: str) -> Restored:
    """What goes by a handle, a file, a query or content, of this session first, or by a memory's number ("m:12").

    Raises InvalidInput for a number that is none, NotFound, naming what is another project's.
    """
    if what.strip().startswith(windows.MEMORY):
        return _memory(store, what.strip())
    seen = _seen(store, scope, what, session=session, root=root)
    if seen is None:
        raise NotFound(_missing(store, what))
    if seen.kind != "file":
        return Restored(seen.handle, seen.kind, seen.target, seen.text or seen.gist, whole=not _is_cut(seen), at=seen.at)
    path = os.path.join(root, seen.target)
    text, whole = _read(path)
    if text is None:
        raise NotFound(f"{seen.target} was read, but is not there any more; what is known of it: {seen.gist or 'nothing'}")
    return Restored(seen.handle, "file", seen.target, text, bool(seen.hash) and file_hash(path) != seen.hash, whole, seen.at)


def asked(store: Store, scope: Sequence[int], session: str, found: Restored, now: float) -> None:
    """What was asked for was of use, and a session's window has it again; had it left, that was a miss. One that knows it no more stays
    as it is. One transaction."""
    with store.transaction():
        if found.kind == "memory":
            capture.mark_used(store, [int(found.handle.removeprefix(windows.MEMORY))], now)
        window = windows.of(store, session) if scope and session else None
        if window is not None and (found.handle in window.residents or found.handle in window.stubs):
            windows.keep(store, scope[0], session, rules.ask(window, found.handle, now)[0], now)


def _memory(store: Store, handle: str) -> Restored:
    number = handle.removeprefix(windows.MEMORY)
    if not number.isdecimal():
        raise InvalidInput("what", f"'{handle[:40]}' is no memory's number; it looks like {windows.MEMORY}12")
    memory = find(store, number)
    text = f"{memory.summary}\n{memory.detail}".rstrip()
    return Restored(f"{windows.MEMORY}{memory.id}", "memory", memory.summary, text, memory.stale, True, memory.recorded_at)


def _seen(store: Store, scope: Sequence[int], what: str, *, session: str, root: str) -> Observation | None:
    text = what.strip()
    names = dict.fromkeys((text, project_relative(text, root), " ".join(text.split())))
    ways = [{"handle": text}, *({"target": name} for name in names if name)]
    for here in ({"session": session}, {}) if session else ({},):
        for way in ways:
            if found := store.observations(scope, limit=1, **here, **way):
                return found[0]
    return None


def _missing(store: Store, what: str) -> str:
    everywhere = [project.id for project in store.projects()]
    if what.strip().startswith(HANDLE) and store.observations(everywhere, limit=1, handle=what.strip()):
        return f"{what.strip()[:60]} was seen in another project; ask there, or name it with --project"
    return f"nothing was seen here by '{what.strip()[:60]}': give a handle from a pack ({HANDLE}3f9a0c1d), a file, a command, or m:12"


def _read(path: str) -> tuple[str | None, bool]:
    """(the text of a file without its secrets, whether that is all of it); None for one that is not there."""
    try:
        with open(path, "rb") as file:
            content = file.read(TEXT_BYTES + 1)
    except (OSError, ValueError):
        return None, False
    return redact(content[:TEXT_BYTES].decode("utf-8", "replace")).text, len(content) <= TEXT_BYTES


def _is_cut(seen: Observation) -> bool:
    return " characters left out) …" in seen.text or not seen.text
