"""What must not be searched or logged: our own packs coming back, the wrappers clients put around them, and prompts that ask nothing."""

from __future__ import annotations

import re

from clew.rules.packs import TAG

# Wrappers that clients were seen to put around injected text (docs/hooks.md): gone with what they hold.
_WRAPPERS = (TAG, "hook_context", "system-reminder", "system_reminder", "qwen:user-prompt-submit-context", "task-notification")
_WRAPPED = re.compile("|".join(rf"<{w}(?:\s[^<>]*)?>.*?(?:</{w}>|\Z)" for w in _WRAPPERS), re.DOTALL | re.IGNORECASE)
_COMMAND = re.compile(r"\s*[/!#]\w")  # slash command, shell escape, note to the client's own memory
SEARCHED_BYTES = 8 << 10


def said(prompt: str) -> str:
    """What the user said in `prompt`: without our own packs and other injected text, its first SEARCHED_BYTES."""
    text = _WRAPPED.sub(" ", prompt) if "<" in prompt else prompt
    return text.strip().encode("utf-8", "ignore")[:SEARCHED_BYTES].decode("utf-8", "ignore")


def is_command(prompt: str) -> bool:
    """Whether the prompt is for the client itself and not for the agent."""
    return _COMMAND.match(prompt) is not None
