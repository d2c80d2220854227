"""Which rule a fragment meets first: the table, in its order. Rule ids are public and stable.

Outside the table, because they depend on other fragments or on the budget: OUTSIDE.
"""

from __future__ import annotations

import re
from functools import cache

from clew.compiler.forbids import forbids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple

    from clew.compiler.values import Fragment
else:
    from clew.model import NamedTuple

EXACT_VALUES = 3  # so many tokens with a digit make a text exact


class Sight(NamedTuple):
    """What the table sees of a fragment: itself, whether an earlier reading of its path is older, whether it is a log that collapses
    (asked only where the table comes to it)."""

    fragment: Fragment
    reread: bool
    repeats: Callable[[], bool]


class Rule(NamedTuple):
    """One line of the table. `meets` decides; `reason` says it in a sentence."""

    id: str
    action: str
    critical: bool
    meets: Callable[[Sight], bool]
    reason: str


def fenced(text: str) -> bool:
    """Whether the text holds a fenced block, closed or not."""
    return ("```" in text or "~~~" in text) and _fence().search(text) is not None


def exact(text: str) -> bool:
    """Whether three or more tokens carry a number, date, id or version; the numbers of a list or of lines do not count."""
    return _values(text, EXACT_VALUES)


def digits(text: str) -> bool:
    """Whether any token carries a digit; the numbers of a list or of lines do not count."""
    return _values(text, 1)


def _values(text: str, enough: int) -> bool:
    at = 0
    while (value := _value().search(text, at)) is not None:
        number = _number().match(text, value.start())
        if number is not None and not text[text.rfind("\n", 0, value.start()) + 1 : value.start()].strip(" \t"):
            at = number.end()
            continue
        enough -= 1
        if not enough:
            return True
        at = value.end()
    return False


def linked(text: str) -> bool:
    """Whether the text holds an http(s) URL."""
    return "://" in text and _url().search(text) is not None


@cache
def _fence() -> re.Pattern[str]:
    return re.compile(r"(?m)^[ \t]{0,3}(?:`{3}|~{3})")


@cache
def _value() -> re.Pattern[str]:
    return re.compile(r"\d\S*")


@cache
def _number() -> re.Pattern[str]:
    return re.compile(r"\d{1,7}(?:[.)](?=\s)|[\t→])")


@cache
def _url() -> re.Pattern[str]:
    return re.compile(r"(?i)\bhttps?://[^\s]")


RULES = (
    Rule("media.atomic", "preserve", True, lambda s: s.fragment.media is not None, "has an attachment: whole or not at all"),
    Rule("preserve.marked_verbatim", "preserve", True, lambda s: s.fragment.metadata.get("verbatim") is True, "marked verbatim"),
    Rule("cache.stable_prefix", "cache", True, lambda s: s.fragment.metadata.get("cache") is True, "marked for the cache section"),
    Rule("delta.reread", "abstract", False, lambda s: s.reread, "an older reading of the same path"),
    Rule("preserve.code_fence", "preserve", True, lambda s: s.fragment.kind == "code" or fenced(s.fragment.content), "code"),
    Rule(
        "preserve.negative_constraint",
        "preserve",
        True,
        lambda s: not s.repeats() and forbids(s.fragment.content),  # a machine's "cannot connect" forbids nothing
        "a line forbids something",
    ),
    Rule("abstract.log_collapse", "abstract", False, lambda s: s.repeats(), "a log whose lines repeat"),
    Rule("preserve.exact_values", "preserve", True, lambda s: exact(s.fragment.content), "holds exact values"),
    Rule("preserve.url", "preserve", True, lambda s: linked(s.fragment.content), "holds a URL"),
    Rule("preserve.default", "preserve", False, lambda s: True, "nothing speaks against it"),
)
OUTSIDE = {
    "drop.duplicate": "the same content is emitted elsewhere",
    "drop.near_duplicate": "the same words are emitted elsewhere; case, white space or punctuation differ",
    "budget.externalize": "the budget has no room for all of it",
    "retrieve.screenshot_superseded": "a later screenshot shows the same target",
}
RULE_IDS = (*(rule.id for rule in RULES), *OUTSIDE)
ALWAYS = ("media.atomic", "preserve.default", "budget.externalize")  # without these a request could not be answered


def classify(sight: Sight, disabled: frozenset[str]) -> Rule:
    """The first rule of the table that the fragment meets; those disabled are passed over, the last one never is."""
    return next(rule for rule in RULES if (rule.id not in disabled or rule.id in ALWAYS) and rule.meets(sight))
