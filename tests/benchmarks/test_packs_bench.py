"""The packs benchmark holds what was promised of packs: the answer rides with a prompt that has one, the others stay alone."""

import pytest

from benchmarks import packs

MEMORIES, PROMPTS = (packs.lines(packs.DATA / f"{name}.jsonl") for name in ("memories", "prompts"))


def test_its_data_are_forty_prompts_a_side_and_every_answer_is_a_memory():
    keys = [memory["key"] for memory in MEMORIES]
    assert len(keys) == len(set(keys))
    answers = [prompt["answer"] for prompt in PROMPTS]
    assert (sum(map(bool, answers)), len(answers)) == (40, 80)
    assert set(filter(None, answers)) <= set(keys)
    assert len({prompt["prompt"] for prompt in PROMPTS}) == 80


@pytest.mark.parametrize("embed", packs.ARMS.values())
def test_answers_are_in_the_pack_and_unrelated_prompts_get_none(embed):
    found = packs.measured(MEMORIES, PROMPTS, embed, tell=False)
    assert found["answered"] >= 0.85
    assert found["injects_off_topic"] <= 0.05
    assert 0 < found["chars_on"] <= 1_200


def test_an_interval_holds_its_share_and_narrows_with_more_of_them():
    few, many = (packs.share("x", [True, True, False] * n) for n in (4, 400))
    for interval in (few, many):
        assert interval["x_low"] < interval["x"] < interval["x_high"]
    assert many["x_high"] - many["x_low"] < few["x_high"] - few["x_low"]
    assert packs.share("x", [True] * 40)["x_low"] == pytest.approx(0.912, abs=0.001)
