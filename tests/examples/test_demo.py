"""The demo shows all it promises, of the repository as it stands: its own history and documents compete with what it stores."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_step_of_the_demo_shows_what_it_should():
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ["PYTHONPATH"]])}
    run = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "demo.py")], capture_output=True, text=True, env=env, encoding="utf-8", timeout=300
    )
    assert [line for line in run.stdout.splitlines() if "✗" in line] == []
    assert "every step showed what it should" in run.stdout
    assert (run.returncode, run.stderr) == (0, "")
