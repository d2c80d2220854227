"""Classify: every fragment meets the first rule of the table, and gets the text that may be emitted for it."""

from __future__ import annotations

from clew.compiler.classify import Sight, classify
from clew.compiler.delta import unified
from clew.compiler.logs import collapse, looks_like_log
from clew.compiler.work import Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from clew.compiler.values import Fragment, Policy, Request

MAYBE_LOGS = ("text", "tool_result", "log")  # any other kind says what it is, and that is no log
SUPERSEDED = "retrieve.screenshot_superseded"


def prepare(request: Request) -> list[Work]:
    """One work a fragment, in input order: rule, form and text settled, duplicates not yet looked for."""
    works = [Work(fragment) for fragment in request.fragments]
    disabled = frozenset(request.policy.disabled_rules)
    newest = _newest(works)
    if SUPERSEDED not in disabled:
        _supersede(works)
    for work in works:
        base = newest.get(_reading(work.fragment))
        _classify(work, base, request.policy, disabled)
    for work in works:
        _form(work)
    return works


def _reading(fragment: Fragment) -> tuple[str, str] | None:
    """What makes two fragments readings of the same thing: the path, and which part of it (`metadata.range`) where one says so."""
    if fragment.path is None or fragment.media is not None:
        return None
    return fragment.path, repr(fragment.metadata.get("range"))


def _newest(works: Iterable[Work]) -> dict[tuple[str, str] | None, Work]:
    found: dict[tuple[str, str] | None, Work] = {_reading(work.fragment): work for work in works}
    found.pop(None, None)
    return found


def _supersede(works: list[Work]) -> None:
    """Of the screenshots of one target all but the last are set aside; one marked verbatim or for the cache stays."""
    last: dict[str, Work] = {}
    for work in works:
        fragment = work.fragment
        target = fragment.metadata.get("target")
        kept = fragment.metadata.get("verbatim") is True or fragment.metadata.get("cache") is True
        if fragment.kind != "screenshot" or target is None or kept:
            continue
        earlier = last.get(repr(target))
        if earlier is not None:
            earlier.settled = SUPERSEDED
        last[repr(target)] = work


def _classify(work: Work, base: Work | None, policy: Policy, disabled: frozenset[str]) -> None:
    fragment = work.fragment
    looked: list[bool] = []  # the table asks twice

    def repeats() -> bool:
        if "abstract.log_collapse" in disabled or fragment.kind not in MAYBE_LOGS:
            return False
        if not looked:
            looked.append(fragment.kind == "log" or looks_like_log(fragment.content))
            work.collapsed = collapse(fragment.content, normalise=policy.normalise_logs) if looked[0] else None
        return work.collapsed is not None and len(work.collapsed.text) < len(fragment.content)

    reread = base is not None and base is not work and base.fragment.content != fragment.content
    work.rule = classify(Sight(fragment, reread, repeats), disabled)
    work.critical = work.rule.critical and not work.settled
    work.cached = fragment.metadata.get("cache") is True and "cache.stable_prefix" not in disabled and not work.settled
    work.atomic = work.cached or work.rule.id in ("media.atomic", "preserve.marked_verbatim")
    work.base = base if work.rule.id == "delta.reread" else None
    work.reasons.append(work.rule.reason)


def _form(work: Work) -> None:
    """What may be emitted. A screenshot that was superseded and an old reading without a shorter diff leave a marker with their handle."""
    if work.settled:
        work.form, work.text, work.atomic = "handle", f"[earlier screenshot set aside: {work.mark()}]\n", True
    elif work.rule.id == "abstract.log_collapse" and work.collapsed is not None and not work.cached:
        work.form, work.text = "collapsed", work.collapsed.text
        work.reasons.append(f"{work.collapsed.lines_in} lines as {work.collapsed.lines_out}")
    elif work.base is not None and not work.cached:
        work.form, work.text = _difference(work, work.base)
        work.atomic = True


def _difference(work: Work, base: Work) -> tuple[str, str]:
    """(form, text) of an older reading: a diff against the newest where that is shorter and the newest is there to be read."""
    path, content = work.fragment.path or "", work.fragment.content
    if base.rule.id != "abstract.log_collapse":
        diff = unified(base.fragment.content, content, path)
        if diff and len(diff) < len(content):
            work.reasons.append(f"a diff of {diff.count(chr(10))} lines against fragment {base.index}")
            return "diff", diff
        if not diff and content:  # the same lines under other numbers
            return "diff", f"[{path}: as in its newest reading, other line numbers: {work.mark()}]\n"
    return _set_aside(work)


def _set_aside(work: Work) -> tuple[str, str]:
    """(form, text) of an older reading that has only its handle: a marker, unless the reading itself is hardly longer."""
    work.reasons.append("a diff against the newest reading would be no shorter")
    marker = f"[earlier reading of {work.fragment.path} set aside: {work.mark()}]\n"
    return "handle", marker if len(marker) < len(work.fragment.content) else ""


def forgo(work: Work) -> None:
    """Take back a shorter form that has no fewer tokens: a log stays as it is, an older reading has only its handle."""
    if work.form == "collapsed":
        work.form, work.text, work.collapsed = "whole", work.fragment.content, None
        work.reasons[-1] = "no fewer tokens as a collapsed log"
    else:
        work.reasons.pop()
        work.form, work.text = _set_aside(work)
