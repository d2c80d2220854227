"""The bench of trails: its questions are what they claim to be, and what `why` promises about unrelated ones holds."""

from benchmarks import trails


def test_the_unrelated_questions_are_a_hundred_different_ones():
    asked = trails.unrelated()
    assert len(asked) == len(set(asked)) == 100


def test_unrelated_questions_get_an_empty_trail_in_95_of_100_and_the_stores_own_questions_get_one():
    figures = dict(trails.ours())
    assert figures["chains"]["empty"] >= 95
    assert figures["chains"]["answered"] == 1.0
    assert figures["packs"]["empty"] >= 95
    assert figures["packs"]["answered"] >= 0.9
    assert figures["paraphrase"]["empty"] >= 95
    assert figures["paraphrase"]["answered"] >= 0.7
