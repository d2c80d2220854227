"""Where the stack traces of a log lie: runs of frames in the manners of Python, Java, JavaScript, .NET, Go, Rust, Ruby, PHP and gdb."""

from __future__ import annotations

from collections import namedtuple

from clew.compiler.masks import bare
from clew.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Lines [first, last] of one trace, what is thrown included; `frames` is where the first frame stands.
Trace = namedtuple("Trace", "first frames last")

ENDS = 3  # lines of frames at each end of a trace that are never collapsed away
_FRAME = (
    r"\s*(?:at \S.*|File \"[^\"]*\", line \d+.*|#\d+ +(?:0x|\S+ ?\().*|from \S+:\d+:in .*|\d+: +(?:0x[0-9a-f]+ - )?[\w<].*::.*"
    r"|\.\.\. \d+ more"
    r"|goroutine \d+ \[.*|\S+\.go:\d+(?: \+0x[0-9a-f]+)?|\S+\.rb:\d+:in .*|Caused by: .*|Traceback \(most recent call last\):.*"
    r"|stack backtrace:|\[Previous line repeated \d+ more times\]|During handling of the above exception.*)\s*$"
)
_SIGNS = (
    "at ",
    'File "',
    "#",
    ":in ",
    "... ",
    "goroutine",
    ".go:",
    "Caused by",
    "Traceback",
    "backtrace",
    "Previous line",
    "During ",
)
_LONGEST = 2_000  # characters of a line that may be a frame
_GAP = 2  # lines between two frames: the code a frame shows, the marks under it
_LEAST = 3  # frames of a trace


def traces(lines: Sequence[str], shapes: Sequence[str]) -> list[Trace]:
    """The traces among the lines of a log, given with their shapes (masks.py), in order, not overlapping."""
    is_frame = compiled(_FRAME).match
    everything = "".join(lines)
    signs = [sign for sign in _SIGNS if sign in everything]
    near = [place for place, line in enumerate(lines) if len(line) < _LONGEST and (any(map(line.__contains__, signs)) or _is_path(line))]
    places = [place for place in near if is_frame(bare(lines[place], shapes[place]))]
    found: list[Trace] = []
    start = 0
    for end in range(1, len(places) + 1):
        if end < len(places) and places[end] - places[end - 1] <= _GAP + 1:
            continue
        if end - start >= _LEAST:
            around = range(max(0, places[start] - 1), min(len(lines), places[end - 1] + _GAP + 3))
            bodies = {place: bare(lines[place], shapes[place]) for place in around}
            found.append(_widened(bodies, places[start], places[end - 1], found[-1].last if found else -1))
        start = end
    return found


def _is_path(line: str) -> bool:
    """Whether a line may be a frame of Rust, `12: shop::cart`."""
    return "::" in line and ": " in line


def _widened(bodies: Mapping[int, str], first: int, last: int, before: int) -> Trace:
    """With the line above, which says what was thrown, and with the indented lines and the one after them, where Python says it."""
    end = last + 1
    while end in bodies and end - last <= _GAP and bodies[end][:1] in (" ", "\t") and bodies[end].strip():
        end += 1
    if end in bodies and bodies[last].lstrip().startswith(("File ", "[Previous")) and bodies[end].strip():
        end += 1
    above = first - 1 if first - 1 > before and bodies[first - 1].strip() else first
    return Trace(above, first, end - 1)
