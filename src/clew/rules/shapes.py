"""What one word names by its shape and the word before it: file, symbol, ticket, pull request, commit, version, error code, day. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.patterns import compiled
from clew.rules.names import Named, key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

AROUND = ".,;:!?()[]{}<>\"'“”‘’«»`*|=…"
BEFORE = AROUND.replace(".", "")
_EXTENSIONS = (
    "astro bash bat bzl c cc cfg clj cmake conf cpp cs css csv cxx dart db ddl diff dockerfile elm env erl ex exs fs go gql gradle graphql "
    "groovy h hcl hpp hs html ini ipynb java jl js json jsonc jsonl jsx kt kts less lock log lua m md mdx mjs ml mm mod nix parquet patch "
    "php pl plist po proto ps1 py pyi pyx r rb rs rst sass scala scss sh sql sqlite sum svelte svg swift tf toml ts tsv tsx txt vue wasm "
    "xml yaml yml zig zsh"
)
BARE_FILES = frozenset(
    "Makefile Dockerfile Jenkinsfile Procfile Gemfile Rakefile Justfile Vagrantfile .gitignore .env .editorconfig".split()
)
FILE = rf"((?:[A-Za-z]:)?(?:[~.]{{0,2}}/)?(?:[\w.@+ -]*[\w@+-]/)*[\w.@+-]*[\w+-]\.(?:{_EXTENSIONS.replace(' ', '|')}))(?::\d+(?:[:-]\d+)?)?"
_MAIL = r"[\w.+-]+@(?!\dx\.)[\w.-]+"  # `.rs`, `.md` and `.sh` are countries too; `icon@2x.svg` is a file
_PLAIN_STEMS = frozenset("__init__ __main__ index main mod lib readme license setup conftest types package tsconfig config".split())

_TICKET = r"(?:([A-Za-z][\w-]*/[\w.-]+)|gh-?|GH-?)?#?(\d{1,7})"
_MERGE = r"[(\[{\"'`*]*(?:[A-Za-z][\w-]*/[\w./-]*\w)?!(\d{1,7})(?!\w)"  # `!12` and `group/app!12`, as GitLab writes them
_KEYED = r"([A-Z][A-Z0-9]{1,9})-(\d{1,6})|CVE-\d{4}-\d{4,7}|[A-Z]{3,5}-\d{4}-\d{4}"
# Letters, a hyphen and a number that are no ticket: standards, sizes, models.
_NOT_KEYED = frozenset(
    "UTF ISO SHA MD AES RSA DES TLS SSL HTTP IPV COVID GPT IEEE CP WIN KOI H MP ES ARM X F B A"
    " UCS BASE CRC RS USB WPA WIFI RAID EC RC MIDI "
    "LTE USD EUR"
    " SDK API CPU GPU RAM PY CP JPEG MPEG ANSI LATIN WINDOWS QWEN GEMINI CLAUDE LLAMA CLASS TYPE PHASE STEP PART TOP MAX MIN".split()
)
_SERIES = frozenset(("pep", "rfc", "adr", "jep", "eip"))  # numbered papers, written with a space or a hyphen
_CUES = frozenset("fix fixes fixed fixing close closes closed resolve resolves resolved issue issues ticket bug see refs ref pr mr".split())
_RANKED = frozenset("the a our my your their its is are was were be ranked number".split())
_COLOURS = r"(?i)\b(?:colou?rs?|css|background|border|hex|rgb|palette)\b"
SHORT = 7  # digits by which a commit is known
HEX = rf"(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{{{SHORT},40}}"
_COMMITTED = frozenset(
    "commit commits sha rev revision revert reverts reverted hash changeset cherry-pick cherry-picked bisected head".split()
)
_VERSION = r"[vV](\d{1,4}(?:\.\d{1,6}){1,3}(?:[-.+]?[A-Za-z]+[\w.]*)?|\d{1,4})|(\d{1,4}\.\d{1,6}\.\d{1,6}(?:[-+]?[A-Za-z]+[\w.]*)?)"
_NOT_VERSIONS = frozenset("section sections chapter figure table appendix clause paragraph art article step".split())
_DAY_FIRST = r"(?:[0-2]?\d|3[01])\.(?:0?\d|1[0-2])\.(?:19|20)\d\d"
_CODE = (
    r"E\d{4}|(?:ORA|PLS|TNS|SQL|DB2|MSG|ERR|NU|NETSDK|MSB|CS|TS|LNK|RUSTSEC|GHSA)-?\d{4,6}|C[24]\d{3}|0x[89a-fA-F][0-9a-fA-F]{7}"
    r"|ERR_[A-Z][A-Z_]+|SQLITE_[A-Z]+|SIG(?:SEGV|KILL|TERM|ABRT|BUS|PIPE|ILL|FPE|HUP|INT)|E(?:RESOLVE|LIFECYCLE|INTEGRITY)"
)
_ERRNO = frozenset(
    "ENOENT EACCES EPERM EEXIST EINVAL ENOTDIR EISDIR EMFILE ENFILE ENOSPC EROFS EPIPE EAGAIN EBUSY EBADF EINTR EIO ENOMEM EXDEV ENOTEMPTY "
    "ENAMETOOLONG ELOOP ENOSYS ENOTSUP ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT EADDRINUSE EADDRNOTAVAIL EHOSTUNREACH ENETUNREACH "
    "ENOTFOUND EPROTO ENOTCONN EDEADLK EFBIG ESRCH ECHILD EFAULT ERANGE EDOM ENODEV ENXIO ENOEXEC E2BIG".split()
)
_CAMEL = r"_{0,2}(?:[a-z]{2,}[a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+|[A-Z]+[a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[A-Z]{2,}[a-z][a-z0-9]+[A-Z]?[a-z0-9]*)"
_SURNAME = r"(?:Mc|Mac|De|Di|Du|La|Le|Van|Fitz|O)[A-Z][a-z]+|[A-Z]{1,4}s|(?:Ph|Lit)[A-Z]s?"
# Products that write themselves like an identifier: names, not symbols.
_PRODUCTS = frozenset(
    "javascript typescript github gitlab youtube linkedin facebook paypal postgresql mysql mariadb mongodb sqlite openssl macos ios"
    " webassembly "
    "graphql openai chatgpt deepmind clickhouse rabbitmq dynamodb elasticsearch bigquery powershell wordpress "
    "stackoverflow hashicorp latex "
    "websocket websockets devops nosql fastapi pytorch tensorflow airbnb whatsapp tiktok bittorrent playstation "
    # … or like a file. What a project may well call a file of its own (chart.js, video.js) is left out.
    "node.js vue.js next.js nuxt.js express.js three.js d3.js react.js angular.js ember.js backbone.js p5.js moment.js alpine.js hapi.js "
    "koa.js nest.js sails.js meteor.js knockout.js handlebars.js underscore.js discord.js tensorflow.js pixi.js phaser.js babylon.js "
    "plotly.js leaflet.js reveal.js require.js web3.js ethers.js preact.js mithril.js stimulus.js gatsby.js svelte.js electron.js "
    "socket.io draw.io asp.net ado.net vb.net ml.net".split()
)
_SNAKE = r"(?:[A-Za-z_][\w]*(?:\.|::|->))*_{0,2}[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_{0,2}|__[a-z]+__"
DOTTED = r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*"
_CALL = rf"({DOTTED})(?:\(\)|\([^()]*\))"
_DECORATORS = frozenset("property dataclass override param params return returns throws see since deprecated staticmethod classmethod "
    "cache fixture "
    "todo media import charset test".split())  # fmt: skip
_COMMON_CHARS = 60  # a longer word is rarely met again
_DATE = r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"


def symbol(name: str) -> Named:
    """A symbol; its words apart are another name for it (`UserProfile`, `user_profile` → "user profile")."""
    bare = name.removesuffix("()")
    words = " ".join(w.lower() for w in re.findall(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+", bare))
    return Named("symbol", bare.casefold(), bare, (words,) if words and words != bare.casefold() else ())


def commit(digits: str) -> Named:
    """A commit by its first digits, so that long and short forms are the same one."""
    return Named("commit", digits[:SHORT].lower(), digits[:12].lower(), (digits.lower(),) if len(digits) > SHORT else ())


def ticket(number: str, repository: str = "") -> Named:
    """A ticket by number, of another repository where one is named; it is then also known by its bare number."""
    bare = f"#{int(number)}"
    if not repository:
        return Named("ticket", bare, bare)
    return Named("ticket", f"{repository.casefold()}{bare}", f"{repository}{bare}", (bare,))


def file(path: str) -> Iterator[Named]:
    """The file, and by itself its last name where that tells files apart, so that `src/app/retry.py` and `retry.py` meet."""
    plain = path.replace("\\", "/").removeprefix("./")
    last = plain.rsplit("/", 1)[-1]
    yield Named("file", plain.casefold(), plain)
    if last != plain and last and last.split(".")[0].casefold() not in _PLAIN_STEMS:
        yield Named("file", last.casefold(), last)


def shaped(word: str, raw: str, before: str, text: str) -> Iterable[Named]:
    """What a word names; `raw` is the word with the signs around it, `before` the word before it, `text` all of it."""
    if not word.isalpha() and word[0] != "@" and any(map(str.isdigit, word)):
        found = _numbered(word, raw, before, text)
        if found is not None:
            return found
    return _alone(word, raw) if len(raw) <= _COMMON_CHARS else _alone.__wrapped__(word, raw)


@lru_cache(maxsize=1 << 12)  # what one text names the next one often names too
def _alone(word: str, raw: str) -> tuple[Named, ...]:
    """What a word names whatever stands around it."""
    if word in BARE_FILES:
        return tuple(file(word))
    if word.isalpha():
        return tuple(_lettered(word, raw))
    return tuple(_at(word) if word[0] == "@" else _composed(word, raw))


def _composed(word: str, raw: str) -> Iterator[Named]:
    """What a word of letters, digits and signs names."""
    if word.casefold() in _PRODUCTS and "`" not in raw:  # in backticks, behind a folder or before a line it is the file
        yield Named("name", key_of(word), word)
    elif "." in word and (path := compiled(FILE).fullmatch(word.replace("\\", "/"))):
        if "@" not in word or not compiled(_MAIL).fullmatch(word):
            yield from file(path[1])
    elif "_" in word and compiled(_CODE).fullmatch(word):
        yield Named("error", word.casefold(), word)
    elif "_" in word and compiled(_SNAKE).fullmatch(word):
        yield symbol(word)
    elif "(" in raw and (call := compiled(_CALL).match(raw.lstrip("`(*"))):
        yield symbol(call[1])
    elif "::" in word and compiled(DOTTED).fullmatch(word):
        yield symbol(word)
    elif not word.islower():
        for part in compiled(r"[^\W\d_]{4,}").findall(word):
            yield from _lettered(part, part)


def _lettered(word: str, raw: str) -> Iterator[Named]:
    if word in _ERRNO or (word[0] in "SE" and compiled(_CODE).fullmatch(word)):
        yield Named("error", word.casefold(), word)
    elif not (word.isupper() or word.islower() or word.istitle()) and compiled(_CAMEL).fullmatch(word):
        if word.casefold() in _PRODUCTS:
            yield Named("name", key_of(word), word)
        elif not compiled(_SURNAME).fullmatch(word):
            yield symbol(word)
    elif "()" in raw:
        yield symbol(word)


def _at(word: str) -> Iterator[Named]:
    name = word[1:]
    if "/" in name:
        scope, _, rest = name.partition("/")
        if scope and rest and "/" not in rest:
            bare = "@" + scope + "/" + rest.split("@")[0]
            yield Named("package", bare.casefold(), bare)
    elif name.replace("-", "").isalnum() and name[0].isalpha() and name.casefold() not in _DECORATORS:
        yield Named("person", f"@{name.casefold()}", f"@{name}", (name.casefold(),))


def _numbered(word: str, raw: str, before: str, text: str) -> Iterable[Named] | None:
    """What a word with digits in it names; None where another shape may still fit."""
    lead = before.casefold()
    if "!" in raw and (merge := compiled(_MERGE).match(raw)):
        return (pull(merge[1]),)
    if "#" in word or word[:2] in ("GH", "gh"):
        return _ticket_or_pr(word, raw, lead, text)
    if word.isdigit():
        return _after(word, before, lead)
    if compiled(_DATE).fullmatch(word[:10]) and (len(word) == 10 or word[10] == "T"):
        return (Named("date", word[:10], word[:10]),)
    if compiled(_CODE).fullmatch(word):
        return (Named("error", word.casefold(), word),)
    if word.isupper() or "-" in word:
        keyed = compiled(_KEYED).fullmatch(word)
        if keyed and keyed[1] not in _NOT_KEYED:
            name = word if not keyed[1] else f"{keyed[1]}-{int(keyed[2])}"
            return (Named("ticket", name.casefold(), word),)
    if lead == "sqlstate" and len(word) == 5:
        return (Named("error", f"sqlstate {word.casefold()}", f"SQLSTATE {word}"),)
    if compiled(HEX).fullmatch(word):
        return (commit(word),) if lead in _COMMITTED or f"`{word}`" in raw else ()
    return _version(word, before, lead)


def _ticket_or_pr(word: str, raw: str, lead: str, text: str) -> Iterable[Named] | None:
    found = compiled(_TICKET).fullmatch(word)
    if found is None or lead.endswith(("memory", "mem")):
        return None if found is None and "#" not in word else ()
    number = found[2]
    if lead in ("pr", "mr", "request"):
        return (pull(number), ticket(number))
    told = lead in _CUES or found[1] or raw[0] == "("
    if not told and (number == "1" or (lead in _RANKED and len(number) == 1) or len(number) >= 6):
        return ()
    if not told and len(number) == 3 and len(set(number)) < 3 and compiled(_COLOURS).search(text):
        return ()
    return (ticket(number, found[1] or ""),)


def pull(number: str) -> Named:
    """A pull or merge request; its bare number is another name for it."""
    return Named("pr", f"pr {int(number)}", f"PR {int(number)}", (f"#{int(number)}",))


def _after(digits: str, before: str, lead: str) -> Iterable[Named]:
    """A bare number means something only by the word before it."""
    if len(digits) > 7:
        return ()
    if lead in ("pr", "mr") and before.isupper():
        return (pull(digits),)
    if lead == "request":
        return (pull(digits),)
    if lead in _SERIES:
        return (Named("ticket", f"{lead}-{int(digits)}", f"{before.upper()} {digits}"),)
    if lead == "http" and len(digits) == 3 and digits[0] in "45":
        return (Named("error", f"http {digits}", f"HTTP {digits}"),)
    if lead == "sqlstate" and len(digits) == 5:
        return (Named("error", f"sqlstate {digits}", f"SQLSTATE {digits}"),)
    if lead in ("ticket", "issue") and len(digits) < 7:
        return (ticket(digits),)
    return (_versioned(before, digits),) if lead in _PRODUCTS and len(digits) < 4 else ()


def _version(word: str, before: str, lead: str) -> Iterable[Named] | None:
    found = compiled(_VERSION).fullmatch(word)
    if found is None:
        plain = word.replace(".", "", 1).isdigit() and "." in word
        return (
            (_versioned(before, word),)
            if plain and (lead in _PRODUCTS or lead in ("python", "node", "java", "ruby", "php", "go"))
            else None
        )
    if lead in _NOT_VERSIONS or compiled(_DAY_FIRST).fullmatch(word):
        return ()
    number = (found[1] or found[2]).casefold()
    if found[1] and "." not in number:  # v8, v2: a name of its own only beside what it is a version of
        return (_versioned(before, number),) if before[:1].isupper() and before[1:].isalpha() else ()
    return (Named("version", number, word),)


def _versioned(product: str, number: str) -> Named:
    return Named("version", f"{product.casefold()} {number}", f"{product} {number}")
