"""Engines: functions that ask the store, ask a rule and tell the store.

`from clew.engines import recall` names an engine without loading it; the first use of it does. A hook runs on every tool call of every
agent and needs few of them (docs/decisions/0001-light-road.md).
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if not TYPE_CHECKING:

    class _Later:
        """An engine that loads when it is first asked for something."""

        __slots__ = ("_name",)

        def __init__(self, name):
            object.__setattr__(self, "_name", name)

        def __getattr__(self, attribute):
            return getattr(_loaded(self._name), attribute)

        def __setattr__(self, attribute, value):
            setattr(_loaded(self._name), attribute, value)

    def __getattr__(name):
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return _Later(f"{__name__}.{name}")

    def _loaded(name):
        __import__(name)  # waits where another thread is loading it; a module half loaded is in sys.modules too
        return sys.modules[name]
