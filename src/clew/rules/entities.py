"""What a text names: files, symbols, tickets, commits, versions, error codes, addresses, packages, people, names, days. Pure.

By shape alone, precision first: ordinary prose names little. The text alone decides, never the disk, so that a rebuild, another machine
and another year find the same names in it and recall the same order.
"""

from __future__ import annotations

from clew.patterns import compiled
from clew.rules.names import Named, key_of, names, title_of
from clew.rules.phrases import addresses, phrases
from clew.rules.shapes import AROUND, BARE_FILES, BEFORE, HEX, SHORT, commit, file, shaped, symbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clew.model import Memory

MOST = 32  # entities of one memory; what is named in a fixed form goes before names
EXACT = ("ticket", "pr", "commit")
READ = 20_000  # characters of a detail that are looked at: what a long text is about it says early


def entities(text: str) -> tuple[Named, ...]:
    """What `text` names, at most MOST, each once: forms first, then names, both in the order of the text. Never fails."""
    return _bounded([*_forms(text), *names(text)])


def in_question(question: str) -> tuple[Named, ...]:
    """What a question names: as in any text, and a commit needs no word before it, since it is only looked for."""
    words = (word.lstrip(BEFORE).rstrip(AROUND) for word in question.split() if not word.isalpha())
    return _bounded([*(commit(word) for word in words if len(word) >= SHORT and compiled(HEX).fullmatch(word)), *entities(question)])


def exact_keys(question: str) -> list[str]:
    """The keys of what a question names that is itself or nothing, as half of a ticket's number is another ticket."""
    return [key for named in in_question(question) if named.kind in EXACT for key in (named.key, *named.aliases)]


def of_memory(memory: Memory) -> tuple[Named, ...]:
    """What a memory names: in its pointers, source and tags, its summary (a title names the memory's own subject) and its detail."""
    found = [*_given(memory)]
    title = title_of(memory.summary)
    if title is not None:
        found.append(title)
    text = f"{memory.summary}\n{memory.detail[:READ]}" if memory.detail else memory.summary
    formed = [*_forms(text)]
    tagged = [entity for tag in memory.tags for entity in _forms(tag)]
    return _bounded([*found, *formed, *tagged, *names(text)])


def asked_keys(name: str) -> list[str]:
    """The folded keys that somebody who says just `name` may mean."""
    keys = [key_of(name), name.casefold(), *(found.key for text in (name, f"`{name}`") for found in entities(text))]
    return list(dict.fromkeys(key for key in keys if key))


def _bounded(found: Iterable[Named]) -> tuple[Named, ...]:
    first: dict[tuple[str, str], Named] = {}
    for entity in found:
        first.setdefault((entity.kind, entity.key), entity)
    return tuple(first.values())[:MOST]


def _given(memory: Memory) -> Iterator[Named]:
    for pointer in memory.pointers:
        yield from file(pointer.path)
        if pointer.symbol:
            yield symbol(pointer.symbol)
    if memory.source.file:
        yield from file(memory.source.file)
    if memory.source.commit:
        yield commit(memory.source.commit)


def _forms(text: str) -> Iterator[Named]:
    before = ""
    for raw in text.split():
        if raw.isalpha() and (raw.islower() or (raw[1:].islower() and raw not in BARE_FILES)):
            before = raw
            continue
        if "://" in raw:
            yield from addresses(raw)
        else:
            word = raw.lstrip(BEFORE).rstrip(AROUND)
            if word.isalpha() and (word.islower() or word[1:].islower()) and "()" not in raw and word not in BARE_FILES:
                before = word
                continue
            if word:
                yield from shaped(word, raw, before, text)
        before = raw.rstrip(AROUND).lstrip("([\"'`*")
    yield from phrases(text)
