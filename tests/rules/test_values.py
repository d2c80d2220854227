"""Values are named tuples: whatever `typing.NamedTuple` makes of a class's lines, ours makes too."""

import copy
import pickle
import typing

import pytest

from clew.model import Memory, Pointer, Strength, age, ago
from clew.tuples import NamedTuple


class Theirs(typing.NamedTuple):
    """A value."""

    first: int
    second: str = "two"
    third: tuple = ()

    def doubled(self):
        return self.first * 2


class Ours(NamedTuple):
    """A value."""

    first: int
    second: str = "two"
    third: tuple = ()

    def doubled(self):
        return self.first * 2


def test_a_class_says_of_itself_what_a_named_tuple_says():
    for name in ("_fields", "_field_defaults", "__match_args__", "__doc__", "__module__", "__slots__"):
        assert getattr(Ours, name) == getattr(Theirs, name)
    assert issubclass(Ours, tuple) and not hasattr(Ours(1), "__dict__")


@pytest.mark.parametrize(
    "use",
    [
        lambda kind: kind(1),
        lambda kind: kind(1, third=(3,)),
        lambda kind: kind(third=(3,), first=1),
        lambda kind: kind._make([1, "x", ()]),
        lambda kind: kind(1)._replace(second="x"),
        lambda kind: kind(1)._asdict(),
        lambda kind: repr(kind(1, "a 'quoted' one")).replace("Ours", "Theirs"),
        lambda kind: kind(1).doubled(),
        lambda kind: (kind(1).third, kind(1)[1], kind(1) == (1, "two", ()), hash(kind(1))),
        lambda kind: copy.deepcopy(kind(1)),
        lambda kind: pickle.loads(pickle.dumps(kind(1))),
    ],
)
def test_it_is_made_read_and_changed_as_one(use):
    assert use(Ours) == use(Theirs)


@pytest.mark.parametrize(
    "misuse",
    [
        lambda kind: kind(),
        lambda kind: kind(1, "two", (), 4),
        lambda kind: kind(1, fourth=4),
        lambda kind: kind(1, first=1),
        lambda kind: kind._make([1]),
        lambda kind: setattr(kind(1), "first", 2),
        lambda kind: setattr(kind(1), "fourth", 2),
    ],
)
def test_it_refuses_what_a_named_tuple_refuses(misuse):
    with pytest.raises((TypeError, AttributeError)) as theirs:
        misuse(Theirs)
    for _ in range(2):  # the first value of a class is made by another road than the others
        with pytest.raises(type(theirs.value)):
            misuse(Ours)


def test_what_is_no_field_cannot_be_replaced():
    with pytest.raises(ValueError, match="fourth"):
        Ours(1)._replace(fourth=4)


def test_a_value_keeps_its_own_kind():
    assert type(Strength(1.0, 2.0, 3.0)._replace(uses=1)) is Strength
    assert type(pickle.loads(pickle.dumps(Pointer("a.py")))) is Pointer
    assert Memory._field_defaults["confidence"] == 0.5


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        *((seconds, "now") for seconds in (-5, 0, 59)),
        (60, "1min"),
        (7_200, "2h"),
        (86_400 * 29, "29d"),
        (86_400 * 45, "1mo"),
        (86_400 * 800, "2y"),
    ],
)
def test_an_age_is_said_in_one_unit_the_same_everywhere(seconds, said):
    assert age(1e9 - seconds, 1e9) == said
    assert ago(1e9 - seconds, 1e9) == ("just now" if said == "now" else f"{said} ago")
