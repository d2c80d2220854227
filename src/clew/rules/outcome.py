"""How an attempt ended, from hard evidence alone: the exit status, the tool's error flag, a runner's verdict and its failing count.

The words of what was read or searched are never evidence. A refusal by the user and trouble of the network are told apart from failures.
"""

from __future__ import annotations

from clew.patterns import compiled
from clew.rules.commands import VERIFYING
from clew.rules.failures import TELLS
from clew.rules.fingerprint import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

EVIDENCE_CHARS = 300
NOTHING_FOUND = 1  # the exit status by which a search says so
_MULTILINE = 8

# How clients word it that the user, or a rule of theirs, did not let a tool run or broke it off.
_DECLINED = (
    r"(?i)\A\W*(?:error: )?(?:the user (?:doesn't|does not|didn't|did not) want|(?:\[?request |tool (?:use |call )?|operation |command )?"
    r"(?:was )?(?:interrupted|rejected|cancell?ed|declined|denied|aborted) by (?:the )?user|user (?:rejected|declined|cancell?ed"
    r"|denied|aborted|refused)|permission to use \S+ (?:with \S+ .{0,80})?(?:has been|was) denied|\[request interrupted)"
)
# Trouble of what lies between here and a service: trying the same again later is right.
_INFRA = (
    r"(?i)\b(?:rate.?limit(?:ed|s| exceeded)?|too many requests|(?:HTTP(?:/\d(?:\.\d)?)?|status(?: code)?|error|code):?[ =]+(?:429"
    r"|50[0234]|52[0-9])\b"
    r"|\b50[0234] (?:Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out)|overloaded(?:_error)?\b|ECONNRESET"
    r"|ETIMEDOUT|EAI_AGAIN"
    r"|connection (?:was )?reset|connection timed out|operation timed out|read timed out|socket hang up|TLS handshake timeout|i/o timeout"
    r"|temporary failure in name resolution|could not resolve host|network is unreachable|unexpected disconnect|remote end hung up"
    r"|gateway timeout)"
)
# What runners say of themselves: the sum of a pattern's groups is the failing count. The last match counts: a total stands at the end.
_COUNTS: tuple[tuple[str, str], ...] = (
    (" failed", r"^=*\s*(?:.*?\b)?(\d+) failed(?:,.*?\b(\d+) errors?)?.* in \d"),
    (" error", r"^=*\s*(?:\d+ \w+, )*(\d+) errors? in \d"),
    ("FAILED (", r"^FAILED \((?:failures=(\d+))?(?:, )?(?:errors=(\d+))?"),
    ("test result:", r"^test result: \w+\. \d+ passed; (\d+) failed"),
    ("Tests", r"^ *Tests:? +(?:.*?\b)?(\d+) failed"),
    ("Test Suites:", r"^Test Suites: +(\d+) failed"),
    (" failing", r"^ *(\d+) failing\b"),
    ("fail ", r"^(?:#|ℹ) fail (\d+)"),
    ("Tests run:", r"^(?:\[\w+\] )?Tests run: \d+, Failures: (\d+), Errors: (\d+)"),
    ("completed,", r"^\d+ tests? completed, (\d+) failed"),
    ("Failed:", r"^(?:Failed! +- )?\s*Failed: +(\d+)"),
    ("problem", r"^✖ \d+ problems? \((\d+) errors?"),
    ("Found ", r"^Found (\d+) errors?"),
    (" generated", r"^(\d+) errors? generated"),
    (" error", r"^(\d+) errors?$"),
    ("previous error", r"due to (\d+) previous errors?"),
    (" Error(s)", r"^ *(\d+) Error\(s\)"),
    (" issues", r"^(\d+) issues[:.]"),
)
_PASSED = (
    r"^(?:=*\s*\d+ passed\b|OK(?: \(.*\))?$|test result: ok|ok\s+\S+\s|PASS$|(?:#|ℹ) fail 0\b|BUILD SUCCESS|Success: no issues"
    r"|All checks passed|0 issues)"
)
_STATUS = r"(?:Error: )?[Ee]xit code:? \d+\.?"  # what clients write above the output of a command that failed
_BLANK = r"<[a-z]+>|(?:(?<=:)|(?<=line ))L\b"  # what a fingerprint's template has in place of noise
_NAMED_ALONE = r"\S+:L:? \w+"  # a place and the name of an exception, which say less than its message
_FAILING_LINE = r"^\s*--- FAIL: |^(?:\[\S+\] )?\S+\.\w+(?::\d+){1,2}:? (?!warning|note)|^\S+\(\d+,\d+\): error "


class Result(NamedTuple):
    """What a tool answered. `action` as in rules/goals.py, `exit` its status, `failed` the client's flag; None where nobody says.

    `interrupted`: the client says that the user broke it off.
    """

    action: str
    text: str = ""
    exit: int | None = None
    failed: bool | None = None
    interrupted: bool = False


class Ended(NamedTuple):
    """`outcome` (pass, fail, partial, uncertain, declined, infra), how many things fail where a runner says, one line of evidence."""

    outcome: str
    failing: int | None = None
    evidence: str = ""


def outcome_of(result: Result, *, failing_before: int | None = None) -> Ended:
    """How `result` ended; partial when fewer things fail than `failing_before`, the count of the last attempt on the same target."""
    text = clean(result.text)
    bad = _bad(result)
    if result.interrupted or (bad and compiled(_DECLINED).search(text[:500])):
        return Ended("declined", None, _line(text))
    verifies = result.action in VERIFYING
    failing = failing_count(text) if verifies else None
    if bad is False and failing:
        bad = True  # the status is a pipe's or `|| true`'s; the runner's own verdict stands
    if bad is None:
        bad = bool(failing) if failing is not None else (False if verifies and compiled(_PASSED, _MULTILINE).search(text) else None)
    if bad is None:
        return Ended("uncertain", failing)
    if not bad:
        return Ended("pass", failing)
    if not failing and compiled(_INFRA).search(text):
        return Ended("infra", None, _line(text, _INFRA))
    better = failing is not None and failing_before is not None and 0 < failing < failing_before
    return Ended("partial" if better else "fail", failing, _line(text))


def _bad(result: Result) -> bool | None:
    """Whether status or flag say that it failed; None when neither says anything that counts."""
    if result.exit is not None and result.exit != 0:
        return None if result.action == "search" and result.exit == NOTHING_FOUND else True
    if result.failed is not None:
        return result.failed
    return None if result.exit is None else False


def failing_count(text: str) -> int | None:
    """How many tests or diagnostics the runner that wrote `text` says are failing; None when it says nothing of the kind."""
    for literal, pattern in _COUNTS:
        if literal in text and (found := compiled(pattern, _MULTILINE).findall(text)):
            return max(sum(int(n) for n in (match if isinstance(match, tuple) else (match,)) if n) for match in found)
    return len(set(compiled(rf"(?:{_FAILING_LINE}).*", _MULTILINE).findall(text))) or None


def telling(text: str, template: str) -> str:
    """The line of a failed tool's output that says most of the failure, of those that its fingerprint keeps in `template`; "" for none.

    As it stands in `text` where its longest part without a blank is found there, else with its blanks. At most EVIDENCE_CHARS.
    """
    kept = [line.strip() for line in template.split("\n") if line.strip()]
    if not kept:
        return ""
    speaking = [line for line in kept if " " in line and not compiled(_NAMED_ALONE).fullmatch(line)] or kept
    best = next((line for line in speaking if line.startswith("assert ") or compiled(TELLS).search(line)), speaking[0])
    part = max(compiled(_BLANK).split(best), key=len).strip()
    lines = clean(text).split("\n") if part else []
    return next((line.strip() for line in lines if part in " ".join(line.split())), best)[:EVIDENCE_CHARS]


def _line(text: str, pattern: str = "") -> str:
    """One line of `text` as evidence: the one that `pattern` finds, else the first that says more than the status."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    lines = [line for line in lines if not compiled(_STATUS).fullmatch(line)] or lines
    if pattern:
        lines = [line for line in lines if compiled(pattern).search(line)] or lines
    return lines[0][:EVIDENCE_CHARS] if lines else ""
