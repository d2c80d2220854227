"""Which pieces are emitted when not all of them fit.

The order is that of units.py. The cache section is packed first and by itself: whole fragments in input order, those that fit the
budget, so that it never depends on anything else. What pieces will count is expected, not counted; every choice is then checked by counting
the content it makes, so that the budget holds whatever the counter does.
"""

from __future__ import annotations

from clew.compiler.assemble import GAP, Assembled, assemble
from clew.compiler.units import divide, units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.compiler.score import Scale
    from clew.compiler.units import Unit
    from clew.compiler.values import Counter, Policy
    from clew.compiler.work import Work

SLACK = 0.9  # of the sum of the parts, tried against the budget as a whole: together they may count less than apart
MARKER = "[… 88 of 99 parts left out, whole: src:0123456789ab]\n[…]\n"  # how long what says that something is missing becomes
SEPARATOR = 2  # at most, between two fragments
LEAST_FILL = 4, 0.03  # tokens left over, and their share of the budget, that are worth another look
LARGE = 500  # tokens of a budget from which expectation is more than a guess
AIM = 0.98  # of the budget is filled by expectation, which may fall short
TRIES = 8  # for a first piece that fits, where the budget is about as small as a marker
FINEST = 128  # bytes a piece may have however small the budget
EXTRA = 1.1  # times what was too much is given back


def pack(works: list[Work], scale: Scale, available: int, *, policy: Policy, counter: Counter) -> Assembled:
    """Choose, and give the content of the choice: at most `available` tokens with its images."""
    _cache(works, available, counter)
    body = [work for work in works if not work.cached and not work.dropped]
    for work in body:
        work.chosen = {0}
    if sum(work.tokens for work in works if work.chosen) * SLACK <= available:
        done = counted(works, counter)
        if done.tokens <= available:
            return done
    finer = policy.chunk._replace(max_bytes=min(policy.chunk.max_bytes, max(FINEST, available)))  # about a quarter of the budget
    for work in body:
        work.chosen = set()
        divide(work, policy)
        longest = max((end - start for start, end, _ in work.pieces), default=0)
        if longest * work.tokens > available * len(work.text):  # there is no room for it, whatever else is left out
            divide(work, policy._replace(chunk=finer))
    return _Filling(works, available, counter).fill(units(body, scale))


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


class _Filling:
    """Takes units in order while they fit, then counts what came of it and corrects the choice."""

    def __init__(self, works: list[Work], available: int, counter: Counter) -> None:
        self.works, self.available, self.counter = works, available, counter
        self.taken: list[Unit] = []
        self.returned: list[Unit] = []
        self.marker, self.gap = counter.count(MARKER), counter.count(GAP)

    def fill(self, units: list[Unit]) -> Assembled:
        """The best content that fits: a first choice by what pieces are expected to count, a second for what they count less."""
        done = self._round(units, counted(self.works, self.counter))
        for _ in range(TRIES):
            if self.taken or not self.returned:
                break
            back = {(unit.work.index, unit.number) for unit in self.returned}  # each counted more than expected, and nothing was left
            done = self._round([unit for unit in units if (unit.work.index, unit.number) not in back], done)
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
            if spent + unit.size > limit:
                continue
            cost = self._cost(unit)
            if spent + cost <= limit:
                spent += cost
                unit.work.chosen.add(unit.number)
                self.taken.append(unit)
                spent -= self.marker if len(unit.work.pieces) > 1 and unit.work.whole else 0
        if len(self.taken) == first:
            return done
        done = counted(self.works, self.counter)
        while done.tokens > self.available and len(self.taken) > first:
            over = (done.tokens - self.available) * EXTRA
            while over > 0 and len(self.taken) > first:
                unit = self.taken.pop()
                self.returned.append(unit)
                unit.work.chosen.discard(unit.number)
                over -= self._cost(unit)
            done = counted(self.works, self.counter)
        return done

    def _cost(self, unit: Unit) -> float:
        """Tokens of a piece, with the marker that the first piece of a cut fragment brings along, or a later one that stands apart."""
        chosen = unit.work.chosen
        if len(unit.work.pieces) == 1:
            return unit.size
        if not chosen:
            return unit.size + self.marker
        return unit.size + (0 if unit.number - 1 in chosen or unit.number + 1 in chosen else self.gap)
