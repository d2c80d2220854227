"""attempt, attempts and tried as a person uses them: the loop is stopped, the user may let it go on, and what worked is found again."""

import pytest

FAILED = "E   AssertionError: assert 3 == 4\ntests/test_cart.py:{n}: AssertionError\n=== 1 failed in 0.{n}s ===\n"
TEST = ("pytest", "tests/test_cart.py")


def failing(shell, n, *more):
    log = shell.cwd / "run.log"
    log.write_text(FAILED.format(n=n))
    return shell.ok("attempt", *TEST, "--exit", 1, "--output", log, *more)


def test_the_fourth_try_of_the_same_is_stopped_until_the_user_allows_it(clew):
    assert failing(clew, 1).out == "go on\n"
    failing(clew, 2)
    assert failing(clew, 3).out.startswith("warning: the same approach failed 3 times")
    asked = clew("attempt", *TEST, "--before")
    assert asked.code == 1
    assert asked.out.startswith("stop: this very approach failed 3 times")
    assert asked.out.count("AssertionError") + asked.out.count("assert 3 == 4") >= 3
    assert clew.ok("attempt", *TEST, "--allow").out == "may run once more: pytest tests/test_cart.py\n"
    assert clew("attempt", *TEST, "--before").code == 0


def test_attempts_are_listed_newest_first_by_goal_too(clew):
    failing(clew, 1)
    clew.ok("attempt", "npm run build", "--exit", 0)
    assert [line.split("\t")[2] for line in clew.ok("attempts").out.splitlines()] == ["pass", "fail (1)"]
    goals = clew.ok("attempts", "--goals", "--json").json["goals"]
    assert [(goal["attempts"], goal["failures"]) for goal in goals] == [(1, 0), (1, 1)]
    assert len(clew.ok("attempts", "--goal", goals[1]["goal"], "--json").json["attempts"]) == 1


def test_what_worked_is_told_by_file_and_by_error(clew):
    failing(clew, 1)
    clew.ok("attempt", "src/cart.py", "--tool", "Write")
    clew.ok("attempt", *TEST, "--exit", 0)
    for about in (("tests/test_cart.py",), ("pytest tests/test_cart.py",)):
        assert clew.ok("tried", *about).out.endswith("✓ pytest tests/test_cart.py passed after src/cart.py (now)\n")
    piped = clew.ok("tried", "-", stdin=FAILED.format(n=77))
    assert "passed after src/cart.py" in piped.out
    assert "the same failure" in piped.err


def test_where_nothing_was_tried_it_says_so(clew):
    assert clew.ok("attempts").out == "nothing was attempted here yet\n"
    assert clew.ok("tried", "src/none.py").out == "nothing like it was tried here before\n"
    failing(clew, 1)
    assert "nothing was attempted at that goal; `clew attempts --goals`" in clew.ok("attempts", "--goal", "pytest").out
    assert clew.ok("attempts", "--session", "nobody's").out == "nothing was attempted in that session\n"
    assert clew.ok("attempts", "--goals", "--session", "nobody's").out == "nothing was attempted in that session\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("attempt",), "TARGET"),
        (("attempt", " "), "target: is empty"),
        (("attempt", "x", "--before", "--allow"), "cannot be given together"),
        (("attempt", "x", "--before", "--exit", 1), "told of what has run"),
        (("attempt", "x", "--output", "/nowhere/x.log"), "is no file"),
        (("attempt", "git status", "--allow"), "never stopped"),
        (("attempt", "x", "--exit", "one"), "--exit"),
        (("attempts", "-n", 0), "limit: must be a whole number from 1 to 1,000"),
        (("attempts", "--goals", "--alarms"), "--alarms: cannot be given together with --goals"),
        (("attempts", "--goal", "x", "--alarms"), "--goal: is for the list of attempts"),
        (("attempts", "--goal", "x", "--goals"), "--goal: is for the list of attempts"),
        (("tried", " "), "about: is empty"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(clew, words, says):
    run = clew(*words)
    assert (run.code, run.out) == (2, "")
    assert says in run.err
    assert clew.ok("attempts").out == "nothing was attempted here yet\n"


@pytest.mark.parametrize("output", [b"", b"\xff\xfe\x00bad", b"x" * 5_000_000])
def test_odd_output_is_no_trouble(clew, output):
    (clew.cwd / "odd.log").write_bytes(output)
    assert clew.ok("attempt", "make", "--exit", 2, "--output", "odd.log").out == "go on\n"


def test_every_attempt_that_a_verdict_shows_has_its_number(clew):
    for n in range(1, 3):
        failing(clew, n)
    shown = clew.ok("attempt", *TEST, "--exit", 1, "--json").json["verdict"]["evidence"]
    assert [one["id"] for one in shown] == [1, 2, 3]


def test_alarms_are_listed_with_why(clew):
    assert clew.ok("attempts", "--alarms").out == "this session was neither warned nor stopped\n"
    for n in range(1, 5):
        failing(clew, n)
    level, _, goal, why = clew.ok("attempts", "--alarms", "--session", "cli").out.splitlines()[-1].split("\t")
    assert (level, goal, why) == (
        "warning",
        "test: pytest tests/test_cart.py",
        "the same approach failed 3 times with nothing changed between",
    )
    alarms = clew.ok("attempts", "--alarms", "--session", "cli", "--json").json["alarms"]
    assert [alarm["level"] for alarm in alarms] == [2, 1]
