"""Commands that ask: recall, show, list."""

from __future__ import annotations

import json
import sys

import click

from clew.cli import options, render
from clew.errors import NotFound
from clew.limits import ID_MAX, RECALL_LIMIT
from clew.model import STATUSES, age, ago, as_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from clew.cli.options import Moment
    from clew.model import Hit, Memory, Pointer
    from clew.service import Clew

DETAIL_SHOWN = 400  # characters of a detail under a hit; `clew show` has the rest
INDENT = "    "


@click.command()
@click.argument("question", nargs=-1)
@click.option("-n", "--limit", type=int, default=10, show_default=True, metavar="N", help=f"At most this many, up to {RECALL_LIMIT:,}.")
@options.by_kind
@options.on_condition
@options.between
@click.option("--as-of", type=options.when, metavar="WHEN", help="What was known and true then.")
@click.option("--include-superseded", is_flag=True, help="Also what was replaced or finished.")
@click.option("--no-graph", "graph", is_flag=True, flag_value=False, default=True, help="Not over links and shared names.")
@click.option("--explain", is_flag=True, help="Every signal of every hit.")
@click.option("--fusion", type=click.Choice(("sum", "rrf")), default="sum", show_default=True, help="How words and meaning join.")
@options.in_project
@options.spoken
def recall(project: str | None, question: tuple[str, ...], explain: bool, **asked: Any) -> None:
    """What is known about QUESTION, best first.

    Nothing known is an answer too: exit code 0, no hits. Without words, or with -, the question is read from standard input.

    \b
    clew recall which database did we pick
    clew recall "deploy freeze" -k decision --since 30d --explain
    clew recall "which limits did we set" --where 'year>=2019 and team="infra"'
    clew recall "who owns billing" --as-of 2026-01-31 --json
    """
    text = options.text_given(question, "question", "a question", "echo 'which database' | clew recall")
    with options.opened(project) as clew:
        asked |= options.resolved(clew, since=asked["since"], until=asked["until"], as_of=asked["as_of"])
        hits = clew.recall(text, **asked)
        if render.machine():
            render.reply(clew, {"hits": hits})
            return
        shown = _explained(hits) if explain else [_hit(hit, clew.now()) for hit in hits]
        render.reply(clew, {}, *shown or ("nothing known about that",))


def _hit(hit: Hit, now: float) -> str:
    memory = hit.memory
    about = [memory.kind, *_marks(memory, now), ago(memory.recorded_at, now), f"score {hit.score:.2f}", *memory.tags]
    lines = [_heading(memory), INDENT + render.paint(render.line(" · ".join(about)), dim=True)]
    detail = render.safe(memory.detail).strip()
    if detail and detail != memory.summary:
        shown = detail if len(detail) <= DETAIL_SHOWN else f"{detail[:DETAIL_SHOWN].rstrip()}… (clew show {memory.id})"
        lines += [INDENT + part for part in shown.split("\n")]
    return "\n".join(lines)


def _heading(memory: Memory) -> str:
    return f"{render.paint(f'#{memory.id}', fg='cyan', bold=True)}  {render.paint(render.line(memory.summary), bold=True)}"


_SIGNALS = ("id", "score", "lexical", "rank", "semantic", "rank", "neighbours", "graph", "time", "coverage", "learned", "words", "summary")


def _explained(hits: Sequence[Hit]) -> list[str]:
    """Hits with their signals: on a terminal by name under each summary, when piped a line a hit with tabs, in the order of _SIGNALS."""
    rows = [_signals(hit) for hit in hits]
    if not render.terminal(sys.stdout):
        return ["\t".join(map(render.line, row)) for row in rows]
    named = [" · ".join(f"{name} {value}" for name, value in zip(_SIGNALS[1:-1], row[1:-1], strict=True)) for row in rows]
    return [f"{_heading(hit.memory)}\n{INDENT}{render.line(text)}" for hit, text in zip(hits, named, strict=True)]


def _signals(hit: Hit) -> list[str]:
    s = hit.signals
    return [
        f"#{hit.memory.id}",
        f"{hit.score:.3f}",
        *(
            _number(v)
            for v in (s.lexical, s.lexical_rank, s.semantic, s.semantic_rank, s.neighbours, s.graph, s.time, s.coverage, s.learned)
        ),
        " ".join(s.words),
        hit.memory.summary,
    ]


def _number(value: float | None) -> str:
    return "–" if value is None else str(value) if isinstance(value, int) else f"{value:.3f}"


@click.command("list")
@options.by_kind
@options.on_condition
@click.option("--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="Only this status [default: active].")
@click.option("-a", "--all", "everything", is_flag=True, help="Whatever the status, however many.")
@options.between
@click.option("-n", "--limit", type=int, default=50, show_default=True, metavar="N", help="At most this many.")
@options.in_project
@options.spoken
def list_(project: str | None, *, everything: bool, limit: int, since: Moment | None, until: Moment | None, **which: Any) -> None:
    """Memories of the project, newest first.

    \b
    clew list -k decision
    clew list --where "pr exists and not uses > 0"
    clew list --all --since 7d | cut -f1,5
    """
    which["statuses"] = which["statuses"] or (STATUSES if everything else ("active",))
    with options.opened(project) as clew:
        bounds = options.resolved(clew, since=since, until=until)
        limit = min(limit, ID_MAX)
        found = clew.list(limit=ID_MAX if everything else limit + (limit > 0), **bounds, **which)
        shown = found if everything else found[:limit]
        more = len(found) > len(shown)
        if not render.machine():
            now = clew.now()
            if shown:
                render.table(("id", "kind", "age", "marks", "summary"), [_row(memory, now) for memory in shown])
            else:
                render.remark("no such memory here")
            if more:
                render.remark(f"more than {limit}; -n {limit * 2} or --all shows them")
        render.reply(clew, {"memories": shown, "more": more})


def _row(memory: Memory, now: float) -> tuple[str, ...]:
    return f"#{memory.id}", memory.kind, age(memory.recorded_at, now), ", ".join(_marks(memory, now)), memory.summary


def _marks(memory: Memory, now: float) -> list[str]:
    """What sets this memory apart from an active one, in words."""
    marks = {
        f"superseded by #{memory.successor}" if memory.successor else "superseded": memory.status == "superseded",
        "done": memory.status == "done",
        "pinned": memory.pinned,
        "stale": memory.stale and memory.status == "active",  # what is replaced is stale, and says it already
        memory.untrue(now): bool(memory.untrue(now)),
        "expired": memory.expires_at is not None and memory.expires_at <= now,
    }
    return [mark for mark, holds in marks.items() if holds]


@click.command()
@click.argument("ref", metavar="ID")
@click.option("--history", is_flag=True, help="Also what happened to it.")
@options.spoken
def show(ref: str, history: bool) -> None:
    """One memory with all that is known of it.

    ID is its number, 12 or #12, or six or more digits of its digest.

    \b
    clew show 12 --history
    """
    with options.opened() as clew:
        memory = clew.show(ref)
        successor = _successor(clew, memory)
        events = clew.history(memory.id) if history else []
        lines = [_heading(memory), *_facts(memory, successor, clew.now())]
        lines += ["", *render.safe(memory.detail).split("\n")] if memory.detail else []
        lines += ["", *_events(events, memory)] if events else []
        render.reply(clew, {"memory": memory, "successor": successor, "history": events}, *lines)


def _successor(clew: Clew, memory: Memory) -> Memory | None:
    try:
        return None if memory.successor is None else clew.show(memory.successor)
    except NotFound:  # forgotten since
        return None


def _facts(memory: Memory, successor: Memory | None, now: float) -> Iterator[str]:
    """`name  value`, a line each, of what this memory has."""
    strength = memory.strength
    facts = {
        "project": memory.project,
        "kind": memory.kind,
        "status": ", ".join([memory.status, *(mark for mark in _marks(memory, now) if not mark.startswith(memory.status))]),
        "successor": f"#{successor.id} {successor.summary}" if successor else None,
        "reason": memory.reason,
        "tags": ", ".join(memory.tags),
        "metadata": ", ".join(f"{key}={value!r}" for key, value in memory.metadata.items()),
        "pointers": ", ".join(map(_pointer, memory.pointers)),
        "origin": memory.origin,
        "source": ", ".join(f"{name} {value}" for name, value in memory.source._asdict().items() if value not in (None, ())),
        "recorded": f"{render.moment(memory.recorded_at)} ({ago(memory.recorded_at, now)}), seen {memory.seen}×",
        "changed": render.moment(memory.updated_at) if memory.updated_at > memory.recorded_at else None,
        "valid": _span(memory.valid_from, memory.valid_to),
        "expires": memory.expires_at and render.moment(memory.expires_at),
        "ended": memory.ended_at and render.moment(memory.ended_at),
        "confidence": f"{memory.confidence:.2f} since {render.moment(memory.confidence_at)}" if memory.confidence_at else None,
        "strength": f"stability {strength.stability / 3_600:.1f} h, {render.counted(strength.uses, 'use')}, "
        f"{render.counted(strength.lapses, 'lapse')}",
        "digest": memory.digest,
    }
    return (f"{render.paint(f'{name:<10}', dim=True)} {render.line(value)}" for name, value in facts.items() if value)


def _pointer(pointer: Pointer) -> str:
    return pointer.path + (f":{pointer.line}" if pointer.line else "") + (f"#{pointer.symbol}" if pointer.symbol else "")


def _span(start: float | None, end: float | None) -> str:
    parts = (f"from {render.moment(start)}" if start is not None else "", f"to {render.moment(end)}" if end is not None else "")
    return " ".join(filter(None, parts))


def _events(events: Sequence[Mapping[str, Any]], memory: Memory) -> Iterator[str]:
    """What happened, newest first, each with what it overwrote: the difference between the state it kept and the one that followed."""
    after: Mapping[str, Any] = as_json(memory)
    for event in events:
        before = json.loads(event["text"])
        lost = "; ".join(
            f"{name} was {json.dumps(value, ensure_ascii=False)}" for name, value in before.items() if value != after.get(name)
        )
        yield render.line(f"{render.moment(event['at'])}  {event['event']} by {event['origin']}" + (f": {lost}" if lost else ""))
        after = before
