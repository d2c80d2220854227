"""What a memory is called: the number people type, and the digest that is the same in every store."""

from __future__ import annotations

from unicodedata import normalize

try:
    from _blake2 import blake2b as blake2b  # the same function; hashlib also loads OpenSSL, four milliseconds on the light road
except ImportError:
    from hashlib import blake2b as blake2b

from clew.errors import InvalidInput
from clew.limits import DIGEST_PREFIX, ID_MAX

DIGEST_LENGTH = 32  # hex digits: 128 bits
_HEX = frozenset("0123456789abcdef")


def folded(text: str) -> str:
    """`text` in NFC with every run of white space as one space: what two sayings of the same thing share."""
    return " ".join(normalize("NFC", text).split())


def digest_of(project: str, kind: str, summary: str, detail: str) -> str:
    """32 hex digits (blake2b-128) over the project's portable identity, the kind and the folded text.

    Parts are joined by NUL, which no part may contain, so no two different memories share the bytes that are hashed.
    """
    content = "\0".join((project, kind, folded(summary), folded(detail)))
    return blake2b(content.encode(), digest_size=DIGEST_LENGTH // 2).hexdigest()


def parse_ref(value: int | str, field: str = "id") -> tuple[int | None, str | None]:
    """(number, digest prefix) that `value` may mean: `12`, `"12"`, `"#12"`, or six or more hex digits.

    A run of six or more decimal digits may be either, then both are given and the number is to be tried first.
    Raises InvalidInput naming `field`.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return _number(value, field), None
    text = str(value).strip().removeprefix("#").lower()
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= 16 else None
    prefix = text if DIGEST_PREFIX <= len(text) <= DIGEST_LENGTH and _HEX.issuperset(text) else None
    if number is None and prefix is None:
        raise InvalidInput(
            field,
            f"'{str(value)[:40]}' is neither a memory's number (12 or #12) nor {DIGEST_PREFIX}-{DIGEST_LENGTH} hex digits of its digest",
        )
    return (number if number is None or prefix is not None else _number(number, field)), prefix


def _number(value: int, field: str) -> int:
    if not 0 < value <= ID_MAX:
        raise InvalidInput(field, f"a memory's number lies within 1..{ID_MAX}")
    return value
