"""Whether a line forbids something, in seven languages: what an agent must not lose even when it is asked about something else.

It errs towards yes. A plain search for each wording comes first, because nearly every text holds none and a search costs a hundredth of
the expression that then looks at word boundaries.
"""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Wordings as they stand in lower-case text, by language. Some are words of other languages too; that makes a text critical for nothing.
_SPACED = "|".join(
    (
        "never|must not|mustn't|mustn’t|do not|don't|don’t|cannot|can't|can’t|can not|without|shall not|should not|shouldn't|shouldn’t",
        "may not|forbidden|prohibited|not allowed|no longer allowed|under no circumstances|avoid",
        "jamais|interdit|interdite|interdits|interdites|ne pas|ne doit pas|ne doivent pas|ne peut pas|ne peuvent pas|sans|défense de",
        "niemals|nie|darf nicht|dürfen nicht|darf kein|darf keine|darf keinen|dürfen keine|nicht erlaubt|verboten|untersagt|ohne",
        "auf keinen fall|keinesfalls|kann nicht|können nicht",
        "nunca|jamás|no debe|no deben|no debes|no puede|no pueden|no se debe|no se puede|prohibido|prohibida|sin",
        "não|não deve|não pode|nao deve|nao pode|proibido|proibida|sem",
    )
).split("|")
_UNSPACED = "|".join(
    (
        "不要|不得|禁止|切勿|不能|不可|不准|不许|不应|不應|严禁|嚴禁|请勿|請勿|绝不|絕不|决不|别再|永远不|从不|未经",
        "てはいけ|ではいけ|てはなら|ではなら|ないでください|ないで下さい|決して|絶対に|べからず|ことはできない|ことができない|できません|なしで|しないこと|ないように",
    )
).split("|")
_NOT_SO = r"(?![-\w(]|[ -]serif)"  # sans-serif, sin(x), neverland


def forbids(text: str) -> bool:
    """Whether any line of the text forbids something."""
    return _worded(text.lower(), _SPACED if not text.isascii() else _ascii(), _UNSPACED if not text.isascii() else ())


def prohibitions(text: str) -> Callable[[str], bool] | None:
    """None where the text forbids nothing, else the same test for its pieces, which looks for the wordings of the whole alone."""
    if not forbids(text):
        return None
    low = text.lower()
    spaced, unspaced = [word for word in _SPACED if word in low], [word for word in _UNSPACED if word in low]
    return lambda piece: _worded(piece.lower(), spaced, unspaced)


def _worded(low: str, spaced: Sequence[str], unspaced: Sequence[str]) -> bool:
    return any(word in low for word in unspaced) or any(word in low and _expression(word).search(low) is not None for word in spaced)


@cache
def _ascii() -> list[str]:
    return [word for word in _SPACED if word.isascii()]


@cache
def _expression(word: str) -> re.Pattern[str]:
    """It begins with the word itself, so that the engine skips to it; what may not stand before it is looked at behind."""
    literal = re.escape(word)
    return re.compile(rf"{literal}(?<![-\w.]{literal}){_NOT_SO}")
