"""The suite runs with sockets refused: here it is tried, in this process, in a child, and through the libraries people would use."""

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

TRIES = {
    "connect": lambda: socket.create_connection(("127.0.0.1", 9), timeout=1),
    "connect_ex": lambda: socket.socket().connect_ex(("127.0.0.1", 9)),
    "listen": lambda: socket.create_server(("127.0.0.1", 0)),
    "datagram": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9)),
    "message": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendmsg([b"x"], [], 0, ("127.0.0.1", 9)),
    "name": lambda: socket.getaddrinfo("localhost", 80),
    "old name": lambda: socket.gethostbyname("localhost"),
    "six": lambda: socket.socket(socket.AF_INET6).connect(("::1", 9)),
}

CHILD = """
import socket
try:
    socket.create_connection(("127.0.0.1", 9), timeout=1)
except OSError as error:
    print(type(error).__name__)
"""


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("way", TRIES)
def test_every_way_out_is_refused(way):
    with pytest.raises(OSError, match="clew runs without a network"):
        TRIES[way]()


def test_a_web_request_is_refused():
    with pytest.raises(urllib.error.URLError, match="clew runs without a network"):
        urllib.request.urlopen("http://127.0.0.1:9/", timeout=1)


def test_a_child_process_is_held_too():
    done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("SocketRefused", "")


@pytest.mark.skipif(not os.environ.get("CLEW_WHEEL_BIN"), reason="no wheel installed: run `make test`")
def test_the_installed_wheel_is_held_too():
    python = os.path.join(os.environ["CLEW_WHEEL_BIN"], "python")
    done = subprocess.run([python, "-c", CHILD], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("SocketRefused", "")


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets of the file system here")
def test_sockets_of_the_file_system_stay(tmp_path):
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as caller:
        listener.bind(path)
        listener.listen(1)
        caller.connect(path)
        caller.sendall(b"heard")
        with listener.accept()[0] as answering:
            assert answering.recv(5) == b"heard"
