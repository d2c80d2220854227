"""Files that commands write: whole or not at all, for the owner's eyes alone."""

from __future__ import annotations

import os
from contextlib import contextmanager

from clew.errors import unwritable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


@contextmanager
def whole_file(path: str, field: str) -> Iterator[BinaryIO]:
    """A file to write bytes to, which is at `path` once the block ends well; until then what was there stays.

    It has a temporary name first, so that no half of it is ever seen; what is no plain file, as a device, is written to itself. Raises what
    `unwritable` makes of the system's refusal, and what the block raises.
    """
    plain = os.path.isfile(path) or not os.path.lexists(path)
    half = path + ".part" if plain else path
    try:
        with open(os.open(half, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as stream:
            yield stream
        if plain:
            os.replace(half, path)
    except OSError as error:
        raise unwritable(field, f"'{path}' cannot be written: {error.strerror}", error) from error
    finally:
        if plain and os.path.exists(half):
            os.remove(half)
