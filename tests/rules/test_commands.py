"""What a shell command is for, under whatever dress."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.rules import commands
from clew.rules.commands import purpose_of


@pytest.mark.parametrize(
    ("command", "action", "words"),
    [
        ("mise run test", "test", "mise run test"),
        ("mise run test:ci", "test", "mise run test:ci"),
        ("pytest -q tests/test_a.py::test_b -x", "test", "pytest tests/test_a.py::test_b"),
        ("PYTHONPATH=src:. /opt/venv/bin/python -m pytest -q tests", "test", "pytest tests"),
        ("npm test", "test", "npm test"),
        ("yarn test:unit", "test", "yarn test:unit"),
        ("make check", "test", "make check"),
        ("cd /x && timeout 60 go test -v -count=1 ./cmd/... 2>&1 | tail -50", "test", "go test ./cmd/..."),
        ("timeout -k 5 60 make test", "test", "make test"),
        ("bash -c 'cd x && npx jest --silent'", "test", "jest"),
        ("python manage.py test app", "test", "python manage.py test app"),
        ("./gradlew test", "test", "./gradlew test"),
        ("poetry run pytest", "test", "pytest"),
        ("cargo build", "build", "cargo build"),
        ("env A=1 sudo make -j4", "build", "make -j4"),
        ("docker build .", "build", "docker build ."),
        ("npm run build", "build", "npm run build"),
        ("golangci-lint run ./x/...", "lint", "golangci-lint run ./x/..."),
        ("npx tsc --noEmit -p .", "lint", "tsc --noEmit -p ."),
        ("mise run fmt", "lint", "mise run fmt"),
        ("git add . && git commit -m 'a; b'", "run", "git add .; git commit -m a; b"),
        ("gh pr create --title x", "run", "gh pr create --title x"),
    ],
)
def test_a_command_is_known_under_whatever_dress(command, action, words):
    assert purpose_of(command)[:2] == (action, words)


@pytest.mark.parametrize(
    "command",
    [
        "ls -la",
        "cat x | grep error",
        "git status && git diff",
        "git log --oneline | head -3",
        "gh pr checks 12",
        "gh api repos/x/y/pulls/1/comments",
        "curl -s http://localhost:8080/health",
        "pytest --version",
        "test -f x && echo y",
        "git stash list",
        "sed -n 1,20p x.py",
        "find . -name '*.py'",
        "echo hi",
    ],
)
def test_a_look_is_a_look(command):
    assert purpose_of(command).action == "look"


@pytest.mark.parametrize("command", ["sleep 300", "sleep 30 && gh run view 3", "until curl -s x; do sleep 5; done", "tail -f log", "wait"])
def test_a_wait_is_a_wait(command):
    assert purpose_of(command).action == "wait"


@pytest.mark.parametrize(
    ("command", "change"),
    [
        ("sed -i s/a/b/ x.py", "ran"),
        ("mv a b", "ran"),
        ("cat > x.py <<'EOF'\nimport os\npytest\nEOF", "ran"),
        ("npm install", "ran"),
        ("git merge main", "moved"),
        ("git bisect bad", "moved"),
        ("git checkout feature", "moved"),
        ("git restore src/a.py", "restored"),
        ("git stash", "restored"),
        ("git commit -m x", ""),
        ("git push", ""),
        ("curl -X POST http://x -d a=1", ""),
    ],
)
def test_what_changes_the_tree_is_told_from_what_does_not(command, change):
    assert (purpose_of(command).action, purpose_of(command).change) == ("run", change)


def test_a_restored_file_is_named_and_none_means_all():
    assert purpose_of("git checkout -- src/a.py b.py").restored == ("src/a.py", "b.py")
    assert purpose_of("git reset --hard").restored == ()


def test_of_several_commands_a_test_weighs_most():
    assert purpose_of("mkdir -p out; cp a b && pytest && git push").action == "test"


def test_what_is_written_by_a_heredoc_is_not_what_is_done():
    assert purpose_of("cat > notes.md <<EOF\npytest\nmake check\nEOF").action == "run"


@pytest.mark.parametrize("command", ["", " ", "'", "&& ||", "|", "\x00", "bash -c", "timeout", "FOO=1", ">" * 50, "bash -c 'bash -c \"x'"])
def test_an_odd_command_is_no_failure(command):
    assert purpose_of(command).action in ("run", "look", "wait")


@given(st.text(max_size=200))
def test_any_text_has_a_purpose(command):
    assert purpose_of(command) == purpose_of(command)


@pytest.mark.parametrize("first", sorted(commands._NO_FAMILY))
def test_a_word_that_begins_no_family_is_of_none_whatever_follows(first):
    for rest in ("", " test", " tests/test_cart.py --test", " build", " -m pytest", " run lint", " x/run-tests.sh", " --noEmit"):
        for _, pattern in commands._FAMILIES:
            assert not commands.compiled(pattern).match(first + rest)
