"""What kind of text a file holds: by its name where that tells, else by its shape. Pure."""

from __future__ import annotations

import json
import os
import re

_SUFFIXES = {
    "code": (
        "bash bat bzl c cc cfg cjs clj cmake conf cpp cs css cts cu cxx dart el erl ex exs f90 fish fs go gql gradle graphql groovy h hcl "
        "hh hpp hs htm html hxx ini java jl js jsx kt kts less lisp lua m mjs ml mm mts nim nix php pl pm proto ps1 py pyi pyx r rb rs "
        "sass scala scm scss sh sol sql svelte swift tcl tf toml ts tsx vb vim vue xml xsd yaml yml zig zsh"
    ),
    "log": "err log out trace",
    "diff": "diff patch rej",
    "json": "geojson har ipynb json json5 jsonc jsonl ndjson sarif webmanifest",
    "markdown": "markdown md mdc mdx",
}
_BY_SUFFIX = {"." + suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_CODE_NAMES = frozenset(
    "brewfile cmakelists.txt containerfile dockerfile gemfile jenkinsfile justfile makefile procfile rakefile vagrantfile".split()
)
_MAGIC = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF87a", "image/gif"), (b"GIF89a", "image/gif"))

_DIFF = re.compile(r"(?:diff --git |Index: |--- \S[^\n]*\n\+\+\+ \S|@@ -\d)")
_STAMPED = re.compile(
    r"[\[(]?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d"
    r"|(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE)\b)"
)
_HEADING = re.compile(r"(?m)^#{1,6} \S")
_LINES = 200  # of a text that are looked at for its shape
_START = 1 << 16  # characters
_JSON_CHARS = 1 << 20


def kind_of(name: str, text: str) -> str:
    """The kind of a text that came from a file of this name, "" where it has none."""
    base = os.path.basename(name).lower()
    if base in _CODE_NAMES:
        return "code"
    return _BY_SUFFIX.get(os.path.splitext(base)[1]) or _shape(text)


def image_type(raw: bytes) -> str:
    """The type of an image by its first bytes, "" for anything else."""
    if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
        return "image/webp"
    return next((mime for signature, mime in _MAGIC if raw.startswith(signature)), "")


def _shape(text: str) -> str:
    start = text[:_START].lstrip("\ufeff \t\r\n")
    if start.startswith("#!"):
        return "code"
    if _DIFF.match(start):
        return "diff"
    if start[:1] in ("{", "[") and _is_json(text):
        return "json"
    lines = [line for line in start.split("\n")[:_LINES] if line.strip()]
    if len(lines) > 1 and sum(_STAMPED.match(line) is not None for line in lines) * 2 > len(lines):
        return "log"
    return "markdown" if len(_HEADING.findall(start)) > 1 else "text"


def _is_json(text: str) -> bool:
    """Whether a text is one value, or its first line is."""
    whole = text if len(text) <= _JSON_CHARS else text.lstrip().split("\n", 1)[0]
    for part in (whole, whole.lstrip().split("\n", 1)[0]):
        try:
            json.loads(part)
        except (ValueError, RecursionError):
            continue
        return True
    return False
