"""A request as plain values → a valid `Request`, or InvalidInput that names the field, the limit and the way out.

Nothing is guessed: an unknown field is an error, because a misspelt one would otherwise pass unnoticed.
"""

from __future__ import annotations

import json

from clew.compiler.media import decode_base64
from clew.compiler.values import Chunk, Fragment, Importance, Media, Policy, Pricing, Request, Scope
from clew.errors import InvalidInput
from clew.limits import FRAGMENT_BYTES, FRAGMENT_KINDS, FRAGMENTS, ID_MAX, MEDIA_BASE64, MEDIA_TOTAL, TOKENS_MAX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

METADATA_BYTES = 64 << 10  # of the JSON text of one fragment's metadata
QUERY_BYTES = 64 << 10
NAME_CHARS = 4_096  # of a path, a project, a model
ID_DIGITS = 20
CHUNK_BYTES = (64, FRAGMENT_BYTES)
BOUNDARIES = ("paragraph", "sentence", "line")

REQUEST = ("query", "token_budget", "fragments", "project", "model", "memory_scope", "policy")
FRAGMENT = ("id", "content", "path", "kind", "priority", "metadata", "media")
MEDIA = ("mime", "bytes_b64")
FLAGS = ("verbatim", "cache")  # of the metadata
SCOPE = ("project", "k", "max_hops")
CHUNK = ("max_bytes", "boundary")
IMPORTANCE = ("confidence", "recency", "recency_field")
PRICING = ("input_per_million", "currency")


def parse_request(given: object, rules: Iterable[str] = ()) -> Request:
    """The request, from a mapping as JSON gives it. `rules`: the ids that `policy.disabled_rules` may hold, any when empty.

    `token_budget` left out or null is what suits the `model`; without one, or for one that is not known, the largest there is: nothing is
    cut.
    """
    fields = _fields(given, "request", REQUEST)
    policy = _policy(fields.get("policy"), tuple(rules))
    project, model = (_text(fields, name, NAME_CHARS) for name in ("project", "model"))
    budget = _whole(fields, "token_budget", (1, TOKENS_MAX), 0) or _suiting(model, policy.response_reserve_tokens)
    if policy.response_reserve_tokens >= budget:
        reserve = policy.response_reserve_tokens
        raise InvalidInput(
            "policy.response_reserve_tokens",
            f"{reserve} leaves nothing of token_budget {budget}; it must lie below it",
        )
    listed = fields.get("fragments", ())
    if not isinstance(listed, (list, tuple)):
        raise InvalidInput("fragments", f"must be a list of fragments, not {_kind_of(listed)}")
    if len(listed) > FRAGMENTS:
        raise InvalidInput("fragments", f"{len(listed)} fragments; at most {FRAGMENTS} in one request: join small ones or compile in parts")
    spent = [0]
    return Request(
        query=_text(fields, "query", QUERY_BYTES) or "",
        token_budget=budget,
        fragments=tuple(_fragment(one, index, spent) for index, one in enumerate(listed)),
        project=project,
        model=model,
        memory_scope=_scope(fields.get("memory_scope"), project),
        policy=policy,
    )


def _suiting(model: str | None, reserve: int) -> int:
    """The budget of a request that has none: what suggests itself for its model, `reserve` tokens of an answer included."""
    if model is None:
        return TOKENS_MAX
    from clew.compiler.windows import suggest

    found = suggest(model, reserve=reserve or None)
    if found.window is not None and found.budget is None:
        raise InvalidInput("policy.response_reserve_tokens", f"{found.note}; it must be smaller")
    return TOKENS_MAX if found.budget is None else found.budget + reserve


def _fragment(given: object, index: int, spent: list[int]) -> Fragment:
    place = f"fragments[{index}]"
    fields = _fields(given, place, FRAGMENT)
    if not isinstance(fields.get("content"), str):
        raise InvalidInput(f"{place}.content", f"must be text, not {_kind_of(fields.get('content'))}")
    return Fragment(
        place=index,
        content=_text(fields, "content", FRAGMENT_BYTES, place) or "",
        id=_id(fields.get("id"), f"{place}.id"),
        path=_text(fields, "path", NAME_CHARS, place),
        kind=_one_of(fields, "kind", FRAGMENT_KINDS, place) or "text",
        priority=_whole(fields, "priority", (0, 255), 0, place),
        metadata=_metadata(fields.get("metadata"), f"{place}.metadata"),
        media=_media(fields.get("media"), f"{place}.media", spent),
    )


def _id(value: object, place: str) -> int | None:
    """A number or its decimal digits; larger than a JSON client keeps exactly is fine as digits."""
    if value is None:
        return None
    number = value if isinstance(value, int) and not isinstance(value, bool) else None
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= ID_DIGITS:
        number = int(value)
    if number is None or not 0 <= number < 10**ID_DIGITS:
        raise InvalidInput(place, f"must be a number of at most {ID_DIGITS} digits, or those digits as text")
    return number


def shown_id(value: int | None) -> int | str | None:
    """An id as an answer carries it: a number where every client keeps it exactly (below 2^53), else its digits."""
    return value if value is None or value <= ID_MAX else str(value)


def _metadata(value: object, place: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise InvalidInput(place, f"must be an object with text keys, not {_kind_of(value)}")
    try:
        size = len(json.dumps(value, ensure_ascii=False).encode())
    except (TypeError, ValueError, RecursionError) as problem:
        raise InvalidInput(place, "must hold JSON values alone") from problem
    if size > METADATA_BYTES:
        raise InvalidInput(place, f"{size} bytes as JSON; at most {METADATA_BYTES}: put what is long into the content")
    for name in FLAGS:
        if not isinstance(value.get(name), (bool, type(None))):
            raise InvalidInput(f"{place}.{name}", f"must be true or false, not {_kind_of(value[name])}")
    return value


def _media(given: object, place: str, spent: list[int]) -> Media | None:
    if given is None:
        return None
    fields = _fields(given, place, MEDIA)
    mime = _text(fields, "mime", NAME_CHARS, place)
    encoded = fields.get("bytes_b64")
    if not mime or not isinstance(encoded, str):
        raise InvalidInput(place, "needs mime and bytes_b64, both as text")
    if not mime.isascii() or not mime.isprintable():
        raise InvalidInput(f"{place}.mime", "must be a type of plain characters, as in image/png")
    spent[0] += len(encoded)
    if len(encoded) > MEDIA_BASE64:
        raise InvalidInput(f"{place}.bytes_b64", f"{len(encoded)} characters of base64; at most {MEDIA_BASE64}: scale the image down")
    if spent[0] > MEDIA_TOTAL:
        raise InvalidInput(f"{place}.bytes_b64", f"media of all fragments exceed {MEDIA_TOTAL} characters of base64; send fewer at once")
    return Media(mime, decode_base64(encoded, f"{place}.bytes_b64"))


def _policy(given: object, rules: tuple[str, ...]) -> Policy:
    if given is None:
        return Policy()
    place = "policy"
    fields = _fields(given, place, Policy._fields)
    return Policy(
        response_reserve_tokens=_whole(fields, "response_reserve_tokens", (0, TOKENS_MAX), 0, place),
        near_duplicates=_flag(fields, "near_duplicates", True),
        disabled_rules=_rules(fields.get("disabled_rules"), rules),
        chunk=_chunk(fields.get("chunk")),
        normalise_logs=_flag(fields, "normalise_logs", True),
        importance=_importance(fields.get("importance")),
        store_sources=_flag(fields, "store_sources", True),
        source_ttl_seconds=_number(fields, "source_ttl_seconds", None, place),
        record_events=_flag(fields, "record_events", True),
        event_ttl_seconds=_number(fields, "event_ttl_seconds", None, place),
        slim_response=_flag(fields, "slim_response", False),
        pricing=_pricing(fields.get("pricing")),
    )


def _rules(given: object, rules: tuple[str, ...]) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, (list, tuple)) or not all(isinstance(name, str) for name in given):
        raise InvalidInput("policy.disabled_rules", "must be a list of rule ids")
    for name in given:
        if rules and name not in rules:
            raise InvalidInput("policy.disabled_rules", f"no rule '{name[:80]}'{_nearest(name, rules)}")
    return tuple(given)


def _chunk(given: object) -> Chunk:
    if given is None:
        return Chunk()
    fields = _fields(given, "policy.chunk", CHUNK)
    return Chunk(
        _whole(fields, "max_bytes", CHUNK_BYTES, Chunk().max_bytes, "policy.chunk"),
        _one_of(fields, "boundary", BOUNDARIES, "policy.chunk") or Chunk().boundary,
    )


def _importance(given: object) -> Importance:
    if given is None:
        return Importance()
    place = "policy.importance"
    fields = _fields(given, place, IMPORTANCE)
    confidence, recency = (_number(fields, name, getattr(Importance(), name), place) for name in ("confidence", "recency"))
    return Importance(confidence or 0.0, recency or 0.0, _text(fields, "recency_field", NAME_CHARS, place))


def _pricing(given: object) -> Pricing | None:
    if given is None:
        return None
    fields = _fields(given, "policy.pricing", PRICING)
    price = _number(fields, "input_per_million", None, "policy.pricing")
    if price is None:
        raise InvalidInput("policy.pricing.input_per_million", "must be the price of a million input tokens")
    return Pricing(price, _text(fields, "currency", 16, "policy.pricing") or "USD")


def _scope(given: object, project: str | None) -> Scope | None:
    if given is None:
        return None
    fields = _fields(given, "memory_scope", SCOPE)
    named = _text(fields, "project", NAME_CHARS, "memory_scope") or project
    if not named:
        raise InvalidInput("memory_scope.project", "must name the project whose memories are pulled in")
    hops = None if fields.get("max_hops") is None else _whole(fields, "max_hops", (0, 10), 0, "memory_scope")
    return Scope(named, _whole(fields, "k", (1, 1_000), 5, "memory_scope"), hops)


def _fields(given: object, place: str, known: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise InvalidInput(place, f"must be an object, not {_kind_of(given)}")
    for name in given:
        if name not in known:
            label = name if place == "request" else f"{place}.{name}"
            raise InvalidInput(str(label)[:200], f"no such field{_nearest(str(name), known)}")
    return given


def _nearest(name: str, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name[:80].lower(), known, 1, 0.5)
    return f"; did you mean '{close[0]}'?" if close else f"; known are {', '.join(known)}"


def _text(fields: dict[str, Any], name: str, most: int, place: str = "") -> str | None:
    value, label = fields.get(name), f"{place}.{name}".lstrip(".")
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInput(label, f"must be text, not {_kind_of(value)}")
    try:
        size = len(value) if value.isascii() else len(value.encode())
    except UnicodeEncodeError as problem:
        raise InvalidInput(label, "holds half of a surrogate pair, which is no Unicode text") from problem
    if size > most:
        raise InvalidInput(label, f"{size} bytes; at most {most}: split it")
    return value


def _whole(fields: dict[str, Any], name: str, bounds: tuple[int, int], default: int, place: str = "") -> int:
    value, label = fields.get(name), f"{place}.{name}".lstrip(".")
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool) or not bounds[0] <= value <= bounds[1]:
        raise InvalidInput(label, f"must be a whole number within {bounds[0]}..{bounds[1]}")
    return value


def _number(fields: dict[str, Any], name: str, default: float | None, place: str) -> float | None:
    value = fields.get(name)
    if value is None:
        return default
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value < 1e15:
        raise InvalidInput(f"{place}.{name}", "must be a number, 0 or more")
    return float(value)


def _flag(fields: dict[str, Any], name: str, default: bool) -> bool:
    value = fields.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise InvalidInput(f"policy.{name}", "must be true or false")
    return value


def _one_of(fields: dict[str, Any], name: str, choices: tuple[str, ...], place: str) -> str | None:
    value = fields.get(name)
    if value is None or value in choices:
        return value
    raise InvalidInput(f"{place}.{name}", f"must be one of {', '.join(choices)}{_nearest(str(value), choices)}")


def _kind_of(value: object) -> str:
    names: tuple[tuple[Callable[[object], bool], str], ...] = (
        (lambda v: v is None, "nothing"),
        (lambda v: isinstance(v, bool), "true or false"),
        (lambda v: isinstance(v, (int, float)), "a number"),
        (lambda v: isinstance(v, str), "text"),
        (lambda v: isinstance(v, (list, tuple)), "a list"),
        (lambda v: isinstance(v, dict), "an object"),
    )
    return next((name for fits, name in names if fits(value)), "something else")
