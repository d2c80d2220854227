"""A click group that shows its help when nothing is asked of it, and names the nearest command for a mistyped one."""

from __future__ import annotations

from collections.abc import MutableMapping
from importlib import import_module

import click

from clew.cli import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any


class Later(MutableMapping[str, click.Command]):
    """The commands of a group by name, each of a module that loads when the command is asked for: one command line needs one of them."""

    def __init__(self, places: Mapping[str, str]) -> None:
        """`places` is where each command is, "module.attribute"."""
        self._places = dict(places)
        self._loaded: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._loaded:
            module, _, attribute = self._places[name].rpartition(".")
            self._loaded[name] = getattr(import_module(module), attribute)
        return self._loaded[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._loaded[name] = command
        self._places.setdefault(name, "")

    def __delitem__(self, name: str) -> None:
        del self._places[name]
        self._loaded.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Group(click.Group):
    """Used by `clew` itself and by each of its groups. `doors` are names that are answered before click is asked (clew.__main__)."""

    def __init__(self, *args: Any, doors: Sequence[str] = (), **how: Any) -> None:
        super().__init__(*args, **how)
        self.doors = doors

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Click's hook that reads the line: without any word on it the help is the answer, unless the group answers itself."""
        if not args and not self.invoke_without_command and not ctx.resilient_parsing:
            render.say(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Click's hook that finds the command; an unknown one fails with the nearest."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            from difflib import get_close_matches

            known = sorted((*self.commands, *self.doors))
            near = get_close_matches(args[0], known, n=1, cutoff=0.5)
            advice = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(known)}"
            ctx.fail(f"there is no command '{render.line(args[0])[:40]}'; {advice}")
        return super().resolve_command(ctx, args)
