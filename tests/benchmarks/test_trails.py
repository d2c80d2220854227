"""The bench of trails: its questions are what they claim to be, and what `why` promises about unrelated ones holds."""

import pytest

from benchmarks import trails


@pytest.fixture(scope="module")
def figures():
    """What the bench measures of our own stores."""
    return trails.arms(None, others=True)


def test_the_unrelated_questions_are_a_hundred_different_ones_and_sixty_kept():
    asked, kept = trails.unrelated(), trails.unrelated("kept")
    assert (len(asked), len(kept)) == (100, 60)
    assert len({*asked, *kept}) == 160


def test_unrelated_questions_get_an_empty_trail_in_95_of_100_and_the_stores_own_questions_get_one(figures):
    least = {"chains": 1.0, "packs": 0.97, "paraphrase": 0.78}
    assert figures.keys() == least.keys()
    for name, answered in least.items():
        assert figures[name]["empty"] >= 95
        assert figures[name]["kept"] >= 95
        assert figures[name]["answered"] >= answered


def test_each_store_is_asked_the_questions_of_the_others_and_none_of_its_own(figures):
    assert [key for key in figures["packs"] if key.startswith("of ")] == ["of chains", "of paraphrase"]
    assert figures["packs"]["own"] == 40
    assert 0 <= figures["packs"]["of chains"] <= 100
