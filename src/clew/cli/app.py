"""The command `clew`: its commands in sections, and its version."""

from __future__ import annotations

import click

from clew import __version__
from clew.cli.group import Group, Later

# Module and name of each command, which is called as its function is, with dashes and without the mark that keeps it off a word of Python.
SECTIONS = {
    "Remember": (
        "writing.remember",
        "extract.extract",
        "writing.edit",
        "writing.supersede",
        "writing.done",
        "writing.pin",
        "writing.unpin",
        "writing.feedback",
        "writing.forget",
        "linking.link",
        "linking.unlink",
    ),
    "Recall": ("reading.recall", "trails.why", "trails.path", "linking.entity", "reading.show", "reading.list_"),
    "Projects and files": ("projects.project", "exchange.init", "exchange.import_", "exchange.export"),
    "Attempts": ("attempts.attempt", "attempts.attempts", "attempts.tried"),
    "Window": ("window.working_set", "window.restore", "window.strength", "window.sweep"),
    "Compile": ("compiling.compile_", "sources.sources", "sources.savings", "sources.suggest_budget", "sources.working_context"),
    "Agents": ("agents.context", "agents.resume", "setup.setup", "setup.uninstall"),
    "Care": ("care.status", "care.doctor", "care.reindex", "care.backup", "care.completion"),
}


def _called(place: str) -> str:
    return place.rpartition(".")[2].rstrip("_").replace("_", "-")


MEMBERS = Later({_called(place): f"clew.cli.{place}" for places in SECTIONS.values() for place in places})


class Sections(Group):
    """A group whose help shows its commands under headings, in the order of SECTIONS."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Click's hook for the list of commands in --help."""
        for heading, places in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(80)) for name in map(_called, places)])
        formatter.write_paragraph()
        formatter.write_text("Agent programs run `clew mcp` and `clew hook` themselves, once `clew setup` has told them.")


@click.group(cls=Sections, commands=MEMBERS, doors=("mcp", "hook"), context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="clew %(version)s", help="Show the version.")
def app() -> None:
    """A local-first memory for coding agents: what was decided, why, and what already failed.

    \b
    clew remember "Use PostgreSQL for the ledger" -k decision
    clew recall which database did we pick
    """
