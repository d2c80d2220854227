"""Logs: whether a text has the shape of one, and the same log with its repeating lines said once.

How it collapses. Each line gets a key: its text without the leading timestamp and, with `normalise`, without colours and with the values
masked (masks.py). Lines of one key are one template wherever they stand, so interleaved streams collapse too; the first occurrence stays in
its place. Plain lines left alone get a second look, with the numbers within names masked as well. Three kinds of lines ask for more than
the same template: failures and summaries, which are the same only word for word; the last lines of the log; and the frames of a stack
trace, which repeat only within their own trace, unless the whole trace was there before.
"""

from __future__ import annotations

from collections import namedtuple

from clew.compiler.loudness import FAILURE, SUMMARY, ranked
from clew.compiler.masks import bare, masked, ranges, shaped
from clew.compiler.traces import ENDS, traces
from clew.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    from clew.compiler.traces import Trace

# A run of whole lines of `Collapsed.text`, as character offsets [start, end). rank 0: failures with what belongs to them, the first and
# last frames of a stack trace, the end of the log; rank 1: summaries, warnings, what a repetitive log says once. Under a tight budget rank
# 0 goes first, then rank 1.
Span = namedtuple("Span", "start end rank")

# text: the collapsed log; equal to the input, byte for byte, where nothing repeats.
# lines_in, lines_out: lines before and after.
# important: tuple of Spans, ascending, not overlapping; what lies in none of them is the plain course of the log.
# redundant: lines taken out that said only what a kept line says word for word, leading timestamps aside.
# lossy: lines taken out whose masked values are not all written out at the line that stands for them (only their range is);
#        above 0, something unique is only to be had through the handle. redundant + lossy = lines_in - lines_out.
# unsaid: characters of these values.
Collapsed = namedtuple("Collapsed", "text lines_in lines_out important redundant lossy unsaid")

_TAIL = 5  # lines with words at the end of the log that stay as they are
_FEW = 3  # lines of one template that differ in their values: fewer are not worth a range
_MANY = 5  # plain lines that differ only in numbers within names: so many make a template of them
_COURSE = 8  # summaries of one template are the log's own course (`done in 3 ms`) when there are more
_NEWS = 0.05  # of the lines may be plain and said once, for each of them to be important
_LOUD = 4  # of one template of failures so many are important: the first ones and the last
_SAMPLE = 200, 100  # lines from the beginning and the end by which the shape is judged
_LEAST = 6  # lines below which nothing is called a log
_SHARE = 0.3  # of the sampled lines that look like log lines
_LINE = r"[^\n]*\n|[^\n]+"
_REDRAWN = r"[^\r\n]*(?:\r(?!\n)|\r?\n)|[^\r\n]+"  # a carriage return alone begins the line anew: a progress bar
_SAME = 20  # equal lines among the sampled: fewer may be a refrain
_LOG_LINE = (
    r"(?:\x1b\[[\d;]*m|\x1b_bk;t=\d+\x07)*\s*(?:"
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|[IWEF]\d{4} \d\d:\d\d|\[ *\d+\.\d{3,}\]"
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b|(?:npm|yarn) (?:WARN|ERR!|notice|info)|level=|##\["
    r"|::group|::error"
    r"|section_(?:start|end):|\[Pipeline\]|Step \d+/\d+|#\d+ (?:\[|\d+\.\d|DONE|CACHED)|\[ *\d+(?:%|/\d+)\]|(?:ok|not ok) \d+\b"
    r"|(?:Collecting|Downloading|Installing|Compiling|Fetching|Get:\d+|Unpacking|Setting up|Selecting|Requirement already) "
    r"|\S+:\d+ +\||\S+ +\| |time=\"?\d{4}|\{\"(?:ts|time|timestamp|level|@timestamp|msg)\":"
    r"|[\d.:a-f]{7,39} \S+ \S+ \[\d\d/\w{3}/\d{4}"
    r"|[\w.-]+ \d{4}-\d\d-\d\d[T ]\d\d:\d\d)|\s*[✓✔✗✘×] |--- (?:PASS|FAIL|SKIP): |=== RUN "
)
_LEVELS = ("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL")
_LEVEL_WITHIN = r"(?:\x1b\[[\d;]*m|\x1b_bk;t=\d+\x07)*\s*[^\n]{0,50}\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b[\]: |-]"
_VERDICTS = ("PASSED", "FAILED", "SKIPPED", "XFAIL", "ERROR", "ok", "OK")
_VERDICT_LAST = r" (?:PASSED|FAILED|SKIPPED|XFAIL|ERROR|ok|OK)(?: +\[ *\d+%])?\s*$"
_OTHER_SHAPE = (
    r"\s*(?:[|#>*{}\[\]<]|[-+]\s|\d+\.\s|(?:def|class|import|from|if|for|return|const|let|var|function|func|pub|fn|use)\b)|.*[{};,]\s*$"
)


def looks_like_log(text: str) -> bool:
    """Whether `text` has the shape of a log: timestamps, levels or progress lead many of its lines, or most repeat by template. Judged by
    a bounded number of lines from both ends, so the cost does not grow with the text."""
    lines = [line for line in _sampled(text) if line.strip()]
    if len(lines) < _LEAST:
        return text.count("\r", 0, 1 << 16) - text.count("\r\n", 0, 1 << 16) >= _LEAST
    led = sum(map(_is_log_line, lines))
    if led >= len(lines) * _SHARE:
        return True
    if sum(1 for line in lines if compiled(_OTHER_SHAPE).match(line)) >= len(lines) * _SHARE:
        return False
    seen: dict[tuple[str, bool], int] = {}
    for line in lines:
        key, values = masked(line, shaped(line))
        if len(line.split()) > 2:
            seen[key, len(values) > 1] = seen.get((key, len(values) > 1), 0) + 1
    return sum(n for (_, varies), n in seen.items() if n >= (_FEW if varies else _SAME)) >= len(lines) / 2


def _is_log_line(line: str) -> bool:
    if compiled(_LOG_LINE).match(line):
        return True
    if any(map(line.__contains__, _LEVELS)) and compiled(_LEVEL_WITHIN).match(line):
        return True
    return any(map(line.__contains__, _VERDICTS)) and compiled(_VERDICT_LAST).search(line) is not None


def _sampled(text: str) -> list[str]:
    """Lines of both ends, each cut to what a judgement needs."""
    head, tail = text[: 1 << 16].split("\n")[: _SAMPLE[0]], text[-(1 << 15) :].split("\n")[-_SAMPLE[1] :]
    return [line[:400] for line in (head if len(text) <= 1 << 16 and len(head) < _SAMPLE[0] else head + tail)]


class _Template:
    """Lines of one key: their places, and for each the values masked in it."""

    __slots__ = ("places", "values")

    def __init__(self) -> None:
        self.places: list[int] = []
        self.values: list[tuple[str, ...]] = []


class _Reading:
    """What the lines of a log are before anything is taken out: templates by key, loudness by place, places that stay whatever repeats."""

    __slots__ = ("lines", "ranks", "shapes", "stay", "templates")

    def __init__(self, text: str, normalise: bool) -> None:
        split = compiled(_REDRAWN if normalise and "\r" in text else _LINE).findall
        lines: list[str] = split(text)
        shapes: list[str] = split(shaped(text))
        keyed = [masked(line, shape, normalise=normalise) for line, shape in zip(lines, shapes, strict=True)]
        self.lines, self.shapes = lines, shapes
        self.ranks: dict[int, int] = {}
        self.stay: set[int] = set()
        self.templates: dict[Hashable, _Template] = {}
        keys = [key for key, _ in keyed]
        within, traced = self._traced(traces(lines, shapes), keys)
        exact = self._loud(keys, within)
        self._ends()
        for place, (key, values) in enumerate(keyed):
            if place in within:
                key = bare(lines[within[place]], shapes[within[place]])
            elif place in exact:
                key, values = bare(lines[place], shapes[place]), values[:1]
            same = traced.get(place), place in exact, key, len(values)
            template = self.templates.get(same)
            if template is None:
                template = self.templates[same] = _Template()
            template.places.append(place)
            template.values.append(values)
        if normalise:
            self._join(within)
        self._once()

    def _join(self, within: dict[int, int]) -> None:
        """A second look at the plain lines that did not repeat: numbered names (`test_17`, `layer-3.tar`) make no template of their own."""
        alone: dict[tuple[str, int], list[tuple[int, tuple[str, ...], Hashable]]] = {}
        for key, template in self.templates.items():
            first = template.places[0]
            if len(template.places) < _FEW and first not in self.ranks and first not in within:
                for place in template.places:
                    wide, values = masked(self.lines[place], self.shapes[place], loose=True)
                    alone.setdefault((wide, len(values)), []).append((place, values, key))
        for both, members in alone.items():
            if len(members) >= _MANY:
                joined = self.templates["joined", both] = _Template()
                for place, values, key in sorted(members, key=lambda member: member[0]):
                    self.templates.pop(key, None)
                    joined.places.append(place)
                    joined.values.append(values)

    def _traced(self, found: list[Trace], keys: list[str]) -> tuple[dict[int, int], dict[int, int]]:
        """For all places in traces: the place of the same line in the first trace of that wording, and where that trace begins. Within one
        trace lines repeat only word for word. The ends of a trace are loud, and stay in each new one."""
        first: dict[Hashable, int] = {}
        within: dict[int, int] = {}
        traced: dict[int, int] = {}
        for trace in found:
            same = first.setdefault(tuple(keys[trace.first : trace.last + 1]), trace.first)
            for place in range(trace.first, trace.last + 1):
                within[place], traced[place] = place - trace.first + same, same
            ends = [*range(trace.first, trace.frames + ENDS), *range(trace.last - ENDS, trace.last + 1)]
            if same == trace.first:
                self.stay.update(ends)
            self.ranks.update(dict.fromkeys(ends, FAILURE))
        return within, traced

    def _loud(self, keys: list[str], within: dict[int, int]) -> set[int]:
        """Ranks the lines outside traces and gives the places that only repeat word for word: failures, what belongs to them, summaries."""
        exact: set[int] = set()
        heard: dict[str, list[int]] = {}
        indent = None  # of the failure whose further lines are being read
        for place, line in enumerate(self.lines):
            if place in within:
                continue
            key = keys[place]
            rank = ranked(line, key)
            if rank is None and indent is not None and _depth(key) > indent and line.strip():
                rank = FAILURE
            else:
                indent = _depth(key) if rank == FAILURE else None
            if rank is not None:
                self.ranks[place] = rank
                heard.setdefault(key, []).append(place)
                if rank in (FAILURE, SUMMARY):
                    exact.add(place)
        for places in heard.values():
            if len(places) > _COURSE:
                exact.difference_update(place for place in places if self.ranks[place] == SUMMARY)
            self.ranks.update((place, SUMMARY) for place in places[_LOUD - 1 : -1] if self.ranks[place] == FAILURE)
        return exact

    def _once(self) -> None:
        """Where nearly all lines repeat, one that says something once is news."""
        alone = [t.places[0] for t in self.templates.values() if len(t.places) == 1]
        news = [place for place in alone if place not in self.ranks and self.lines[place].strip()]
        if len(news) <= len(self.lines) * _NEWS:
            self.ranks.update(dict.fromkeys(news, SUMMARY))

    def _ends(self) -> None:
        """The last lines with words stay and are loud."""
        left = _TAIL
        for place in range(len(self.lines) - 1, -1, -1):
            if self.lines[place].strip() and not self.lines[place].endswith("\r"):
                self.stay.add(place)
                self.ranks[place] = FAILURE
                left -= 1
            if not left:
                return


def _depth(key: str) -> int:
    """How far a line is indented behind its timestamp."""
    return len(key) - len(key.lstrip())


def collapse(text: str, *, normalise: bool = True) -> Collapsed:
    """The log with every template said once: its first line keeps its bytes, then ` (×N)`, then ` [range]` where masked values varied.

    Leading timestamps are always masked; with `normalise` also counters, addresses, ids, durations, sizes, progress redraws and colours.
    Never fails, whatever the characters; time and memory linear in the text; CRLF, NUL and a missing last newline stay as they are.
    """
    reading = _Reading(text, normalise)
    lines, kept = reading.lines, dict[int, str]()
    lossy = unsaid = 0
    for template in reading.templates.values():
        if len(template.places) == 1:
            kept[template.places[0]] = lines[template.places[0]]
        else:
            left, values = _settle(template, reading, kept)
            lossy += left
            unsaid += values
    places = _without_gaps(sorted(kept), lines)
    spans: list[Span] = []
    out: list[str] = []
    at = 0
    for place in places:
        line = kept[place]
        if place in reading.ranks:
            rank = min(reading.ranks[place], 1)
            joins = bool(spans) and spans[-1].end == at and spans[-1].rank == rank
            start = spans.pop().start if joins else at
            spans.append(Span(start, at + len(line), rank))
        out.append(line)
        at += len(line)
    return Collapsed("".join(out), len(lines), len(out), tuple(spans), len(lines) - len(out) - lossy, lossy, unsaid)


def _settle(template: _Template, reading: _Reading, kept: dict[int, str]) -> tuple[int, int]:
    """Puts what is kept of a template of several lines into `kept`; how many lines have values that are not all said, and the characters
    of these values."""
    first, places = template.places[0], template.places
    line = reading.lines[first]
    own = [place for place in places[1:] if place in reading.stay and template.values[0][1:] != template.values[places.index(place)][1:]]
    values = template.values
    if own:
        left = set(own)
        pairs = [(place, value) for place, value in zip(places, values, strict=True) if place not in left]
        places, values = [place for place, _ in pairs], [value for _, value in pairs]
        kept.update((place, reading.lines[place]) for place in own)
    said, whole = ranges(values)
    mark = f" (×{len(places)}){said}"
    varied = len({value[1:] for value in values}) > 1
    saved = sum(len(reading.lines[place]) for place in places[1:])
    if saved <= len(mark) or (varied and len(places) < _FEW) or not line.strip():
        kept.update((place, reading.lines[place]) for place in places)
        return 0, 0
    body = line.rstrip("\r\n")
    kept[first] = body + mark + line[len(body) :]
    if whole:
        return 0, 0
    unsaid = sum(sum(map(len, column[1:])) for column in list(zip(*values, strict=True))[1:] if len(set(column)) > 1)
    return len(places) - 1, unsaid


def _without_gaps(places: list[int], lines: list[str]) -> list[int]:
    """Blank lines that come to lie next to one another because what stood between them went are one."""
    found: list[int] = []
    for place in places:
        blank = not lines[place].strip()
        if blank and found and not lines[found[-1]].strip() and found[-1] != place - 1:
            continue
        found.append(place)
    return found
