"""The verb that finds memories in prose."""

from __future__ import annotations

from clew.config import extractor
from clew.model import Source
from clew.service.remembering import Remembering

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.model import Remembered


class Distilling(Remembering):
    """remember_extracted."""

    _fell_back = ""

    def remember_extracted(
        self, text: str, *, project: str | None = None, tags: Sequence[str] = (), source: Source | None = None
    ) -> list[Remembered]:
        """Find the decisions, preferences, procedures and facts that prose states, keep each, and link each to its reasons.

        By rules, or by the model that CLEW_EXTRACTOR names; where that gives nothing usable the rules answer and `notes` says so.
        `metadata.extracted_by` of each memory tells which. An empty list when the text holds none. Raises as `remember` does.
        """
        from clew.engines import distil  # no hook needs it

        model = extractor(self._env)
        found, by, self._fell_back = distil.distilled(text, model)
        kept = self.remember_many(distil.drafts(found, by, tags, source or Source()), project=project)
        distil.link(self._store, found, kept, origin=self._origin, now=self._clock())
        return kept

    def _health(self) -> Sequence[str]:
        return [*super()._health(), *([self._fell_back] if self._fell_back else [])]
