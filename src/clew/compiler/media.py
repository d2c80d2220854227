"""Attachments: strict base64, the size of an image from its first bytes, and what an image costs in tokens."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error

from clew.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clew.compiler.tokens import Counter

PIXELS_PER_TOKEN = 750  # as vision models bill an image: width · height / 750, rounded up
_NO_FRAME = (0xC4, 0xC8, 0xCC)  # JPEG markers between C0 and CF that do not open a frame: tables, an extension, arithmetic coding
_ALONE = (0x01, *range(0xD0, 0xDA))  # JPEG markers without a length


def decode_base64(text: str, field: str) -> bytes:
    """The bytes of `text`: the standard alphabet, padded, without blanks or line ends, and as an encoder writes it, so that one attachment
    has one text. Raises InvalidInput naming `field`."""
    try:
        content = b64decode(text, validate=True)
    except (Error, ValueError):
        content = b""
    if not content or b64encode(content).decode("ascii") != text:
        raise InvalidInput(field, "is not strict base64: standard alphabet, padded with =, no blanks or line ends, not empty")
    return content


def image_tokens(content: bytes, counter: Counter) -> int:
    """Tokens of an image; of what is no PNG, JPEG, WebP or GIF, the tokens of its base64 as text."""
    size = image_size(content)
    if size is None:
        return counter.count(b64encode(content).decode("ascii"))
    return -(-size[0] * size[1] // PIXELS_PER_TOKEN)


def image_size(content: bytes) -> tuple[int, int] | None:
    """Width and height in pixels from the header alone, None where it is none of the four formats, cut short, or says nought."""
    for signature, read in ((b"\x89PNG\r\n\x1a\n", _png), (b"GIF87a", _gif), (b"GIF89a", _gif), (b"RIFF", _webp), (b"\xff\xd8\xff", _jpeg)):
        if content.startswith(signature):
            size = read(content)
            return size if size and min(size) > 0 else None
    return None


def _png(content: bytes) -> tuple[int, int] | None:
    if content[12:16] != b"IHDR" or len(content) < 24:
        return None
    return _big(content[16:20]), _big(content[20:24])


def _gif(content: bytes) -> tuple[int, int] | None:
    return (_little(content[6:8]), _little(content[8:10])) if len(content) >= 10 else None


def _webp(content: bytes) -> tuple[int, int] | None:
    """The three forms of the first chunk: lossy, lossless (14 bits each, less one), extended (24 bits each, less one)."""
    form, chunk = content[8:16], content[20:30]
    if form == b"WEBPVP8 " and len(chunk) == 10 and chunk[3:6] == b"\x9d\x01\x2a":
        return _little(chunk[6:8]) & 0x3FFF, _little(chunk[8:10]) & 0x3FFF
    if form == b"WEBPVP8L" and len(chunk) >= 5 and chunk[0] == 0x2F:
        bits = _little(chunk[1:5])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if form == b"WEBPVP8X" and len(chunk) == 10:
        return _little(chunk[4:7]) + 1, _little(chunk[7:10]) + 1
    return None


def _jpeg(content: bytes) -> tuple[int, int] | None:
    """From segment to segment until one opens a frame. Each step goes forward, by a length the file names, so a hostile file ends too."""
    at = 2
    while at + 4 <= len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        if marker == 0xFF or marker in _ALONE:
            at += 1 if marker == 0xFF else 2
        elif 0xC0 <= marker <= 0xCF and marker not in _NO_FRAME:
            return (_big(content[at + 7 : at + 9]), _big(content[at + 5 : at + 7])) if at + 9 <= len(content) else None
        else:
            at += 2 + max(2, _big(content[at + 2 : at + 4]))
    return None


def _big(content: bytes) -> int:
    return int.from_bytes(content, "big")


def _little(content: bytes) -> int:
    return int.from_bytes(content, "little")
