"""`clew why PATH:LINE` in a repository that was never taken in, and in one that was."""

import subprocess

import pytest


@pytest.fixture
def repository(clew):
    """The folder one stands in, as a repository with one commit."""
    (clew.cwd / "upload.py").write_text("import time\n\nCHUNK = 8 << 20\n")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "Send uploads in chunks of 8 MiB (#41)\n\nThe proxy refuses more.")):
        subprocess.run(["git", *words], cwd=clew.cwd, check=True)
    return clew


def test_the_commit_is_the_answer_where_nothing_is_known(repository):
    said = repository.ok("why", "upload.py:3").out
    assert said.startswith("commit ")
    assert "Send uploads in chunks of 8 MiB (#41) (A Tester, " in said
    assert repository.ok("list", "--all").out == ""


def test_what_is_known_stands_below_it(repository):
    repository.ok("remember", "The proxy in front of #41 refuses bodies over 10 MiB")
    lines = repository.ok("why", "upload.py:3").out.splitlines()
    assert lines[0].startswith("commit ")
    assert lines[1] == "  | The proxy refuses more."
    assert lines[2].startswith("  about → #1 The proxy")


def test_a_line_of_another_repository_is_asked_of_what_is_known_there(repository, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "src").mkdir(parents=True)
    subprocess.run(["git", "init", "-q"], cwd=elsewhere, check=True)
    repository.ok("remember", "The proxy in front of #41 refuses bodies over 10 MiB")
    repository.ok("remember", "Told in the other project: #41 is about readers", "-p", str(elsewhere))
    line = str(repository.cwd / "upload.py") + ":3"
    repository.cwd = elsewhere / "src"
    assert "The proxy" in (said := repository.ok("why", line).out) and "Told" not in said
    assert "Told" in (said := repository.ok("why", line, "-p", str(elsewhere)).out) and "The proxy in" not in said
    both = repository.ok("why", line, "-p", "*").out
    assert "The proxy in" in both and "Told" in both


def test_after_an_import_the_memory_of_the_commit_leads(repository):
    repository.ok("init")
    assert repository.ok("why", "upload.py:3").out.startswith("#1 Send uploads in chunks of 8 MiB (#41)")


def test_a_program_and_a_diagram_get_the_commit_as_node_zero(repository):
    node = repository.ok("why", "upload.py:3", "--json").json["trail"]["nodes"][0]
    assert (node["id"], node["memory"]["detail"], node["memory"]["metadata"]) == (0, "The proxy refuses more.", {"author": "A Tester"})
    assert '  m0["commit ' in repository.ok("why", "upload.py:3", "--mermaid").out


def test_several_lines_are_refused_with_the_question_to_ask(repository):
    run = repository("why", "upload.py:2-3")
    assert (run.code, run.out) == (2, "")
    assert "names several lines; ask about one of them: upload.py:2" in run.err


def test_what_cannot_be_answered_is_bad_input(repository):
    run = repository("why", "upload.py:99")
    assert (run.code, "has no line 99" in run.err) == (2, True)
    assert repository("why", "nowhere.py:1").code == 2
