"""Which projects of the store a place on disk means, for reading and for writing."""

from __future__ import annotations

from clew.engines import indexing, moving, stepping
from clew.errors import InvalidInput, NotFound
from clew.model import USER_PROJECT, Project
from clew.project import Place, deepen, locate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from clew.embed.base import Embedder
    from clew.model import Memory
    from clew.store.base import Store

PORTABLE = ("root:", "remote:")  # keys that are the same on every machine


def place(project: str | None, *, root: str | None, env: Mapping[str, str], home: str) -> Place:
    """Where the user stands or what they name. Raises InvalidInput, also for "*", which is no project but all of them."""
    where = locate(project, env=env, home=home, client_root=root)
    if where.keys == ("name:*",):
        raise InvalidInput("project" if project is not None else "CLEW_PROJECT", "'*' means all projects; only what reads can take it")
    return where


def _known(store: Store, where: Place) -> int | None:
    """The project of the store: by key, then, for a name, by its label."""
    found = store.project_for(where.keys)
    if found is None and where.keys[0].startswith("name:"):
        return next((p.id for p in store.projects() if p.name == where.name), None)
    return found


def for_reading(store: Store, where: Place, *, user: bool = True, strict: bool = True) -> list[int]:
    """Ids of the project, when the store knows it, and of the user's own; asks git only when the cheap keys are unknown.

    `strict` raises NotFound for a name that no project has; else nothing was remembered there yet.
    """
    found = _known(store, where)
    if found is None:
        found = store.project_for(deepen(where).keys)
    if found is None and strict and where.keys[0].startswith("name:"):
        names = ", ".join(p.name for p in store.projects()) or "none yet"
        raise NotFound(f"there is no project '{where.name}'; the store has: {names}")
    own = store.project_for(["user:"]) if user else None
    return list(dict.fromkeys(i for i in (found, own) if i is not None))


def beside(store: Store, project: int) -> list[int]:
    """What is read together with a project: itself and the user's own."""
    own = store.project_for(["user:"])
    return [project] if own is None or own == project else [project, own]


def for_writing(store: Store, where: Place, now: float) -> int:
    """The id of the project, created when new; its keys are kept so that worktrees, clones and renamed folders meet."""
    found = _known(store, where)
    if found is not None and (not where.keys[0].startswith("git:") or store.project_uid(found).startswith(PORTABLE)):
        return found
    deep = deepen(where)
    with store.transaction():
        found = store.project_for(deep.keys) if found is None else found
        if found is None:
            uid = next((k for k in deep.keys if k.startswith(PORTABLE)), deep.keys[0])
            name = USER_PROJECT if deep.keys == ("user:",) else deep.name
            found = store.add_project(uid=uid, name=name, path=deep.path, at=now)
        store.claim_keys(found, deep.keys)
        if deep.path:
            store.rename_project(found, path=deep.path)
    return found


def shown(store: Store, where: Place) -> Project:
    """The project as the store knows it; id 0 and no memories when it does not. Raises NotFound for a name that no project has."""
    for_reading(store, where, user=False)
    return standing(store, where)


def standing(store: Store, where: Place | None) -> Project:
    """`shown` for a report: a name that no project has yet is no error there, and None is all projects together."""
    if where is None:
        return Project(0, "*", "", sum(p.memories for p in store.projects()))
    ids = for_reading(store, where, user=False, strict=False)
    return next((p for p in store.projects() if p.id in ids), Project(0, where.name, where.path, 0))


def name_of(store: Store, where: Place) -> str:
    """What the project is called, by the store if it knows it."""
    ids = for_reading(store, where, user=False, strict=False)
    return store.project_name(ids[0]) if ids else where.name


def rename(store: Store, where: Place, to: str) -> Project:
    """Another label for a known project. Raises InvalidInput for one that is taken or reserved, NotFound for an unknown project."""
    if not isinstance(to, str):
        raise InvalidInput("name", f"must be text, not {type(to).__name__}")
    ids = for_reading(store, where, user=False)
    _not_the_users(store, ids, "has no other name")
    label = place(to, root=None, env={}, home="/").name if not any(c in to for c in "/\\") and not to.startswith((".", "~", "@")) else ""
    if not label:
        raise InvalidInput("name", f"{ascii(to)[:60]} cannot be a project's name; leave out slashes, leading dots, ~ and @")
    if any(p.name == label for p in store.projects()):
        raise InvalidInput("name", f"a project '{label}' is there already; `clew project merge` joins two")
    if not ids:
        raise NotFound("nothing was remembered in this project yet, so there is nothing to rename")
    with store.transaction():
        store.rename_project(ids[0], name=label)
    return next(p for p in store.projects() if p.id == ids[0])  # `where` may have been the former label


def merge(store: Store, embedder: Embedder | None, what: Place, into: Place, *, now: float) -> int:
    """Move all of one project into another and let the other answer to its keys. How many memories moved.

    Raises NotFound for a name that no project has, InvalidInput where both are one or either is the user's own.
    """
    ids = for_reading(store, what, user=False)
    if not ids:
        raise NotFound(f"nothing was remembered in '{what.name}', so there is nothing to merge")
    single = "move single memories instead: `clew project move`"
    _not_the_users(store, ids, f"cannot be merged away; {single}")
    if into.keys == ("user:",):
        raise InvalidInput("into", f"{USER_PROJECT} is read alongside every project and answers to no folder; {single}")
    for_reading(store, into, user=False)  # a mistyped name makes no project
    target = for_writing(store, into, now)
    if ids[0] == target:
        raise InvalidInput("into", f"'{into.name}' is the same project")
    ahead: dict[int, tuple[Memory, bytes]] = {}
    for step in stepping.steps(store, ids):
        ahead.update(moving.meant(step, embedder))
    moved = 0
    with store.transaction():
        indexing.sign(store, embedder)
        for step in list(stepping.steps(store, ids)):
            moved += moving.shift(store, embedder, step, ahead, target, now=now)
        store.drop_project(ids[0], into=target)
    return moved


def _not_the_users(store: Store, ids: list[int], why: str) -> None:
    if ids and store.project_for(["user:"]) == ids[0]:
        raise InvalidInput("project", f"{USER_PROJECT} is read alongside every project and {why}")
