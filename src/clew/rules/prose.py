"""Prose as memories: the sentences that state a decision, a preference, a procedure or a fact, and which of them is the reason of which.

Precision first: questions, guesses, small talk and sentences that do not stand alone are left out. No model, no grammar: tables of wording.
"""

from __future__ import annotations

import re

from clew.limits import SUMMARY_CHARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

MOST = 200  # memories one text gives
FEWEST_WORDS = 3  # of a sentence that says something
LONGEST = 2 * SUMMARY_CHARS + 100  # characters of a sentence that can be a memory and its reason
DETAIL_CHARS = 4_000  # of what later sentences add to a memory
_ABBREVIATION = 12  # characters that the longest abbreviation and what stands before it take


class Piece(NamedTuple):
    """One memory out of a text: `because` holds the places, in the list of pieces, of those that are its reasons."""

    summary: str
    kind: str
    detail: str = ""
    because: tuple[int, ...] = ()


_FENCE = re.compile(r"(`{3,}|~{3,})(.*)", re.S)
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.S)
# Headings, tables, quotations, pictures, rules, directives of reStructuredText.
_UNREAD = re.compile(r"\s*(?:#{1,6}\s|\||>|!\[|<!--|={3,}|-{3,}$|\*{3,}$|\[[^\]]+\]:|\.\.\s)")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_LABELLED = re.compile(r"\s*(\*\*|__)[^*_\n]{1,40}?(?::\1|\1:)\s")  # `**Decision**: …` on a line of its own
# Before what begins a sentence: a digit, a sign, or a letter that is no small one.
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[`]?(?:[^\W_a-zß-öø-ÿа-яα-ω]|[`#@/]))|(?<=[。！？])")
_SHORTENED = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|mr|mrs|dr|fig|resp|incl|st)|\b[A-Z])\.$", re.I)

_ASKS = re.compile(r"\?\s*$")
_ANNOUNCES = re.compile(r":[*_]{0,2}\s*$")  # a list or code that is not in it
_GUESS = re.compile(
    r"\b(?:maybe|perhaps|might|possibly|probably|i (?:think|guess|wonder|suppose|assume|hope)|not sure|unsure|seems?|could be|what if"
    r"|todo|tbd)\b",
    re.I,
)
_TALK = re.compile(
    r"(?:hi|hello|hey|thanks|thank you|ok|okay|great|cool|sorry|sure|yes|no problem|sounds good|let me|let's see|i(?:'ll| will| am|'m| was"
    r"| went| just| did| have| had| can| saw)|see (?:below|above)|as (?:discussed|mentioned)|welcome)\b",
    re.I,
)
_LEANS = re.compile(
    r"(?:it|its|this|that|these|those|they|them|their|he|she|his|her|both|such|which|here|there|also|but|and|or|then)\b", re.I
)
_BACK = re.compile(r"\b(?:it|they|them|he|she|him|this|those)\b", re.I)  # in either half of a sentence it may mean the other
_FOLLOWS = re.compile(
    r"(?:so|therefore|hence|thus|consequently|as a (?:result|consequence)|(?:that|this)(?: is|['’]s) why|for (?:that|this) reason"
    r"|because of (?:that|this)|which is why)[,:]?\s+(?!far\b|on\b|that\b)",
    re.I,
)
_GIVES = re.compile(
    r"(?:(?:the|our) (?:reason|cause)(?: for (?:that|this|it))? (?:is|was)(?: that)?|(?:this|that|it) (?:is|was) because)[,:]?\s+", re.I
)
_BEHIND = re.compile(r"(?P<said>.+?),?\s+(?:because|since(?= [a-z]+ [a-z]+)|as(?= (?:the|our|we|it) ))\s+(?P<reason>(?!of\b).+)", re.S)
_BEFORE = re.compile(r"(?:because|since|as)\s+(?P<reason>[^,]+),\s+(?P<said>.+)", re.S | re.I)
_BETWEEN = re.compile(r"(?P<reason>.+?)(?:,\s*(?:and\s+)?so|;\s*(?:so|therefore|hence)),?\s+(?!that\b)(?P<said>.+)", re.S)
_REASONED = (_BEFORE, _BEHIND, _BETWEEN)

_VERB = (
    r"(?:is|are|was|were|has|have|had|does|do|did|can(?:not|'t)?|must|should|will|won't|cost|keep|kept|lost|need|run|use|fail|break|broke"
    r"|\w{2,}(?:s|ed))"
)
_STANDS = re.compile(rf"(?:\S+\s+){{1,8}}?{_VERB}\b.*\S", re.S)
# The first kind whose wording a sentence has.
_KINDS = tuple(
    (kind, re.compile(pattern, re.I))
    for kind, pattern in (
        (
            "feedback",
            r"\b(?:i|we|user|users|\w+) (?:strongly )?(?:prefers?|likes? (?:it|to|when)|dislikes?|hates?"
            r"|wants? (?:you|us|the|all|no|every))\b"
            r"|^please (?:always|never|do not|don't|stop|use|keep)\b|\b(?:asked|told) (?:us|you|me) (?:to|not to)\b",
        ),
        (
            "decision",
            r"(?<!\bbe )(?<!\bwhat is )(?<!\bwhat was )\b"
            r"(?:decided|decision|chose|chosen|agreed|settled on|picked|opted|adopt(?:s|ed)?|rejected|ruled out|instead of|rather than"
            r"|in favou?r of|switch(?:ed|ing)? (?:to|from)|mov(?:ed|ing|e) (?:from|to)|migrat(?:ed|ing|e) (?:from|to)|replac(?:ed|es|ing)"
            r"|revert(?:ed|s)|deprecated|standardi[sz]ed? on|go(?:ing)? with|no longer|from now on"
            r"|we (?:will |'ll |now |always |never |only )?(?:use|keep|drop|stop|allow|require|avoid|ship|pin))\b"
            r"|^(?:use|adopt|prefer|avoid|never|always|do not|don't|drop|keep|pin|only|stop)\b",
        ),
        (
            "procedure",
            r"^(?:to|in order to|when(?:ever)?|before|after|if|every time)\b[^,]*,\s*(?:you |we )?(?:must |should |always |first )?[a-z]+\b"
            r"|^(?:first|then|next|finally|step \d+)[,:]|^(?:run|call|install|open|copy|start|stop|restart|deploy|build|test|rebase|tag"
            r"|merge|push|create|add|set|export|check|make sure|ask|wait|restore|rotate|apply)\b"
            r"|\bmust (?:be|always|never|not)\b.*\b(?:before|after|when)\b",
        ),
        (
            "fact",
            r"\b(?:is|are|was|were|has|have|had|listens?|runs?|expires?|lives?|owns?|depends?|requires?|needs?|costs?|takes?|fails?|failed"
            r"|breaks?|broke|returns?|stores?|supports?|means?|uses?|holds?|contains?|sends?|reads?|writes?|loses?|lost|limits?|allows?"
            r"|causes?|caused|drops?|dropped|leaks?|crash(?:es|ed)?|times? out|defaults? to|lasts?|starts?|ends?|keeps?|kept|works?|serves?"
            r"|handles?|calls?|ships?|bill(?:s|ed)|must|cannot|can't|does not|doesn't|did not|didn't)\b"
            r"|^(?:the|our|every|each|all|an?)\b(?:\s+\S+){1,5}?\s+\w{3,}(?:s|ed)\b"
            r"|^we (?!went|met|saw|talk|discuss|were|had|are|did|look|spent|tried)\w{3,}\b",
        ),
    )
)
_ANCHOR = re.compile(r"\d|`|[a-z][A-Z]|\w_\w|\w/\w|\w\.\w|(?<=\s)[A-Z]\w|\b(?i:the|our|every|each|all|no)\s+\w+", re.S)


def pieces(text: str) -> list[Piece]:
    """The memories that `text` holds, in its order, each once, with their reasons; at most MOST. Pure."""
    found: list[Piece] = []
    place: dict[str, int] = {}
    for paragraph in _paragraphs(text):
        last: int | None = None
        for sentence in _sentences(paragraph):
            last = _taken_in(found, place, sentence, last) if len(sentence) <= LONGEST else None
            if len(found) >= MOST:
                return found[:MOST]
    return found


def sentences(text: str) -> list[str]:
    """The sentences of a text that could state something, in order; headings, tables, quotations and code left out. Pure."""
    return [sentence for paragraph in _paragraphs(text) for sentence in _sentences(paragraph)]


def _taken_in(found: list[Piece], place: dict[str, int], sentence: str, last: int | None) -> int | None:
    """The place of what the sentence says, with its reason beside it; None where it says nothing."""
    follows, gives = _FOLLOWS.match(sentence), _GIVES.match(sentence)
    opening = follows or gives
    rest = _capital(sentence[opening.end() :]) if opening else sentence
    said, reason = _reasoned(rest)
    at = _kept(found, place, said, rest if reason else "", anchored=not gives)
    if at is None and last is not None and not opening and _LEANS.match(sentence):
        _told_more(found, last, sentence)
        return last
    if at is None:
        return None
    if reason and (cause := _kept(found, place, reason, "", anchored=False)) is not None:
        _because(found, at, cause)
    if last is not None and opening:
        _because(found, *((at, last) if follows else (last, at)))
    return at


def _kept(found: list[Piece], place: dict[str, int], sentence: str, detail: str, *, anchored: bool = True) -> int | None:
    summary = sentence.rstrip(" .;:,!")
    key = " ".join(summary.casefold().split())
    if key not in place:
        kind = kind_of(sentence, anchored=anchored)
        if not kind or len(summary) > SUMMARY_CHARS:
            return None
        place[key] = len(found)
        found.append(Piece(summary, kind, detail))
    return place[key]


def kind_of(sentence: str, *, anchored: bool = True) -> str:
    """The kind of memory that a sentence is by its wording, "" for one that is none.

    A fact must be `anchored` in something that has a name, a number or an article, unless it is a reason, which what it is for anchors.
    """
    if len(sentence.split()) < FEWEST_WORDS or any(sign.search(sentence) for sign in (_ASKS, _ANNOUNCES, _GUESS)):
        return ""
    kind = next((kind for kind, wording in _KINDS if wording.search(sentence)), "")
    if not kind or (kind != "feedback" and (_TALK.match(sentence) or _LEANS.match(sentence))):
        return ""
    return kind if kind != "fact" or not anchored or _ANCHOR.search(sentence) else ""


def _because(found: list[Piece], at: int, cause: int) -> None:
    if at != cause and cause not in found[at].because and at not in found[cause].because:
        found[at] = found[at]._replace(because=(*found[at].because, cause))


def _told_more(found: list[Piece], at: int, sentence: str) -> None:
    """A sentence that leans on the one before it belongs to it."""
    piece = found[at]
    if not _ASKS.search(sentence) and len(piece.detail) + len(sentence) <= DETAIL_CHARS:
        found[at] = piece._replace(detail=f"{piece.detail or piece.summary + '.'} {sentence}")


def _reasoned(sentence: str) -> tuple[str, str]:
    """(what is said, its reason as a sentence of its own); a reason that does not stand alone stays where it is."""
    for pattern in _REASONED:
        parts = pattern.fullmatch(sentence)
        if parts is not None:
            said, reason = _capital(parts["said"].strip()), _capital(parts["reason"].strip())
            if kind_of(said) and kind_of(reason, anchored=False) and _STANDS.fullmatch(reason) and not _BACK.search(said + " " + reason):
                return said, reason
    return sentence, ""


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:] if sentence[:1].islower() and sentence.split()[0].isalpha() else sentence


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs and list items, each as one line; code, headings, tables and quotations left out."""
    kept: list[str] = []
    for line in _without_code(_FRONT.sub("", text.replace("\r\n", "\n")).split("\n")):
        bullet = _BULLET.match(line)
        if kept and (bullet or not line.strip() or _UNREAD.match(line) or _LABELLED.match(line)):
            yield " ".join(kept)
            kept = []
        if line.strip() and not _UNREAD.match(line):
            kept.append(" ".join((line[bullet.end() :] if bullet else line).split()))
    if kept:
        yield " ".join(kept)


def _without_code(lines: Sequence[str]) -> Iterator[str]:
    """The lines outside of fences, an empty one in the place of each; a fence that nothing closes is none."""
    fences = {at: found for at, line in enumerate(lines) if (found := _FENCE.match(line))}
    longest, closed = {"`": 0, "~": 0}, set()  # of the lines below, the most signs that one which may close consists of
    for at in reversed(fences):
        signs, rest = fences[at].groups()
        if longest[signs[0]] >= len(signs):
            closed.add(at)
        if not rest.strip():
            longest[signs[0]] = max(longest[signs[0]], len(signs))
    opened = ""
    for at, line in enumerate(lines):
        if opened:
            if at in fences and fences[at][1].startswith(opened) and not fences[at][2].strip():
                opened = ""
        elif at in fences:
            opened = fences[at][1] if at in closed else ""
            yield ""
        else:
            yield line


def _sentences(paragraph: str) -> Sequence[str]:
    parts: list[list[str]] = []
    for part in _END.split(paragraph):
        if parts and _SHORTENED.search(parts[-1][-1][-_ABBREVIATION:]):
            parts[-1].append(part)
        else:
            parts.append([part])
    joined = (" ".join(part).strip() for part in parts)
    return [sentence for sentence in joined if sentence]
