"""Runs one command line and turns whatever ends it into an exit code: answers, errors that teach, interrupts, closed pipes."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from clew.cli import render
from clew.cli.app import app
from clew.errors import ClewError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

COMPLETE = "_CLEW_COMPLETE"  # set by the shell's completion function
TROUBLE, BAD_INPUT, INTERRUPTED = 1, 2, 130


def run(args: Sequence[str]) -> int:
    """The exit code of `clew args…`: 0 done, 1 trouble, 2 bad input, 3 to 7 by error class (docs/errors.md), 130 interrupted.

    A reader that closed the pipe early got what it wanted: that is 0, and quiet.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character shows a question mark
    try:
        code = _run(list(args))
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        code = 0
        _abandon(sys.stdout)
    except OSError as error:
        code = TROUBLE
        _abandon(sys.stdout)
        render.failed("OSError", "", _os_words(error), machine=_machine(args))
    if sys.stderr is not None:
        with suppress(OSError, ValueError):  # nobody is left to be told
            sys.stderr.flush()
    return code


def _run(args: list[str]) -> int:
    machine = _machine(args)
    try:
        if os.environ.get(COMPLETE):
            from click.shell_completion import shell_complete

            return shell_complete(app, {}, "clew", COMPLETE, os.environ[COMPLETE])
        with app.make_context("clew", args) as context:
            app.invoke(context)
    except ClewError as error:
        render.failed(type(error).__name__, getattr(error, "field", ""), str(error), machine=machine)
        return error.exit_code
    except click.exceptions.Exit as end:
        return end.exit_code
    except (click.Abort, KeyboardInterrupt, EOFError):
        return INTERRUPTED
    except click.ClickException as error:
        render.failed("InvalidInput", _field(error), _usage(error), machine=machine)
        return BAD_INPUT
    return 0


def _machine(args: Sequence[str]) -> bool:
    """Whether the caller asked for JSON; read from the words themselves, since a command line that cannot be parsed fails in JSON too."""
    end = args.index("--") if "--" in args else len(args)
    return "--json" in args[:end]


def _field(error: click.ClickException) -> str:
    """The option or argument a usage error is about, in its long form; "" when it is about the whole line."""
    parameter = getattr(error, "param", None)
    written = parameter.opts[-1] if parameter and parameter.param_type_name == "option" else getattr(parameter, "human_readable_name", "")
    return str(getattr(error, "option_name", "") or written)


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    said = f"{_field(error)}: {error.message}" if isinstance(error, click.BadParameter) and error.message else error.format_message()
    return " ".join(said.split()).removesuffix(".") + (f" (see `{context.command_path} --help`)" if context else "")


def _os_words(error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and not error.filename:  # what getcwd says
        return "the folder you stand in is gone; cd into one that is there"
    return f"{error.filename}: {error.strerror}" if error.filename else f"reading or writing failed: {error.strerror or error}"


def _abandon(stream: TextIO | None) -> None:
    """Let what is still buffered for a stream that is gone vanish, so that the interpreter's last flush has nothing to complain about."""
    if stream is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
