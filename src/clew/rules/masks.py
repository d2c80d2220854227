"""What differs between two tellings of one failure by its form alone: times, ids, addresses, places on disk. Each becomes a named blank.

Only form decides, so a value in quotes, a code, a status and what was expected or got stay as they are: they say which failure it is.
"""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

_PORT = r"(?:3276[89]|327[7-9]\d|32[89]\d\d|3[3-9]\d{3}|[45]\d{4}|6[0-5]\d{3})"  # 32768 and above: the system gave it out
_UNIT = r"(?:ns|[µu]s|ms|s|m|min|secs?|seconds?|millis(?:econds)?|milliseconds?|minutes?)"
_SPAN = rf"(?:\d+h)?(?:\d+m ?)?\d+(?:\.\d+)? ?{_UNIT}"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? "
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_CLOCK = r"\d\d?:\d\d:\d\d(?:[.,]\d+)?(?: ?[AP]M)?"
_ZONE = r"(?: ?(?:Z|UTC|GMT)\b| ?[+-]\d\d:?\d\d(?:\b|$))?"
_HOSTS = r"(?:com|org|net|io|dev|local|localhost|internal|lan|svc|cloud|example|test|invalid|de|uk|eu|co)"
_SPANNED = ("in ", "took", "lapsed", "uration", "ime", "after", "waited", "spent")
_TIMED = tuple("1" + digit for digit in "56789")
_DIGITS = tuple("0123456789")
_MULTILINE = 8  # re.MULTILINE
_BESIDE = r"(?<![\w./\\@+-])"  # where a path begins; without it a long word would be tried from each of its characters

# A line that compares: its amounts say what was expected.
_COMPARES = r"(?i)\b(?:expect(?:ed|s)?|got|want(?:ed)?|actual|received|assert\w*|should|left|right|must)\b"


class Mask(NamedTuple):
    """One form of noise. `needs`: one of these is in every text that has it, so most cost a look. `only`, `unless`: in which lines."""

    name: str
    needs: tuple[str, ...]
    pattern: str
    blank: str
    only: str = ""
    unless: str = ""


MASKS: tuple[Mask, ...] = (
    Mask("heap", ("Mark-", "Scaveng"), r"0x[0-9a-f]+|(?<=:)[0-9A-F]{12,16}(?=\])|\d+(?:\.\d+)?", "<n>", only="Mark-|Scaveng"),
    Mask(
        "date and time",
        (":", "_"),
        rf"\d{{4}}[-/]\d\d[-/]\d\d(?:T|_|,? +)\d\d[:_-]\d\d(?:[:_-]\d\d(?:[.,_]\d+)?)?{_ZONE}(?: [A-Z]{{3,4}}\b)?(?: m=[+-][\d.]+)?",
        "<time>",
    ),
    Mask(
        "date in words",
        tuple("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()),
        rf"(?:{_DAY})?(?:\d\d?[ /-]{_MONTH}|{_MONTH} +\d\d?)[ ,/-]+(?:\d{{4}}[ ,:]+)?{_CLOCK}{_ZONE}(?: \d{{4}})?",
        "<time>",
    ),
    Mask("clock", (":",), rf"(?<![\w:.]){_CLOCK}{_ZONE}(?![\w:])", "<time>"),
    Mask("moment in Python", ("datetime(",), r"(?<=datetime\()\d{4}(?:, \d+){4,6}", "<time>"),
    Mask("epoch", ("1",), r"(?<![\w.-])1[5-9]\d{8}(?:\d{3}|\.\d+)(?![\w-])", "<time>"),
    # In whole seconds it may be the number of a thing as well.
    Mask(
        "epoch in seconds",
        _TIMED,
        r"(?i)\b((?:\w*time|\w*stamp|date|epoch|expir\w*|since|until|now|reset|at|ts|iat|exp)\W{1,4})1[5-9]\d{8}(?![\w-])",
        r"\1<time>",
        only=r"\b1[5-9]\d{8}\b",
    ),
    Mask("epoch in a name", ("-1",), r"(?<=\w-)1[5-9]\d{8}(?:\d{3})?(?:-[0-9a-f]{4,8})?\b", "<time>"),
    Mask("run in a URL", ("://",), r"(?<=/)(runs?|jobs?|builds?|pipelines?|artifacts|attempts|workflows|checks|logs)/\d+", r"\1/<n>"),
    Mask("uuid", ("-",), r"(?i)(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])", "<uuid>"),
    Mask("line and column", ("(", "["), r"(?<=[\w>])(?:\((\d+),\d+\)|:\[\d+,\d+\])| \(\d+:\d+\)$", ":L"),
    Mask("cell of a table", (":",), r"^\s*\d+:\d+ +(?=(?:error|warning|[✖×⚠]) )", ""),
    Mask(
        "line", (":",), rf"{_BESIDE}((?:[\w./@+-]|\\(?=\w))*\w\.(?!{_HOSTS}\b)[A-Za-z]\w{{0,9}}):\d+(?::\d+)?(?:-\d+)?(?![\w.]\w)", r"\1:L"
    ),
    Mask("line of a bundler", (".",), r"(?<=\w)(\.[cm]?[jt]sx?|\.\w{2,4}) \d+:\d+(?:-\d+)?(?=$|\s)", r"\1:L"),
    Mask("line of tsc", (":L - ",), r"(?<=:L) - (?=error|warning)", ": "),
    Mask("line of a known file", ("file:",), r"\b((?:[Mm]ake|[Dd]ocker|Rake|Gem|Jenkins)file):\d+(?::\d+)?", r"\1:L"),
    Mask(
        "line in words",
        ("ine ", "ines ", "igne ", "ínea ", "inea ", "inha ", "Zeile ", "строка ", "行 "),
        r"(?<!\w)([Ll]ines?|Zeile|[Ll]igne|[Ll][íi]nea|[Ll]inha|строка|行) \d+(?:\s?(?:-|to)\s?\d+)?",
        r"\1 L",
    ),
    Mask(
        "line of a record",
        ('ine"', "ine'", "ineno", "ineNumber", "ine_n"),
        r"([\"']\w*[Ll]ine(?:_?(?:[Nn]o|[Nn]umber))?[\"']: ?)\d+",
        r"\1L",
    ),
    Mask("span of lines", (" lines",), r"\b\d+-\d+(?= lines\b)", "L"),
    Mask("column in words", ("col", "char "), r"\b(col(?:umn)?|char)(:? )\d+", r"\1\2C"),
    Mask("line of a method", ("»",), r"(?<=[a-z]\w)(?<!\.\d):\d+(?= [»])", ":L"),
    Mask(
        "shell's line",
        ("sh:", "(eval):"),
        r"^(?:(?:\S*/)?(?:ba|z|da|k|a)?sh|\(eval\)): ?(?:(?:(?:line|Zeile|ligne|línea|linea|linha|строка|行) )?(?:\d+|L) ?: ?)?",
        "sh: ",
    ),
    Mask("folder of a script", (": line L: ",), r"^[^\s:]*/(?=[^\s/:]+: line L: )", ""),
    Mask("line of a logger", (" - ",), r"\b([A-Za-z_][\w.]*:[\w<>]+):\d+(?= - )", r"\1"),
    Mask("offset", ("+0x",), r"\+0x[0-9a-f]+", ""),
    Mask(
        "address in its place",
        ("0x",),
        r"(?i)(\b(?:at|by) |addr(?:ess)?[ =:]+|\b(?:pc|[sfb]p|ptr)[ =]|[{,] ?|^\s*\d+: +|@ ?)0x[0-9a-f]{4,16}\b\??",
        r"\1<addr>",
    ),
    Mask("address", ("0x",), r"\b0x[0-9a-fA-F]{9,16}\b\??", "<addr>"),
    Mask("digest", ("sha", "h1:"), r"\b(?:sha(?:1|256|512)[:-][0-9A-Za-z+/=]{7,}|h1:[0-9A-Za-z+/]{20,}=*)", "<hex>"),
    Mask("object of git", ("objects/",), r"(?<=objects/)[0-9a-f]{2}/[0-9a-f]{38}", "<hex>"),
    Mask(
        "long hex",
        _DIGITS,
        r"(?<!\w)(?:[0-9a-f]{32,}|(?=[A-F]*\d)(?=\d*[A-F])[0-9A-F]{12,})(?!\w)",
        "<hex>",
    ),
    Mask("symbol hash", ("::h", "-"), r"(?<=::)h[0-9a-f]{16}\b|(?<=\w-)[0-9a-f]{16}\b", "<hex>"),
    Mask("pod", ("-",), r"(?<=[a-z0-9])-(?=[a-f]*\d)[0-9a-f]{8,10}-[a-z0-9]{5}(?![a-z0-9])", "-<pod>"),
    Mask(
        "commit",
        ("ommit ", "HEAD", "apply ", "heckpoint"),
        r"(\b(?:[Cc]ommit|HEAD(?: is now at)?|apply|[Cc]heckpoint(?: ID)?)(?:: | ))[0-9a-f]{7,40}\b",
        r"\1<hex>",
    ),
    Mask(
        "short hex", _DIGITS, r"(?:(?<![\w\"'`‘’.])|(?<=\w\.\.)|(?<=>\.\.))(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,31}(?![\w\"'`‘’-])", "<hex>"
    ),
    Mask("hex of a branch", ("/",), r"(?<=/)(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,31}(?:-[0-9a-f]{4,12})?(?![\w.])", "<hex>"),
    Mask("shard", ("/<hex>",), r"(?<!\w)[0-9a-f]{2}/(?=<hex>)", ""),
    Mask("folder named after a folder", ("-Users-", "-home-"), r"(?<![\w-])-(?:Users|home)-[\w.-]+", "<folder>"),
    Mask("hash of an object", ("@",), r"(?<=[a-z\]])@(?=[a-f]*\d)[0-9a-f]{5,8}\b", "@<hex>"),
    Mask("id in groups", (":",), r"\b[0-9A-F]{4,5}(?::[0-9A-F]{4,8}){3,4}\b", "<id>"),
    Mask("host of a log line", ('"hostname":',), r'("pid":\d+,"hostname":)"[^"]*"', r"\1<host>"),
    Mask("container as host", ("host", "ontainer"), r"(\b(?:host(?:name)?|[Cc]ontainer)[\"'=: ]{1,4})[0-9a-f]{12}\b", r"\1<hex>"),
    Mask("bundle hash", (".",), r"(?<=[.-])(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{8,20}(?=\.(?:m?js|css|map|wasm)\b)", "<hex>"),
    Mask(
        "request",
        ("req", "Req", "trace", "Trace", "corr", "background"),
        r"(?i)\b((?:request|trace|correlation|background with)[ _-]?id\W{1,4})[\w-]{6,}",
        r"\1<id>",
    ),
    Mask("host of a cloud", ("HostI", "host id", "Host Id"), r"(?i)\b(host[ _-]?id\W{1,4})[\w+/=-]{6,}", r"\1<id>"),
    Mask("ulid", ("01",), r"\b01[0-9A-HJKMNP-TV-Z]{24}\b", "<id>"),
    Mask("part of a build", (" of ref ",), r"(?<= of ref )[\w-]+::\w+", "<id>"),
    Mask("made-up end of a file", _DIGITS, r"(?<=[a-z])\.\d{6,}\b", ".<n>"),
    Mask("folder that npm moves away", ("<lib>/.",), r"(<lib>/(?:@[\w.-]+/)?\.[\w.-]+)-\w{8}\b", r"\1-<hex>"),
    Mask("made-up id", ("_",), r"\b(req|msg|run|call|toolu|chatcmpl|resp|evt|sess)_(?=[A-Za-z]*\d)\w{14,}\b", r"\1_<id>"),
    Mask("working folder", ("working directory",), r"(?i)(\bworking directory(?: is|:) ?)[^\s,;]+", r"\1<cwd>"),
    Mask("class of a method", ("TypeError: ",), r"(?<=TypeError: )(?:[\w<>]+\.)+(?=\w+\(\) )", ""),
    Mask("test named twice", ("FAIL: ", "ERROR: "), r"^((?:FAIL|ERROR): (\w+) \([\w.]+)\.\2(?=\))", r"\1"),
    Mask("mock", ("id=",), r"\bid='?\d{9,}'?", "id=<addr>"),
    Mask("span in brackets", ("(", "["), rf"([(\[]){_SPAN}([)\]])", r"\1<dur>\2"),
    Mask("sum of spans", ("=",), r"\d+\.\d+(?==\w+\[)|(?<=\w\[)\d+\.\d+(?=\][+ ])", "<dur>"),
    Mask("minutes", ("m",), r"(?<![\w.])(?:\d+h ?)?\d+m ?\d+(?:\.\d+)?s\b", "<dur>"),
    Mask(
        "span in words",
        _SPANNED,
        rf"(?i)\b(in|took|elapsed|duration|time|after|runtime|waited|spent)(:? +|=)\d+\.\d+ ?{_UNIT}\b",
        r"\1\2<dur>",
    ),
    Mask(
        "whole span in words",
        _SPANNED,
        rf"(?i)(?<!timed out )\b(in|took|elapsed|duration|waited|spent)(:? +|=)(?!\d*00 ?m?s)\d+ ?{_UNIT}\b",
        r"\1\2<dur>",
    ),
    Mask("limit as measured", ("after ",), r"\b(after \d+)0\d\d ?ms\b", r"\g<1>000ms"),
    # A limit somebody set is a round number and stays; what was measured is not.
    Mask("milliseconds", ("after ",), r"\b(after )(?!\d+00\b|\d+00m)\d+ ?(?:ms|milliseconds)\b", r"\1<dur>"),
    Mask(
        "wait",
        ("retry", "Retry", "try again", "back-off "),
        rf"(?i)\b(retry(?:ing)?(?:[- ]after)?(?: in)?|try again (?:in|after)|back-off)(:? +|=)\d+(?:\.\d+)?(?: ?{_UNIT})?\b",
        r"\1\2<dur>",
    ),
    Mask("ago", (" ago",), r"\b(?:about )?(?:(?:\d+|an?) \w+|\d+[smhdw]) ago\b", "<dur> ago"),
    Mask("age of an event", (" over ", "Warning "), r"(?:(?:\b\d+\w+|<dur>) +)?\(x\d+ over [^)\n]*\)|^\S+ +(?=Warning )", ""),
    Mask("span since the line above", (" +",), r" \+\d+m?[smh]$", ""),
    Mask("span in a column", ("\t",), r"(?<=\t)\d+(?:\.\d+)?(?:s|ms|m)(?=\t|$)", "<dur>"),
    Mask("span at the end", ("s",), r"(?<= )(?!\d+00 ?m?s$)\d+(?:\.\d+)? ?(?:m?s|secs?)$", "<dur>"),
    Mask("process and thread", ("[",), r"(?<=\w\[)\d{3,7}:\d{3,}(?=\])", "<pid>"),
    Mask(
        "process in brackets",
        ("[", "==", "(node:", ",<addr>)"),
        r"^\[\d{3,7}(?=[\]:])|(?<=\w\[)\d{3,7}(?=\]:)|(?<===)\d{2,}(?===)|(?<=\(node:)\d+|(?<=\w\()\d+(?=,<addr>\))",
        "<pid>",
    ),
    Mask("port", (":",), rf"(?<=[\w\]:]):{_PORT}(?!\d)", ":<port>"),
    Mask("port in words", ("port", "PORT", "Port", "', "), rf"(?i)(\bport\W{{1,3}}|', ){_PORT}(?!\d)", r"\1<port>"),
    Mask(
        "process",
        ("id", "ID", "rocess", "goroutine"),
        r"\b([pt]id|[PT]ID|[Pp]rocess|goroutine|rejection id)([ =:#\"']{1,4})(?:\d+|0x[0-9a-f]+)\b",
        r"\1\2<pid>",
    ),
    Mask("process of Erlang", ("<0.", "PID<", "Reference<"), r"<\d+(?:\.\d+){2,4}>", "<pid>"),
    Mask("program of a native frame", ("bin/",), r"\[(?:[^\]\s]*/)?bin/(\w+)\]", r"[\1]"),
    Mask("thread", ("thread '",), r"(thread '[^']*') \(\d+\)", r"\1"),
    Mask(
        "thread of a pool",
        ("hread-", "exec-", "Worker-", "Process-", "Task-", "Executor-"),
        r"\b(?:(pool-)\d+-)?([Tt]hread|exec|\w*Worker|\w*Process|Task|ThreadPoolExecutor)-\d+(?:_\d+)?\b",
        r"\1\2-<n>",
    ),
    Mask(
        "process of a log line",
        ("#", " --- [", "[ERROR] "),
        r"(\b[A-Z]+) \d+(?= --- \[)|\b\d+#\d+: (?:\*\d+ )?|^\d+(?::[A-Z])? (?=<time> # |\[ERROR\] )",
        r"\1",
    ),
    Mask(
        "killed process",
        ("egmentation", "Abort", "abort", "illed", "Termin", "Bus", "bus", "llegal", "loating", "Trace", "trace"),
        r"(?i)(?:(?<=: )|^) *\d{1,7}(?= +(?:Segmentation|Abort|Killed|Terminated|Bus error|Illegal|Floating|Trace))",
        "<pid>",
    ),
    Mask("hunk", ("@@ -",), r"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@.*", "@@"),
    Mask("try", ("ttempt", "etry", "try "), r"(?i)\b(attempt|retry|try)( #?)\d+(?: ?(?:of|/) ?\d+)?", r"\1\2<n>"),
    Mask("progress", ("/", "%"), r"[(\[] *\d+(?:/\d+|%)[)\]]", ""),
    Mask("transaction", ("ransaction ",), r"\b([Tt]ransaction )\d+\b", r"\1<n>"),
    Mask("seed", ("seed", "Seed"), r"\b([Ss]eed\W{1,3})\d+", r"\1<n>"),
    Mask("size", ("B",), r"\b\d+\.\d+ ?(?:[KMGT]i?B|kB)\b", "<size>", unless=_COMPARES),
    Mask("cell of a notebook", ("ipython-input-",), r"(?<=ipython-input-)\d+", "<n>"),
    Mask("share", (" out of ",), r"\b\d+(?= out of \d)", "<n>", unless=_COMPARES),
    Mask("run", _DIGITS, r"(?<![\w\"'`.-])\d{11,}(?![\w\"'`.-])", "<n>", unless=_COMPARES),
    Mask("used so far", ("Used",), r"\b(Used|Requested)(:?) \d+", r"\1\2 <n>"),
    Mask("tokens", (" tokens",), r"\d[\d,]*(?= tokens)|\d[\d,]*(?= to \d[\d,]* tokens)", "<n>"),
    Mask(
        "count",
        _DIGITS,
        r"\b\d+(?= (?:occurrences?|matches|warnings?|errors?|problems?|retries|more|others?|previous"
        r"|bytes (?:remaining|received|read|sent|free)|(?:arguments|frames|lines) (?:skipped|omitted|hidden))\b)",
        "<n>",
        unless=_COMPARES,
    ),
)


_PATH = rf"(?:\bfile://|(?<![\w.@)\]}}>/\\-]))(?:[A-Za-z]:(?=[\\/])|~(?=/))?(?:[\\/][\w.@+~%=-]+)+[\\/]?|{_BESIDE}\.{{1,2}}/(?=[\w.])"
_BACKSLASHED = rf"{_BESIDE}(?:[\w.-]+\\)+[\w.-]+\.[A-Za-z]{{1,5}}\b"
_TEMPORARY = (
    r"(?:/private)?(?:/tmp|/var/(?:lib/\w+/)?tmp|/dev/shm|/run/user/\d+|/var/folders/\w+/\w+/[TC]"
    r"|(?:[A-Za-z]:)?/Users/[^/]+/AppData/Local/Temp)(?:/|$)"
)
_HOME = r"(?:/private)?(?:[A-Za-z]:)?(?:/mnt/\w)?/(?:home/runner/work|home|Users|export/home)/[^/]+/|/root/|~/"
_CHECKOUT = r"/(?:workspace|app|code|repo|project|usr/src(?:/app)?|github/workspace|testbed|var/www/html|opt/app)/"
# Folders that hold checkouts: the next part is a project's name. Whatever else is no folder of the system is taken for such.
_HOLDER = (
    r"/(?:workspaces|builds?|runner|srv|var/(?:www|lib/jenkins/workspace)|__w|go/src|opt|mnt/\w+)/"
    r"|/(?!(?:usr|etc|s?bin|lib\d*|var|dev|proc|sys|boot|run|nix|snap|System|Library|Applications)/)[\w.-]+/(?=[^/]+/.*\.[A-Za-z]\w{0,9}$)"
)
_INSTALLED = (
    r".*/(?:site-packages|dist-packages|node_modules)/|.*/\.cargo/registry/src/[^/]+/|/rustc/[0-9a-f]+/|.*/go/pkg/mod/"
    r"|.*/lib/(?:python|pypy)\d[\d.]*/|.*/go(?:[-/]\d[\w./]*)?/src/(?=\w+/)"
)
_WORKTREE = r".*/\.?worktrees/[^/]+/"
_RANDOM = (
    r"(?:tmp|temp|cc|go-build|pytest-|popen-|rustc|npm-|\.)[\w.-]*$|.*\d{4,}$|.*\.[A-Za-z0-9]{6,}$|.*[-_](?=\w*\d[A-Za-z])\w{6,8}$"
    r"|T[A-Za-z_]*\d+$"
)
# Folders that a project's own paths begin with, seen from its root.
_STARTS = frozenset(
    "src lib libs cmd pkg internal test tests spec specs __tests__ e2e app apps packages crates modules services docs doc scripts tools bin"
    " config configs public static assets examples benchmarks include api web server client frontend backend components pages migrations"
    " testdata fixtures plugins .github .gitlab .ci vendor target build dist out".split()
)
# Of these, what may be the name of a project as well.
_NAMES = frozenset("app web api server client frontend backend docs tools services".split())
_AT_ROOT = frozenset(
    "Makefile Dockerfile package.json package-lock.json tsconfig.json go.mod go.sum pyproject.toml setup.py setup.cfg requirements.txt"
    " Cargo.toml Cargo.lock pom.xml build.gradle main.go"
    " tox.ini Gemfile compose.yaml docker-compose.yml CMakeLists.txt".split()
)


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern is compiled when a text first asks for it."""
    return re.compile(pattern, flags)


def masked(text: str, root: str = "") -> str:
    """The lines of a failure with paths relative to the project (`root`, with forward slashes; "" when unknown) and noise as blanks."""
    if "/" in text or "\\" in text:
        text = _paths(text, root)
    for mask in MASKS:
        for literal in mask.needs:
            if literal in text:
                text = _line_by_line(mask, text) if mask.unless or mask.only else compiled(mask.pattern, _MULTILINE).sub(mask.blank, text)
                break
    return "\n".join([" ".join(line.split()) for line in text.split("\n")])


def _line_by_line(mask: Mask, text: str) -> str:
    if not compiled(mask.pattern, _MULTILINE).search(text):
        return text
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if (not mask.only or compiled(mask.only).search(line)) and not (mask.unless and compiled(mask.unless).search(line)):
            lines[at] = compiled(mask.pattern).sub(mask.blank, line)
    return "\n".join(lines)


def _paths(line: str, root: str) -> str:
    if "\\" in line:
        line = compiled(_BACKSLASHED).sub(lambda m: m[0].replace("\\", "/"), line)
    relative: Callable[[re.Match[str]], str] = lambda m: project_relative(m[0], root)  # noqa: E731
    return compiled(_PATH).sub(relative, line)


def project_relative(path: str, root: str = "") -> str:
    """`path` as seen from the project: exact where `root` is known and above it, else cut where projects conventionally begin.

    A path in a temporary folder loses that folder's made-up name, one of an installed library begins at the library.
    """
    plain = path.replace("\\", "/").removeprefix("file://")
    if plain in ("./", "../"):
        return ""
    if root and (plain + "/").startswith(root.rstrip("/") + "/"):
        inside = plain[len(root.rstrip("/")) :]
        return compiled(_WORKTREE).sub("", inside).lstrip("/") or "."
    if tree := compiled(_WORKTREE).match(plain):
        return plain[tree.end() :] or "."
    plain = compiled(r"(worktrees)/\d+$").sub(r"\1/<n>", plain)
    if library := compiled(_INSTALLED).match(plain):
        return "<lib>/" + plain[library.end() :]
    if temporary := compiled(_TEMPORARY).match(plain):
        return _temporary(plain[temporary.end() :].split("/"))
    plain = compiled(r"^[A-Za-z]:(?=/)").sub("", plain)
    if home := compiled(_HOME).match(plain):
        return _cut(plain[home.end() :].split("/"), 1)
    if checkout := compiled(_CHECKOUT).match(plain):
        return _cut(plain[checkout.end() :].split("/"), 0)
    if holder := compiled(_HOLDER).match(plain):
        return _cut(plain[holder.end() :].split("/"), 1)
    return plain


def _cut(parts: list[str], first: int) -> str:
    """From the folder where a project's paths begin; else of a file its folder and name: checkouts differ above, packages below."""
    for at, part in enumerate(parts[:-1]):
        starts = part in _STARTS or part.startswith(".")
        if at >= first and starts and not (at == first and part in _NAMES and parts[at + 1] in _STARTS):
            return "/".join(parts[at:])
    stem, dot, _ = parts[-1].partition(".")
    return parts[-1] if not (stem and dot) or stem.isupper() or parts[-1] in _AT_ROOT else "/".join(parts[-2:])


def _temporary(parts: list[str]) -> str:
    for at, part in enumerate(parts[:-1]):
        if part in _STARTS:
            return "/".join(parts[at:])
    kept = [compiled(r"_[0-9a-f]{6,32}$").sub("", part) for part in (parts[1:] or parts) if not compiled(_RANDOM).match(part)]
    return "/".join(["<tmp>", *kept])
