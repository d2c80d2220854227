"""From a line to the commit that wrote it, in real repositories; and to what is known about that."""

import os
import subprocess

import pytest

from clew import Clew, InvalidInput, Pointer, Source
from clew.engines import blame
from clew.engines.blame import NEAR_LINES, origin

CODE = (
    "import os\n\n\ndef fetch(url):\n    retries = 3\n    timeout_in_seconds = 30\n    return os.read(url, retries, timeout_in_seconds)\n"
)


class Repository:
    """A git repository in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *words):
        """What git answers; its failure is the test's."""
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *words], cwd=self.folder, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def commit(self, message, **files):
        """Write files (dots of a name as `__`), commit them, and give the commit's name."""
        for name, text in files.items():
            path = self.folder / name.replace("__", ".")
            path.write_text(text)
            self.git("add", str(path))
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def line(self, name, line):
        """Whom the line comes from."""
        return origin(str(self.folder / name), line)


@pytest.fixture
def repo(tmp_path):
    """A repository whose `fetch.py` says in line 6 how long it waits."""
    made = Repository(tmp_path / "app")
    made.first = made.commit("Fetch with a timeout (#12)\n\nThe vendor answers after 25 s.", fetch__py=CODE)
    return made


@pytest.fixture
def clew(repo, clock):
    """A store that stands in the repository."""
    with Clew(":memory:", root=str(repo.folder), embed="off", clock=clock) as opened:
        yield opened


def test_a_line_names_its_commit_with_message_author_and_place(repo):
    found = repo.line("fetch.py", 6)
    assert (found.commit, found.subject, found.body) == (repo.first, "Fetch with a timeout (#12)", "The vendor answers after 25 s.")
    assert (found.author, found.path, found.line, found.here) == ("A Tester", "fetch.py", 6, Pointer("fetch.py", line=6))
    assert found.at == float(repo.git("log", "-1", "--format=%at"))


def test_each_line_has_its_own_commit(repo):
    second = repo.commit("Wait longer", fetch__py=CODE.replace("= 30", "= 60"))
    assert repo.line("fetch.py", 6).commit == second
    assert repo.line("fetch.py", 5).commit == repo.first


def test_a_renamed_file_and_a_new_folder_are_followed(repo):
    (repo.folder / "net").mkdir()
    repo.git("mv", "fetch.py", "net/get.py")
    repo.commit("Move the fetcher")
    found = repo.line("net/get.py", 6)
    assert (found.commit, found.path, found.here.path) == (repo.first, "fetch.py", "net/get.py")


def test_lines_moved_within_and_between_files_are_followed(repo):
    head, body = CODE[:11], CODE[11:]
    repo.commit("Turn it round", fetch__py=body + "\n\n" + head)
    assert repo.line("fetch.py", 4).commit == repo.first
    repo.commit("Into a file of its own", fetch__py=head, other__py="# the fetcher\n" + body)
    found = repo.line("other.py", 5)
    assert (found.commit, found.path) == (repo.first, "fetch.py")


def test_white_space_writes_nothing(repo):
    repo.commit("Indent", fetch__py=CODE.replace("    ", "\t"))
    assert repo.line("fetch.py", 6).commit == repo.first


def test_a_squashed_branch_is_the_commit_that_squashed_it(repo):
    repo.git("checkout", "-q", "-b", "work")
    repo.commit("wip", fetch__py=CODE.replace("= 30", "= 45"))
    repo.commit("wip 2", fetch__py=CODE.replace("= 30", "= 50"))
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--squash", "work")
    squashed = repo.commit("Wait 50 s (#31)")
    assert repo.line("fetch.py", 6).commit == squashed


def test_a_worktree_and_a_symlink_lead_to_the_same_commit(repo, tmp_path):
    repo.git("worktree", "add", "-q", str(tmp_path / "other"))
    assert origin(str(tmp_path / "other" / "fetch.py"), 6).commit == repo.first
    os.symlink(repo.folder / "fetch.py", tmp_path / "link.py")
    assert origin(str(tmp_path / "link.py"), 6).commit == repo.first


def test_a_file_of_a_submodule_belongs_to_the_submodule(repo, tmp_path):
    outer = Repository(tmp_path / "outer")
    outer.commit("Begin", a__txt="a\n")
    outer.git("submodule", "--quiet", "add", str(repo.folder), "vendored")
    outer.commit("Take it in")
    found = outer.line("vendored/fetch.py", 6)
    assert (found.commit, found.here.path) == (repo.first, "fetch.py")
    with pytest.raises(InvalidInput, match="is a folder"):
        outer.line("vendored", 1)


def test_names_with_spaces_accents_and_dashes_are_files_like_others(repo):
    for name in ("größe 1.py", "-rf.py", "a:b.py"):
        (repo.folder / name).write_text("x = 1\n")
        repo.git("add", "--", name)
        wrote = repo.commit(f"Add {name}")
        assert (repo.line(name, 1).commit, repo.line(name, 1).path) == (wrote, name)


def test_a_constant_that_moved_to_a_file_of_its_own_and_on_is_followed(repo):
    repo.commit("Constants apart", fetch__py=CODE.replace("    retries = 3\n", ""), constants__py="LIMIT_OF_ALL = 1\n\nretries = 3\n")
    repo.commit("Limits apart", constants__py="LIMIT_OF_ALL = 1\n", limits__py="# -- a/b\n\n\nretries = 3  \n")
    found = repo.line("limits.py", 4)
    assert (found.commit, found.path, found.line, found.here) == (repo.first, "fetch.py", 5, Pointer("limits.py", line=4))


def test_a_line_that_was_copied_doubled_or_changed_on_the_way_is_its_own(repo):
    copied = repo.commit("Another retries", other__py="retries = 3\n")
    assert repo.line("other.py", 1).commit == copied
    doubled = repo.commit("Twice", fetch__py=CODE.replace("    retries = 3\n", ""), one__py="retries = 3\n\n\nretries = 3\n")
    assert repo.line("one.py", 1).commit == doubled
    changed = repo.commit("Four", one__py="x = 1\n", two__py="retries = 4\n")
    assert repo.line("two.py", 1).commit == changed


@pytest.mark.parametrize(
    ("name", "line", "problem"),
    [
        ("fetch.py", 99, "has no line 99"),
        ("fetch.py", 0, "counted from 1"),
        ("nowhere.py", 1, "cannot be read"),
        ("new.py", 1, "is not committed"),
        ("logo.bin", 1, "is a binary file"),
        (".", 1, "is a folder"),
        (".git/config", 1, "inside a git directory"),
    ],
)
def test_what_cannot_be_answered_is_said(repo, name, line, problem):
    (repo.folder / "new.py").write_text("x = 1\n")
    (repo.folder / "logo.bin").write_bytes(b"\x89PNG\0\0")
    with pytest.raises(InvalidInput, match=problem):
        repo.line(name, line)


@pytest.mark.parametrize(
    ("about", "problem"),
    [
        ("src/nowhere.py:3", "about: src/nowhere.py cannot be read"),
        ("./net/:3", "about: ./net/ is a folder; name a file in it, and a line: ./net/file.py:12"),
        ("./net/get.py#L99999999999999", "about: ./net/get.py has no line 99999999999999"),
        ("./net/get.py:-1", "about: ./net/get.py has no line -1: lines are counted from 1"),
        ("./net/get\0.py:1", "about: holds a NUL byte"),
        ("./net/\ud800.py:1", "about: character 7 is half of a surrogate pair"),
    ],
)
def test_trouble_with_a_line_calls_the_file_what_the_asker_called_it(clew, repo, about, problem):
    (repo.folder / "net").mkdir()
    repo.git("mv", "fetch.py", "net/get.py")
    with pytest.raises(InvalidInput) as refused:
        clew.why(about)
    assert str(refused.value).startswith(problem)


def test_the_trail_of_a_line_is_the_same_whenever_it_is_asked_for(clew, clock):
    clew.remember("The vendor is slow in the morning, see #12")
    first = clew.why("fetch.py:6")
    clock.at += 86_400.0
    assert clew.why("fetch.py:6") == clew.why("fetch.py#L6") == first
    assert first.links[0].at == first.nodes[0].memory.recorded_at


def test_a_line_that_is_not_committed_yet_is_said(repo):
    (repo.folder / "fetch.py").write_text(CODE.replace("= 30", "= 99"))
    with pytest.raises(InvalidInput, match="not committed yet"):
        repo.line("fetch.py", 6)
    assert repo.line("fetch.py", 5).commit == repo.first


def test_outside_a_repository_and_before_the_first_commit_nobody_wrote_it(tmp_path):
    (tmp_path / "a.py").write_text("x\n")
    with pytest.raises(InvalidInput, match="no git repository"):
        origin(str(tmp_path / "a.py"), 1)
    empty = Repository(tmp_path / "empty")
    (empty.folder / "a.py").write_text("x\n")
    with pytest.raises(InvalidInput, match="committed"):
        empty.line("a.py", 1)


def test_a_shallow_clone_takes_no_commit_for_older_ones(repo, tmp_path):
    late = repo.commit("Wait longer", fetch__py=CODE.replace("30", "45"))
    repo.commit("Say what it is", about__txt="an app\n")
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.folder}", str(tmp_path / "shallow"))
    with pytest.raises(InvalidInput, match=r"line 5 of fetch\.py is older than the history of this shallow clone; `git fetch --unshallow`"):
        origin(str(tmp_path / "shallow" / "fetch.py"), 5)
    repo.git("clone", "-q", "--depth", "3", f"file://{repo.folder}", str(tmp_path / "deep"))
    assert origin(str(tmp_path / "deep" / "fetch.py"), 6).commit == late
    assert origin(str(tmp_path / "deep" / "fetch.py"), 5).commit == repo.first


def test_without_git_it_is_said(repo, monkeypatch):
    monkeypatch.setenv("PATH", str(repo.folder))
    with pytest.raises(InvalidInput, match="there is none on PATH"):
        repo.line("fetch.py", 6)


def test_a_list_of_ignored_commits_that_is_not_there_stands_in_the_way_only_where_the_repository_names_it(repo, tmp_path, monkeypatch):
    (tmp_path / ".gitconfig").write_text("[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert repo.line("fetch.py", 6).commit == repo.first
    repo.git("config", "blame.ignoreRevsFile", "nowhere")
    with pytest.raises(InvalidInput, match="ignoreRevsFile in this repository's git configuration names a file that is not there"):
        repo.line("fetch.py", 6)


def test_no_program_of_the_repositorys_own_choosing_is_run(repo, tmp_path):
    trap = tmp_path / "trap"
    for name in ("filter.evil.clean", "filter.evil.process", "core.fsmonitor", "diff.evil.textconv"):
        repo.git("config", name, f"touch {trap}")
    repo.git("config", "filter.evil.required", "true")
    (repo.folder / ".gitattributes").write_text("*.py filter=evil diff=evil\n")
    assert repo.line("fetch.py", 6).commit == repo.first
    assert not trap.exists()


def nodes(trail):
    """(number, summary) of each memory on a trail."""
    return [(node.id, node.memory.summary) for node in trail.nodes if node.memory is not None]


def test_with_nothing_known_the_commit_itself_is_the_answer_and_nothing_is_written(clew):
    trail = clew.why("fetch.py:6")
    ((number, summary),) = nodes(trail)
    memory = trail.nodes[0].memory
    assert (number, summary, memory.detail) == (0, "Fetch with a timeout (#12)", "The vendor answers after 25 s.")
    assert (memory.metadata, memory.origin) == ({"author": "A Tester"}, "git")
    assert clew.list() == []


def test_what_is_known_of_the_ticket_hangs_below_the_commit(clew):
    told = clew.remember("The vendor is slow in the morning, see #12", kind="fact").memory
    clew.remember("Something else entirely, see #99")
    trail = clew.why("fetch.py:6")
    assert nodes(trail) == [(0, "Fetch with a timeout (#12)"), (told.id, told.summary)]
    assert next((link.src, link.relation, link.dst) for link in trail.links) == (0, "about", told.id)
    assert [node.path for node in trail.nodes if node.memory] == [(0,), (0, told.id)]


def test_a_memory_of_the_commit_stands_for_it(clew, repo):
    own = clew.remember("Fetch with a timeout", source=Source(commit=repo.first)).memory
    assert nodes(clew.why("fetch.py:6"))[0] == (own.id, own.summary)
    assert all(node.id for node in clew.why("fetch.py:6").nodes)


def test_a_short_form_of_the_commit_is_enough(clew, repo):
    own = clew.remember("Fetch with a timeout", source=Source(commit=repo.first[:10])).memory
    assert nodes(clew.why("fetch.py:6"))[0][0] == own.id


def test_a_memory_that_names_the_commit_is_reached(clew, repo):
    short = next(digits for n in range(10, 41) if not (digits := repo.first[:n]).isdigit())  # a number alone is no commit's name
    told = clew.remember(f"Since commit {short} the morning import no longer fails").memory
    assert (told.id, told.summary) in nodes(clew.why("fetch.py:6"))


def test_a_pointer_near_the_line_counts_and_one_far_away_does_not(clew):
    near = clew.remember("Thirty seconds, since the vendor takes 25", pointers=[Pointer("fetch.py", line=6 + NEAR_LINES)]).memory
    far = clew.remember("The address is checked elsewhere", pointers=[Pointer("fetch.py", line=60)]).memory
    found = [number for number, _ in nodes(clew.why("fetch.py:6"))]
    assert near.id in found
    assert far.id not in found[:2]


def test_a_pointer_written_before_the_rename_is_found(clew, repo):
    near = clew.remember("Thirty seconds, since the vendor takes 25", pointers=[Pointer("fetch.py", line=6)]).memory
    repo.git("mv", "fetch.py", "get.py")
    repo.commit("Move the fetcher")
    assert near.id in [number for number, _ in nodes(clew.why("get.py:6"))]


def test_another_projects_memories_stay_there(clew):
    clew.remember("Told elsewhere about #12", project="elsewhere")
    assert [number for number, _ in nodes(clew.why("fetch.py:6"))] == [0]


def test_links_lead_on_from_the_commit_to_the_reason(clew, repo):
    commit = clew.remember("Fetch with a timeout", source=Source(commit=repo.first)).memory
    reason = clew.remember("Mornings are slow at the vendor").memory
    clew.link(commit.id, "because", reason.id)
    assert (reason.id, reason.summary) in nodes(clew.why("fetch.py:6"))


@pytest.mark.parametrize("about", ["at 10:30", "what runs at 10:30", "https://example.com:80", "#12", "ratio 3:2"])
def test_a_question_with_a_colon_is_a_question(clew, about):
    clew.remember("x")
    if about == "#12":
        clew.remember_many([])
        with pytest.raises(Exception, match="no memory"):
            clew.why(about)
    else:
        assert all(node.id for node in clew.why(about).nodes)


def test_a_line_with_a_column_is_a_line(clew):
    assert nodes(clew.why("./fetch.py:6:17"))[0][1] == "Fetch with a timeout (#12)"


LATER = CODE.replace("= 30", "= 45")


def merged(repo, message, branch="work", into="main", text=LATER):
    """Change the line on a branch and merge that with a commit of its own; the commit that changed it."""
    repo.git("checkout", "-q", "-b", branch)
    wrote = repo.commit("Wait longer", fetch__py=text)
    repo.git("checkout", "-q", into)
    repo.git("merge", "-q", "--no-ff", "-m", message, branch)
    return wrote


@pytest.mark.parametrize(
    ("message", "about"),
    [
        ("Merge pull request #12 from acme/wait\n\nWait longer in the morning", "Mornings are slow, see #12"),
        ("Merge branch 'wait' into 'main'\n\nWait longer\n\nSee merge request acme/app!12", "Mornings are slow, see PR 12"),
        ("Merged in wait (pull request #12)", "Mornings are slow, says PR #12"),
    ],
)
def test_a_number_that_stands_in_the_merge_alone_is_followed(clew, repo, message, about):
    wrote = merged(repo, message)
    repo.commit("Say what it is", about__txt="an app\n")
    told = clew.remember(about).memory
    trail = clew.why("fetch.py:6")
    assert nodes(trail) == [(0, "Wait longer"), (told.id, about)]
    merge = repo.git("rev-parse", "--short=12", "HEAD^")
    assert trail.nodes[0].memory.source.commit == wrote
    assert trail.nodes[0].memory.detail.startswith(f"Merged by commit {merge}: Merge")


def test_a_commit_that_was_not_merged_or_by_a_merge_without_a_number_tells_of_none(repo):
    repo.commit("Retry more often", fetch__py=CODE.replace("= 3\n", "= 4\n"))
    merged(repo, "Merge branch 'work'", text=CODE.replace("= 3\n", "= 4\n").replace("= 30", "= 45"))
    assert (repo.line("fetch.py", 5).merge, repo.line("fetch.py", 6).merge) == ("", "")


def test_of_merges_the_nearest_that_brought_the_commit_in_and_names_a_number_counts(repo):
    repo.git("checkout", "-q", "-b", "develop")
    repo.git("checkout", "-q", "-b", "work")
    repo.commit("Wait longer", fetch__py=CODE.replace("= 30", "= 45"))
    repo.git("checkout", "-q", "main")
    repo.commit("Say what it is", about__txt="an app\n")
    repo.git("checkout", "-q", "work")
    repo.git("merge", "-q", "-m", "Merge pull request #90 from acme/main", "main")  # the commit was here already
    for number, branch, into in ((None, "work", "side"), (12, "side", "develop"), (40, "develop", "main")):
        if into == "side":
            repo.git("branch", into, "develop")
        repo.git("checkout", "-q", into)
        said = f"Merge pull request #{number} from acme/{branch}" if number else f"Merge branch '{branch}' into {into}"
        repo.git("merge", "-q", "--no-ff", "-m", said, branch)
    assert repo.line("fetch.py", 6).merge.endswith(": Merge pull request #12 from acme/side")


def test_a_squashed_branch_keeps_its_own_number_and_git_is_not_asked_for_a_merge(repo, monkeypatch):
    merged(repo, "Merge pull request #40 from acme/develop")
    assert repo.line("fetch.py", 6).merge
    monkeypatch.setattr(blame, "_merge", lambda *_: pytest.fail("asked"))
    assert repo.line("fetch.py", 5).subject == "Fetch with a timeout (#12)"


def test_where_the_merge_takes_too_long_to_find_the_commit_is_the_answer(clew, repo, monkeypatch):
    merged(repo, "Merge pull request #12 from acme/wait")
    assert repo.line("fetch.py", 6).merge
    monkeypatch.setattr(blame, "MERGE_SECONDS", 0.0)
    assert repo.line("fetch.py", 6).merge == ""
    assert nodes(clew.why("fetch.py:6")) == [(0, "Wait longer")]


def test_a_merge_with_a_message_in_any_letters_does_no_harm(repo):
    merged(repo, "Merge pull request #12 from größe/\u202e😀\n\n" + "x" * 5_000)
    assert len(repo.line("fetch.py", 6).merge) < 400
