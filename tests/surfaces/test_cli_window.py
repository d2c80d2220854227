"""The window as a person sees it: what a session holds, what leaves next and why, the way back, how a memory fades."""

import json
import re

import pytest

CART = "class Cart:\n    def total(self):\n        return 3\n"
COLOUR = re.compile(r"\x1b\[[\d;]*m")


def tell(shell, event, session="s1", **fields):
    payload = {"session_id": session, "cwd": str(shell.cwd), "hook_event_name": event, **fields}
    return shell.ok("hook", "claude", event, stdin=json.dumps(payload)).out


def read(shell, name, session="s1"):
    path = shell.cwd / name
    content = {"file": {"filePath": str(path), "content": path.read_text()}}
    tell(shell, "PostToolUse", session, tool_name="Read", tool_input={"file_path": str(path)}, tool_response=content)


@pytest.fixture
def worked(clew):
    """A session that read three files and was asked for two things."""
    for name in ("cart.py", "shop.py", "till.py"):
        (clew.cwd / name).write_text(CART.replace("Cart", name[:-3].title()))
    tell(clew, "SessionStart", source="startup")
    for name in ("cart.py", "shop.py", "till.py"):
        tell(clew, "UserPromptSubmit", prompt=f"round the prices of {name} to cents")
        read(clew, name)
    for n in range(3):
        tell(clew, "UserPromptSubmit", prompt=f"and now the till, part {n}")
        read(clew, "till.py")
    tell(clew, "Stop")
    clew.ok("working-set")  # takes in what a hook on a busy machine had no time for
    return clew


def test_status_shows_both_registers_the_tokens_and_what_leaves_next_with_its_signals(worked):
    rows = dict(line.split("\t", 1) for line in worked.ok("status").out.splitlines())
    assert (rows["session"], rows["evict_below"], rows["fill_mark"]) == ("s1", "0.10", "0.80")
    assert re.fullmatch(r"\d+ of 100,000 tokens \(0%\)", rows["window"])
    assert rows["resident"].endswith(" observation")
    assert (rows["evictions"], rows["misses"], rows["set aside"]) == ("0", "0", "0")
    for signal in ("relevance", "recency", "frequency", "structure", "cognitive"):
        assert re.search(rf"{signal} [01]\.\d\d", rows["leaves next"]), rows["leaves next"]
    found = worked.ok("status", "--json").json["working_set"]
    assert {one["what"] for one in found["next"]} <= {"cart.py", "shop.py", "till.py", "what the user asked earlier"}
    assert [one["score"] for one in found["next"]] == sorted(one["score"] for one in found["next"])
    assert found == worked.ok("working-set", "--json").json["working_set"]


def test_status_counts_the_alarms_of_the_session(worked):
    for _ in range(3):
        worked.ok("attempt", "make check", "--exit", 2, "--session", "s1")
    assert "alarms\t1 warning, 0 callbacks, 0 stops\n" in worked.ok("status").out


def test_a_session_is_shown_by_its_name_and_one_never_seen_is_not_found(worked):
    read(worked, "shop.py", session="s2")
    tell(worked, "Stop", session="s2")
    assert "session\ts2\n" in worked.ok("working-set").out
    assert "session\ts1\n" in worked.ok("working-set", "--session", "s1").out
    run = worked("working-set", "--session", "nobody")
    assert (run.code, run.out) == (3, "")
    assert "no session 'nobody'" in run.err


def test_where_no_session_was_there_is_no_window(clew):
    assert clew.ok("working-set").out == "no session has a window here yet\n"
    assert clew.ok("working-set", "--json").json["working_set"] is None
    assert clew.ok("status", "--json").json["working_set"] is None
    assert "evict_below" not in clew.ok("status").out


def test_what_was_read_comes_back_by_its_file_and_by_its_handle(worked):
    run = worked.ok("restore", "cart.py")
    assert run.out == CART
    handle = re.match(r"(w:[0-9a-f]{8}): file cart\.py\n", run.err)[1]
    (worked.cwd / "cart.py").write_text("x = 1\n")
    again = worked.ok("restore", handle)
    assert again.out == "x = 1\n"
    assert "changed since it was read" in again.err


def test_what_a_compaction_took_is_a_miss_when_it_is_restored(worked):
    tell(worked, "PreCompact", trigger="auto")
    tell(worked, "SessionStart", source="compact")
    worked.ok("restore", "shop.py", "--session", "s1")
    assert "misses\t1\n" in worked.ok("working-set").out


def test_a_file_full_of_terminal_tricks_is_harmless_on_a_screen_and_itself_in_a_pipe(worked):
    (worked.cwd / "cart.py").write_text("a\x07b\u202ec\n")
    assert worked.ok("restore", "cart.py").out == "a\x07b\u202ec\n"
    (worked.cwd / "cart.py").write_text("a\x1b[2Jb\u202e\n")
    assert "a�[2Jb�" in COLOUR.sub("", worked.on_a_terminal("restore", "cart.py").out)


def test_strength_is_a_curve_on_a_terminal_and_pairs_of_numbers_in_a_pipe(clew):
    clew.ok("remember", "The parser is recursive")
    lines = [line.split("\t") for line in clew.ok("strength", 1).out.splitlines()]
    moments, values = [float(m) for m, _ in lines], [float(v) for _, v in lines]
    assert moments == sorted(moments)
    assert values == sorted(values, reverse=True)
    assert (values[0], values[-1]) == (1.0, pytest.approx(0.1, abs=0.01))
    found = clew.ok("strength", 1, "--json").json["strength"]
    assert [value for _, value in found["points"]] == pytest.approx(values, abs=0.001)
    screen = clew.on_a_terminal("strength", 1).out
    assert COLOUR.search(screen)
    assert [mark for mark in ("█", "┤", "▲ now") if mark not in screen] == []
    narrow = COLOUR.sub("", clew.on_a_terminal("strength", 1, COLUMNS="40").out).split("\n\n", 1)[1]
    assert max(map(len, narrow.splitlines())) <= 40
    assert not COLOUR.search(clew.on_a_terminal("strength", 1, "--no-color").out)


def test_what_is_pinned_is_a_level_line(clew):
    clew.ok("remember", "The parser is recursive")
    clew.ok("pin", 1)
    assert {line.split("\t")[1] for line in clew.ok("strength", 1).out.splitlines()} == {"1.0000"}
    assert "never fades" in clew.on_a_terminal("strength", 1).out


def test_a_sweep_lets_rest_what_is_hardly_retained_and_says_how_many(clew):
    assert clew.ok("sweep").out == "0 memories came to rest, 0 expired and erased\n"
    strength = {"stability": 7200.0, "difficulty": 5.0, "last_use": 1_600_000_000.0, "uses": 0, "lapses": 0}
    old = {"summary": "The parser is recursive", "recorded_at": 1_600_000_000, "strength": strength}
    clew.ok("import", "jsonl", stdin=json.dumps(old) + "\n")
    assert clew.ok("sweep", "--json").json["resting"] == 1
    assert clew.ok("sweep").out.startswith("0 memories")
    assert "recursive" in clew.ok("recall", "parser").out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("restore",), 2, "WHAT"),
        (("restore", " "), 2, "what: is empty"),
        (("restore", "m:x"), 2, "m:12"),
        (("restore", "m:99"), 3, "no memory #99"),
        (("restore", "w:00000000"), 3, "nothing was seen here"),
        (("restore", "\x1b[2J\udc80".encode("utf-8", "surrogatepass").decode("utf-8", "replace")), 3, "nothing was seen here"),
        (("strength",), 2, "ID"),
        (("strength", "zz"), 2, "id"),
        (("strength", 99), 3, "no memory #99"),
        (("working-set", "--session", ""), 3, "no session"),
        (("sweep", "now"), 2, "now"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(clew, words, code, says):
    run = clew(*words)
    assert (run.code, run.out) == (code, "")
    assert says in run.err
    assert "Traceback" not in run.err
    assert "\x1b" not in run.err
    assert json.loads(clew(*words, "--json").err)["error"]["message"]
