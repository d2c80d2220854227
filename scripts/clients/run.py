"""Drive real agent programs against a model of our own and say what they showed: `python -m scripts.clients.run claude codex cline`.

Packages are installed first, with the network; everything after that runs where there is none but loopback.
"""

from __future__ import annotations

import argparse
import datetime
import shutil
import sys
import time
from pathlib import Path

from scripts.clients import claude_code, cline, codex
from scripts.clients.mock_model import Model
from scripts.clients.sandbox import PACKAGES, ROOT, Check, Sandbox, go_offline, install

DRIVERS = {"claude": ("Claude Code", claude_code.drive), "codex": ("Codex", codex.drive), "cline": ("Cline", cline.drive)}
HEAD = """\
# What the clients showed

Real clients, run against a scripted model without a network (`make clients` repeats it). A check looks into the requests that the model
received, not into what a client says.

| client | version | checked | what it must show | |
|---|---|---|---|---|
"""


def main() -> int:
    """0 when every check of every named client held."""
    options = _options()
    for client in options.clients:
        install(client, options.packages)
    go_offline(sys.argv[1:])
    rows, failed = [], 0
    for client in options.clients:
        title, version = DRIVERS[client][0], PACKAGES[client][0].rpartition("@")[2]
        for check in _driven(client, options):
            failed += not check.held
            print(
                f"{'ok  ' if check.held else 'FAIL'} {title} {version}: {check.what}" + ("" if check.held else f"\n     saw: {check.seen}")
            )
            rows.append(f"| {title} | {version} | {datetime.date.today()} | {check.what} | {'yes' if check.held else '**no**'} |\n")
    if options.results:
        options.results.write_text(HEAD + "".join(rows), "utf-8")
    return 1 if failed else 0


def _driven(client: str, options: argparse.Namespace) -> list[Check]:
    box = Sandbox(client, options.clew, options.packages)
    began = time.monotonic()
    try:
        with Model() as model:
            return DRIVERS[client][1](box, model)
    finally:
        print(f"     {client}: {time.monotonic() - began:.0f} s" + (f", kept in {box.folder}" if options.keep else ""))
        if not options.keep:
            box.close()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("clients", nargs="+", choices=list(DRIVERS))
    parser.add_argument("--clew", default=shutil.which("clew"), type=lambda path: str(Path(path).resolve()), help="the command under test")
    parser.add_argument("--packages", default=ROOT / ".clients", type=Path, help="where the clients are installed")
    parser.add_argument("--results", type=Path, help="the page to write")
    parser.add_argument("--keep", action="store_true", help="keep the throw-away folders")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
