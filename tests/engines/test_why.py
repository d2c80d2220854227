"""`why` and `path` over a store in memory: seeds, both directions, marks, bounds, and what never comes through an edge."""

import pytest

from clew import Clew, Draft, InvalidInput, NotFound, Source, Trail
from clew.embed.everyday import TOPICS

DECISION = "Uploads are retried with exponential backoff"
CHANGE = "PR 42 reworks the transfer client"
PROBLEM = "Customers in Perth lost photographs over hotel wifi"
STRANGER = "Invoices carry the buyer's tax number"


@pytest.fixture
def chain(store):
    """decision → change → problem, and a memory that has nothing to do with them; their numbers."""
    numbers = [store.remember(text).memory.id for text in (DECISION, CHANGE, PROBLEM, STRANGER)]
    link(store, (numbers[0], "decided_in", numbers[1]), (numbers[1], "fixes", numbers[2]))
    return numbers


def link(clew, *edges):
    """Typed links, as an import brings them."""
    digests = {i: clew.show(i).digest for edge in edges for i in (edge[0], edge[2])}
    clew.import_jsonl([{"type": "link", "src": digests[s], "relation": r, "dst": digests[d]} for s, r, d in edges])


def ids(trail):
    """The numbers of its memories in order."""
    return [node.id for node in trail.nodes if node.memory]


def test_a_question_about_a_decision_leads_to_the_problem_that_shares_no_word_with_it(store, chain):
    trail = store.why("why are uploads retried with backoff?")
    assert ids(trail) == chain[:3]
    assert [node.hop for node in trail.nodes] == [0, 1, 2]
    assert trail.nodes[2].path == tuple(chain[:3])
    assert [(k.src, k.relation, k.dst) for k in trail.links] == [(chain[0], "decided_in", chain[1]), (chain[1], "fixes", chain[2])]


def test_links_are_followed_against_their_direction_too(store, chain):
    assert ids(store.why(chain[2])) == [chain[2], chain[1], chain[0]]


@pytest.mark.parametrize("form", [int, str, "#{}".format])
def test_a_number_in_any_form_explains_that_memory(store, chain, form):
    assert ids(store.why(form(chain[0]))) == chain[:3]


def test_a_digest_explains_its_memory_and_a_word_that_looks_like_one_is_a_question(store, chain):
    assert ids(store.why(store.show(chain[0]).digest[:12])) == chain[:3]
    assert store.why("facade") == Trail()


def test_an_unrelated_question_gets_an_empty_trail(store, chain):
    assert store.why("what is the airspeed of a swallow?") == Trail()


def test_a_question_about_a_ticket_alone_starts_from_what_names_it_and_no_other_ticket(store):
    first = store.remember("SHOP-1: the cart loses items when two tabs are open").memory.id
    second = store.remember("SHOP-2: prices are rounded twice on the invoice").memory.id
    decision = store.remember("Use Decimal for prices because of SHOP-2", kind="decision").memory.id
    for said in ("SHOP-2", "why SHOP-2?", "why did we do SHOP-2"):
        assert set(ids(store.why(said))) == {second, decision}
    assert first in ids(store.why("the cart of SHOP-2"))
    assert store.why("SHOP-9") == store.why("what is with SHOP-9?") == Trail()


@pytest.mark.parametrize("said", ["1bed1d9", "why 1bed1d9b", "why commit 1bed1d9?", "what did commit 1bed1d9b7896 do"])
def test_a_commit_is_asked_for_by_its_digits_which_no_text_holds(store, chain, said):
    own = store.remember("Keep constants in one place", source=Source(commit="1bed1d9b7896aa52fe0b8354fb11ba90479f1bec")).memory.id
    store.remember("This reverts commit d636e4639891e471c50b5aa8cf2ceae031a2b790", tags=["commit"])
    assert ids(store.why(said)) == [own]
    assert store.why(said.replace("1bed", "2cfe")) == Trail()


def test_digits_that_may_be_a_commits_are_found_in_a_text_that_says_them(store):
    part = store.remember("Part abc1234 leaks at the valve").memory.id
    store.remember("Part abc1299 holds at the valve")
    assert ids(store.why("abc1234")) == ids(store.why("why abc1234?")) == [part]
    assert store.why("abc1255") == Trail()


def test_a_numbered_paper_is_asked_for_by_both_its_words(store):
    own = store.remember("Caching follows RFC 7231").memory.id
    store.remember("Dates follow RFC 7232")
    assert ids(store.why("RFC 7231")) == ids(store.why("why RFC-7231")) == [own]
    assert store.why("RFC 7239") == Trail()


@pytest.mark.parametrize("said", ["PR 14", "why pull request 14?", "why was PR 14 merged", "why ticket #14"])
def test_a_pull_request_is_asked_for_by_its_number(store, said):
    own = store.remember("Survive the nightly compaction (#14)").memory.id
    other = store.remember("Halve the backoff (#15)").memory.id
    assert ids(store.why(said)) == [own]
    assert ids(store.why(said.replace("14", "15"))) == [other]


def test_a_ticket_of_a_repository_is_found_by_its_number_here(store):
    number = store.remember("The importer is streamed since acme/api#12").memory.id
    assert ids(store.why("why acme/api#12")) == [number]
    assert ids(store.why("why GH-12")) == [number]


def test_two_answers_of_a_question_that_a_link_joins_hang_together(store):
    other = store.remember("Uploads of photographs are retried five times").memory.id
    best = store.remember("Uploads of photographs are retried with backoff").memory.id
    assert [node.path for node in store.why("uploads of photographs retried").nodes] == [(best,), (other,)]
    link(store, (best, "refines", other))
    assert [(node.hop, node.path) for node in store.why("uploads of photographs retried").nodes] == [(0, (best,)), (0, (best, other))]


def test_what_one_store_surely_knows_a_store_that_speaks_of_everything_knows_by_chance(store, chain):
    alike = "why are uploads retried at the harbour by the night crew"
    assert ids(store.why(alike))[0] == chain[0]
    store.remember_many(Draft(topic) for topic in TOPICS)
    assert store.why(alike) == Trail()
    assert ids(store.why("why are uploads retried with backoff?"))[0] == chain[0]


def test_small_talk_gets_an_empty_trail_where_the_store_is_full_of_talk(store, chain):
    store.remember("Thanks, that was really helpful")
    assert store.recall("thanks, that was really helpful")
    assert store.why("thanks, that was really helpful") == Trail()


def test_an_unknown_number_is_not_found(store, chain):
    with pytest.raises(NotFound):
        store.why(999)


@pytest.mark.parametrize("about", ["", " \n", None, True, 0, "-1", "a\0b"])
def test_what_cannot_be_asked_about_is_refused_by_its_own_name(store, chain, about):
    with pytest.raises(InvalidInput) as refused:
        store.why(about)
    assert refused.value.field == "about"


def test_either_end_of_a_way_is_refused_by_its_own_name(store, chain):
    for ends, field in ((("x", chain[0]), "a"), ((chain[0], "x"), "b"), ((chain[0], None), "b")):
        with pytest.raises(InvalidInput) as refused:
            store.path(*ends)
        assert refused.value.field == field


def test_hops_bound_the_trail(store, chain):
    assert ids(store.why(chain[0], max_hops=1)) == chain[:2]


@pytest.mark.parametrize("bounds", [{"max_hops": 0}, {"max_hops": 11}, {"limit": 0}, {"limit": True}, {"max_hops": "2"}])
def test_bounds_outside_the_table_are_refused_by_name(store, chain, bounds):
    with pytest.raises(InvalidInput, match=next(iter(bounds))):
        store.why(chain[0], **bounds)


def test_a_limit_keeps_the_nearest_and_counts_the_rest(store, chain):
    trail = store.why(chain[0], limit=2)
    assert (ids(trail), trail.left_out) == (chain[:2], 1)


def test_what_was_superseded_is_on_the_trail_with_its_successor(store, chain):
    new = store.remember("Uploads resume where they stopped").memory.id
    store.supersede(chain[0], new, reason="resumable protocol")
    by_id = {node.id: node.memory for node in store.why(chain[2], max_hops=3).nodes}
    assert (by_id[chain[0]].status, by_id[chain[0]].successor, by_id[new].status) == ("superseded", new, "active")


def test_no_text_of_another_project_comes_through_an_edge(store, chain):
    there = store.remember("The other project's secret plan", project="elsewhere").memory.id
    beyond = store.remember("What lies behind the plan").memory.id
    link(store, (chain[0], "because", there), (there, "because", beyond))
    trail = store.why(chain[0], max_hops=10)
    assert set(ids(trail)) == set(chain[:3])
    assert all(there not in (k.src, k.dst) for k in trail.links)
    assert store.path(chain[0], beyond) == Trail()


def test_a_memory_of_another_project_is_explained_by_its_own(store, chain):
    there = store.remember("A plan", project="elsewhere").memory.id
    link(store, (chain[0], "because", there))
    assert ids(store.why(there)) == [there]


def test_a_users_own_memory_is_on_the_trail_of_every_project(store, chain):
    own = store.remember("I travel a lot", project="@user").memory.id
    link(store, (chain[2], "because", own))
    assert own in ids(store.why(chain[0], max_hops=3))


def test_what_expired_is_on_no_trail(store, chain, clock):
    short = store.remember("The client of last week", ttl=60).memory.id
    link(store, (chain[0], "mentions", short))
    assert short in ids(store.why(chain[0]))
    clock.at += 61
    assert short not in ids(store.why(chain[0]))


def test_a_forgotten_memory_breaks_the_trail(store, chain):
    store.forget(chain[1])
    assert ids(store.why(chain[0])) == [chain[0]]


def test_a_ring_is_walked_once(store, chain):
    link(store, (chain[2], "because", chain[0]))
    assert sorted(ids(store.why(chain[0], max_hops=10))) == chain[:3]


def test_the_way_between_two_memories_is_shown_from_end_to_end(store, chain):
    trail = store.path(chain[2], chain[0])
    assert ids(trail) == chain[2::-1]
    assert [node.hop for node in trail.nodes] == [0, 1, 2]


def test_two_memories_without_a_connection_have_no_way(store, chain):
    assert store.path(chain[0], chain[3]) == Trail()


def test_a_memory_is_connected_with_itself(store, chain):
    assert ids(store.path(chain[0], chain[0])) == [chain[0]]


def test_a_trail_is_the_same_after_a_restart_and_a_reindex(tmp_path, clock):
    file = str(tmp_path / "memory.db")

    def opened():
        return Clew(file, project="trip", embed="hashing", clock=clock)

    with opened() as clew:
        numbers = [clew.remember(f"{word} {DECISION}").memory.id for word in ("one", "two", "three", "four", "five", "six")]
        link(clew, *((a, "because", b) for a in numbers for b in numbers if a < b))
        before = clew.why("uploads retried", max_hops=3)
    with opened() as clew:
        assert clew.why("uploads retried", max_hops=3) == before
        clew.reindex()
        assert clew.why("uploads retried", max_hops=3) == before
