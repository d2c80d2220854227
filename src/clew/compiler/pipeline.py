"""From a request to a compiled context, one stage after the other. A pure function: the same request, the same bytes.

validate → classify → dedup → score → cut into pieces → pack → assemble → account
"""

from __future__ import annotations

from clew.compiler.account import account
from clew.compiler.classify import RULE_IDS
from clew.compiler.dedup import mark_duplicates
from clew.compiler.media import image_tokens
from clew.compiler.pack import pack
from clew.compiler.prepare import forgo, prepare
from clew.compiler.request import parse_request
from clew.compiler.score import score
from clew.compiler.values import Candidate, Compiled, Request
from clew.errors import InvalidInput
from clew.limits import TOKENS_MAX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from clew.compiler.values import Counter, Reranker
    from clew.compiler.work import Work


FAR = 2  # times the budget


def compile_request(request: Request | Mapping[str, Any], counter: Counter, reranker: Reranker | None = None) -> Compiled:
    """The compiled context of a request, given as plain values or already valid.

    `counter` counts tokens; the budget, and every figure, are in its tokens. `reranker(query, candidates)` hands back the same candidates
    in the order in which they are to be packed, within what is equally critical and of equal priority. Raises InvalidInput.
    """
    valid = request if isinstance(request, Request) else parse_request(request, RULE_IDS)
    policy = valid.policy
    works = prepare(valid)
    available = valid.token_budget - policy.response_reserve_tokens
    for work in works:
        _count(work, counter, available)
    mark_duplicates(works, policy)
    scale = score(works, valid.query, policy.importance)
    for work in works:
        if work.form == "same":
            work.tokens = counter.count(work.text)
    if reranker is not None:
        _rerank(works, valid.query, reranker)
    done = pack(works, scale, available, policy=policy, counter=counter)
    compiled = account(works, done, available=available, pricing=policy.pricing)
    return compiled._replace(warnings=(*_uncut(valid), *compiled.warnings))


def _uncut(request: Request) -> tuple[str, ...]:
    """Why nothing was cut though the request names who will read it."""
    if request.model is None or request.token_budget < TOKENS_MAX:
        return ()
    return (f"the window of model {request.model} is not known, so nothing was cut; give a token_budget",)


def _count(work: Work, counter: Counter, available: int) -> None:
    """Fill in the tokens of a work. What is shorter in characters alone has won nothing: such a log stays as it is, such a diff a handle.

    A log that is much too large for the budget even when collapsed is not counted again: it will be cut, and its pieces counted.
    """
    media = work.fragment.media
    images = image_tokens(media.bytes, counter) if media else 0
    into = counter.count(work.fragment.content)
    work.tokens_in = into + images
    work.image_tokens = images if work.form == "whole" else 0
    if work.form == "whole":
        work.tokens = work.tokens_in
        return
    expected = into * len(work.text) // max(1, len(work.fragment.content))
    if work.form == "collapsed" and expected > FAR * available:
        work.tokens = expected
        return
    work.tokens = counter.count(work.text)
    if work.form in ("collapsed", "diff") and work.tokens >= into:
        forgo(work)
        work.tokens = into if work.form == "whole" else counter.count(work.text)


def _rerank(works: list[Work], query: str, reranker: Reranker) -> None:
    pool = {work.index: work for work in works if not work.dropped and not work.cached and work.form != "handle"}
    shown = [Candidate(work.index, work.text, work.relevance) for work in sorted(pool.values(), key=lambda w: (-w.blend, w.index))]
    returned = reranker(query, tuple(shown)) if callable(reranker) else None
    ordered = [getattr(candidate, "fragment", -1) for candidate in returned] if hasattr(returned, "__iter__") else []
    if len(ordered) != len(pool) or set(ordered) != set(pool):
        raise InvalidInput("reranker", "must hand back exactly the candidates it was given, in another order")
    for place, index in enumerate(ordered):
        pool[index].order = place
        pool[index].reasons.append(f"place {place + 1} by the reranker")
