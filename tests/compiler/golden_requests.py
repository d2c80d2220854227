"""The golden requests and their outputs: `PYTHONPATH=src:tests/compiler python tests/compiler/golden_requests.py` writes them anew.

Look at the difference before committing it: a changed output is a changed promise.
"""

from __future__ import annotations

import json
from pathlib import Path

from compiled_requests import Words, log_of, png

from clew.compiler.answer import full_response
from clew.compiler.pipeline import compile_request

GOLDEN = Path(__file__).parent / "golden"
SOURCE = "".join(f"def step_{n}(order):\n    return order.{n}\n\n\n" for n in range(9))
RULES = "House rules\n\n- Never push to main.\n- The gateway listens on 8443, its twin on 9443, both since 2026-01-01.\n"
GUIDE = """# Gateway

The gateway answers carriers. It was moved twice.

## Limits

A carrier gets 40 requests a second; see https://wiki.example/limits#carrier for the rest.

| carrier | limit |
|---|---|
| north | 40 |
| south | 25 |

## History

It grew out of the importer. Nobody remembers why it is written the way it is, and nobody minds.

```python
LIMIT = 40

BURST = 3
```
"""

REQUESTS: dict[str, dict] = {
    "everything_fits": {
        "query": "gateway limit",
        "fragments": [{"content": RULES, "metadata": {"cache": True}}, {"content": GUIDE, "kind": "markdown"}],
    },
    "cut_to_budget": {
        "query": "what limit has a carrier?",
        "token_budget": 120,
        "fragments": [{"content": GUIDE, "kind": "markdown"}, {"content": log_of(60), "kind": "log"}],
    },
    "rereads": {
        "query": "step 4",
        "fragments": [
            {"content": SOURCE.replace("order.4", "order.four"), "path": "steps.py", "kind": "code"},
            {"content": log_of(30), "kind": "tool_result"},
            {"content": SOURCE, "path": "steps.py", "kind": "code"},
            {"content": "quite another text\n", "path": "notes.txt"},
            {"content": "the newest text\n", "path": "notes.txt"},
        ],
    },
    "duplicates_and_screens": {
        "token_budget": 400,
        "fragments": [
            {"content": "The carrier calls twice.", "id": 1},
            {"content": "the carrier  calls twice", "id": 2},
            {"content": "The carrier calls twice.", "id": "90071992547409931"},
            *({"content": f"shot {n}", "kind": "screenshot", "media": png(seed=n), "metadata": {"target": "page"}} for n in range(3)),
        ],
    },
    "memories": {
        "query": "carrier limit",
        "token_budget": 15,
        "policy": {"importance": {"recency_field": "at"}},
        "fragments": [
            {"content": f"The carrier limit was {name}.", "kind": "memory", "metadata": {"confidence": c, "at": at}}
            for name, c, at in (("low", 0.5, 10), ("high", 0.9, 20), ("none", 0.1, 30))
        ],
    },
    "scripts_and_signs": {
        "query": "端口 limite",
        "token_budget": 60,
        "fragments": [
            {"content": "网关的端口是 8443。不要重启主机。其他的话没有意义。"},
            {"content": "La limite ne doit jamais être dépassée.\r\n\r\nLe reste importe peu 👨\u200d👩\u200d👧."},
            {"content": "a\0b \x1b[31mred\x1b[0m"},
            {"content": "يجب ألا يعاد التشغيل " * 10},
        ],
    },
}


def output(name: str) -> str:
    """What a golden request gives, as it is kept: the whole answer, the content by lines so that a difference can be read."""
    answer = full_response(compile_request(REQUESTS[name], Words()))
    answer["media"] = [{"fragment": m["fragment"], "mime": m["mime"]} for m in answer["media"]]
    return json.dumps({**answer, "content": answer["content"].split("\n")}, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for each in REQUESTS:
        (GOLDEN / f"{each}.json").write_bytes(output(each).encode())
