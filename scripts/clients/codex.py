"""Codex in exec mode: are our tools in its very first request, and does a call answer?"""

from __future__ import annotations

from scripts.clients.mock_model import Model
from scripts.clients.sandbox import Check, Sandbox

DECISION = "We chose SQLite over Postgres because one file is easy to back up"
SETTINGS = """\
model = "gpt-5.1-codex"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
web_search = "disabled"

[analytics]
enabled = false

[model_providers.mock]
name = "mock"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[projects."{project}"]
trust_level = "trusted"
"""


def drive(box: Sandbox, model: Model) -> list[Check]:
    """Every check of this client."""
    folder = box.home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text(SETTINGS.format(url=model.url, project=box.project))
    box.env |= {"CODEX_HOME": str(folder), "MOCK_KEY": "no-key"}
    box.memory("remember", DECISION, "--kind", "decision")
    box.memory("setup", "codex")
    program = box.binary("@openai/codex-*/vendor/*/bin/codex*")
    done = box.run([program, "exec", "--skip-git-repo-check", "--json", 'which one? ⟦call recall {"question": "database choice"}⟧'])
    turns = model.since(0)
    tools = turns[0].tools if turns else ()
    answers = [turn.text for turn in turns[1:]]
    return [
        Check("MCP: the tools are in the first request", any(t.endswith("recall") for t in tools), f"{tools} {done.stderr[-300:]}"),
        Check("MCP: recall returns the decision", any(DECISION in answer for answer in answers), " ".join(answers)[-400:]),
    ]
