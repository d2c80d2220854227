"""Requests in the shapes of real work, made by a seeded generator: what `benchmarks.compiler` compiles. No data is kept, only this code.

Nothing in them is built for the compiler: code is edited where an edit falls, logs mix a dozen kinds of lines, prose is full of numbers
that are no planted fact, and a planted fact stands in the middle of an ordinary paragraph or line.
"""

from __future__ import annotations

import random
import struct
import zlib
from base64 import b64encode
from typing import Any, NamedTuple

NOUNS = "order invoice payment refund ledger account basket carrier parcel quote tariff voucher customer session token cursor batch".split()
VERBS = "load store merge settle reserve release cancel verify price allocate collect reconcile publish replay expire assign".split()
ADJECTIVES = "open stale pending partial foreign nightly manual shared late empty unpaid regional".split()
PLACES = "warehouse checkout gateway worker scheduler archive importer dashboard ledger mailer".split()


class Workload(NamedTuple):
    """A request as plain values, and the facts planted in it: text that should reach the reader."""

    name: str
    request: dict[str, Any]
    facts: list[str]


def module(rng: random.Random, name: str, functions: int) -> str:
    """A Python module of a made-up shop: imports, constants, functions with loops, conditions and docstrings."""
    lines = [
        f'"""{name.title()}: how {rng.choice(ADJECTIVES)} {name}s are kept and {rng.choice(VERBS)}d."""',
        "",
        "from __future__ import annotations",
        "",
    ]
    lines += [
        f"from shop.{place} import {place.title()}, {rng.choice(VERBS)}_{noun}"
        for place, noun in zip(rng.sample(PLACES, 3), rng.sample(NOUNS, 3), strict=True)
    ]
    lines += ["", f"{name.upper()}_LIMIT = {rng.randrange(10, 900)}", f"RETRY_SECONDS = {rng.randrange(2, 60)}", ""]
    for _ in range(functions):
        lines += ["", *function(rng)]
    return "\n".join(lines) + "\n"


def function(rng: random.Random) -> list[str]:
    """One function of eight to twenty lines."""
    verb, noun, other, how = rng.choice(VERBS), rng.choice(NOUNS), rng.choice(NOUNS), rng.choice(ADJECTIVES)
    body = [
        f"def {verb}_{how}_{noun}({noun}: {noun.title()}, limit: int = {rng.randrange(1, 500)}) -> list[{other.title()}]:",
        f'    """{verb.title()} the {how} {noun}; {rng.choice(ADJECTIVES)} ones are left to the {rng.choice(PLACES)}."""',
        f"    found: list[{other.title()}] = []",
    ]
    for _ in range(rng.randrange(1, 4)):
        a, b, c = rng.choice(NOUNS), rng.choice(VERBS), rng.choice(ADJECTIVES)
        body += rng.choice(
            (
                [
                    f"    for {a} in {noun}.{c}_{a}s(limit):",
                    f"        if {a}.{c} and not {a}.{b}d:",
                    f"            found.append({a}.{b}({rng.randrange(99)}))",
                ],
                [f"    if {noun}.{c}:", f'        raise {c.title()}{noun.title()}(f"{{{noun}.id}} is {c}")'],
                [f"    {a} = {noun}.{b}({c}=True)", f"    if {a} is None:", "        return found"],
                [f"    with {rng.choice(PLACES)}.lock({noun}.id) as {a}:", f"        {a}.{b}(found, limit=limit // {rng.randrange(2, 9)})"],
            )
        )
    return [*body, "    return found", ""]


def edited(rng: random.Random, text: str, edits: int) -> str:
    """The same file after a few edits: a line changed, a condition put in, a line taken out, a function added."""
    lines = text.split("\n")
    for _ in range(edits):
        at = rng.randrange(8, len(lines) - 1)
        what = rng.randrange(4)
        if what == 0:
            lines[at] = f"    {rng.choice(NOUNS)} = {rng.choice(VERBS)}_{rng.choice(NOUNS)}({rng.randrange(999)})"
        elif what == 1:
            lines[at:at] = [f"    if {rng.choice(NOUNS)}.{rng.choice(ADJECTIVES)} is None:", f"        return {rng.randrange(9)}"]
        elif what == 2:
            del lines[at]
        else:
            lines[at:at] = function(rng)
    return "\n".join(lines)


def numbered(text: str, first: int = 1) -> str:
    """As a client's read tool shows a file."""
    return "".join(f"{number:>6}\t{line}\n" for number, line in enumerate(text.rstrip("\n").split("\n"), first))


class Suite(NamedTuple):
    """What a project's build installs and tests: the same in every run."""

    packages: list[tuple[str, str, int]]
    tests: list[str]


def suite(rng: random.Random, tests: int) -> Suite:
    """A suite of so many tests."""
    packages = [
        (f"{rng.choice(NOUNS)}-{rng.choice(PLACES)}", f"{rng.randrange(9)}.{rng.randrange(20)}.{rng.randrange(9)}", rng.randrange(9, 900))
        for _ in range(40)
    ]
    names = [
        f"{rng.choice(PLACES)}/test_{rng.choice(NOUNS)}.py::test_{rng.choice(VERBS)}_{rng.choice(ADJECTIVES)}_{rng.choice(NOUNS)}"
        for _ in range(tests)
    ]
    return Suite(packages, sorted(names))


class _Log:
    """Lines with the time before them, as a build server writes them."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.clock = (9 * 3600 + rng.randrange(3600)) * 10**7  # in tenths of a microsecond
        self.lines: list[str] = []

    def say(self, *texts: str) -> None:
        for text in texts:
            self.clock += self.rng.randrange(1, 2 * 10**7)
            seconds = self.clock // 10**7
            clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{self.clock % 10**7:07}"
            self.lines.append(f"2026-03-02T{clock}Z {text}")


def ci_log(rng: random.Random, lines: int, *, project: Suite, failure: list[str]) -> str:
    """A build's log of so many lines: checkout, downloads, an image, a database that takes its time, tests by name, workers that say what
    they do, slow queries, and near its end a failure."""
    log = _Log(rng)
    log.say("##[group]Run actions/checkout@v4", "with:", "  fetch-depth: 1", "  persist-credentials: true", "##[endgroup]")
    log.say("Syncing repository: acme/shop", "##[group]Install")
    for name, version, size in project.packages[: lines // 15]:
        log.say(f"Collecting {name}=={version}", f"  Downloading {name}-{version}-py3-none-any.whl ({size} kB)")
    log.say("##[endgroup]", "##[group]Build image")
    for layer in range(lines // 40):
        log.say(
            f"{rng.getrandbits(48):012x}: Pulling fs layer",
            f"#{layer} sha256:{rng.getrandbits(256):064x} {rng.randrange(99)}.{rng.randrange(9)}MB / 99.2MB",
        )
    for percent in range(0, 101, max(2, 1600 // lines)):
        log.say(f"Building [{'=' * (percent // 5):<20}] {percent}% {rng.randrange(900) / 10} MB/s")
    log.say("##[endgroup]")
    for attempt in range(1, lines // 30):
        log.say(f"Waiting for postgres at 10.0.{rng.randrange(9)}.{rng.randrange(200)}:5432 (attempt {attempt})")
    left = lines - len(log.lines) - len(failure) - 4
    names = project.tests[: left // 3]
    shares = [(100 * number // len(names), name) for number, name in enumerate(names, 1)]
    for number in range(left):
        if number % 3 == 0 and shares:
            share, name = shares.pop(0)
            log.say(f"tests/{name} \x1b[32mPASSED\x1b[0m [{share:>3}%]")
        elif rng.random() < 0.06:
            log.say(f"\x1b[33mWARNING\x1b[0m {rng.choice(PLACES[:3])}: slow query took {rng.randrange(400, 3000)} ms")
        else:
            batch, rows = rng.randrange(10**6), rng.randrange(500)
            log.say(f"DEBUG worker-{rng.randrange(4)} {rng.choice(VERBS[:6])} batch {batch}: {rows} rows, {rng.randrange(90)} ms")
    log.say(*failure, "##[group]Post job", "Temporarily overriding HOME", "Cleaning up orphan processes", "##[endgroup]")
    return "\n".join(log.lines) + "\n"


def failing(rng: random.Random, expected: int, got: int) -> list[str]:
    """What pytest prints of one failing test."""
    noun = rng.choice(NOUNS)
    return [
        "=================================== FAILURES ===================================",
        f"_____________________ test_settle_partial_{noun} _____________________",
        f"    def test_settle_partial_{noun}(ledger):",
        f"        {noun} = ledger.settle_partial({expected})",
        f">       assert {noun}.minor_units == {expected}",
        f"\x1b[31mE       AssertionError: assert {got} == {expected}\x1b[0m",
        f"tests/ledger/test_{noun}.py:88: AssertionError",
        "=========================== short test summary info ============================",
        f"FAILED tests/ledger/test_{noun}.py::test_settle_partial_{noun} - AssertionError: assert {got} == {expected}",
        "================== 1 failed, 387 passed, 12 warnings in 214.38s ==================",
        "##[error]Process completed with exit code 1.",
    ]


def local_run(rng: random.Random, failure: list[str]) -> str:
    """The same failure as a developer's own run prints it: dots, the failure, a summary; no times."""
    dots = [f"tests/{place}/test_{rng.choice(NOUNS)}.py {'.' * rng.randrange(6, 40)} [{10 * n + 10:>3}%]" for n, place in enumerate(PLACES)]
    return "\n".join(["$ pytest -x", *dots, *(line.replace("\x1b[31m", "").replace("\x1b[0m", "") for line in failure[:-1])]) + "\n"


def sentence(rng: random.Random) -> str:
    """Ordinary prose about the shop, sometimes with a number in it."""
    noun, other, place = rng.choice(NOUNS), rng.choice(NOUNS), rng.choice(PLACES)
    return rng.choice(
        (
            f"The {place} keeps every {rng.choice(ADJECTIVES)} {noun} until the {other} behind it is {rng.choice(VERBS)}d.",
            f"Most teams reach the {noun} through the {place}, which hides how a {other} is stored.",
            f"Since the move in {rng.randrange(2019, 2026)} a {rng.choice(ADJECTIVES)} {noun} takes about {rng.randrange(3, 90)} ms.",
            f"When a {noun} changes hands, the {place} writes a line that the {rng.choice(PLACES)} picks up later.",
            f"An operator looks at the {place} once a day and closes what is {rng.choice(ADJECTIVES)}.",
            f"It grew out of the old {place} and still shares its tables for the {other}.",
        )
    )


def document(rng: random.Random, title: str, *, chars: int, fact: str) -> str:
    """A page of Markdown with headings and paragraphs; the fact is a sentence inside one of them."""
    paragraphs: list[str] = []
    while sum(map(len, paragraphs)) < chars:
        if rng.random() < 0.25:
            paragraphs.append(f"## {rng.choice(ADJECTIVES).title()} {rng.choice(NOUNS)}s")
        paragraphs.append(" ".join(sentence(rng) for _ in range(rng.randrange(2, 6))))
    at = rng.randrange(len(paragraphs))
    while paragraphs[at].startswith("#"):
        at = rng.randrange(len(paragraphs))
    first, _, rest = paragraphs[at].partition(". ")
    paragraphs[at] = f"{first}. {fact}" + (f" {rest}" if rest else "")
    return f"# {title}\n\n" + "\n\n".join(paragraphs) + "\n"


def screenshot(rng: random.Random, width: int, height: int) -> dict[str, str]:
    """A PNG of noise with a true header, as media of a fragment."""
    rows = b"".join(b"\0" + rng.randbytes(24) for _ in range(8))

    def part(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    png = (
        b"\x89PNG\r\n\x1a\n"
        + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + part(b"IDAT", zlib.compress(rows))
        + part(b"IEND", b"")
    )
    return {"mime": "image/png", "bytes_b64": b64encode(png).decode()}


FACTS = (
    "Never replay a capture that the gateway has already settled.",
    "The settlement job starts at 02:40 UTC and holds the ledger lock for 17 minutes.",
    "Partial settlements are rounded half to even in minor units, not half up.",
    "The pool of ledger-db is capped at 48 connections.",
    "The contract with the acquirer is at https://wiki.acme.example/acquirer/v3#limits.",
    "A refund above 5,000.00 EUR needs a second pair of eyes.",
    "Do not deploy the importer while the nightly report runs.",
    "Schema 214 renamed ledger.amount to ledger.minor_units.",
)
QUERY = "Why does the partial settlement test fail with a wrong amount in minor units, and what must we not do while fixing it?"


def ci_and_documents(seed: int) -> Workload:
    """A CI log of 600 lines and eight retrieved pages, 55 KB together, at a budget of 4,000."""
    rng = random.Random(seed)
    expected, got = rng.randrange(1000, 9999), rng.randrange(100, 999)
    failure = failing(rng, expected, got)
    log = ci_log(rng, 600, project=suite(rng, 400), failure=failure)
    pages = [
        {"content": document(rng, f"{a.title()} {n}", chars=1_000, fact=fact), "kind": "markdown", "path": f"docs/{n}-{i}.md"}
        for i, (fact, a, n) in enumerate(zip(FACTS, rng.sample(ADJECTIVES, 8), rng.sample(NOUNS, 8), strict=True))
    ]
    request = {"query": QUERY, "token_budget": 4_000, "fragments": [{"content": log, "kind": "log"}, *pages]}
    return Workload(
        "ci log and documents", request, [*FACTS, *(line for line in failure if f"{got} == {expected}" in line), failure[9], failure[10]]
    )


def bug_fix(seed: int) -> Workload:
    """Fourteen turns of a bug fix: instructions, a report, files read and read again after edits, two test runs, searches, one page."""
    rng = random.Random(seed)
    return _session(rng, "bug fix, 14 turns", turns=14, files=3, seed_facts=FACTS[:4])


def iteration(seed: int) -> Workload:
    """Thirty-six turns on one feature: the same files over and over, a test run after most edits, screenshots of one page, pages read."""
    rng = random.Random(seed)
    return _session(rng, "iteration, 36 turns", turns=36, files=5, seed_facts=FACTS)


def _session(rng: random.Random, name: str, *, turns: int, files: int, seed_facts: tuple[str, ...]) -> Workload:
    """What an agent has in its window after so many turns. A turn reads, edits, tests, looks or searches, in a usual order."""
    tree = {f"src/shop/{noun}.py": module(rng, noun, rng.randrange(10, 24)) for noun in rng.sample(NOUNS, files)}
    paths, project = list(tree), suite(rng, 60)
    facts = list(seed_facts)
    fragments: list[dict[str, Any]] = [
        {"content": instructions(rng), "metadata": {"cache": True, "turn": 0}},
        {"content": f"{QUERY}\n\nIt began with the release of Tuesday. {facts.pop(0)}", "metadata": {"turn": 0}},
    ]
    planted = [seed_facts[0]]
    for turn in range(1, turns + 1):
        meta = {"turn": turn}
        path = paths[min(int(rng.expovariate(1.2)), len(paths) - 1)]  # most of the work is on one or two files
        fragments.append({"content": thought(rng, path), "metadata": meta})
        step = turn % 4
        if step in (1, 2):
            fragments.append({"content": numbered(tree[path]), "path": path, "kind": "tool_result", "metadata": meta})
        if step == 2:
            tree[path] = edited(rng, tree[path], rng.randrange(1, 4))
            fragments.append({"content": numbered(tree[path]), "path": path, "kind": "tool_result", "metadata": meta})
        if step == 3:
            expected, got = rng.randrange(1000, 9999), rng.randrange(100, 999)
            failure = failing(rng, expected, got)
            built = ci_log(rng, rng.randrange(110, 180), project=project, failure=failure) if turn % 12 == 3 else local_run(rng, failure)
            fragments.append({"content": built, "kind": "tool_result", "metadata": meta})
            last = failure[8]
        if step == 0:
            fragments.append({"content": search_result(rng, tree), "kind": "tool_result", "metadata": meta})
        if step == 0 and facts:
            fact = facts.pop(0)
            fragments.append({"content": document(rng, f"Page {turn}", chars=1_200, fact=fact), "kind": "markdown", "metadata": meta})
            planted.append(fact)
        if turns > 20 and turn % 3 == 0:
            fragments.append(
                {
                    "content": f"the checkout page after turn {turn}",
                    "kind": "screenshot",
                    "media": screenshot(rng, 1280, 800),
                    "metadata": {**meta, "target": "checkout"},
                }
            )
    request = {"query": QUERY, "fragments": fragments}
    return Workload(name, request, [*planted, last])


def instructions(rng: random.Random) -> str:
    """The part of a prompt that is the same on every turn."""
    rules = "\n".join(f"- {sentence(rng)}" for _ in range(12))
    return f"You work on the shop's back office. House rules:\n{rules}\n- Never push to main. Run the tests before you hand over.\n"


def thought(rng: random.Random, path: str) -> str:
    """What an agent says between two tools."""
    return (
        rng.choice(
            ("Let me look at {}.", "I think the cause is in {}; reading it again.", "Checking {} after the change.", "Next, {}.")
        ).format(path)
        + " "
        + sentence(rng)
    )


def search_result(rng: random.Random, tree: dict[str, str]) -> str:
    """Lines that hold a word, as grep prints them."""
    word = rng.choice(NOUNS)
    hits = [f"{path}:{number}:{line}" for path, text in tree.items() for number, line in enumerate(text.split("\n"), 1) if word in line]
    return "\n".join(hits[:40]) + "\n"


def sized(seed: int, size: int) -> Workload:
    """A mixed request of about `size` bytes: code, logs, pages and chatter in fragments of up to 50 KB."""
    rng = random.Random(seed)
    fragments: list[dict[str, Any]] = []
    most = max(125, min(50_000, size // 8))  # the same mix at every size
    for at in range(0, size, most):
        want = min(most, size - at)
        kind = ("code", "log", "markdown", "text")[len(fragments) % 4]
        if kind == "code":
            content = module(rng, rng.choice(NOUNS), max(1, want // 420))
        elif kind == "log":
            content = ci_log(rng, max(60, want // 90), project=suite(rng, 400), failure=failing(rng, 1, 2))
        elif kind == "markdown":
            content = document(rng, "Page", chars=want, fact=rng.choice(FACTS))
        else:
            content = "\n".join(sentence(rng) for _ in range(max(1, want // 85))) + "\n"
        fragments.append({"content": content[:want], "kind": kind})
    return Workload(f"{size} bytes", {"query": QUERY, "token_budget": 4_000, "fragments": fragments}, [])


def cache_turns(seed: int) -> list[dict[str, Any]]:
    """Ten turns with the same instructions and tools marked for the cache section, and a query, a budget and a body that change."""
    rng = random.Random(seed)
    marked = [{"content": instructions(rng), "metadata": {"cache": True}}]
    marked += [
        {"content": document(rng, f"Tool {n}", chars=900, fact=fact), "metadata": {"cache": True}} for n, fact in enumerate(FACTS[:3])
    ]
    found, body = [], []
    for turn in range(10):
        body.append({"content": ci_log(rng, 90, project=suite(rng, 40), failure=failing(rng, turn, 7)), "kind": "log"})
        body.append({"content": f"{thought(rng, 'src/shop/ledger.py')} {sentence(rng)}", "priority": rng.randrange(256)})
        mixed = [*body[: turn % 3], *marked, *body[turn % 3 :]]  # the marked ones keep their order, what lies around them does not
        found.append({"query": sentence(rng), "token_budget": rng.randrange(1_800, 9_000), "fragments": mixed})
    return found
