"""The pieces of every fragment, and the order in which they are packed.

critical, priority, what bears on the query per token, input order. "Critical" are the pieces of critical fragments and the failures,
summaries and warnings of a log. What bears on the query is its relevance, and a little for what a piece carries, so that of two pieces
that say nothing about the query the one with a prohibition or a value in it goes first. Without a query what a piece carries decides.
"""

from __future__ import annotations

from clew.compiler.classify import digits, exact, fenced, linked
from clew.compiler.forbids import prohibitions
from clew.compiler.logs import collapse
from clew.compiler.pieces import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NamedTuple

    from clew.compiler.logs import Collapsed
    from clew.compiler.score import Scale
    from clew.compiler.values import Policy
    from clew.compiler.work import Work
else:
    from clew.model import NamedTuple

# What a piece is, by what it carries.
GRAVE = 0  # a prohibition; a failure of a log
TELLING = 1  # code, values, URLs; a summary or warning of a log
REST = 2  # whatever else is in a critical fragment
PLAIN = 3  # of no critical fragment; the plain course of a log
LIFT = (0.5, 0.2, 0.0, 0.0)  # added to the relevance
FLOOR = 0.1  # added to any relevance before it is divided by tokens: among pieces that say nothing about the query the shorter goes first
APART = 64  # tokens, some lines', that any piece is taken to cost besides its own: the marker before it, and the way into it
LOG_PIECE = 512  # characters: logs are taken in small portions
CODE_KINDS = ("code", "json", "diff", "log")


class Unit(NamedTuple):
    """One piece that may be emitted: `key` sorts, `size` is what it is expected to count in tokens."""

    key: tuple[float, ...]
    work: Work
    number: int
    size: float


def divide(work: Work, policy: Policy) -> None:
    """Fill in the pieces of a work: spans of its text, each with what it carries."""
    tests = _tests(work)
    if work.atomic or not work.text:
        work.pieces = ((0, len(work.text), _carries(work, work.text, tests)),)
        return
    printed = _printed(work)
    if printed is not None:
        rest = REST if work.critical else PLAIN
        work.pieces = tuple(_log_pieces(work.text, printed.important, policy, rest))
        work.loud = True
    else:
        spans = cut(work.text, policy.chunk, code=work.fragment.kind in CODE_KINDS)
        work.pieces = tuple((start, end, _carries(work, work.text[start:end], tests)) for start, end in spans)


def _printed(work: Work) -> Collapsed | None:
    """Where the failures are in what a machine printed: a log, or the output of a tool that is no file; None for anything else."""
    if work.form == "collapsed":
        return work.collapsed
    fragment = work.fragment
    if fragment.kind not in ("log", "tool_result") or fragment.path is not None or fenced(fragment.content):
        return None
    found = work.collapsed or collapse(fragment.content, normalise=False)
    return found if found.text == work.text and found.important else None


def _tests(work: Work) -> tuple[Callable[[str], bool] | None, list[Callable[[str], bool]]]:
    """The test for a prohibition, and those that find something else in the whole fragment; no other need be tried on its pieces."""
    if not work.critical:
        return None, []
    single = digits if work.rule.id == "preserve.exact_values" else exact
    return prohibitions(work.text), [test for test in (fenced, linked, single) if test(work.text)]


def _carries(work: Work, piece: str, tests: tuple[Callable[[str], bool] | None, list[Callable[[str], bool]]]) -> int:
    if not work.critical:
        return PLAIN
    prohibits, others = tests
    if prohibits is not None and prohibits(piece):
        return GRAVE
    return TELLING if work.fragment.kind == "code" or any(test(piece) for test in others) else REST


def _log_pieces(text: str, important: Sequence[tuple[int, int, int]], policy: Policy, rest: int) -> list[tuple[int, int, int]]:
    """The important runs, and what lies between them, in portions of whole lines."""
    found: list[tuple[int, int, int]] = []
    at = 0
    most = min(LOG_PIECE, policy.chunk.max_bytes)
    for start, end, rank in (*important, (len(text), len(text), rest)):
        for carried, a, b in ((rest, at, start), (rank, start, end)):
            found += [(a + one, a + two, carried) for one, two in _portions(text[a:b], most)]
        at = end
    return found


def _portions(text: str, most: int) -> list[tuple[int, int]]:
    """Whole lines together up to `most` characters; a longer line is a portion by itself."""
    found: list[tuple[int, int]] = []
    start = at = 0
    for line in text.splitlines(keepends=True) if text else ():
        if at > start and at + len(line) - start > most:
            found.append((start, at))
            start = at
        at += len(line)
    return [*found, (start, at)] if at > start else found


def units(works: list[Work], scale: Scale) -> list[Unit]:
    """Every piece of every work, best first."""
    asked = any(work.blend for work in works)
    found = []
    for work in works:
        per_char = (work.tokens - work.image_tokens) / max(1, len(work.text))
        lift = work.blend - work.relevance
        for number, (start, end, carried) in enumerate(work.pieces):
            size = max(1.0, per_char * (end - start)) + work.image_tokens
            relevance = work.relevance if len(work.pieces) == 1 else scale.of(work.text[start:end], work.held)
            if work.loud and carried == GRAVE:
                relevance = 1.0  # a failure bears on whatever is asked
            worth = (max(0.0, relevance + lift) + LIFT[carried] + FLOOR) / (size + APART) if asked else 0.0
            routine = work.loud and carried == PLAIN  # behind everything else of its priority
            key = (carried == PLAIN, -work.priority, routine, work.order, 0 if asked else carried, -worth, work.index, number)
            found.append(Unit(key, work, number, size))
    return sorted(found, key=lambda unit: unit.key)
