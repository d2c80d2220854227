"""One question to a model server over HTTP, with an end to the waiting whatever the server does.

http.client and not urllib: it follows no redirect and asks no proxy, so what is remembered goes to the address that was named and to no
other.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping
    from typing import Any

MOST_BYTES = 32 << 20  # 64 vectors of 8,192 numbers written out are 12 MB
_SAYING = 200  # characters quoted of what a server says against a request


class NoAnswer(Exception):
    """Why a server gave nothing usable, as the second half of a sentence; `again` where the same request may fare better at once.
    Stays inside `clew.embed`."""

    def __init__(self, problem: str, *, again: bool = True) -> None:
        super().__init__(problem)
        self.again = again


def post(url: str, message: Mapping[str, Any], key: str, seconds: float) -> Any:
    """The JSON that `url` answers to the JSON `message`; a `key` that is not empty goes along as bearer token.

    The request runs in a thread of its own, since neither a name look-up nor a server that sends a byte a second minds a socket's
    timeout. Raises NoAnswer.
    """
    from threading import Thread

    line = _Line(url, json.dumps(message).encode(), key, seconds)
    thread = Thread(target=line.run, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        line.cut()
        raise NoAnswer(f"gave no answer within {seconds:.3g} s", again=False)
    if line.failure is not None:
        raise NoAnswer(line.failure)
    return _read(line.status, line.content)


def _read(status: int, content: bytes) -> Any:
    if status != 200:
        said = " ".join(content[:_SAYING].decode("utf-8", "replace").split())
        raise NoAnswer(f"answered HTTP {status}: {said!a}", again=status >= 500 or status == 429)
    if len(content) > MOST_BYTES:
        raise NoAnswer(f"answered more than {MOST_BYTES >> 20} MB", again=False)
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise NoAnswer("answered something that is not JSON") from None


class _Line:
    """A connection while it is in use: what came of it, and the socket by which another thread can end it."""

    def __init__(self, url: str, body: bytes, key: str, seconds: float) -> None:
        self.failure: str | None = None
        self.status, self.content = 0, b""
        self._url, self._body, self._seconds = url, body, seconds
        self._headers = {"Content-Type": "application/json", "Connection": "close"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._socket: socket.socket | None = None

    def run(self) -> None:
        """Ask, and keep the answer or what went wrong."""
        from http.client import HTTPConnection, HTTPException, HTTPSConnection
        from urllib.parse import urlsplit

        parts = urlsplit(self._url)
        connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = connect(parts.hostname or "", parts.port, timeout=self._seconds + 1.0)  # `post` stops waiting first
        try:
            connection.connect()
            self._socket = connection.sock
            connection.request("POST", parts.path, self._body, self._headers)
            with connection.getresponse() as response:
                self.status, self.content = response.status, response.read(MOST_BYTES + 1)
        except OSError as error:
            self.failure = f"cannot be reached ({error.strerror or error})"
        except HTTPException as error:
            self.failure = f"does not speak HTTP as it should ({type(error).__name__})"
        finally:
            connection.close()

    def cut(self) -> None:
        """End the connection from outside: a read that waits in the other thread then returns."""
        from socket import SHUT_RDWR

        if self._socket is not None:
            try:
                self._socket.shutdown(SHUT_RDWR)
            except OSError:
                return  # it ended by itself
