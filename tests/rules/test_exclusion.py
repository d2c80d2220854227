"""Which paths of a client are left alone: its project's .clewignore and the patterns that hold everywhere."""

import pytest

from clew.rules.ignore import exclusion


@pytest.mark.parametrize(
    ("path", "own", "everywhere", "out"),
    [
        ("secrets/key.txt", "secrets/", "", True),
        ("/home/dev/proj/secrets/key.txt", "secrets/", "", True),
        ("/home/dev/proj/src/../secrets/key.txt", "/secrets/", "", True),
        ("/home/dev/other/secrets/key.txt", "secrets/", "", False),
        ("/home/dev/other/secrets/key.txt", "", "secrets/", True),
        ("/home/dev/proj/src/a.py", "secrets/", "*.pem", False),
        ("src/a.pem", "!a.pem", "*.pem", True),
        ("/home/dev/proj/a.py", "", "/home/dev/proj/", True),
        ("src\\gen\\a.py", "src/gen/", "", True),
        ("C:\\work\\a.key", "*.key", "", False),
        ("C:\\work\\a.key", "", "*.key", True),
        ("/", "*", "*", False),
        ("", "*.md", "", False),
    ],
)
def test_a_path_is_left_alone_by_the_project_or_everywhere(path, own, everywhere, out):
    assert exclusion("/home/dev/proj", own, everywhere)(path) is out


def test_without_a_project_only_what_holds_everywhere_counts():
    out = exclusion("", "*", "*.key")
    assert out("/tmp/a.key")
    assert not exclusion("", "", "")("/tmp/a.key")
