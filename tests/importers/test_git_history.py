"""Commits become drafts: what is kept of each, what is left out, and every odd repository there is."""

import os
import subprocess

import pytest

from clew.errors import ClewError, InvalidInput
from clew.importers import git
from clew.importers.git import Commit, commits, count, draft, noise


def taken(repo, limit=100):
    return list(commits(str(repo.folder), limit=limit))


def made(subject, body="", author="Ada"):
    return Commit("a" * 40, author, 1.0, subject, body, ())


def test_a_commit_becomes_a_draft_with_its_message_time_author_and_files(repo):
    repo.commit("Lay the ground")
    sha = repo.commit("Use PostgreSQL for the ledger\n\nMongoDB lost writes under load.\n", {"src/ledger.py": "a\nb\n", "README.md": "x\n"})
    (newest, _) = taken(repo)
    assert (newest.summary, newest.detail, newest.kind) == (
        "Use PostgreSQL for the ledger",
        "MongoDB lost writes under load.",
        "decision",
    )
    assert newest.source.commit == sha
    assert newest.source.file is None
    assert [p.path for p in newest.pointers] == ["src/ledger.py", "README.md"]
    assert newest.valid_from == repo.clock
    assert newest.metadata == {"author": "Ada"}
    assert newest.tags == ("commit",)


def test_the_newest_come_first_and_the_limit_counts_what_is_kept(repo):
    for n in range(4):
        repo.commit(f"Teach step {n} to the parser")
        repo.commit("wip")
    assert [d.summary for d in taken(repo, 3)] == [f"Teach step {n} to the parser" for n in (3, 2, 1)]
    assert taken(repo, 0) == []
    assert count(str(repo.folder)) == 8


@pytest.mark.parametrize(
    ("subject", "body", "kind"),
    [
        ("Use apsw for the store", "", "decision"),
        ("feat(db): switch to PostgreSQL", "", "decision"),
        ('Revert "Cache every page"', "This reverts commit 1234567.", "decision"),
        ("Drop Python 3.9", "", "decision"),
        ("Open the file once", "Because opening costs more than reading.", "decision"),
        ("Sort by id", "Ties were broken by chance; this is steady instead of lucky, rather than fast.", "decision"),
        ("Add a page about hooks", "It has three parts.", "fact"),
        ("Useful messages for bad input", "", "fact"),
        ("Fix the dropped last line", "", "fact"),
    ],
)
def test_a_reason_or_a_choice_makes_a_decision(subject, body, kind):
    assert draft(made(subject, body)).kind == kind


@pytest.mark.parametrize(
    ("subject", "tags"),
    [
        ("feat: pages", ("commit", "feat")),
        ("fix(Parser)!: read tabs", ("commit", "fix", "parser")),
        ("words: split identifiers", ("commit",)),
        ("feature: pages", ("commit",)),
        ("fix:no space", ("commit",)),
    ],
)
def test_type_and_scope_of_a_conventional_commit_become_tags(subject, tags):
    assert draft(made(subject)).tags == tags


@pytest.mark.parametrize(
    "subject",
    [
        "Merge branch 'main' into topic",
        "Merge pull request #12 from ada/topic",
        "fixup! Open the file once",
        "squash! Open the file once",
        "WIP",
        "wip: half of it",
        "[wip] half of it",
        "Bump version to 1.2.3",
        "chore: bump the version",
        "1.2.3",
        "v2.0.0-rc.1",
        "chore(release): 1.4.0",
        "Release v1.2",
        "Bump lodash from 4.17.20 to 4.17.21",
        "build(deps): bump actions/checkout from 3 to 4",
        "chore(deps): update dependency eslint to v9",
        "Update dependency eslint to v9",
        "[pre-commit.ci] pre-commit autoupdate",
    ],
)
def test_noise_is_left_out_whatever_its_body_says(subject):
    assert noise(made(subject, "With a body."))


@pytest.mark.parametrize("subject", ["fix", "Fix typo", "update", "...", "x", "Update README.md", "lint", "initial commit", "Formatting."])
def test_a_subject_that_says_nothing_needs_a_body(subject):
    assert noise(made(subject))
    assert not noise(made(subject, "Reading the file twice doubled every row."))


@pytest.mark.parametrize("author", ["dependabot[bot]", "renovate", "github-actions[bot]", "pre-commit-ci"])
def test_what_a_bot_did_is_left_out(author):
    assert noise(made("Tidy the lock file of the shop", author=author))


@pytest.mark.parametrize(
    "subject",
    [
        "Merge overlapping spans before scoring",
        "Bump the retry limit because the broker is slow",
        "Release the lock when the writer dies",
        "Update the schema in one transaction",
        "Update dependents first",
        "Wiping a store takes its log too",
        "Version the fingerprint",
        "2 processes may write at once",
        "修复登录",
    ],
)
def test_what_only_looks_like_noise_is_kept(subject):
    assert not noise(made(subject))


def test_trailers_and_their_addresses_are_dropped_and_the_rest_of_the_body_stays():
    body = (
        "Reading it twice cost 3 s.\n\nFixes: #12\nSigned-off-by: Ada <ada@example.invalid>\nCo-authored-by: Bo <bo@example.invalid>\n"
        "Change-Id: I123\n(cherry picked from commit abcdef1)\n"
    )
    assert draft(made("Read once", body)).detail == "Reading it twice cost 3 s.\n\nFixes: #12"


def test_a_long_message_is_cut_and_says_where_the_rest_is():
    kept = draft(made("Keep the log", "line\n" * 5_000))
    assert len(kept.detail) < git.DETAIL_CHARS + 100
    assert kept.detail.endswith("… (cut here; `git show aaaaaaaaaaaa` has the whole message)")
    wordy = draft(made("word " * 300, "A body."))
    assert len(wordy.summary) <= 500
    assert wordy.detail.startswith("word word")
    assert wordy.detail.endswith("A body.")


def test_only_the_files_changed_most_are_pointed_at(repo):
    repo.commit("Lay the ground")
    repo.commit("Spread the parser over many files", {f"src/f{n:02}.py": "x\n" * (n + 1) for n in range(20)})
    assert [p.path for p in taken(repo)[0].pointers] == [f"src/f{n:02}.py" for n in range(19, 11, -1)]


def test_paths_with_tabs_quotes_and_other_letters_come_whole(repo):
    repo.commit("Lay the ground")
    repo.commit("Name things oddly", {"a\tb.txt": "1\n2\n3\n", 'q"q.txt': "1\n2\n", "größe/日本.txt": "1\n"})
    assert [p.path for p in taken(repo)[0].pointers] == ["a\tb.txt", 'q"q.txt', "größe/日本.txt"]


def merged(repo, message):
    """A repository where a branch of one commit was merged under this message; the branch's commit."""
    repo.commit("Lay the ground")
    repo.git("checkout", "-q", "-b", "topic")
    sha = repo.commit("Teach the parser tabs", {"a": "1\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("Teach the parser quotes", {"b": "1\n"})
    repo.git("merge", "-q", "--no-ff", "-m", message, "topic")
    return sha


BRANCHES = {"Lay the ground", "Teach the parser tabs", "Teach the parser quotes"}


@pytest.mark.parametrize(
    "message",
    [
        "Merge branch 'topic'",
        "Merge branch 'topic' into 'main'\n\nSee merge request shop/till!34\n",
        "Merge pull request #12 from ada/topic",
        "Merge remote-tracking branch 'origin/topic'\n\n# Conflicts:\n#\tsrc/a.py\n#\tsrc/b.py\n",
        "Merge branch 'topic'\n\nConflicts:\n\tsrc/a.py\n\nSigned-off-by: Ada <ada@example.invalid>",
        "Merge branch 'topic'\n\n* topic:\n  Teach the parser tabs\n",
        "Merge topic into main",
        "Merge topic",
        "Merge pull request #12 from ada/topic\n\nwip",
        "Merge pull request #12 from ada/topic\n\nBump lodash from 4.17.20 to 4.17.21",
    ],
)
def test_merges_that_only_say_so_are_left_out_and_the_branches_they_brought_are_followed(repo, message):
    merged(repo, message)
    assert {d.summary for d in taken(repo)} == BRANCHES
    assert count(str(repo.folder)) == 4


@pytest.mark.parametrize(
    ("message", "summary", "detail"),
    [
        ("Merge pull request #12 from ada/topic\n\nRead tabs", "Read tabs (#12)", ""),
        (
            "Merge pull request #12 from ada/topic\n\nRead tabs\n\n## Why\n\n* they are:\n  common\n",
            "Read tabs (#12)",
            "## Why\n\n* they are:\n  common",
        ),
        ("Merge branch 'topic' into 'main'\n\nRead tabs\n\nCloses #7\n\nSee merge request shop/till!34", "Read tabs (!34)", "Closes #7"),
        ("Merged in topic (pull request #12)\n\nRead tabs\n\nApproved-by: Bo", "Read tabs (#12)", ""),
        ("Merge pull request 'Read tabs' (#12) from topic into main\n\nThey are common.", "Read tabs (#12)", "They are common."),
        ("Auto merge of #12 - ada:topic, r=bo\n\nRead tabs\n\nThey are common.", "Read tabs (#12)", "They are common."),
        ("Merge pull request #12 from ada/topic\n\nRead tabs (#12)", "Read tabs (#12)", ""),
        ("Merge tag 'tabs' of https://example.invalid/tabs\n\nRead tabs\n\nThey are common.", "Read tabs", "They are common."),
    ],
)
def test_a_merge_that_says_what_it_brought_in_is_remembered_as_that(repo, message, summary, detail):
    tip = merged(repo, message)
    (told,) = [d for d in taken(repo) if d.summary not in BRANCHES]
    where = f"{message.splitlines()[0]} (commit {tip[:12]})"
    assert (told.summary, told.detail) == (summary, "\n\n".join(filter(None, (detail, where))))
    assert told.source.commit == repo.git("rev-parse", "HEAD")


@pytest.mark.parametrize("message", ["Bring the topic in", "Merge the tabs of the parser before its quotes, because they are read first"])
def test_a_merge_under_words_of_somebodys_own_is_a_commit_like_another(repo, message):
    merged(repo, message)
    assert {d.summary for d in taken(repo)} == {*BRANCHES, message}


def test_a_title_that_says_nothing_needs_a_description_in_a_merge_too(repo):
    merged(repo, "Merge pull request #12 from ada/topic\n\nfix\n\nTabs were read as one space.")
    assert "fix (#12)" in {d.summary for d in taken(repo)}
    repo.git("commit", "-q", "--amend", "-m", "Merge pull request #12 from ada/topic\n\nfix")
    assert {d.summary for d in taken(repo)} == BRANCHES


def test_bytes_that_are_no_text_are_replaced(repo):
    repo.commit("Lay the ground")
    whole = repo.git("cat-file", "commit", "HEAD").encode() + b"\n\nbroken \xff byte\n"
    repo.git("reset", "-q", repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=whole))
    assert [d.detail for d in taken(repo)] == ["broken \ufffd byte"]


def test_a_message_in_an_older_encoding_is_read_as_such(repo):
    repo.commit("Größe zählt".encode("latin-1"), config=("-c", "i18n.commitEncoding=ISO-8859-1"))
    assert [d.summary for d in taken(repo)] == ["Größe zählt"]


def test_a_message_that_looks_like_gits_own_answer_is_still_one_message(repo):
    repo.commit("Lay the ground")
    repo.commit("Count lines\n\n3\t4\tsrc/a.py\n" + "b" * 40 + "\n\x01\x02", {"x": "1\n"})
    newest, _ = taken(repo)
    assert newest.detail.startswith("3\t4\tsrc/a.py\n" + "b" * 40)
    assert [p.path for p in newest.pointers] == ["x"]


def test_an_empty_message_is_left_out(repo):
    repo.commit("")
    repo.commit("Say something")
    assert [d.summary for d in taken(repo)] == ["Say something"]


def test_an_empty_repository_has_no_commits(repo):
    assert taken(repo) == []
    assert count(str(repo.folder)) == 0


def test_a_folder_in_no_repository_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="in no git repository"):
        commits(str(tmp_path), limit=1)


def test_below_the_top_only_the_folders_own_history_counts(repo):
    repo.commit("Write the billing service", {"billing/a.py": "1\n"})
    repo.commit("Write the search service", {"search/a.py": "1\n"})
    folder = str(repo.folder / "billing")
    assert [d.summary for d in commits(folder, limit=9)] == ["Write the billing service"]
    assert count(folder) == 1


def test_a_shallow_clone_gives_what_it_holds_and_claims_no_files_at_its_edge(repo, tmp_path):
    for n in range(5):
        repo.commit(f"Teach step {n} to the parser", {f"f{n}": "1\n"})
    subprocess.run(["git", "clone", "-q", "--depth", "2", repo.folder.as_uri(), str(tmp_path / "shallow")], check=True)
    drafts = list(commits(str(tmp_path / "shallow"), limit=9))
    assert [(d.summary, [p.path for p in d.pointers]) for d in drafts] == [
        ("Teach step 4 to the parser", ["f4"]),
        ("Teach step 3 to the parser", []),
    ]
    assert git.shallow(str(tmp_path / "shallow"))
    assert not git.shallow(str(repo.folder))


def test_a_partial_clone_is_read_without_fetching_what_it_lacks(repo, tmp_path):
    repo.git("config", "uploadpack.allowFilter", "true")
    for n in range(3):
        repo.commit(f"Teach step {n} to the parser", {"f": f"{n}\n" * 5})
    clone = tmp_path / "partial"
    subprocess.run(["git", "clone", "-q", "--bare", "--filter=blob:none", repo.folder.as_uri(), str(clone)], check=True)
    assert [d.summary for d in commits(str(clone), limit=9)] == [f"Teach step {n} to the parser" for n in (2, 1, 0)]


def test_a_submodule_has_a_history_of_its_own(repo, another):
    library = another("library")
    library.commit("Write the library")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.folder), "lib")
    repo.commit("Build on the library")
    assert [d.summary for d in commits(str(repo.folder / "lib"), limit=9)] == ["Write the library"]
    assert [d.summary for d in taken(repo)] == ["Build on the library"]


def test_a_damaged_repository_is_named_not_half_read_in_silence(repo):
    repo.commit("Write the first page", {"a": "1\n"})
    sha = repo.commit("Write the second page", {"a": "2\n"})
    tree = repo.git("rev-parse", f"{sha}^^{{tree}}")
    os.remove(repo.folder / ".git" / "objects" / tree[:2] / tree[2:])
    with pytest.raises(ClewError, match="git fsck"):
        taken(repo)


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands for the program")
def test_no_program_that_the_repository_names_is_run(repo):
    trap = repo.write("trap.sh", "#!/bin/sh\ntouch sprung\n")
    trap.chmod(0o755)
    repo.commit("Write the first page", {"a.txt": "1\n", ".gitattributes": "*.txt diff=trap\n"})
    repo.commit("Write the second page", {"a.txt": "2\n"})
    for setting in ("core.fsmonitor", "diff.external", "diff.trap.textconv", "diff.trap.command", "gpg.program", "core.pager"):
        repo.git("config", setting, str(trap))
    repo.git("config", "log.showSignature", "true")
    (repo.folder / "sprung").unlink(missing_ok=True)
    assert len(taken(repo)) == 2
    assert not (repo.folder / "sprung").exists()
