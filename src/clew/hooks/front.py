"""`clew hook CLIENT EVENT`: the front door. Standard library only until the store is needed, exit 0 always, silence on any trouble."""

from __future__ import annotations

import gc
import os
import sys
import time
from _thread import allocate_lock, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from clew.model import Event
    from clew.service import Agents

STDIN_BYTES = 32 << 20
LOCK_MS = 100  # how long a hook waits for the store's write lock
ENOUGH_SECONDS = 1.0  # whatever hangs, the agent goes on after this; the shortest limit of a client is 1.5 s
WRITING = ("session_start", "compact", "turn_end", "session_end")  # events that take in the spool; all others only read and append
MARK_SECONDS = 0.05  # that the mark of a cut may take: the disk may be what hangs
USAGE = """\
usage: clew hook CLIENT EVENT

Answer one event of an agent program: its payload on standard input, the reply on standard output. `clew setup` installs it
(docs/hooks.md). CLEW_HOOKS=off switches every hook off.
"""

_door = allocate_lock()  # held by whoever speaks last: the answer, or the clock that runs out
_parting: list[Callable[[], None]] = []  # what the clock does before it cuts, as soon as it is known where


def main(argv: Sequence[str]) -> int:
    """Answer one event: `argv` is [client, event], the payload comes on standard input, the reply goes out as one JSON object."""
    if argv and argv[0] in ("-h", "--help"):
        sys.stdout.write(USAGE)
        sys.stdout.flush()
        return 0
    gc.disable()  # a hook is over before anything it lets go of would be missed; looking for it costs a tenth of what it does
    start_new_thread(_give_up, (ENOUGH_SECONDS,))
    try:
        _hear(argv, os.environ)
    except BaseException as error:  # the one broad except of the package: nothing that goes wrong here may reach the agent
        _note(error)
    return 0


def _hear(argv: Sequence[str], env: Mapping[str, str]) -> None:
    if len(argv) < 2 or env.get("CLEW_HOOKS", "").strip().lower() == "off":
        return
    client, name = argv[0], argv[1]
    from clew.hooks import dialects

    kind = dialects.EVENTS.get(client, {}).get(name)
    if kind is None or (kind == "before_tool" and not _anybody_on_guard(env)):
        return  # mostly here: what a client says before a tool is then not even read
    _parting[:] = [_cut_off(name, env)]
    import json

    told = _stdin()
    if len(told) >= STDIN_BYTES:
        raise ValueError(f"what {name} told, {STDIN_BYTES:,} bytes and more, was passed over")
    payload = json.loads(told or b"{}")
    if not isinstance(payload, dict) or dialects.caller(client, payload, env) != client:
        return
    event = dialects.event_of(client, name, payload, env)
    if event is None or not event.session:
        return
    if event.kind == "before_tool" and not _on_guard(event, env):
        return
    with _opened(event) as clew:
        answer = dialects.reply(client, name, clew.capture(event), payload)
        if answer is not None:
            _say(answer)
        if event.kind in WRITING:
            _take_in(clew)


def _anybody_on_guard(env: Mapping[str, str]) -> bool:
    from clew.service import anybody_on_guard

    return anybody_on_guard(env)


def _on_guard(event: Event, env: Mapping[str, str]) -> bool:
    from clew.service import on_guard

    return on_guard(event.session, env)


def _cut_off(name: str, env: Mapping[str, str]) -> Callable[[], None]:
    from clew.service import cut_off

    return cut_off(name, env)


def _opened(event: Event) -> Agents:
    """The store, for reading alone where the event wants no more; one that an older clew left must first be brought up to date."""
    from clew.errors import StoreBusy, StoreReadOnly
    from clew.service import Agents, too_long

    def opened(read_only: bool) -> Agents:
        return Agents(root=event.cwd or None, origin=event.client, long_lived=False, read_only=read_only, busy_ms=LOCK_MS)

    keeps = event.kind in WRITING or too_long(event, os.environ)
    try:
        return opened(read_only=not keeps)
    except StoreReadOnly:
        return opened(read_only=False)
    except StoreBusy:
        if event.kind in WRITING:
            raise
        return opened(read_only=True)


def _take_in(clew: Agents) -> None:
    """Bring the spool into the store; when another process holds either, or nobody can write, the lines wait for the next event."""
    from clew.errors import StoreBusy, StoreReadOnly

    try:
        clew.take_in()
    except (StoreBusy, StoreReadOnly, BlockingIOError):
        pass


def _say(answer: Mapping[str, Any]) -> None:
    """The whole answer in one piece; from its first byte on the clock cannot cut it."""
    import json

    data = json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")
    _door.acquire()
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        pass  # nobody listens any more
    finally:
        _door.release()


def _stdin() -> bytes:
    parts, size = [], 0
    while size < STDIN_BYTES and (part := os.read(0, 1 << 20)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _give_up(seconds: float) -> None:
    time.sleep(seconds)
    _door.acquire()
    try:
        marked = allocate_lock()
        marked.acquire()
        start_new_thread(_mark, (marked,))
        marked.acquire(timeout=MARK_SECONDS)
    finally:
        os._exit(0)


def _mark(done: LockType) -> None:
    """Leave the mark of a cut, on a thread that nobody has to wait for. Nothing here imports, waits for a lock or raises."""
    for leave in _parting:
        leave()
    done.release()


def _note(error: BaseException) -> None:
    """Leave the trouble in the spool, where the next writer, `clew status` and the next pack find it; if even that fails, nothing.

    That the spool itself is held is not waited for again: packs and `clew status` see it while it lasts.
    """
    if isinstance(error, BlockingIOError) and error.filename:
        return
    try:
        from clew.service import note_trouble

        note_trouble(f"a hook failed: {type(error).__name__}: {error}"[:500], os.environ)
    except BaseException:
        return
