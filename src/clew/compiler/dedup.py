"""What is said twice: the same bytes, or the same words in another dress. What comes first in the output survives.

Near means: equal but for white space, the case of plain words, and punctuation around words. A sign inside a token (`-1`, `1.5`, `a!=b`),
one that stands alone or at a name (`build/*`, `f()`, `_x`, `5'`), a question mark, how far lines are indented beside one another and the
case of names (`MAX_SIZE`) make a difference, because there they are the meaning.
"""

from __future__ import annotations

from clew.compiler.work import Work, hash_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from clew.compiler.values import Policy

_OPENING = "\"'“”„‘’«»()[]{}`—–…、。「」『』¿¡"  # around a word; what may stand for a sign (! - + # @ .) only behind it
_CLOSING = _OPENING + ".,;:!。，；：！"
_ALONE = "“”„«»—–…、。「」『』.!！"  # between words; other signs that stand alone are meant (`[]`, `*`, `,`)
_EMPTY = ("()", "[]", "{}", '""', "''", "``")
_DRESS = dict.fromkeys(map(ord, _CLOSING + "*_?？ \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"))
NEAR_KINDS = ("text", "markdown", "memory", "tool_result", "log")
NOT_NEAR = (
    "media.atomic",
    "preserve.marked_verbatim",
    "cache.stable_prefix",
    "preserve.code_fence",
    "delta.reread",
    "abstract.log_collapse",
)


def mark_duplicates(works: list[Work], policy: Policy) -> None:
    """Give each duplicate its `original`, or the form `same` where the original is not emitted whole. The original takes over what
    its duplicates ask for: the highest priority, to be critical, to be whole."""
    ordered = sorted(works, key=lambda work: not work.cached)  # the cache section comes first in the output
    exact = [work for work in ordered if not work.settled and (work.text or work.fragment.media)]
    if "drop.duplicate" not in policy.disabled_rules:
        for group in _groups((work, _content(work)) for work in exact):
            _exact(group)
    if policy.near_duplicates and "drop.near_duplicate" not in policy.disabled_rules:
        near = [work for work in exact if _may_be_near(work)]
        for alike in _groups((work, _letters(work.fragment.content)) for work in near):
            for group in _groups((work, (folded, _steps(text))) for work in alike if (folded := normalised(text := work.fragment.content))):
                _drop(group[0], group[1:], "drop.near_duplicate")
        for work in works:
            if work.original is not None and work.original.original is not None:  # of bytes that are now emitted in another dress
                work.original, work.settled = work.original.original, "drop.near_duplicate"


def _content(work: Work) -> Hashable:
    """What is equal in exact duplicates: the decoded bytes, and the text beside them."""
    return work.hash, hash_of(work.encoded) if work.fragment.media else ""


def _may_be_near(work: Work) -> bool:
    return not work.dropped and (work.cached or (work.rule.id not in NOT_NEAR and work.fragment.kind in NEAR_KINDS and not work.atomic))


def _groups(keyed: Iterable[tuple[Work, Hashable]]) -> list[list[Work]]:
    found: dict[Hashable, list[Work]] = {}
    for work, key in keyed:
        found.setdefault(key, []).append(work)
    return [group for group in found.values() if len(group) > 1]


def _exact(group: list[Work]) -> None:
    first = next((work for work in group if work.form == "whole"), group[0])
    others = [work for work in group if work is not first]
    if first.form == "whole":
        _drop(first, others, "drop.duplicate")
        return
    for work in others:
        if work.form in ("collapsed", "diff"):  # its text is not there to point to, only a shorter form of it
            work.form, work.text, work.atomic, work.base = "same", f"[the same again: {work.mark()}]\n", True, first
            work.reasons.append(f"the same text as fragment {first.index}")


def _drop(first: Work, others: list[Work], rule: str) -> None:
    for work in others:
        if work.cached and rule != "drop.duplicate":
            continue  # the cache section keeps its bytes
        work.original, work.settled = first, rule
        first.priority = max(first.priority, work.priority)
        first.critical, first.atomic = first.critical or work.critical, first.atomic or work.atomic


def _letters(text: str) -> str:
    """What near duplicates share at least; it takes a tenth of the time that the words take."""
    return text.casefold().translate(_DRESS)


def normalised(text: str) -> str:
    """The words of a text as near duplicates share them, joined by spaces."""
    return " ".join(filter(None, map(_bare, text.split())))


def _steps(text: str) -> tuple[int, ...]:
    """How deep each line stands beside the others, where they differ: in YAML or an outline that is the meaning."""
    depths = [len(line) - len(line.lstrip()) for line in text.splitlines() if line.strip()]
    ranks = {depth: rank for rank, depth in enumerate(sorted(set(depths)))}
    return tuple(ranks[depth] for depth in depths) if len(ranks) > 1 else ()


def _bare(token: str) -> str:
    """A token without what only dresses it; whole where that is all there is, or belongs to a name or number."""
    rest = token.rstrip(".,;:!。，；：！")
    if not token.strip(_ALONE) or any(pair in token for pair in _EMPTY):
        return token.strip(_ALONE) and rest
    word = rest.rstrip(_CLOSING).lstrip(_OPENING)
    for sign in ("**", "*", "_"):
        if len(word) > 2 * len(sign) and word.startswith(sign) and word.endswith(sign) and word[len(sign) : -len(sign)].isalpha():
            word = word[len(sign) : -len(sign)]  # emphasis
    if not word:
        return token
    if word.isalpha():
        return word.casefold()
    start = token.index(word)
    sign, unit = token[start - 1 : start], token[start + len(word) :][:1]
    word = sign + word if word[0].isdigit() and sign in ("–", "—") else word
    return word + unit if word[-1].isdigit() and unit in ("'", '"') and unit not in token[:start] else word
