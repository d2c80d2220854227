"""`typing.NamedTuple` for the light road: without typing, whose import takes 6 ms, and with little work for a class without values.

Type checkers see the real one (docs/decisions/0001-light-road.md).
"""

from __future__ import annotations

from _collections import _tuplegetter  # type: ignore[import-not-found]  # what `collections.namedtuple` reads a field by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Self

_readers: list[Any] = []  # of the first field, the second, …: all classes share them


class _Value(tuple):  # type: ignore[type-arg]
    """What `collections.namedtuple` makes anew for each class."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Self:
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _replace(self, /, **given: Any) -> Self:
        made = self._make(map(given.pop, self._fields, self))
        if given:
            raise ValueError(f"Got unexpected field names: {list(given)!r}")
        return made

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([f'{name}={value!r}' for name, value in self._asdict().items()])})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


class _Row(type):
    """Makes a class of its annotated fields. What makes a value has to be compiled, and is so with the first one: most processes make
    values of a third of the classes that they load.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
        if not bases:
            return super().__new__(mcs, name, bases, body)
        fields = tuple(body.pop("__annotations__", ()))
        defaults = {field: body.pop(field) for field in fields if field in body}
        while len(_readers) < len(fields):
            _readers.append(_tuplegetter(len(_readers), None))

        def first(cls: type, /, *values: Any, **named: Any) -> Any:
            maker = _maker(name, fields, tuple(defaults.values()))
            made.__new__ = staticmethod(maker)  # type: ignore[method-assign]
            return maker(cls, *values, **named)

        read = dict(zip(fields, _readers, strict=False))
        shape = {"__slots__": (), "__new__": first, "_fields": fields, "__match_args__": fields, "_field_defaults": defaults}
        made = type(name, (_Value,), body | read | shape)
        return made


def _maker(name: str, fields: tuple[str, ...], defaults: tuple[Any, ...]) -> Callable[..., Any]:
    """A function of a class and the fields, by place or name."""
    listed = "".join(f"{field}, " for field in fields)
    made: Any = eval(f"lambda _cls, {listed}: _new(_cls, ({listed}))", {"_new": tuple.__new__, "__builtins__": {}})
    made.__defaults__, made.__name__, made.__qualname__ = defaults, "__new__", f"{name}.__new__"
    return made  # type: ignore[no-any-return]


class NamedTuple(metaclass=_Row):
    """What a class of values names as its base; the class itself is a tuple."""
