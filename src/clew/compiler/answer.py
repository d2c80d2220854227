"""A compiled context as plain values for JSON: all of it, or the slim form an agent reads."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter as Tally

from clew.compiler.request import shown_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from clew.compiler.explain import Explained
    from clew.compiler.values import Compiled, Decision

SLIM_WARNINGS = 5


def full_response(compiled: Compiled) -> dict[str, Any]:
    """Everything but the bytes behind the handles: content, sections, decisions, account, risk, warnings, insights, handles."""
    return {
        "content": compiled.content,
        "cache_chars": compiled.cache_chars,
        "tokens": compiled.account.tokens_out,
        "risk": compiled.risk,
        "warnings": list(compiled.warnings),
        "account": compiled.account._asdict(),
        "sections": [section._asdict() for section in compiled.sections],
        "decisions": [_decision(decision) for decision in compiled.decisions],
        "handles": [_handle(compiled, decision, handle) for decision in compiled.decisions for handle in decision.handles],
        "media": [{"fragment": place, "mime": m.mime, "bytes_b64": b64encode(m.bytes).decode()} for place, m in compiled.media],
        "insights": [insight._asdict() for insight in compiled.insights],
    }


def slim_response(compiled: Compiled) -> dict[str, Any]:
    """What an agent needs to go on: the content, what it cost, the risk, the first warnings, and a count by rule in place of decisions.

    Handles are left out where the content shows them; those of what is nowhere in the content are listed, without repeats.
    """
    hidden = [h for d in compiled.decisions if d.rule == "budget.externalize" and d.kept == "none" for h in d.handles]
    return {
        "content": compiled.content,
        "tokens": compiled.account.tokens_out,
        "saved": compiled.account.saved,
        "externalised": compiled.account.externalised,
        "lost": compiled.account.lost,
        "risk": compiled.risk,
        "warnings": list(compiled.warnings[:SLIM_WARNINGS]),
        "rules": dict(sorted(Tally(decision.rule for decision in compiled.decisions).items())),
        "handles": list(dict.fromkeys(hidden)),
        "media": [{"fragment": place, "mime": m.mime, "bytes_b64": b64encode(m.bytes).decode()} for place, m in compiled.media],
    }


def explained_response(found: Explained) -> dict[str, Any]:
    """What became of one fragment: its decision, what of it is emitted, and the risk and warnings of the whole."""
    return {**found._asdict(), "decision": _decision(found.decision), "warnings": list(found.warnings)}


def _decision(decision: Decision) -> dict[str, Any]:
    return {**decision._asdict(), "id": shown_id(decision.id), "handles": list(decision.handles)}


def _handle(compiled: Compiled, decision: Decision, handle: str) -> dict[str, Any]:
    source = compiled.sources[handle]
    return {"handle": handle, "fragment": decision.fragment, "id": shown_id(decision.id), "bytes": len(source.bytes), "mime": source.mime}
