"""Refuses the network to the interpreter that loads it: the tests' own (tests/conftest.py) and, through PYTHONPATH, their children's.

An audit hook, because it sees what C code does too and cannot be taken off again. Sockets of the file system (AF_UNIX) stay: they never
leave the machine, and the standard library starts its worker processes through them. Loopback is refused like any other address, except
to a test that runs a server of its own and says so by the fixture `loopback`.
"""

import sys

REACHING_OUT = ("connect", "bind", "sendto", "sendmsg")
ASKING_A_NAME = ("getaddrinfo", "gethostbyname", "gethostbyaddr", "getnameinfo")
REFUSED = {f"socket.{call}" for call in REACHING_OUT + ASKING_A_NAME}


LOOPBACK = []  # holds something while a test may reach 127.0.0.1


class SocketRefused(OSError):
    """A test, or what it ran, reached for the network."""


def refuse(event, arguments):
    """The audit hook: raises `SocketRefused` for every call that would leave this machine's file system."""
    if event not in REFUSED:
        return
    family = getattr(arguments[0], "family", None)
    if getattr(family, "name", "") != "AF_UNIX" and not (LOOPBACK and host(arguments) == "127.0.0.1"):
        raise SocketRefused(13, f"{event}{arguments[1:]!r}: clew runs without a network, and so do its tests")


def host(arguments):
    """Whom a call wants to reach or ask about: the name itself, or the first part of the address behind a socket."""
    first = arguments[0]
    return first if isinstance(first, str) else arguments[1][0]


sys.addaudithook(refuse)
