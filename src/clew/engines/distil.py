"""Prose into memories, by the rules or by a model that the user runs, and the links between them.

A model is asked only where the settings name one. What it is sent is redacted first; whatever goes wrong, the rules answer in its place
and the reason is told.
"""

from __future__ import annotations

from clew.embed.asking import NoAnswer, post
from clew.errors import InvalidInput
from clew.model import Draft, Source
from clew.rules import modelled
from clew.rules.intake import sound
from clew.rules.prose import MOST, Piece, pieces
from clew.rules.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from clew.model import Extractor, Remembered
    from clew.store.base import Store

SECONDS = 120.0  # for one question to a model; a small one on a laptop writes a page in half of that
TRIES = 2
PART_CHARS = 8_000  # of the text in one question: what small models hold, with room for the answer
PARTS = 12  # questions for one text; a longer text is the rules' work


def distilled(text: str, model: Extractor | None) -> tuple[list[Piece], str, str]:
    """(the memories in `text`, who found them, why it was not the model that was to be asked or "").

    Who is "rules" or the model's name. Raises InvalidInput for what is no text.
    """
    plain = redact(sound(text, "text")).text
    if not plain.strip():
        raise InvalidInput("text", "is empty; give the prose that memories are to be found in")
    if model is None:
        return pieces(plain), "rules", ""
    try:
        return _asked(plain, model), model.name, ""
    except (NoAnswer, modelled.Unusable) as trouble:
        told = f"the model {model.name} at {model.url} {trouble}, so the rules read the text instead"
        return pieces(plain), "rules", told


def drafts(found: Sequence[Piece], by: str, tags: Sequence[str], source: Source) -> list[Draft]:
    """The pieces as drafts that say who found them."""
    return [
        Draft(p.summary, p.kind, p.detail, tags, {"extracted_by": by}, source=source)  # type: ignore[arg-type]  # checked() makes tuples
        for p in found
    ]


def link(store: Store, found: Sequence[Piece], kept: Sequence[Remembered], *, origin: str, now: float) -> int:
    """Join each memory with those that are its reasons, in one transaction; how many links are new."""
    edges = [(kept[at].memory.id, kept[cause].memory.id) for at, piece in enumerate(found) for cause in piece.because]
    if not edges:
        return 0
    with store.transaction():
        return sum(store.add_link(a, "because", b, at=now, origin=origin) for a, b in edges if a != b)


def _asked(text: str, model: Extractor) -> list[Piece]:
    parts = list(_parts(text))
    if len(parts) > PARTS:
        raise modelled.Unusable(f"was not asked: {len(text):,} characters are more than {PARTS} questions hold")
    found: dict[str, Piece] = {}
    for part in parts:
        here = _answered(part, model)
        keys = [p.summary.casefold() for p in here]
        places = {key: at for at, key in enumerate(dict.fromkeys((*found, *keys)))}
        for key, piece in zip(keys, here, strict=True):
            found.setdefault(key, piece._replace(because=tuple(places[keys[at]] for at in piece.because if keys[at] != key)))
    return _first(list(found.values()))


def _first(found: Sequence[Piece]) -> list[Piece]:
    """The first MOST pieces, without the reasons that are not among them."""
    return [piece._replace(because=tuple(at for at in piece.because if at < MOST)) for piece in found[:MOST]]


def _answered(text: str, model: Extractor) -> list[Piece]:
    """The pieces of one part of a text, asked for again once. Raises NoAnswer or Unusable."""
    last: Exception | None = None
    for _ in range(TRIES):
        try:
            return modelled.believed(_content(post(model.url, _request(text, model), model.key, SECONDS), model), text)
        except NoAnswer as trouble:
            if not trouble.again:
                raise
            last = trouble
        except modelled.Unusable as trouble:
            last = trouble
    assert last is not None
    raise last


def _request(text: str, model: Extractor) -> dict[str, Any]:
    asked = {"model": model.name, "messages": modelled.messages(text), "stream": False}
    if model.dialect == "ollama":
        return {**asked, "format": "json", "options": {"temperature": 0}}
    return {**asked, "response_format": {"type": "json_object"}, "temperature": 0}


def _content(answer: Any, model: Extractor) -> str:
    """The text of the model's message in an answer of either dialect."""
    if model.dialect != "ollama":
        choices = answer.get("choices") if isinstance(answer, dict) else None
        answer = choices[0] if isinstance(choices, list) and choices else None
    message = answer.get("message") if isinstance(answer, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, str):
        raise modelled.Unusable("answered without a message")
    return content


def _parts(text: str) -> Iterator[str]:
    """The text in parts of at most PART_CHARS, cut between paragraphs where there are any."""
    part = ""
    for paragraph in text.split("\n\n"):
        for start in range(0, max(1, len(paragraph)), PART_CHARS):
            piece = paragraph[start : start + PART_CHARS]
            if part and len(part) + len(piece) + 2 > PART_CHARS:
                yield part
                part = ""
            part = f"{part}\n\n{piece}" if part else piece
    if part.strip():
        yield part
