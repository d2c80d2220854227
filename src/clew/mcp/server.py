"""`clew mcp`: the protocol over standard input and output. Nothing that arrives ends the process but the end of the input."""

from __future__ import annotations

import os
import sys

from clew import __version__
from clew.mcp.protocol import Protocol
from clew.mcp.tools import INSTRUCTIONS, TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from clew.mcp.calls import Desk

LINE_BYTES = 32 << 20
CHUNK = 64 << 10
ROOTS_SECONDS = 2.0  # a tool call waits this long for a client that has roots to name them
USAGE = """\
usage: clew mcp [--stdio]

Serve memory to an agent program over the Model Context Protocol on standard input and output; it is the agent program that starts this.
"""


def main(argv: list[str]) -> int:
    """Serve until the input ends. `--stdio` is accepted and changes nothing. Returns the exit code."""
    unknown = [word for word in argv if word not in ("--stdio", "--help", "-h")]
    if unknown or len(argv) != argv.count("--stdio"):
        print(USAGE, end="", file=sys.stderr if unknown else sys.stdout)
        return 2 if unknown else 0
    desk = _Later()
    protocol = Protocol(desk.call, tools=TOOLS, instructions=INSTRUCTIONS, server={"name": "clew", "title": "clew", "version": __version__})
    try:
        serve(protocol, Lines(0), _own_output())
    except (BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        pass  # whoever listened has gone
    finally:
        desk.close()
    return 0


def serve(protocol: Protocol, lines: Lines, send: Callable[[bytes], None]) -> None:
    """Answer line after line until there are none."""
    while True:
        if protocol.waiting and not lines.ready(ROOTS_SECONDS):
            replies = protocol.give_up()
        elif lines.next():
            replies = protocol.receive(lines.line)
        else:
            return
        for reply in replies:
            send(reply + b"\n")


class Lines:
    """The lines that arrive on a file descriptor, each held in memory only up to `bound` bytes."""

    def __init__(self, fd: int, bound: int = LINE_BYTES) -> None:
        self._fd, self._bound = fd, bound
        self._rest = b""
        self._ended = False
        self.line: bytes | None = b""

    def next(self) -> bool:
        """Whether there is another line, which is then in `line`: None stands for one over the bound. What ends the input ends a line."""
        parts, size, rest = [], 0, self._rest
        while True:
            part, newline, after = rest.partition(b"\n")
            size += len(part)
            if size <= self._bound:
                parts.append(part)
            else:
                parts.clear()
            if newline or self._ended:
                self._rest = after
                self.line = b"".join(parts) if size <= self._bound else None
                return bool(newline or size)
            rest = self._read()

    def ready(self, seconds: float) -> bool:
        """Whether a line, or the end, may be had without waiting longer than that. Where pipes cannot be watched the answer is no."""
        if b"\n" in self._rest or self._ended:
            return True
        from select import select

        try:
            return bool(select([self._fd], [], [], seconds)[0])
        except (OSError, ValueError):
            return False

    def _read(self) -> bytes:
        try:
            chunk = os.read(self._fd, CHUNK)
        except ConnectionResetError:
            chunk = b""
        self._ended = not chunk
        return chunk


class _Later:
    """A Desk that is loaded at the first call: what it needs is not on the road to tools/list."""

    def __init__(self) -> None:
        self._desk: Desk | None = None

    def call(self, tool: str, arguments: Any, client: str, root: str | None) -> dict[str, Any]:
        """As Desk.call."""
        if self._desk is None:
            from clew.mcp.calls import Desk

            self._desk = Desk()
        return self._desk.call(tool, arguments, client, root)

    def close(self) -> None:
        """As Desk.close."""
        if self._desk is not None:
            self._desk.close()


def _own_output() -> Callable[[bytes], None]:
    """A function that writes to the real standard output, which from now on only it can reach: what is printed goes to standard error."""
    fd = os.dup(1)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a standard error
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout = sys.stderr

    def send(data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]

    return send
