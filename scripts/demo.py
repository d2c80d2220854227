"""`make demo`: fills a throw-away store from this repository and asks it. Each step checks what it shows; one that fails ends it with 1."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console

ROOT = Path(__file__).resolve().parents[1]
COLOUR = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
SECRET = "_".join(("ghp", "Zk4" * 12))  # assembled here, so that no scanner takes this file for a leak
NOTHING = "nothing known"

DECISIONS = {  # summary: (kind, detail)
    "Use PostgreSQL for the ledger": ("decision", "MongoDB lost acknowledged writes under load, and money needs transactions."),
    "UserProfileService caches avatars for one hour": ("fact", "The image host counts every request."),
    "No deploys on Friday afternoon": ("decision", "Twice nobody was there to roll back, and customers waited until Monday."),
    "Builds run on Jenkins": ("decision", "It was there already."),
}
LEDGER, AVATARS, FRIDAY, JENKINS = DECISIONS
ACTIONS = "Builds run on GitHub Actions"

TIMED = """\
from statistics import median
from time import perf_counter
from clew import Clew

def took(clew, question):
    start = perf_counter()
    clew.recall(question)
    return 1000 * (perf_counter() - start)

questions = ["which database holds the payments", "who caches avatars", "when may we deploy", "why is there no FTS5"]
with Clew() as clew:
    clew.recall("warm up")
    times = [took(clew, q) for q in questions * 5]
    memories = clew.project().memories
print(f"{len(times)} recalls among {memories} memories: median {median(times):.1f} ms, slowest {max(times):.1f} ms")
"""


class Demo:
    """Runs commands against a store of its own and keeps count of what they failed to show."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.console = Console(highlight=False)
        self.missing: list[str] = []
        program = Path(sys.executable).with_name("clew")
        self.clew = [str(program)] if program.exists() else [sys.executable, "-m", "clew"]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CLEW_")}
        path = os.pathsep.join(filter(None, (str(ROOT / "src"), kept.get("PYTHONPATH"))))
        self.env = kept | {"CLEW_HOME": str(home), "PYTHONPATH": path, "PYTHONUTF8": "1", "COLUMNS": str(self.console.width)}

    def step(self, title: str, *why: str) -> None:
        """A heading and what is about to be seen."""
        self.console.print()
        self.console.rule(f"[bold cyan]{title}", align="left", style="cyan")
        for line in why:
            self.console.print(line, style="dim")

    def run(self, *words: str) -> str:
        """Run `clew words…` in a process of its own, showing it as it goes; what it printed, without colour."""
        self.console.print("$ " + shlex.join(["clew", *words]), style="bold green", markup=False, soft_wrap=True)
        return self.shown([*self.clew, *words])

    def shown(self, command: list[str]) -> str:
        """Run a command, showing what it prints; that text without colour. One that fails is counted."""
        code, said = (on_a_terminal if self.console.is_terminal and os.name == "posix" else piped)(command, self.env)
        text = COLOUR.sub("", said.decode("utf-8", "replace")).replace("\r\n", "\n")
        self.expect(code == 0, f"exit code 0 instead of {code}")
        return text

    def expect(self, holds: bool, what: str) -> None:
        """Say on a terminal and in the exit code whether a step showed what it should."""
        mark, colour = ("✓", "green") if holds else ("✗ not shown:", "bold red")
        if not holds:
            self.missing.append(what)
        if not holds or not what.startswith("exit code"):
            self.console.print(f"  {mark} {what}", style=colour, markup=False)


def piped(command: list[str], env: dict[str, str]) -> tuple[int, bytes]:
    """Run a command with its output going to a file or a pipe, and pass it on whole."""
    done = subprocess.run(command, env=env, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    sys.stdout.flush()
    sys.stdout.buffer.write(done.stdout)
    sys.stdout.flush()
    return done.returncode, done.stdout


def on_a_terminal(command: list[str], env: dict[str, str]) -> tuple[int, bytes]:
    """Run a command as if on this terminal, with its colours, tables and bars, passing on what it prints as it comes."""
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, env=env, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said = b""
    sys.stdout.flush()
    while chunk := read(ours):
        said += chunk
        sys.stdout.buffer.write(chunk.replace(b"\r\n", b"\n"))
        sys.stdout.flush()
    os.close(ours)
    return process.wait(), said


def read(terminal: int) -> bytes:
    """What a terminal has to say, b"" at its end."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux ends a terminal with an error
        return b""


def number(said: str) -> str:
    """The number of the memory in `remembered #12 in shop`; "0" where there is none."""
    found = re.search(r"remembered #(\d+)", said)
    return found[1] if found else "0"


def heads(said: str) -> list[str]:
    """The summaries of a recall's hits, best first."""
    return re.findall(r"^#\d+ +(.*)$", said, re.M)


def take_in(demo: Demo) -> None:
    """The repository's own past."""
    demo.step("What the repository knows already", "Its git history and its documents, read locally. Nothing leaves the machine.")
    said = demo.run("init", ".")
    found = re.search(r"(\d+) commits, (\d+) sections", said)
    commits, documents = map(int, found.groups()) if found else (0, 0)
    demo.expect(commits > 0 or not (ROOT / ".git").exists(), "commits became memories")
    demo.expect(documents > 10, "sections of documents became memories")
    again = demo.run("init", ".")
    demo.expect("took in 0 commits, 0 sections" in again, "taking in twice adds nothing")


def decide(demo: Demo) -> dict[str, str]:
    """Decisions, each stored by a process that is over when the next begins. Their numbers by summary."""
    demo.step("Decisions are made", "Each of these processes ends; the file stays.")
    numbers = {s: number(demo.run("remember", s, "-k", kind, "-d", detail)) for s, (kind, detail) in DECISIONS.items()}
    demo.expect("0" not in numbers.values(), "every one was remembered")
    return numbers


def ask(demo: Demo, numbers: dict[str, str]) -> None:
    """Three questions that share few words with what was said."""
    demo.step("Asked in other words", "No word of this question but 'the' stands in the memory that answers it.")
    said = demo.run("recall", "which database holds the payments", "-n", "3")
    demo.expect(LEDGER in heads(said), "the ledger's database is found by its meaning")
    demo.step("Asked by a piece of a name", "Identifiers are split, so half of one finds it.")
    said = demo.run("recall", "user profile", "-n", "3", "--explain")
    first = re.search(r"#(\d+)", said)
    demo.expect(first is not None and first[1] == numbers[AVATARS], "UserProfileService comes first, with every signal shown")
    demo.step("Asked in another language", "'Data' in French and 'database' in Chinese, of decisions written in English.")
    for word in ("données", "数据库"):
        demo.expect(LEDGER in heads(demo.run("recall", word, "-k", "decision", "-n", "3")), f"{word} finds it")


def change_mind(demo: Demo, old: str) -> None:
    """A decision is replaced."""
    demo.step("A decision is replaced", "The old one stays, with its successor and the reason, and answers no more.")
    new = number(demo.run("remember", ACTIONS, "-k", "decision", "--supersedes", old, "--reason", "the Jenkins host was retired"))
    found = heads(demo.run("recall", "where do our builds run", "-n", "3"))
    demo.expect(ACTIONS in found and JENKINS not in found, "only the new one answers")
    said = demo.run("show", old)
    demo.expect(f"superseded by #{new}" in said or f"#{new} {ACTIONS}" in said, "the old one names its successor")
    demo.expect("the Jenkins host was retired" in said, "and the reason")


def keep_secrets_out(demo: Demo) -> None:
    """A token in a text never reaches the disk."""
    demo.step("A secret slips into a text", "It is taken out before anything is written.")
    said = demo.run("remember", f"The staging bot signs in with {SECRET}")
    demo.expect("redacted: github-token" in said, "it is said what was taken out")
    files = [path for path in demo.home.rglob("*") if path.is_file()]
    clean = files and not any(SECRET.encode() in path.read_bytes() for path in files)
    demo.expect(bool(clean), f"no byte of it lies in {', '.join(sorted(path.name for path in files))}")


def ask_off_topic(demo: Demo) -> None:
    """A question nobody answered."""
    demo.step("Asked about something else", "No memory bears on it, so there is no answer.")
    said = demo.run("recall", "a recipe for banana bread")
    demo.expect(NOTHING in said and not heads(said), "nothing known")


def measure(demo: Demo) -> None:
    """The store's own account of itself, and how long a recall takes here."""
    demo.step("The store")
    demo.expect("memories" in demo.run("status"), "its counts")
    demo.step("In a process that stays", "What an agent's server or a Python program sees. The commands above also start Python each time.")
    demo.console.print(TIMED, style="green", markup=False, soft_wrap=True)
    demo.expect("median" in demo.shown([sys.executable, "-c", TIMED]), "measured here and now")


def main() -> int:
    """0 when every step showed what it should."""
    start = time.perf_counter()
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal that cannot show a character shows a question mark
    with tempfile.TemporaryDirectory(prefix="clew-demo-", ignore_cleanup_errors=True) as folder:
        demo = Demo(Path(folder) / "home")
        take_in(demo)
        numbers = decide(demo)
        ask(demo, numbers)
        change_mind(demo, numbers[JENKINS])
        keep_secrets_out(demo)
        ask_off_topic(demo)
        measure(demo)
    demo.console.print()
    demo.console.rule(style="cyan")
    for what in demo.missing:
        demo.console.print(f"✗ not shown: {what}", style="bold red", markup=False)
    verdict = "every step showed what it should" if not demo.missing else f"{len(demo.missing)} things were not shown"
    demo.console.print(f"{verdict}; {time.perf_counter() - start:.0f} s; the store was thrown away", style="bold")
    return 1 if demo.missing else 0


if __name__ == "__main__":
    sys.exit(main())
