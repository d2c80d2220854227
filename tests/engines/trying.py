"""A test that fails, an edit, the test that passes: what the tests about attempts try."""

FAILED = "=== FAILURES ===\nE   AssertionError: assert {n} == 4\ntests/test_cart.py:{line}: AssertionError\n=== 1 failed in {time}s ===\n"
PASSED = "=== 3 passed in 0.12s ===\n"
EDIT = {"file_path": "src/cart.py", "old_string": "a", "new_string": "b"}
UNDO = {"file_path": "src/cart.py", "old_string": "b", "new_string": "a"}


def fails(clew, n=3, line=10, time=0.1, **how):
    return clew.attempt("pytest tests/test_cart.py", output=FAILED.format(n=n, line=line, time=time), exit=1, **how)


def passes(clew, **how):
    return clew.attempt("pytest tests/test_cart.py", output=PASSED, exit=0, **how)


def edits(clew, given=EDIT, **how):
    return clew.attempt("src/cart.py", tool="Edit", given=given, **how)
