"""The built-in embedder reproduces its reference and gives the same bytes on both of its roads."""

import json
import struct
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clew.embed
from clew.embed import HashingEmbedder, StaticTable
from clew.embed.base import quantised
from clew.embed.batch import embed_rows
from clew.embed.static import MOST_ROWS, SCALE_UNIT
from clew.embed.vocabulary import PIECE_CHARS

TABLE = Path(clew.embed.__file__).parent / "table"
REFERENCE = json.loads(Path(__file__).with_name("reference.json").read_text("utf-8"))
ODD_TEXTS = [
    "",
    "+",
    "🙂🙂",
    "שלום עולם",
    "مرحبا بالعالم",
    "数据库用于记录",
    "データベース",
    "한국어",
    "\ud800",
    "ß ſ İ",
    "##",
    "a" * 5000,
    "x1" * 3000,
]


@pytest.fixture(scope="module")
def table() -> StaticTable:
    return StaticTable(str(TABLE))


def batched(table: StaticTable, texts: list[str]) -> list[bytes]:
    return embed_rows(table._table, [table.rows(text) for text in texts])


def signed(vector: bytes) -> tuple[int, ...]:
    return struct.unpack(f"{len(vector)}b", vector)


def cosine(left: bytes, right: bytes) -> float:
    a, b = signed(left), signed(right)
    return sum(x * y for x, y in zip(a, b, strict=True)) / sqrt(sum(x * x for x in a) * sum(y * y for y in b))


@pytest.mark.parametrize("case", REFERENCE, ids=range(len(REFERENCE)))
def test_the_reference_texts_give_their_pieces_rows_and_components(table: StaticTable, case: dict) -> None:
    assert table.pieces(case["text"]) == case["tokens"]
    assert table.rows(case["text"]) == case["ids"]
    assert table._vector(case["text"])[:8] == pytest.approx(case["vector_head"], abs=1e-5)


def test_a_vector_is_one_byte_per_dimension_with_its_peak_at_127(table: StaticTable) -> None:
    vector = table.embed("which database did we pick")
    assert len(vector) == table.dim == 256
    assert max(abs(value) for value in signed(vector)) == 127


def test_bytes_keep_the_direction_of_the_exact_vector(table: StaticTable) -> None:
    text = "retry with exponential backoff after HTTP 503"
    exact, stored = table._vector(text), signed(table.embed(text))
    length = sqrt(sum(value * value for value in stored))
    assert sum(a * b / length for a, b in zip(exact, stored, strict=True)) > 0.9999


def test_a_paraphrase_is_nearer_than_another_subject(table: StaticTable) -> None:
    question = table.embed("which database did we choose")
    assert cosine(question, table.embed("use PostgreSQL for storage")) > cosine(question, table.embed("the button is blue")) + 0.1


@pytest.mark.parametrize("text", ["", "   ", "🙂", "한국어", "?!"])
def test_a_text_of_which_nothing_is_known_has_no_vector(table: StaticTable, text: str) -> None:
    assert table.embed(text) == b""
    assert batched(table, [text]) == [b""]


def test_a_word_with_an_unknown_stretch_is_skipped_whole(table: StaticTable) -> None:
    assert table.pieces("database ab한cd pick") == ["database", "pick"]


def test_an_unknown_ideograph_does_not_silence_its_sentence(table: StaticTable) -> None:
    assert table.pieces("数据库𠀀用") == ["数据库", "用"]


def test_an_unknown_word_is_covered_by_its_longest_pieces(table: StaticTable) -> None:
    assert table.pieces("haben uns 503") == ["haben", "un", "##s", "50", "##3"]


@pytest.mark.parametrize("text", ["database " * 2000, "数据库" * 2000, "zq" * 5000], ids=["words", "ideographs", "one word"])
def test_only_the_first_rows_of_a_long_text_count(table: StaticTable, text: str) -> None:
    rows = table.rows(text)
    assert len(rows) == MOST_ROWS
    assert table.rows(text + " pick") == rows


def test_no_entry_is_longer_than_a_piece_may_be(table: StaticTable) -> None:
    assert max(len(entry.decode()) for entry in table._table.vocabulary[:].split(b"\n")) <= PIECE_CHARS


def test_entries_are_sorted_so_that_binary_search_finds_each(table: StaticTable) -> None:
    entries = table._table.vocabulary[:].split(b"\n")[:-1]
    assert len(entries) == table._table.entries
    assert entries == sorted(set(entries))
    for row in range(0, len(entries), 997):
        assert table._vocabulary.entry(row) == entries[row]


def test_every_scale_is_a_whole_number_of_units_and_512_rows_stay_exact_in_a_double(table: StaticTable) -> None:
    scales = [scale * SCALE_UNIT for (scale,) in struct.iter_unpack("<f", table._table.scales[:])]
    assert all(scale == int(scale) > 0 for scale in scales)
    assert MOST_ROWS * 15 * max(scales) < 2**53


@settings(max_examples=300, deadline=None)
@given(texts=st.lists(st.text() | st.sampled_from(ODD_TEXTS) | st.from_regex(r"([a-zA-Z]{1,9}[ _#+]){1,30}", fullmatch=True), max_size=6))
def test_both_roads_give_the_same_bytes(table: StaticTable, texts: list[str]) -> None:
    assert batched(table, texts) == [table.embed(text) for text in texts]


def test_both_roads_agree_on_single_rows_across_the_table(table: StaticTable) -> None:
    single = [[row] for row in range(0, table._table.entries, 13)]
    assert embed_rows(table._table, single) == [quantised(table._sum(rows)) for rows in single]


def test_few_and_many_texts_give_the_same_vectors_in_order(table: StaticTable) -> None:
    texts = [f"{case['text']} {n}" for n in range(60) for case in REFERENCE] + ODD_TEXTS
    many = table.embed_many(texts)
    assert many == [vector for at in range(0, len(texts), 50) for vector in table.embed_many(texts[at : at + 50])]
    assert table.embed_many([]) == []


def test_a_full_word_cache_changes_nothing(table: StaticTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.embed.static._KNOWN_WORDS", 2)
    fresh = StaticTable(str(TABLE))
    for case in REFERENCE:
        assert fresh.embed(case["text"]) == table.embed(case["text"])
    assert len(fresh._known) <= 2


def test_halves_are_rounded_to_the_even_side() -> None:
    assert signed(quantised([254, 1, 3, 5, -1, -3, -254])) == (127, 0, 2, 2, 0, -2, -127)


def test_a_sum_of_nothing_has_no_direction() -> None:
    assert quantised([0, 0, 0]) == b""


def test_the_test_double_is_deterministic_and_sees_shared_words_only() -> None:
    double = HashingEmbedder()
    assert (double.name, double.dim, len(double.fingerprint)) == ("hashing-256", 256, 16)
    assert double.embed("Use Postgres") == double.embed("use  postgres") == HashingEmbedder().embed("postgres use")
    assert cosine(double.embed("use postgres here"), double.embed("postgres it is")) > cosine(double.embed("use"), double.embed("pick"))
    assert double.embed_many(["", "a\ud800"]) == [b"", double.embed("a\ud800")]
