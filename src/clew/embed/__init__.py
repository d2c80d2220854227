"""Embedders: which one a setting means, and what to say when it cannot be had."""

from __future__ import annotations

import os

from clew.embed.base import Embedder
from clew.embed.hashing import HashingEmbedder
from clew.embed.mapped import DamagedTable
from clew.embed.static import StaticTable
from clew.errors import InvalidInput
from clew.limits import QUALITY as QUALITY
from clew.limits import SERVED as SERVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from clew.embed.pairs import PairReader
else:
    from clew.model import NamedTuple

__all__ = [
    "DEFAULT",
    "QUALITY",
    "SERVED",
    "SETTINGS",
    "SHIPPED_FINGERPRINT",
    "Embedder",
    "HashingEmbedder",
    "Opened",
    "StaticTable",
    "open_embedder",
    "open_judge",
    "open_reader",
]

DEFAULT = "static"
SETTINGS = ("static", "off", QUALITY, *SERVED, "hashing", "hash")
SHIPPED_FINGERPRINT = "0bd85fd044bf3cb9"
_SHIPPED = os.path.join(os.path.dirname(__file__), "table")


class Opened(NamedTuple):
    """The embedder, or None with the reason in `trouble` (empty when it was switched off): search then goes by words alone."""

    embedder: Embedder | None
    trouble: str = ""


def open_embedder(setting: str = DEFAULT, folder: str | None = None, server: tuple[str, str, str] = ("", "", "")) -> Opened:
    """The embedder that CLEW_EMBED means; `folder` is where the shipped table lies if not inside the package, `server` the (address,
    model, key) of the settings in SERVED, which is not asked yet.

    A table that is missing or damaged is no error but a `trouble` of one sentence, since words alone still answer.
    Raises InvalidInput naming CLEW_EMBED for an unknown setting, or the variable of the server that is missing or malformed.
    """
    if setting not in SETTINGS:
        raise InvalidInput("CLEW_EMBED", f"'{setting[:40]}' is not one of {', '.join(SETTINGS)}")
    if setting == "off":
        return Opened(None)
    if setting in ("hashing", "hash"):
        return Opened(HashingEmbedder())
    if setting in SERVED:
        from clew.embed.remote import RemoteEmbedder, Server

        return Opened(RemoteEmbedder(setting, Server(*server)))
    return _open_static(_SHIPPED if folder is None else folder)


def open_reader(embedder: Embedder) -> Embedder:
    """The transformer whose vectors of documents lie in the space of `embedder`, the shipped table.

    Raises MissingExtra without `clew[quality]`, InvalidInput when what is installed is another model.
    """
    from clew.embed.transformer import Transformer

    return Transformer(embedder, _SHIPPED)


def open_judge() -> PairReader:
    """The reader of question and text together.

    Raises MissingExtra without `clew[quality]`, InvalidInput when what is installed is another model.
    """
    from clew.embed.pairs import PairReader

    return PairReader(_SHIPPED)


def _open_static(folder: str) -> Opened:
    try:
        table = StaticTable(folder)
        if table.fingerprint != SHIPPED_FINGERPRINT:
            raise DamagedTable(folder, f"is not the table that was shipped (fingerprint {table.fingerprint}, due {SHIPPED_FINGERPRINT})")
    except DamagedTable as damage:
        return Opened(
            None, f"the built-in embedder is off because {damage}: reinstall clew, or set CLEW_EMBED=off to search by words alone"
        )
    return Opened(table)
