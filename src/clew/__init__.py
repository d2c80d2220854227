"""clew: a local-first memory engine for coding agents.

from clew import Clew

with Clew() as clew:
    clew.remember("Use PostgreSQL for the ledger", kind="decision", detail="MongoDB lost writes under load")
    for hit in clew.recall("which database did we pick?"):
        print(hit.memory.id, hit.memory.summary)
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clew.errors import (
        ClewError,
        EmbedderDown,
        EmbedderMismatch,
        InvalidInput,
        MissingExtra,
        NotFound,
        SchemaTooNew,
        StoreBusy,
        StoreDamaged,
        StoreError,
        StoreFull,
        StoreReadOnly,
    )
    from clew.model import (
        Attempt,
        Concern,
        Draft,
        Entity,
        Event,
        Fix,
        Forgotten,
        Hit,
        Link,
        Memory,
        Mentions,
        Pack,
        Pointer,
        Project,
        Remembered,
        Signals,
        Source,
        Strength,
        Trail,
        TrailNode,
        Tried,
        Verdict,
        as_json,
    )
    from clew.service import Clew
    from clew.service.window import WorkingSet

__version__ = "0.1.0"

__all__ = [
    "Attempt",
    "Clew",
    "ClewError",
    "Concern",
    "Draft",
    "EmbedderDown",
    "EmbedderMismatch",
    "Entity",
    "Event",
    "Fix",
    "Forgotten",
    "Hit",
    "InvalidInput",
    "Link",
    "Memory",
    "Mentions",
    "MissingExtra",
    "NotFound",
    "Pack",
    "Pointer",
    "Project",
    "Remembered",
    "SchemaTooNew",
    "Signals",
    "Source",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "Strength",
    "Trail",
    "TrailNode",
    "Tried",
    "Verdict",
    "WorkingSet",
    "as_json",
]

_HOMES = ("model", "errors", "service")  # in this order: what is light loads nothing heavy
_OWN_HOMES = {"WorkingSet": ("service.window",)}  # nothing else needs it


def __getattr__(name: str) -> object:
    """Load a public name where it is first used, so that importing one room of the package does not load all of them."""
    if name in __all__:
        from importlib import import_module

        for home in _OWN_HOMES.get(name, _HOMES):
            module = import_module(f"clew.{home}")
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module 'clew' has no attribute {name!r}")
