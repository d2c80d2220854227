"""Which words a text is found by, and which of them a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew import text
from clew.stem import stem
from clew.text import bonus_terms, index_terms, question_terms


def finds(question: str, memory: str) -> bool:
    return bool(set(question_terms(question)) & set(index_terms(memory)))


@pytest.mark.parametrize("spelling", ["UserProfileService", "user_profile_service", "user-profile-service", "user.profile.service"])
def test_an_identifier_is_found_whole_and_by_its_parts(spelling):
    terms = index_terms(spelling)
    assert {"user", "profil", "servic"} <= set(terms)
    assert terms[0] == stem("userprofileservice")


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("user profile", "UserProfileService caches avatars"),
        ("user profiles", "user_profile table"),
        ("userprofileservice", "UserProfileService"),
        ("text.py", "see src/clew/text.py"),
        ("clew", "see src/clew/text.py"),
        ("HTTP server", "HTTPServer restarts"),
        ("nodejs", "node.js is pinned"),
        ("python", "python3 only"),
        ("ids", "IDs are integers"),
        ("12", "fixed in #12"),
        ("3.11", "needs 3.11.4"),
        ("v3.11.4", "needs 3.11.4"),
        ("PROJ-123", "proj-123 is done"),
        ("503", "answered 503"),
        ("v2", "api v2"),
        ("12000", "12,000 rows"),
        ("naïve café", "a naive cafe"),
        ("Größe", "grosse"),
        ("İstanbul", "istanbul office"),
        ("ＡＰＩ", "api"),
        ("running", "it runs"),
        ("Caroline", "Caroline's trip"),
        ("école", "l'école est fermée"),
        ("IT", "the IT department"),
        ("книга", "две книги"),
        ("الكتاب", "كتاب"),
    ],
)
def test_a_question_finds_what_is_written_another_way(question, memory):
    assert finds(question, memory)


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("C++", "C# and F# and plain C"),
        ("C#", "C++ and F#"),
        ("F#", "C#"),
        (".NET", "the net result"),
        ("use", "the US office"),
        ("it", "the IT department"),
        ("3.11", "3.12 and 311"),
        ("v2", "v3"),
    ],
)
def test_what_differs_by_a_sign_alone_stays_apart(question, memory):
    assert not finds(question, memory)


@pytest.mark.parametrize("name", ["C++", "C#", "F#", ".NET", "useState()", "@user", "node.js", "#12", "PROJ-123", "3.11", "v2", "503"])
def test_a_name_with_signs_finds_itself(name):
    assert finds(name, f"about {name}, mostly")


def test_a_call_and_a_handle_are_more_than_their_words():
    assert set(index_terms("useState()")) - set(index_terms("useState")) == {"usestate()"}
    assert set(index_terms("@user")) - set(index_terms("user")) == {"@user"}


@pytest.mark.parametrize("character", "数据库快")
def test_one_ideograph_finds_its_memory(character):
    assert finds(character, "MySQL数据库很快")


def test_several_ideographs_are_asked_for_in_pairs():
    assert question_terms("数据库") == ["数据", "据库"]
    assert not finds("数学家", "数据库")


def test_what_a_chinese_question_is_full_of_is_not_asked_for():
    assert question_terms("数据库是什么？") == question_terms("数据库是")


def test_thai_is_found_without_spaces():
    assert finds("ฐานข้อมูล", "เราใช้ฐานข้อมูลเดียว")


@pytest.mark.parametrize("chat", ["please tell me what is the database", "What's the database?", "WHAT IS THE DATABASE"])
def test_a_question_asks_for_its_subject_alone(chat):
    assert question_terms(chat) == [stem("database")]


def test_a_question_of_nothing_but_chat_still_asks_for_something():
    assert question_terms("tell me") == ["tell"]
    assert question_terms("what is it?") == []


def test_a_word_asked_twice_is_one_term_and_an_indexed_one_two():
    assert question_terms("cache the cache") == ["cach"]
    assert index_terms("cache the cache") == ["cach", "cach"]


def test_whole_names_are_a_bonus_and_plain_words_are_not():
    assert bonus_terms("why is UserProfileService slow") == [stem("userprofileservice")]
    assert set(bonus_terms("why is UserProfileService slow")) < set(question_terms("why is UserProfileService slow"))


def test_stop_words_stay_inside_a_name_and_out_of_the_question():
    assert "to" in index_terms("toString")
    assert "of" not in question_terms("state-of-the-art")


def test_a_term_is_never_longer_than_the_bound():
    assert all(len(term) <= text.LONGEST for term in index_terms("a" * 500 + " " + "b/" * 200 + "c"))


# Porter's own examples, one or two for each step.
@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("agreed", "agre"), ("plastered", "plaster"), ("sing", "sing"),
        ("conflated", "conflat"), ("hopping", "hop"), ("falling", "fall"), ("filing", "file"), ("happy", "happi"), ("sky", "sky"),
        ("relational", "relat"), ("digitizer", "digit"), ("hopefulness", "hope"), ("triplicate", "triplic"), ("electrical", "electr"),
        ("adoption", "adopt"), ("replacement", "replac"), ("rate", "rate"), ("cease", "ceas"), ("controlling", "control"), ("roll", "roll"),
        ("using", "use"), ("used", "use"),
    ],
)  # fmt: skip
def test_english_words_have_porters_stems(word, stemmed):
    assert stem(word) == stemmed


ANYTHING = st.text(st.characters(codec=None), max_size=80)
KNOTTY = st.text(st.sampled_from("aZ9 ._-/'’@#+()数ไทย\ud800\x00\x1bé½ß,:İ٣हि👍\u200d\u0301"), max_size=20)


@given(ANYTHING | KNOTTY)
def test_no_text_makes_it_fail_and_no_term_is_empty_or_unwritable(anything):
    terms = index_terms(anything)
    assert all(terms)
    assert not any(character.isspace() or "\ud800" <= character <= "\udfff" for term in terms for character in term)


@given(ANYTHING | KNOTTY)
def test_the_same_text_has_the_same_terms_with_and_without_memory_of_it(anything):
    first = index_terms(anything)
    text._memo.clear()
    assert index_terms(anything) == first


@given(ANYTHING | KNOTTY)
def test_a_question_asks_for_each_term_once_and_its_bonus_is_among_them(anything):
    asked = question_terms(anything)
    assert len(asked) == len(set(asked))


@given(st.lists(st.from_regex(r"[A-Za-z][a-z]{1,8}", fullmatch=True), min_size=1, max_size=6))
def test_a_memory_is_found_by_its_own_words(words):
    sentence = " ".join(words)
    assert set(question_terms(sentence.lower())) <= set(index_terms(sentence)) or not index_terms(sentence)


def test_the_memo_is_bounded(monkeypatch):
    monkeypatch.setattr(text, "_REMEMBERED", 10)
    text._memo.clear()
    for number in range(100):
        index_terms(f"word{number}")
    assert len(text._memo) <= 10
