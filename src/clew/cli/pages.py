"""One page of HTML that shows what a compilation kept, collapsed, cut and set aside: complete in itself, without script or network."""

from __future__ import annotations

import re
from html import escape

from clew.cli import render
from clew.cli.whole import whole_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

SHOWN_CHARS = 200_000  # of one stretch of text; the handle has the rest
OPEN_CHARS = 400  # a stretch that is gone and no longer than this is shown at once
_MARKER = re.compile(r"\[… \d+ of \d+ parts left out, whole: src:[0-9a-f]+\]\n|(?m:^)\[…\]\n")
_TIMES = re.compile(r" \(×\d+\)(?: \[[^\n]*\])?$")  # behind a line that stands for several, with the range of what varied
_FATES = ("kept", "collapsed", "cut", "aside", "duplicate")
_WORDS = {
    "kept": "kept as it is",
    "collapsed": "collapsed: said in fewer words",
    "cut": "cut for the budget",
    "aside": "set aside behind its handle",
    "duplicate": "dropped: said elsewhere",
}
_STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --line: #ccc; --kept: #dcf2dd; --collapsed: #fbeec2; --cut: #f9d5d2;
  --aside: #d6e6fa; --duplicate: #e6e6e6 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #16181b; --line: #444; --kept: #1d3a22; --collapsed: #453a12;
  --cut: #4d2320; --aside: #1c3350; --duplicate: #33363a } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 76rem; margin: 2rem auto;
  padding: 0 1rem }
table { border-collapse: collapse; width: 100%; font-size: 0.9em } td, th { text-align: left; padding: 0.2rem 0.6rem; vertical-align: top;
  border-bottom: 1px solid var(--line) } td.n, th.n { text-align: right; white-space: nowrap }
pre { margin: 0; padding: 0.1rem 0.6rem; white-space: pre-wrap; overflow-wrap: anywhere; font: 12.5px/1.45 ui-monospace, monospace }
section { border: 1px solid var(--line); margin: 1rem 0; overflow: hidden } h2 { font-size: 1em; margin: 0; padding: 0.4rem 0.6rem }
p.why { margin: 0; padding: 0 0.6rem 0.4rem; font-size: 0.9em }
details > summary { padding: 0.1rem 0.6rem; cursor: pointer; font-size: 0.85em }
.bar { display: flex; height: 1.2rem; border: 1px solid var(--line) } .key span, b.fate { padding: 0.1rem 0.5rem; margin-right: 0.4rem }
""" + "".join(f".{name} {{ background: var(--{name}) }}\n" for name in _FATES)


def page(compiled: Any, names: Callable[[int], str], query: str) -> str:
    """The page of a compiled context; every text in it is escaped and cleaned of what would reorder it."""
    account = compiled.account
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">",
        f'<meta name="viewport" content="width=device-width"><title>Compiled context</title><style>{_STYLE}</style></head><body>',
        f"<h1>Compiled context</h1><p>{_text(query) or 'No query.'}</p>",
        f"<p>{account.tokens_in:,} tokens in, {account.tokens_out:,} out, risk <b>{_text(compiled.risk)}</b>.</p>",
        _bar(account),
        '<p class="key">' + "".join(f'<span class="{fate}">{_WORDS[fate]}</span>' for fate in _FATES) + "</p>",
        *(f"<p>Warning: {_text(text)}</p>" for text in compiled.warnings),
        *(f"<p>{_text(insight.text)}</p>" for insight in compiled.insights),
        _table(compiled, names),
        *(_fragment(compiled, decision, names) for decision in compiled.decisions),
        "</body></html>\n",
    ]
    return "\n".join(parts)


def write(path: str, text: str) -> None:
    """Put a page into its file, whole or not at all. Raises InvalidInput, or ClewError for want of space, where it cannot be written."""
    with whole_file(path, "--html") as file:
        file.write(text.encode())


def fate(decision: Any) -> str:
    """What became of a fragment, as its colour."""
    if decision.kept == "none":
        return "duplicate" if decision.duplicate_of is not None and decision.action == "drop" else "aside"
    return {"whole": "kept", "part": "cut"}.get(decision.kept, "collapsed")


def stretches(original: str, emitted: str) -> Iterator[tuple[str, str]]:
    """The original in stretches, in its order: ("kept", text) for what is emitted as it was, ("gone", text) for what is not,
    and ("said", text) for what is emitted in another form."""
    at = 0
    for chunk in filter(None, _MARKER.split(emitted)):
        if (whole := original.find(chunk, at)) < 0:  # before a marker a line ends that in the original may go on
            whole = original.find(cut, at) if (cut := chunk.removesuffix("\n")) else -1
            chunk = cut if whole >= 0 else chunk
        for said in [chunk] if whole >= 0 else chunk.splitlines(keepends=True):
            plain = said if whole >= 0 else _TIMES.sub("", said.removesuffix("\n")) + "\n" * said.endswith("\n")
            place = whole if whole >= 0 else _line(original, plain, at)
            if place >= 0:
                yield "gone", original[at:place]
                at = place + len(plain)
            yield "kept" if place >= 0 and plain == said else "said", said
    yield "gone", original[at:]


def _line(original: str, plain: str, at: int) -> int:
    """Where a line begins in the original, from the beginning of one on; -1 for nowhere."""
    if not plain.strip() or original.startswith(plain, at):
        return at if plain.strip() else -1
    found = original.find("\n" + plain, at)
    return found + 1 if found >= 0 else -1


def _fragment(compiled: Any, decision: Any, names: Callable[[int], str]) -> str:
    name, colour = _text(render.line(names(decision.fragment))), fate(decision)
    head = f'<section id="f{decision.fragment}"><h2>{name} <b class="fate {colour}">{_WORDS[colour]}</b></h2>'
    handle = f" · <code>{decision.handles[0]}</code>" if decision.handles else ""
    why = f"<code>{decision.rule}</code>, {_text(decision.reason)} · {decision.tokens_in:,} → {decision.tokens_out:,} tokens{handle}"
    return f'{head}<p class="why">{why}</p>{"".join(_body(compiled, decision, colour))}</section>'


def _body(compiled: Any, decision: Any, colour: str) -> Iterator[str]:
    emitted = "".join(compiled.content[s.start : s.end] for s in compiled.sections if s.fragment == decision.fragment)
    source = compiled.sources.get(decision.handles[0]) if decision.handles else None
    if source is None or not source.mime.startswith("text/"):
        yield _pre(emitted or "(an attachment)", "kept" if decision.section else colour)
        return
    original = source.bytes.decode("utf-8", "replace")
    if colour in ("aside", "duplicate") or decision.classified == "delta.reread":  # nothing, or a diff, which is none of its lines
        yield from [_pre(emitted, "collapsed")] if emitted else []
        yield _folded(original, colour)
        return
    for state, text in _joined(stretches(original, emitted)):
        yield _folded(text, colour) if state == "gone" else _pre(text, "kept" if state == "kept" else "collapsed")


def _joined(parts: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Neighbours of one state as one."""
    state, texts = "", [""]
    for new, text in parts:
        if new != state and texts != [""]:
            yield state, "".join(texts)
            texts = []
        state = new
        texts.append(text)
    if "".join(texts):
        yield state, "".join(texts)


def _folded(text: str, colour: str) -> str:
    """Text that is gone: at once when it is short, else behind its size."""
    if len(text) <= OPEN_CHARS:
        return _pre(text, colour)
    lines = text.count("\n") + (not text.endswith("\n"))
    size = f"{render.counted(lines, 'line')}, {len(text):,} characters"
    return f'<details class="{colour}"><summary>{size}: {_WORDS[colour]}</summary>{_pre(text, colour)}</details>'


def _pre(text: str, colour: str) -> str:
    more = f"\n… {len(text) - SHOWN_CHARS:,} more characters" if len(text) > SHOWN_CHARS else ""
    return f'<pre class="{colour}">{_text(text[:SHOWN_CHARS])}{more}</pre>'


def _table(compiled: Any, names: Callable[[int], str]) -> str:
    heads = "".join(
        f"<th{' class=n' if name in ('in', 'out') else ''}>{name}</th>" for name in ("fragment", "", "rule", "in", "out", "risk")
    )
    rows = [
        f'<tr><td><a href="#f{d.fragment}">{_text(render.line(names(d.fragment)))}</a></td><td class="{fate(d)}">{d.action}</td>'
        f'<td><code>{d.rule}</code></td><td class="n">{d.tokens_in:,}</td><td class="n">{d.tokens_out:,}</td><td>{d.risk}</td></tr>'
        for d in compiled.decisions
    ]
    return f"<table><tr>{heads}</tr>{''.join(rows)}</table>"


def _bar(account: Any) -> str:
    whole = max(1, account.tokens_in)
    parts = (("kept", account.kept), ("collapsed", account.saved), ("cut", account.lost), ("aside", account.externalised))
    told = {"kept": "kept", "collapsed": "saved", "cut": "cut", "aside": "set aside"}
    bars = [
        f'<span class="{name}" style="width:{100 * size / whole:.2f}%" title="{told[name]}: {size:,} tokens"></span>'
        for name, size in parts
        if size > 0
    ]
    return f'<div class="bar">{"".join(bars)}</div>'


def _text(text: str) -> str:
    return escape(render.safe(text))
