"""Names and titles in running text: runs of capitalised words, quoted titles, a summary that is one. Pure."""

from __future__ import annotations

from clew.patterns import compiled
from clew.stopwords import COMMON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

LONGEST = 6  # capitalised words of one name; a longer run is a heading or shouting
TITLE_CHARS = 80

_UPPER = r"A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĻĽŁŃŅŇŌŐŒŔŘŚŞŠŢŤŪŮŰŲŹŻŽА-ЯΑ-Ω"
_WORD = rf"[{_UPPER}](?:\.(?:[{_UPPER}]\.)*|[\w'’–-]*\w)?"
_LINKING = "of|of the|de|de la|la|van|van der|von|der|den|du|del|della|di|da|dos|el|al|bin|ibn|y|&"
_RUN = rf"(?<![\w$]){_WORD}(?: (?:(?:{_LINKING}) )?{_WORD})+"
_QUOTED = r"[\"“]([^\"“”\n]{3,80})[\"”]"
_STARTS = ".!?:;\n•*-–—>|#\t\"'“‘"
_QUALIFIED = r"\s*\([^()]*\)$"
# Capitalised by custom wherever they stand, or by where they stand: neither names anything.
CUSTOM = COMMON | frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november "
    "december mr mrs ms dr prof sir lady ph.d".split()
)
_OPENING = CUSTOM | frozenset(
    "note todo fixme warning error info debug bug fix fixed add added adds remove removed use used uses using set make made run move moved "
    "keep kept switch switched change changed update updated create created check call store write read rename drop enable disable never "
    "always please see replace replaced revert reverted avoid prefer deploy deployed test tests ensure allow handle support implement "
    "implemented refactor document docs yesterday today tomorrow now later first second third next last new old one two three yes ok hey "
    "hi hello thanks however although though since because while also still thus hence despite within without according many much several "
    "every each either neither another like unlike given once until upon via per let".split()
)


class Named(NamedTuple):
    """A thing a text names: its kind, the folded key it is compared by, the name as people write it, and other keys it answers to."""

    kind: str
    key: str
    name: str
    aliases: tuple[str, ...] = ()


def key_of(name: str) -> str:
    """The name as it is compared: case folded, white space single, without quotes, a leading article or a closing parenthesis."""
    folded = " ".join(name.casefold().replace("’", "'").split()).strip(" \"'“”.,;:!?`*")
    bare = compiled(_QUALIFIED).sub("", folded) or folded
    for article in ("the ", "a ", "an "):
        bare = bare.removeprefix(article) or bare
    return bare.removesuffix("'s")


def title_of(summary: str) -> Named | None:
    """The thing a summary names when it is a title and no sentence; the memory is then about it."""
    if len(summary) > TITLE_CHARS or summary[-1:] in ".!?:;,…":
        return None
    bare = compiled(_QUALIFIED).sub("", summary)
    words = bare.split()
    if not words or len(words) > 2 * LONGEST or not (words[0][0].isupper() or words[0][0].isdigit()):
        return None
    telling = [w for w in words if w[0].isalpha() and w.casefold() not in COMMON] or words[:1]
    raised = sum(not w[0].islower() for w in telling)
    if not telling or (raised < len(telling) and (raised < 2 or raised * 2 < len(telling) or words[0].casefold() in _OPENING)):
        return None
    key = key_of(summary)
    return Named("name", key, summary, tuple({summary.casefold(), bare.casefold()} - {key})) if any(map(str.isalpha, key)) else None


def names(text: str) -> Iterator[Named]:
    """Names in `text` in their order, then quoted titles; none in a text that shouts."""
    if not text.isupper():
        for found in compiled(_RUN).finditer(text):
            name = _trimmed(found[0], _begins(text, found.start()))
            if name:
                yield Named("name", key_of(name), name)
    if '"' in text or "“" in text:
        for quoted in compiled(_QUOTED).findall(text):
            name = quoted.strip().rstrip(".,;:!?")
            if name[:1].isupper() and " " in name and (key := key_of(name)):
                yield Named("name", key, name)


def _begins(text: str, start: int) -> bool:
    """Whether a sentence, line or list point begins here, where any word is capitalised."""
    before = text[max(0, start - 3) : start].rstrip(" (`*")
    return start == 0 or before == "" or before[-1] in _STARTS


def _trimmed(run: str, begins: bool) -> str:
    """The run without words at its ends that name nothing; "" when less than two capitalised words are left."""
    words = run.split()
    while words and (words[0].casefold().rstrip(".") in (_OPENING if begins else CUSTOM) or not words[0][0].isupper()):
        del words[0]
        begins = False
    while words and (words[-1].casefold().rstrip(".") in CUSTOM or not words[-1][0].isupper()):
        del words[-1]
    raised = [w for w in words if w[0].isupper()]
    if len(raised) > LONGEST or len(raised) < 2 or all(len(w.rstrip(".")) < 2 for w in raised):
        return ""
    return " ".join(words)
