"""One fragment of a request: what became of it, why, and what of it stands in the content."""

from __future__ import annotations

from clew.compiler.pipeline import compile_request
from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from clew.compiler.values import Counter, Decision, Request
else:
    from clew.model import NamedTuple


class Explained(NamedTuple):
    """The decision about a fragment, what of it is emitted ("" for nothing), and the risk and warnings of the whole."""

    decision: Decision
    emitted: str
    risk: str
    warnings: tuple[str, ...]


def explain(request: Request, counter: Counter, *, fragment_id: int | str | None = None, fragment_index: int | None = None) -> Explained:
    """What `compile_request` does with one fragment, named by its id or its place. Raises InvalidInput unless one alone is given."""
    index = _index(request, fragment_id, fragment_index)
    compiled = compile_request(request, counter)
    emitted = "".join(compiled.content[s.start : s.end] for s in compiled.sections if s.fragment == index)
    return Explained(compiled.decisions[index], emitted, compiled.risk, compiled.warnings)


def _index(request: Request, fragment_id: int | str | None, fragment_index: int | None) -> int:
    if (fragment_id is None) == (fragment_index is None):
        raise InvalidInput("fragment_id", "give either fragment_id or fragment_index, not both")
    count = len(request.fragments)
    if fragment_index is not None:
        if not isinstance(fragment_index, int) or isinstance(fragment_index, bool) or not 0 <= fragment_index < count:
            raise InvalidInput("fragment_index", f"must be within 0..{count - 1}" if count else "the request has no fragments")
        return fragment_index
    asked = str(fragment_id).strip()
    found = [f.place for f in request.fragments if f.id is not None and str(f.id) == (asked.lstrip("0") or "0")]
    if len(found) != 1:
        why = "more than one fragment has it" if found else "no fragment has it"
        raise InvalidInput("fragment_id", f"'{asked[:40]}': {why}; fragment_index names one by its place, from 0")
    return found[0]
