"""Files, folders and standard input as fragments for the compiler: text in parts that fit, images as attachments, the rest named."""

from __future__ import annotations

import os
from base64 import b64encode
from typing import TYPE_CHECKING, NamedTuple

from clew.errors import InvalidInput
from clew.importers.documents import SKIPPED, listed
from clew.importers.kinds import image_type, kind_of
from clew.limits import FRAGMENT_BYTES, FRAGMENTS, MEDIA_BASE64, MEDIA_TOTAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, BinaryIO

IMAGE_BYTES = MEDIA_BASE64 * 3 // 4  # base64 writes three bytes in four characters
IMAGES_BYTES = MEDIA_TOTAL * 3 // 4  # of all of them
TOTAL_BYTES = 64 << 20  # of all that is read
SAMPLE = 8_000  # bytes that tell text from what is none
STDIN = "-"
_ODD = frozenset(map(chr, {*range(32), 127} - set(b"\b\t\n\v\f\r\x1b"))) | {"\ufffd"}
_ODD_SHARE = 0.1  # a log with a few NUL bytes, or one in an older encoding, is text
_WIDE = (b"\xff\xfe", b"\xfe\xff")  # how UTF-16 begins


class Gathered(NamedTuple):
    """Fragments as a request takes them, the name of each, and (name, why) of what was left out."""

    fragments: list[dict[str, Any]]
    names: list[str]
    left_out: list[tuple[str, str]]


def gathered(
    places: list[str], stdin: BinaryIO, *, kind: str = "", tell: Callable[[int, int], None] = lambda done, everything: None
) -> Gathered:
    """Read every place: a file, a folder with all below it, or `-` for standard input. `kind` overrides what a text looks like.

    A folder is read as `clew init` does: without what git ignores, `.clewignore` names, or lies outside. A text longer than a fragment may
    be comes in parts. `tell(done, everything)` follows the files. Raises InvalidInput for what is not there, cannot be read, is too much,
    or holds nothing to compile.
    """
    files = [file for place in places for file in _files(place)]
    found = Gathered([], [], [])
    spent = pictures = 0
    for done, (name, path) in enumerate(files):
        tell(done, len(files))
        raw = _read(name, path, stdin, TOTAL_BYTES - spent)
        spent += len(raw)
        mime = image_type(raw)
        pictures += len(raw) if mime else 0
        why = _unfit(raw, mime, pictures)
        if why:
            found.left_out.append((name, why))
            continue
        for label, fragment in _image(name, raw, mime) if mime else _texts(name, decoded(raw), kind):
            found.fragments.append(fragment)
            found.names.append(label)
        if len(found.fragments) > FRAGMENTS:
            raise InvalidInput("FILE", f"more than {FRAGMENTS:,} fragments; name fewer files, or put what is not needed into .clewignore")
    tell(len(files), len(files))
    if not found.fragments:
        raise InvalidInput("FILE", f"there is nothing to compile in {_listed(places)}{_because(found.left_out)}")
    return found


def decoded(raw: bytes) -> str:
    """Bytes as text: UTF-8, or UTF-16 where they say so; what is neither becomes U+FFFD."""
    return raw.decode("utf-16" if raw.startswith(_WIDE) else "utf-8", "replace")


def _files(place: str) -> Iterator[tuple[str, str]]:
    """(name, path) of every file of a place, the path "" for standard input."""
    if place == STDIN:
        yield "stdin", ""
        return
    path = os.path.expanduser(place)
    if not os.path.isdir(path):
        yield _shown(place), path
        return
    count = 0
    for where, _, here in listed(path, lambda name: not SKIPPED.intersection(name.split("/")[:-1])):
        count += 1
        if count > FRAGMENTS:
            raise InvalidInput(
                "FILE", f"'{place}' holds more than {FRAGMENTS:,} files; name fewer, or put what is not needed into .clewignore"
            )
        yield _shown(os.path.normpath(os.path.join(place, here))), where
    if not count:
        raise InvalidInput("FILE", f"the folder '{place}' holds no file that is not ignored")


def _read(name: str, path: str, stdin: BinaryIO, most: int) -> bytes:
    try:
        if path:
            with open(path, "rb") as file:
                raw = file.read(most + 1)
        else:
            raw = stdin.read(most + 1)
    except OSError as error:
        raise InvalidInput("FILE", f"'{name}' cannot be read: {error.strerror}") from None
    except ValueError:  # a NUL byte in a name
        raise InvalidInput("FILE", f"'{name[:80]}' is no name of a file") from None
    if len(raw) > most:
        raise InvalidInput("FILE", f"with '{name}' it is more than the {TOTAL_BYTES >> 20} MiB that are read at once; give less")
    return raw


def _unfit(raw: bytes, mime: str, pictures: int) -> str:
    """Why something cannot be compiled, "" where it can."""
    if not raw.strip():
        return "empty"
    if mime:
        return "an image over 3 MiB" if len(raw) > IMAGE_BYTES else "images over 48 MiB in all" if pictures > IMAGES_BYTES else ""
    sample = decoded(raw[:SAMPLE])
    return "binary, or not UTF-8" if sum(letter in _ODD for letter in sample) > _ODD_SHARE * len(sample) else ""


def _image(name: str, raw: bytes, mime: str) -> Iterator[tuple[str, dict[str, Any]]]:
    media = {"mime": mime, "bytes_b64": b64encode(raw).decode()}
    yield name, {"content": f"[image: {name}]", "path": name, "kind": "screenshot", "media": media}


def _texts(name: str, text: str, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """One fragment, or the parts of a long text; parts carry a range, since two texts of one path are else two readings of it."""
    fragment = {"kind": kind or kind_of("" if name == "stdin" else name, text), **({} if name == "stdin" else {"path": name})}
    parts = list(_parts(text))
    if len(parts) == 1:
        yield name, {"content": text, **fragment}
        return
    for number, part in enumerate(parts, 1):
        place = f"part {number} of {len(parts)}"
        yield f"{name}, {place}", {"content": part, "metadata": {"range": place}, **fragment}


def _parts(text: str) -> Iterator[str]:
    """A text in parts of at most FRAGMENT_BYTES, cut at the ends of lines; a longer line is cut between characters."""
    raw, start = text.encode(), 0
    while len(raw) - start > FRAGMENT_BYTES:
        end = raw.rfind(b"\n", start, start + FRAGMENT_BYTES) + 1
        if not end:
            end = start + FRAGMENT_BYTES
            while raw[end] & 0xC0 == 0x80:
                end -= 1
        yield raw[start:end].decode()
        start = end
    yield raw[start:].decode()


def _shown(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "replace")


def _listed(names: list[str], most: int = 3) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"'{name}'" for name in names[:most]) + more


def _because(left_out: list[tuple[str, str]]) -> str:
    return "; " + "; ".join(left_out_lines(left_out)) if left_out else ""


def left_out_lines(left_out: list[tuple[str, str]]) -> list[str]:
    """A sentence for each reason why files were left out."""
    reasons = dict.fromkeys(why for _, why in left_out)
    return [f"left out, {why}: {_listed([name for name, of in left_out if of == why])}" for why in reasons]


def one_text(place: str, stdin: BinaryIO) -> str:
    """The text of one file, or of standard input for `-`. Raises InvalidInput as `gathered` does."""
    (name, path), *more = _files(place)
    if more:
        raise InvalidInput("FILE", f"'{place}' is a folder; name one file")
    raw = _read(name, path, stdin, TOTAL_BYTES)
    if why := _unfit(raw, image_type(raw), 0):
        raise InvalidInput("FILE", f"'{name}' is {why}: there is nothing to compile")
    return decoded(raw)
