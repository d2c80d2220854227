"""`clew hook CLIENT EVENT`: the front door. Standard library only until the store is needed, exit 0 always, silence on any trouble."""

from __future__ import annotations

import json
import os
import sys
import time
from _thread import start_new_thread

from clew.errors import ClewError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

STDIN_BYTES = 32 << 20
LOCK_MS = 120  # how long a hook waits for the store's write lock
ENOUGH_SECONDS = 2.0  # whatever hangs, the agent goes on after this
WRITING = ("session_start", "turn_end", "session_end")  # events that take in the spool; all others only read and append


def main(argv: Sequence[str]) -> int:
    """Answer one event: `argv` is [client, event], the payload comes on standard input, the reply goes out as one JSON object."""
    start_new_thread(_give_up, (ENOUGH_SECONDS,))
    answer = None
    try:
        answer = _answer(argv, os.environ)
    except Exception as error:  # the one broad except of the package: nothing that goes wrong here may reach the agent
        _note(error)
    if answer is not None:
        sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    return 0


def _answer(argv: Sequence[str], env: Mapping[str, str]) -> dict[str, Any] | None:
    if len(argv) < 2 or env.get("CLEW_HOOKS", "").strip().lower() == "off":
        return None
    client, name = argv[0], argv[1]
    from clew.hooks import dialects

    payload = json.loads(_stdin() or b"{}")
    if not isinstance(payload, dict) or dialects.caller(client, payload, env) != client:
        return None
    event = dialects.event_of(client, name, payload)
    if event is None or not event.session:
        return None
    from clew.service import Clew

    read_only = event.kind not in WRITING
    with Clew(root=event.cwd or None, origin=event.client, long_lived=False, read_only=read_only, busy_ms=LOCK_MS) as clew:
        return dialects.reply(client, name, clew.capture(event))


def _stdin() -> bytes:
    parts, size = [], 0
    while size < STDIN_BYTES and (part := os.read(0, 1 << 20)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _give_up(seconds: float) -> None:
    """End the process in silence: an answer is written in one piece at the very end, so none is cut."""
    time.sleep(seconds)
    os._exit(0)


def _note(error: BaseException) -> None:
    """Leave the trouble in the spool, where the next writer, `clew status` and the next pack find it; if even that fails, nothing."""
    try:
        from clew.service import note_trouble

        note_trouble(f"a hook failed: {type(error).__name__}: {error}"[:500], os.environ)
    except (OSError, ValueError, ImportError, ClewError):
        pass
