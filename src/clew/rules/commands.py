"""What a shell command is for: a test, a build, a lint, a look, a wait, a change of the tree or anything else. Tables and a small reader.

The reader knows quotes, pipes and lists, steps over wrappers (`cd x &&`, `timeout 60`, `FOO=1`, `poetry run`) and leaves out what changes
only how much is printed, so that the same work under another dress is the same work.
"""

from __future__ import annotations

from clew.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from clew.model import NamedTuple

VERIFYING = ("test", "build", "lint")  # actions whose output is a verdict: any other output may merely quote one
COMMAND_CHARS = 4_000  # of a longer command; the rest is a document that is written, not what is done
_WORD = r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s;&|"'>\\]|["'])+"""
_REDIRECTED = r"""\d*>>?&?\s*(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|]+)?|&>>?\s*\S+"""
_TOKEN = rf"\n|&&|\|\||[;|]|&(?![>&\d])|{_REDIRECTED}|{_WORD}"
_HEREDOC = r"<<-?\s*(['\"]?)(\w+)\1[^\n]*\n(?:.*\n)*?\s*\2\b"
_ASSIGNMENT = r"[A-Za-z_]\w*\+?="

# Words before a command that only say how to run it, and how many words of their own follow them at least.
_WRAPPERS = {
    **dict.fromkeys("time nice ionice env sudo nohup stdbuf command exec npx bunx uvx xvfb-run then do else ! { (".split(), 0),
    "timeout": 1,
}
_TWO_WORDS = frozenset(
    "poetry run|uv run|pipenv run|pdm run|rye run|bundle exec|pnpm exec|pnpm dlx|yarn exec|npm exec|mise exec|mise x|python -m|python3 -m"
    "|py -m|conda run|dotenv run|direnv exec|doppler run".split("|")
)
_SILENT = frozenset("cd pushd popd export set source . unset alias ulimit umask trap true : echo printf fi done esac } ) mkdir".split())
_WAITS_FIRST = r"sleep (?:\d{2,}|\d+[mh])"  # ten seconds or more before the rest: somebody waits for what the rest tells
_WAITS = frozenset("sleep wait until while".split())
_LOOKS = frozenset(
    "ls cat head tail grep rg egrep fgrep ag ack find fd wc less more bat file stat du df tree pwd which type whereis env printenv date"
    " whoami id uname hostname ps pgrep top free jq yq sort uniq cut awk sed diff cmp md5sum sha256sum shasum xxd od strings nl column test"
    " [ [[ basename dirname realpath readlink tr comm ping nslookup dig host lsof netstat ss journalctl gofmt man tokei cloc hexdump"
    " history if for".split()
)
# Programs whose second word decides: what only looks.
_LOOKING = {
    "git": "status log diff show branch remote rev-parse blame ls-files ls-tree grep describe reflog shortlog cat-file rev-list merge-base"
    " for-each-ref tag config whatchanged show-ref ls-remote version name-rev count-objects",
    "gh": "status search auth browse",
    "docker": "ps images logs inspect info version stats top port diff history events",
    "kubectl": "get describe logs top explain version api-resources events rollout",
    "npm": "ls list view outdated audit config why explain root prefix bin version search",
    "yarn": "list why info outdated",
    "pnpm": "list ls why outdated",
    "pip": "list show freeze check index",
    "cargo": "tree metadata search",
    "go": "list env version doc",
    "mise": "ls list tasks env current which doctor",
    "systemctl": "status list-units is-active show cat",
    "terraform": "show output state version",
    "brew": "list info search",
    "apt": "list show search policy",
    "aws": "sts",
    "clew": "recall why status show list resume context doctor tried attempts",
}
# First words of which no family's pattern is true: so that a hook after a look need not compile them.
_NO_FAMILY = (_LOOKS | _SILENT | {"git", "gh", "curl", "wget", "sleep", "wait"}) - {"gofmt"}
_GH_LOOKS = frozenset("view list status checks diff watch download".split())
# Commands after which the tree is not what it was, each time anew; and those that take back what was edited.
_MOVES = r"git (?:checkout|switch|pull|merge|rebase|cherry-pick|revert|bisect|am|apply|reset|submodule|stash (?:pop|apply))\b"
_RESTORES = r"git (?:restore|checkout (?:\S+ )?-- ?|checkout \.$|reset --hard$|stash$|stash (?:push|save|-)|clean)"
_KEEPS = r"git (?:add|commit|push|fetch|tag|init|clone|rm --cached)\b|gh |curl |wget |docker |kubectl |ssh |open |code "

_TASK = (
    r"(?:(?:npm|pnpm|yarn|bun)(?: run)?|make|gmake|mise run|mise r|just|task|rake|invoke|inv|nox -s|composer(?: run)?|poe|hatch run"
    r"|deno task|rush|turbo(?: run)?|nx(?: run)?|moon run|earthly|\.?/?\S*/?(?:gradlew?|mvnw?))"
)
_NAMED = r"(?:[\w@/.-]*[:._+-])?"
_FAMILIES: tuple[tuple[str, str], ...] = (
    (
        "test",
        r"(?:py\.test|pytest|tox|nox|unittest|nose2|behave|go test|gotestsum|cargo (?:\+\S+ )?(?:test|nextest|t)\b|(?:npm|pnpm|yarn"
        r"|bun) (?:t|tst)$"
        r"|jest|vitest|mocha|ava|karma|node .*--test|dotnet (?:test|vstest)|ctest|rspec|phpunit|pest|mix test|swift test|playwright test"
        r"|cypress run|deno test|bazel test|busted|prove|zig test|flutter test|stack test|cabal test|sbt .*test|lein test"
        r"|python\S* (?:\S*manage\.py test|\S*test\w*\.py)|node \S*test\S*\.[cm]?js"
        r"|(?:\S*/(?:run[-_]?)?tests?(?:\.\w+)?|(?:run[-_]?)?tests?\.(?:sh|py|js))(?:\s|$))",
    ),
    ("lint", rf"{_TASK} {_NAMED}(?:lint|fmt|format|typecheck|type-check|types|style|vet|clippy|ruff|mypy|eslint)\b"),
    ("test", rf"{_TASK} (?:\S+ )*?-*{_NAMED}(?:tests?|check|spec|e2e|integration|unit|ci|verify|coverage)\b"),
    ("build", rf"{_TASK} (?:\S+ )*?{_NAMED}(?:build|compile\w*|package|assemble|dist|bundle|all|release)\b"),
    (
        "lint",
        r"(?:golangci-lint|ruff|flake8|pylint|mypy|dmypy|pyright|basedpyright|eslint|prettier|gofmt|gofumpt|goimports|go (?:vet|fmt)"
        r"|staticcheck|cargo (?:clippy|fmt)|shellcheck|black|isort|stylelint|biome|pre-commit|rubocop|clang-tidy|clang-format|hadolint"
        r"|yamllint|markdownlint|tsc .*--noEmit|terraform (?:validate|fmt)|dotnet format|ktlint|detekt|swiftlint|codespell|bandit|credo)\b",
    ),
    (
        "build",
        r"(?:go (?:build|install|generate|run)|cargo (?:build|check|b|c|run|install)|tsc|cmake|ninja|meson|gcc|g\+\+|cc|c\+\+"
        r"|clang(?:\+\+)?|javac|kotlinc|rustc|scalac|docker (?:build|compose build|buildx)|webpack|vite build|next build|rollup|esbuild"
        r"|msbuild|dotnet (?:build|publish|pack|run)|swift build|bazel build|make$|make (?:-\S*|install)$|mvn .*install|\./configure"
        r"|python setup\.py|zig build|stack build|cabal build|mix compile|flutter build|sbt|xcodebuild|hatch build|uv build)(?:\s|$)",
    ),
)
# Switches that change how much is printed, or in which colours, never what is done.
_VOLATILE = (
    r"(?:-v+|-q+|-s|-x|-vs|-sv|-V|--verbose|--quiet|--silent|--tb(?:=\S+)?|--colou?rs?(?:=\S+)?|--no-colou?rs?|-count=\d+|--pretty"
    r"|--no-pretty|--no-header|-rA|-ra"
    r"|--(?:show-)?output(?:=\S+)?|--progress(?:=\S+)?|--reporter(?:=\S+)?|--no-cov|--maxfail(?:=\d+)?|--exitfirst|--stacktrace"
    r"|--info|--debug|-B|--durations(?:=\d+)?)$"
)


class Purpose(NamedTuple):
    """`action`: test, build, lint, look, wait or run. `words` is the work in its plain dress, `subject` what of it names things.

    `change`: "" when the tree stays, else "ran", "moved" or "restored"; `restored` holds the paths of the latter.
    """

    action: str
    words: str
    subject: str
    change: str = ""
    restored: tuple[str, ...] = ()


def purpose_of(command: str) -> Purpose:
    """What `command`, a line or script of a POSIX shell, is for; of several that of most weight, all of them in `words`. Never fails."""
    judged = [(_action(words), words) for words in _parts(command[:COMMAND_CHARS])]
    work = [(action, words) for action, words in judged if action not in ("silent", "look", "wait")]
    if not work:
        action = "wait" if any(action == "wait" for action, _ in judged) else "look"
        return Purpose(action if judged else "run", "; ".join(words for _, words in judged), "")
    family = next(((a, w) for a, w in work if a in VERIFYING), work[-1])
    waits = compiled(_WAITS_FIRST).match(judged[0][1]) and family[0] == "run"
    if waits or any(words.startswith(("until ", "while ")) for _, words in judged):
        return Purpose("wait", "; ".join(words for _, words in judged), "")
    plain = "; ".join(words for _, words in work)
    if family[0] != "run":
        return Purpose(family[0], plain, _subject(family[1]))
    change = next((c for _, words in work if (c := _change(words))), "")
    return Purpose("run", plain, _subject(family[1]), change, _restored(plain) if change == "restored" else ())


def _parts(command: str) -> list[str]:
    """The commands of a line in their plain dress, the later ends of pipes left out."""
    command = compiled(_HEREDOC).sub("", command) if "<<" in command else command
    command = command.replace("\\\n", " ")
    parts: list[list[str]] = [[]]
    piped = writes = False
    for token in compiled(_TOKEN).findall(command):
        if token in ("\n", "&&", "||", ";", "|", "&"):
            piped = token == "|"
            parts.append([])
        elif compiled(r"(?:\d*|&)>").match(token):
            writes = not compiled(r".*(?:/dev/(?:null|stderr|stdout|tty)|&\d?)\s*$|.*>\s*/tmp/").match(token)
            if writes and parts[-1] and not piped:
                parts[-1].append(">")
        elif not piped:
            parts[-1].append(_unquoted(token))
    return [plain for words in parts for plain in _plain(words)]


def _unquoted(token: str) -> str:
    return token[1:-1] if len(token) > 1 and token[0] == token[-1] and token[0] in "\"'" else token


def _plain(words: list[str]) -> list[str]:
    """One command without assignments, wrappers and volatile switches, alone in a list; a nested shell's commands take its place."""
    while words:
        first = words[0].rpartition("/")[2] if words[0].startswith("/") else words[0]
        if compiled(_ASSIGNMENT).match(first):
            words = words[1:]
        elif " ".join((first, *words[1:2])) in _TWO_WORDS:
            words = _after_switches(words[2:], 0)
        elif first in _WRAPPERS:
            words = _after_switches(words[1:], _WRAPPERS[first])
        elif first in ("bash", "sh", "zsh") and len(words) > 2 and words[1] in ("-c", "-lc", "-ec"):
            return _parts(words[2])
        else:
            break
    if not words:
        return []
    kept = [word for word in words[1:] if not compiled(_VOLATILE).match(word)]
    return [" ".join([words[0].rpartition("/")[2] if words[0].startswith("/") else words[0], *kept])]


def _after_switches(words: list[str], own: int) -> list[str]:
    while words and (words[0].startswith("-") or own > 0):
        if words[0] in ("-n", "-k", "-s", "-u", "-p", "-g") and words[1:2] and words[1][:1].isalnum():
            words = words[2:]
            continue
        own -= not words[0].startswith("-")
        words = words[1:]
    return words


def _action(words: str) -> str:
    first, _, rest = words.partition(" ")
    second = rest.partition(" ")[0]
    for family, pattern in () if first in _NO_FAMILY else _FAMILIES:
        if compiled(pattern).match(words) and not compiled(r".* (?:--version|--help|-h)$").match(words):
            return family
    if first in _WAITS or words.startswith(("tail -f", "gh run watch")):
        return "wait"
    if first in _SILENT:
        return "silent" if " >" not in words else "run"
    if words.endswith((" --version", " --help", " -h", " -V")):
        return "look"
    if first in _LOOKS:
        return "run" if " >" in words or compiled(r"sed (?:.* )?-\w*i|find .* -(?:delete|exec)|sort .*-o ").match(words) else "look"
    if second in _LOOKING.get(first, "").split():
        return (
            "run"
            if compiled(r"git (?:branch -[dDmMf]|tag -|config (?!--get|-l|--list)|remote (?:add|set|rm|remove))").match(words)
            else "look"
        )
    if words.startswith(("git stash list", "git stash show", "git worktree list", "git bisect log")):
        return "look"
    if first == "gh":
        return (
            "look"
            if (set(rest.split()[:2]) & _GH_LOOKS) or _is_get(words, r"gh api ", r" (?:-X|--method|-f|-F|--field|--input)\b")
            else "run"
        )
    if first in ("curl", "wget", "http"):
        return (
            "look"
            if _is_get(words, "", r" (?:-X ?P|-X ?D|--request|-d|--data\S*|-F|--form|-T|--json|-[a-zA-Z]*[oO]|--output|--post\S*)\b")
            else "run"
        )
    return "run"


def _is_get(words: str, begins: str, sends: str) -> bool:
    return words.startswith(begins) and not compiled(sends).search(words)


def _change(words: str) -> str:
    if compiled(_RESTORES).match(words):
        return "restored"
    if compiled(_MOVES).match(words):
        return "moved"
    return "" if compiled(_KEEPS).match(words) else "ran"


def _restored(words: str) -> tuple[str, ...]:
    """The paths that a restoring command names; none means all."""
    found = compiled(_RESTORES + r"([^;]*)").search(words)
    paths = [word for word in (found[1].split() if found else []) if not word.startswith("-") and word != "."]
    return () if "stash" in words or "reset" in words else tuple(paths)


def _subject(words: str) -> str:
    """The program and whatever it is told that is no switch: `go test ./cart`, `mise run lint`."""
    return " ".join(word for word in words.split() if not word.startswith("-") and word != ">")[:200]
