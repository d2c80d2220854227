"""`clew compile` and what stands around it: what is read, what is printed where, what bad input is told, what comes back by handle."""

import json
import os
import re
import subprocess

import pytest

from clew.cli import pages
from clew.importers import kinds
from clew.limits import COUNTERS

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x03\x20\x00\x00\x02\x58"
FAILURE = "2026-11-30T10:09:20Z ERROR db: connection refused to 10.0.0.5:5432\n"


def log(lines=300):
    """A log that repeats, with one failure near its end."""
    told = [f"2026-11-30T10:{n // 60:02}:{n % 60:02}Z INFO worker-{n % 7} fetched batch {n} in {n % 90}ms\n" for n in range(lines)]
    return "".join([*told[:-20], FAILURE, *told[-20:]])


def column(run, number):
    """One column of a piped table."""
    return [line.split("\t")[number] for line in run.out.splitlines()]


def test_a_log_is_collapsed_to_the_budget_and_comes_back_byte_for_byte(clew):
    (clew.cwd / "ci.log").write_text(log())
    run = clew.ok("compile", "ci.log", "--budget", 600, "--query", "why does the database fail?")
    assert FAILURE in run.out
    tokens_in, tokens_out = (int(n.replace(",", "")) for n in re.match(r"([\d,]+) → ([\d,]+) tokens", run.err).groups())
    assert tokens_out <= 600 < tokens_in
    row = clew.ok("compile", "ci.log", "--budget", 600, "--explain").out.rstrip("\n").split("\t")
    assert row[0] == "ci.log"
    assert clew.ok("sources", "show", row[7]).out == log()


def test_the_content_alone_goes_to_standard_output(clew):
    run = clew.ok("compile", "-", stdin="Use cents, not floats.\n")
    assert run.out == "Use cents, not floats.\n"
    assert "risk low" in run.err


def test_what_is_piped_needs_no_dash(clew):
    assert clew.ok("compile", stdin="one\ntwo\n").out == clew.ok("compile", "-", stdin="one\ntwo\n").out == "one\ntwo\n"


def test_kinds_follow_from_names_shapes_and_first_bytes(clew):
    files = {
        "a.py": b"def f():\n    return 1\n",
        "notes.md": b"# Notes\n\nText.\n",
        "data.json": b'{"a": 1}',
        "change": b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        "run": b"#!/bin/sh\necho\n",
        "shot.bin": PNG,
        "plain": b"Just a line.\n",
    }
    for name, content in files.items():
        (clew.cwd / name).write_bytes(content)
    run = clew.ok("compile", *files, "--json").json
    assert [decision["name"] for decision in run["decisions"]] == list(files)
    found = dict(zip(files, run["decisions"], strict=True))
    assert found["a.py"]["classified"] == found["run"]["classified"] == "preserve.code_fence"
    assert found["shot.bin"]["classified"] == "media.atomic"
    assert [(m["fragment"], m["mime"]) for m in run["media"]] == [(5, "image/png")]
    guessed = {name: kinds.kind_of(name, content.decode()) for name, content in files.items() if name != "shot.bin"}
    assert list(guessed.values()) == ["code", "markdown", "json", "diff", "code", "text"]
    assert kinds.kind_of("", log(10)) == "log"
    assert kinds.kind_of("Dockerfile", "FROM scratch") == "code"


def test_a_kind_that_is_named_wins(clew):
    (clew.cwd / "a.txt").write_text("x = 1\n")
    assert clew.ok("compile", "a.txt", "--kind", "code", "--json").json["decisions"][0]["classified"] == "preserve.code_fence"


def test_a_folder_is_read_without_what_git_and_clewignore_leave_out(clew):
    for name in ("kept.md", "sub/kept.txt", "made.log", "sub/secret.txt"):
        (clew.cwd / name).parent.mkdir(exist_ok=True)
        (clew.cwd / name).write_text(f"This is {name}.\n")
    (clew.cwd / "tool").write_bytes(bytes(range(256)) * 9)
    (clew.cwd / "nothing.txt").write_bytes(b"")
    (clew.cwd / ".gitignore").write_text("*.log\n")
    (clew.cwd / ".clewignore").write_text("secret*\n")
    subprocess.run(["git", "init", "-q", "."], cwd=clew.cwd, check=True, env=clew.env)
    run = clew.ok("compile", ".", "--explain")
    assert column(run, 0) == [".clewignore", ".gitignore", "kept.md", "sub/kept.txt"]
    assert "note: left out, empty: 'nothing.txt'" in run.err
    assert "note: left out, binary, or not UTF-8: 'tool'" in run.err
    assert column(clew.ok("compile", "sub", "--explain"), 0) == ["sub/kept.txt", "sub/secret.txt"], "the folder that is named is the top"


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (("nope.txt",), b"", "FILE: 'nope.txt' cannot be read: No such file or directory"),
        (("bare",), b"", "FILE: the folder 'bare' holds no file that is not ignored"),
        (("-",), b"", "FILE: there is nothing to compile in '-'; left out, empty: 'stdin'"),
        (("-",), bytes(range(256)) * 9, "FILE: there is nothing to compile in '-'; left out, binary, or not UTF-8: 'stdin'"),
        (("-", "-"), b"x", "FILE: standard input can be read once; give a single -"),
        (("-", "-b", "0"), b"x", "--budget: must be a whole number from 1 to 10,000,000, not '0'"),
        (("-", "-b", "many"), b"x", "--budget: must be a whole number from 1 to 10,000,000, not 'many'"),
        (("-", "-k", "novel"), b"x", "--kind: 'novel' is not one of 'text', 'code'"),
        (("-", "--memories", "3"), b"x", "--memories: needs --query: memories are those that answer it"),
        (("-", "--memories", "3", "--transcript"), b"x", "--memories: cannot be added to a transcript; leave out one of the two"),
        (("-", "--names", "--transcript"), b"x", "--names: are of files; the turns of a transcript have none"),
        (("bare", "-", "--transcript"), b"x", "FILE: 2 files; a transcript is one"),
        (("-", "--html", "bare"), b"x", "FILE: '{cwd}/bare' is a folder; name a file in it"),
        (("-", "--html", "no/page.html"), b"x", "--html: there is no folder {cwd}/no"),
        (("-", "--html", "there.html"), b"x", "FILE: '{cwd}/there.html' is there already; --force replaces it"),
    ],
)
def test_bad_input_is_named_with_the_way_out_and_leaves_nothing(clew, arguments, stdin, said):
    (clew.cwd / "bare").mkdir()
    (clew.cwd / "there.html").write_text("mine")
    run = clew("compile", *arguments, stdin=stdin)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("clew: " + said.format(cwd=clew.cwd))
    assert (clew.cwd / "there.html").read_text() == "mine"
    assert clew.ok("sources", "--json").json["sources"] == 0


def test_a_budget_of_one_puts_everything_aside_and_says_so(clew):
    run = clew.ok("compile", "--budget", 1, stdin=log())
    assert run.out == ""
    assert "risk high" in run.err
    assert "warning: " in run.err


def test_a_line_of_five_megabytes_comes_in_parts_that_join_to_it(clew):
    line = "é1" * (5 << 19) + "\n"
    (clew.cwd / "long.txt").write_text(line, "utf-8")
    rows = [row.split("\t") for row in clew.ok("compile", "long.txt", "-b", 100, "--explain").out.splitlines()]
    assert [row[0] for row in rows] == [f"long.txt, part {n} of {len(rows)}" for n in range(1, len(rows) + 1)]
    assert "".join(clew.ok("sources", "show", row[7]).out for row in rows) == line


def test_nul_bytes_and_older_encodings_in_a_log_are_no_trouble(clew):
    (clew.cwd / "a.log").write_bytes(b"a first line\0\nthe second line \xe9\n" * 3)
    run = clew.ok("compile", "a.log", "--json").json
    assert run["account"]["tokens_in"] > 0
    assert clew.ok("sources", "show", run["handles"][0]["handle"]).out == "a first line\0\nthe second line \ufffd\n" * 3


def test_a_reader_that_closes_the_pipe_is_no_trouble(clew):
    (clew.cwd / "many.md").write_text("".join(f"Line {n} says something of its own.\n" for n in range(20_000)))
    ours, theirs = os.pipe()
    os.close(ours)
    process = subprocess.run([*clew.argv, "compile", "many.md"], stdout=theirs, stderr=subprocess.PIPE, env=clew.env, cwd=clew.cwd)
    os.close(theirs)
    assert process.returncode == 0
    assert b"Traceback" not in process.stderr


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_end_without_a_traceback(clew, closed):
    (clew.cwd / "a.txt").write_text("x\n")
    line = " ".join([*clew.argv, "compile", "a.txt", closed])
    done = subprocess.run(["sh", "-c", line], capture_output=True, env=clew.env, cwd=clew.cwd)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)


def test_a_terminal_gets_no_escape_of_a_file_and_a_table_that_fits(clew):
    (clew.cwd / "a.txt").write_text("red \x1b[31malert\x1b[2J\n")
    assert "\x1b[2J" not in clew.on_a_terminal("compile", "a.txt").out
    screen = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", clew.on_a_terminal("compile", "a.txt", "--explain").out)
    assert "rule and reason" in screen
    assert "preserve.default" in screen
    assert clew.ok("compile", "a.txt").out == "red \x1b[31malert\x1b[2J\n", "a program gets the bytes as they are"


def test_the_page_shows_every_fate_and_holds_no_tag_of_a_file(clew):
    (clew.cwd / "ci.log").write_text(log() + "<script>alert('1')</script>\n")
    (clew.cwd / "<b>.md").write_text("A word.\n")
    (clew.cwd / "twice.md").write_text("A word.\n")
    (clew.cwd / "long.md").write_text("\n\n".join(f"Paragraph {n} of words that say nothing new about the weather." for n in range(90)))
    clew.ok("compile", "ci.log", "<b>.md", "twice.md", "-q", "<i>database</i>", "--html", "page.html")
    page = (clew.cwd / "page.html").read_text("utf-8")
    assert "&lt;script&gt;alert(" in page
    for tag in ("<script", "<b>.md", "<i>", "http:", "https:", "src=", "@import", "url("):
        assert tag not in page
    assert page.count("<section id=") == 3
    for fate in ("kept", "collapsed", "duplicate"):
        assert re.search(rf'<(?:pre|details) class="{fate}"', page), fate
    assert "prefers-color-scheme: dark" in page
    assert os.stat(clew.cwd / "page.html").st_mode & 0o777 == 0o600
    clew.ok("compile", "long.md", "twice.md", "-b", 300, "-q", "weather", "--html", "page.html", "--force")
    page = (clew.cwd / "page.html").read_text("utf-8")
    assert page.count("<section id=") == 2
    assert re.search(r'<(?:pre|details) class="cut"', page)
    told = re.sub(r"<summary>.*?</summary>|<[^>]+>", "", page[page.index('<section id="f0"') : page.index('<section id="f1"')])
    assert all(f"Paragraph {n} of words" in told for n in range(90)), "what was cut is on the page too"


@pytest.mark.parametrize(
    ("original", "emitted", "told"),
    [
        ("a\nb\nc\n", "a\n[… 2 of 3 parts left out, whole: src:0123456789ab]\n", [("kept", "a\n"), ("gone", "b\nc\n")]),
        ("a 1\nb\na 2\nc\n", "a 1 (×2) [1–2]\nb\nc\n", [("said", "a 1 (×2) [1–2]\n"), ("kept", "b\n"), ("gone", "a 2\n"), ("kept", "c\n")]),
        ("xa\na\n", "a (×1)\n", [("gone", "xa\n"), ("said", "a (×1)\n")]),
        ("a\n", "b\n", [("said", "b\n"), ("gone", "a\n")]),
        ("", "", []),
    ],
)
def test_a_text_falls_into_what_is_kept_and_what_is_not(original, emitted, told):
    assert [part for part in pages.stretches(original, emitted) if part[1]] == told


@pytest.mark.parametrize("budget", [60, 200, None])
def test_names_stand_before_the_files_and_the_budget_holds_with_them(clew, budget):
    texts = {f"notes/file{n}.md": "\n\n".join(f"Paragraph {n} {m} of some length." for m in range(20)) for n in range(3)}
    (clew.cwd / "notes").mkdir()
    for name, text in texts.items():
        (clew.cwd / name).write_text(text)
    run = clew.ok("compile", "notes", "--names", "--json", *(["-b", budget] if budget else [])).json
    assert run["tokens"] <= (budget or 10**9)
    assert clew.ok("compile", "-", "--json", stdin=run["content"]).json["account"]["tokens_in"] <= run["tokens"]
    shown = [section for section in run["sections"] if section["end"] > section["start"]]
    assert run["content"].count("==> notes/file") == len(shown) > 0
    for section in shown:
        name = run["decisions"][section["fragment"]]["name"]
        assert run["content"][: section["start"]].endswith(f"==> {name} <==\n")
        kept = re.sub(r"\[…[^\]]*\]\n", "", run["content"][section["start"] : section["end"]])
        assert all(part in texts[name] for part in kept.split("\n\n"))
    assert clew.ok("savings", "--json").json["savings"]["compilations"] == 2, "trials do not count"


def test_names_that_leave_no_room_are_bad_input(clew):
    (clew.cwd / ("long" * 30)).write_text("x")
    run = clew("compile", "long" * 30, "--names", "-b", 5)
    assert (run.code, run.err.partition(" need ")[0]) == (2, "clew: --names: the names")


def test_a_transcript_is_read_by_its_turns(clew):
    (clew.cwd / "talk.txt").write_text("User: fix the cart\nAssistant: done, in cents\nUser: thanks\n")
    run = clew.ok("compile", "talk.txt", "--transcript", "--explain")
    assert column(run, 0) == ["#0", "#1", "#2"]
    assert clew("compile", "talk.txt", "--transcript", "-k", "log").code == 2


def test_memories_that_answer_the_query_are_fragments_too(clew):
    clew.ok("remember", "The cart keeps prices in cents", "-k", "decision")
    run = clew.ok("compile", "-", "-q", "how does the cart keep prices?", "--memories", 2, stdin="Some text.\n")
    assert "The cart keeps prices in cents" in run.out
    assert "memory 1" in clew.ok("compile", "-q", "cart prices", "--memories", 2, "--explain", stdin="Some text.\n").out


@pytest.mark.parametrize("counter", COUNTERS)
def test_every_counter_counts(clew, counter):
    run = clew("compile", "--counter", counter, "--json", stdin="Hello world.\n")
    if run.code == 4:
        assert "clew[tokens]" in json.loads(run.err)["error"]["message"]
    else:
        assert 0 < run.json["tokens"] < 20


def test_sources_are_counted_shown_and_pruned(clew):
    (clew.cwd / "shot.png").write_bytes(PNG)
    handles = [h["handle"] for h in clew.ok("compile", "shot.png", "-b", 1, "--json").json["handles"]]
    assert clew.ok("sources", "--json").json["bytes"] >= len(PNG)
    assert dict(line.split("\t") for line in clew.ok("status").out.splitlines())["sources"].startswith(f"{len(handles)} (")
    assert clew("sources", "show", handles[0], "--out", "again.png").code == 0
    assert (clew.cwd / "again.png").read_bytes() == PNG
    assert clew("sources", "show", handles[0], "--out", "again.png").code == 2
    assert "which no terminal shows" in clew.on_a_terminal("sources", "show", handles[0]).out
    assert (clew("sources", "show", "src:0123456789").code, clew("sources", "show", "zz").code) == (3, 2)
    assert clew.ok("sources", "prune").out.startswith("dropped 0 sources")
    assert clew.ok("sources", "prune", "--older-than", "0s").out.startswith(f"dropped {len(handles)} source")
    assert clew("sources", "show", handles[0]).code == 3


def test_savings_are_the_sums_of_what_was_told(clew):
    told = [clew.ok("compile", "--json", "-b", budget, stdin=log()).json["account"] for budget in (400, 5_000)]
    found = clew.ok("savings", "--json").json["savings"]
    assert found["compilations"] == 2
    for name in ("tokens_in", "tokens_out", "saved", "externalised", "lost"):
        assert found[name] == sum(account[name] for account in told)


def test_a_budget_is_a_number_that_compile_takes(clew):
    run = clew.ok("suggest-budget", "claude-opus-5", "--used", 40_000)
    assert clew.ok("compile", "-b", int(run.out), stdin="x\n").out == "x\n"
    unknown = clew.ok("suggest-budget", "some-model")
    assert (unknown.out, "not in the table" in unknown.err) == ("", True)


def test_a_working_context_is_saved_loaded_and_listed(clew):
    clew.ok("working-context", "save", "--goal", "green build", "--fact", "red since #41", "--fact", "only on CI", "--session", "s1")
    clew.ok("working-context", "save", stdin=json.dumps({"goal": "a release", "pending_actions": ["tag it"]}))
    assert clew.ok("working-context", "load").out.splitlines() == ["goal\ta release", "pending actions\ttag it"]
    assert clew.ok("working-context", "load", "--session", "s1").out.splitlines()[1:] == [
        "verified facts\tred since #41",
        "verified facts\tonly on CI",
    ]
    assert column(clew.ok("working-context", "list"), 3) == ["a release", "green build"]
    assert clew("working-context", "load", "--session", "s9").code == 3


@pytest.mark.parametrize("given", ["", "no json", "[1]", '{"gaol": "x"}', "{}"])
def test_a_working_context_that_is_none_is_refused(clew, given):
    run = clew("working-context", "save", stdin=given)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("clew: context")
