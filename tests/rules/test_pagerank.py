"""The walk of recall by values: where mass stays, how it joins the direct order, what stands above what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.rules import pagerank


def both_ways(*edges):
    """A neighbour function over undirected (a, b, weight)."""
    near = {}
    for a, b, w in edges:
        near.setdefault(a, []).append((b, w))
        near.setdefault(b, []).append((a, w))
    return lambda nodes: {n: sorted(near.get(n, ())) for n in nodes}


def test_mass_reaches_what_is_linked_and_nothing_else():
    reached = pagerank.reach({1: 1.0}, both_ways((1, 2, 1.0), (3, 4, 1.0)))
    assert set(reached) == {1, 2}
    assert reached[1] > reached[2] > 0


def test_an_entity_keeps_nothing_and_passes_all_of_it_on():
    reached = pagerank.reach({-7: 1.0}, both_ways((-7, 1, 1.0), (-7, 2, 10.0)))
    assert set(reached) == {1, 2}
    assert reached[2] > reached[1]


def test_a_node_without_a_way_on_keeps_its_mass():
    assert pagerank.reach({5: 1.0}, both_ways()) == {5: 1.0}


def test_of_faint_edges_less_is_passed_on_than_of_strong_ones():
    faint, strong = (pagerank.reach({1: 1.0}, both_ways((1, 2, w)), rounds=1)[2] for w in (0.05, 5.0))
    assert faint < 0.15 * strong
    assert strong < 1.0 - pagerank.KEPT


def test_heavier_edges_carry_more():
    reached = pagerank.reach({1: 1.0}, both_ways((1, 2, 3.0), (1, 3, 1.0)), rounds=1)
    assert reached[2] == pytest.approx(3 * reached[3])


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9), st.floats(0.1, 5.0)), max_size=25), st.integers(1, 9))
def test_no_mass_is_lost_or_made_and_pushes_are_bounded(edges, start):
    asked = []
    near = both_ways(*edges)

    def counted(nodes):
        asked.append(len(nodes))
        return near(nodes)

    reached = pagerank.reach({start: 1.0}, counted)
    assert sum(reached.values()) == pytest.approx(1.0)
    assert len(asked) <= pagerank.ROUNDS
    assert max(asked) <= 1 / pagerank.LEAST


def test_seeds_are_the_best_few_the_best_of_them_by_far_and_names_weigh_like_the_best():
    seeds = pagerank.seeded([(n, 1.0 / n) for n in range(1, 30)], [-3])
    assert len(seeds) == pagerank.SEEDS + 1
    assert sum(seeds.values()) == pytest.approx(1.0)
    assert seeds[1] == seeds[-3]
    assert seeds[1] > 10 * seeds[2]


def test_nothing_relevant_seeds_nothing():
    assert pagerank.seeded([], [-3]) == {}
    assert pagerank.seeded([(1, 0.0)], [-3]) == {}


def test_a_link_outweighs_a_shared_name_and_a_rare_name_a_common_one():
    assert pagerank.weight("because", 0) > pagerank.weight("mentions", 2) > pagerank.weight("mentions", 40)
    assert pagerank.weight("mentions", 1) == 0.0
    assert pagerank.weight("about", 0) > pagerank.weight("mentions", 0)


def test_the_way_back_to_what_was_replaced_is_narrower_than_any_other_link():
    assert 0.0 < pagerank.weight("replaces", 0, back=True) < pagerank.weight("replaces", 0)


def test_what_is_only_reached_joins_behind_the_best_direct_answer():
    ranked = pagerank.joined([(1, 1.0), (2, 0.3)], {1: 0.6, 9: 0.3})
    assert [node for node, _ in ranked] == [1, 9, 2]


def test_a_strong_direct_answer_stays_among_the_first_three_whatever_the_walk_says():
    direct = [(1, 1.0), (2, 0.95), (3, 0.5)]
    ranked = [node for node, _ in pagerank.joined(direct, {7: 0.5, 8: 0.3, 9: 0.2})]
    assert {1, 2} <= set(ranked[:3])
    assert ranked[:3].count(7) == 1


@given(st.dictionaries(st.integers(1, 20), st.floats(0.01, 1.0), min_size=1), st.dictionaries(st.integers(1, 30), st.floats(0.001, 1.0)))
def test_scores_fall_along_the_joint_order_and_nobody_is_lost(direct, reached):
    ordered = sorted(direct.items(), key=lambda pair: (-pair[1], pair[0]))
    ranked = pagerank.joined(ordered, reached)
    scores = [score for _, score in ranked]
    assert scores == sorted(scores, reverse=True)
    assert {node for node, _ in ranked} == direct.keys() | reached.keys()


def test_a_successor_stands_above_what_it_replaced_with_its_score():
    assert pagerank.succeeded([(1, 0.9), (2, 0.5)], {1: [2]}) == [(2, 0.9), (1, 0.9)]
    assert pagerank.succeeded([(1, 0.9), (2, 0.5)], {2: [1]}) == [(1, 0.9), (2, 0.5)]


def test_a_successor_that_was_not_found_comes_in_and_chains_are_followed():
    assert [n for n, _ in pagerank.succeeded([(1, 0.9)], {1: [2], 2: [3]})] == [3, 2, 1]
    assert {n for n, _ in pagerank.succeeded([(1, 0.9)], {1: [2, 3]})[:2]} == {2, 3}


def test_a_ring_of_successors_ends():
    assert sorted(n for n, _ in pagerank.succeeded([(1, 0.9), (2, 0.8)], {1: [2], 2: [1]})) == [1, 2]
