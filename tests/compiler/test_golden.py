"""Golden requests: the same bytes today, tomorrow, and in a process with other hash seeds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from golden_requests import GOLDEN, REQUESTS, output

HERE = Path(__file__).parent
ANEW = "import sys, golden_requests as g; sys.stdout.buffer.write(''.join(map(g.output, g.REQUESTS)).encode())"


@pytest.mark.parametrize("name", REQUESTS)
def test_a_golden_request_gives_the_bytes_it_gave(name):
    assert output(name).encode() == (GOLDEN / f"{name}.json").read_bytes(), "see golden_requests.py for how to write them anew"


def test_every_golden_file_has_its_request():
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(REQUESTS)


@pytest.mark.parametrize("seed", ["0", "4711"])
def test_another_process_with_another_hash_seed_gives_the_same_bytes(seed):
    paths = os.pathsep.join([str(HERE.parents[1] / "src"), str(HERE)])
    done = subprocess.run(
        [sys.executable, "-c", ANEW], env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": seed}, capture_output=True, timeout=120
    )
    assert done.stdout == "".join(map(output, REQUESTS)).encode(), done.stderr.decode()
