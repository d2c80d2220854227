"""Which project one stands in, asked of real git repositories on a real file system."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from clew.errors import InvalidInput
from clew.limits import LABEL_CHARS
from clew.model import USER_PROJECT
from clew.project import Place, deepen, local_path, locate, normal_path, normal_remote

FORGE = "https://forge.example/team/app.git"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home of its own, and no trace of the git settings of whoever runs the tests."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    author = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b.c"}
    for name, value in {"HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **author}.items():
        monkeypatch.setenv(name, value)
    return folder


@pytest.fixture
def make(home):
    """`make("app")` is a repository below home whose first commit is its own."""

    def make(name: str, *, commit: bool = True) -> Path:
        folder = home / name
        git(home, "init", "-q", "-b", "main", str(folder))
        if commit:
            add(folder, f"first commit of {name}")
        return folder

    return make


@pytest.fixture
def at(home):
    """Where one stands in a folder, deep keys included, however busy the machine."""
    return lambda folder: deepen(locate(None, env={}, home=str(home), cwd=str(folder)), timeout=60)


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(("git", *words), cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def add(folder: Path, message: str) -> None:
    git(folder, "commit", "-q", "--allow-empty", "-m", message)


def kinds(place: Place) -> list[str]:
    return [key.partition(":")[0] for key in place.keys]


def meet(*places: Place) -> bool:
    return bool(set.intersection(*(set(place.keys) for place in places)))


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


# ---- names that a file system can hold


def test_the_two_spellings_of_an_accented_folder_are_one_project(make, at, home):
    composed, decomposed = (unicodedata.normalize(form, "café") for form in ("NFC", "NFD"))
    app = make(decomposed)
    place = at(app)
    assert place.keys[0] == f"git:{home}/{composed}/.git"
    assert place.path == f"{home}/{composed}"
    assert kinds(place) == ["git", "root", "dir"]
    app.rename(home / composed)
    assert at(home / composed) == place


def test_a_folder_name_that_is_not_text_can_be_stored_and_opened_again(make, at, home):
    app = make(os.fsdecode(b"caf\xe9"))
    place = at(app)
    assert place.keys[0].encode() == f"git:{home}/caf\\udce9/.git".encode()
    assert kinds(place) == ["git", "root", "dir"]


@pytest.mark.parametrize(
    ("folder", "label"), [("@user", "user"), ("a\nb\x1b[31m", "ab[31m"), ("x" * 250, "x" * LABEL_CHARS), ("@", "project"), ("日本", "日本")]
)
def test_a_label_is_one_clean_line_that_cannot_pass_for_the_user(at, home, folder, label):
    (home / folder).mkdir()
    assert at(home / folder).name == label


# ---- where there is no repository


def test_a_folder_without_git_is_a_project_by_itself(at, home):
    (home / "notes" / "sub").mkdir(parents=True)
    assert at(home / "notes") == Place((f"dir:{home}/notes",), "notes", f"{home}/notes", False)
    assert not meet(at(home / "notes"), at(home / "notes" / "sub"))


def test_home_and_what_lies_above_it_are_the_user(at, home):
    for folder in (home, home.parent, Path("/")):
        assert at(folder) == Place(("user:",), USER_PROJECT, "", False)


def test_home_is_never_a_project_even_with_a_repository_in_it(make, at, home):
    make(".")
    (home / "work").mkdir()
    assert at(home).keys == ("user:",)
    assert at(home / "work").keys == (f"dir:{home}/work",)


def test_the_walk_stops_above_home_too(at, home):
    git(home.parent, "init", "-q")
    (home.parent / "aside").mkdir()
    assert at(home.parent / "aside").keys == (f"dir:{home.parent}/aside",)


def test_home_behind_a_symlink_is_recognised(home, tmp_path):
    (tmp_path / "alias").symlink_to(home)
    assert locate(None, env={}, home=str(tmp_path / "alias"), cwd=str(home)).keys == ("user:",)


def test_a_home_at_the_root_or_none_at_all_leaves_repositories_alone(make):
    app = make("app")
    for nowhere in ("/", ""):
        assert locate(None, env={}, home=nowhere, cwd=str(app)).keys[0] == f"git:{app}/.git"
        assert locate(None, env={}, home=nowhere, cwd="/").keys == ("user:",)


@pytest.mark.parametrize(("pwd", "expected"), [("{app}/gone", "git:{app}/.git"), ("relative", "user:"), ("", "user:")])
def test_a_deleted_working_directory_falls_back_to_what_the_shell_knew(make, home, pwd, expected):
    app = make("app")
    (app / "gone").mkdir()
    script = (
        "import os, sys; from clew.project import deepen, locate; os.rmdir(os.getcwd())\n"
        "print(*deepen(locate(None, env=os.environ, home=os.environ['HOME']), timeout=60).keys)"
    )
    done = subprocess.run(
        (sys.executable, "-c", script),
        cwd=app / "gone",
        env={**os.environ, "PWD": pwd.format(app=app), "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
        capture_output=True,
        text=True,
    )
    found = done.stdout.split()
    assert found[0] == expected.format(app=app)
    assert len(found) == (1 if expected == "user:" else 3)


# ---- what was said outranks where one stands


def test_the_order_is_option_then_environment_then_client_then_working_directory(make, home, monkeypatch):
    app, other = make("app"), make("other")
    monkeypatch.chdir(app)
    env = {"CLEW_PROJECT": "from env"}
    assert locate("said", env=env, home=str(home), client_root=str(other)).keys == ("name:said",)
    assert locate(None, env=env, home=str(home), client_root=str(other)).keys == ("name:from env",)
    assert locate(None, env={}, home=str(home), client_root=str(other)).name == "other"
    assert locate(None, env={}, home=str(home)).name == "app"


@pytest.mark.parametrize("value", ["", "  "])
def test_an_empty_clew_project_counts_as_unset(make, home, value):
    assert locate(None, env={"CLEW_PROJECT": value}, home=str(home), cwd=str(make("app"))).name == "app"


@pytest.mark.parametrize("root", ["{app}", "file://{app}", "file://localhost{app}", "../app", "{app}/.gitignore", "{app}/not/there"])
def test_a_client_root_may_be_a_path_or_a_file_uri(make, home, root):
    app, other = make("my app"), make("other")
    (app / ".gitignore").touch()
    root = root.format(app=app).replace(" ", "%20" if root.startswith("file:") else " ").replace("../app", "../my app")
    assert locate(None, env={}, home=str(home), client_root=root, cwd=str(other)).name == "my app"


@pytest.mark.parametrize("root", ["", "untitled:1", "vscode-remote://host/app", "/nul\0byte", "/half\ud800"])
def test_a_client_root_that_is_no_folder_of_this_machine_is_passed_over(make, home, root):
    assert locate(None, env={}, home=str(home), client_root=root, cwd=str(make("app"))).name == "app"


@pytest.mark.parametrize("value", ["{app}/src", "./src", "src/..", ".", "~/app"])
def test_an_explicit_path_is_located(make, home, value):
    app = make("app")
    (app / "src").mkdir()
    place = locate(value.format(app=app), env={}, home=str(home), cwd=str(app))
    assert (place.keys[0], place.explicit) == (f"git:{app}/.git", True)


@pytest.mark.parametrize("value", ["@user", "~", "~/"])
def test_the_user_can_be_chosen_explicitly(home, value):
    assert locate(value, env={}, home=str(home), cwd="/") == Place(("user:",), USER_PROJECT, "", True)


def test_a_name_is_the_same_in_any_case_and_composition(home):
    names = ["Café", unicodedata.normalize("NFD", "CAFÉ"), " café "]
    assert {locate(name, env={}, home=str(home)).keys for name in names} == {("name:café",)}
    assert locate("Café", env={}, home=str(home)) == Place(("name:café",), "Café", "", True)
    assert locate("J\u030c", env={}, home=str(home)).keys == ("name:\u01f0",)


@pytest.mark.parametrize(
    "value", ["@users", "x" * (LABEL_CHARS + 1), "a\x00b", "a\nb", "\x1b[1mx", "\ud800", "owner/app", "/a\0b", "/not/there"]
)
@pytest.mark.parametrize("field", ["project", "CLEW_PROJECT"])
def test_a_bad_choice_names_where_it_was_made(home, value, field):
    said, env = (value, {}) if field == "project" else (None, {field: value})
    with pytest.raises(InvalidInput) as caught:
        locate(said, env=env, home=str(home), cwd="/")
    assert caught.value.field == field


def test_an_empty_option_is_refused_and_a_name_of_the_full_length_is_not(home):
    with pytest.raises(InvalidInput, match="empty"):
        locate(" ", env={}, home=str(home))
    assert locate("x" * LABEL_CHARS, env={}, home=str(home)).name == "x" * LABEL_CHARS


# ---- git as it is met in the wild


def test_the_variables_of_a_surrounding_git_hook_do_not_mislead(make, at, monkeypatch):
    app, other = make("app"), make("other")
    expected = at(app)
    stray = f"{other}/.git"
    for name, value in {
        "GIT_DIR": stray,
        "GIT_COMMON_DIR": stray,
        "GIT_OBJECT_DIRECTORY": stray + "/objects",
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": stray + "/index",
    }.items():
        monkeypatch.setenv(name, value)
    assert at(app) == expected


def test_history_rewritten_for_display_does_not_change_the_project(make, at):
    app = make("app")
    before = at(app)
    add(app, "second")
    git(app, "replace", "--graft", "HEAD")
    assert git(app, "rev-list", "--count", "HEAD") == "1"
    assert at(app) == before


def test_without_git_the_first_answer_stands(make, home, monkeypatch):
    place = locate(None, env={}, home=str(home), cwd=str(make("app")))
    for path in ("", "relative/bin", "/not/there"):
        monkeypatch.setenv("PATH", path)
        assert deepen(place) == place


def test_a_repository_cannot_bring_its_own_git_along(make, home, monkeypatch):
    app = make("app")
    for fake in (app / "git", app / ".git" / "git"):
        fake.write_text(f"#!/bin/sh\ntouch {home}/ran\n")
        fake.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join((".", "", os.environ["PATH"])))
    monkeypatch.chdir(app)
    assert "root" in kinds(deepen(locate(None, env={}, home=str(home)), timeout=60))
    assert not (home / "ran").exists()


@pytest.mark.parametrize("script", ["exec sleep 60", "exit 3", 'case "$*" in *config*) exit 3;; *) exec {git} "$@";; esac'])
def test_a_slow_or_failing_git_gives_no_half_answer(make, home, monkeypatch, script):
    app = make("app")
    place = locate(None, env={}, home=str(home), cwd=str(app))
    program = home / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n" + script.replace("{git}", shutil.which("git") or ""))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join((str(program.parent), os.environ["PATH"])))
    assert deepen(place, timeout=0.3) == place


def test_a_damaged_repository_keeps_the_first_answer(make, at, home):
    app = make("app")
    shutil.rmtree(app / ".git" / "objects")
    (app / ".git" / "objects").mkdir()
    assert at(app) == locate(None, env={}, home=str(home), cwd=str(app))


def test_a_repository_deleted_meanwhile_keeps_the_first_answer(make, home):
    app = make("app")
    place = locate(None, env={}, home=str(home), cwd=str(app))
    shutil.rmtree(app)
    assert deepen(place) == place


def test_places_without_git_are_not_deepened(at, home):
    place = locate("named", env={}, home=str(home))
    assert deepen(place) is place


# ---- values


@pytest.mark.parametrize(
    ("path", "windows", "expected"),
    [
        ("/Home/App", False, "/Home/App"),
        ("/a\\b", False, "/a\\b"),
        ("/cafe\u0301", False, "/café"),
        ("/\udce9", False, "/\\udce9"),
        ("C:\\Users\\Me\\App", True, "c:/users/me/app"),
        ("\\\\?\\C:\\Long", True, "c:/long"),
        ("\\\\?\\UNC\\Server\\Share", True, "//server/share"),
        ("\\\\Server\\Share", True, "//server/share"),
        ("C:\\CAFE\u0301", True, "c:/café"),
    ],
)
def test_a_path_is_compared_in_one_spelling(path, windows, expected):
    assert normal_path(path, windows) == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://host.example/owner/repo",
        "https://host.example/owner/repo.git",
        "https://HOST.example/owner/repo/",
        "https://user:p@ss@host.example:8443/owner/repo.git/",
        "ssh://git@host.example:2222/owner/repo",
        "git@host.example:owner/repo.git",
        "host.example:/owner/repo",
        "git://host.example/owner/repo",
        "git+ssh://git@host.example/owner/repo",
        " https://host.example/owner/repo\n",
    ],
)
def test_every_way_to_write_a_remote_is_one_identity(url):
    assert normal_remote(url) == "host.example/owner/repo"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://host.example/Owner/Repo", "host.example/Owner/Repo"),
        ("ssh://git@[::1]:22/owner/repo", "::1/owner/repo"),
        ("/srv/git/repo.git", "/srv/git/repo"),
        ("/srv/git/repo/.git", "/srv/git/repo"),
        ("file:///srv/git/repo.git/", "/srv/git/repo"),
        ("../sibling", "../sibling"),
        ("./odd:name", "./odd:name"),
    ],
)
def test_a_remote_keeps_what_tells_it_apart(url, expected):
    assert normal_remote(url) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/a b", "/a b"),
        ("file:///a%20b", "/a b"),
        ("FILE://localhost/caf%C3%A9", "/café"),
        ("file:///C:/work", "C:/work"),
        ("C:\\work", "C:\\work"),
        ("C:/work", "C:/work"),
        ("host:path", None),
        ("https://host/path", None),
    ],
)
def test_a_local_path_is_told_from_an_address(text, expected):
    assert local_path(text) == expected
