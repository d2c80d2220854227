"""A memory as a row and back, and the conditions that a filter becomes."""

import pytest
from specimens import memory

from clew.errors import StoreDamaged
from clew.model import Filter, Pointer, Source
from clew.store import sql
from clew.store.rows import COLUMNS, from_row, to_row

FULL = memory(
    1, tags=("a", "b"), metadata={"k": 1.5}, source=Source("f", "c", "s", 2, (3,)), pointers=(Pointer("p", "s", 1, "h"),), pinned=True
)


@pytest.mark.parametrize("before", [memory(1), FULL, FULL._replace(metadata={}), FULL._replace(source=Source(drawn_from=(1, 2)))])
def test_a_row_holds_all_of_a_memory(before):
    row = to_row(before, 7)
    assert len(row) == len(COLUMNS)
    assert all(value is None or isinstance(value, str | int | float) for value in row)
    assert from_row((before.id, *row, before.project)) == before


def test_what_most_memories_lack_takes_two_characters():
    row = dict(zip(COLUMNS, to_row(memory(1), 7), strict=True))
    assert (row["tags"], row["metadata"], row["source"], row["pointers"], row["project"]) == ("[]", "{}", "{}", "[]", 7)


@pytest.mark.parametrize("column", ["tags", "metadata", "source", "pointers"])
def test_a_row_that_nobody_wrote_is_damage_that_names_the_memory(column):
    row = list(to_row(FULL, 7))
    row[COLUMNS.index(column)] = '{"cut": '
    with pytest.raises(StoreDamaged, match="#12"):
        from_row((12, *row, "one"))


def test_a_condition_has_a_value_for_every_mark():
    for which in (Filter(1.0), Filter(1.0, ("fact",), ("a", "b"), ("done", "active"), 2.0, 3.0, 4.0), Filter(1.0, include_superseded=True)):
        where, values = sql.condition([1, 2, 3], which)
        assert where.count("?") == len(values)


def test_a_filter_is_plain_when_it_asks_for_nothing_but_the_present():
    assert sql.plain(Filter(now=5.0))
    for asked in ({"kinds": ("fact",)}, {"tags": ("t",)}, {"as_of": 1.0}, {"since": 1.0}, {"until": 1.0}, {"include_superseded": True}):
        assert not sql.plain(Filter(5.0, **asked))
    assert not sql.plain(Filter(5.0, statuses=("done",)))
