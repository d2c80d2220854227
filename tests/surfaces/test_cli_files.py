"""Projects on the command line, and files in and out: project, import, export, init, backup, reindex, status, doctor, completion."""

import json
import os
import subprocess

import pytest


def git(folder, *arguments):
    """One git command in `folder`."""
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def test_projects_are_listed_shown_renamed_and_merged(clew):
    clew.ok("remember", "One", "-p", "billing")
    clew.ok("remember", "Two", "-p", "crm")
    clew.ok("remember", "Three", "-p", "billing-old")
    assert clew.ok("project", "move", "#2", "--into", "billing").out == "moved 1 memory into billing\n"
    assert clew.ok("project", "merge", "billing-old", "--into", "billing").out == "moved 1 memory into billing\n"
    assert clew.ok("project", "rename", "crm", "customers").out == "renamed to customers\n"
    rows = [line.split("\t") for line in clew.ok("project", "list").out.splitlines()]
    assert sorted(row[1:3] for row in rows) == [["billing", "3"], ["customers", "0"]]
    assert "3 memories" in clew.ok("project", "show", "billing").out
    assert "nothing remembered yet" in clew.ok("project", "show").out
    assert clew("project", "show", "nowhere").code == 3
    assert clew("project", "merge", "nowhere", "--into", "billing").code == 3
    assert clew("project", "rename", "billing", "customers").code == 2


def test_the_project_one_stands_in_is_marked(clew):
    clew.ok("remember", "Here")
    clew.ok("remember", "There", "-p", "there")
    rows = {line.split("\t")[1]: line.split("\t")[0] for line in clew.ok("project", "list").out.splitlines()}
    assert rows == {"somewhere": "*", "there": ""}


def test_an_export_comes_back_whole_in_another_store(clew, tmp_path):
    for text in ("Use MySQL", "Use PostgreSQL", "Ship it"):
        clew.ok("remember", text)
    clew.ok("supersede", 1, 2, "--reason", "licence")
    target = tmp_path / "out.jsonl"
    assert clew.ok("export", "jsonl", target).out == f"wrote 4 lines to {target}\n"
    assert target.read_text("utf-8") == clew.ok("export", "jsonl").out
    assert os.name == "nt" or target.stat().st_mode & 0o777 == 0o600
    other = {"CLEW_HOME": str(tmp_path / "other")}
    assert clew.ok("import", "jsonl", target, env=other).out == "3 new, 0 known already, 1 link\n"
    assert clew.ok("import", "jsonl", stdin=target.read_bytes(), env=other).out == "0 new, 3 known already, 0 links\n"
    assert "superseded by #2" in clew.ok("list", "--all", env=other).out


def test_neither_export_nor_backup_replaces_a_file_unasked(clew, tmp_path):
    clew.ok("remember", "One")
    target = tmp_path / "there"
    for command in (("export", "jsonl"), ("backup",)):
        target.write_text("precious")
        run = clew(*command, target)
        assert (run.code, target.read_text()) == (2, "precious")
        assert "--force" in run.err
        clew.ok(*command, target, "--force")
        assert target.read_bytes() != b"precious"
    assert clew("backup", tmp_path).code == 2
    assert sorted(p.name for p in tmp_path.iterdir() if p.suffix == ".part") == []


@pytest.mark.parametrize("command", [("export", "jsonl"), ("backup",)])
def test_a_file_that_cannot_be_written_is_named(clew, command):
    clew.ok("remember", "One")
    run = clew(*command, "no/such/folder/x")
    assert (run.code, run.out) == (2, "")
    assert "no/such/folder/x" in run.err
    assert "cannot be written" in run.err


def test_the_store_itself_is_no_place_for_its_backup(clew):
    clew.ok("remember", "One")
    run = clew("backup", clew.clew_home / "memory.db", "--force")
    assert run.code == 2
    assert clew.ok("doctor").out.endswith("all is sound\n")


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ('{"summary": "a"}\nnonsense\n', "line 2"),
        ('{"summary": "a"}\n\n{"summary": "b"}\n', "line 2"),
        ('{"summary": "a"}\n{"kind": "fact"}\n', "line 2, summary"),
        ('{"summary": "a", "kind": "idea"}\n', "kind"),
        ('{"summary": "a", "colour": "red"}\n', "line 1, colour"),
        ('{"summary": "a", "metadata": {"x": NaN}}\n', "line 1"),
        ("[" * 100_000 + "\n", "line 1"),
        (b'{"summary": "\xff"}\n', "line 1"),
        ("3\n", "line 1"),
        ('"text"\n', "line 1"),
    ],
)
def test_an_import_with_a_bad_line_names_it_and_takes_nothing(clew, lines, where):
    run = clew("import", "jsonl", stdin=lines)
    assert (run.code, run.out) == (2, "")
    assert where in run.err
    assert run.err.count("\n") == 1
    assert clew.ok("list", "--all").out == ""


def test_an_import_of_no_file_says_so(clew):
    run = clew("import", "jsonl", "nowhere.jsonl")
    assert (run.code, "nowhere.jsonl" in run.err) == (2, True)
    assert clew.ok("import", "jsonl", stdin="").out == "0 new, 0 known already, 0 links\n"
    assert clew.ok("import", "jsonl", stdin='{"summary": "a"}\n\n\n').out.startswith("1 new")


def test_init_takes_in_history_and_documents_and_the_second_time_only_what_is_new(clew):
    git(clew.cwd, "init", "-q")
    (clew.cwd / "README.md").write_text("# Ledger\n\nThe ledger keeps every booking twice.\n")
    git(clew.cwd, "add", ".")
    git(clew.cwd, "commit", "-qm", "Keep every booking twice\n\nAuditors asked for it.")
    first = clew.ok("init", "--json").json
    assert (first["commits"], first["documents"] > 0) == (1, True)
    assert "twice" in clew.ok("recall", "why is every booking kept twice").out
    again = clew.ok("init").out
    assert again.startswith("took in 0 commits, 0 sections of documents")
    assert clew("init", "nowhere").code == 2
    assert clew("init", "-n", "-1").code == 2


def test_init_fills_a_project_that_is_new(clew):
    (clew.cwd / "README.md").write_text("# Ledger\n\nThe ledger keeps every booking twice.\n")
    assert clew.ok("init", "-p", "books").out.startswith("took in 0 commits, 1 sections")
    assert clew.ok("project", "show", "books").out.startswith("books\n")


def test_a_backup_opens_as_a_store_of_its_own(clew, tmp_path):
    clew.ok("remember", "Use PostgreSQL")
    clew.ok("backup", tmp_path / "copy.db")
    assert "Use PostgreSQL" in clew.ok("list", env={"CLEW_DB": str(tmp_path / "copy.db")}).out


def test_a_store_of_another_embedder_is_refused_until_it_is_rebuilt(clew):
    clew.ok("remember", "Use PostgreSQL for the ledger", env={"CLEW_EMBED": "hashing"})
    run = clew("recall", "ledger")
    assert run.code == 5
    assert "clew reindex" in run.err
    assert clew.ok("reindex").out == "indexed 1 memory\n"
    assert "PostgreSQL" in clew.ok("recall", "ledger").out


def test_status_tells_where_the_store_is_and_doctor_that_it_is_sound(clew):
    clew.ok("remember", "One")
    rows = dict(line.split("\t") for line in clew.ok("status").out.splitlines())
    assert rows["store"] == str(clew.clew_home / "memory.db")
    assert rows["memories"] == "1"
    assert rows["project"].startswith("somewhere")
    assert clew.ok("doctor").out == "✓ all is sound\n"


def test_doctor_ends_with_one_when_something_is_wrong(clew):
    clew.ok("remember", "One")
    with (clew.clew_home / "memory.db").open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 40_000)
    run = clew("doctor", "--json")
    assert run.code in (1, 6)
    said = run.json["problems"] if run.code == 1 else [json.loads(run.err)["error"]["message"]]
    assert said
    assert "Traceback" not in run.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_asks_clew_itself(clew, shell):
    script = clew.ok("completion", shell).out
    assert "_CLEW_COMPLETE" in script
    ask = {"_CLEW_COMPLETE": f"{shell}_complete", "COMP_WORDS": "clew rec", "COMP_CWORD": "1" if shell != "fish" else "rec"}
    assert "recall" in clew.ok(env=ask).out


def test_completion_knows_three_shells(clew):
    run = clew("completion", "csh")
    assert run.code == 2
    assert "'bash', 'zsh', 'fish'" in run.err
