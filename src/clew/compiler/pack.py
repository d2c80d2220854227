"""Which pieces are emitted when not all of them fit.

Order: what carries the critical part of a critical fragment and the failures of a log, then the rest of what is critical, then the rest;
inside that by priority, relevance per token, input order. The cache section is packed first and by itself: whole fragments in input
order, those that fit the budget, so that it never depends on anything else. Every choice is checked by counting the content it makes.
"""

from __future__ import annotations

from clew.compiler.assemble import Assembled, assemble
from clew.compiler.classify import digits, exact, fenced, linked
from clew.compiler.forbids import forbids
from clew.compiler.pieces import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NamedTuple

    from clew.compiler.score import Scale
    from clew.compiler.values import Counter, Policy
    from clew.compiler.work import Work
else:
    from clew.model import NamedTuple

FLOOR = 0.1  # added to a relevance before it is divided by tokens: of two pieces that say nothing about the query the shorter goes first
SLACK = 0.9  # of the sum of the parts, tried against the budget as a whole: together they may count less than apart
LOG_PIECE = 512  # characters: logs are taken in small portions
MARKER = 24  # tokens of the line that says what is missing
SEPARATOR = 2  # at most, between two fragments
LEAST_FILL = 4, 0.03  # tokens left over, and their share of the budget, that are worth another look
LARGE = 500  # tokens of a budget from which expectation is more than a guess
AIM = 0.98  # of the budget is filled by expectation, which may fall short
EXTRA = 1.1  # times what was too much is given back
CODE_KINDS = ("code", "json", "diff", "log")


class Unit(NamedTuple):
    """One piece that may be emitted: `key` sorts, `size` is an estimate in tokens."""

    key: tuple[float, ...]
    work: Work
    number: int
    size: float


def pack(works: list[Work], scale: Scale, available: int, *, policy: Policy, counter: Counter, reranked: bool) -> Assembled:
    """Choose, and give the content of the choice: at most `available` tokens with its images."""
    _cache(works, available, counter)
    body = [work for work in works if not work.cached and not work.dropped]
    for work in body:
        work.chosen = {0}
    if sum(work.tokens for work in works if work.chosen) * SLACK <= available:
        done = counted(works, counter)
        if done.tokens <= available:
            return done
    for work in body:
        work.chosen = set()
        _divide(work, policy)
    return _Filling(works, available, counter).fill(_units(body, scale, reranked))


def counted(works: Sequence[Work], counter: Counter) -> Assembled:
    """The content of what is chosen, with its tokens and those of the images beside it."""
    done = assemble(works)
    return done._replace(tokens=counter.count(done.content) + sum(work.image_tokens for work in works if work.chosen))


def _cache(works: list[Work], available: int, counter: Counter) -> None:
    """The cache section: in input order whatever fits, given back from the end while the section as a whole counts more than its parts."""
    cached = [work for work in works if work.cached and not work.dropped]
    spent = 0
    for work in cached:
        between = SEPARATOR if spent else 0
        if spent + between + work.tokens <= available:
            work.chosen = {0}
            spent += between + work.tokens
    chosen = [work for work in cached if work.chosen]
    while chosen and counted(chosen, counter).tokens > available:
        chosen.pop().chosen = set()


def _divide(work: Work, policy: Policy) -> None:
    """Fill in the pieces of a work and their tiers: 0 goes first, 1 before all that is not critical, 2 last."""
    if work.atomic or not work.text:
        work.pieces = ((0, len(work.text), 0 if work.critical else 2),)
    elif work.form == "collapsed" and work.collapsed is not None:
        work.pieces = tuple(_log_pieces(work.text, work.collapsed.important, policy))
    else:
        spans = cut(work.text, policy.chunk, code=work.fragment.kind in CODE_KINDS)
        carried = _carried(work)
        work.pieces = tuple((start, end, _tier(work, work.text[start:end], carried)) for start, end in spans)


def _carried(work: Work) -> list[Callable[[str], bool]]:
    """Which tests find in the whole fragment what a piece may carry; the others need not be tried on its pieces."""
    if not work.critical:
        return []
    single = digits if work.rule.id == "preserve.exact_values" else exact
    return [test for test in (fenced, forbids, linked, single) if test(work.text)]


def _tier(work: Work, piece: str, carried: list[Callable[[str], bool]]) -> int:
    if not work.critical:
        return 2
    return 0 if work.fragment.kind == "code" or any(test(piece) for test in carried) else 1


def _log_pieces(text: str, important: Sequence[tuple[int, int, int]], policy: Policy) -> list[tuple[int, int, int]]:
    """The important runs with their ranks as tiers, and what lies between them, in portions of whole lines."""
    found: list[tuple[int, int, int]] = []
    at = 0
    most = min(LOG_PIECE, policy.chunk.max_bytes)
    for start, end, rank in (*important, (len(text), len(text), 2)):
        for tier, a, b in ((2, at, start), (rank, start, end)):
            found += [(a + one, a + two, tier) for one, two in _portions(text[a:b], most)]
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


def _units(works: list[Work], scale: Scale, reranked: bool) -> list[Unit]:
    """Every piece of every work, best first."""
    asked = any(work.blend for work in works)
    found = []
    for work in works:
        per_char = (work.tokens - work.image_tokens) / max(1, len(work.text))
        lift = work.blend - work.relevance
        for number, (start, end, tier) in enumerate(work.pieces):
            size = max(1.0, per_char * (end - start)) + work.image_tokens
            relevance = work.relevance if len(work.pieces) == 1 else scale.of(work.text[start:end], work.held)
            if work.form == "collapsed" and tier == 0:
                relevance = 1.0  # a failure bears on whatever is asked
            density = (max(0.0, relevance + lift) + FLOOR) / size if asked else 0.0
            order = work.order if reranked else 0
            routine = tier > 1 and work.form == "collapsed"  # the plain course of a log goes behind everything else of its priority
            found.append(Unit((tier, -work.priority, routine, order, -density, work.index, number), work, number, size))
    return sorted(found, key=lambda unit: unit.key)


class _Filling:
    """Takes units in order while they fit, then counts what came of it and corrects the choice."""

    def __init__(self, works: list[Work], available: int, counter: Counter) -> None:
        self.works, self.available, self.counter = works, available, counter
        self.taken: list[Unit] = []

    def fill(self, units: list[Unit]) -> Assembled:
        """The best content that fits: a first choice by what pieces are expected to count, a second for what they count less."""
        done = self._round(units, counted(self.works, self.counter))
        left = [unit for unit in units if unit.number not in unit.work.chosen]
        if left and self.available - done.tokens >= max(LEAST_FILL[0], LEAST_FILL[1] * self.available):
            done = self._round(left, done)
        for work in self.works:
            if work.chosen and not work.whole:
                chosen = "".join(work.text[start:end] for number, (start, end, _) in enumerate(work.pieces) if number in work.chosen)
                work.tokens_part = self.counter.count(chosen)
        return done

    def _round(self, units: list[Unit], done: Assembled) -> Assembled:
        """Take what is expected to fit beside what is there; give back the last ones until the count agrees."""
        first, spent = len(self.taken), float(done.tokens)
        limit = done.tokens + (self.available - done.tokens) * AIM if self.available >= LARGE else self.available
        for unit in units:
            cost = _cost(unit)
            if spent + cost <= limit:
                spent += cost
                unit.work.chosen.add(unit.number)
                self.taken.append(unit)
                spent -= MARKER if len(unit.work.pieces) > 1 and unit.work.whole else 0
        if len(self.taken) == first:
            return done
        done = counted(self.works, self.counter)
        while done.tokens > self.available and len(self.taken) > first:
            over = (done.tokens - self.available) * EXTRA
            while over > 0 and len(self.taken) > first:
                unit = self.taken.pop()
                unit.work.chosen.discard(unit.number)
                over -= _cost(unit)
            done = counted(self.works, self.counter)
        return done


def _cost(unit: Unit) -> float:
    """Tokens of a piece, with the marker that the first piece of a cut fragment brings along."""
    return unit.size + (MARKER if len(unit.work.pieces) > 1 and not unit.work.chosen else 0)
