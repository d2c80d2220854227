"""The reason survives a restart: one process decides and says why, another one, later, is asked.

python examples/survives_a_restart.py
"""

import os
import subprocess
import sys
import tempfile

DECIDE = """
from clew import Clew
with Clew(project="ledger") as clew:
    reason = clew.remember("MongoDB lost acknowledged writes in the June load test")
    choice = clew.remember("Use PostgreSQL for the ledger", kind="decision")
    clew.link(choice.memory.id, "because", reason.memory.id)
"""
ASK = """
from clew import Clew
with Clew(project="ledger") as clew:
    for node in clew.why("which database does the ledger use").nodes:
        print("  " * node.hop + node.memory.summary)
"""


def main() -> None:
    """Two processes, one store."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "CLEW_HOME": home}
        subprocess.run([sys.executable, "-c", DECIDE], env=env, check=True)
        subprocess.run([sys.executable, "-c", ASK], env=env, check=True)


if __name__ == "__main__":
    main()
