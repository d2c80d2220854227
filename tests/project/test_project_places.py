"""Which project one stands in where git has no say, is misled, or is overruled."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from real_git import add, git, kinds, meet

from clew.errors import InvalidInput
from clew.limits import LABEL_CHARS
from clew.model import USER_PROJECT
from clew.project import Place, deepen, locate

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
