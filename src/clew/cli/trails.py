"""Commands that follow links: why, path. A tree on a terminal, indented lines when piped, JSON, or Mermaid."""

from __future__ import annotations

import sys

import click

from clew.cli import options, render
from clew.limits import HOPS, TRAIL_LIMIT
from clew.model import age

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from clew.model import Link, Memory, Trail, TrailNode
    from clew.service import Clew

LABEL = 60  # characters of a summary in a diagram
MESSAGE = 8  # lines of a commit's message below it


@click.command(short_help="The trail of links behind an answer, a memory or a line of code.")
@click.argument("about", nargs=-1, required=True, metavar="QUESTION...|ID|PATH:LINE")
@click.option("--max-hops", type=int, default=2, show_default=True, metavar="N", help=f"How far to follow links, up to {HOPS}.")
@click.option("-n", "--limit", type=int, default=20, show_default=True, metavar="N", help=f"At most this many, up to {TRAIL_LIMIT}.")
@click.option("--mermaid", is_flag=True, help="A Mermaid diagram.")
@options.in_project
@options.spoken
def why(project: str | None, about: tuple[str, ...], mermaid: bool, **asked: Any) -> None:
    """How what answers QUESTION, memory ID, or a line of code came to be: the trail of links from it.

    PATH:LINE starts at the commit that wrote the line, wherever it was moved since; it works in a repository that was never taken in.

    Links are followed both ways, typed ones before mere mentions; what was superseded is marked. Nothing known is an answer too.

    \b
    clew why "do we retry uploads twice"
    clew why 12 --max-hops 4
    clew why src/upload.py:118
    clew why 12 --mermaid > why.mmd
    """
    with options.opened(project) as clew:
        _show(clew, clew.why(" ".join(about), **asked), mermaid, "nothing known about that")


@click.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--mermaid", is_flag=True, help="A Mermaid diagram.")
@options.in_project
@options.spoken
def path(project: str | None, a: str, b: str, mermaid: bool) -> None:
    """The shortest connection between memories A and B, at most ten links.

    \b
    clew path 12 87
    """
    with options.opened(project) as clew:
        _show(clew, clew.path(a, b), mermaid, "these two are not connected")


def _show(clew: Clew, trail: Trail, mermaid: bool, nothing: str) -> None:
    if render.machine():
        render.reply(clew, {"trail": trail})
        return
    if mermaid:
        render.reply(clew, {}, *_diagram(trail))
        return
    now = clew.now()
    if not trail.nodes:
        render.reply(clew, {}, nothing)
        return
    if render.terminal(sys.stdout):
        _draw(trail, now)
    else:
        for depth, text in _outline(trail, now):
            render.say("  " * depth + text)
    if trail.left_out:
        shown = sum(node.memory is not None for node in trail.nodes)
        more = min(TRAIL_LIMIT, trail.left_out + shown)
        render.remark(
            f"{trail.left_out} more were left out"
            + (f"; -n {more} shows {'them' if more < TRAIL_LIMIT else 'more of them'}" * (more > shown))
        )
    render.reply(clew, {})


def _outline(trail: Trail, now: float) -> Iterator[tuple[int, str]]:
    """(depth, line) of each node, every one right below the node it was reached from."""
    labels = _labels(trail)
    below: dict[int | None, list[TrailNode]] = {}
    for node in trail.nodes:
        below.setdefault(node.path[-2] if len(node.path) > 1 else None, []).append(node)
    waiting = below.get(None, [])[::-1]
    while waiting:
        node = waiting.pop()
        yield len(node.path) - 1, _line(node, labels, now)
        if not node.id and node.memory:  # a commit that no memory holds: its message can be read nowhere else
            said = [render.line(text) for text in node.memory.detail.splitlines() if text.strip()]
            yield from ((len(node.path), f"| {text}") for text in said[:MESSAGE])
        waiting += below.get(node.id, [])[::-1]


def _line(node: TrailNode, labels: Mapping[tuple[int, int], str], now: float) -> str:
    arrow = labels.get((node.path[-2], node.id), "") if len(node.path) > 1 else ""
    if node.memory is None:
        what = f"{node.entity.kind} {node.entity.name}" if node.entity else ""
        return render.line(f"{arrow}{what}")
    m = node.memory
    if not node.id:
        return render.line(f"{arrow}{_commit(m)} {m.summary} ({m.metadata.get('author', 'nobody')}, {age(m.recorded_at, now)})")
    gone = f" by #{m.successor}" if m.successor else ""
    about = [m.kind, *([m.status + gone] if m.status != "active" else []), m.origin, age(m.recorded_at, now)]
    return render.line(f"{arrow}#{m.id} {m.summary} ({', '.join(about)})")


def _commit(memory: Memory) -> str:
    """What stands for the number of a commit that no memory holds."""
    return f"commit {(memory.source.commit or '')[:12]}"


def _labels(trail: Trail) -> dict[tuple[int, int], str]:
    """How a step from one node to another is written: `because → `, or `← because ` against the arrow; the first relation stands."""
    labels: dict[tuple[int, int], str] = {}
    for link in trail.links:
        labels.setdefault((link.src, link.dst), f"{link.relation} → ")
        labels.setdefault((link.dst, link.src), f"← {link.relation} ")
    return labels


def _draw(trail: Trail, now: float) -> None:
    from rich.console import Console
    from rich.text import Text
    from rich.tree import Tree

    root = Tree("", hide_root=True)
    branches = {-1: root}
    for depth, text in _outline(trail, now):
        branches[depth] = branches[depth - 1].add(Text(text, style="" if depth else "bold"))
    Console(color_system="auto" if render.colourful(sys.stdout) else None).print(root)


_MEANT = '"<>&`#;\\%'


def _diagram(trail: Trail) -> Iterator[str]:
    yield "graph LR"
    for node in trail.nodes:
        yield f"  {_name(node.id)}{_box(node)}"
    for link in trail.links:
        yield f"  {_edge(link)}"


def _name(node: int) -> str:
    return f"m{node}" if node >= 0 else f"e{-node}"


def _box(node: TrailNode) -> str:
    if node.memory is None:
        return f'(["{_label(f"{node.entity.kind} {node.entity.name}" if node.entity else "?")}"])'
    if not node.id:
        return f'["{_label(f"{_commit(node.memory)} {node.memory.summary}")}"]'
    gone = f" ({node.memory.status})" if node.memory.status != "active" else ""
    return f'["{_label(f"#{node.id} {node.memory.summary}")}{gone}"]'


def _edge(link: Link) -> str:
    return f'{_name(link.src)} -->|"{_label(link.relation)}"| {_name(link.dst)}'


def _label(text: str) -> str:
    """`text` as it may stand between quotes of a Mermaid label: no character of it is markup there.

    Two things are read before quotes are: `%%{…}%%` sets up the diagram, and a line with `style` and a colon loses a semicolon.
    """
    cut = render.line(text)
    cut = cut if len(cut) <= LABEL else cut[: LABEL - 1] + "…"
    meant = _MEANT + ":" * ("style" in cut or "classDef" in cut)
    return "".join(f"#{ord(c)};" if c in meant else c for c in cut)
