"""For every test: no network in this process or in any it starts, and no settings or store of the person who runs the tests."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from clocks import Clock

GUARD = Path(__file__).parent / "refuse_sockets"

# A worker of a parallel run has loaded ours at its start, and a second one would not know what the first allows; another's is replaced.
if Path(getattr(sys.modules.get("sitecustomize"), "__file__", None) or "").parent != GUARD:
    sys.path.insert(0, str(GUARD))
    sys.modules.pop("sitecustomize", None)
    __import__("sitecustomize")
    sys.path.remove(str(GUARD))

os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(GUARD), os.environ.get("PYTHONPATH")]))
os.environ["GIT_ALLOW_PROTOCOL"] = "file"  # git is no Python: its own way to refuse remotes

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a suite started in the background ignores Ctrl-C, and its children would too
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No example fails for being slow on a busy machine; CI tries the same examples every time.
settings.register_profile("house", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("house")


@pytest.fixture(autouse=True)
def a_home_of_its_own(tmp_path_factory, monkeypatch):
    """Every test starts with an empty home and none of clew's settings, whoever runs it."""
    for name in [name for name in os.environ if name.startswith("CLEW_") and name != "CLEW_WHEEL_BIN"]:
        monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("CLEW_HOME", str(home / ".clew"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for part in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{part}_NAME", "A Tester")
        monkeypatch.setenv(f"GIT_{part}_EMAIL", "tester@example.invalid")
    return home


@pytest.fixture
def clock():
    """A clock that stands until a test sets it."""
    return Clock()


@pytest.fixture
def loopback():
    """Lets this test's own process reach 127.0.0.1."""
    guard = sys.modules["sitecustomize"]
    guard.LOOPBACK.append(True)
    yield
    guard.LOOPBACK.pop()


@pytest.fixture
def server(loopback):
    """A running model server of our own on loopback."""
    from model_server import ModelServer

    with ModelServer() as running:
        yield running
