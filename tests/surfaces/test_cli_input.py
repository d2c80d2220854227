"""What people and programs hand in: standard input of every sort and size, odd characters, references, moments, settings."""

import os
import subprocess
import sys

import pytest

LIMIT = 1 << 20


def check_refused(run, code, *words):
    """One line on standard error that says these words, nothing on standard output, no traceback."""
    assert (run.code, run.out) == (code, ""), run.err
    assert run.err.startswith("clew: ")
    assert run.err.count("\n") == 1
    assert [word for word in words if word not in run.err] == []


def test_piped_text_is_split_into_a_summary_and_a_detail(clew):
    clew.ok("remember", stdin="Fix the race in the queue\n\nTwo workers took one job.\n")
    clew.ok("remember", "-", "-t", "piped", stdin="\ufeffWindows text\r\n\r\nwith its line ends\r\n".encode())
    first, second = (clew.ok("show", n, "--json").json["memory"] for n in (1, 2))
    assert first["summary"] == "Fix the race in the queue"
    assert "Two workers took one job." in first["detail"]
    assert (second["summary"], second["tags"]) == ("Windows text", ["piped"])


@pytest.mark.parametrize(("given", "code"), [(b"", 2), (b" \n\t\n", 2), (b"\xff\xfe\x00x", 2), (b"a\0b", 2), (b"\xed\xa0\x80", 2)])
def test_input_that_is_no_text_is_refused_with_the_way_out(clew, given, code):
    check_refused(clew("remember", stdin=given), code)
    assert not clew.clew_home.exists() or clew.ok("list", "--all").out == ""


def test_a_missing_text_says_how_to_give_it(clew):
    check_refused(clew("remember"), 2, "pipe it in")
    run = clew.on_a_terminal("remember")
    assert run.code == 2
    assert "pipe it in" in run.out


def test_advice_names_the_command_that_was_run(clew):
    check_refused(clew("recall"), 2, "question: ", "| clew recall")
    check_refused(clew("recall", stdin="x" * (LIMIT + 1)), 2, "question: ", "1,048,576", "cut it down")
    check_refused(clew("resume", "-"), 2, "| clew resume")
    check_refused(clew("resume", ""), 2, "summary: is empty")


def test_a_detail_that_does_not_come_is_no_empty_detail(clew):
    clew.ok("remember", "Kept", "-d", "the story")
    check_refused(clew("remember", "More", "-d", "-"), 2, "--detail: standard input is empty")
    check_refused(clew("edit", 1, "-d", "-"), 2, "--detail: standard input is empty")
    check_refused(clew("remember", "-", "-d", "-", stdin="both"), 2, "--detail", "together with the text")
    assert clew.ok("show", 1, "--json").json["memory"]["detail"] == "the story"


@pytest.mark.skipif(os.name == "nt", reason="a folder in use stays there")
@pytest.mark.parametrize("command", ["init", "backup copy.db", "export jsonl out.jsonl", "setup claude --project"])
def test_a_working_directory_that_is_gone_is_said(clew, tmp_path, command):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
    argv = ["sh", "-c", script, "sh", str(gone), *clew.argv, *command.split()]
    done = subprocess.run(argv, capture_output=True, env=clew.env, cwd=tmp_path, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode in (1, 2)
    assert b"gone; cd" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_a_text_at_the_limit_is_kept_and_one_byte_more_is_not(clew):
    line = "lorem ipsum dolor sit amet " * 40_000
    clew.ok("remember", stdin=line[: LIMIT - 600])
    check_refused(clew("remember", stdin=line + "x" * LIMIT), 2, "1,048,576", "--pointer")
    assert len(clew.ok("list", "--all").out.splitlines()) == 1


def test_a_hundred_megabytes_are_refused_without_being_read(clew):
    source = [sys.executable, "-c", "import sys\nfor _ in range(100): sys.stdout.buffer.write(b'a' * 1_000_000)"]
    with subprocess.Popen(source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as feeding:
        done = subprocess.run([*clew.argv, "remember"], stdin=feeding.stdout, capture_output=True, env=clew.env, cwd=clew.cwd, timeout=120)
        feeding.stdout.close()
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"1,048,576" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="arguments are text there")
@pytest.mark.parametrize("command", ["remember", "recall", "show", "edit", "backup", "list -p", "remember x -t", "project show"])
def test_arguments_that_are_no_text_are_refused(clew, command):
    argv = [*clew.argv, *command.split(), b"a\xffb/"]
    done = subprocess.run(argv, capture_output=True, env=clew.env, cwd=clew.cwd, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode in (1, 2, 3)
    assert done.stdout == b""
    assert done.stderr.startswith((b"clew: ", b"clew edit: "))
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("reference", ["0", "x", "#", "12.5", "12 13", "abcde", "#-1", ""])
def test_what_is_no_reference_is_said_to_be_none(clew, reference):
    check_refused(clew("show", "--", reference), 2, "id: ")


@pytest.mark.parametrize("reference", ["7", "#7", "abcdef", "9007199254740991"])
def test_a_reference_to_nothing_ends_with_code_three(clew, reference):
    for command in (["show"], ["done"], ["pin"], ["edit", "--summary", "x"], ["forget", "--yes"]):
        check_refused(clew(*command, reference), 3, "there is no memory")


@pytest.mark.parametrize("moment", ["yesterdayish", "2026-13-01", "3", "3 y ago", "", "99999-01-01", "now then"])
def test_what_is_no_moment_is_refused_with_the_forms_that_are(clew, moment):
    for option in (["recall", "x", "--since"], ["list", "--until"], ["recall", "x", "--as-of"], ["remember", "x", "--valid-from"]):
        check_refused(clew(*option, moment), 2, option[-1], "2026-11-30", "3d")


@pytest.mark.parametrize(
    ("written", "utc"),
    [
        ("2026-01-31", 1769814000.0),  # the first moment of the day, where it is an hour ahead of UTC
        ("2026-07-31T14:00", 1785499200.0),  # summer there
        ("2026-01-31T14:00Z", 1769868000.0),
        ("2026-01-31T14:00:30-05:00", 1769886030.0),
    ],
)
def test_a_moment_without_a_zone_is_local(clew, written, utc):
    zone = {"TZ": "CET-1CEST,M3.5.0,M10.5.0/3"}
    assert clew.ok("remember", "x", "--valid-from", written, "--json", env=zone).json["memory"]["valid_from"] == utc


@pytest.mark.parametrize(
    ("written", "seconds"), [("3d", -259_200), ("3d ago", -259_200), ("+2w", 1_209_600), ("90 s ago", -90), ("1.5h", -5_400)]
)
def test_a_relative_moment_counts_from_now(clew, written, seconds):
    memory = clew.ok("remember", "x", "--valid-from", written, "--json").json["memory"]
    assert memory["valid_from"] - memory["recorded_at"] == pytest.approx(seconds, abs=60)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--ttl", "5y"),
        ("--ttl", "0s"),
        ("--ttl", "-5d"),
        ("--meta", "novalue"),
        ("--meta", "=1"),
        ("--pointer", "#x"),
        ("--pointer", ":5"),
        ("--pointer", "a.py:0"),
        ("--pointer", "a.py:99999999999999999999"),
        ("--kind", "idea"),
    ],
)
def test_an_option_that_makes_no_sense_is_named(clew, option, value):
    run = clew("remember", "x", option, value)
    assert run.code == 2
    assert option.strip("-") in run.err
    assert run.err.count("\n") == 1


@pytest.mark.parametrize("limit", ["0", "-1", "1001", "many", "99999999999999999999"])
def test_a_limit_out_of_bounds_is_refused(clew, limit):
    assert clew("recall", "x", "-n", limit).code == 2
    assert clew("list", "-n", limit).code == (2 if limit in ("0", "-1", "many") else 0)


def test_settings_say_where_the_store_and_the_project_are(clew, tmp_path):
    named = {"CLEW_DB": str(tmp_path / "other" / "x.db"), "CLEW_PROJECT": "billing"}
    assert clew.ok("remember", "One", env=named).out == "remembered #1 in billing\n"
    assert (tmp_path / "other" / "x.db").is_file()
    assert not clew.clew_home.exists()
    assert clew.ok("remember", "Two", "-p", "crm", env=named).out == "remembered #2 in crm\n"
    assert clew.ok("list", "-p", "*", "--json", env=named).json["memories"][0]["project"] in ("billing", "crm")
    assert clew.ok("list", env={"CLEW_HOME": str(tmp_path / "empty")}).out == ""


def test_a_new_project_named_by_the_environment_is_no_trouble_for_status(clew):
    run = clew.ok("status", "--json", env={"CLEW_PROJECT": "brand-new"})
    assert (run.json["project"]["name"], run.json["project"]["id"]) == ("brand-new", 0)
