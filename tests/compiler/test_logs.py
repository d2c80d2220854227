"""Logs said once: what repeats goes, what happened stays, and the collapsed log tells what was left out of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.compiler.logs import collapse

PREFIXES = {
    "ISO": "2026-12-01T04:38:{:02}.123Z ",
    "ISO with zone, in brackets": "[2026-12-01T04:38:{:02}+02:00] ",
    "log4j": "2026-12-01 04:38:{:02},417 ",
    "clock": "04:38:{:02}.123 ",
    "clock in brackets": "[04:38:{:02}] ",
    "syslog": "Dec  1 04:38:{:02} ",
    "Apache": "[Tue Dec 01 04:38:{:02}.123456 2026] ",
    "glog": "I1201 04:38:{:02}.123456 ",
    "kernel": "[   12.{:02}0417] ",
    "epoch": "17645639{:02}.123 ",
    "GitHub Actions, downloaded": "2026-12-01T04:38:{:02}.1234567Z ",
    "GitHub Actions, by column": "build\tRun tests\t2026-12-01T04:38:{:02}.1234567Z ",
    "GitLab": "2026-12-01T04:38:{:02}.123456Z 00O ",
    "Jenkins": "[2026-12-01T04:38:{:02}.123Z] ",
    "Buildkite": "\x1b_bk;t=17645639{:02}123\x07",
    "coloured": "\x1b[90m2026-12-01T04:38:{:02}Z\x1b[0m ",
    "logfmt": "time=2026-12-01T04:38:{:02}Z level=info ",
    "JSON": '{{"ts":"2026-12-01T04:38:{:02}Z","msg":"x"}} ',
}
FAILURES = [
    "ERROR cannot open ledger.db",
    "error[E0425]: cannot find value `total` in this scope",
    "FAILED tests/test_cart.py::test_total - assert 3 == 4",
    "✗ renders the cart",
    "not ok 14 - cart total",
    "npm ERR! code ELIFECYCLE",
    "make: *** [Makefile:12: all] Error 2",
    "java.lang.NullPointerException: line is null",
    "thread 'main' panicked at src/lib.rs:88:5",
    "Process completed with exit code 1.",
    "Segmentation fault (core dumped)",
    'GET /cart HTTP/1.1" 502 17',
    "##[error]The operation was canceled.",
    "E   assert 402 == 500",
]


def text_of(lines, end="\n"):
    return "".join(line + end for line in lines)


def body(collapsed):
    return collapsed.text.splitlines()


def loud(collapsed, rank=0):
    return "".join(collapsed.text[span.start : span.end] for span in collapsed.important if span.rank == rank)


@pytest.mark.parametrize("name", PREFIXES)
@pytest.mark.parametrize("normalise", [True, False])
def test_lines_that_differ_in_their_timestamp_alone_are_one(name, normalise):
    lines = [PREFIXES[name].format(n) + "cache warmed for the ledger" for n in range(10, 60)]
    done = collapse(text_of(lines), normalise=normalise)
    assert body(done) == [f"{lines[0]} (×50){body(done)[0].partition('(×50)')[2]}"]
    assert " [until " in done.text
    assert (done.redundant, done.lossy) == (49, 0)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("batch {} of 90 done", "0–49"),
        ("downloaded {}/50 parts", "0/50–49/50"),
        ("answered in {} ms, all well", "0 ms–49 ms"),
        ("answered in {}.5s, all well", "0.5s–49.5s"),
        ("progress {}% of the archive", "0%–49%"),
        ("[{:3}%] Linking the program", "0%–49%"),
        ("heap grew to {} MB this time", "0 MB–49 MB"),
        ("object at 0x7ffd{:08x} freed", "0x7ffd00000000 … 0x7ffd00000031, 50 values"),
        ("\x1b[3{}mcoloured\x1b[0m line of the log", ""),
        ("[{}] pulling the image", "0–49"),
        ("session 0f8fad5b-d9cb-469f-a165-7086772{:05} opened", "708677200049"),
        ("peer 10.0.0.{}:8080 joined the ring", "10.0.0.0:8080–10.0.0.49:8080"),
        ("layer-{}.tar extracted to the cache", "0–49"),
        ("tests/test_cart.py::test_{} PASSED", "0–49"),
    ],
)
def test_values_that_vary_become_a_range(line, said):
    lines = [line.format(n) for n in range(50)] + [f"last words {word}" for word in "one two three four five".split()]
    done = collapse(text_of(lines))
    assert body(done)[0].startswith(f"{lines[0]} (×50)")
    assert body(done)[0].endswith(f"{said}]" if said else "(×50)")
    assert body(done)[1:] == lines[50:]
    assert (done.redundant, done.lossy) == ((0, 49) if said else (49, 0))


def test_durations_of_several_units_are_ordered_by_their_length():
    lines = [f"query took {span} in the end" for span in ("900ms", "2s", "40ms", "1.5s", "700us", "3min", "12ms")]
    assert "(×7) [700us–3min]" in collapse(text_of(lines * 2 + ["a", "b", "c", "d", "e"])).text.replace("×14", "×7")


def test_few_values_are_written_out_and_count_as_said():
    done = collapse(text_of([f"worker {n % 3} took a job" for n in range(60)] + list("abcde")))
    assert body(done)[0] == "worker 0 took a job (×60) [0, 1, 2]"
    assert (done.redundant, done.lossy) == (59, 0)


def test_without_normalising_only_timestamps_are_masked():
    lines = [f"2026-12-01T04:38:{n:02}Z batch {n % 2} done" for n in range(60)]
    assert [line.partition(" [")[0] for line in body(collapse(text_of(lines), normalise=False))] == [
        lines[0] + " (×30)",
        lines[1] + " (×30)",
    ]


def test_two_lines_that_differ_are_not_worth_a_range():
    text = text_of(["fetched page 1 of the list", "fetched page 2 of the list", "and so on"])
    assert collapse(text) == (text, 3, 3, collapse(text).important, 0, 0, 0)


@pytest.mark.parametrize(
    "kept", ["exit status {}", 'GET /cart HTTP/1.1" {} 17', "src/cart.py:{}: note", "returned code {}", "release v1.2.{}"]
)
def test_numbers_that_say_what_happened_keep_lines_apart(kept):
    lines = [kept.format(200 + n) for n in range(4)]
    done = collapse(text_of(lines * 3 + [f"step {word}" for word in "one two three four five".split()]))
    assert [line.partition(" (×")[0] for line in body(done)[:4]] == lines


def test_interleaved_streams_collapse_in_the_order_of_their_first_lines():
    lines = [
        line
        for n in range(100)
        for line in (f"api    | handled request {n}", f"worker | took job {n * 3}", f"db     | checkpoint {n} done")
    ]
    done = collapse(text_of(lines))
    assert [line.partition(" (")[0] for line in body(done)[:3]] == lines[:3]
    assert body(done)[3:] == lines[-5:]


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failing_line_is_kept_word_for_word_and_goes_first(failure):
    noise = [f"2026-12-01T04:38:00Z compiling module {n}" for n in range(300)]
    done = collapse(text_of([*noise[:200], f"2026-12-01T04:38:01Z {failure}", *noise[200:]]))
    assert f"2026-12-01T04:38:01Z {failure}\n" in loud(done)
    assert done.lines_out < 10


@pytest.mark.parametrize(
    "calm",
    [
        "0 errors, all well",
        "compiled error_page.c",
        "✓ shows the error page",
        "tests/test_error.py::test_failed PASSED",
        "errors=0 dropped=0",
    ],
)
def test_a_line_that_only_speaks_of_errors_is_no_failure(calm):
    done = collapse(text_of([calm, *(f"line {word} of the log" for word in "one two three four five".split())]))
    assert calm not in loud(done)


def test_failures_that_differ_in_a_value_are_all_kept_and_the_first_and_last_are_loud():
    lines = [f"ERROR order {n} has no payment" for n in range(40)]
    done = collapse(text_of(lines + ["line " + word for word in "one two three four five".split()]))
    assert body(done)[:40] == lines
    assert [line for line in lines if line in loud(done)] == [*lines[:3], lines[-1]]


def test_a_failure_repeated_word_for_word_is_said_once_with_its_count():
    lines = [f"2026-12-01T04:38:{n:02}Z ERROR ledger is locked" for n in range(60)]
    done = collapse(text_of(lines + ["line " + word for word in "one two three four five".split()]))
    assert body(done)[0] == "2026-12-01T04:38:00Z ERROR ledger is locked (×60) [until 59Z]"


def test_what_is_indented_under_a_failure_belongs_to_it():
    told = ["AssertionError: totals differ", "    expected: 402", "    received: 500", "next step"]
    done = collapse(text_of([*told, *(f"  resting {n}" for n in range(40))]))
    assert all(line in loud(done) for line in told[:3])
    assert told[3] not in loud(done)


def test_what_is_indented_behind_its_timestamp_belongs_to_the_failure_too():
    told = ["2026-12-01T04:38:00Z ERROR checkout failed", "2026-12-01T04:38:00Z     at checkout.js:88"]
    done = collapse(text_of([*told, *(f"2026-12-01T04:38:01Z resting {n}" for n in range(40))]))
    assert all(line in loud(done) for line in told)


def test_what_a_repetitive_log_says_once_comes_second_and_in_a_varied_log_last():
    news = "using the deploy key of the staging ring"
    noise = [f"polled the queue {n} times" for n in range(100)]
    assert loud(collapse(text_of([*noise[:50], news, *noise[50:]])), rank=1) == news + "\n"
    varied = [f"{word} went by" for word in "ash birch cedar elm fir hazel larch maple oak pine rowan spruce willow yew".split()]
    assert loud(collapse(text_of([news, *varied])), rank=1) == ""


def test_warnings_and_summaries_come_second():
    done = collapse(text_of(["warning: unused import", "=== 412 passed in 93.2s ===", *(f"resting {n}" for n in range(40))]))
    assert loud(done, rank=1) == "warning: unused import\n=== 412 passed in 93.2s ===\n"


@pytest.mark.parametrize("summary", ["done in {} ms", "build finished in {} s", "ran {} tests of a shard"])
def test_summaries_without_end_are_the_course_of_the_log_and_collapse(summary):
    lines = [summary.format(n + 2) for n in range(40)]
    done = collapse(text_of([*lines, *"abcde"]))
    assert body(done)[0].startswith(f"{lines[0]} (×40) [2")
    assert (done.lines_out, done.lossy) == (6, 39)
    assert done.unsaid >= sum(len(str(n + 2)) for n in range(1, 40))


def test_a_few_summaries_are_kept_word_for_word():
    lines = [f"packages/{name}: {n + 9} passed" for n, name in enumerate(["cart"] * 6)]
    assert body(collapse(text_of([*lines, *"abcde"])))[:6] == lines


def test_a_coloured_failure_goes_first():
    failed = "\x1b[31mERROR\x1b[0m order 7 has no payment"
    assert failed in loud(collapse(text_of([failed, *(f"resting {n}" for n in range(40))])))


def test_the_end_of_the_log_stays_as_it_is():
    lines = [f"polled the queue {n} times" for n in range(100)]
    done = collapse(text_of(lines) + "\n\n")
    assert body(done)[1:6] == lines[-5:]
    assert all(line in loud(done) for line in lines[-5:])


def java(count, first=0):
    return ["Exception in thread main: no such line", *(f"\tat shop.Cart.step{n}(Cart.java:{n + 10})" for n in range(first, first + count))]


def test_a_trace_of_400_frames_keeps_every_frame_and_its_ends_are_loud():
    lines = java(400)
    done = collapse(text_of([*(f"step {n}" for n in range(90)), *lines, *(f"step {n}" for n in range(90))]))
    assert [line for line in lines if line + "\n" not in done.text] == []
    assert [line for line in lines if line in loud(done)] == lines[:4] + lines[-4:]


def test_a_recursion_of_400_frames_is_said_once_between_its_ends():
    frame = "\tat shop.Cart.walk(Cart.java:77)"
    done = collapse(
        text_of(["Exception: too deep", "\tat shop.Cart.leaf(Cart.java:80)", *[frame] * 398, "\tat shop.Main.main(Main.java:3)", "bye"])
    )
    assert body(done) == [
        "Exception: too deep",
        "\tat shop.Cart.leaf(Cart.java:80)",
        frame + " (×398)",
        "\tat shop.Main.main(Main.java:3)",
        "bye",
    ]


def test_the_same_trace_again_is_said_once_and_another_trace_in_full():
    one, other = java(12), java(12, first=6)
    noise = [f"step {n} of the run" for n in range(30)]
    done = collapse(text_of([*one, *noise, *one, *noise, *other, *noise]))
    assert sum(line.startswith("\tat") for line in body(done)) == 24
    assert body(done)[:2] == [one[0] + " (×2)", one[1] + " (×2)"]
    assert text_of(other[1:]) in done.text


PYTHON = [
    "Traceback (most recent call last):",
    *(line for n in range(6) for line in (f'  File "/srv/shop/cart{n}.py", line {n}, in step', f"    step({n})", "    ^^^^^^^")),
    "ValueError: no such line",
]
GO = [
    "panic: index out of range",
    "",
    "goroutine 1 [running]:",
    *(x for n in range(5) for x in (f"main.step{n}(0x1)", f"\t/srv/a.go:{n} +0x1d")),
]
NODE = ["TypeError: line is undefined", *(f"    at step{n} (/srv/cart.js:{n}:7)" for n in range(6))]
RUST = ["stack backtrace:", *(x for n in range(5) for x in (f"   {n}: shop::cart::step{n}", f"             at /srv/cart.rs:{n}:5"))]
RUBY = ["cart.rb:3:in `total': no line (RuntimeError)", *(f"\tfrom cart.rb:{n}:in `step{n}'" for n in range(6))]


@pytest.mark.parametrize("trace", [PYTHON, GO, NODE, RUST, RUBY], ids=["Python", "Go", "JavaScript", "Rust", "Ruby"])
def test_the_ends_of_a_trace_are_loud_in_every_language(trace):
    noise = [f"2026-12-01 04:38:00 step {n}" for n in range(40)]
    done = collapse(text_of([*noise, *trace, *noise]))
    assert trace[0] in loud(done) and trace[-1] in loud(done)
    assert [line for line in trace if line.strip() and line not in done.text] == []


def test_a_redrawn_progress_bar_is_one_line():
    bar = "".join(f"\r[{'=' * n}{' ' * (20 - n)}] {n * 5}%" for n in range(21))
    done = collapse(f"start\n{bar}\ndone\nbye now\nand out\n")
    assert "(×" in done.text and "0%" in done.text and "100%" in done.text
    assert done.lines_out <= 7


def test_line_ends_of_windows_stay():
    done = collapse(text_of([f"step {n} done" for n in range(60)], "\r\n"))
    assert done.text.startswith("step 0 done (×55) [0–54]\r\n")
    assert done.text.count("\r\n") == done.text.count("\n") == done.lines_out == 6


def test_a_log_without_a_last_newline_gets_none():
    assert collapse("ready to go\n" * 40 + "ready to go").text == "ready to go (×41)\n"
    assert not collapse("ready to go\n" * 40 + "gone").text.endswith("\n")


@pytest.mark.parametrize("text", ["", "\n", "one line", "\0\0\n\0", "no newline at all " * 300_000, "a;b," * 1_250_000], ids=range(6))
def test_what_does_not_repeat_by_line_comes_back_as_it_is(text):
    assert collapse(text).text == text


def test_nul_bytes_and_half_characters_pass_through():
    text = text_of(["\0 bin\ud800ary \x1b[ line"] * 50)
    assert collapse(text).text == "\0 bin\ud800ary \x1b[ line (×50)\n"


LINES = st.lists(
    st.sampled_from(
        ["step {} of 9", "GET /a 200 {}ms", "ERROR order {} lost", "\tat a.B.c(D.java:{})", "warn: slow {}", "", "--- {}", "done"]
    ).flatmap(lambda line: st.integers(0, 12).map(line.format)),
    max_size=60,
)
ENDS = st.sampled_from(["\n", "\r\n"])


@given(LINES, ENDS, st.booleans())
def test_nothing_disappears_without_being_counted(lines, end, normalise):
    text = text_of(lines, end)
    done = collapse(text, normalise=normalise)
    assert done.lines_in == len(lines) and done.lines_out == done.text.count("\n")
    assert done.redundant + done.lossy == done.lines_in - done.lines_out
    assert min(done.redundant, done.lossy) >= 0
    assert (done.text == text) is (done.lines_in == done.lines_out)
    assert [line for line in lines if line.startswith("ERROR") and line not in done.text] == []


@given(LINES, ENDS)
def test_the_important_spans_are_whole_lines_in_order(lines, end):
    done = collapse(text_of(lines, end))
    at = 0
    for span in done.important:
        assert at <= span.start < span.end <= len(done.text)
        assert span.rank in (0, 1)
        assert span.start == 0 or done.text[span.start - 1] == "\n"
        assert done.text[span.end - 1] == "\n"
        at = span.end


@given(st.text(st.sampled_from("ab 1\n\r\t\x1b[m:\0é"), max_size=200), st.booleans())
def test_any_text_collapses_without_an_error_and_the_same_way_again(text, normalise):
    done = collapse(text, normalise=normalise)
    assert done == collapse(text, normalise=normalise)
    assert len(done.text) <= len(text)


def test_a_ci_log_of_600_lines_shrinks_to_less_than_a_tenth():
    lines = []
    for n in range(600):
        kinds = (
            f"Downloading package {n}/600",
            f"compiled module_{n} in {n % 90}ms",
            f"cache key {n * 7919:032x} hit",
            "waiting for the runner",
        )
        lines.append(f"2026-12-01T04:{n // 60:02}:{n % 60:02}.000Z {kinds[n * 7 % 4]}")
    lines.insert(450, "2026-12-01T04:07:31.000Z ERROR test_checkout: expected 402, got 500")
    lines.insert(200, "2026-12-01T04:03:21.000Z using deploy key of the staging ring")
    done = collapse(text_of(lines))
    assert len(done.text) < len(text_of(lines)) / 10
    assert lines[450] in done.text.splitlines() or lines[451] in done.text.splitlines()
    assert "using deploy key of the staging ring" in done.text
