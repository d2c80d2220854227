"""Names before the files of a compiled context: a reader sees what is from where, and the budget holds with them."""

from __future__ import annotations

from clew.cli import render
from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Ask = Callable[[Mapping[str, Any]], Any]

TRIES = 4  # less room may bring in other fragments, with longer names
JOINED = 2  # tokens that a name may cost where it meets the text
TRIAL = {"store_sources": False, "record_events": False}  # policy of a compilation that nobody sees


def fitting(ask: Ask, names: Callable[[int], str], count: Callable[[str], int], budget: int | None) -> Any:
    """What `ask(policy)` compiles, with names, in no more than `budget` tokens, names included; `count` counts tokens.

    Raises InvalidInput where the names leave no room.
    """
    reserve = 0
    for _ in range(TRIES):
        trial = ask({**TRIAL, "response_reserve_tokens": reserve})
        lines = headers(trial, names).values()
        needed = count("".join(lines)) + JOINED * len(lines)
        if budget is None or trial.account.tokens_out + needed <= budget:
            return headed(ask({"response_reserve_tokens": reserve}), names, needed)
        reserve = max(needed, reserve + 1)
        if reserve >= budget:
            break
    raise InvalidInput("--names", f"the names need {needed:,} tokens of {budget:,}; give a larger --budget, or leave --names out")


def headers(compiled: Any, names: Callable[[int], str]) -> dict[int, str]:
    """The line before each fragment that is in the content, by the fragment's place."""
    return {s.fragment: f"==> {render.line(names(s.fragment))} <==\n" for s in compiled.sections if s.end > s.start}


def headed(compiled: Any, names: Callable[[int], str], tokens: int) -> Any:
    """The compiled context with its names, which count `tokens`; sections still say where each fragment stands."""
    lines = headers(compiled, names)
    parts, sections, at, added, cached = [], [], 0, 0, 0
    for section in compiled.sections:
        mark = lines.get(section.fragment, "")
        parts += [compiled.content[at : section.start], mark]
        at, added = section.start, added + len(mark)
        cached = added if section.name == "cache" else cached
        sections.append(section._replace(start=section.start + added, end=section.end + added))
    account = compiled.account
    return compiled._replace(
        content="".join([*parts, compiled.content[at:]]),
        cache_chars=compiled.cache_chars + cached,
        sections=tuple(sections),
        account=account._replace(tokens_out=account.tokens_out + tokens),
    )
