"""The table's files: checked in a millisecond, mapped, never read whole."""

from __future__ import annotations

import json
import os
from mmap import ACCESS_READ, mmap
from struct import unpack

from clew.ids import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

META = "meta.json"
VOCABULARY = "vocab.bin"
OFFSETS = "vocab.off"
VECTORS = "vectors.i4"
SCALES = "scale.f32"
_END_BYTES = 4096
_META = {"dim": range(2, 4097, 2), "count": range(1, 1 << 24), "bits": (4,)}  # what this reader understands


class DamagedTable(Exception):
    """A file of the table is missing or cannot be what was shipped. Stays inside `clew.embed`: `open_embedder` words it for the user."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path} {problem}")


class Mapped(NamedTuple):
    """The open table. Rows are in the order of the `entries` words and word pieces, which are sorted by bytes.

    `vocabulary`: entries in UTF-8, a newline after each. `offsets`: entries + 1 little-endian uint32 into it. `vectors`: dim / 2 bytes
    a row, low nibble = component i, high nibble = component i + dim / 2, each plus 8. `scales`: a little-endian float32 per row.
    """

    dim: int
    entries: int
    vocabulary: mmap
    offsets: mmap
    vectors: mmap
    scales: mmap
    fingerprint: str


def open_table(folder: str) -> Mapped:
    """Map the table in `folder`. Raises DamagedTable when a file is missing or its size disagrees with what meta.json says."""
    meta = _read(os.path.join(folder, META))
    dim, count = _shape(os.path.join(folder, META), meta)
    offsets = _map(folder, OFFSETS, 4 * (count + 1))
    vectors = _map(folder, VECTORS, count * dim // 2)
    scales = _map(folder, SCALES, 4 * count)
    first, second = unpack("<2I", offsets[:8])
    before, last = unpack("<2I", offsets[-8:])
    if first or not second or before >= last:
        raise DamagedTable(os.path.join(folder, OFFSETS), "does not rise from 0 to the vocabulary's end")
    vocabulary = _map(folder, VOCABULARY, last)
    parts: dict[str, bytes | mmap] = {META: meta, VOCABULARY: vocabulary, OFFSETS: offsets, VECTORS: vectors, SCALES: scales}
    return Mapped(dim, count, vocabulary, offsets, vectors, scales, _fingerprint(parts))


def _fingerprint(parts: Mapping[str, bytes | mmap]) -> str:
    """16 hex digits of blake2b over each file's name, size and first and last 4 KiB.

    The ends stand for the whole because hashing 8.7 MB would cost every cold process 10 ms; damage in the middle of a file that leaves
    its size alone is not seen.
    """
    digest = blake2b(digest_size=8)
    for name, content in parts.items():
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content[:_END_BYTES])
        digest.update(content[-_END_BYTES:])
    return digest.hexdigest()


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise DamagedTable(path, f"cannot be read ({error.strerror})") from error


def _shape(path: str, content: bytes) -> tuple[int, int]:
    """(dim, count) of a meta.json's content."""
    try:
        meta = json.loads(content)
    except ValueError as error:
        raise DamagedTable(path, "is not JSON") from error
    for key, allowed in _META.items():
        value = meta.get(key) if isinstance(meta, dict) else None
        if type(value) is not int or value not in allowed:
            raise DamagedTable(path, f"has no usable '{key}'")
    return meta["dim"], meta["count"]


def _map(folder: str, name: str, size: int) -> mmap:
    path = os.path.join(folder, name)
    try:
        with open(path, "rb") as file:
            found = os.fstat(file.fileno()).st_size
            if found != size or not size:
                raise DamagedTable(path, f"has {found:,} bytes where {size:,} are due")
            return mmap(file.fileno(), size, access=ACCESS_READ)
    except OSError as error:
        raise DamagedTable(path, f"cannot be read ({error.strerror})") from error
