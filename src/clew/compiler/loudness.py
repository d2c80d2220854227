"""How loud a line of a log is: a failure, a summary, a warning, or its plain course.

A plain search for each wording comes first: nearly every line holds none, and a search costs a fiftieth of the expressions that then look
at the boundaries of words.
"""

from __future__ import annotations

from clew.compiler.masks import uncoloured
from clew.patterns import compiled

FAILURE, SUMMARY, WARNING = range(3)
_UNHEARD = -1
_LONGEST = 4_096  # characters of a line that is looked at
_REMEMBERED = 1 << 14  # templates kept in the memo before it starts anew
_loudness: dict[str, int | None] = {}

_FAILURE = (
    r"(?i:(?<![\w/.-])(?:errors?|err|fatal|panic(?:ked)?|exception|fail(?:ed|ures?|s|ing)?|critical|severe|assert(?:ion)?(?:error)?|traceback"
    r"|abort(?:ed)?|segfault|killed|oom|denied|refused|unreachable|timed out|cannot|can't|could not|couldn't|unable to|undefined|not found"
    r"|no such|unresolved|rejected|corrupt(?:ed)?|invalid|unexpected|deadlock|crash(?:ed)?|unhandled|uncaught|out of memory"
    r"|segmentation fault|core dumped|exit(?:ed)?(?: with)?(?: code| status)?[ =:]+[1-9]|timeout(?! ?[=:]? ?\d))(?![\w/]|\.\w|-\w))"
    r"|\w(?:Error|Exception)\b(?!\.\w)|ERR!|\bE\d{4}\b|^E {2,}|[✗✘✖❌]|\bnot ok\b|\" [45]\d\d |HTTP[ /][\d.]*\"? [45]\d\d\b"
    r"|\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) \S+ 5\d\d\b"
)
_NO_FAILURE = (
    r"(?i)\b(?:0|no|zero|without) (?:errors?|failures?|failed|failing|exceptions?)\b|\b(?:errors?|failures?|failed)\"?\s*[:=]\s*0\b"
)
_PASSED = r"^\s*(?:✓|✔|ok \d|PASS\b|--- PASS)|(?:PASSED|\bok|\bOK|✓)\s*(?:\[ *\d+%\])?(?:\s*\([\d. ]+m?s\))?\s*$"
_WARNING = r"(?i)(?<![\w/.-])(?:warn(?:ings?)?|deprecat(?:ed|ion))\b(?!\.\w)"
_SUMMARY = (
    r"(?i:\b\d+ (?:passed|failed|skipped|tests?|errors?|warnings?|examples?|specs?)\b"
    r"|^\s*(?:tests?|test suites?|suites?|total|summary|snapshots|time)\s*:"
    r"|\btest result:|\bran \d+ tests?|\bbuild (?:success|failed|succeeded)|\b(?:finished|done) in\b|\bcoverage\b"
    r"|\bexit(?:ed)?(?: with)? (?:code|status)\b"
    r"|\bsummary\b|^={3,} .* ={3,}\s*$)"
)
# An ASCII line that holds none of these words and signs cannot meet the expression of that name.
_LETTERS = bytes(byte if 97 <= byte <= 122 else byte + 32 if 65 <= byte <= 90 else 32 for byte in range(256))
_FAILURE_WORDS = frozenset(
    b"error errors err fatal panic panicked exception fail failed failure failures fails failing critical severe assert "
    b"assertion traceback abort aborted segfault killed oom denied refused unreachable timed cannot can could couldn unable "
    b"undefined not no unresolved rejected corrupt corrupted invalid unexpected deadlock crash crashed unhandled uncaught "
    b"out segmentation core exit exited timeout e asserterror assertionerror".split()
)
_FAILURE_SIGNS = ("Error", "Exception", "HTTP ", "HTTP/", '" 4', '" 5', " 5")
_HEAD = r"(?i)\s*(?:tests?|test suites?|suites?|total|snapshots|time)\s*:"
_TOLD_WORDS = frozenset(b"summary ran build coverage result exit exited finished done".split())
_COUNTED_WORDS = frozenset(b"passed failed skipped test tests error errors warning warnings example examples spec specs".split())
_COUNTED = r"(?i)\d (?:passed|failed|skipped|tests?|errors?|warnings?|examples?|specs?)"
_WARNING_WORDS = frozenset(b"warn warning warnings deprecated deprecation".split())
_EVERY_WORD = [b"error", b"summary", b"warning"]  # of a line in any other script, which is looked at closely


def ranked(line: str, template: str) -> int | None:
    """FAILURE, SUMMARY, WARNING, or None for the plain course of a log. Numbers can hush a template that speaks of failure (`0 errors`),
    never make a plain one loud, so that most lines are judged by a template seen before."""
    loud = _loudness.get(template, _UNHEARD)
    if loud == _UNHEARD:
        if len(_loudness) >= _REMEMBERED:
            _loudness.clear()
        loud = _loudness[template] = _judged(template[:_LONGEST].replace("\0", "1"))
    return loud if loud is None or loud == WARNING else _judged(line[:_LONGEST])


def _judged(line: str) -> int | None:
    if "\x1b" in line:
        line = uncoloured(line)
    words = line.encode("utf-8", "surrogatepass").translate(_LETTERS).split() if line.isascii() else _EVERY_WORD
    if _may_fail(line, words) and _fails(line):
        return FAILURE
    if _may_sum_up(line, words) and compiled(_SUMMARY).search(line):
        return SUMMARY
    return WARNING if not _WARNING_WORDS.isdisjoint(words) and compiled(_WARNING).search(line) else None


def _may_fail(line: str, words: list[bytes]) -> bool:
    return not _FAILURE_WORDS.isdisjoint(words) or any(map(line.__contains__, _FAILURE_SIGNS))


def _may_sum_up(line: str, words: list[bytes]) -> bool:
    if not _TOLD_WORDS.isdisjoint(words) or "===" in line or compiled(_HEAD).match(line):
        return True
    return not _COUNTED_WORDS.isdisjoint(words) and compiled(_COUNTED).search(line) is not None


def _fails(line: str) -> bool:
    found = compiled(_FAILURE).search
    return found(line) is not None and not compiled(_PASSED).search(line) and found(_calm(line)) is not None


def _calm(line: str) -> str:
    return compiled(_NO_FAILURE).sub("", line)
