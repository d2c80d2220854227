"""What a file held at some moment, as a hash: of what a tool read or wrote, and of the code that a memory points at."""

from __future__ import annotations

import os
from stat import S_ISREG

from clew.ids import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.model import Pointer

FILE_BYTES = 4 << 20  # a larger file is known by its size and time, not by its content
_DIGITS = 16


def file_hash(path: str) -> str:
    """The hash of a file as it is now; "" where there is none to read. A very large one is told by size and time."""
    try:
        found = os.stat(path)
        if not S_ISREG(found.st_mode):  # a pipe would be waited for, a device never ends
            return ""
        if found.st_size > FILE_BYTES:
            return f"{found.st_size}:{found.st_mtime_ns}"
        with open(path, "rb") as file:
            return blake2b(file.read(), digest_size=_DIGITS // 2).hexdigest()
    except (OSError, ValueError):
        return ""


def hashed(pointers: Sequence[Pointer], root: str, *, anew: bool = False) -> tuple[Pointer, ...]:
    """Pointers with the hashes of their files as they are now; one that has a hash keeps it, unless it is ours and taken `anew`."""
    return tuple(p._replace(hash=_now(p, root) or p.hash) if not p.hash or (anew and ours(p.hash)) else p for p in pointers)


def _now(pointer: Pointer, root: str) -> str | None:
    found = file_hash(os.path.join(root, pointer.path)) if root else ""
    return found if ours(found) else None


def ours(content: str | None) -> bool:
    """Whether a hash is of a file's content, by us: one that somebody else gave, and a large file's, are not to be compared."""
    return content is not None and len(content) == _DIGITS and not content.strip("0123456789abcdef")
