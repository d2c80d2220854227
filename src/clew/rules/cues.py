"""Links that a text states in words ("because of #12", "replaces PROJ-7"), and what a memory is about, so that both ends can meet. Pure.

An end is a key: `ticket:#12`, `pr:pr 12`, `commit:1a2b3c4`, `memory:12`, or `title:` with a folded summary, of a long one its digest. A cue
counts only where such a key follows it: wording alone links nothing.
"""

from __future__ import annotations

from functools import cache

from clew.errors import InvalidInput
from clew.ids import blake2b
from clew.patterns import compiled
from clew.rules.entities import READ
from clew.rules.names import key_of
from clew.rules.shapes import AROUND, BEFORE, HEX, commit, shaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, NamedTuple

    from clew.model import Memory
    from clew.rules.names import Named
else:
    from clew.model import NamedTuple

TITLE_CHARS = 200  # a longer summary is not quoted whole
SPELT = 80  # characters of a title's key that stand as they are; no name is longer, so a memory about a thing has the thing's own key
MOST = 32  # cues of one memory
RELATION_CHARS = 40
AHEAD = 240  # characters after a cue in which its ends must stand
KINDS = ("ticket", "pr", "commit")

# (relation, whether the named end is the source, wording). The first that fits a place in the text counts.
_WORDING = (
    ("supersedes", True, r"(?:superseded|replaced|obsoleted) by"),
    ("reverts", True, r"reverted (?:by|in|with)|backed out (?:by|in)"),
    ("fixes", True, r"(?:fixed|resolved|closed) (?:by|in|with)"),
    ("depends_on", True, r"required by|(?:dependency|prerequisite) (?:of|for)|blocks"),
    ("because", False, r"because(?: of)?|due to|caused by|motivated by|prompted by|in response to|on account of|follows from"),
    ("supersedes", False, r"(?:supersed|replac|obsolet)(?:es|ed|ing|e)|instead of|rather than|in place of"),
    ("reverts", False, r"revert(?:s|ed|ing)?:?|backs out|backed out|rolls back|rolled back|undo(?:es|ing)?"),
    ("fixes", False, r"fix(?:es|ed|ing)?:?|clos(?:es|ed|e|ing):?|resolv(?:es|ed|e|ing):?"),
    ("depends_on", False, r"depend(?:s|ed|ing)? (?:up)?on|requires?|blocked (?:by|on)|needs|builds on"),
    ("duplicates", False, r"duplicates?(?: of)?|same as|dupe of"),
    (
        "decided_in",
        False,
        r"(?:decided|agreed|approved|accepted|settled|discussed) (?:in|at|on|by|with)|decision (?:in|from)|per",
    ),
    ("contradicts", False, r"contradicts?|conflicts with|at odds with|contrary to"),
)
_CUE = r"\b(?:" + "|".join(wording for _, _, wording in _WORDING) + r")(?![\w-])"  # of lower-case text: three times as fast as (?i)
_DENIED = r"(?i)(?:\bnot|n['’]t|\bnever|\bno longer|\bwithout|\bneither|\bnor|\bto)(?: \w+ly)? $"
_FILLER = (
    r"(?i)[\s:,(\[]*(?:(?:the|of|in|our|earlier|old|former|decision|memory note|bug|story|task|epic|commits?|revision|both|either)\s+)*"
)
_JOINED = r"\s*(?:,|;|&|\band\b|\bor\b)\s*(?:and\s+|or\s+)?"
_OUR = r"(?i)(?:(?:memory|clew)\s*#|clew#|mem:|memory )(\d{1,15})(?![\w.])"
_QUOTE = r"[\"“]([^\"“”\n]{3,200})[\"”]"
_WORD = r"(?i)((?:pull request|merge request|pr|mr|issue|ticket|commit|pep|rfc|adr)[ :]+)?(`?[\w#!/.`-]+)"
_SUBJECT = (
    r"(?i)[\[(]?(?:(?:issue|ticket|bug|decision|story|commit|pull request|merge request|pr|mr|adr|pep|rfc)\s+)?"
    r"[#!]?[\w./#-]*\d[\w-]*(?=[\])]?(?:\s*[:–—-]|\s|$))"
)
_SQUASHED = r"\(([#!]\d{1,7})\)\s*$"
_NUMBERED = {
    "ticket": "ticket",
    "issue": "ticket",
    "bug": "ticket",
    "pr": "pr",
    "mr": "pr",
    "pull_request": "pr",
    "commit": "commit",
    "sha": "commit",
}


def checked_relation(word: str) -> str:
    """`word` as a link's relation. Raises InvalidInput for what is no lower-case word of at most RELATION_CHARS."""
    if not isinstance(word, str) or not word.replace("-", "_").isidentifier() or word != word.lower() or len(word) > RELATION_CHARS:
        shown = ascii(word)[:50]
        raise InvalidInput(
            "relation", f"{shown} is no lower-case word of at most {RELATION_CHARS} characters, such as because, depends_on or fixes"
        )
    return word


def stated(links: Any, because: Any = ()) -> list[tuple[Any, Any]]:
    """`links` as (relation, memory) pairs, then one "because" for each of one or several reasons. Raises InvalidInput for another shape."""
    pairs: list[Any] = list(links) if isinstance(links, list | tuple) else [None]
    if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
        raise InvalidInput("links", 'must be a list of pairs, such as [("depends_on", 12)]')
    reasons = [because] if isinstance(because, int | str) else because
    if not isinstance(reasons, list | tuple):
        raise InvalidInput("because", f"must be one memory or a list of them, not {type(because).__name__}")
    return [*pairs, *(("because", reason) for reason in reasons)]


class Cue(NamedTuple):
    """A link in words: its relation, the key of the end it names, and whether that end is the source of the link."""

    relation: str
    key: str
    backward: bool = False


def cues(memory: Memory, named: Iterable[Named]) -> tuple[Cue, ...]:
    """The links that a memory states, given what it names; at most MOST, one to each end, in the order of the text."""
    text = f"{memory.summary}\n{memory.detail[:READ]}" if memory.detail else memory.summary
    if not (any(n.kind in KINDS for n in named) or '"' in text or "“" in text or "#" in text or "mem" in text):
        return ()
    own = subjects(memory)
    first: dict[str, Cue] = {}
    for cue in _told(text):
        if cue.key not in own:
            first.setdefault(cue.key, cue)
    return tuple(first.values())[:MOST]


def _told(text: str) -> Iterator[Cue]:
    lowered = text.lower()
    for found in compiled(_CUE).finditer(lowered if len(lowered) == len(text) else text):
        before = text[max(0, found.start() - 24) : found.start()]
        if before[-1:] != "-" and compiled(_DENIED).search(before) is None:
            relation, backward = _meaning(found[0])
            for key in _ends(text[found.end() : found.end() + AHEAD]):
                yield Cue(relation, key, backward)


@cache
def _meaning(said: str) -> tuple[str, bool]:
    """(relation, whether the named end is the source) of a wording."""
    return next((relation, backward) for relation, backward, wording in _WORDING if compiled(wording).fullmatch(said))


def _ends(after: str) -> Iterator[str]:
    """The keys that stand right after a cue: one, or several joined by commas and "and"."""
    at = _skipped(_FILLER, after, 0)
    while (step := _end(after, at)) is not None:
        key, at = step
        yield key
        joined = _skipped(_JOINED, after, at)
        if joined == at:
            return
        at = joined


def _skipped(pattern: str, text: str, at: int) -> int:
    found = compiled(pattern).match(text, at)
    return found.end() if found else at


def _end(text: str, at: int) -> tuple[str, int] | None:
    """(key, where it ends) of what is named at this place, or None."""
    if ours := compiled(_OUR).match(text, at):
        return f"memory:{int(ours[1])}", ours.end()
    if quoted := compiled(_QUOTE).match(text, at):
        return _title(key_of(quoted[1])), quoted.end()
    word = compiled(_WORD).match(text, at)
    key = _key(word[1] or "", word[2]) if word else ""
    return (key, word.end()) if word and key else None


def _key(lead: str, raw: str) -> str:
    bare = raw.lstrip(BEFORE).rstrip(AROUND)
    before = lead.strip(" :").rsplit(" ", 1)[-1]
    if compiled(HEX).fullmatch(bare) and before.casefold() not in ("pr", "mr", "issue", "ticket"):
        return f"commit:{commit(bare).key}"
    if not bare or (bare.isdigit() and "!" not in raw and not before):
        return ""
    named = [n for n in shaped(bare, raw, before.upper() or "issue", "") if n.kind in KINDS]
    return f"{named[0].kind}:{named[0].key}" if named else ""


def _title(key: str) -> str:
    """The end that a folded title is. A store keeps each end twice, so a long one is its digest (blake2b-64)."""
    return f"title:{key if len(key) <= SPELT else blake2b(key.encode(), digest_size=8).hexdigest()}"


def subjects(memory: Memory) -> frozenset[str]:
    """Keys of what a memory is about: its title, the ticket, pull request or commit that leads its summary or stands in its tags,
    metadata or source. A ticket it merely fixes is not its subject."""
    found = {f"commit:{commit(memory.source.commit).key}"} if memory.source.commit else set()
    if len(memory.summary) <= TITLE_CHARS and (title := key_of(memory.summary)):
        found.add(_title(title))
    if leading := compiled(_SUBJECT).match(memory.summary):
        lead, _, word = leading[0].strip("[(").rpartition(" ")
        found.add(_key(lead, word))
    if squashed := compiled(_SQUASHED).search(memory.summary):
        found.add(_key("PR", squashed[1]))
    found.update(_key("", tag) for tag in memory.tags if "-" in tag or "#" in tag)
    for name, value in memory.metadata.items():
        if (kind := _NUMBERED.get(name.casefold())) and not isinstance(value, bool | float):
            found.add(_key({"pr": "PR", "commit": "commit"}.get(kind, "issue"), str(value)))
    numbered = {f"ticket:#{key.removeprefix('pr:pr ')}" for key in found if key.startswith("pr:")}  # they count together
    return frozenset((found | numbered) - {""})
