"""The working set as the package offers it: a surface and a caller of their own see the service, and this is its door to that engine."""

from clew.engines.working_set import WorkingSet

__all__ = ["WorkingSet"]
