"""`clew` and `python -m clew`: which door a command line goes through. Nothing is imported before that is known."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and end the process with its exit code (docs/errors.md)."""
    try:
        code = _through(sys.argv[1:])
    except KeyboardInterrupt:  # while modules load; later ones are taken where the command runs
        code = 130
    sys.exit(code)


def _through(words: list[str]) -> int:
    if words[:1] == ["hook"]:
        from clew.hooks.front import main as answer

        answer(words[1:])
        os._exit(0)  # nothing is left to tidy: its files are closed, its one thread only watches the clock
    if words[:1] == ["mcp"]:
        from clew.mcp.server import main as serve

        return serve(words[1:])
    import gc

    gc.disable()  # a command is over before what it lets go of would be missed; one that works in bulk turns it on again
    from clew.cli.run import run

    code = run(words)
    os._exit(code)  # its store and files are closed, and what it said is said; taking the modules apart costs more than recalling


if __name__ == "__main__":
    main()
