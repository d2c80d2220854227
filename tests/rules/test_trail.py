"""The walk of `why` by values: hops, what arrives, ways, bounds."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.model import Hit, Signals
from clew.rules import trail
from clew.rules.trail import SEEDS, WORDS_MOST, Asked, Reached, asked, cut, nearest, passed_on, seeds_of, shortest, walk


def graph(*edges):
    """An expand function over (a, relation, b), walked both ways."""

    def expand(nodes):
        wanted = set(nodes)
        rows = [(a, b, r) for a, r, b in edges if a in wanted] + [(b, a, r) for a, r, b in edges if b in wanted]
        degrees = {n: sum(n in (a, b) for a, _, b in edges) for n in nodes}
        return rows, degrees

    return expand


CHAIN = graph((1, "decided_in", 2), (2, "fixes", 3), (3, "because", 4))


def hops(reached):
    """node → hop."""
    return {r.node: r.hop for r in reached}


def test_links_are_walked_in_both_directions_up_to_the_last_hop():
    assert hops(walk([(1, 1.0)], CHAIN, max_hops=2)) == {1: 0, 2: 1, 3: 2}
    assert hops(walk([(4, 1.0)], CHAIN, max_hops=2)) == {4: 0, 3: 1, 2: 2}


def test_each_node_says_over_which_nodes_it_was_reached():
    assert [r.path for r in walk([(1, 1.0)], CHAIN, max_hops=10)] == [(1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)]


def test_two_memories_that_name_the_same_thing_are_one_hop_apart():
    named = graph((1, "mentions", -7), (2, "mentions", -7))
    assert walk([(1, 1.0)], named, max_hops=1)[-1].path == (1, -7, 2)
    assert hops(walk([(1, 1.0)], named, max_hops=1)) == {1: 0, -7: 1, 2: 1}


def test_a_typed_link_comes_before_a_mention_and_the_lower_number_before_the_higher():
    mixed = graph((1, "mentions", -7), (2, "mentions", -7), (1, "because", 9), (1, "because", 8))
    assert [r.node for r in walk([(1, 1.0)], mixed, max_hops=1)] == [1, 8, 9, -7, 2]


def test_two_shared_names_in_a_row_are_too_faint_where_links_lead_on_as_far_as_asked():
    crowd = [(memory, "mentions", -7) for memory in range(1, 9)] + [(memory, "mentions", -8) for memory in (8, *range(20, 28))]
    chain = [(30 + n, "because", 31 + n) for n in range(10)]
    reached = hops(walk([(1, 0.2), (30, 1.0)], graph(*crowd, *chain), max_hops=10))
    assert set(range(1, 9)) | set(range(30, 41)) <= reached.keys()
    assert not set(range(20, 28)) & reached.keys()


def test_a_name_too_faint_to_bring_anything_is_not_followed():
    crowd = [(memory, "mentions", -7) for memory in range(1, 9)] + [(8, "mentions", -n) for n in range(8, 40)]
    asked_for = []

    def expand(nodes):
        asked_for.extend(nodes)
        return graph(*crowd)(nodes)

    assert {r.node for r in walk([(1, 1.0)], expand, max_hops=2)} == {*range(1, 9), -7}
    assert set(asked_for) == {*range(1, 9), -7}


@given(
    st.lists(st.tuples(st.integers(1, 12), st.sampled_from(["about", "mentions"]), st.integers(-9, -1)), max_size=60),
    st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["because", "fixes"]), st.integers(7, 12)), max_size=12),
    st.lists(st.tuples(st.integers(1, 12), st.floats(0.01, 1.0)), min_size=1, max_size=5, unique_by=lambda seed: seed[0]),
    st.integers(1, 4),
    st.sampled_from([0.005, 0.02, 0.05, 0.1, 0.2, 0.4]),
)
def test_what_is_not_followed_changes_no_answer(names, links, seeds, hops, faint):
    edges = graph(*sorted({*names, *links}))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(trail, "FAINT", faint)  # the more of it the more is not followed
        found = [walk(seeds, edges, max_hops=hops, degrees=degrees) for degrees in (None, lambda nodes: edges(nodes)[1])]
        patched.setattr(trail, "_loud", lambda frontier, faint, degrees: frontier)  # everything is followed
        whole = walk(seeds, edges, max_hops=hops)
    assert found == [whole, whole]


def test_what_an_edge_of_a_quiet_one_leads_to_is_not_taken_over_a_name(monkeypatch):
    monkeypatch.setattr(trail, "FAINT", 0.05)
    loud = [(1, "about", -1), (2, "about", -1), (1, "because", 3), (3, "about", -2), (4, "about", -2)]
    degrees = {-1: 2, -2: 2, 1: 2, 2: 400, 3: 2, 4: 2}

    def walked(*edges):
        def expand(nodes):
            return graph(*loud, *edges)(nodes)[0], {node: degrees[node] for node in nodes}

        return hops(walk([(1, 1.0)], expand, max_hops=2, degrees=lambda nodes: {node: degrees[node] for node in nodes}))

    assert walked() == {1: 0, -1: 1, 2: 1, 3: 1, -2: 2, 4: 2}
    assert walked((2, "fixes", 4)) == {1: 0, -1: 1, 2: 1, 3: 1, -2: 2}


def test_what_is_near_over_links_is_kept_before_what_only_shares_names():
    joined = graph(*[(memory, "mentions", -7) for memory in range(1, 6)], (1, "because", 30), (30, "because", 31))
    memories = [r for r in walk([(1, 1.0)], joined, max_hops=2) if r.node > 0]
    assert [r.node for r in nearest(memories, 99)] == [1, 30, 2, 3, 4, 5, 31]
    assert [r.node for r in nearest(memories, 4)] == [1, 30, 2, 31]


def test_a_hub_passes_less_on_than_a_quiet_node():
    assert passed_on("because", 1) == 1.0
    assert passed_on("because", 200) < passed_on("because", 3) < 1.0
    assert passed_on("mentions", 3) < passed_on("because", 3)


def test_of_two_ways_of_the_same_length_the_more_relevant_one_stands():
    diamond = graph((1, "because", 4), (2, "because", 4))
    assert walk([(1, 0.2), (2, 0.9)], diamond, max_hops=1)[-1].path == (2, 4)


def test_a_ring_ends_and_no_node_comes_twice():
    ring = graph((1, "because", 2), (2, "because", 3), (3, "because", 1))
    reached = walk([(1, 1.0)], ring, max_hops=10)
    assert sorted(r.node for r in reached) == [1, 2, 3]


def test_a_walk_is_no_larger_than_its_bound_and_keeps_the_most_relevant():
    star = graph(*((1, "because", n) for n in range(2, 50)), (1, "mentions", -1))
    assert [r.node for r in walk([(1, 1.0)], star, max_hops=3, size=5)] == [1, 2, 3, 4, 5]


def test_seeds_end_where_the_score_falls_off():
    assert cut([(1, 1.0), (2, 0.9), (3, 0.3), (4, 0.29)]) == [(1, 1.0), (2, 0.9)]
    assert len(cut([(n, 1.0) for n in range(20)])) == SEEDS
    assert cut([]) == []


def test_nothing_to_start_from_reaches_nothing():
    assert walk([], CHAIN, max_hops=3) == []


def test_the_shortest_way_is_found_from_either_end():
    assert shortest(1, 4, CHAIN, max_hops=10) == (1, 2, 3, 4)
    assert shortest(4, 1, CHAIN, max_hops=10) == (4, 3, 2, 1)
    assert shortest(1, 1, CHAIN, max_hops=10) == (1,)


def test_a_way_over_a_shared_name_counts_as_one_hop():
    named = graph((1, "mentions", -7), (2, "mentions", -7))
    assert shortest(1, 2, named, max_hops=1) == (1, -7, 2)


def test_what_is_further_than_the_bound_or_not_connected_has_no_way():
    assert shortest(1, 4, CHAIN, max_hops=2) == ()
    assert shortest(1, 99, CHAIN, max_hops=10) == ()


EDGES = st.lists(st.tuples(st.integers(1, 12), st.sampled_from(["because", "fixes"]), st.integers(1, 12)), max_size=30)


@given(EDGES, st.integers(1, 12), st.integers(1, 12))
def test_the_shortest_way_is_as_long_as_the_walk_says_whatever_the_graph(edges, start, goal):
    expand = graph(*edges)
    reached = hops(walk([(start, 1.0)], expand, max_hops=10))
    way = shortest(start, goal, expand, max_hops=10)
    assert len(way) == (reached[goal] + 1 if goal in reached else 0)


@given(EDGES)
def test_the_order_does_not_depend_on_the_order_of_the_edges(edges):
    ways = [walk([(1, 1.0), (2, 0.5)], graph(*some), max_hops=4) for some in (edges, edges[::-1])]
    assert ways[0] == ways[1]
    assert all(isinstance(r, Reached) and 0 < r.relevance <= 1.0 for r in ways[0])


def hit(number, score, semantic, coverage, words=(), lexical=None):
    """A hit as recall gives it, with what makes it sure; by BM25 it holds as much as by weight unless said otherwise."""
    signals = Signals(semantic=semantic, coverage=coverage, lexical=coverage if lexical is None else lexical, words=words)
    return Hit(SimpleNamespace(id=number), score, signals)


def test_a_question_that_nothing_surely_bears_on_has_no_seeds():
    weak = [hit(1, 0.3, 0.2, 0.1), hit(2, 0.29, 0.25, 0.05)]
    assert seeds_of(weak, Asked(4)) == []
    assert seeds_of([*weak, hit(3, 0.2, 0.5, 0.6)], Asked(4)) == [(1, 0.3), (2, 0.29), (3, 0.2)]
    assert seeds_of([], Asked(4)) == []


def test_the_nearer_a_question_is_to_everyday_topics_the_more_its_seeds_must_say():
    fair = [hit(1, 0.4, 0.5, 0.5)]
    assert seeds_of(fair, Asked(4, everyday=0.3)) == [(1, 0.4)]
    assert seeds_of(fair, Asked(4, everyday=0.5)) == []


def test_the_more_of_the_world_a_store_knows_the_more_its_seeds_must_say():
    fair = [hit(1, 0.4, 0.4, 0.3)]
    assert seeds_of(fair, Asked(4, worldly=0.1)) == [(1, 0.4)]
    assert seeds_of(fair, Asked(4, worldly=0.9)) == []
    assert seeds_of([hit(1, 0.4, 0.6, 1.0)], Asked(4, worldly=0.9)) == [(1, 0.4)]


def test_where_no_hit_knows_a_name_that_the_question_says_the_seeds_must_say_more():
    about = Asked(4, frozenset({"melani", "potteri"}))
    assert seeds_of([hit(1, 0.4, 0.4, 0.2, ("class",))], about) == []
    assert seeds_of([hit(1, 0.4, 0.4, 0.2, ("class",)), hit(2, 0.3, 0.1, 0.1, ("melani",))], about) == [(1, 0.4), (2, 0.3)]
    assert seeds_of([hit(1, 0.4, 0.7, 0.2, ("class",))], about) == [(1, 0.4)]


def test_many_matched_words_say_more_than_few_but_a_pasted_text_gains_nothing_by_its_length():
    said = [hit(1, 0.4, 0.1, 0.5)]
    assert seeds_of(said, Asked(2)) == []
    assert seeds_of(said, Asked(8)) == [(1, 0.4)]
    pasted = asked(" ".join(f"word{number}" for number in range(2_000)))
    assert pasted.words == WORDS_MOST


def test_words_that_a_long_text_holds_by_chance_say_less_than_those_a_short_one_is_made_of():
    assert seeds_of([hit(1, 0.4, 0.1, 0.3, lexical=0.3)], Asked(6)) == [(1, 0.4)]
    assert seeds_of([hit(1, 0.4, 0.1, 0.3, lexical=0.05)], Asked(6)) == []


def test_without_a_vector_the_words_alone_tell():
    assert seeds_of([hit(1, 0.4, None, 0.5)], Asked(4)) == [(1, 0.4)]
    assert seeds_of([hit(1, 0.4, None, 0.2)], Asked(4)) == []
    assert seeds_of([hit(1, 0.4, None, 0.5)], Asked(4, worldly=1.0)) == []


@pytest.mark.parametrize("said", ["tell me about yourself", "Thanks, that was really helpful!", "sounds good to me", "?"])
def test_small_talk_asks_for_nothing_however_well_it_is_met(said):
    assert asked(said).words == 0
    assert seeds_of([hit(1, 0.9, 1.0, 1.0)], asked(said)) == []


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("SHOP-2", {"shop-2"}),
        ("why did we do SHOP-2 and shop-3?", {"shop-2", "shop-3"}),
        ("why did we do 'pull request SHOP-2'?", {"shop-2"}),
        ("the cart of SHOP-2", set()),
        ("why commit", set()),
        ("why", set()),
        ("", set()),
    ],
)
def test_a_question_is_wholly_about_things_where_it_says_nothing_else(question, keys):
    assert trail.wholly(question, lambda text: [word.strip("?'") for word in text.lower().split() if "-" in word]) == keys


def test_a_seed_hangs_below_the_best_one_that_a_link_joins_it_to_with_what_was_reached_from_it():
    reached = [
        Reached(1, 0, 1.0, (1,)),
        Reached(2, 0, 0.9, (2,)),
        Reached(3, 0, 0.8, (3,)),
        Reached(4, 1, 0.5, (3, 4)),
        Reached(5, 1, 0.4, (2, 5)),
    ]
    hung = trail.hung(reached, [(3, 2), (1, 3), (4, 1)])
    assert [r.path for r in hung] == [(1,), (2,), (1, 3), (1, 3, 4), (2, 5)]
    assert [r._replace(path=()) for r in hung] == [r._replace(path=()) for r in reached]


def test_a_question_of_talk_and_one_thing_more_asks_for_that():
    assert asked("tell me about the helpful queue").words == 2


def test_names_are_the_words_written_large_inside_a_question():
    assert asked("When did Melanie sign up for the LGBTQ class?").names == {"melani", "lgbtq"}
    assert asked('(Who) owned the "Baker House" in March?').names == {"baker", "hous"}
    assert asked("Why do I wait on Monday?").names == asked("why is the queue slow").names == frozenset()


def test_german_nouns_are_no_names():
    assert asked("welche Bibliothek nehmen wir für Zustand im Frontend").names == frozenset()
    assert asked("which library do we take for state in the Frontend").names == {"frontend"}


def test_a_heading_names_nothing():
    assert asked("String Interpolation").names == asked("Guidelines for Language Evolution").names == frozenset()
