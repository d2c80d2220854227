"""Why a constant has its value: from the line of code to the commit that wrote it, and from its ticket to what was learnt there.

python examples/why_this_constant.py
"""

import os
import subprocess
import tempfile
from pathlib import Path

from clew import Clew

BEFORE = "def fetch(url):\n    return get(url, timeout=10)\n"
AFTER = "VENDOR_TIMEOUT = 30\n\n\ndef fetch(url):\n    return get(url, timeout=VENDOR_TIMEOUT)\n"


def commit(folder: Path, name: str, text: str, message: str) -> None:
    """Write a file and commit it."""
    (folder / name).write_text(text)
    who = {f"GIT_{part}_{what}": "ada@example.invalid" for part in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for words in (["add", "."], ["commit", "-q", "-m", message]):
        subprocess.run(["git", *words], cwd=folder, env={**os.environ, **who}, check=True)


def main() -> None:
    """A small repository, one memory, one question."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        commit(folder, "vendor.py", BEFORE, "Fetch prices from the vendor")
        commit(folder, "vendor.py", AFTER, "Wait 30 s for the vendor (#41)")
        subprocess.run(["git", "mv", "vendor.py", "prices.py"], cwd=folder, check=True)
        commit(folder, "README", "prices\n", "Call the module by what it does")
        with Clew(":memory:", root=place) as clew:
            clew.remember("#41: the vendor's night batch holds answers back for up to 25 s", kind="observation")
            for node in clew.why("prices.py:1").nodes:
                if node.memory is not None:
                    print("  " * node.hop + node.memory.summary)


if __name__ == "__main__":
    main()
