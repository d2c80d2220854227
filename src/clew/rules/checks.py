"""Whether a new statement says what an older one says, or cannot be true beside it. Precision first: in doubt, neither.

Two statements are held against each other only where the same words are left once values, denials and filler are taken out, or where both
say of the same subject, in the same relation, what it is. Two true facts about different things differ in a word, and so never meet.
"""

from __future__ import annotations

from clew.rules import wording
from clew.rules.statements import Statement, stated

LOOSE = 8  # stems: the four words that a pattern takes for a slot or for what is rejected, and those of the verbs around them
KNOWN_ONLY = ("use", "role", "paid", "served")  # relations in which two things exclude each other only where something is known of them
VALUE, NEGATION, CHOICE = "changed value", "negation", "swapped choice"


def near_duplicate(new: str, old: str) -> bool:
    """Whether `new` says no more than `old` does, in other words or another order. Pure, symmetric."""
    return same(stated(new), stated(old))


def contradiction(new: str, old: str) -> str:
    """Why `new` and `old` cannot both hold: "changed value", "negation" or "swapped choice"; "" where they can. Pure, symmetric."""
    return clash(stated(new), stated(old))


def far(new: frozenset[str], old: frozenset[str]) -> bool:
    """Whether, by their gists, neither `same` nor `clash` can hold: each states more than LOOSE stems that the other does not."""
    return min(len(new), len(old)) - len(new & old) > LOOSE


def same(a: Statement, b: Statement) -> bool:
    """`near_duplicate` of statements that are taken apart already."""
    if a.denied != b.denied or (a.values, a.aside) != (b.values, b.aside) or len(a.words) + len(a.values) < 2:
        return False
    if a.relation and a.relation == b.relation:
        if (a.subject, a.slot) == (b.subject, b.slot):
            return not a.rejected or not b.rejected or a.rejected == b.rejected
        if a.rejected or b.rejected:
            return False
    return _aligned(a.words, b.words)


def clash(a: Statement, b: Statement) -> str:
    """`contradiction` of statements that are taken apart already."""
    if not a.words or not b.words:
        return ""
    if _about_the_same(a, b):
        if a.denied != b.denied:
            return NEGATION if a.values == b.values and len(a.words) + len(a.values) > 1 else ""
        return VALUE if _changed(a, b) else ""
    if a.relation and a.relation == b.relation:
        found = _other_slot(a, b)
        if found:
            return found
    return CHOICE if _other_manner(a, b) else ""


def _other_manner(a: Statement, b: Statement) -> bool:
    """The same thing done the other way round: manually, automatically."""
    if (a.denied, a.values, len(a.words)) != (b.denied, b.values, len(b.words)):
        return False
    apart = [{x, y} for x, y in zip(a.words, b.words, strict=True) if x != y]
    return len(apart) == 1 and any(apart[0] <= group for group in wording.MANNERS)


def _about_the_same(a: Statement, b: Statement) -> bool:
    if a.relation and a.relation == b.relation:
        return (a.subject, a.slot) == (b.subject, b.slot)
    return _aligned(a.words, b.words)


def _changed(a: Statement, b: Statement) -> bool:
    return not (a.event or b.event) and a.values != b.values and len(a.values) == len(b.values) > 0


def _other_slot(a: Statement, b: Statement) -> str:
    """Another thing in the same place of the same relation, and what was rejected taken up again."""
    if a.slot == b.slot and a.denied != b.denied and a.subject == b.subject:
        return NEGATION
    if a.denied or b.denied or set(a.slot) <= set(b.slot) or set(b.slot) <= set(a.slot):
        return ""
    if _takes_up(a, b) or _takes_up(b, a):
        return CHOICE
    if a.subject != b.subject or a.rejected or b.rejected or a.values != b.values:
        return ""
    if a.relation not in KNOWN_ONLY:
        return CHOICE if a.subject and not set(a.slot) & set(b.slot) and not (a.event or b.event) else ""
    return CHOICE if _exclude_each_other(a, b) else ""


def _takes_up(a: Statement, b: Statement) -> bool:
    """Whether `b` uses what `a` rejects, for the same purpose; two sentences that both weigh the two may leave the purpose out."""
    if not a.rejected or a.rejected != b.slot:
        return False
    both = a.slot == b.rejected
    return a.subject == b.subject or (both and not (a.subject and b.subject))


def _exclude_each_other(a: Statement, b: Statement) -> bool:
    """One purpose takes one of a kind: known alternatives, or, where nothing is known of either, two names."""
    groups = wording.ALTERNATIVES if a.subject else wording.EXCLUSIVE
    one, other = set(a.slot) - set(b.slot), set(b.slot) - set(a.slot)
    if any(one & group and other & group for group in groups):
        return True
    known = any((one | other) & group for group in wording.ALTERNATIVES)
    return bool(a.subject) and a.named and b.named and not known and len(one) == len(a.slot)


def _aligned(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """The same words in the same order, or with the opening clause moved to the end."""
    return len(one) == len(other) and any(one[at:] + one[:at] == other for at in range(len(one)))
