"""The working set of one agent, for those who build their own loop: what stays in the window, what leaves it, and the way back.

It needs no store and reads no clock. Texts and state are held here; `state()` is plain JSON, and `from_state` goes on from it.
"""

from __future__ import annotations

from clew.errors import InvalidInput, NotFound
from clew.ids import blake2b
from clew.limits import ID_MAX
from clew.model import Strength, as_json
from clew.rules import packs, scoring, threshold
from clew.rules import working_set as rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from clew.rules.working_set import Plan

BUDGET = 100_000  # tokens: half of a window of 200,000, the rest is for instructions, tools and the answer
LABEL_CHARS = 100
NEXT = 5  # candidates that `status` names
VERSION = 1
_ENDLESS = 1e18  # seconds and gains are far below


class WorkingSet:
    """What one agent holds in `budget` tokens. Not shared between threads."""

    def __init__(self, budget: int = BUDGET) -> None:
        """Raises InvalidInput for a budget below one token."""
        self._window = rules.opened(budget)
        self._texts: dict[str, str] = {}
        self._now = 0.0
        self._named = 0

    def admit(
        self,
        text: str,
        *,
        handle: str = "",
        size: int | None = None,
        kind: str = "observation",
        source: str = "",
        query: str = "",
        symbols: Sequence[str] = (),
        request: bool = False,
        pinned: bool = False,
    ) -> str:
        """Take in what a message brought, at the time of the last `turn`; returns the handle it goes by.

        `size` is in tokens (estimated when not given). `source` is the file it came from, `query` the search or command, `symbols` what it
        defines; `request` marks the user's words. The last request, what is `pinned`, and the kinds user and intent never leave. Raises
        InvalidInput, naming the field.
        """
        for name, value in (("text", text), ("handle", handle), ("source", source), ("query", query)):
            _is_text(name, value)
        _are_texts("symbols", symbols)
        for name, flag in (("request", request), ("pinned", pinned)):
            if not isinstance(flag, bool):
                raise InvalidInput(name, f"must be True or False, not {flag!r}")
        handle = handle or self._new_handle()
        thing = rules.Thing(
            handle,
            _tokens(text) if size is None else size,
            kind,
            source.replace("\\", "/"),
            " ".join(query.split()),
            _digest(text),
            scoring.tags_of(source.replace("\\", "/"), symbols=symbols, text=text[:2_000] if request else query),
            resolves=bool(source),
            pinned=pinned,
            request=request,
        )
        self._window = rules.admit(self._window, thing, self._now)
        self._texts[handle] = text
        return handle

    def turn(self, now: float) -> Plan:
        """One pass at `now` (UTC seconds), and a new turn: which handles to keep whole, to show as `stub(handle)`, and to leave out.

        A clock that goes backwards counts as no time passed. Raises InvalidInput for what is no time.
        """
        self._now = _number("now", now)
        self._window, plan = rules.settle(self._window, self._now)
        self._window = rules.next_turn(self._window, self._now)
        return plan

    def request(self, what: str) -> str:
        """The text of what goes by that handle, file, query or content; what had left is resident again. Raises NotFound."""
        _is_text("what", what)
        self._window, handle = rules.ask(self._window, self._asked(what), self._now)
        return self._texts[handle]

    def used(self, handle: str, *, k: float = 1.0) -> None:
        """Say that something was used: `k` 1 and the attempt passed, 0.5 uncertain, 0 it failed or was merely shown. Raises NotFound."""
        _is_text("handle", handle)
        self._window = rules.use(self._window, handle, self._now, k=min(1.0, _number("k", k)))

    def failing(self, handles: Sequence[str]) -> None:
        """Say which failures belong to a goal that is still open; they stay until the next call leaves them out. Raises NotFound."""
        _are_texts("handles", handles)
        unknown = [handle for handle in handles if handle not in self._texts]
        if unknown:
            raise NotFound(f"nothing in this working set goes by {unknown[0][:80]!r}")
        self._window = self._window._replace(failing=tuple(handles))

    def stub(self, handle: str) -> str:
        """The one line that stands for what left, with the handle that restores it. Raises NotFound."""
        _is_text("handle", handle)
        if handle not in self._texts:
            raise NotFound(f"nothing in this working set goes by {handle[:80]!r}")
        thing = self._thing(handle)
        label = thing.source or thing.query or self._texts[handle][: 8 * LABEL_CHARS]
        return f"[{packs.named(handle, 40)}, {thing.size} tokens set aside, ask for it by this handle: {packs.quoted(label, LABEL_CHARS)}]"

    def status(self) -> dict[str, Any]:
        """Both registers, the tokens used of the budget, residents by kind, evictions, misses, and what leaves next with its signals."""
        return status_of(self._window)

    def state(self) -> dict[str, Any]:
        """Everything it holds as plain JSON values."""
        window = plain_of(self._window)
        return {"version": VERSION, "now": self._now, "named": self._named, "texts": dict(self._texts), "window": window}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> WorkingSet:
        """The working set that `state` was taken from. Raises InvalidInput for what `state()` does not give."""
        try:
            if state["version"] != VERSION:
                raise InvalidInput("state", f"is of version {state['version']!r}; this clew reads version {VERSION}")
            window = window_of(state["window"])
            found = cls(window.budget)
            found._window, found._now, found._named = window, float(state["now"]), int(state["named"])
            found._texts = {str(handle): str(text) for handle, text in state["texts"].items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput("state", f"is not what WorkingSet.state() gives ({type(error).__name__}: {error})") from None
        if not found._texts.keys() >= window.residents.keys() | window.stubs.keys():
            raise InvalidInput("state", "names things whose text it does not hold")
        return found

    def _thing(self, handle: str) -> rules.Thing:
        return (self._window.residents.get(handle) or self._window.stubs[handle]).thing

    def _new_handle(self) -> str:
        while True:
            self._named += 1
            if (handle := f"m{self._named}") not in self._texts:
                return handle

    def _asked(self, what: str) -> str:
        """What is asked for in the words the rules know: a path with forward slashes, a query with single spaces, content by its digest."""
        forms = (what, what.replace("\\", "/"), " ".join(what.split()), _digest(what))
        return next((form for form in forms if rules.find(self._window, form)), what)


def _is_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise InvalidInput(name, f"must be text, not {type(value).__name__}")


def _are_texts(name: str, values: object) -> None:
    if not isinstance(values, list | tuple) or not all(isinstance(value, str) for value in values):
        raise InvalidInput(name, f"must be a list of texts, not {values!r:.60}")


def _number(name: str, value: object) -> float:
    """A finite number; no other comes back from `state()` as it was. Raises InvalidInput."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _ENDLESS:
        raise InvalidInput(name, f"must be a finite number, not {value!r:.60}")
    return float(value)


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _tokens(text: str) -> int:
    from clew.compiler.tokens import counter  # its vocabulary is large, and who gives sizes needs none of it

    return counter().count(text)


def status_of(window: rules.Window) -> dict[str, Any]:
    """Both registers, the tokens used of the budget, residents by kind, stubs, evictions, misses, and what leaves next with its signals."""
    kinds: dict[str, int] = {}
    for resident in window.residents.values():
        kinds[resident.thing.kind] = kinds.get(resident.thing.kind, 0) + 1
    safe = rules.protected(window)
    free = [(handle, worth) for handle, worth in rules.worths(window).items() if handle not in safe][:NEXT]
    return {
        "budget": window.budget,
        "used": rules.used(window),
        "evict_below": window.registers.theta,
        "fill_mark": window.registers.fill,
        "residents": kinds,
        "stubs": len(window.stubs),
        "evictions": window.evictions,
        "misses": window.misses,
        "next": [{"handle": handle, **as_json(worth)} for handle, worth in free],
    }


def plain_of(window: rules.Window) -> dict[str, Any]:
    """A window as plain JSON values."""
    plain = window._asdict()
    for name in ("residents", "stubs"):
        plain[name] = list(plain[name].values())
    return as_json(plain)  # type: ignore[no-any-return]


def window_of(plain: Mapping[str, Any]) -> rules.Window:
    """A window out of the plain JSON values of `plain_of`. Raises ValueError and InvalidInput for others."""
    if not _like(_SAMPLE, plain):
        raise ValueError("a field is missing, or holds what it never holds")
    rows = {name: [_resident(row) for row in plain[name]] for name in ("residents", "stubs")}
    registers = threshold.Registers(**{**plain["registers"], "evictions": tuple(plain["registers"]["evictions"])})
    parts = {
        **plain,
        **{name: {resident.thing.handle: resident for resident in held} for name, held in rows.items()},
        "clock": threshold.Clock(**plain["clock"]),
        "registers": registers,
        "touched": tuple(tuple(tags) for tags in plain["touched"]),
        **{name: tuple(plain[name]) for name in ("lines", "words", "failing")},
    }
    return rules.opened(plain["budget"])._replace(**parts)


def _resident(row: Mapping[str, Any]) -> rules.Resident:
    thing = rules.Thing(**{**row["thing"], "tags": tuple(row["thing"]["tags"])})
    rules.sound(thing)
    if row["strength"]["stability"] <= 0:
        raise ValueError("nothing has no stability at all")
    return rules.Resident(**{**row, "thing": thing, "strength": Strength(**row["strength"])})


def _like(sample: Any, value: Any) -> bool:
    """Whether a value has the form of the sample: its keys, its types, of a list its first member's. None stands for a number or None.

    Whole numbers are ones that JSON keeps, others are finite.
    """
    if isinstance(sample, dict):
        return isinstance(value, dict) and sample.keys() == value.keys() and all(_like(held, value[name]) for name, held in sample.items())
    if isinstance(sample, list):
        return isinstance(value, list) and all(_like(sample[0], held) for held in value)
    if isinstance(sample, bool | str):
        return type(value) is type(sample)
    if isinstance(sample, int):
        return type(value) is int and abs(value) <= ID_MAX
    return (sample is None and value is None) or (type(value) in (int, float) and -_FAR < value < _FAR)


_FAR = 1e300  # no number of a window is as large
_HELD = rules.Resident(rules.Thing("h", 1, tags=("t",)), Strength(1.0, 5.0, 0.0), 1)
_SAMPLE = plain_of(
    rules.opened(1)._replace(
        registers=threshold.Registers(evictions=(0.0,)),
        residents={"h": _HELD},
        stubs={"h": _HELD},
        lines=("h",),
        touched=(("t",),),
        words=("t",),
        failing=("h",),
    )
)
