"""Attachments: sizes read from the headers of four formats, their cost in tokens, and base64 that is one text for one attachment."""

from base64 import b64encode
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.compiler.media import decode_base64, image_size, image_tokens
from clew.compiler.tokens import counter
from clew.errors import InvalidInput

WIDTH, HEIGHT = 1280, 719


def big(number: int, size: int) -> bytes:
    return number.to_bytes(size, "big")


def little(number: int, size: int) -> bytes:
    return number.to_bytes(size, "little")


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + big(13, 4) + b"IHDR" + big(width, 4) + big(height, 4) + b"\x08\x06\0\0\0"


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + little(width, 2) + little(height, 2) + b"\xf7\0\0"


def jpeg(width: int, height: int, marker: int = 0xC0, before: bytes = b"") -> bytes:
    frame = b"\xff" + bytes([marker]) + big(17, 2) + b"\x08" + big(height, 2) + big(width, 2) + b"\x03"
    return b"\xff\xd8\xff\xe0" + big(16, 2) + b"JFIF\0\x01\x01" + bytes(7) + before + frame + bytes(8)


def webp(form: bytes, chunk: bytes) -> bytes:
    return b"RIFF" + little(100, 4) + b"WEBP" + form + little(len(chunk), 4) + chunk


def lossy(width: int, height: int) -> bytes:
    return webp(b"VP8 ", b"\x30\x01\0\x9d\x01\x2a" + little(width, 2) + little(height, 2))


def lossless(width: int, height: int) -> bytes:
    return webp(b"VP8L", b"\x2f" + little((width - 1) | (height - 1) << 14, 4))


def extended(width: int, height: int) -> bytes:
    return webp(b"VP8X", b"\x10\0\0\0" + little(width - 1, 3) + little(height - 1, 3))


FORMATS = {"png": png, "gif": gif, "jpeg": jpeg, "webp lossy": lossy, "webp lossless": lossless, "webp extended": extended}


@pytest.mark.parametrize("make", FORMATS.values(), ids=FORMATS.keys())
def test_the_size_of_an_image_is_in_its_header(make):
    assert image_size(make(WIDTH, HEIGHT)) == (WIDTH, HEIGHT)
    assert image_tokens(make(WIDTH, HEIGHT), counter()) == ceil(WIDTH * HEIGHT / 750) == 1228


@pytest.mark.parametrize(("width", "height", "tokens"), [(1, 1, 1), (750, 1, 1), (751, 1, 2), (1092, 1092, 1590)])
def test_an_image_costs_its_pixels_by_750_rounded_up(width, height, tokens):
    assert image_tokens(png(width, height), counter()) == tokens


@pytest.mark.parametrize("marker", [0xC1, 0xC2, 0xC3, 0xC9, 0xCF])
def test_a_jpeg_of_any_process_is_read(marker):
    assert image_size(jpeg(WIDTH, HEIGHT, marker)) == (WIDTH, HEIGHT)


def test_what_stands_before_a_jpegs_frame_is_passed_over():
    thumbnail = b"\xff\xe1" + big(2 + 40, 2) + b"Exif\0\0" + jpeg(160, 120)[:34]
    tables = b"\xff\xc4" + big(6, 2) + bytes(4) + b"\xff\xff\xff\xdb" + big(5, 2) + bytes(3)
    assert image_size(jpeg(WIDTH, HEIGHT, before=thumbnail + tables)) == (WIDTH, HEIGHT)


@pytest.mark.parametrize(
    "content",
    [b"", b"\x89PNG", png(0, 5), gif(5, 0), b"%PDF-1.7", b"RIFF\0\0\0\0WAVEfmt ", b"\xff\xd8\xff\xd9", b"<svg/>", webp(b"VP8 ", bytes(10))],
)
def test_what_cannot_be_read_costs_its_base64_as_text(content):
    assert image_size(content) is None
    assert image_tokens(content, counter()) == counter().count(b64encode(content).decode())


@given(st.sampled_from(list(FORMATS.values())), st.integers(1, 9_999), st.integers(1, 9_999), st.data())
def test_a_header_cut_short_gives_no_size_or_the_right_one(make, width, height, data):
    content = make(width, height)
    assert image_size(content[: data.draw(st.integers(0, len(content)))]) in (None, (width, height))


@given(st.sampled_from([b"", b"\xff\xd8\xff", b"RIFF", b"GIF89a", b"\x89PNG\r\n\x1a\n"]), st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(signature, content):
    size = image_size(signature + content)
    assert size is None or min(size) > 0


@given(st.binary(min_size=1))
def test_base64_comes_back_as_the_bytes_it_was_made_of(content):
    assert decode_base64(b64encode(content).decode(), "media") == content


@pytest.mark.parametrize(
    "text", ["", "QQ", "QQ=", "Q=Q=", "QQ==\n", " QQ==", "QQ==QQ==", "QR==", "Q-_=", "data:image/png;base64,QQ==", "ü"]
)
def test_base64_of_any_other_form_is_refused(text):
    with pytest.raises(InvalidInput, match=r"^media\.bytes_b64: is not strict base64") as caught:
        decode_base64(text, "media.bytes_b64")
    assert caught.value.field == "media.bytes_b64"
