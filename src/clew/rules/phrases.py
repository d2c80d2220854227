"""What takes more than one word, or the inside of one, to tell: addresses, code in backticks, installs, imports, who did it. Pure."""

from __future__ import annotations

import re
from itertools import islice

from clew.patterns import compiled
from clew.rules.names import CUSTOM, Named, key_of
from clew.rules.shapes import DOTTED, FILE, HEX, commit, file, pull, symbol, ticket
from clew.stopwords import COMMON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

INSTALLS = 32  # of one text that are looked at
_SPAN = r"`([^`\n]{1,120})`"
_INSTALL = (
    r"\b(?:pip3?|pipx|uv|npm|pnpm|yarn|bun|cargo|gem|go|apt|apt-get|brew|conda|poetry|composer|dotnet|nuget)(?: pip| package)? "
    r"(?:install|add|i|get|require)[ \t]+"
)
_BEGINS = r"(?:[\n`'\"(;&|$>]|\b(?:sudo|RUN|[Rr]un|-m))[ \t]*$"  # before a command: there it is one to its end, else words of a sentence
_REST = r"(?:[^\n`;&|\\]|\\\n?){1,400}"
_PACKAGE = r"['\"]?([@A-Za-z](?:[\w./@^~<>=!*,\[\]-]*[\w\]*])?)['\"]?([.,:;)]*)"
_SIGNS = r"[-@/=<>\[\d_]"
_VALUED = frozenset(  # options whose value is a word of its own
    "-r --requirement -c --constraint --channel -e --editable -i --index-url --extra-index-url -f --find-links -t --target --prefix -n "
    "--name -w --workspace --filter --registry --tag --features -F --group -G --extra --version --python -p --cwd -C".split()
)
_IMPORT = (
    r"(?m)(?:^|`)\s*(?:from\s+([A-Za-z_]\w*)[\w.]*\s+import\b|import\s+([A-Za-z_]\w*)[\w.]*(?:\s+as\s+\w+)?\s*(?=$|`|,|;|#))"
    r"|\b(?:require\(|from\s+)['\"](@?[a-z][\w./-]*)['\"]"
)
_BY = r"\b(?:[Bb]y|[Aa]uthor:?|[Rr]eviewer:?|[Cc]c:?)\s+([A-Z][a-z]+(?: [A-Z]\.)? [A-Z][a-z]{2,})(?=[\s.,;:)<]|$)"
_ORIGIN = r"https?://(?:www\.)?(?:github|gitlab)\.[a-z]+/([\w.-]+/[\w.-]+?)/(?:-/)?(issues|pull|merge_requests|commit)/(\w+)"
_CALLED = rf"({DOTTED})(?:\(.*\))?"


def addresses(raw: str) -> Iterator[Named]:
    """The address in a word, without fragment and trackers, and the ticket, pull request or commit that it leads to."""
    at = raw.find("http")
    if at < 0:
        return
    url = re.split(r"[<>\"'`|\])}]", raw[at:], maxsplit=1)[0].rstrip(".,;:!?*")
    origin = compiled(_ORIGIN).match(url)
    if origin:
        kind, number = origin[2], origin[3]
        if kind == "commit":
            yield commit(number)
        elif number.isdigit() and len(number) < 8:
            yield ticket(number, origin[1])
            if kind != "issues":
                yield pull(number)
    address, _, query = url.split("#", 1)[0].partition("?")
    kept = "&".join(p for p in query.split("&") if p and not p.startswith(("utm_", "fbclid", "gclid", "ref=")))
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    if "." in host or host.startswith("localhost"):
        plain = f"{scheme.lower()}://{host.lower()}{slash}{path}".rstrip("/") + (f"?{kept}" if kept else "")
        yield Named("url", plain.split("://", 1)[1].removeprefix("www.")[:300].casefold(), plain[:300])


def phrases(text: str) -> Iterator[Named]:
    """What takes more than one word to tell: code in backticks, installs and imports, "by Jane Doe"."""
    if "`" in text:
        for span in compiled(_SPAN).findall(text):
            yield from _code(span.strip())
    if "install" in text or " add " in text or " i " in text or " get " in text:
        for install in islice(compiled(_INSTALL).finditer(text), INSTALLS):
            for name in _installed(text, install.start(), install.end()):
                yield from _package(name)
    if "import " in text or "require(" in text:
        for groups in compiled(_IMPORT).findall(text):
            yield from _package(next(filter(None, groups)))
    if "by" in text or "By" in text or "uthor" in text or "eviewer" in text or "cc" in text or "Cc" in text:
        for name in compiled(_BY).findall(text):
            if name.split()[0].casefold() not in CUSTOM:
                yield Named("person", key_of(name), name)


def _code(span: str) -> Iterator[Named]:
    """What stands in backticks by itself is code, however plain it looks."""
    if compiled(HEX).fullmatch(span):
        yield commit(span)
    elif compiled(FILE).fullmatch(span.replace("\\", "/")):
        yield from file(compiled(r":\d+(?:[:-]\d+)?$").sub("", span))
    elif len(span) > 1 and (called := compiled(_CALLED).fullmatch(span)):
        yield symbol(called[1])


def _installed(text: str, start: int, end: int) -> list[str]:
    """The packages of the install that stands there: of a command all, in a sentence the first word and those behind it that none has."""
    rest = compiled(_REST).match(text, end)
    if rest is None:
        return []
    command = compiled(_BEGINS).search("\n" * (start < 8) + text[max(0, start - 8) : start]) is not None
    found: list[str] = []
    plain = []
    words = iter(rest[0].replace("\\\n", " ").split())
    for word in words:
        if word.startswith("-"):
            if word in _VALUED:
                next(words, None)
            continue
        package = compiled(_PACKAGE).fullmatch(word)
        if package is None or (found and (package[1] in COMMON or not package[1].islower())):
            command = False  # it goes on as a sentence, or as something else
            break
        found.append(package[1])
        plain.append(compiled(_SIGNS).search(package[1]) is None)
        if package[2]:
            break
    telling = next((at for at, bare in enumerate(plain) if at and bare), len(found))
    return found if command else found[:telling]


def _package(given: str) -> Iterator[Named]:
    bare = re.split(r"[<>=~^!\[]|(?<=.)@", given, maxsplit=1)[0].rstrip("./-")
    if (
        bare
        and not bare.startswith("-")
        and bare.casefold() not in ("the", "a", "it", "to", "on", "in", "and", "from", "with", "this", "that")
    ):
        yield Named("package", bare.casefold(), bare)
