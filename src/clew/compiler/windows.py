"""Windows of models, with where each figure was read and when, and the budget of context that follows. Data first, one rule after it."""

from __future__ import annotations

from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

READ_ON = "2026-12-01"
CLAUDE = "platform.claude.com/docs, models overview"
OPENAI = "developers.openai.com/api/docs/models"
GEMINI = "ai.google.dev/gemini-api/docs/models"
DEEPSEEK = "api-docs.deepseek.com, models and pricing"
QWEN = "the model's own card"

FILL = 0.80  # share of what is free that a first budget takes: where the working set's fill mark starts (rules/threshold.py)
RESERVE = 16_000  # tokens an answer gets unless one says otherwise, less where the model's longest is shorter
_WHOLE = (0, 10_000_000)


class Window(NamedTuple):
    """A family of models by how its names begin: tokens of the whole window, of the longest answer, and of the longest input where that
    has a limit of its own. Where a longer window must be asked for, the one that holds without asking stands here."""

    begins: str
    window: int
    output: int
    source: str
    input: int | None = None


WINDOWS: tuple[Window, ...] = (
    Window("claude-fable-5", 1_000_000, 128_000, CLAUDE),
    Window("claude-opus-5", 1_000_000, 128_000, CLAUDE),
    Window("claude-sonnet-5", 1_000_000, 128_000, CLAUDE),
    Window("claude-haiku-5", 1_000_000, 128_000, CLAUDE),
    Window("claude-haiku-4-5", 200_000, 64_000, CLAUDE),
    Window("claude-sonnet-4", 200_000, 64_000, CLAUDE),
    Window("claude-opus-4", 200_000, 32_000, CLAUDE),
    Window("gpt-5.5", 1_050_000, 128_000, OPENAI),
    Window("gpt-5-codex", 400_000, 128_000, OPENAI, 272_000),
    Window("gpt-5", 400_000, 128_000, OPENAI, 272_000),
    Window("gpt-4.1", 1_047_576, 32_768, OPENAI),
    Window("gpt-4o", 128_000, 16_384, OPENAI),
    Window("gemini-3", 1_114_112, 65_536, GEMINI, 1_048_576),
    Window("gemini-2.5", 1_114_112, 65_536, GEMINI, 1_048_576),
    Window("deepseek-v4", 1_000_000, 384_000, DEEPSEEK),
    Window("qwen3-coder", 262_144, 65_536, QWEN),
)


class Suggested(NamedTuple):
    """A budget in tokens, None for a model that is not in the table, and what it follows from; `note` says it in a sentence."""

    model: str
    budget: int | None
    window: int | None
    reserve: int | None
    source: str | None
    read_on: str | None
    note: str


def suggest(model: str, *, reserve: int | None = None, used: int = 0) -> Suggested:
    """The budget of context for a model: FILL of its window less the answer's `reserve` and what is `used` already, in tokens.

    A name may carry a provider before it and a date behind it ("anthropic/claude-opus-5-20260724"). Raises InvalidInput.
    """
    for name, value in (("reserve", reserve), ("used", used)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not _WHOLE[0] <= value <= _WHOLE[1]):
            raise InvalidInput(name, f"must be a whole number of tokens within {_WHOLE[0]}..{_WHOLE[1]:,}")
    if not model.strip():
        raise InvalidInput("model", "is empty; name one, as in claude-opus-5-5")
    found = _window(model)
    if found is None:
        return Suggested(
            model, None, None, None, None, None, f"the window of '{model[:80]}' is not in the table of {READ_ON}: set a budget"
        )
    kept = min(RESERVE, found.output) if reserve is None else reserve
    free = max(0, min(found.window - kept, found.window if found.input is None else found.input) - used)
    budget = int(free * FILL)
    note = f"{FILL:.0%} of the {free:,} tokens that are free in a window of {found.window:,} beside {kept:,} for the answer"
    if not budget:
        note = f"nothing is free in a window of {found.window:,} beside {kept:,} for the answer and {used:,} that are used"
    return Suggested(model, budget or None, found.window, kept, found.source, READ_ON, note)


def _window(model: str) -> Window | None:
    """The longest beginning that the name has, behind any provider and region before it."""
    name = model.strip().lower().rpartition("/")[2]
    names = [name[at:] for at in range(len(name)) if at == 0 or name[at - 1] == "."]
    ends = ("-", ".", ":", "@")
    fitting = [w for w in WINDOWS if any(n == w.begins or n.startswith(tuple(w.begins + end for end in ends)) for n in names)]
    return max(fitting, key=lambda w: len(w.begins), default=None)
