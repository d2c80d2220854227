"""What every embedder promises: a text becomes `dim` signed bytes, the same on every machine."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol
else:
    Protocol = object


class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how near two texts are.

    A vector is `dim` int8 values (two's complement, one byte each), its length is free: compare by cosine. `b""` stands for a text
    that the embedder knows nothing of; it has no vector to compare. `name` and `fingerprint` (16 hex digits) say which embedder made
    a vector: two vectors may be compared when both agree. `slack` is how many bits of a fingerprint may differ all the same: 0 where
    every machine computes the same.
    """

    @property
    def name(self) -> str:
        """What people call the embedder."""

    @property
    def dim(self) -> int:
        """Bytes of a vector."""

    @property
    def fingerprint(self) -> str:
        """16 hex digits."""

    @property
    def slack(self) -> int:
        """Bits, 0 to 64."""

    def embed(self, text: str) -> bytes:
        """The vector of one text. Standard library only: this is the road of a cold process with one question."""

    def embed_many(self, texts: Sequence[str]) -> list[bytes]:
        """The vectors of many texts, in order, bit for bit what `embed` gives for each."""


def made(signature: str, embedder: Embedder) -> bool:
    """Whether vectors signed `name@fingerprint` may be compared with those of `embedder`."""
    name, _, fingerprint = signature.rpartition("@")
    if name != embedder.name or len(fingerprint) != len(embedder.fingerprint):
        return False
    return (int(fingerprint, 16) ^ int(embedder.fingerprint, 16)).bit_count() <= embedder.slack


def quantised(components: Sequence[float]) -> bytes:
    """`components` as int8, the largest magnitude at 127, halves to the even side; `b""` when all are zero.

    Every step is one correctly rounded IEEE operation, so that Python and numpy agree to the bit.
    """
    peak = max(max(components), -min(components))
    if not peak:
        return b""
    factor = 127.0 / peak
    return bytes([round(value * factor) & 0xFF for value in components])
