"""The five signals: what each is, that their weights are fixed, and that the same inputs give the same bytes in every process."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.rules import scoring
from clew.rules.scoring import WEIGHTS, credited, frequency, profile, relevance, tags_of, task, worth

SRC = str(Path(scoring.__file__).parents[2])
PARSER, LEXER = tags_of("src/syntax/parser.py", symbols=("Parser",)), tags_of("src/syntax/lexer.py", symbols=("Lexer",))
README, STYLE = tags_of("README.md"), tags_of("web/theme/style.css")

shares = st.floats(0.0, 1.0)
paths = st.lists(st.sampled_from(["src", "syntax", "web", "a.py", "b.py", "c.css"]), min_size=1, max_size=4).map("/".join)


def test_the_weights_are_these_and_sum_to_one():
    assert WEIGHTS == {"relevance": 0.30, "recency": 0.25, "frequency": 0.15, "structure": 0.15, "cognitive": 0.15}
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("signal", WEIGHTS)
def test_each_signal_weighs_as_the_table_says(signal):
    low = {"relevance": 0.0, "recency": 0.0, "frequency": 0, "structure": False, "cognitive": -1.0}
    high = {"relevance": 1.0, "recency": 1.0, "frequency": 9, "structure": True, "cognitive": 1.0}
    chosen = low | {signal: high[signal]}
    found = worth(chosen["relevance"], chosen["recency"], chosen["frequency"], resolves=chosen["structure"], credit=chosen["cognitive"])
    assert found.score == pytest.approx(WEIGHTS[signal])
    assert getattr(found, signal) == pytest.approx(1.0)


@given(shares, shares, st.integers(0, 10_000), st.booleans(), st.floats(-1.0, 1.0))
def test_every_signal_and_the_score_lie_between_zero_and_one(relevant, recent, uses, resolves, credit):
    found = worth(relevant, recent, uses, resolves=resolves, credit=credit)
    assert all(0.0 <= value <= 1.0 + 1e-12 for value in found)
    assert found.score == scoring.score(relevant, recent, uses, resolves=resolves, credit=credit)


@pytest.mark.parametrize(("uses", "value"), [(0, 0.0), (1, 0.30103), (4, 0.69897), (9, 1.0), (10, 1.0), (5_000, 1.0)])
def test_frequency_is_full_at_nine_uses(uses, value):
    assert frequency(uses) == pytest.approx(value, abs=1e-5)


# Tags


def test_a_file_is_told_by_its_path_folders_extension_symbols_and_words():
    assert tags_of("src/syntax/parser.py", symbols=("Parser",)) == (
        "path:src/syntax/parser.py", "dir:src/syntax", "dir:src", "ext:py", "sym:Parser", "word:syntax", "word:parser",
    )  # fmt: skip


def test_a_request_is_told_by_its_words_without_those_that_say_nothing():
    assert tags_of(text="please fix the parser") == ("word:fix", "word:parser")


@pytest.mark.parametrize("path", [".gitignore", "Makefile", "a/.env", "x/y/"])
def test_a_file_without_an_extension_has_none(path):
    assert not any(tag.startswith("ext:") for tag in tags_of(path))


def test_a_text_of_a_megabyte_gives_no_more_tags_than_allowed():
    assert len(tags_of(text="".join(f"word{n} " for n in range(200_000)))) <= scoring.WORDS


@given(paths, st.lists(st.text(min_size=1, max_size=8), max_size=5), st.text(max_size=80))
def test_a_profile_is_one_whole_and_no_tag_stands_twice(path, symbols, text):
    tags = tags_of(path, symbols=symbols, text=text)
    assert len(tags) == len(set(tags))
    assert sum(profile(tags).values()) == pytest.approx(1.0)


def test_a_facet_counts_as_a_whole_however_many_tags_it_has():
    few, many = tags_of("src/a.py", symbols=("one",)), tags_of("src/a.py", symbols=tuple(f"name{n}" for n in range(40)))
    assert profile(few)["dir:src"] == pytest.approx(profile(many)["dir:src"])


# What the agent is at


def test_nothing_known_makes_nothing_relevant():
    assert task(()) == {}
    assert relevance(PARSER, task(())) == 0.0
    assert relevance((), task((PARSER,))) == 0.0


def test_the_file_touched_last_is_wholly_relevant_when_it_was_the_only_one():
    assert relevance(PARSER, task((PARSER,))) == pytest.approx(1.0)


def test_a_neighbour_is_more_relevant_than_a_stranger():
    at = task((PARSER,))
    assert relevance(LEXER, at) > relevance(tags_of("src/other/thing.py"), at) > relevance(STYLE, at) == 0.0


def test_a_file_touched_lately_is_more_relevant_than_one_before_it():
    at = task((STYLE, README, PARSER))
    assert relevance(PARSER, at) > relevance(README, at) > 0.0
    assert relevance(PARSER, task((PARSER, STYLE))) < relevance(PARSER, task((STYLE, PARSER)))


def test_only_the_last_touches_say_what_the_agent_is_at():
    assert relevance(STYLE, task((STYLE, *[PARSER] * scoring.TOUCHED))) == 0.0


def test_a_file_that_the_request_names_is_more_relevant_than_one_it_does_not():
    at = task((README,), tags_of(text="why does the lexer drop tabs?"))
    assert relevance(LEXER, at) > relevance(PARSER, at)


def test_a_symbol_shared_is_relevance_across_folders():
    caller = tags_of("web/api/routes.py", symbols=("Parser",))
    assert relevance(caller, task((PARSER,))) > relevance(tags_of("web/api/routes.py", symbols=("Router",)), task((PARSER,)))


@given(paths, st.lists(paths, max_size=6), st.text(max_size=40))
def test_relevance_lies_between_zero_and_one_and_a_task_is_one_whole(path, touched, request_):
    at = task([tags_of(other) for other in touched], tags_of(text=request_))
    assert sum(at.values()) == pytest.approx(1.0) if at else True
    assert 0.0 <= relevance(tags_of(path), at) <= 1.0


def test_the_same_inputs_give_the_same_bytes_whatever_the_hash_seed():
    code = (
        "from clew.rules.scoring import *; t = [tags_of(f'src/p{n % 3}/f{n}.py', symbols=[f'S{n}', f'T{n}']) for n in range(9)];"
        "at = task(t[4:], tags_of(text='make f7 and S3 faster in p1')); print([relevance(x, at).hex() for x in t])"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONPATH": "src", "PYTHONHASHSEED": seed}, capture_output=True, text=True, timeout=60
        )
        for seed in ("1", "2")
    ]
    assert said[0].stdout == said[1].stdout != ""


# Credit


@pytest.mark.parametrize(
    ("passed", "used", "moved"), [(True, True, 0.10), (True, False, 0.05), (False, True, -0.10), (False, False, -0.05)]
)
def test_a_closed_attempt_moves_credit(passed, used, moved):
    assert credited(0.0, passed=passed, used=used) == pytest.approx(moved)
    assert credited(0.4, passed=passed, used=used) == pytest.approx(0.38 + moved)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=200))
def test_no_row_of_attempts_takes_credit_beyond_one(attempts):
    credit = 0.0
    for passed, used in attempts:
        credit = credited(credit, passed=passed, used=used)
        assert -1.0 <= credit <= 1.0
