"""Embedders behind an address: a model that Ollama, or any server with OpenAI's way of embedding, runs on this machine or near it.

What such a model says is brought into the store's form. Its vectors are made unit long; the mean of some everyday texts is taken off,
since most models put all texts into one corner and then call everything alike; the rest is folded to 256 components. Those texts are
the topics of `everyday`, so that a process asks for them once and knows the model, its mean and how near a question is to anything.
"""

from __future__ import annotations

from math import sqrt
from operator import mul
from time import monotonic

from clew.embed.asking import NoAnswer, post
from clew.embed.base import quantised
from clew.embed.everyday import TOPICS, learn
from clew.errors import EmbedderDown, InvalidInput
from clew.ids import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, NamedTuple
else:
    from clew.model import NamedTuple

DIM = 256
BATCH = 64  # texts a request
MOST_CHARS = 2_000  # of a text: the 512 tokens that small models read; some servers refuse what is longer
MOST_DIM = 8_192
LARGEST = 1e6  # magnitude of a component; models stay below a hundred
QUESTION_SECONDS, PROBE_SECONDS, BATCH_SECONDS = 5.0, 20.0, 60.0  # a server may have to load its model for the first one
ALIKE = 0.999  # squared length of the mean of unit vectors from which on a model cannot tell texts apart
REST_SECONDS = 30.0  # a server that failed is left alone so long, so that a hundred verbs do not wait a hundred times
OLLAMA_URL = "http://127.0.0.1:11434"
_SIGNS = b"".join(blake2b(bytes([block])).digest() for block in range(MOST_DIM // 512))


class Server(NamedTuple):
    """Where a model is asked: CLEW_EMBED_URL, CLEW_EMBED_MODEL, and CLEW_EMBED_KEY or ""."""

    url: str
    model: str
    key: str = ""


def _by_ollama(answer: Mapping[str, Any]) -> Any:
    return answer.get("embeddings")


def _by_openai(answer: Mapping[str, Any]) -> Any:
    """The vectors in the order of the texts, which the answer need not have."""
    rows = answer.get("data")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return None
    placed = {row.get("index"): row.get("embedding") for row in rows if type(row.get("index")) is int}
    return [placed.get(at) for at in range(len(rows))]


# setting: (path, which part of the answer holds the vectors, address where none is given)
DIALECTS: Mapping[str, tuple[str, Callable[[Mapping[str, Any]], Any], str]] = {
    "ollama": ("/api/embed", _by_ollama, OLLAMA_URL),
    "openai-compatible": ("/v1/embeddings", _by_openai, ""),
}


class RemoteEmbedder:
    """Embedder over a model server. Opening it asks nothing; the first use sends the everyday topics. Every method raises EmbedderDown.

    `slack`: the same model differs in its last digits from one machine to the next, so up to 8 of the 64 bits of a fingerprint may
    differ; another model differs in about 32.
    """

    dim = DIM
    slack = 8

    def __init__(self, dialect: str, server: Server) -> None:
        path, self._vectors_in, default = DIALECTS[dialect]
        self._url = _address(server.url or default, path)
        self._key = _key(server.key)
        self.name = _model(server.model)
        self._model: _Model | None = None
        self._rests_until = float("-inf")
        self._trouble = ""

    @property
    def fingerprint(self) -> str:
        """16 hex digits: 64 signs of what the model makes of everyday topics, wherever it runs."""
        return self._probed().fingerprint

    def embed(self, text: str) -> bytes:
        """The vector of one question."""
        return self._vectors([text], QUESTION_SECONDS)[0]

    def embed_many(self, texts: Sequence[str]) -> list[bytes]:
        """The vectors of many texts, `BATCH` a request."""
        made: list[bytes] = []
        for at in range(0, len(texts), BATCH):
            made += self._vectors(texts[at : at + BATCH], BATCH_SECONDS)
        return made

    def _vectors(self, texts: Sequence[str], seconds: float) -> list[bytes]:
        model = self._probed()
        said = [at for at, text in enumerate(texts) if text.strip()]
        vectors = [b""] * len(texts)
        for at, row in zip(said, self._asked([texts[at] for at in said], seconds, len(model.mean)) if said else (), strict=True):
            vectors[at] = model.reduced(row)
        return vectors

    def _probed(self) -> _Model:
        if self._model is None:
            first = self._asked(TOPICS[:BATCH], PROBE_SECONDS, None)
            model = _Model(first + self._asked(TOPICS[BATCH:], PROBE_SECONDS, len(first[0])))
            if sum(map(mul, model.mean, model.mean)) > ALIKE or not all(model.topics):
                raise self._down("answered different texts with one vector")
            learn(model.fingerprint, model.topics)
            self._model = model
        return self._model

    def _asked(self, texts: Sequence[str], seconds: float, dim: int | None) -> list[list[float]]:
        """Unit vectors of the texts, asked for twice at most in `seconds`. Raises EmbedderDown."""
        ends = monotonic() + seconds
        if ends - seconds < self._rests_until:
            raise EmbedderDown(self.name, self._trouble)
        message = {"model": self.name, "input": [text[:MOST_CHARS] for text in texts]}
        try:
            try:
                return self._once(message, len(texts), dim, seconds)
            except NoAnswer as first:
                if not first.again or ends <= monotonic():
                    raise
                return self._once(message, len(texts), dim, ends - monotonic())
        except NoAnswer as last:
            raise self._down(str(last)) from last

    def _down(self, problem: str) -> EmbedderDown:
        self._trouble = f"the server at {self._url} {problem}"
        self._rests_until = monotonic() + REST_SECONDS
        return EmbedderDown(self.name, self._trouble)

    def _once(self, message: Mapping[str, Any], count: int, dim: int | None, seconds: float) -> list[list[float]]:
        answer = post(self._url, message, self._key, seconds)
        return checked(self._vectors_in(answer) if isinstance(answer, dict) else None, count, dim)


class _Model:
    """What unit vectors of the everyday topics tell of a model: its mean, its fingerprint, and where a question for anybody lies."""

    def __init__(self, rows: Sequence[Sequence[float]]) -> None:
        self.mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        self.topics = [self.reduced(row) for row in rows]
        values = [value for vector in self.topics for value in memoryview(vector).cast("b").tolist()]
        step = len(values) // 64
        bits = sum(1 << bit for bit in range(64) if sum(values[bit * step : (bit + 1) * step]) > 0)
        self.fingerprint = f"{bits:016x}"

    def reduced(self, row: Sequence[float]) -> bytes:
        """A unit vector in the store's form."""
        return quantised(folded([value - usual for value, usual in zip(row, self.mean, strict=True)]))


def folded(row: Sequence[float]) -> list[float]:
    """Any number of components as 256: up to 256 stay as they are; of more, each gets a fixed random sign and joins the one 256 before.

    A random projection of orthogonal rows: a cosine keeps its mean and strays by √((1 - 256/d) / 256), .04 for 384 and .05 for 1,024.
    """
    if len(row) <= DIM:
        return [*row, *[0.0] * (DIM - len(row))]
    signed = [value if _SIGNS[at >> 3] >> (at & 7) & 1 else -value for at, value in enumerate(row)]
    return [sum(signed[at::DIM]) for at in range(DIM)]


def checked(vectors: Any, count: int, dim: int | None) -> list[list[float]]:
    """`vectors` as `count` unit vectors of `dim` components (any number if None). Raises NoAnswer for everything else."""
    if not isinstance(vectors, list) or not all(isinstance(vector, list) for vector in vectors):
        raise NoAnswer("answered without vectors")
    if len(vectors) != count:
        raise NoAnswer(f"answered {len(vectors)} vectors to {count} texts")
    sizes = {len(vector) for vector in vectors}
    if len(sizes) != 1 or not 1 <= max(sizes) <= MOST_DIM or (dim is not None and sizes != {dim}):
        raise NoAnswer(f"answered vectors of {', '.join(map(str, sorted(sizes)[:4]))} components{f' instead of {dim}' if dim else ''}")
    if not all(type(x) in (float, int) and -LARGEST <= x <= LARGEST for vector in vectors for x in vector):  # so is NaN caught
        raise NoAnswer("answered vectors with something that is no sound number")
    lengths = [sqrt(sum(map(mul, vector, vector))) for vector in vectors]
    if min(lengths) <= 0.0:
        raise NoAnswer("answered a vector of zeros")
    return [[x / length for x in vector] for vector, length in zip(vectors, lengths, strict=True)]


def _address(url: str, path: str) -> str:
    from urllib.parse import urlsplit

    if not url:
        raise InvalidInput("CLEW_EMBED_URL", "is not set; give the address of the model server, like http://127.0.0.1:8080")
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 80) and url.isascii() and url.isprintable()
    except ValueError:
        sound = False
    if not sound or parts.username is not None or parts.query or parts.fragment or " " in url:
        raise InvalidInput("CLEW_EMBED_URL", "must be a plain http or https address, like http://127.0.0.1:8080; a key has CLEW_EMBED_KEY")
    return url.rstrip("/").removesuffix(path).removesuffix("/v1") + path


def _model(name: str) -> str:
    if not name or len(name) > 200 or not name.isprintable():
        raise InvalidInput("CLEW_EMBED_MODEL", "must name the model as its server calls it, in at most 200 characters")
    return name


def _key(key: str) -> str:
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InvalidInput("CLEW_EMBED_KEY", "holds a character that no key has")
    return key
