"""What is worth keeping in a window: five signals between 0 and 1 under fixed weights. No model, no clock, no chance.

An item is described by tags, each of a facet: its path, the folders it lies in, its extension, the symbols and words it holds. What an
agent is at is described by the same tags: those of the files it touched last and the words of the request. How far the two overlap is the
strongest signal. A facet counts as a whole, so that a file of a hundred symbols is no less like its folder than one of three.
"""

from __future__ import annotations

from functools import lru_cache
from math import log

from clew.text import question_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

WEIGHTS: dict[str, float] = {"relevance": 0.30, "recency": 0.25, "frequency": 0.15, "structure": 0.15, "cognitive": 0.15}
_RELEVANCE, _RECENCY, _FREQUENCY, _STRUCTURE, _COGNITIVE = WEIGHTS.values()
# Path and folder say most about what is needed next, the extension little: most files of a project share it.
FACETS: dict[str, float] = {"path": 1.0, "dir": 1.0, "ext": 0.5, "sym": 1.0, "word": 1.0}
TOUCHED = 5  # files last touched that say what the agent is at
FADE = 0.7  # weight of a touch against the one after it
WORDS = 64  # words of one text that become tags
_OFTEN = tuple(log(1 + uses) / log(10) for uses in range(9))  # frequency by uses; from nine on it is full
CREDIT = {(True, True): 0.10, (True, False): 0.05, (False, True): -0.10, (False, False): -0.05}  # by (passed, used)
_KEPT_CREDIT = 0.95


class Worth(NamedTuple):
    """What an item is worth and why: the five signals, each 0..1, and the score, their sum under WEIGHTS."""

    relevance: float
    recency: float
    frequency: float
    structure: float
    cognitive: float
    score: float


def tags_of(path: str = "", *, symbols: Sequence[str] = (), text: str = "") -> tuple[str, ...]:
    """The tags of an item: of the file it comes from (forward slashes), the symbols it defines, and the words of a query or request."""
    tags: dict[str, None] = {}
    if path:
        folders, _, name = path.rpartition("/")
        tags[f"path:{path}"] = None
        # Its folder and the one above: two files of one package are alike, two of one repository hardly.
        tags.update((f"dir:{folder}", None) for folder in (folders, folders.rpartition("/")[0]) if folder)
        if not folders:
            tags["dir:."] = None
        if "." in name.lstrip("."):
            tags[f"ext:{name.rpartition('.')[2].lower()}"] = None
    tags.update((f"sym:{symbol}", None) for symbol in symbols)
    # The folder's own name is among the words, those above it are not: every file of a project would share them.
    named = path.rpartition("/")[0].rpartition("/")[2] + " " + path.rpartition("/")[2].partition(".")[0]
    tags.update((f"word:{word}", None) for word in _words(" ".join((named, *symbols, text))))
    return tuple(tags)


def _words(text: str) -> list[str]:
    return [word for word in question_terms(text[: 64 * WORDS]) if "/" not in word][:WORDS]


@lru_cache(maxsize=8_192)
def profile(tags: tuple[str, ...]) -> Mapping[str, float]:
    """Tags as shares of 1: each facet present has its share by FACETS, spread evenly over its tags. Not to be changed: it is remembered."""
    held: dict[str, int] = {}
    for tag in tags:
        facet = tag.partition(":")[0]
        held[facet] = held.get(facet, 0) + 1
    whole = sum(FACETS.get(facet, 1.0) for facet in held)
    return {tag: FACETS.get(facet := tag.partition(":")[0], 1.0) / whole / held[facet] for tag in tags}


def task(touched: Sequence[tuple[str, ...]], request: tuple[str, ...] = ()) -> dict[str, float]:
    """What the agent is at, as shares of 1: the tags of the files it touched (the last one last) and of its request.

    Each touch weighs FADE of the one after it; the request weighs as much as the last touch. Nothing known is an empty task.
    """
    weighed: dict[str, float] = {}
    parts = [(FADE**age, tags) for age, tags in enumerate(touched[: -TOUCHED - 1 : -1]) if tags]
    if request:
        parts.append((1.0, request))
    whole = sum(weight for weight, _ in parts)
    for weight, tags in parts:
        for tag, share in profile(tags).items():
            weighed[tag] = weighed.get(tag, 0.0) + share * weight / whole
    return weighed


def relevance(tags: tuple[str, ...], at: Mapping[str, float]) -> float:
    """How far an item's tags overlap with what the agent is `at` (of `task`), 0..1.

    Weighted Jaccard, Σ min / Σ max; of two wholes of 1 that is o / (2 - o), o the sum of the smaller shares. Summed in the order of the
    item's tags: a sum in the order of a set would differ in its last bit from one process to the next.
    """
    held, overlap = profile(tags), 0.0
    for tag in tags:
        if tag in at:
            share, there = held[tag], at[tag]
            overlap += share if share < there else there
    return overlap / (2.0 - overlap) if overlap < 1.0 else 1.0  # shares sum to one but for their last bits


def frequency(uses: int) -> float:
    """How often something was used, 0..1: ln(1 + uses) / ln 10, full at nine uses."""
    return _OFTEN[uses] if uses < len(_OFTEN) else 1.0


def worth(relevant: float, recent: float, uses: int, *, resolves: bool, credit: float) -> Worth:
    """The signals and the score of an item: its relevance, its retrievability, its uses, whether a pointer or link of it resolves, and
    its credit (-1..1, what attempts that used it came to)."""
    structure, cognitive = 1.0 if resolves else 0.0, (credit + 1.0) / 2.0
    total = score(relevant, recent, uses, resolves=resolves, credit=credit)
    return Worth(relevant, recent, frequency(uses), structure, cognitive, total)


def score(relevant: float, recent: float, uses: int, *, resolves: bool, credit: float) -> float:
    """The score of `worth` alone: a pass asks it of thousands."""
    often = _OFTEN[uses] if uses < len(_OFTEN) else 1.0
    rest = _FREQUENCY * often + (_STRUCTURE if resolves else 0.0) + _COGNITIVE * (credit + 1.0) / 2.0
    return _RELEVANCE * relevant + _RECENCY * recent + rest


def credited(credit: float, *, passed: bool, used: bool) -> float:
    """The credit after a closed attempt: 0.95 of what it was, and by CREDIT more or less, within -1..1."""
    return max(-1.0, min(1.0, _KEPT_CREDIT * credit + CREDIT[passed, used]))
