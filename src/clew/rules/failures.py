"""How tools print their failures: which lines say what failed, which are noise, which frame is the project's own. Tables, no logic.

Every pattern is matched on text without colour and runner prefixes. A group `at` is the place (a file, a test), `says` the part that
counts (else the whole match); with `keep`, only lines of it that match that. Patterns begin at a line's start and are bounded in length.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from clew.model import NamedTuple


class Shape(NamedTuple):
    """One way of saying that something failed. `needs`: one of these is in the text; `lacks`: none of these is."""

    kind: str
    needs: tuple[str, ...]
    pattern: str
    lacks: tuple[str, ...] = ()
    keep: str = ""


class Frames(NamedTuple):
    """How a stack is printed: groups `path` and perhaps `name`. The failing frame is the first or the last of the project's own."""

    kind: str
    needs: str
    pattern: str
    last: bool = False


_FILE = r"(?:[A-Za-z]:)?[\w./\\@+~-]*\.[A-Za-z]\w{0,9}"
_TYPE = (
    r"(?:[\w$]+(?:\.|::))*(?:[A-Z][\w$]*(?:Error|Exception|Exit|Interrupt|Failure|Failed|Fault|Timeout|Expired|NotFound|DoesNotExist"
    r"|Refused|Denied)|Error|Exception)"
)
_LED = r"(?:\[?[Uu]ncaught:? |Unhandled exception\.? |Caused by: |Exception in thread \"[^\"\n]*\" |\[cause\]: )?"

SHAPES: tuple[Shape, ...] = (
    # Python
    Shape("pytest", ("E  ",), r"^E {2,}(?P<says>(?![\^~ ]+$| *(?:You can reproduce|Explanation:)).*\S)"),
    Shape("pytest", ("FAILED ", "ERROR "), r"^(?:FAILED|ERROR) (?P<says>(?P<at>[^\s:]+\.py(?:::\S+(?:\[[^\]\n]*\])?)?))(?= - |$)"),
    Shape("pytest", ("FAILED ", "ERROR "), r"^(?:FAILED|ERROR) [^\s:]+\.py\S*(?:\[[^\]\n]*\])? - (?P<says>.*)$", lacks=("\nE  ",)),
    Shape("unittest", ("FAIL: ", "ERROR: "), r"^(?:FAIL|ERROR): (?P<at>\w+ \([\w.]+\).*)$"),
    Shape(
        "python",
        ("Traceback (most",),
        r"^(?:E +)?(?:Exception Group )?Traceback \(most recent call last\):\n(?:[ \t|+].*\n)+"
        r"(?P<says>[^\s=-].*(?:\n(?!\s*$|Traceback|During |The above|make|npm |FAILED|ERROR|[=\-_+*]{3}|\w+: \*\*\*).+){0,4})",
    ),
    Shape(
        "python",  # an exception without a message: the statement says which
        ("Traceback (most",),
        r"^ +File \"[^\"\n]+\", line \d+, in \S+\n +(?P<says>\S.*)\n(?:[ ~^]+\n)?(?=\w[\w.]*(?:\n|\Z))",
    ),
    Shape(
        "pydantic",
        ("validation error",),
        r"^(?P<says>\d+ validation errors? for (?P<at>\S+)(?:\n.+){1,12})",
        keep=r"^(?! +For further)",
    ),
    Shape("doctest", ("Failed example:",), r"^Failed example:\n(?P<says>(?: {4}.*\n)+(?:Expected.*\n(?: {4}.*\n)*Got.*(?:\n {4}.*)*)?)"),
    # Go
    Shape("go test", ("--- FAIL",), r"^\s*(?P<says>--- FAIL: (?P<at>\S+))"),
    Shape("go test", ("FAIL\t",), r"^FAIL\t\S+ \[(?:build|setup) failed\]"),
    Shape("go test", ("panic: ",), r"^\s*panic: (?P<says>.*?)(?: \[recovered.*\])?$"),
    Shape("go test", ("fatal error: ",), r"^fatal error: .*$"),
    Shape("go test", ("running tests:",), r"^\t(?P<says>(?P<at>Test\S+)) \([\dhms.]+\)$"),
    Shape("go test", ("asleep - deadlock",), r"^goroutine 1 (?P<says>\[[a-z ()]+)"),
    Shape(
        "go test",
        ("Error Trace:", "Error:      \t"),
        r"^\s*(?P<says>(?:Error|Test|Messages|expected|actual *):.*(?:\n\s+(?:expected|actual) *:.*)*)$",
    ),
    Shape("go build", ("\thave ",), r"^\t(?P<says>(?:have|want) \(.*)$"),
    Shape("go test", ("Error Trace:",), r"^\s*Error Trace:\s+(?:\S*/)?(?P<says>(?P<at>[\w.-]+\.go)):\d+"),
    # Rust
    Shape(
        "rust",
        ("error[E", "error: "),
        r"^(?P<says>error(?:\[E\d+\])?: (?!aborting|could not compile|test failed).*\n *--> .*(?:\n(?!\s*$).*){0,20})",
        keep=r"^error|--> |\^+ +\S|= note: expected|^ +found",
    ),
    Shape("rust", ("error[E",), r"^error\[E\d+\]: .*$"),
    Shape(
        "rust",
        ("panicked at",),
        r"^thread '.*?' (?:\(\d+\) )?panicked at .*(?:\n(?!note:|stack backtrace|npm |make|error: | *Summary |\s*$|\s+\d+:).+){0,4}",
    ),
    Shape("rust", ("... FAILED",), r"^test (?P<at>\S+)(?: - should panic)? \.\.\. FAILED"),
    # JavaScript and TypeScript
    Shape("jest", ("● ",), r"^ *● (?P<at>(?!Console).+)(?:\n(?! *(?:> *)?\d+ \||\s+at |\s*●|FAIL |PASS |Test Suites:|Tests:).*){0,14}"),
    Shape(
        "jest",  # the list of tests; what stands below it in full names them again
        ("✕", "✗", "×", "✖"),
        r"^ *[✕✗×✖] (?!\d+ problems?|Build failed)(?P<says>(?P<at>\S.*?))(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$",
        lacks=("● ", "FAIL  "),
    ),
    Shape("jest", ("FAIL ",), r"^ ?FAIL +(?P<says>(?P<at>\S+\.[cm]?[jt]sx?))(?: \(.*\))?$"),
    Shape("vitest", ("FAIL  ",), r"^ ?FAIL +(?P<at>\S.* > .+)(?:\n(?! *❯|⎯|\s+at ).*){0,20}"),
    Shape("ava", ("Difference (",), r"^ *Difference \(.*\n(?P<says>(?:\s+[-+] .*)+)"),
    Shape("jasmine", (" Message:",), r"^\d+\) (?P<says>(?P<at>.+)\n +Message:(?:\n(?! +Stack:).+){0,6})"),
    Shape("mocha", (" failing",), r"^ {2}\d+\) (?P<says>.+(?:\n(?! +at | {2}\d+\) ).*){0,24})"),
    Shape("node", ("^\n\n",), r"^(?!node:|.*node_modules)\S+\.[cm]?[jt]sx?:\d+\n(?P<says>.+)\n +\^+\n\n"),
    Shape("node test", ("not ok ",), r"^ *not ok \d+ (?:- )?(?P<says>(?P<at>.+))$"),
    Shape("node test", ("not ok ",), r"^ +(?P<says>(?:expected|actual|error|code|message): (?!\|).*)$"),
    Shape("node test", ("|-\n",), r"^( +)(?:error|expected|actual): \|-\n(?P<says>(?:(?:\1 {2}.*)?\n){1,12})"),
    Shape(
        "eslint",
        ("error  ", "✖ ", "× "),
        r"^(?P<at>\S.*\.\w+)\n(?: +\d+:\d+ +(?:error|warning|[✖×⚠]) .*(?:\n|\Z))+",
        keep=r"^\S|^ +\d+:\d+ +(?:error|[✖×])",
    ),
    Shape("diff", ("\n@@ -",), r"^(?P<says>[-+](?!\+\+ |-- ).*|\+\+\+ (?P<at>\S+).*)$"),
    # Diagnostics with a place: compilers and linters of every language
    Shape(
        "compiler",
        (":", "("),
        rf"^(?![ \t]+\S+ - (?!error|warning))[ \t]*(?::\w+(?=/))?(?P<says>(?P<at>{_FILE}|(?:\S*/)?[Mm]akefile)"
        r"(?::\d+(?::\d+)?|\(\d+(?:,\d+)*\)|:\[\d+,\d+\])(?: -|:)? +"
        r"(?!note:|in \S+$|in <|warning:|warning |info:|remark:|\w*Warning:|required from|\+0x|Error [1-9]|skipping"
        r"|undefined reference)\S.*(?:(?<=:)(?:\n+[ \t]+\S.*){1,4})?)$",
    ),
    Shape("ctest", ("***",), r"^ *\d+/\d+ Test +#\d+: (?P<says>(?P<at>\S+) \.*\*{3}\w+)(?: .*)?$"),
    Shape("ctest", ("***",), r"^ *\d+/\d+ Test +#\d+: .*\*{3}.*\n(?P<says>.+(?:\n.+){0,8})\n\n"),
    Shape("kotlin", ("e: ",), r"^(?P<says>e: (?:file://)?(?P<at>\S+\.kts?):\d+:\d+:? .*)$"),
    Shape("compiler", ("symbol:",), r"^ +symbol: +.*$"),
    Shape("compiler", ("error ", "error:"), r"^(?:MSBUILD|CSC|LINK|clang|cc1\w*|g\+\+|gcc|ld|fatal)[\w.]* ?: (?:fatal )?error\b.*$"),
    Shape(
        "linker",
        ("undefined reference", "multiple definition", "cannot find -l"),
        r"^.*?(?P<says>(?:undefined reference|multiple definition|cannot find -l).*)$",
    ),
    # Java and .NET
    Shape("maven", ("Failed to execute goal",), r"^Failed to execute goal .*$"),
    Shape("maven", ("Tests run:", "<<< "), r"^ *(?P<at>[A-Z][\w$]*\.\w+):\d+(?:->\S+)? \S.*$"),
    Shape("maven", ("<<< ",), r"^(?P<says>(?P<at>[\w.$()\[\], ]+?)) +(?:-- )?Time elapsed.*<<< (?:FAILURE|ERROR)!"),
    Shape("maven", ("problems were encountered while",), r"^(?:'.*' |Non-).*@.*$"),
    Shape("gradle", ("What went wrong:",), r"^\* What went wrong:\n(?P<says>.+(?:\n(?!\* |\s*$).+){0,5})"),
    Shape("gradle", (" FAILED",), r"^(?P<at>\S.* > .*) FAILED$(?:\n +\S.*)?"),
    Shape("dotnet", ("Failed ",), r"^ *(?P<says>Failed (?P<at>\w[\w.]*\.\w+(?:\(.*\))?))(?: \[.*\])?$"),
    Shape("dotnet", ("Error Message:",), r"^ *Error Message:\n(?P<says>.+(?:\n(?! *Stack Trace:|\s*$).+){0,6})"),
    # Ruby and PHP
    Shape("rspec", ("Failure/Error:",), r"^ *(?P<says>Failure/Error: .*)$"),
    Shape("rspec", ("rspec ",), r"^rspec \S+ # (?P<says>(?P<at>.+))$"),
    Shape("phpunit", ("Failed asserting",), r"^\d+\) (?P<says>(?P<at>\S+::.+)\n.*(?:\n.+){0,4})"),
    # What was expected and what came instead, whoever says so
    Shape("test", (":",), r"^\s*(?P<says>(?:[Ee]xpected|[Aa]ctual|[Rr]eceived|got|want|left|right|[Ll]ocator) *: *\S.*)$"),
    # What a browser waited for in vain
    Shape("playwright", ("waiting for",), r"^ *(?:Call log:|=+ logs =+)\n\s*(?P<says>(?:- )?waiting for .*)$"),
    # An exception named alone
    Shape("exception", ("r", "E", "t"), rf"^[ \t]*{_LED}{_TYPE}(?: \[\w+\])?(?:: .*|:?$)"),
    # Tools of the trade
    Shape(
        "npm",
        ("npm error", "npm ERR!"),
        r"^npm (?:error|ERR!) (?P<says>(?!code (?:\d+|ELIFECYCLE)$|errno \d|command |Lifecycle |Exit status|Failed at the|This is probably"
        r"|There is likely|\S+@\S+ [\w:-]+: `|path |A complete log|.*[\\/]_logs[\\/]| |To see|workspace |location "
        r"|See |For a full).*\S)",
    ),
    Shape("pip", ("ERROR: ",), r"^ERROR: (?!test_|.*\(\w+\.).*$"),
    Shape(
        "git",
        ("fatal: ", "error: "),
        r"^(?:remote: )?(?:fatal|error): (?!aborting|could not compile|test failed).*(?:(?<=:)(?:\n[ \t]+\S.*){1,8})?"
        r"(?:\n+ *(?:[Cc]aused by|cause):.*(?:\n +\S.*){0,4}){0,3}$",
    ),
    Shape("uv", ("╰─▶",), r"^ *[├╰]─▶ (?P<says>.+(?:\n {6}.+)*)"),
    Shape("npm", ("ERR_PNPM_",), r"^ *(?P<says>ERR_PNPM_\w+ .*)$"),
    Shape("prettier", ("Code style issues", "SyntaxError"), r"^(?P<says>(?P<at>[\w./@+-]+\.\w{1,5})(?:: SyntaxError: .*)?)$"),
    Shape("vite", ("error during build:",), r"^error during build:\n(?P<says>(?:.*\n){1,4})", keep=r"^(?! +at |Build failed)"),
    Shape("webpack", ("ERROR in ",), r"^ERROR in (?P<says>(?P<at>\S+).*\n.+)$"),
    Shape("deno", (" [ERROR]: ",), r"^(?:error: )?(?P<says>TS\d+ \[ERROR\]: .*)$"),
    Shape("sqlfluff", (" | P:",), r"^L: +\d+ \| P: +\d+ \| +(?P<says>\w+ \| .*)$"),
    Shape(
        "terraform",
        (" line ",),
        r"^(?P<says>Error: .*\n\n(?: +with .*\n)? +on (?P<at>\S+) line \d+.*(?:\n +\d*:? .*)*(?:\n\n\S.*(?:\n\S.*){0,4})?)",
        keep=r"^\S|^ +(?:with|on) ",
    ),
    Shape("git", ("CONFLICT",), r"^CONFLICT .*$"),
    Shape("git", ("ejected]",), r"^ ! \[(?:remote )?rejected\].*$"),
    Shape(
        "docker",
        ("docker", "Docker", "daemon"),
        r"^(?:docker: |Error response from daemon|Cannot connect to the Docker|ERROR: failed to|error during connect).*$",
    ),
    Shape("docker", ("unknown flag", "unknown shorthand"), r"^unknown (?:shorthand )?flag: .*$"),
    Shape("http", ("curl: (", "wget: "), r"^(?:curl: \(\d+\)|wget:) .*$"),
    Shape(
        "http",
        ("HTTP", "tatus code"),
        r"^.*\b(?:HTTP(?:/\d(?:\.\d)?)?[ :]+(?:code )?[45]\d\d\b|HTTP Error [45]\d\d|[Ss]tatus code:? [45]\d\d).*$",
    ),
    Shape(
        "network",
        ("ECONN", "ENOTFOUND", "ETIMEDOUT", "EAI_"),
        r"^(?! *(?:errno|code): ).*\b(?:ECONN\w+|ENOTFOUND|ETIMEDOUT|EAI_AGAIN)\b.*$",
    ),
    Shape(
        "shell",
        (": ",),
        r"^(?!\s)[\w./+-]{1,60}: .*(?:[Nn]o such file or directory|[Pp]ermission denied|not found|[Ii]s a directory|syntax error.*"
        r"|unbound variable|invalid option.*|unrecognized option.*|No space left on device)$",
    ),
)

# What only passes on that something beneath it failed: taken where nothing else speaks.
WRAPPING: tuple[Shape, ...] = (
    Shape("make", ("*** ",), r"^g?make(?:\[\d+\])?: \*\*\* .*$"),
    Shape("go test", ("FAIL\t",), r"^FAIL\t\S+"),
    Shape("rust", ("could not compile", "test failed"), r"^error: (?:could not compile|test failed).*$"),
    Shape("npm", ("npm error", "npm ERR!"), r"^npm (?:error|ERR!) (?P<says>(?:code|errno) .*|Lifecycle .*|command .*|Exit status.*)$"),
    Shape("shell", ("xit code", "xit status"), r"^(?!\s*[Ee]xit ).*\b[Ee]xit (?:code|status):? \d+\.?$"),
    Shape("gradle", ("> Task", "Execution failed"), r"^(?:> Task \S+ FAILED|Execution failed for task .*)$"),
)

# Of the compiler's kind, by what the line says: who printed it.
SPEAKERS: tuple[tuple[str, str], ...] = (
    ("tsc", r"\berror TS\d+|^\S+\.[cm]?tsx?:L .*TS\d+"),
    ("dotnet", r"\berror (?:CS|MSB|NU|NETSDK|FS)\d+"),
    ("rust", r"\.rs:L"),
    ("go test", r"_test\.go:L"),
    ("go build", r"\.go:L"),
    ("mypy", r"\.pyi?:L:? error: "),
    ("ruff", r"\.pyi?:L:? (?:[A-Z]{1,5}\d{2,4}\b|invalid-syntax)"),
    ("pytest", r"\.py:L:? \w+(?:Error|Exception|Failed)?$"),
    ("javac", r"\.(?:java|kt|scala|groovy):L"),
    ("gcc", r"\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm|cu):L"),
    ("eslint", r"\.[cm]?[jt]sx?:L"),
)

FRAMES: tuple[Frames, ...] = (
    Frames(  # a comprehension is a frame of its own in some versions
        "python", "Traceback (most", r'^ +(?:\| +)?File "(?P<path>[^"\n]+)", line \d+, in (?P<name>(?!<\w+comp>)\S+)', last=True
    ),
    Frames("go", "goroutine ", r"^(?P<name>\S+)\([^()\n]*\)\n\t(?P<path>\S+\.go):\d+(?: \+0x|$)"),
    Frames(
        "java", "\tat ", r"^\s+at (?P<path>(?!java\.|javax\.|jdk\.|sun\.|org\.junit|org\.gradle|org\.apache\.maven)[\w.$<>]+)\([\w.]+:\d+\)"
    ),
    Frames("native", "0x", r"^ *(?:#\d+ +)?0x[0-9a-f]+ in (?P<name>\S+)(?: \(.*\) at)? (?P<path>[^\s:]+\.\w+):\d+"),
    Frames("dotnet", ":line ", r"^ +at (?P<name>[^\s(]+)\(.*\) in (?P<path>.+):line \d+$"),
    Frames(
        "javascript",
        " at ",
        r"^ +at (?:async )?(?:(?P<name>\S[^\n(]*?) )?\(?(?:file://)?(?P<path>(?:/|[A-Za-z]:[\\/])[^\s:()]+):\d+:\d+\)?$",
    ),
)
NOT_OURS = ("<lib>", "<frozen", "<string>", "node:")

# Lines that say nothing of which failure it is. Dropped wherever other lines are left.
NOISE = (
    r"^\s*(?:$|(?:Exit|exit) (?:code|status):? \d+$|g?make(?:\[\d+\])?: (?:\*\*\*|Leaving|Entering|Nothing)"
    r"|(?:error )?Command failed with exit"
    r"|Process completed with exit|task: Failed to run|\w+ ERROR task failed|(?:\[\w+\] )?ELIFECYCLE|FAIL(?:ED)?(?:$|\t)|panic\(\{"
    r"|npm (?:error|ERR!)|ok\s|PASS|=== |--- (?:PASS|SKIP)|# \S+(?: \[\S+\])?$|collect2:"
    r"|\S+: (?:warning|note|info):|error: (?:aborting|could not compile|test failed)|To \S+$|Pushing to |For more information"
    r"|Found \d+ error"
    r"|\d+ (?:errors?|warnings?) generated|=*\s*\d+ (?:failed|passed|errors?|warnings?|problems?|tests?|skipped)\b|FAILED \(|Ran \d+ test"
    r"|(?:[=_\-⎯!~*.]\s?){4,}|[\^~ |│╵╷+-]+$|>? *\d+ +[|│]|\||at \S|File \"|goroutine \d|\[signal |exit status \d|note:|hint:|[Ww]arning:"
    r"|Compiling|Finished|Running|Building|Downloading|> \S+@|> \w|\[?INFO|INFO|Node\.js v|A complete log|Time:|Duration|Start at"
    r"|Tests run: \d|Summary \[|FAIL \[|--- STD|test result: |debug\d: "
    r"|Test Suites:|Tests:|Snapshots:|\[notice\]|Usage:|Run '|go: (?:down|find|extr)|Cloning into|Auto-merging|Rebasing|no tests ran"
    r"|collected \d|rootdir:|plugins:|platform "
    r"|(?:Enumerating|Counting|Compressing|Writing|Receiving|Resolving) |Delta compression|Total \d|remote: |Checking |Progress: |\$ "
    r"|Updating |Using |Creating virtual|Installing |Collecting |error Command failed"
    r"|\[\d+/\d+\]|BUILD F|FAILURE: Build|\* Try:|\* Get more)"
)
# The words by which a line of no known shape is taken for the one that tells the failure.
TELLS = (
    r"(?i)(?:\w(?:error|exception)(?!\s*$)|\b(?:errors?|exception|fail(?:ed|ures?|s)?|fatal|panic|denied|refused|cannot|can't"
    r"|could not|couldn't|not found|no such|invalid|unknown|undefined|missing|unable|unexpected|timed? ?out|abort(?:ed)?|conflict"
    r"|unauthorized|forbidden|rejected|killed|segmentation fault|overflow|(?:does not|doesn.t|not) exist|already (?:exists|in use)"
    r"|not (?:allowed|supported|permitted|available|installed|implemented|defined|set|a)|no module|no matching|unrecognized"
    r"|unsupported|unresolved|unreachable|unbound|undeclared|expired|exceed(?:s|ed)|duplicate|mismatch|too (?:many|large|long|few"
    r"|big)|illegal|malformed|corrupt(?:ed)?|deadlock|crash(?:ed)?|out of memory|ambiguous|incompatible|diverged|TS\d{4,5}"
    r"|(?-i:E[A-Z]{4,12}(?=:))))\b"
)
CONTEXT = r"(?i)^\s*(?:caused by|because|reason|expected|received|got|want|actual|details?|message)\b|^\s*[A-Z][\w ]{0,20}: \S"

# What runners put before each line; several may stand one behind the other.
PREFIXES = (
    r"^(?:\[(?!gw\d)[A-Za-z][\w:./@-]*\](?: |$)|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?"
    r"(?: ?Z| ?[+-]\d\d:?\d\d| UTC| GMT| CES?T)?\]? "
    r"|[│╷╵](?: |$)|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w.]+:\d+\] |##\[\w+\]|::(?:error|warning)[^:\n]*::"
    r"|\[?\d\d?:\d\d:\d\d(?:[.,]\d+)?(?: [AP]M)?\]? "
    r"|(?:[A-Z][a-z]{2} [ \d]\d|\d{4}-\d\d-\d\dT\S+) (?:\d\d:\d\d:\d\d )?\S+ (?=[\w./-]+\[\d+\]: )"
    r"|\[\d+:(?:\d+:)?\d{4}/\d{6}(?:\.\d+)?:\w+:[\w.]+\(\d+\)\] "
    r"|[^\t\n]+\t[^\t\n]+\t\d{4}-\d\d-\d\dT\S+Z |@?[\w-]+(?:/[\w-]+)?[:#](?:test|build|lint|check|dev|typecheck"
    r"|format)(?:[:][\w-]+)*: |\[gw\d+\] (?:\[ *\d+%\] )?|\[\d{1,7}\] |#\d+ (?:\d+\.\d+ )?(?=\S)|[a-z][\w.-]*-\d+ +\| |<tool_use_error>)"
)
# A linter's finding that stands above its site.
SITED = r"^([A-Z]{1,5}\d{2,4} .*)\n +--> (\S+:\d+:\d+)$"
# How Python indents the members of an exception group.
GROUPED = r"^ *(?:\| ?|\+-\+-+ \d+ -+$|\+-+$|\+ (?=Exception Group))+"
