"""A test double: words hashed onto dimensions. Knows no meanings; texts are near when they share words."""

from __future__ import annotations

from clew.embed.base import quantised
from clew.ids import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class HashingEmbedder:
    """Deterministic feature hashing of lower-cased words (Weinberger et al. 2009): a dimension and a sign per word."""

    slack = 0

    def __init__(self, dim: int = 256) -> None:
        self.name = f"hashing-{dim}"
        self.dim = dim
        self.fingerprint = blake2b(self.name.encode(), digest_size=8).hexdigest()

    def embed(self, text: str) -> bytes:
        """`dim` int8 values, or `b""` for a text without words."""
        components = [0.0] * self.dim
        for word in text.lower().split():
            hashed = int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
            components[(hashed >> 1) % self.dim] += 1.0 if hashed & 1 else -1.0
        return quantised(components)

    def embed_many(self, texts: Sequence[str]) -> list[bytes]:
        """What `embed` gives for each text."""
        return [self.embed(text) for text in texts]
