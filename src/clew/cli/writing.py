"""Commands that change what is known: remember, edit, supersede, done, pin, unpin, feedback, forget."""

from __future__ import annotations

import sys

import click

from clew.cli import options, render
from clew.errors import InvalidInput
from clew.model import KINDS, as_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from clew.cli.options import Moment
    from clew.model import Concern, Forgotten, Memory, Pointer, Remembered, Scalar
    from clew.service import Clew


@click.command()
@click.argument("text", nargs=-1)
@click.option("-k", "--kind", type=click.Choice(KINDS), default="fact", show_default=True, help="What sort of memory it is.")
@click.option("-d", "--detail", default="", metavar="TEXT", help="The longer story; - reads it from standard input.")
@click.option("-t", "--tag", "tags", multiple=True, metavar="TAG", help="A word to find it by; repeat for several.")
@click.option("-m", "--meta", type=options.meta, multiple=True, metavar="KEY=VALUE", help="A fact about it: pr=12, ok=true, name=text.")
@click.option("--pointer", "pointers", type=options.pointer, multiple=True, metavar="PATH[:LINE][#SYMBOL]", help="Code it is about.")
@click.option("--ttl", type=options.span, metavar="SPAN", help="Forget it after this long: 90s, 15m, 2h, 7d, 4w.")
@click.option("--valid-from", type=options.when, metavar="WHEN", help="Since when it is true: 2026-11-30, or 3d ago.")
@click.option("--valid-to", type=options.when, metavar="WHEN", help="Until when it is true.")
@click.option("--pin", "pinned", is_flag=True, help="Never let it fade.")
@click.option("--because", multiple=True, metavar="ID", help="A memory that gave the reason; repeat for several.")
@click.option("--link", "links", type=options.linked, multiple=True, metavar="RELATION:ID", help="A link to an earlier memory.")
@click.option("--supersedes", metavar="ID", help="The memory it replaces, which stays, marked.")
@click.option("--reason", default="", metavar="TEXT", help="Why it replaces that one.")
@options.in_project
@options.spoken
def remember(project: str | None, supersedes: str | None, reason: str, **given: Any) -> None:
    """Keep one memory. Saying the same again changes nothing but the count.

    Without TEXT, or with -, the text is read from standard input: its first line is the summary, the rest the detail.
    Secrets and <private>…</private> are taken out before anything is kept.

    \b
    clew remember "Use PostgreSQL for the ledger" -k decision -d "MongoDB lost writes under load"
    git log -1 --format=%B | clew remember -k decision -t release
    clew remember "Retry three times" -k decision --because 7 --link depends_on:12
    clew remember "Deploys go through Argo now" --supersedes 12 --reason "Jenkins was shut down"
    """
    if reason and supersedes is None:
        raise InvalidInput("--reason", "says why something is replaced; name that with --supersedes ID")
    given["detail"] = options.detail_given(given["detail"], given["text"])
    summary = options.text_given(given.pop("text"), "text", "what is to be remembered", "git log -1 | clew remember")
    with options.opened(project) as clew:
        given |= options.resolved(clew, valid_from=given["valid_from"], valid_to=given["valid_to"])
        given["metadata"] = dict(given.pop("meta"))
        old = None if supersedes is None else clew.show(supersedes)  # before anything is written
        kept = clew.remember(summary, **given)
        replaced = None if old is None else clew.supersede(old.id, kept.memory.id, reason=reason)
        lines = [_kept_line(kept), *_redacted_lines(kept), *concern_lines(kept, "" if replaced is None else replaced.id)]
        lines += [f"#{replaced.id} is superseded by #{kept.memory.id}"] if replaced else []
        render.reply(clew, {**as_json(kept), "superseded": replaced}, *lines)


def _kept_line(kept: Remembered) -> str:
    number = render.paint(f"#{kept.memory.id}", bold=True)
    if kept.created:
        return f"remembered {number} in {render.line(kept.memory.project)}"
    return f"already known as {number} (seen {kept.memory.seen} times)"


def concern_lines(kept: Remembered, settled: int | str = "") -> list[str]:
    """What speaks against a new memory, a line each, with the command that would settle it; `settled` is superseded already."""
    return [_concern_line(kept.memory.id, concern) for concern in kept.concerns if concern.id != settled]


def _concern_line(new: int, concern: Concern) -> str:
    said = f"“{render.line(concern.summary)}”"
    if concern.kind == "duplicate":
        return f"#{concern.id} may already say this: {said}"
    return f'contradicts #{concern.id} ({concern.why}): {said} — clew supersede {concern.id} {new} --reason "…"'


def _redacted_lines(kept: Remembered) -> list[str]:
    return [f"redacted: {', '.join(kept.redacted)}"] if kept.redacted else []


@click.command()
@click.argument("ref", metavar="ID")
@click.option("-s", "--summary", metavar="TEXT", help="The new summary.")
@click.option("-d", "--detail", metavar="TEXT", help="The new detail; - reads it from standard input.")
@click.option("-k", "--kind", type=click.Choice(KINDS), help="The new kind.")
@click.option("-t", "--tag", "tags", multiple=True, metavar="TAG", help="A tag to add; repeat for several.")
@click.option("--untag", "untags", multiple=True, metavar="TAG", help="A tag to take away.")
@click.option("-m", "--meta", type=options.meta, multiple=True, metavar="KEY=VALUE", help="A fact about it to set.")
@click.option("--unmeta", "unmetas", multiple=True, metavar="KEY", help="A fact about it to take away.")
@click.option("--pointer", "pointers", type=options.pointer, multiple=True, metavar="PATH[:LINE][#SYMBOL]", help="Code to add.")
@click.option("--unpoint", "unpoints", multiple=True, metavar="PATH", help="Code to take away.")
@click.option("--ttl", type=options.or_none(options.span), metavar="SPAN", help="Forget it this long from now; none keeps it.")
@click.option("--valid-from", type=options.or_none(options.when), metavar="WHEN", help="Since when it is true; none for unknown.")
@click.option("--valid-to", type=options.or_none(options.when), metavar="WHEN", help="Until when it is true; none for no end.")
@options.spoken
def edit(ref: str, **given: Any) -> None:
    """Put a memory right in place. What it said before stays in its history.

    \b
    clew edit 12 --summary "Use PostgreSQL 18 for the ledger"
    clew edit 12 -t database --untag db --meta pr=88 --ttl none
    """
    if not any(value is not None and value != () for value in given.values()):
        raise InvalidInput("edit", "says no change; give at least one, such as --summary or --tag (see `clew edit --help`)")
    given["detail"] = options.detail_given(given["detail"])
    with options.opened() as clew:
        before = clew.show(ref)
        kept = clew.edit(before.id, **_changes(clew, before, given))
        said = f"edited #{before.id}" if kept.memory != before else f"#{before.id} stays as it was"
        render.reply(clew, {"memory": kept.memory, "redacted": kept.redacted}, said, *_redacted_lines(kept))


def _changes(clew: Clew, before: Memory, given: Mapping[str, Any]) -> dict[str, Any]:
    """What `Clew.edit` takes: the plain fields as given, the lists with what is added and without what is taken away."""
    changes = {name: given[name] for name in ("summary", "detail", "kind") if given[name] is not None}
    now = clew.now()
    for name in ("ttl", "valid_from", "valid_to"):
        value: str | float | Moment | None = given[name]
        if value is not None:
            changes[name] = None if value == options.NONE else value if isinstance(value, float) else value.at(now)  # type: ignore[union-attr]
    if given["tags"] or given["untags"]:
        changes["tags"] = tuple(tag for tag in (*before.tags, *given["tags"]) if tag not in given["untags"])
    if given["meta"] or given["unmetas"]:
        changes["metadata"] = _metadata(before.metadata, given["meta"], given["unmetas"])
    if given["pointers"] or given["unpoints"]:
        pointers: tuple[Pointer, ...] = (*before.pointers, *given["pointers"])
        changes["pointers"] = tuple(pointer for pointer in pointers if pointer.path not in given["unpoints"])
    return changes


def _metadata(before: Mapping[str, Scalar], added: Iterable[tuple[str, Scalar]], gone: Sequence[str]) -> dict[str, Scalar]:
    return {key: value for key, value in {**before, **dict(added)}.items() if key not in gone}


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--reason", default="", metavar="TEXT", help="Why the new one holds.")
@options.spoken
def supersede(old: str, new: str, reason: str) -> None:
    """Let a newer memory stand for an older one.

    The older one stays, marked with its successor and the reason, and is no longer recalled.

    \b
    clew supersede 12 31 --reason "moved to Argo in October"
    """
    with options.opened() as clew:
        memory = clew.supersede(old, new, reason=reason)
        render.reply(clew, {"memory": memory}, f"#{memory.id} is superseded by #{memory.successor}")


@click.command()
@click.argument("ref", metavar="ID")
@click.option("--reason", default="", metavar="TEXT", help="How it ended.")
@options.spoken
def done(ref: str, reason: str) -> None:
    """Mark a memory as finished.

    It is no longer recalled; `clew list --all` still shows it.

    \b
    clew done 12 --reason "released in 2.4"
    """
    with options.opened() as clew:
        memory = clew.done(ref, reason=reason)
        render.reply(clew, {"memory": memory}, f"#{memory.id} is done")


@click.command()
@click.argument("ref", metavar="ID")
@options.spoken
def pin(ref: str) -> None:
    """Never let a memory fade."""
    with options.opened() as clew:
        memory = clew.pin(ref)
        render.reply(clew, {"memory": memory}, f"#{memory.id} is pinned")


@click.command()
@click.argument("ref", metavar="ID")
@options.spoken
def unpin(ref: str) -> None:
    """Let a pinned memory fade again."""
    with options.opened() as clew:
        memory = clew.unpin(ref)
        render.reply(clew, {"memory": memory}, f"#{memory.id} is no longer pinned")


@click.command()
@click.argument("ref", metavar="ID")
@click.argument("verdict", type=click.Choice(("useful", "noise")))
@options.spoken
def feedback(ref: str, verdict: str) -> None:
    """Say that a memory which was brought was useful, or noise.

    Its place among the memories that a question selects changes a little; what a question selects does not. Half of it is forgotten after
    thirty days.

    \b
    clew feedback 12 useful
    """
    with options.opened() as clew:
        memory = clew.feedback(ref, verdict)
        render.reply(clew, {"memory": memory}, f"#{memory.id} counts as {verdict} (confidence {memory.confidence:.2f})")


@click.command()
@click.argument("refs", metavar="ID...", nargs=-1, required=True)
@click.option("-y", "--yes", is_flag=True, help="Do not ask; needed where nobody can answer.")
@options.spoken
def forget(refs: tuple[str, ...], yes: bool) -> None:
    """Erase memories for good.

    Text, index, links and history go, and the bytes where they lay are overwritten; what could not be cleaned is named. All or none.

    \b
    clew forget 12
    clew forget 12 13 --yes
    """
    with options.opened() as clew:
        memories = [clew.show(ref) for ref in refs]
        if not (yes or _agreed(memories)):
            render.reply(clew, {"forgotten": []}, "nothing was forgotten")
            return
        gone = clew.forget(*(memory.id for memory in memories))
        left = dict.fromkeys(text for one in gone for text in one.left)
        render.reply(clew, {"forgotten": gone}, *map(_gone_line, gone), *(f"could not be cleaned: {render.line(t)}" for t in left))


def _agreed(memories: Sequence[Memory]) -> bool:
    if render.machine() or not render.terminal(sys.stdin):
        raise InvalidInput("--yes", "is needed to forget where nobody can be asked; what is forgotten does not come back")
    for memory in memories:
        click.echo(f"#{memory.id}  {render.line(memory.summary)}", err=True)
    return click.confirm("Forget this for good?" if len(memories) == 1 else f"Forget these {len(memories)} for good?", err=True)


_ALSO = {"links": "link", "mentions": "mention", "log": "line of its history", "sources": "source"}
_SEVERAL = {"log": "lines of its history"}


def _gone_line(gone: Forgotten) -> str:
    counts = {table: count for table, count in gone.erased.items() if count and table != "memories"}
    parts = ", ".join(render.counted(n, _ALSO.get(table, table), _SEVERAL.get(table)) for table, n in counts.items())
    return f"forgot #{gone.id}: its text, words and vector" + (f"; also {parts}" if parts else "")
