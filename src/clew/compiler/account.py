"""What became of every fragment, how risky that is, and what it saved. Loss is never called saving.

Risk of a fragment: low when all that is unique in it is in the content; medium when something unique is behind a handle only; high when
that was critical. The risk of the whole is the highest of them.
"""

from __future__ import annotations

from clew.compiler.classify import OUTSIDE
from clew.compiler.units import GRAVE
from clew.compiler.values import RISKS, Account, Compiled, Decision, Insight, Source
from clew.compiler.work import SHOWN, handle_of, hash_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.compiler.assemble import Assembled
    from clew.compiler.values import Pricing
    from clew.compiler.work import Work

WARNINGS = 50  # lines; more are counted
LARGE_SHARE = 0.5  # of all tokens in one fragment is worth a word
_KEPT = {"whole": "whole", "collapsed": "collapsed", "diff": "diff", "handle": "none", "same": "none"}


def account(works: Sequence[Work], done: Assembled, *, available: int, pricing: Pricing | None) -> Compiled:
    """The compiled context from what was chosen and assembled."""
    decisions = tuple(_decision(work) for work in works)
    sums = {name: sum(getattr(decision, name) for decision in decisions) for name in ("tokens_in", "saved", "externalised", "lost")}
    sums["tokens_out"] = done.tokens
    kept = sums["tokens_in"] - sums["saved"] - sums["externalised"] - sums["lost"]
    cost = sums["saved"] * pricing.input_per_million / 1e6 if pricing else None
    warnings = [_warning(work, decision) for work, decision in zip(works, decisions, strict=True) if decision.risk == "high"]
    rest = [f"{len(warnings) - WARNINGS} more critical fragments are not complete in the content"] if len(warnings) > WARNINGS else []
    return Compiled(
        content=done.content,
        cache_chars=done.cache_chars,
        media=tuple((work.index, work.fragment.media) for work in works if work.chosen and work.fragment.media and work.form == "whole"),
        sections=done.sections,
        decisions=decisions,
        sources=_sources(works, decisions),
        account=Account(kept=kept, budget=available, saved_cost=cost, currency=pricing.currency if pricing else None, **sums),
        risk=max((decision.risk for decision in decisions), key=RISKS.index, default="low"),
        warnings=(*warnings[:WARNINGS], *rest),
        insights=tuple(_insights(decisions)),
    )


def _decision(work: Work) -> Decision:
    kept = _kept(work)
    root = work.original or work
    rule = work.settled or work.rule.id
    reasons = list(work.reasons)
    if kept == "part" or (kept == "none" and not _settled(work)):
        rule = "budget.externalize"
        reasons.append(_room(work, kept))
    elif work.settled:
        reasons.append(OUTSIDE[rule])
    out, saved, externalised, lost = _tokens(work, kept)
    critical = root.critical if work.dropped else work.critical
    return Decision(
        fragment=work.index,
        id=work.fragment.id,
        action={"drop": "drop", "budget": "externalize", "retrieve": "retrieve"}.get(rule.partition(".")[0], work.rule.action),
        rule=rule,
        classified=work.rule.id,
        critical=critical,
        kept=kept,
        reason="; ".join(reasons),
        relevance=round(work.relevance, 6),
        risk=_risk(work, kept, critical),
        hash=work.hash,
        tokens_in=work.tokens_in,
        tokens_out=out,
        saved=saved,
        externalised=externalised,
        lost=lost,
        section=("cache" if work.cached else "body") if work.chosen else "",
        handles=() if kept == "whole" else _handles(work),
        duplicate_of=root.index if work.dropped else work.base.index if work.form == "same" and work.base else None,
    )


def _settled(work: Work) -> bool:
    """Whether it is for its rule, not for the budget, that nothing of it is emitted: a duplicate of what is, a marker in its place."""
    if work.dropped:
        return _emitted_whole(work)
    return work.form == "handle" or (work.form == "same" and bool(work.chosen))


def _kept(work: Work) -> str:
    if work.dropped or not work.chosen:
        return "none"
    return _KEPT[work.form] if work.whole else "part"


def _emitted_whole(work: Work | None) -> bool:
    """Whether its content, or that of the one it is a duplicate of, stands in the output byte for byte."""
    shown = work and (work.original or work)
    return shown is not None and shown.form == "whole" and bool(shown.chosen) and shown.whole


def _complete(work: Work) -> bool:
    """Whether all that is unique in it is in the content."""
    if work.dropped:
        return _emitted_whole(work)
    if not work.chosen or not work.whole or work.form == "handle":
        return not work.fragment.content.strip() and work.fragment.media is None
    if work.form == "collapsed":
        return work.collapsed is not None and not work.collapsed.lossy
    if work.form == "diff":
        return _emitted_whole(work.base)
    return work.form == "whole" or (work.base is not None and _complete(work.base))


def _risk(work: Work, kept: str, critical: bool) -> str:
    if _complete(work):
        return "low"
    return "high" if critical or (work.form == "collapsed" and kept in ("part", "none") and _failure_left_out(work)) else "medium"


def _failure_left_out(work: Work) -> bool:
    """Whether a log that was cut lacks one of its failures."""
    return any(carried == GRAVE and number not in work.chosen for number, (_, _, carried) in enumerate(work.pieces))


def _tokens(work: Work, kept: str) -> tuple[int, int, int, int]:
    """(out, saved, externalised, lost): what is in the output, and where the rest of `tokens_in` went."""
    into = work.tokens_in
    if work.dropped and _emitted_whole(work):
        return 0, into, 0, 0
    if kept == "none":
        out = work.tokens if work.chosen else 0
        if work.form == "same" and work.chosen and work.base is not None and work.base.chosen and work.base.whole:
            return out, max(0, into - out), 0, 0
        return out, 0, into, 0
    if kept == "whole":
        return into, 0, 0, 0
    if kept != "part":
        saved = max(0, into - work.tokens)
        if kept == "collapsed":
            aside = _aside(work, saved)
            return work.tokens, saved - aside, aside, 0
        return (work.tokens, saved, 0, 0) if _emitted_whole(work.base) else (work.tokens, 0, 0, saved)
    out = min(into, work.tokens_part)
    saved = max(0, into - work.tokens) * out // max(1, work.tokens)  # only what the lines that are left stand for
    saved = min(saved, into - out)
    aside = _aside(work, saved)
    return out, saved - aside, aside, into - out - saved


def _aside(work: Work, saved: int) -> int:
    """Of the tokens that a collapsed log is shorter by, those of the values that a range only bounds: nothing in the content says them."""
    if work.form != "collapsed" or work.collapsed is None:
        return 0
    shorter = max(1, len(work.fragment.content) - len(work.text))
    aside: int = -(-saved * min(work.collapsed.unsaid, shorter) // shorter)
    return aside


def _room(work: Work, kept: str) -> str:
    if kept == "part":
        return f"the budget had room for {len(work.chosen)} of its {len(work.pieces)} parts"
    if work.original is not None:
        return f"the same as fragment {work.original.index}, which is not emitted whole"
    return OUTSIDE["budget.externalize"]


def _handles(work: Work) -> tuple[str, ...]:
    own = handle_of(work.hash)
    return (own, handle_of(hash_of(work.encoded))) if work.fragment.media and work.encoded else (own,)


def _sources(works: Sequence[Work], decisions: Sequence[Decision]) -> dict[str, Source]:
    """handle → original bytes, of everything that is not emitted whole."""
    found: dict[str, Source] = {}
    for work, decision in zip(works, decisions, strict=True):
        if not decision.handles:
            continue
        media, handles = work.fragment.media, decision.handles
        found[handles[0]] = Source(handles[0], media.bytes, media.mime) if media else Source(handles[0], work.encoded)
        for handle in handles[1:]:
            found[handle] = Source(handle, work.encoded)
    return found


def _warning(work: Work, decision: Decision) -> str:
    name = work.fragment.path or work.fragment.kind
    what = "failures of a log" if work.form == "collapsed" else "critical content"
    state = "cut" if decision.kept == "part" else "set aside"
    return f"fragment {work.index} ({name[:120]}): {what} {state} for want of budget; {decision.handles[0][: SHOWN + 4]} has all of it"


def _insights(decisions: Sequence[Decision]) -> list[Insight]:
    found = []
    for code, sentence, rules in (
        ("rereads", "older readings of files stand as differences", ("delta.reread",)),
        ("logs", "logs say each template once", ("abstract.log_collapse",)),
        ("duplicates", "fragments were there twice", ("drop.duplicate", "drop.near_duplicate")),
        ("screenshots", "screenshots were superseded", ("retrieve.screenshot_superseded",)),
        ("budget", "fragments have no room in the budget", ("budget.externalize",)),
    ):
        hit = [d for d in decisions if d.rule in rules]
        if hit:
            found.append(Insight(code, f"{len(hit)} {sentence}", sum(d.tokens_in - d.tokens_out for d in hit)))
    everything = sum(d.tokens_in for d in decisions)
    largest = max(decisions, key=lambda d: (d.tokens_in, -d.fragment), default=None)
    if largest and len(decisions) > 1 and largest.tokens_in > LARGE_SHARE * everything:
        found.append(Insight("largest", f"fragment {largest.fragment} is more than half of the input", largest.tokens_in))
    cached = [d for d in decisions if d.section == "cache"]
    if cached:
        found.append(Insight("cache", f"{len(cached)} fragments form the cache section", sum(d.tokens_out for d in cached)))
    return found
