"""How an attempt ended: by status, flag and a runner's verdict, never by the words of what was read."""

import pytest

from clew.rules.fingerprint import fingerprint
from clew.rules.outcome import EVIDENCE_CHARS, Result, failing_count, outcome_of, telling

FAILED_TWO = "FAILED tests/a.py::x\n== 2 failed, 3 passed in 0.12s =="


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        (Result("run", "done", 0), "pass"),
        (Result("run", "boom", 1), "fail"),
        (Result("run", "boom", None, True), "fail"),
        (Result("run", "ERROR everywhere", None, False), "pass"),
        (Result("run", "who knows"), "uncertain"),
        (Result("test", FAILED_TWO, 1), "fail"),
        (Result("test", FAILED_TWO, 0), "fail"),  # the status was that of `| tail`
        (Result("test", FAILED_TWO), "fail"),
        (Result("test", "== 5 passed in 0.12s =="), "pass"),
        (Result("test", "nothing to tell"), "uncertain"),
        (Result("build", "a.go:3:2: undefined: x", 0), "fail"),
        (Result("edit", "The old text is not in the file.", None, True), "fail"),
        (Result("search", "", 1), "uncertain"),
        (Result("search", "grep: x: No such file", 2), "fail"),
    ],
)
def test_status_flag_and_the_runner_s_verdict_decide(result, outcome):
    assert outcome_of(result).outcome == outcome


@pytest.mark.parametrize("action", ["look", "search", "read", "run", "edit", "call"])
def test_words_of_failure_in_what_was_read_are_no_failure(action):
    text = f"Traceback (most recent call last)\nERROR: fatal\n{FAILED_TWO}\nThe user doesn't want to proceed\nHTTP 503"
    assert outcome_of(Result(action, text, 0)).outcome == "pass"
    assert outcome_of(Result(action, text, None, False)).outcome == "pass"


@pytest.mark.parametrize(
    "text",
    [
        "The user doesn't want to proceed with this tool use. The tool use was rejected",
        "[Request interrupted by user for tool use]",
        "Error: The user does not want to do this",
        "User rejected the command",
        "Tool call was cancelled by the user",
        "Permission to use Bash has been denied",
    ],
)
def test_a_refusal_by_the_user_is_declined_and_not_failed(text):
    assert outcome_of(Result("run", text, None, True)).outcome == "declined"


def test_the_client_s_word_that_it_was_broken_off_is_enough():
    assert outcome_of(Result("test", FAILED_TWO, 130, interrupted=True)).outcome == "declined"


def test_a_refusal_quoted_deep_in_an_output_is_none():
    assert outcome_of(Result("test", "FAIL\n" * 200 + "User rejected it", 1)).outcome == "fail"


@pytest.mark.parametrize(
    "text",
    [
        "Error: 429 Too Many Requests",
        "API Error: rate limit exceeded",
        "curl: (22) The requested URL returned error: 503",
        "502 Bad Gateway",
        "read ECONNRESET",
        "fatal: unable to access 'https://x/': Could not resolve host: x",
        "net/http: TLS handshake timeout",
        "dial tcp 1.2.3.4:443: i/o timeout",
        '{"type":"error","error":{"type":"overloaded_error"}}',
    ],
)
def test_trouble_of_the_network_is_infra(text):
    ended = outcome_of(Result("run", f"starting\n{text}\n", 1))
    assert (ended.outcome, ended.evidence) == ("infra", text)


@pytest.mark.parametrize(
    "text", ["HTTP 404: Not Found", "connect ECONNREFUSED 127.0.0.1:6379", "Error: Timeout of 2000ms exceeded", "code 5021"]
)
def test_what_the_agent_may_have_to_mend_is_not_infra(text):
    assert outcome_of(Result("run", text, 1)).outcome == "fail"


def test_a_test_that_fails_on_a_status_of_503_is_a_failing_test():
    assert outcome_of(Result("test", f"E   AssertionError: HTTP 503 != HTTP 200\n{FAILED_TWO}", 1)).outcome == "fail"


@pytest.mark.parametrize(("before", "outcome"), [(3, "partial"), (2, "fail"), (1, "fail"), (None, "fail")])
def test_fewer_failures_than_before_are_a_part_of_the_way(before, outcome):
    assert outcome_of(Result("test", FAILED_TWO, 1), failing_before=before).outcome == outcome


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (FAILED_TWO, 2),
        ("=== 1 failed, 2 passed, 3 errors in 1.2s ===", 4),
        ("2 errors in 0.33s", 2),
        ("FAILED (failures=1, errors=2)", 3),
        ("FAILED (errors=2)", 2),
        ("test result: FAILED. 0 passed; 2 failed; 0 ignored", 2),
        ("Tests:       2 failed, 1 passed, 3 total", 2),
        (" Test Files  1 failed (1)\n      Tests  1 failed | 4 passed (5)", 1),
        ("  3 passing (63ms)\n  2 failing", 2),
        ("# pass 1\n# fail 4", 4),
        ("[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 0", 2),
        ("3 tests completed, 1 failed", 1),
        ("✖ 3 problems (2 errors, 1 warning)", 2),
        ("Found 7 errors in 2 files (checked 9 source files)", 7),
        ("2 errors generated.", 2),
        ("2 errors", 2),
        ("error: could not compile `shop` due to 3 previous errors", 3),
        ("--- FAIL: TestA (0.1s)\n    --- FAIL: TestA/b (0.1s)\n--- FAIL: TestC (0s)", 3),
        ("a.go:3:2: undefined: x\na.go:9:2: undefined: y", 2),
        ("all is well", None),
    ],
)
def test_the_failing_count_is_read_from_what_runners_say(text, count):
    assert failing_count(text) == count


def test_evidence_is_one_short_line_without_colours():
    ended = outcome_of(Result("run", "\n\x1b[31m" + "x" * 900 + "\x1b[0m\nmore", 1))
    assert ended.evidence.startswith("xxx")
    assert len(ended.evidence) == EVIDENCE_CHARS


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("Exit code 1\nE   AssertionError: total is 3\n", "E   AssertionError: total is 3"),
        ("Error: Exit code 2\n\nmake: *** [all] Error 2", "make: *** [all] Error 2"),
        ("Exit code 1\n", "Exit code 1"),
        ("the tool said: Exit code 1", "the tool said: Exit code 1"),
    ],
)
def test_the_status_that_a_client_writes_above_an_output_is_evidence_only_where_there_is_no_other(text, evidence):
    assert outcome_of(Result("run", text, 1)).evidence == evidence


PYTEST = """============================= test session starts ==============================
platform linux -- Python 3.11.7
collected 5 items

tests/test_cart.py F....                                                 [100%]

=================================== FAILURES ===================================
_________________________________ test_voucher _________________________________

    def test_voucher():
>       assert apply(cart, v) == 90
E       assert 81.0 == 90

tests/test_cart.py:10: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_voucher - assert 81.0 == 90
========================= 1 failed, 4 passed in 0.12s =========================="""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (PYTEST, "E       assert 81.0 == 90"),
        ("Traceback (most recent call last):\n  File \"/w/shop/a.py\", line 3, in f\nKeyError: 'alpha'", "KeyError: 'alpha'"),
        ("# shop/cart\ncart/cart.go:2:23: undefined: x", "cart/cart.go:2:23: undefined: x"),
        ("> shop@1.0.0 test\n> vitest run\n\nAssertionError: expected 2 to be 3", "AssertionError: expected 2 to be 3"),
        ("src/main.c: In function 'main':\nsrc/main.c:4:18: error: 'x' undeclared", "src/main.c:4:18: error: 'x' undeclared"),
        ("start 12:01:33\nError: line 3 gave up on row 'alpha beta' in 12.4 s", "Error: line 3 gave up on row 'alpha beta' in 12.4 s"),
        ("only words", "only words"),
    ],
)
def test_the_line_that_tells_the_failure_is_shown_as_it_stood_and_no_runners_header(text, says):
    assert telling(text, fingerprint(text, root="/w/shop").template) == says


def test_a_line_that_is_not_found_again_is_shown_with_its_blanks():
    assert telling("something else", "in <tmp>/a.py\nError: no answer after <dur>") == "Error: no answer after <dur>"
    assert telling("anything", "") == ""
    assert telling("anything", "<n>") == "<n>"
    assert len(telling("Error: " + "x" * 5_000, "Error: " + "x" * 900)) == EVIDENCE_CHARS
