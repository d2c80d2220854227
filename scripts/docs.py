"""Writes docs/cli.md from the commands themselves, so that `--help` and the page cannot differ: python scripts/docs.py docs/cli.md"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

OPENING = """\
# The command line

Written by `make docs` from the commands' own help; a test fails when the two differ. `clew hook` and `clew mcp`, which agent programs
run, have pages of their own: [hooks.md](hooks.md), [mcp.md](mcp.md).
"""


def commands(command: click.Command, path: str = "clew") -> Iterator[tuple[str, click.Command]]:
    """Every command with its full name, groups before their members, hidden ones left out."""
    if command.hidden:
        return
    yield path, command
    if isinstance(command, click.Group):
        for name, member in sorted(command.commands.items()):
            yield from commands(member, f"{path} {name}")


def paragraphs(help_text: str) -> str:
    """Click's help text as Markdown: what it marks as not to be wrapped becomes a block of code, what it hides stays hidden."""
    blocks = inspect.cleandoc(help_text).partition("\f")[0].strip().split("\n\n")
    return "\n\n".join(f"```\n{block[2:]}\n```" if block.startswith("\b\n") else block for block in blocks)


def row(option: tuple[str, str]) -> str:
    """One row of a command's table: how an option is written, what it does."""
    return "| `{}` | {} |".format(*(" ".join(part.split()).replace("|", r"\|") for part in option))


def section(path: str, command: click.Command) -> str:
    """One command: its usage, its help text, its options."""
    context = click.Context(command, info_name=path, terminal_width=100, max_content_width=100)
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f"## {path}", "", f"`{path} {usage}`", "", paragraphs(command.help or command.short_help or "")]
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))  # arguments have none: the text says them
    rows = [row(record) for record in records if record and record[1]]
    if rows:
        lines += ["", "| | |", "|---|---|", *rows]
    return "\n".join(lines) + "\n"


def page(app: click.Command) -> str:
    """The whole of docs/cli.md."""
    return "\n".join([OPENING, *(section(path, command) for path, command in commands(app))])


if __name__ == "__main__":
    from clew.cli.app import app

    Path(sys.argv[1]).write_text(page(app), "utf-8")
