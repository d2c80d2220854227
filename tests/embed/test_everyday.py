"""How near a question lies to what anybody might ask."""

from __future__ import annotations

import os

import pytest

from clew.embed import HashingEmbedder, everyday, open_embedder
from clew.embed.everyday import LISTS, TOPICS, nearness, packed, words

STATIC = open_embedder("static").embedder


def everyday_of(question: str) -> float:
    assert STATIC is not None
    return nearness(STATIC, STATIC.embed(question))


def test_the_file_beside_the_module_is_what_the_shipped_embedder_makes_of_the_topics():
    assert STATIC is not None
    with open(os.path.join(os.path.dirname(everyday.__file__), "everyday.i8"), "rb") as file:
        assert file.read() == packed(STATIC), "write clew.embed.everyday.packed(embedder) to everyday.i8 after a change of TOPICS or table"


@pytest.mark.parametrize("strange", ["a recipe for pancakes", "what is the capital of Peru", "a poem about autumn"])
@pytest.mark.parametrize(
    "own", ["why do the integration tests fail in CI", "which index does the orders query use", "how is the JWT signed"]
)
def test_a_question_for_anybody_lies_nearer_than_one_about_code(strange, own):
    assert everyday_of(strange) > everyday_of(own) + 0.1


@pytest.mark.parametrize(
    ("own", "most"),
    [
        ("wie sollen boolesche Felder heißen", 0.2),
        ("puis-je effacer la base de données partagée", 0.2),
        ("por qué no guardamos el token en el navegador", 0.27),
    ],
)
def test_no_topic_stands_for_a_language(own, most):
    assert everyday_of(own) < most, "a line of Spanish dishes or French cities lies near to every question in that language"


def test_an_empty_vector_is_near_to_nothing():
    assert STATIC is not None
    assert nearness(STATIC, b"") == 0.0


def test_another_embedder_compares_with_topics_of_its_own():
    hashing = HashingEmbedder()
    assert nearness(hashing, hashing.embed(TOPICS[0])) > nearness(hashing, hashing.embed("zzz qqq"))


def test_a_lost_file_changes_nothing(monkeypatch):
    before = everyday_of("a recipe for pancakes")
    monkeypatch.setattr(everyday, "_FILE", "nowhere")
    monkeypatch.setattr(everyday, "_known", {})
    monkeypatch.setattr(everyday, "_latest", {})
    assert everyday_of("a recipe for pancakes") == before


def test_what_was_asked_last_is_not_reckoned_again_and_no_answer_is_taken_for_another(monkeypatch):
    reckoned, real = [], everyday._products
    monkeypatch.setattr(everyday, "_products", lambda asked, vectors: reckoned.append(1) or real(asked, vectors))
    first, second = everyday_of("a recipe for waffles"), everyday_of("a recipe for waffles")
    assert (first == second, len(reckoned)) == (True, 1)
    assert everyday_of("how is the JWT signed") != first
    assert (everyday_of("a recipe for waffles") == first, len(reckoned)) == (True, 3)


def test_everyday_words_are_two_of_each_list_as_the_index_writes_them():
    assert words()[:4] == ("poem", "poetri", "song", "lyric")
    assert LISTS < len(words()) <= 2 * LISTS
    assert not any(" " in topic and topic.split()[0] in {"how", "what", "the", "which"} for topic in TOPICS[:LISTS])
