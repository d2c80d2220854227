"""Recall: a question becomes words and a vector, both searches answer, and one rule makes one order of it. Reads only."""

from __future__ import annotations

from clew import text
from clew.embed.everyday import nearness
from clew.engines.feedback import reordered
from clew.errors import InvalidInput, StoreDamaged
from clew.limits import QUESTION_BYTES
from clew.model import Hit, Signals
from clew.rules import bm25, fusion
from clew.rules.intake import sound
from clew.rules.learned import WEIGHTS, Weights, within
from clew.rules.thesaurus import also_said
from clew.store.searches import Asked, Lexical, Near, Saturation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clew.embed.base import Embedder
    from clew.model import Filter, Memory
    from clew.rules.times import Span
    from clew.store.base import Store
    from clew.store.searches import Statistics

POOL = 150  # candidates each search may bring
DIALOGUE_POOL = 300  # where memories carry turns: neighbours lend only inside the pool (LoCoMo recall@10 loses half a point at 200)
WIDER = 60  # direct answers that links and times may reorder
HEIRS = 10  # superseded memories whose successors may answer for them
NOTHING_SAID = Lexical([], [], [])
NOTHING_NEAR = Near({}, 0)
UNLINKED = "links and names are damaged, so this answer goes without them; `clew doctor` says what helps."


def recall(
    store: Store,
    embedder: Embedder | None,
    question: str,
    scope: Sequence[int],
    which: Filter,
    *,
    limit: int,
    method: str,
    words: bool = True,
    learned: Weights = WEIGHTS,
    graph: bool = True,
    dated: bool = True,
) -> tuple[list[Hit], str]:
    """(hits best first, what went wrong): at most `limit` that are relevant to `question`, none when nothing is.

    Without `words` no hit says which of the question's words it holds, which takes a hook as long as everything else here.
    `learned` says how much confidence and recency move a memory among those that are relevant. With `graph` what they are linked to, or
    share a name with, joins them; with `dated` those of a time that the question names gain.

    A search whose part of the file is damaged is left out and named in the second value; the other one still answers.
    Raises InvalidInput for an empty question or an unknown fusion, StoreError.
    """
    if method not in fusion.METHODS:
        raise InvalidInput("fusion", f"'{str(method)[:40]}' is not one of {', '.join(fusion.METHODS)}")
    asked_text = _shortened(question)
    if not asked_text:
        raise InvalidInput("question", "is empty; ask in words what is to be recalled")
    if not scope:
        return [], ""
    troubles: list[str] = []
    span = _time_of(asked_text, which.now) if dated else None
    which = _spoken_of(span, which)
    dialogue = store.has_turns(scope)
    pool = max(limit, DIALOGUE_POOL if dialogue else POOL)
    terms = text.question_terms(asked_text)
    bonus = text.bonus_terms(asked_text)
    weights, lexical = _by_words(store, (terms, bonus), scope, which, troubles, limit=pool)
    vector = embedder.embed(asked_text) if embedder else b""
    near = _by_meaning(store, vector, scope, which, troubles, limit=pool, also=lexical.ids)
    if embedder is not None and near.cosines:
        weights = weights._replace(everyday=nearness(embedder, vector))
    evidence = _evidence(lexical, near, store.turns if dialogue else None)
    farther = _farther(store, asked_text, scope, which, troubles, graph=graph, span=span) if graph or span else None
    kept = max(limit, WIDER) if farther else limit
    oldest, newest, judged = store.extent(scope)
    least = within(newest - oldest, judged, learned)
    found = fusion.answer(weights, evidence, method=method, limit=kept, within=least)
    if graph and _of_today(which) and store.has_superseded(scope):
        found = _inherited(store, found, (terms, bonus), scope, which, vector=vector, weights=weights)
    if least < 1.0:
        found = reordered(store, found, newest, now=which.now, limit=kept, weights=learned)
    if farther and found:
        found = farther(found)[:limit]
    memories = store.fetch([f.id for f in found])
    return [_hit(memories[f.id], f, terms if words else ()) for f in found if f.id in memories], " ".join(troubles)


def _time_of(question: str, now: float) -> Span | None:
    from clew.rules.times import asked  # a hook asks for no time

    return asked(question, now)


def _spoken_of(span: Span | None, which: Filter) -> Filter:
    """The filter, open also to what was or will be true at the time that the question speaks of, where that is not now."""
    if span is None or span.start <= which.now < span.end or not _of_today(which):
        return which
    return which._replace(spoken=(span.start, span.end))


def _of_today(which: Filter) -> bool:
    return which.as_of is None and not which.include_superseded and which.statuses == ("active",)


def _inherited(
    store: Store,
    found: Sequence[fusion.Fused],
    words: tuple[Sequence[str], Sequence[str]],
    scope: Sequence[int],
    which: Filter,
    *,
    vector: bytes,
    weights: fusion.Question,
) -> list[fusion.Fused]:
    """`found`, and what stands today for memories that would have answered had they not been superseded."""
    from clew.engines import reach

    ended, troubles = which._replace(statuses=("superseded",)), list[str]()
    _, lexical = _by_words(store, words, scope, ended, troubles, limit=WIDER)
    near = _by_meaning(store, vector, scope, ended, troubles, limit=WIDER, also=lexical.ids)
    old = fusion.answer(weights, _evidence(lexical, near, None), limit=HEIRS)
    return reach.inherited(store, found, old, scope, which)


def _farther(
    store: Store, question: str, scope: Sequence[int], which: Filter, troubles: list[str], *, graph: bool, span: Span | None
) -> Callable[[Sequence[fusion.Fused]], list[fusion.Fused]] | None:
    """What links and times make of what was found; None where the store has no links and the question no time."""
    from clew.engines import reach  # a hook asks for neither

    try:
        farther = reach.farther(store, question, scope, which, graph=graph, span=span)
    except StoreDamaged:
        troubles.append(UNLINKED)
        return None

    def walked(found: Sequence[fusion.Fused]) -> list[fusion.Fused]:
        try:
            return farther(found) if farther else list(found)
        except StoreDamaged:
            troubles.append(UNLINKED)
            return list(found)

    return walked if farther else None


def _shortened(question: str) -> str:
    """The first QUESTION_BYTES of a pasted question, cut between characters."""
    first = question.strip()[:QUESTION_BYTES] if isinstance(question, str) else question
    return sound(first, "question").encode()[:QUESTION_BYTES].decode(errors="ignore")


def _by_words(
    store: Store, words: tuple[Sequence[str], Sequence[str]], scope: Sequence[int], which: Filter, troubles: list[str], *, limit: int
) -> tuple[fusion.Question, Lexical]:
    try:
        asked, weights, mean = _asked(store, scope, *words)
        if not asked:
            return weights, NOTHING_SAID
        return weights, store.lexical(scope, asked, which, limit=limit, saturation=Saturation(bm25.K1, bm25.B, mean))
    except StoreDamaged:
        troubles.append("the word index is damaged, so this answer is by meaning alone; rebuild it with `clew reindex`.")
        return fusion.Question(0.0, 0), NOTHING_SAID


def _by_meaning(
    store: Store, vector: bytes, scope: Sequence[int], which: Filter, troubles: list[str], *, limit: int, also: Sequence[int]
) -> Near:
    if not vector:
        return NOTHING_NEAR
    try:
        return store.nearest(scope, vector, which, limit=limit, also=also)
    except StoreDamaged:
        troubles.append("the vector index is damaged, so this answer is by words alone; rebuild it with `clew reindex`.")
        return NOTHING_NEAR


def _asked(store: Store, scope: Sequence[int], terms: Sequence[str], bonus: Sequence[str]) -> tuple[list[Asked], fusion.Question, float]:
    """(words to look for, how much the question weighs, the scope's mean length)."""
    others = [other for term in terms for other in also_said(term)]
    stats = store.statistics(scope, list(dict.fromkeys([*terms, *others])))
    asked: list[Asked] = []
    total = 0.0
    for term in terms:
        words = _words_for(store, scope, term, stats)
        asked += words
        weight = bm25.idf(stats.documents, stats.holding.get(term, 0))
        if words or term not in bonus:
            total += weight
    return asked, fusion.Question(total, len(terms)), stats.mean_length


def _words_for(store: Store, scope: Sequence[int], term: str, stats: Statistics) -> list[Asked]:
    """The word itself where the store holds it, its longer forms where it is rare or unknown, else the longest shorter form held."""
    holding = stats.holding.get(term, 0)
    found = [Asked(term, bm25.idf(stats.documents, holding), (term,))] if holding else []
    discount = bm25.widening(term, holding)
    longer = store.longer(scope, term, most=bm25.PREFIX_MOST) if discount else []
    if longer:
        weight = discount * bm25.idf(stats.documents, min(stats.documents, holding + sum(n for _, n in longer)))
        found.append(Asked(term, weight, tuple(t for t, _ in longer), unless=term if holding else ""))
    alike = {other: stats.holding[other] for other in also_said(term) if other in stats.holding}
    together = sum(alike.values())
    likeness = bm25.likening(holding, together, stats.documents) if alike else 0.0
    if likeness:
        weight = likeness * bm25.idf(stats.documents, min(stats.documents, holding + together))
        found.append(Asked(term, weight, tuple(alike), unless=term if holding else ""))
    if not found:
        shorter = bm25.shortenings(term)
        held = store.statistics(scope, shorter).holding if shorter else {}
        found = [Asked(term, bm25.PREFIX_UNKNOWN * bm25.idf(stats.documents, held[s]), (s,)) for s in shorter if s in held][:1]
    return found


def _evidence(
    lexical: Lexical, near: Near, turns_of: Callable[[Sequence[int]], dict[int, tuple[str, int]]] | None
) -> list[fusion.Evidence]:
    words = dict(zip(lexical.ids, zip(lexical.bm25, lexical.covered, strict=True), strict=True))
    ids = sorted({*words, *near.cosines})
    turns = turns_of(ids) if turns_of else {}
    unsaid, nowhere = (0.0, 0.0), (None, None)
    make, cosine = fusion.Evidence, near.cosines.get
    evidence = []
    for i in ids:
        score, covered = words.get(i, unsaid)
        session, turn = turns.get(i, nowhere)
        evidence.append(tuple.__new__(make, (i, score, cosine(i), covered, session, turn)))  # a third of the cost of a call, for 600
    return evidence


def _hit(memory: Memory, found: fusion.Fused, terms: Sequence[str]) -> Hit:
    fields = (memory.summary, memory.detail, " \n".join(memory.tags)) if terms else ()
    held = {term for field in fields for term in text.index_terms(field)}
    words = tuple(t for t in terms if t in held)
    return Hit(memory, found.score, Signals(**found.signals(), words=words))
