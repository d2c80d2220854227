"""Regular expressions, compiled when a text first asks for them: a hook that needs few of them pays for no others."""

from __future__ import annotations

import re
from functools import cache


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The expression; once a process, since all of ours together would take a hook longer than its work."""
    return re.compile(pattern, flags)
