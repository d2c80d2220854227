"""Sets clew up in a client and takes it out again: which files, which edits; all of them are tried before the first is written."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import NamedTuple

from clew.clients import blocks, files, jsonc, taught, toml
from clew.clients.table import CLIENTS, File
from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from clew.clients.table import Client

    Edit = Callable[[str, str], str]

BOM = "\ufeff"


class Place(NamedTuple):
    """Whose settings: a home, its environment, and the project's folder where they are for one project only."""

    home: str
    env: Mapping[str, str]
    project: str = ""


class Change(NamedTuple):
    """What happens to one file. `before` and `after` are its text, None for no file; what is ours in it is named in the rest."""

    path: str
    before: str | None
    after: str | None
    added: tuple[str, ...]
    updated: tuple[str, ...]
    removed: tuple[str, ...]
    backup: str | None = None


class Part(NamedTuple):
    """One file and what is ours in it: how that is put in, taken out (given an older text), and found. `alone`: its folder is ours too."""

    path: str
    put: Callable[[str], str]
    take: Edit
    find: Callable[[str], dict[str, Any]]
    alone: bool = False


def named(name: str) -> Client:
    """The client of that name. Raises InvalidInput listing those there are."""
    if name not in CLIENTS:
        raise InvalidInput("client", f"'{name}' is not known; known are {', '.join(sorted(CLIENTS))}")
    return CLIENTS[name]


def install(
    client: Client,
    words: Sequence[str],
    place: Place,
    *,
    hooks: bool = True,
    server: bool = True,
    skills: bool = True,
    dry_run: bool = False,
) -> list[Change]:
    """Write the hooks, the server block and the skills that are not there yet; `words` start clew. One Change a file, unchanged ones too.

    Raises InvalidInput, with nothing written, when a file cannot be read or edited or our plugin does the same work already.
    """
    refuse_plugin(client, place)
    return _all([(part, _putting(part)) for part in parts(client, words, place, hooks=hooks, server=server, skills=skills)], dry_run)


def uninstall(
    client: Client, place: Place, *, hooks: bool = True, server: bool = True, skills: bool = True, dry_run: bool = False
) -> list[Change]:
    """Take out what is ours, by the commands it holds; everything else stays. A file that only we had need of is removed."""
    concerned = parts(client, ("clew",), place, hooks=hooks, server=server, skills=skills)
    return _all([(part, _taking(part)) for part in concerned], dry_run)


def parts(client: Client, words: Sequence[str], place: Place, *, hooks: bool, server: bool, skills: bool) -> list[Part]:
    """The files that are concerned: hooks, server, skills. For one project there are no skills: a repository's are everybody's."""
    hook_file, server_file = (
        (client.project_hook_file, client.project_server_file) if place.project else (client.hook_file, client.server_file)
    )
    if place.project and server_file is None:
        raise InvalidInput("project", f"{client.title} has no settings for one project that clew could write; leave out --project")
    found = [_hooks_part(client, hook_file, words, place)] if hooks and hook_file else []
    found += [_server_part(client, server_file, words, place)] if server and server_file else []
    return found + (_skill_parts(client.skills, place) if skills and client.skills and not place.project else [])


def path_of(file: File, place: Place) -> str:
    """The absolute path of a settings file."""
    folder = (place.env.get(file.variable, "").strip() if file.variable else "") or file.folder
    if folder is file.folder and folder.startswith("."):
        folder = place.project + folder[1:]
    if folder == "~" or folder.startswith(("~/", "~\\")):
        folder = place.home + folder[1:]
    return os.path.abspath(os.path.join(folder, file.name))


def refuse_plugin(client: Client, place: Place) -> None:
    """Raises InvalidInput where our plugin is switched on: with both, every event would call clew twice."""
    candidates = [file for file in (client.hook_file, place.project and client.project_hook_file) if file and client.plugins]
    for path in [path_of(file, place) for file in candidates]:
        with _blaming(path):
            plugins = jsonc.read(_text(path, files.current(path)) or "", (client.plugins,))
        for name, on in plugins.items() if isinstance(plugins, dict) else ():
            if name.startswith("clew@") and on is True:
                way_out = f"Stay with it, or remove it first: {client.name} plugin uninstall {name}"
                raise InvalidInput(
                    path, f"the plugin {name} is switched on and does the same; with both, clew would be called twice. {way_out}"
                )


def _hooks_part(client: Client, file: File, words: Sequence[str], place: Place) -> Part:
    return Part(
        path_of(file, place),
        lambda text: blocks.with_hooks(text, file.keys, client, words),
        lambda text, older: blocks.without_hooks(text, file.keys, client, older),
        lambda text: blocks.hooks_in(text, file.keys, client),
    )


def _server_part(client: Client, file: File, words: Sequence[str], place: Place) -> Part:
    keys = tuple(place.project if key == "{project}" else key for key in file.keys)
    path, block = path_of(file, place), blocks.server(client, words)
    if path.endswith(".toml"):
        return Part(
            path,
            lambda text: toml.with_server(text, keys, block),
            lambda text, older: toml.without_server(text, keys, older),
            lambda text: toml.server_in(text, keys),
        )
    return Part(
        path,
        lambda text: blocks.with_server(text, keys, block),
        lambda text, older: blocks.without_server(text, keys, older),
        lambda text: blocks.server_in(text, keys),
    )


def _skill_parts(file: File, place: Place) -> list[Part]:
    def part(name: str, skill: str) -> Part:
        return Part(
            os.path.join(path_of(file, place), name, taught.SKILL_FILE),
            lambda text: taught.with_skill(text, skill),
            lambda text, older: taught.without_skill(text),
            lambda text: taught.skill_in(text, name),
            alone=True,
        )

    return [part(name, skill) for name, skill in taught.skills().items()]


def _putting(part: Part) -> Callable[[str | None], str | None]:
    return lambda before: part.put(before or "")


def _taking(part: Part) -> Callable[[str | None], str | None]:
    """What a file becomes without us. Where it did not exist before us, nothing is what is left of it."""

    def taken(before: str | None) -> str | None:
        if before is None or not part.find(before):
            return before
        older = _older(part)
        after = part.take(before, older or "")
        return None if older is None and not after.strip() else after

    return taken


def _older(part: Part) -> str | None:
    """The file as it was before us: the newest backup with nothing of ours in it. None where there is none: we made the file."""
    for path, content in files.backups(part.path):
        try:
            text = _text(path, content) or ""
            if not part.find(text):
                return text
        except InvalidInput:
            continue
    return None


def _all(work: list[tuple[Part, Callable[[str | None], str | None]]], dry_run: bool) -> list[Change]:
    planned = [_planned(part, change) for part, change in work]
    return planned if dry_run else [_done(part, change) for part, change in work]


def _planned(part: Part, change: Callable[[str | None], str | None]) -> Change:
    with _blaming(part.path):
        before = _text(part.path, files.current(part.path))
        return _change(part, before, change(before))


def _done(part: Part, change: Callable[[str | None], str | None]) -> Change:
    seen: list[Change] = []

    def rewritten(raw: bytes | None) -> bytes | None:
        before = _text(part.path, raw)
        after = change(before)
        seen.append(_change(part, before, after))
        mark = BOM if raw is not None and raw.startswith(BOM.encode()) else ""
        return None if after is None else raw if after == before else (mark + after).encode()

    with _blaming(part.path):
        backup = files.rewrite(part.path, rewritten)
    if part.alone and seen[-1].after is None:
        files.remove_empty(os.path.dirname(part.path))
    return seen[-1]._replace(backup=backup)


@contextmanager
def _blaming(path: str) -> Iterator[None]:
    """Puts the file's name before the place, or the key, that an edit stumbled over."""
    try:
        yield
    except InvalidInput as error:
        if error.field.startswith(path):
            raise
        place, what = (f":{error.field}", error.problem) if error.field[:1].isdigit() else ("", str(error))
        raise InvalidInput(path + place, f"{what}. Nothing was written; put that right and run this again") from None


def _change(part: Part, before: str | None, after: str | None) -> Change:
    old, new = part.find(before or ""), part.find(after or "")
    return Change(
        part.path,
        before,
        after,
        added=tuple(name for name in new if name not in old),
        updated=tuple(name for name in new if name in old and new[name] != old[name]),
        removed=tuple(name for name in old if name not in new),
    )


def _text(path: str, raw: bytes | None) -> str | None:
    """A file's text without its byte order mark; None for no file. Raises InvalidInput when it is not UTF-8."""
    try:
        return None if raw is None else raw.decode("utf-8").removeprefix(BOM)
    except UnicodeDecodeError as error:
        raise InvalidInput(path, f"is not UTF-8 (byte {error.start + 1}). Nothing was written") from None
