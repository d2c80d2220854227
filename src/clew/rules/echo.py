"""What must not be searched or logged: our own packs coming back, the wrappers clients put around them, and prompts that ask nothing."""

from __future__ import annotations

import re

from clew.limits import FRAME, QUESTION_BYTES

# Wrappers that clients were seen to put around injected text (docs/hooks.md): gone with what they hold.
_WRAPPERS = (FRAME, "hook_context", "system-reminder", "system_reminder", "qwen:user-prompt-submit-context", "task-notification")
READ_CHARS = 64 << 10  # of a pasted prompt that are looked at; what follows could only matter behind 56 KB of injected text
_COMMAND = r"\s*(?:/[\w:.-]+(?:\s|\Z)|!\w)"  # a slash command or a shell escape; `/etc/hosts` is a path
# Words that ask nothing of memory, alone or together: small talk, and orders about what is at hand.
_SMALL = frozenset(
    "a again ahead all alright and at awesome bye carry cheers continue cool correct danke do done exactly fine for from go good got great"
    " hello hey hi hm hmm i is it just keep let's lets lgtm looks merci more morning much nice night no nope not ok okay on once one"
    " perfect please proceed right see sounds sure thank thanks that that's then there this thx ty very wait was well wow yeah yep yes you"
    " ja oui si sí gracias bitte nein weiter nochmal"
    " add can change changes code comment comments could did explain file format function in instead into last line longer make me my now"
    " output redo refactor reformat rename result review rewrite run shorter show simpler simplify split the these to two undo use what"
    " with wrote your".split()
)
_SMALL_WORDS = 8  # above this many words even small ones may say something


def said(prompt: str) -> str:
    """What the user said in `prompt`, its first QUESTION_BYTES: what may be searched for."""
    return own(prompt[:READ_CHARS]).encode("utf-8", "ignore")[:QUESTION_BYTES].decode("utf-8", "ignore")


def own(prompt: str) -> str:
    """What the user said in `prompt`, without our own packs and other injected text; of a very long one both ends of READ_CHARS."""
    text = prompt if len(prompt) <= 2 * READ_CHARS else f"{prompt[:READ_CHARS]}\n{prompt[-READ_CHARS:]}"
    return (_unwrapped(text) if "<" in text else text).strip().encode("utf-8", "ignore").decode()


def asks_nothing(prompt: str) -> bool:
    """Whether a prompt gives memory nothing to look for: empty, for the client itself, or small talk."""
    if not prompt or is_command(prompt):
        return True
    words = [word.strip(".,;:!?…-()'\"") for word in prompt[:200].lower().replace("’", "'").split()]
    return len(words) <= _SMALL_WORDS and all(not word or word in _SMALL for word in words)


def is_command(prompt: str) -> bool:
    """Whether the prompt is for the client itself and not for the agent."""
    return prompt.lstrip()[:1] in ("/", "!") and re.match(_COMMAND, prompt) is not None


def _unwrapped(text: str) -> str:
    """`text` without every wrapper and what it holds. One that is never closed takes the rest with it if it begins a block of its own."""
    kept: list[str] = []
    at = 0
    open_ended: set[str] = set()
    for opening in re.finditer(f"<({'|'.join(_WRAPPERS)})(?:\\s[^<>]*)?>([ \\t]*\\n)?", text):
        if opening.start() < at:
            continue
        closing = f"</{opening[1]}>"
        end = -1 if opening[1] in open_ended else text.find(closing, opening.end())
        if end < 0:
            open_ended.add(opening[1])
            if not opening[2]:
                continue
        kept.append(text[at : opening.start()])
        at = len(text) if end < 0 else end + len(closing)
    return " ".join([*kept, text[at:]])
