"""What real tools print and what nobody would send on purpose: each with its right answer."""

from __future__ import annotations

import pytest
from compiled_requests import Words, compiled, log_of

from clew.compiler.pipeline import compile_request
from clew.compiler.tokens import counter
from clew.errors import InvalidInput

MIB = 1 << 20


def one(content: str, budget: int | None = None, **fields: object):
    """The outcome and the only decision of a single fragment."""
    outcome = compiled([{"content": content, **fields}], budget)
    return outcome, outcome.decisions[0]


def test_a_timestamped_log_collapses_and_keeps_its_failure_and_end():
    outcome, decision = one(log_of(500))
    assert (decision.rule, decision.kept) == ("abstract.log_collapse", "collapsed")
    assert decision.tokens_out < decision.tokens_in / 20
    assert "2026-03-02T10:00:00Z ERROR worker: job 17 failed: no route to host\n1 failed\n" in outcome.content
    assert "(×497) [until 08:16Z; 0–496; 0 ms–6 ms]" in outcome.content
    assert decision.risk == "medium"  # the counters in between are to be had by the handle only
    assert outcome.sources[decision.handles[0]].bytes == log_of(500).encode()
    assert decision.saved > decision.externalised > decision.tokens_in / 50  # what only the handle says was not saved


def test_lines_that_repeat_word_for_word_are_saved_without_risk():
    outcome, decision = one("2026-03-02T09:00:00Z INFO waiting for the database\n" * 300 + "2026-03-02T09:05:00Z INFO done\n", kind="log")
    assert (decision.rule, decision.risk, outcome.risk) == ("abstract.log_collapse", "low", "low")
    assert decision.saved > 0.9 * decision.tokens_in


def test_progress_bars_that_redraw_one_line_collapse():
    bar = "".join(f"\rDownloading [{'#' * (i // 5):<20}] {i}%" for i in range(101)) + "\nInstalled 3 packages\n"
    outcome, decision = one("pip install shop\n" + bar, kind="log")
    assert decision.rule == "abstract.log_collapse"
    assert decision.tokens_out < decision.tokens_in / 5
    assert "Installed 3 packages" in outcome.content


def test_interleaved_streams_collapse_each_by_its_own_template():
    lines = [f"web-1  | GET /health 200 in {i} ms\nworker | took job {i} off the queue" for i in range(200)]
    outcome, decision = one("\n".join(lines) + "\nworker | ERROR job 17: disk full\n", kind="log")
    assert decision.rule == "abstract.log_collapse"
    assert outcome.content.count("web-1") + outcome.content.count("worker |") < 20
    assert "worker | ERROR job 17: disk full" in outcome.content


def test_a_stack_trace_of_400_frames_keeps_its_first_and_last_frames():
    frames = "".join(f'  File "app/deep.py", line {10 + i % 3}, in step\n    return step(n - 1)\n' for i in range(400))
    trace = (
        f'Traceback (most recent call last):\n  File "app/main.py", line 3, in main\n    step(400)\n{frames}RecursionError: maximum depth\n'
    )
    outcome, decision = one(log_of(40) + trace, kind="log")
    assert decision.tokens_out < decision.tokens_in / 3
    for line in ("Traceback (most recent call last):", 'File "app/main.py", line 3, in main', "RecursionError: maximum depth"):
        assert line in outcome.content


def test_one_line_of_5_mb_is_refused_with_its_limit_and_the_way_out():
    with pytest.raises(InvalidInput, match=r"fragments\[0\].content: 5242880 bytes; at most 1048576: split it"):
        one("x" * 5 * MIB)


@pytest.mark.parametrize("line", ["x" * MIB, "word " * (MIB // 5), "é" * (MIB // 2), '{"a":' * (MIB // 5)])
def test_one_line_without_an_end_is_cut_to_the_budget_and_kept_behind_its_handle(line):
    outcome, decision = one(line, 800)
    assert decision.kept == "part"
    assert outcome.account.tokens_out <= 800
    assert outcome.sources[decision.handles[0]].bytes == line.encode()


def test_a_text_without_a_last_newline_is_given_back_as_it_came():
    outcome, decision = one("no newline at all")
    assert (outcome.content, decision.kept) == ("no newline at all", "whole")


def test_windows_line_ends_stay():
    text = "First paragraph here.\r\n\r\nThe port is 8443 since 3 May 2026.\r\n\r\nLast one.\r\n"
    assert one(text)[0].content == text
    outcome, decision = one(text, 40)
    assert decision.kept in ("part", "whole")
    assert "The port is 8443 since 3 May 2026.\r\n" in outcome.content


def test_colours_neither_hide_a_failure_nor_are_taken_out_of_it():
    log = "".join(f"\x1b[32mINFO\x1b[0m step {i} ok\n" for i in range(100)) + "\x1b[31mERROR\x1b[0m step 100: broken pipe\n"
    outcome, decision = one(log, kind="log")
    assert decision.rule == "abstract.log_collapse"
    assert "\x1b[31mERROR\x1b[0m step 100: broken pipe" in outcome.content


def test_nul_bytes_pass_through():
    text = "before\0after\n\0\0\n"
    outcome, decision = one(text)
    assert (outcome.content, decision.kept) == (text, "whole")
    assert one("\0" * 50_000 + "\n", 20)[0].account.tokens_out <= 20


def test_an_unclosed_fence_is_critical_and_whole_or_not_there():
    text = "Look:\n\n```python\n" + "x = 1\n\ny = 2\n\n" * 60
    outcome, decision = one(text, 60)
    assert decision.classified == "preserve.code_fence"
    assert "x = 1" not in outcome.content
    assert (outcome.risk, decision.kept) == ("high", "part")
    assert one(text)[0].content == text


def test_1024_tiny_fragments_each_get_their_decision():
    listed = [{"content": f"fact {i}", "id": i} for i in range(1024)]
    outcome = compiled(listed, 10_000)
    assert [d.id for d in outcome.decisions] == list(range(1024))
    assert outcome.content == "\n\n".join(f["content"] for f in listed)
    tight = compiled(listed, 300, "fact 77")
    assert tight.account.tokens_out <= 300
    assert "fact 77" in tight.content.split("\n\n")
    assert len({h for d in tight.decisions for h in d.handles}) == sum(d.kept == "none" for d in tight.decisions)


@pytest.mark.parametrize("content", ["Never do that.", "plain words", log_of(50), "```\ncode\n```"])
def test_a_budget_of_1_emits_nothing_and_says_so(content):
    outcome, decision = one(content, 1)
    assert (outcome.content, outcome.account.tokens_out) == ("", 0)
    assert (decision.action, decision.rule) == ("externalize", "budget.externalize")
    assert outcome.risk == ("medium" if content == "plain words" else "high")
    assert outcome.account.externalised == outcome.account.tokens_in
    assert outcome.sources[decision.handles[0]].bytes == content.encode()


def test_a_budget_of_1_is_spent_where_something_fits():
    assert one("abcd", 1)[0].content == "abcd"


def test_blank_fragments_cost_nothing_and_lose_nothing():
    outcome = compiled([{"content": ""}, {"content": "a"}, {"content": ""}], 1)
    assert (outcome.content, outcome.risk) == ("a", "low")


def test_every_kind_of_odd_text_keeps_the_budget_by_the_estimate_too():
    odd = [
        "\r" * 300,
        "\ufeff\u200b" * 200,
        "👨\u200d👩\u200d👧" * 200,
        "\x1b[0m" * 300,
        "|a|b|\n" * 300,
        "\u2028\x85\x0c" * 100,
        "\t" * 500,
        "۱۲۳ " * 200,
    ]
    outcome = compile_request({"token_budget": 500, "fragments": [{"content": text} for text in odd]}, counter())
    assert counter().count(outcome.content) == outcome.account.tokens_out <= 500
    assert all(outcome.sources[h].bytes.decode() in odd for d in outcome.decisions for h in d.handles)


def counted_units(fragments: list[dict]) -> int:
    """How many characters are counted while compiling: what the work is, without a clock."""
    spent = [0]

    class Watched(Words):
        def count(self, text: str) -> int:
            spent[0] += len(text)
            return super().count(text)

    compile_request({"query": "port", "token_budget": 500, "fragments": fragments}, Watched())
    return spent[0]


def test_ten_times_the_input_is_at_most_twelve_times_the_counting():
    small, large = ([{"content": f"The port {i} of the gateway.\n\n" * 500} for i in range(n)] for n in (4, 40))
    assert counted_units(large) <= 12 * counted_units(small)


@pytest.mark.parametrize(
    ("more", "warned"),
    [({}, False), ({"model": "eliza"}, True), ({"model": "eliza", "token_budget": 70}, False), ({"model": "claude-haiku-4-5"}, False)],
)
def test_a_model_whose_window_is_not_known_is_said_where_no_budget_is_given(more, warned):
    compiled = compile_request({"fragments": [{"content": "one line"}], **more}, counter("heuristic"))
    assert compiled.warnings == (("the window of model eliza is not known, so nothing was cut; give a token_budget",) if warned else ())
