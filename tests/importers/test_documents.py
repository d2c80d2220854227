"""Documents become drafts: which files, which sections, and never one outside the folder."""

import os

import pytest

from clew.errors import InvalidInput
from clew.importers import documents
from clew.importers.documents import sections

PROSE = "It keeps what was decided and finds it again."


@pytest.fixture
def folder(tmp_path):
    """A folder in no repository."""
    place = tmp_path / "plain"
    place.mkdir()
    return place


def fill(folder, *paths, text=f"# Title\n\n{PROSE}\n"):
    for path in paths:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def files(folder):
    return [d.source.file for d in sections(str(folder))]


def test_each_section_with_prose_becomes_a_draft_under_its_heading(repo):
    text = f"# Shop\n{PROSE}\n\n## Install\n\nRun the installer and wait for it.\n\n## Usage\n\n```sh\nshop --all --everything --now\n```\n"
    repo.write("README.md", text)
    first, install = sections(str(repo.folder))
    assert (first.summary, first.detail) == ("README › Shop", PROSE)
    assert (install.summary, install.kind, install.tags) == ("README › Install", "reference", ("document", "readme"))
    assert install.source.file == "README.md"
    assert [(p.path, p.line) for p in install.pointers] == [("README.md", 4)]


@pytest.mark.parametrize(
    ("path", "kind", "tag", "summary"),
    [
        ("README", "reference", "readme", "README › Title"),
        ("README.zh-CN.md", "reference", "readme", "README.zh-CN › Title"),
        ("packages/pay/readme.rst", "reference", "readme", "packages/pay/readme › Title"),
        ("CONTRIBUTING.md", "reference", "contributing", "CONTRIBUTING › Title"),
        ("CHANGELOG.txt", "reference", "changelog", "CHANGELOG › Title"),
        ("ARCHITECTURE.md", "reference", "architecture", "ARCHITECTURE › Title"),
        ("docs/deep/er/page.md", "reference", "docs", "Title"),
        ("docs/adr/0001-use-apsw.md", "decision", "adr", "Title"),
        ("docs/decisions/0001.md", "decision", "adr", "Title"),
        ("adr/0001.md", "decision", "adr", "Title"),
        ("CLAUDE.md", "feedback", "rules", "CLAUDE › Title"),
        ("web/AGENTS.md", "feedback", "rules", "web/AGENTS › Title"),
        ("GEMINI.md", "feedback", "rules", "GEMINI › Title"),
        (".cursorrules", "feedback", "rules", "cursorrules › Title"),
        (".cursor/rules/style.mdc", "feedback", "rules", "cursor/rules/style › Title"),
        (".github/copilot-instructions.md", "feedback", "rules", "github/copilot-instructions › Title"),
    ],
)
def test_the_path_decides_what_a_document_is(repo, path, kind, tag, summary):
    fill(repo.folder, path)
    (only,) = sections(str(repo.folder))
    assert (only.kind, only.tags, only.summary) == (kind, ("document", tag), summary)


@pytest.mark.parametrize(
    "path",
    [
        "readme.py",
        "src/page.md",
        "docs/data.json",
        "node_modules/x/README.md",
        "vendor/x/README.md",
        ".venv/lib/README.md",
        "build/docs/README.md",
        "readmes/x.md",
        "docs/adr/data.json",
        "docs/Makefile.in",
    ],
)
def test_other_files_and_other_peoples_are_left_alone(folder, repo, path):
    fill(folder, path)
    fill(repo.folder, path)
    assert files(folder) == files(repo.folder) == []


@pytest.mark.parametrize(
    "content",
    [
        b"# T\n\n```\ncode only, and much of it, line after line\n```\n",
        b"# T\n\n[![build status of main](b.svg)](https://example.invalid)\n",
        b"# T\n",
        b"",
        b"# T\n\nBinary \0 and then a long sentence of words.",
        b"# T\n\n" + b"A sentence of many words. " * 50_000,
    ],
)
def test_code_pictures_binaries_and_endless_files_say_nothing(folder, content):
    (folder / "README.md").write_bytes(content)
    assert files(folder) == []


def test_bytes_that_are_no_text_are_replaced_and_a_mark_in_front_is_dropped(folder):
    (folder / "README.md").write_bytes(b"\xef\xbb\xbf# Caf\xe9\n\n" + PROSE.encode())
    assert [d.summary for d in sections(str(folder))] == ["README › Caf\ufffd"]


def test_a_long_section_is_cut_and_says_where_the_rest_is(folder):
    fill(folder, "README.md", text="# Shop\n\n" + "A sentence of many words. " * 1_000)
    (only,) = sections(str(folder))
    assert len(only.detail) < documents.DETAIL_CHARS + 100
    assert only.detail.endswith("… (cut here; README.md has the whole section from line 1 on)")


def test_two_sections_of_one_name_are_told_apart_and_a_long_way_is_shortened(folder):
    fill(folder, "README.md", text=f"# Shop\n## Fixed\n{PROSE}\n## Fixed\n{PROSE} Twice.\n## {'long ' * 200}\n{PROSE}\n")
    first, second, third = (d.summary for d in sections(str(folder)))
    assert (first, second) == ("README › Fixed", "README › Fixed (2)")
    assert third.startswith("…")
    assert len(third) <= 500


def test_what_git_ignores_and_what_clewignore_names_is_left_out(repo):
    fill(repo.folder, "README.md", "docs/a.md", "docs/draft.md", "docs/secret/b.md", "docs/made.md")
    repo.commit("Write it down")
    repo.write(".gitignore", "made.md\n")
    repo.git("rm", "-q", "--cached", "docs/made.md")
    repo.write(".clewignore", "# not for agents\ndocs/secret/\n*draft.md\n")
    assert files(repo.folder) == ["README.md", "docs/a.md"]


def test_clewignore_holds_without_a_repository_too(folder):
    fill(folder, "README.md", "docs/a.md", "docs/secret/b.md")
    (folder / ".clewignore").write_text("docs/**\n!docs/a.md\n", "utf-8")
    assert files(folder) == ["README.md", "docs/a.md"]


def test_a_document_that_is_not_committed_yet_counts_and_a_deleted_one_does_not(repo):
    fill(repo.folder, "README.md")
    repo.commit("Write it down")
    (repo.folder / "README.md").unlink()
    fill(repo.folder, "CONTRIBUTING.md")
    assert files(repo.folder) == ["CONTRIBUTING.md"]


def test_below_the_top_paths_are_still_the_projects_and_nothing_beside_is_read(repo):
    fill(repo.folder, "README.md", "pay/README.md", "pay/docs/a.md", "search/README.md")
    repo.write("pay/.clewignore", "/README.md\n")
    repo.commit("Write it down")
    assert files(repo.folder / "pay") == []  # pay/docs is no docs folder of the project's top
    (repo.folder / "pay" / ".clewignore").unlink()
    assert files(repo.folder / "pay") == ["pay/README.md"]


def test_paths_with_spaces_and_other_letters_are_read(repo):
    fill(repo.folder, "docs/größe und maß.md", "docs/日本.md")
    repo.commit("Write it down")
    assert files(repo.folder) == ["docs/größe und maß.md", "docs/日本.md"]


def test_a_submodules_documents_are_its_own(repo, another):
    library = another("library")
    fill(library.folder, "README.md")
    library.commit("Write the library")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.folder), "lib")
    fill(repo.folder, "README.md")
    assert files(repo.folder) == ["README.md"]
    assert files(repo.folder / "lib") == ["README.md"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_never_lead_outside_the_folder_nor_in_circles(folder, repo, tmp_path):
    fill(tmp_path, "outside.md", "away/docs/b.md")
    for place in (folder, repo.folder):
        fill(place, "AGENTS.md", "docs/a.md")
        (place / "README.md").symlink_to(tmp_path / "outside.md")
        (place / "CLAUDE.md").symlink_to("AGENTS.md")
        (place / "docs" / "loop").symlink_to("..")
        (place / "docs" / "away").symlink_to(tmp_path / "away" / "docs")
        (place / "CHANGELOG.md").symlink_to("CHANGELOG.md")
        os.mkfifo(place / "CONTRIBUTING.md")
        assert files(place) == ["AGENTS.md", "docs/a.md"]


def test_a_nested_repository_is_not_entered(folder, another):
    fill(folder, "README.md")
    inner = another("plain/inner")
    fill(inner.folder, "README.md")
    assert files(folder) == ["README.md"]


def test_no_more_documents_are_read_than_a_person_could_have_written(folder, monkeypatch):
    monkeypatch.setattr(documents, "FILES", 3)
    fill(folder, *(f"docs/{n}.md" for n in range(5)))
    assert files(folder) == ["docs/0.md", "docs/1.md", "docs/2.md"]


def test_no_such_folder_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="there is no folder"):
        list(sections(str(tmp_path / "nowhere")))
