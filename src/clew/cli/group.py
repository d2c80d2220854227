"""A click group that shows its help when nothing is asked of it, and names the nearest command for a mistyped one."""

from __future__ import annotations

import click

from clew.cli import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


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
