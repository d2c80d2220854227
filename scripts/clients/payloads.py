"""Feed recorded hook payloads to the front door, each field missing, null and of every wrong type.

`python -m scripts.clients.payloads FOLDER`, which holds JSON files of the form {"event", "payload", …} or bare payloads with
`hook_event_name`. Prints what crashed, blocked or answered with anything but one JSON object; the exit code is 1 when something did.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

WRONG: tuple[Any, ...] = (None, 3, [], {"a": [None]}, "\x00\ud800\x1b[2J")
AT_ONCE = 2


def variants(payload: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(what was done, the payload): as it is, then with each field missing and of every wrong type."""
    yield "as it is", payload
    for field in payload:
        yield f"without {field}", {k: v for k, v in payload.items() if k != field}
        yield from ((f"{field} = {value!r}", {**payload, field: value}) for value in WRONG)


def wrong(clew: str, client: str, event: str, payload: dict[str, Any], env: dict[str, str]) -> str:
    """What is wrong with the answer to one payload, "" when nothing is."""
    done = subprocess.run([clew, "hook", client, event], input=json.dumps(payload).encode(), capture_output=True, env=env, check=False)
    if done.returncode or done.stderr:
        return f"exit {done.returncode}: {done.stderr.decode('utf-8', 'replace')[-200:]}"
    try:
        answer = json.loads(done.stdout) if done.stdout else {}
    except ValueError:
        return f"no JSON: {done.stdout[:200]!r}"
    return "" if isinstance(answer, dict) and answer.keys() <= {"hookSpecificOutput"} else f"another form: {sorted(answer)}"


def main() -> int:
    """Try every variant of every file; 1 when one went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--client", default="claude")
    parser.add_argument("--clew", default="clew")
    given = parser.parse_args()
    tried = failed = 0
    with tempfile.TemporaryDirectory() as home, ThreadPoolExecutor(AT_ONCE) as pool:
        env = {name: value for name, value in os.environ.items() if not name.startswith("CLEW_")} | {"CLEW_HOME": home}
        for file in sorted(given.folder.glob("*.json")):
            held = json.loads(file.read_text("utf-8"))
            payload = held.get("payload", held)
            event = held.get("event") or payload["hook_event_name"]
            named = list(variants(payload))
            answers = pool.map(lambda named, event=event: wrong(given.clew, given.client, event, named[1], env), named)
            for (done, _), problem in zip(named, answers, strict=True):
                tried += 1
                if problem:
                    failed += 1
                    print(f"{file.name}, {done}: {problem}")
    print(f"{tried:,} payloads, {failed} went wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
