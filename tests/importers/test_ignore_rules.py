"""`.clewignore` means what `.gitignore` means: held to git itself."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.rules.ignore import ignored

LINES = [
    "*.md", "/*.md", "docs/", "/docs", "docs/*.md", "docs/**", "**/old.md", "**/a/b", "a/**/z.md", "!keep.md", "!docs/keep.md", "d?c.md",
    "[ab].md", "[!ab].md", "[a-c].md", r"\#x.md", r"\!y.md", "# no rule", "", "trail.md   ", "old", "**", "*", "a*b.md",
    "docs/old/", "[", "\\",
]  # fmt: skip
PATHS = [
    "a.md", "b.md", "c.md", "keep.md", "doc.md", "docs/a.md", "docs/keep.md", "docs/old/z.md", "old.md", "x/old.md", "a/b",
    "x/a/b", "a/z.md",
    "a/q/r/z.md", "#x.md", "!y.md", "trail.md", "old/new/a.md", "axxb.md", "docs", "x/docs",
    "x/docs/a.md", "[", "\\",
]  # fmt: skip


def by_git(repo, lines, paths):
    """The paths that git takes out in a repository whose only ignore file holds `lines`."""
    repo.write(".gitignore", "\n".join(lines) + "\n")
    asked = ["git", "check-ignore", "--no-index", "--stdin", "-z"]
    done = subprocess.run(asked, cwd=repo.folder, input="\0".join(paths).encode(), capture_output=True)
    assert done.returncode in (0, 1)
    out = done.stdout.decode().split("\0")
    return [path for path in paths if path in out]


@pytest.mark.parametrize("line", LINES)
def test_each_line_takes_out_what_git_would(repo, line):
    assert [path for path in PATHS if ignored(line)(path)] == by_git(repo, [line], PATHS)


@pytest.mark.parametrize(
    ("lines", "path", "out"),
    [
        (["*.md", "!keep.md"], "keep.md", False),
        (["!keep.md", "*.md"], "keep.md", True),
        (["docs/", "!docs/keep.md"], "docs/keep.md", True),
        (["docs/*", "!docs/keep.md"], "docs/keep.md", False),
    ],
)
def test_the_last_line_decides_but_nothing_returns_below_a_folder_that_is_out(repo, lines, path, out):
    assert ignored("\n".join(lines))(path) is out
    assert by_git(repo, lines, [path]) == [path] * out


@given(st.text(alphabet="ab*?[]!^-\\/# .", max_size=12), st.sampled_from(PATHS))
def test_no_line_breaks_it(line, path):
    assert ignored(line)(path) in (True, False)
