"""Logs: whether a text has the shape of one, and the same log with its repeating lines said once."""

from __future__ import annotations

from collections import namedtuple

# A run of whole lines of `Collapsed.text`, as character offsets [start, end). rank 0: failures with what belongs to them, the first and last
# frames of a stack trace, the end of the log; rank 1: summaries and warnings. A packer under a tight budget takes rank 0 first, then rank 1.
Span = namedtuple("Span", "start end rank")

# text: the collapsed log; equal to the input, byte for byte, where nothing repeats.
# lines_in, lines_out: lines before and after.
# important: tuple of Spans, ascending, not overlapping; what lies in none of them is the plain course of the log.
# redundant: lines taken out that said only what a kept line says word for word, leading timestamps aside.
# lossy: lines taken out whose masked values are not all written out at the line that stands for them (only their range is);
#        above 0, something unique is only to be had through the handle. redundant + lossy = lines_in - lines_out.
Collapsed = namedtuple("Collapsed", "text lines_in lines_out important redundant lossy")


def looks_like_log(text: str) -> bool:
    """Whether `text` has the shape of a log: timestamps, levels or progress lead many of its lines, or most repeat by template. Judged by
    a bounded number of lines from both ends, so the cost does not grow with the text."""
    return False


def collapse(text: str, *, normalise: bool = True) -> Collapsed:
    """The log with every template said once: the first occurrence keeps its bytes, then ` (×N)`, then ` [range]` where masked values varied.

    Leading timestamps are always masked; with `normalise` also counters, addresses, ids, durations, sizes, progress redraws and colours.
    Never fails, whatever the characters; time and memory linear in the text; CRLF, NUL and a missing last newline stay as they are.
    """
    lines = text.count("\n") + (not text.endswith("\n") if text else 0)
    return Collapsed(text, lines, lines, (), 0, 0)
