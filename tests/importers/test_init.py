"""Taking in a whole project: counts, progress, a second time, edits, and folders that cannot be taken in."""

import os

import pytest

from clew import Clew
from clew.errors import InvalidInput
from clew.importers import init

PROSE = "It keeps what was decided and finds it again."
ALL = ("active", "superseded", "done")


@pytest.fixture
def shop(repo):
    repo.commit("Use PostgreSQL for the ledger\n\nMongoDB lost writes under load.", {"README.md": f"# Shop\n\n{PROSE}\n"})
    repo.commit("Teach the parser tabs", {"src/parser.py": "1\n"})
    return repo


def texts(store, **which):
    return sorted(m.summary for m in store.list(limit=1_000, **which))


def test_history_and_documents_are_remembered_and_say_where_they_came_from(shop, store):
    done = init(store, str(shop.folder))
    assert done == {"commits": 2, "documents": 1, "known": 0, "superseded": 0, "done": 0, "refused": 0, "notes": []}
    assert {m.summary: m.origin for m in store.list()} == {
        "README › Shop": "import:documents",
        "Teach the parser tabs": "import:git",
        "Use PostgreSQL for the ledger": "import:git",
    }
    (hit, *_) = store.recall("why does the ledger use postgresql")
    assert hit.memory.detail == "MongoDB lost writes under load."


def test_importing_again_adds_and_changes_nothing(shop, store):
    init(store, str(shop.folder))
    before = store.list(statuses=ALL)
    again = init(store, str(shop.folder))
    assert (again["commits"], again["documents"], again["known"]) == (0, 0, 3)
    assert store.list(statuses=ALL) == before


def test_what_a_person_has_ended_stays_ended(shop, store):
    init(store, str(shop.folder))
    commit, section = store.list(tags=["commit"])[-1], store.list(tags=["document"])[0]
    store.done(commit.id, reason="we moved on")
    store.done(section.id, reason="we moved on")
    init(store, str(shop.folder))
    assert {store.show(m.id).status for m in (commit, section)} == {"done"}


def test_two_commits_of_one_message_are_one_memory(repo, store):
    repo.commit("Teach the parser tabs", {"a": "1\n"})
    repo.commit("Teach the parser tabs", {"a": "2\n"})
    done = init(store, str(repo.folder))
    assert (done["commits"], done["known"]) == (1, 1)
    assert [m.seen for m in store.list()] == [1]


def test_an_edited_section_supersedes_what_it_said_and_a_lost_one_is_done(shop, store):
    shop.write(
        "README.md",
        f"# Shop\n\n{PROSE}\n\n## Deploy\n\nPush to the main branch and wait.\n\n## Colours\n\nEverything here is blue, always.\n",
    )
    init(store, str(shop.folder))
    old = {m.summary: m for m in store.list(tags=["document"])}
    shop.write("README.md", f"# Shop\n\n{PROSE}\n\n## Deploy\n\nTag the release and wait for it.\n")
    done = init(store, str(shop.folder))
    assert (done["documents"], done["superseded"], done["done"]) == (1, 1, 1)
    deploy, colours = (store.show(old[f"README › {name}"].id) for name in ("Deploy", "Colours"))
    assert (deploy.status, deploy.reason) == ("superseded", "README.md was edited")
    assert store.show(deploy.successor).detail == "Tag the release and wait for it."
    assert (colours.status, colours.reason) == ("done", "no longer in README.md")


def test_a_section_that_returns_to_what_it_said_is_active_again(shop, store):
    first, second = f"# Shop\n\n{PROSE}\n", "# Shop\n\nIt forgets what was decided, and on purpose.\n"
    for text in (first, second, first):
        shop.write("README.md", text)
        init(store, str(shop.folder))
    assert [m.detail for m in store.list(tags=["document"])] == [PROSE]
    gone = store.list(tags=["document"], statuses=["superseded"])
    assert [store.show(m.successor).detail for m in gone] == [PROSE]


def test_a_file_that_this_import_did_not_see_keeps_what_it_said(shop, store):
    shop.write("pay/README.md", f"# Pay\n\n{PROSE}\n")
    init(store, str(shop.folder))
    done = init(store, str(shop.folder / "pay"))
    assert (done["superseded"], done["done"]) == (0, 0)
    assert texts(store, tags=["document"]) == ["README › Shop", "pay/README › Pay"]


def test_memories_of_a_persons_own_are_never_ended_by_an_import(shop, store):
    mine = store.remember("README › Shop", detail="My own words about it.", tags=["document"]).memory
    init(store, str(shop.folder))
    assert store.show(mine.id).status == "active"


def test_the_limit_holds_for_commits_and_nought_means_documents_alone(shop, store):
    assert init(store, str(shop.folder), limit=0)["commits"] == 0
    assert init(store, str(shop.folder), limit=1)["commits"] == 1
    assert texts(store, tags=["commit"]) == ["Teach the parser tabs"]
    with pytest.raises(InvalidInput, match="limit"):
        init(store, str(shop.folder), limit=-1)


def test_a_long_history_comes_in_batches_and_is_told_as_it_goes(repo, store):
    stream = b"".join(
        b"commit refs/heads/main\ncommitter Ada <a@example.invalid> %d +0000\ndata %d\n%s\n"
        % (1_700_000_000 + n, len(m := b"Teach step %d" % n), m)
        for n in range(1_200)
    )
    repo.git("fast-import", "--quiet", stdin=stream)
    told = []
    assert init(store, str(repo.folder), tell=lambda done, everything: told.append((done, everything)))["commits"] == 1_200
    assert told == [(0, 1_200), (500, 1_200), (1_000, 1_200), (1_200, 1_200), (1_200, 1_200)]


def test_an_interrupted_import_keeps_what_it_has_and_goes_on(repo, store):
    for n in range(3):
        repo.commit(f"Teach step {n} to the parser")
    repo.write("README.md", f"# Shop\n\n{PROSE}\n")

    def stop(done, everything):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        init(store, str(repo.folder), tell=stop)
    done = init(store, str(repo.folder))
    assert (done["known"], done["documents"], done["commits"]) == (1, 0, 3)


def test_a_draft_that_nobody_can_keep_is_counted_and_the_others_are_kept(repo, store):
    repo.commit("Teach the parser tabs")
    repo.commit("<private>what nobody may know</private>\n\nA body all the same.")
    repo.commit("Teach the parser quotes")
    done = init(store, str(repo.folder))
    assert (done["commits"], done["refused"]) == (2, 1)
    assert texts(store) == ["Teach the parser quotes", "Teach the parser tabs"]


def test_a_secret_in_a_commit_never_reaches_the_store(repo, store):
    secret = "ghp_" + "a1B2" * 9
    repo.commit(f"Rotate the token\n\nThe old one was {secret} and is dead.")
    init(store, str(repo.folder))
    (kept,) = store.list()
    assert secret not in kept.detail
    assert "redacted" in kept.detail


@pytest.mark.parametrize("inside", [True, False])
def test_without_history_the_documents_are_taken_in_and_it_says_so(tmp_path, another, inside):
    folder = another("fresh").folder if inside else tmp_path / "plain"
    folder.mkdir(exist_ok=True)
    (folder / "README.md").write_text(f"# Shop\n\n{PROSE}\n", "utf-8")
    with Clew(":memory:", root=str(folder), embed="off", long_lived=False) as clew:
        done = init(clew, str(folder))
    assert (done["documents"], done["commits"]) == (1, 0)
    assert done["notes"] == [
        "the repository has no commits here yet, so only documents were taken in"
        if inside
        else f"{folder} is in no git repository, so only documents were taken in"
    ]


def test_a_shallow_clone_says_that_it_is_not_the_whole_history(shop, store, tmp_path):
    shop.git("clone", "-q", "--depth", "1", shop.folder.as_uri(), str(tmp_path / "shallow"))
    done = init(store, str(tmp_path / "shallow"))
    assert done["commits"] == 1
    assert done["notes"] == ["this is a shallow clone: only the commits that it holds were taken in"]


def test_without_git_the_documents_are_taken_in_and_it_says_so(shop, store, monkeypatch):
    monkeypatch.setenv("PATH", "")
    done = init(store, str(shop.folder))
    assert (done["documents"], done["commits"]) == (1, 0)
    assert done["notes"] == ["git is not installed, so only documents were taken in"]


def test_a_folder_with_nothing_to_take_in_is_refused_with_the_way_out(repo, store):
    with pytest.raises(InvalidInput, match=r"nothing to take in.*clew remember"):
        init(store, str(repo.folder))
    with pytest.raises(InvalidInput, match="there is no folder"):
        init(store, str(repo.folder / "nowhere"))


def test_home_and_what_lies_above_it_are_never_taken_in(store, a_home_of_its_own):
    (a_home_of_its_own / "README.md").write_text(f"# Mine\n\n{PROSE}\n", "utf-8")
    for folder in (a_home_of_its_own, a_home_of_its_own.parent, os.sep):
        with pytest.raises(InvalidInput, match="home folder"):
            init(store, str(folder))


def test_a_number_that_stands_in_a_merge_alone_is_known_and_leads_to_the_commits_it_brought(repo, store):
    repo.commit("Lay the ground")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("Teach the parser tabs", {"a": "1\n"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge pull request #12 from ada/topic\n\nRead pasted tables", "topic")
    init(store, str(repo.folder))
    numbers = {memory.summary: memory.id for memory in store.list()}
    pull, tabs = numbers["Read pasted tables (#12)"], numbers["Teach the parser tabs"]
    asked = store.remember("three columns because of PR 12").memory.id
    assert [row[:3] for row in store._store.links_of([asked])] == [(asked, "because", pull)]
    assert tabs in {node.id for node in store.path(asked, tabs).nodes}
    init(store, str(repo.folder))
    assert len(store.list()) == 4
