"""Which sessions are on guard: a small file beside the store, so that the hook before a tool opens nothing while all goes well.

Derived and disposable: without it nothing is stopped, and the next failing attempt puts its session on guard again.
"""

from __future__ import annotations

import os
import stat

ENDING = ".guard"
LASTS = 3_600.0  # seconds a session stays on guard: after them a failure no longer speaks against trying again (rules/convergence.py)
BYTES = 64 << 10
NAME_CHARS = 200


def put(database: str, session: str, now: float) -> None:
    """Put a session on guard from `now` (UTC seconds) on. Raises OSError. A store in memory has no guard."""
    if database == ":memory:" or not _sound(session):
        return
    kept = {name: at for name, at in _read(database).items() if _lasts(at, now)}
    text = "".join(f"{at:.3f} {name}\n" for name, at in {**kept, session: now}.items())
    half = f"{database}{ENDING}.{os.getpid()}"
    handle = os.open(half, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    try:
        os.write(handle, text.encode()[-BYTES:])
    finally:
        os.close(handle)
    os.replace(half, database + ENDING)


def anybody(database: str, now: float) -> bool:
    """Whether any session may be on guard: there is a plain file, and it was written since the last that it could name lapsed."""
    try:
        found = os.lstat(database + ENDING)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size > 0 and now - found.st_mtime < LASTS


def stands(database: str, session: str, now: float) -> bool:
    """Whether a session is on guard. A file that cannot be read guards nobody."""
    at = _read(database).get(session) if anybody(database, now) else None
    return at is not None and _lasts(at, now)


def _lasts(at: float, now: float) -> bool:
    """Whether a guard put at `at` still stands; one from a clock that went wrong does not stand for ever."""
    return -LASTS < now - at < LASTS


def _read(database: str) -> dict[str, float]:
    """When each session was put on guard; of a file that is damaged what is whole, of one that is none or cannot be read nothing."""
    try:
        if not stat.S_ISREG(os.lstat(database + ENDING).st_mode):
            return {}
        with open(database + ENDING, encoding="utf-8", errors="replace") as file:
            lines = file.read(BYTES).splitlines()
    except OSError:
        return {}
    found = {}
    for line in lines:
        at, _, name = line.partition(" ")
        try:
            found[name] = float(at)
        except ValueError:
            continue
    return found


def _sound(session: str) -> bool:
    return 0 < len(session) <= NAME_CHARS and session.isprintable()
