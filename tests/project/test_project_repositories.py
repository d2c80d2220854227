"""Which project a repository is, asked of real git: one repository many ways in, clones, moves, and what must stay apart."""

from __future__ import annotations

import os
import shutil

import pytest
from real_git import FORGE, add, git, kinds, meet

# ---- one repository, many ways in


def test_a_repository_is_known_by_its_shared_git_directory(make, at):
    app = make("app")
    place = at(app)
    assert place.keys[0] == f"git:{app}/.git"
    assert (place.name, place.path, place.explicit) == ("app", str(app), False)


def test_a_subdirectory_stands_in_its_repository(make, at):
    app = make("app")
    (app / "src" / "deep").mkdir(parents=True)
    assert at(app / "src" / "deep") == at(app)


def test_the_inside_of_a_git_directory_stands_in_its_repository(make, at):
    app = make("app")
    assert at(app / ".git" / "hooks").keys[0] == at(app).keys[0]


def test_a_worktree_is_the_project_of_its_main_repository(make, at, home):
    app = make("app")
    git(app, "worktree", "add", "-q", str(home / "elsewhere"), "-b", "topic")
    place = at(home / "elsewhere")
    assert place.keys[0] == at(app).keys[0]
    assert (place.name, place.path) == ("app", str(home / "elsewhere"))


def test_a_symlink_leads_to_the_same_project(make, at, home):
    app = make("app")
    (home / "link").symlink_to(app)
    assert at(home / "link") == at(app)


def test_a_bare_repository_is_a_project_and_its_worktrees_belong_to_it(make, at, home):
    app = make("app")
    git(home, "clone", "-q", "--bare", str(app), "store.git")
    git(home / "store.git", "worktree", "add", "-q", str(home / "tree"), "main")
    assert at(home / "store.git").name == at(home / "tree").name == "store"
    assert at(home / "store.git").keys[0] == at(home / "tree").keys[0] == f"git:{home}/store.git"


def test_a_git_directory_kept_elsewhere_is_followed(at, home):
    (home / "box").mkdir()
    git(home, "init", "-q", "--separate-git-dir", str(home / "box" / ".bare"), str(home / "app"))
    place = at(home / "app")
    assert place.keys == (f"git:{home}/box/.bare",)
    assert place.name == "box"


def test_a_detached_head_changes_nothing(make, at):
    app = make("app")
    before = at(app)
    add(app, "second")
    git(app, "checkout", "-q", "--detach")
    assert at(app) == before


def test_git_init_keeps_the_project_that_the_folder_was(at, home):
    folder = home / "fresh"
    folder.mkdir()
    before = at(folder)
    git(folder, "init", "-q")
    assert before.keys == (f"dir:{folder}",)
    assert at(folder).keys == (f"git:{folder}/.git", f"dir:{folder}")


@pytest.mark.parametrize("content", ["", "gitdir: ../nowhere", "nonsense", "gitdir: \0", "gitdir:"])
def test_a_broken_git_file_is_walked_past(make, at, content):
    app = make("app")
    (app / "sub").mkdir()
    (app / "sub" / ".git").write_text(content)
    assert at(app / "sub") == at(app)


def test_an_empty_git_folder_and_a_pipe_called_git_are_no_repositories(at, home):
    (home / "a" / ".git").mkdir(parents=True)
    (home / "b").mkdir()
    os.mkfifo(home / "b" / ".git")
    assert kinds(at(home / "a")) == kinds(at(home / "b")) == ["dir"]


def test_a_repository_with_another_hash_is_known_too(at, home):
    git(home, "init", "-q", "--object-format=sha256", "app")
    add(home / "app", "first")
    assert len(at(home / "app").keys[1]) == len("root:") + 64 + len("|")


# ---- clones, moves, and what must stay apart


@pytest.mark.parametrize("url", ["{app}", "file://{app}", "{app}/", "{app}/.git"])
def test_a_clone_of_a_local_repository_is_the_same_project(make, at, home, url):
    app = make("my app")
    git(home, "clone", "-q", url.format(app=app), "copy")
    assert at(app).keys[0] in at(home / "copy").keys


def test_an_origin_written_without_its_git_suffix_is_found(make, at, home):
    app = make("app")
    git(home, "clone", "-q", "--bare", str(app), "store.git")
    git(app, "remote", "add", "origin", f"{home}/store")
    assert f"git:{home}/store.git" in at(app).keys


def test_a_percent_encoded_file_url_finds_its_origin(make, at, home):
    app = make("my app")
    git(home, "clone", "-q", f"file://{home}/my%20app", "copy")
    assert at(app).keys[0] in at(home / "copy").keys


def test_a_relative_origin_is_read_from_the_top_of_the_tree(make, at, home):
    app, copy = make("app"), make("copy")
    git(copy, "remote", "add", "origin", "../app")
    (copy / "sub").mkdir()
    assert at(app).keys[0] in at(copy / "sub").keys


def test_a_clone_of_a_clone_carries_the_remote_of_the_first(make, at, home):
    app = make("app")
    git(app, "remote", "add", "origin", FORGE)
    git(home, "clone", "-q", str(app), "one")
    git(home, "clone", "-q", str(home / "one"), "two")
    root = git(app, "rev-parse", "HEAD")
    assert at(home / "two").keys == (
        f"git:{home}/two/.git",
        f"git:{home}/one/.git",
        f"git:{app}/.git",
        f"root:{root}|forge.example/team/app",
        "remote:forge.example/team/app",
        f"dir:{home}/two",
    )


def test_two_repositories_that_name_each_other_as_origin_end(make, at):
    left, right = make("left"), make("right")
    git(left, "remote", "add", "origin", str(right))
    git(right, "remote", "add", "origin", str(left))
    assert meet(at(left), at(right))


def test_two_clones_of_one_remote_meet_however_its_address_is_written(make, at, home):
    app = make("app")
    for name, url in (("ssh", "git@forge.example:team/app.git"), ("web", "https://me:secret@Forge.example:443/team/app/")):
        git(home, "clone", "-q", str(app), name)
        git(home / name, "remote", "set-url", "origin", url)
    ssh, web = at(home / "ssh"), at(home / "web")
    assert ssh.keys[1:3] == web.keys[1:3]
    assert "secret" not in "".join(web.keys)


def test_an_address_shortened_by_insteadof_meets_the_long_form(make, at, home):
    app = make("app")
    git(home, "config", "--global", "url.https://forge.example/.insteadOf", "forge:")
    git(app, "remote", "add", "origin", "forge:team/app")
    assert "remote:forge.example/team/app" in at(app).keys


@pytest.mark.parametrize("remote", [None, FORGE])
def test_a_renamed_folder_stays_its_project(make, at, home, remote):
    app = make("app")
    if remote:
        git(app, "remote", "add", "origin", remote)
    before = at(app)
    app.rename(home / "renamed")
    after = at(home / "renamed")
    assert after.keys[0] != before.keys[0]
    assert after.keys[1] == before.keys[1]


def test_a_shallow_clone_has_no_first_commit_and_meets_the_full_one_at_the_remote(make, at, home):
    app = make("app")
    add(app, "second")
    git(home, "clone", "-q", "--depth", "1", f"file://{app}", "shallow")
    for folder in (app, home / "shallow"):
        git(folder, "config", "remote.origin.url", FORGE)
    assert kinds(at(home / "shallow")) == ["git", "remote", "dir"]
    assert kinds(at(app)) == ["git", "root", "remote", "dir"]
    assert at(home / "shallow").keys[1] == at(app).keys[2]


def test_an_empty_repository_has_no_deeper_keys(make, at):
    assert kinds(at(make("empty", commit=False))) == ["git", "dir"]


def test_an_empty_clone_already_belongs_to_its_remote(make, at):
    empty = make("empty", commit=False)
    git(empty, "remote", "add", "origin", FORGE)
    assert kinds(at(empty)) == ["git", "remote", "dir"]


def test_a_head_without_commits_falls_back_to_the_other_branches(make, at):
    app = make("app")
    before = at(app)
    git(app, "symbolic-ref", "HEAD", "refs/heads/unborn")
    assert at(app) == before


def test_of_several_histories_without_a_head_the_smallest_first_commit_counts(make, at):
    app, other = make("app"), make("other")
    git(app, "fetch", "-q", str(other), "main:other")
    git(app, "symbolic-ref", "HEAD", "refs/heads/unborn")
    roots = [git(folder, "rev-parse", "main") for folder in (app, other)]
    assert at(app).keys[1] == f"root:{min(roots)}|"


@pytest.mark.parametrize(("into", "source"), [("left", "right"), ("right", "left")])
def test_merging_another_history_in_does_not_make_two_projects_one(make, at, monkeypatch, into, source):
    """The dates are fixed so that which first commit is the smaller does not vary; both directions are tried."""
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2024-01-01T00:00:00Z")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2024-01-01T00:00:00Z")
    left, right = make("left"), make("right")
    before = at(left), at(right)
    git(left.parent / into, "fetch", "-q", str(left.parent / source), "main")
    git(left.parent / into, "merge", "-q", "--allow-unrelated-histories", "-m", "take it in", "FETCH_HEAD")
    assert (at(left), at(right)) == before
    assert not meet(*before)


def test_a_fork_is_a_project_of_its_own_though_it_follows_upstream(make, at, home):
    app = make("app")
    git(home, "clone", "-q", str(app), "fork")
    git(app, "remote", "add", "origin", FORGE)
    git(home / "fork", "remote", "set-url", "origin", "https://forge.example/me/app")
    git(home / "fork", "remote", "add", "upstream", FORGE)
    assert not meet(at(app), at(home / "fork"))


def test_two_projects_from_one_template_stay_apart(make, at, home):
    template = make("template")
    for name in ("one", "two"):
        git(home, "clone", "-q", "-o", "template", str(template), name)
        git(home / name, "remote", "add", "origin", f"https://forge.example/me/{name}")
    assert not meet(at(home / "one"), at(home / "two"))
    assert not meet(at(home / "one"), at(template))


def test_without_an_origin_the_first_remote_counts(make, at):
    app = make("app")
    git(app, "remote", "add", "zebra", FORGE)
    git(app, "remote", "add", "aardvark", "https://forge.example/other/app")
    assert "remote:forge.example/team/app" in at(app).keys
    assert "remote:forge.example/other/app" not in at(app).keys


def test_a_local_origin_that_is_gone_still_binds_its_clones(make, at, home):
    app = make("app")
    for name in ("one", "two"):
        git(home, "clone", "-q", str(app), name)
    shutil.rmtree(app)
    assert at(home / "one").keys[1:3] == at(home / "two").keys[1:3]


def test_unrelated_repositories_with_one_folder_name_stay_apart(make, at):
    left, right = at(make("left/app")), at(make("right/app"))
    assert left.name == right.name == "app"
    assert not meet(left, right)


def test_a_submodule_is_a_project_of_its_own(make, at, home):
    app, library = make("app"), make("library")
    git(app, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "libs/lib")
    inner = at(app / "libs" / "lib")
    assert inner.keys[0] == f"git:{app}/.git/modules/libs/lib"
    assert inner.name == "lib"
    assert not meet(inner, at(app))
    assert meet(inner, at(library))
