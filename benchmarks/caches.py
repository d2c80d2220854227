"""Rivals restated: what leaves a full window under the rules of the literature. Sizes in tokens, or 1 each where a window counts items.

Every policy has `hit(name, size, at)`: whether `name` was held, and afterwards it is held (and the window within its capacity), unless it
is larger than the whole window. `at` is the time in seconds. What was just asked for does not leave, save under the optimum.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from math import inf, log

Held = OrderedDict[str, int]


class Lowest:
    """Holds what has the highest `rank`; ties leave by last use. Its subclasses only say what ranks."""

    def __init__(self, capacity: int) -> None:
        self.capacity, self.held, self.used = capacity, Held(), 0

    def hit(self, name: str, size: int, at: float) -> bool:
        """As the module says."""
        hit = name in self.held
        self.seen(name, at)
        self.used += size - self.held.pop(name, 0)
        self.held[name] = size
        while self.used > self.capacity:
            others = [other for other in self.held if other != name or not self.spares_newest]
            self.used -= self.held.pop(min(others, key=lambda other: self.rank(other, at)) if others else name)
        return hit

    spares_newest = True

    def seen(self, name: str, at: float) -> None:
        """What it notes of a reference."""

    def rank(self, name: str, at: float) -> float:
        """How much it wants to keep something."""
        return 0.0


class Lru(Lowest):
    """Least recently used: the order in which things are held is the order of their last use."""


class Lfu(Lowest):
    """Least frequently used, counted over the whole session; ties leave by last use."""

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.uses: Counter[str] = Counter()

    def seen(self, name: str, at: float) -> None:
        self.uses[name] += 1

    def rank(self, name: str, at: float) -> float:
        return self.uses[name]


class Age(Lowest):
    """Plain age: what came first leaves first, however often it was used since."""

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.came: dict[str, int] = {}
        self.arrivals = 0

    def seen(self, name: str, at: float) -> None:
        if name not in self.held:
            self.arrivals += 1
            self.came[name] = self.arrivals

    def rank(self, name: str, at: float) -> float:
        return self.came[name]


class ActR(Lowest):
    """Base-level activation of ACT-R: ln Σ (time since each use)^-0.5, uses of the whole session."""

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.uses: dict[str, list[float]] = {}

    def seen(self, name: str, at: float) -> None:
        self.uses.setdefault(name, []).append(at)

    def rank(self, name: str, at: float) -> float:
        return log(sum(max(0.1, at - then) ** -0.5 for then in self.uses[name]))


class Optimum(Lowest):
    """Farthest next use, by size: the optimum where all sizes are 1, and under other sizes near it. `coming` is the session in order."""

    spares_newest = False

    def __init__(self, capacity: int, coming: list[str]) -> None:
        super().__init__(capacity)
        self.next: list[float] = [inf] * len(coming)
        last: dict[str, int] = {}
        for place in range(len(coming) - 1, -1, -1):
            self.next[place] = last.get(coming[place], inf)
            last[coming[place]] = place
        self.place, self.due = -1, dict.fromkeys(coming, inf)

    def seen(self, name: str, at: float) -> None:
        self.place += 1
        self.due[name] = self.next[self.place]

    def rank(self, name: str, at: float) -> float:
        return -(self.due[name] - self.place) * max(1, self.held[name])


class Arc:
    """Adaptive replacement (Megiddo and Modha, 2003): recent and frequent halves, their boundary moved by hits in their ghosts."""

    def __init__(self, capacity: int) -> None:
        self.capacity, self.share = capacity, 0.0
        self.recent, self.frequent, self.recent_ghosts, self.frequent_ghosts = Held(), Held(), Held(), Held()

    def hit(self, name: str, size: int, at: float) -> bool:
        """As the module says."""
        hit = name in self.recent or name in self.frequent
        ghost = self.recent_ghosts if name in self.recent_ghosts else self.frequent_ghosts if name in self.frequent_ghosts else None
        if ghost is not None:
            other = self.frequent_ghosts if ghost is self.recent_ghosts else self.recent_ghosts
            step = max(size, size * total(other) / max(1, total(ghost)))
            self.share = min(self.capacity, self.share + step) if ghost is self.recent_ghosts else max(0.0, self.share - step)
        known = hit or ghost is not None
        for part in (self.recent, self.frequent, self.recent_ghosts, self.frequent_ghosts):
            part.pop(name, None)
        if size > self.capacity:
            return hit
        self._make_room(size, ghost is self.frequent_ghosts)
        (self.frequent if known else self.recent)[name] = size
        return hit

    def _make_room(self, size: int, from_frequent: bool) -> None:
        while total(self.recent) + total(self.frequent) + size > self.capacity:
            recent = total(self.recent)
            first = bool(self.recent) and (recent > self.share or (from_frequent and recent == self.share) or not self.frequent)
            part, ghosts = (self.recent, self.recent_ghosts) if first else (self.frequent, self.frequent_ghosts)
            gone, gone_size = part.popitem(last=False)
            ghosts[gone] = gone_size
        for ghosts, bound in ((self.recent_ghosts, self.capacity - total(self.recent)), (self.frequent_ghosts, self.capacity)):
            while ghosts and total(ghosts) > bound:
                ghosts.popitem(last=False)


class Sieve:
    """SIEVE (Zhang et al., 2024): one queue by arrival; a hand passes from old to new, spares what was visited once, and stays there."""

    def __init__(self, capacity: int) -> None:
        self.capacity, self.held, self.visited, self.hand = capacity, Held(), set[str](), ""

    def hit(self, name: str, size: int, at: float) -> bool:
        """As the module says."""
        hit = name in self.held
        if hit:
            self.visited.add(name)
            self.held[name] = size
        elif size <= self.capacity:
            while self.held and total(self.held) + size > self.capacity:
                self._evict(list(self.held))
            self.held[name] = size
        while total(self.held) > self.capacity:
            self._evict(list(self.held))
        return hit

    def _evict(self, queue: list[str]) -> None:
        place = queue.index(self.hand) if self.hand in self.held else 0
        while queue[place] in self.visited:
            self.visited.discard(queue[place])
            place = (place + 1) % len(queue)
        self.hand = queue[place + 1] if place + 1 < len(queue) else ""
        del self.held[queue[place]]


class S3Fifo:
    """S3-FIFO (Yang et al., 2023): a tenth for newcomers, the rest for what was asked for again, and a queue of ghosts."""

    def __init__(self, capacity: int) -> None:
        self.capacity, self.small_share = capacity, max(1.0, capacity / 10)
        self.small, self.main, self.ghosts, self.uses = Held(), Held(), Held(), Counter[str]()

    def hit(self, name: str, size: int, at: float) -> bool:
        """As the module says."""
        part = self.small if name in self.small else self.main if name in self.main else None
        if part is not None:
            self.uses[name] = min(3, self.uses[name] + 1)
            part[name] = size
        elif size <= self.capacity:
            self._fit(size)
            (self.main if name in self.ghosts else self.small)[name] = size
            self.ghosts.pop(name, None)
            self.uses[name] = 0
        self._fit(0)
        return part is not None

    def _fit(self, size: int) -> None:
        while (self.small or self.main) and total(self.small) + total(self.main) + size > self.capacity:
            if self.small and (total(self.small) >= self.small_share or not self.main):
                name, held = self.small.popitem(last=False)
                if self.uses[name] > 1:
                    self.main[name] = held
                else:
                    self.ghosts[name] = held
                    while total(self.ghosts) > self.capacity - self.small_share:
                        self.ghosts.popitem(last=False)
            else:
                name, held = self.main.popitem(last=False)
                if self.uses[name] > 0:
                    self.uses[name] -= 1
                    self.main[name] = held


def total(held: Held) -> int:
    """Tokens of what a queue holds."""
    return sum(held.values())
