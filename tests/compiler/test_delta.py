"""Re-read files: an older reading as its difference from the newest."""

from __future__ import annotations

import re
from itertools import islice

from compiled_requests import compiled, rules
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.compiler.delta import NO_NEWLINE, changes, lines_of, unified

lines = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "    deep\n", "é\r\n", "-x\n", "+y\n"]), max_size=14)
FILE = "".join(f"def step_{n}(order):\n    return order.{n}\n\n" for n in range(12))


def patched(newest: str, diff: str) -> str:
    """`newest` with a unified diff applied, as `patch` would."""
    before, after, at = lines_of(newest), [], 0
    body = lines_of(diff)[2:]
    for index, line in enumerate(body):
        if line.startswith("@@"):
            start, _, size = re.match(r"@@ -(\d+)(,(\d+))?", line).groups()
            first = int(start) - (size != "0")
            after += before[at:first]
            at = first + int(size or 1)
        elif line.startswith("+"):
            bare = index + 1 < len(body) and body[index + 1] == NO_NEWLINE
            after.append(line[1:-1] if bare else line[1:])
    return "".join(after + before[at:])


@settings(max_examples=400)
@given(lines, lines, st.booleans(), st.booleans())
def test_a_diff_turns_the_newest_into_the_older_one(newest, older, cut_newest, cut_older):
    new, old = "".join(newest).rstrip("\n") if cut_newest else "".join(newest), "".join(older).rstrip("\n") if cut_older else "".join(older)
    diff = unified(new, old, "f")
    assert (diff == "") == (new == old)
    if diff:
        assert patched(new, diff) == old


@given(lines, lines)
def test_changes_ascend_and_leave_only_equal_lines_between_them(before, after):
    a = c = 0
    for start_a, end_a, start_c, end_c in changes(before, after):
        assert before[a:start_a] == after[c:start_c]
        assert end_a > start_a or end_c > start_c
        a, c = end_a, end_c
    assert before[a:] == after[c:]


def test_one_changed_line_is_one_hunk_of_two_lines():
    diff = unified(FILE, FILE.replace("order.7", "order.seven"), "a.py")
    assert diff == "--- a.py (newest)\n+++ a.py (earlier)\n@@ -23 +23 @@\n-    return order.7\n+    return order.seven\n"


def test_numbers_that_a_tool_put_before_the_lines_do_not_make_them_differ():
    older = FILE.split("\n")
    newest = ["import os", *older]
    diff = unified(*("".join(f"{n:>6}\t{line}\n" for n, line in enumerate(text, 1)) for text in (newest, older)), "a.py")
    assert diff.splitlines()[2:] == ["@@ -1 +0,0 @@", "-import os"]


def test_twenty_thousand_lines_that_all_recur_are_compared_in_few_steps():
    before, after = ["x\n", "y\n"] * 10_000, ["y\n", "x\n"] * 10_001
    assert sum(1 for _ in islice(changes(before, after), 10)) <= 2


def test_the_newest_reading_stays_whole_and_the_older_ones_become_diffs():
    readings = [{"content": FILE.replace("order.3", f"order.{name}"), "path": "a.py", "kind": "code"} for name in ("old", "mid", "new")]
    outcome = compiled(readings)
    assert rules(outcome) == ["delta.reread", "delta.reread", "preserve.code_fence"]
    assert [d.kept for d in outcome.decisions] == ["diff", "diff", "whole"]
    assert readings[2]["content"] in outcome.content
    assert "+    return order.old" in outcome.content
    assert outcome.risk == "low"
    assert outcome.account.saved > outcome.account.tokens_in // 2
    assert outcome.account.lost == outcome.account.externalised == 0


def test_a_reading_without_a_shorter_diff_becomes_a_handle_and_that_is_no_saving():
    outcome = compiled([{"content": "one text\n" * 30, "path": "a"}, {"content": "quite another\n" * 30, "path": "a"}])
    older = outcome.decisions[0]
    assert (older.rule, older.kept, older.risk, older.saved) == ("delta.reread", "none", "medium", 0)
    assert older.externalised == older.tokens_in
    assert outcome.sources[older.handles[0]].bytes == b"one text\n" * 30
    assert older.handles[0][:16] in outcome.content


def test_a_diff_against_a_reading_that_found_no_room_saves_nothing():
    readings = [{"content": FILE.replace("order.3", "order.old"), "path": "a.py"}, {"content": FILE, "path": "a.py"}]
    outcome = compiled(readings, 60)
    older, newest = outcome.decisions
    assert newest.kept != "whole"
    assert older.saved == 0
    assert older.risk == "medium"


def test_two_parts_of_a_file_are_no_readings_of_the_same_thing():
    parts = [{"content": f"part {n}\n", "path": "a.py", "metadata": {"range": [n, n + 9]}} for n in (1, 10)]
    assert rules(compiled(parts)) == ["preserve.default"] * 2


def test_a_text_that_came_back_is_emitted_once():
    first, second = FILE, FILE.replace("order.3", "order.x")
    outcome = compiled([{"content": text, "path": "a.py"} for text in (first, second, first)])
    assert [d.kept for d in outcome.decisions] == ["whole", "diff", "none"]
    assert outcome.decisions[2].duplicate_of == 0
