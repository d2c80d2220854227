"""Every example runs as it stands and shows what it is there to show."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHOWN = {
    "agent_loop": [
        "60 turns in 6000 tokens: 5232 used",
        "kept 15, as a line 5, left out 53",
        "evicted 63, missed 5",
        "saved 43 of 48 readings of a file met before",
    ],
    "a_loop_is_stopped": [
        "try 3: failed, the same approach failed 3 times with nothing changed between",
        "try 4: stopped, this very approach failed 3 times and nothing was changed since",
        "after an edit it may run: level 1",
        "a week later, the same failure: 3 failed tries",
        "  pytest tests/test_cart.py passed after src/cart.py",
        "  decision: pytest tests/test_cart.py passes again after 3 failed tries, by changing src/cart.py",
        "  fact: pytest tests/test_cart.py failed (3 times): E AssertionError: assert 4 == 400",
    ],
    "survives_a_restart": ["Use PostgreSQL for the ledger", "  MongoDB lost acknowledged writes in the June load test"],
    "why_this_constant": [
        "Wait 30 s for the vendor (#41)",
        "  #41: the vendor's night batch holds answers back for up to 25 s",
    ],
    "prose_wires_itself": [
        "why a copy for 7 days?",
        "We keep a copy of every upload for 7 days",
        "  Redis lists dropped jobs when a worker died",
        "    We decided to queue uploads in RabbitMQ",
    ],
    "which_decision_does_this_revert": [
        "Ask the vendor for every price",
        "  Cache prices for an hour",
        "    #7: the vendor's invoice doubled in May",
    ],
}  # fmt: skip


def test_each_example_has_its_test():
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_an_example_shows_the_trail_it_promises(name):
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ["PYTHONPATH"]])}
    run = subprocess.run(
        [sys.executable, str(ROOT / "examples" / f"{name}.py")], capture_output=True, text=True, env=env, encoding="utf-8", timeout=120
    )
    assert (run.returncode, run.stderr) == (0, "")
    lines = run.stdout.splitlines()
    start = lines.index(SHOWN[name][0])
    assert lines[start : start + len(SHOWN[name])] == SHOWN[name]
