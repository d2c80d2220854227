"""Real agent programs remember: Claude Code and Codex, against a model of our own, where there is no network but loopback."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOME = os.environ.get("HOME", "")  # the person's own, before a test gets another: npm keeps its downloads there
WHEEL = os.environ.get("CLEW_WHEEL_BIN")


def alone() -> bool:
    """Whether a process can be put where there is no network."""
    how = ["unshare", "--net"] if hasattr(os, "geteuid") and os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
    return shutil.which("unshare") is not None and subprocess.run([*how, "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not WHEEL, reason="no wheel installed: run `make test`")
@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed")
@pytest.mark.skipif(not alone(), reason="this system cannot take the network away from a process")
@pytest.mark.parametrize("client", ["claude", "codex"])
def test_what_was_decided_reaches_the_model_of_a_real_client(client):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLEW_", "PYTHON"))}
    command = [sys.executable, "-m", "scripts.clients.run", client, "--clew", str(Path(WHEEL) / "clew")]
    done = subprocess.run(command, cwd=ROOT, env=kept | {"HOME": HOME}, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
