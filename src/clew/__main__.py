"""`clew` and `python -m clew`: which door a command line goes through. Nothing is imported before that is known."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and end the process with its exit code (docs/errors.md)."""
    try:
        from clew.cli.run import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # while modules load; later ones are taken where the command runs
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
