"""Links that somebody makes, and what is remembered about a thing by its name."""

import pytest

from clew import Draft, Entity, InvalidInput, NotFound


def links(clew, *ids):
    return [(src, relation, dst, origin) for src, relation, dst, _, origin in sorted(clew._store.links_of(ids or range(1, 50)))]


@pytest.fixture
def three(store):
    store.remember_many([Draft("one"), Draft("two"), Draft("three")])
    return store


def test_a_link_is_made_once_and_says_when_and_by_whom(three, clock):
    assert three.link(1, "because", "#2") is True
    made = clock.at
    clock.at += 60
    assert three.link("1", "because", 2) is False
    assert three._store.links_of([1]) == [(1, "because", 2, made, "python")]
    assert three.link(2, "because", 1) is True
    assert three.link(1, "depends_on", 2) is True


def test_a_link_is_taken_away_once(three):
    three.link(1, "because", 2)
    assert three.unlink(1, "fixes", 2) is three.unlink(2, "because", 1) is False
    assert (three.unlink(1, "because", 2), three.unlink(1, "because", 2)) == (True, False)
    assert links(three) == []


@pytest.mark.parametrize("word", ["", "Because", "be cause", "1st", "x" * 41, "a\nb", "because;", None, 7])
def test_a_relation_is_one_lower_case_word(three, word):
    for verb in (three.link, three.unlink):
        with pytest.raises(InvalidInput, match=r"relation: .* lower-case word of at most 40 characters, such as because"):
            verb(1, word, 2)
    with pytest.raises(InvalidInput, match="relation"):
        three.remember("four", links=[(word, 1)])
    assert (links(three), len(three.list())) == ([], 3)


@pytest.mark.parametrize("word", ["because", "decided_in", "x" * 40, "made-up", "wegen", "因为"])
def test_any_lower_case_word_will_do(three, word):
    assert three.link(1, word, 2)
    assert links(three) == [(1, word, 2, "python")]


def test_a_memory_is_not_linked_to_itself(three):
    with pytest.raises(InvalidInput, match="dst: memory #1 cannot be linked to itself"):
        three.link(1, "because", "#1")
    with pytest.raises(InvalidInput, match="memory #1 cannot be linked to itself"):
        three.remember("one", because=1)
    assert three.show(1).seen == 1


def test_an_unknown_end_is_named(three):
    with pytest.raises(NotFound, match="there is no memory #9"):
        three.link(1, "because", 9)
    with pytest.raises(InvalidInput, match=r"^src: "):
        three.link("zz", "because", 9)
    with pytest.raises(NotFound, match="there is no memory #9"):
        three.remember("four", because=[1, 9])
    assert len(three.list()) == 3


def test_a_memory_comes_with_its_links(three):
    kept = three.remember("four", because="#1", links=[("depends_on", 2), ("fixes", three.show(3).digest[:8])])
    assert kept.memory.id == 4
    assert links(three) == [(4, "because", 1, "python"), (4, "depends_on", 2, "python"), (4, "fixes", 3, "python")]
    three.remember("four", because=[2, 3])
    assert [row[:3] for row in links(three) if row[1] == "because"] == [(4, "because", 1), (4, "because", 2), (4, "because", 3)]


def test_what_somebody_links_outlives_the_wording_that_said_the_same(store):
    store.remember_many([Draft("#12: storms"), Draft("three because of #12")])
    assert links(store) == [(2, "because", 1, "rule")]
    assert store.link(2, "because", 1) is True
    store.edit(2, summary="three")
    store.reindex()
    assert links(store) == [(2, "because", 1, "python")]


@pytest.mark.parametrize("wording", ["three because of #12", "three\n\nThe reason is #12, so it is because of #12", "#12 fixed by storms"])
def test_a_link_by_wording_that_was_taken_away_stays_away_whatever_is_edited_or_made_anew(store, wording):
    store.remember_many([Draft("#12: storms"), Draft("three because of #12")])
    assert store.unlink(2, "because", 1) is True
    assert store.unlink(2, "because", 1) is False
    store.edit(2, summary=wording.partition("\n")[0], detail=wording.partition("\n\n")[2])
    store.edit(1, summary="#12: storms at sea")
    assert [row for row in links(store) if row[1] == "because"] == []
    store.reindex()
    assert [row for row in links(store) if row[1] == "because"] == []


def test_a_link_that_leads_to_the_one_who_says_it_stays_away_too(store):
    store.remember_many([Draft("#12: storms"), Draft("three superseded by #12")])
    assert links(store) == [(1, "supersedes", 2, "rule")]
    store.unlink(1, "supersedes", 2)
    store.reindex()
    assert links(store) == []


def test_what_somebody_took_away_stays_away_from_the_memory_that_it_is_joined_to(store):
    store.remember("#12: storms", project="other")
    store.remember_many([Draft("#12: storms"), Draft("three because of #12")])
    store.unlink(3, "because", 2)
    store.project_move([3], into="other")
    store.project_move([2], into="other")
    assert [row[:3] for row in links(store) if row[0] != row[2]] == []
    store.reindex()
    assert links(store) == []


def test_what_somebody_took_away_comes_back_by_hand_and_then_goes_for_good_again(store):
    store.remember_many([Draft("#12: storms"), Draft("three because of #12")])
    store.unlink(2, "because", 1)
    assert store.link(2, "because", 1) is True
    store.reindex()
    assert links(store) == [(2, "because", 1, "python")]
    assert store.unlink(2, "because", 1) is True
    store.reindex()
    assert links(store) == []


def test_taking_away_what_no_wording_states_says_nothing_of_a_later_wording(store):
    store.remember_many([Draft("#12: storms"), Draft("three")])
    store.link(2, "because", 1)
    store.unlink(2, "because", 1)
    store.edit(2, summary="three because of #12")
    assert links(store) == [(2, "because", 1, "rule")]


def test_others_that_say_the_same_are_linked_all_the_same(store):
    store.remember_many([Draft("#12: storms"), Draft("three because of #12"), Draft("four because of #12")])
    store.unlink(2, "because", 1)
    store.reindex()
    assert links(store) == [(3, "because", 1, "rule")]


@pytest.mark.parametrize("end", [1, 2])
def test_nothing_is_left_of_what_was_taken_away_when_an_end_is_forgotten(store, end):
    store.remember_many([Draft("#12: storms"), Draft("three because of #12")])
    store.unlink(2, "because", 1)
    store.forget(end)
    assert store._store._rows("SELECT count(*) FROM unlinked", ()) == [(0,)]


def test_an_entity_is_found_by_any_of_its_names_with_the_newest_memory_first(store):
    store.remember("UserProfile is slow")
    store.remember("nothing of it")
    store.remember("we cache `UserProfile`")
    for name in ("UserProfile", "userprofile", " user profile ", "UserProfile()"):
        found = store.entity(name)
        assert (found.entities, [m.id for m in found.memories], found.left_out) == ((Entity(1, "symbol", "UserProfile"),), [3, 1], 0)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("see src/net/retry.py", "./src/net/retry.py"),
        ("fixes #12", "#12"),
        ("PR 12 is in", "pr 12"),
        ("Reverts 1a2b3c4d5e6f", "1a2b3c4d5e6f"),
        ("they left New York", "new york"),
        ("see https://example.com/x/#y", "https://example.com/x"),
        ("on PostgreSQL 16", "PostgreSQL 16"),
        ("npm i @types/node", "@types/node"),
        ("ask @jdoe", "jdoe"),
    ],
)
def test_each_kind_is_found_as_people_write_it(store, text, name):
    store.remember(text)
    assert [m.summary for m in store.entity(name).memories] == [text]


def test_one_name_may_be_several_things(store):
    store.remember("the owner/repo#12 is ours")
    store.remember("see #12")
    found = store.entity("#12")
    assert [thing.name for thing in found.entities] == ["owner/repo#12", "#12"]
    assert [m.id for m in found.memories] == [2, 1]


def test_a_limit_leaves_out_the_oldest_and_says_how_many(store):
    store.remember_many([Draft(f"{i} see #12") for i in range(5)])
    found = store.entity("#12", limit=2)
    assert ([m.id for m in found.memories], found.left_out) == ([5, 4], 3)
    for limit in (0, 1001, True, "2"):
        with pytest.raises(InvalidInput, match="limit"):
            store.entity("#12", limit=limit)


def test_an_entity_shows_nothing_of_another_project_and_nothing_expired(store, clock):
    store.remember("ours: see #12")
    store.remember("theirs: see #12", project="other")
    store.remember("the user's: see #12", project="@user")
    store.remember("for a while: see #12", ttl=60)
    store.remember("over: see #12")
    store.done(5)
    clock.at += 61
    assert [m.id for m in store.entity("#12").memories] == [5, 3, 1]
    assert [m.id for m in store.entity("#12", project="other").memories] == [3, 2]


@pytest.mark.parametrize("name", ["#13", "nobody", "x" * 500])
def test_what_nothing_names_is_not_found(store, name):
    store.remember("see #12")
    with pytest.raises(NotFound, match="names"):
        store.entity(name)


@pytest.mark.parametrize("name", ["", "   ", 12, None, "a\0b"])
def test_a_name_that_is_none_is_refused(store, name):
    store.remember("see #12")
    with pytest.raises(InvalidInput, match=r"^name: "):
        store.entity(name)


def test_an_empty_project_knows_no_name(store):
    with pytest.raises(NotFound):
        store.entity("#12")


def test_what_superseded_a_memory_stays_linked_whatever_its_wording_comes_to_say(store):
    store.remember("keep MySQL")
    store.remember("use Postgres, replaces memory #1")
    store.supersede(1, 2)
    store.edit(2, summary="use Postgres")
    assert [row[:3] for row in store._store.links_of([1])] == [(2, "supersedes", 1)]
