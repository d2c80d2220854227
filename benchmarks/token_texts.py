"""Texts of every class that the token counters are held against: generated ones by seed, some of our own writing, and folders.

A folder holds one folder a class with UTF-8 text files in it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import sysconfig
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.report import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[[random.Random], str]

OWN = ROOT / "benchmarks" / "data" / "tokens"
DOCS = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]
SIZE = 6_000  # characters of one text
EACH = 8  # texts of a class
WORDS = (
    "account action agent archive batch branch broken budget build cache channel chunk client commit config context counter cursor "
    "daemon deadline decoder default deploy digest driver editor embed engine entity error event export failure fetch field filter "
    "fragment gateway handle header host import index invoice journal kernel latency ledger library limit loader memory merge "
    "metric migration module node object offset order package parser payload pipeline pointer pool prefix process profile project "
    "prompt queue quota rate reader receipt record region release replica request resource response result retry runner sandbox "
    "schema scope secret segment server session shard socket source spool stream summary table target template tenant thread "
    "timeout token trace transaction trigger update upload user value vector verdict version volume warning watcher window worker "
    "zone "
).split()


def words(random_: random.Random, least: int, most: int, join: str = " ") -> str:
    """Some everyday words of software."""
    return join.join(random_.choice(WORDS) for _ in range(random_.randint(least, most)))


def _value(r: random.Random, depth: int = 0) -> Any:
    makes: list[Callable[[], Any]] = [
        lambda: r.randrange(10 ** r.randrange(1, 12)),
        lambda: r.random() * 1_000,
        lambda: r.choice([True, False, None]),
        lambda: str(uuid.UUID(int=r.getrandbits(128))),
        lambda: _moment(r) + "Z",
        lambda: words(r, 1, 8),
        lambda: [_value(r, depth + 1) for _ in range(r.randrange(5))],
        lambda: {words(r, 1, 2, r.choice("_-")): _value(r, depth + 1) for _ in range(r.randrange(1, 7))},
    ]
    return r.choice(makes if depth < 5 else makes[:6])()


def _moment(r: random.Random) -> str:
    return f"2026-{r.randint(1, 12):02}-{r.randint(1, 28):02}T{r.randrange(24):02}:{r.randrange(60):02}:{r.random() * 60:06.3f}"


def as_json(r: random.Random) -> str:
    """Objects within objects, compact or indented."""
    separators = r.choice([None, (",", ":")])
    return json.dumps(
        [{w: _value(r) for w in r.sample(WORDS, 8)} for _ in range(12)], indent=r.choice([None, 1, 2, 4]), separators=separators
    )


def as_yaml(r: random.Random) -> str:
    """Nested keys, lists, comments."""
    lines, depth = ["---"], 0
    for _ in range(120):
        depth = min(8, max(0, depth + r.choice([-1, 0, 0, 1])))
        value = r.choice(
            ["", f" {words(r, 1, 5)}", f' "{words(r, 1, 4)}"', f" {r.randrange(9999)}", " |-", " # " + words(r, 2, 6), " true"]
        )
        lines.append("  " * depth + r.choice(["", "- "]) + words(r, 1, 2, r.choice("_-")) + ":" + value)
    return "\n".join(lines)


def table(r: random.Random) -> str:
    """A Markdown table, padded or not."""
    columns, pad = r.randrange(3, 7), r.choice([0, 0, 18, 28])
    rows = [[words(r, 1, 1).title() for _ in range(columns)], [r.choice(["---", ":---:", "---:"]) for _ in range(columns)]]
    for _ in range(30):
        cells = [words(r, 1, 4), f"{r.random():.3f}", str(r.randrange(9999)), f"`{words(r, 2, 2, '_')}`", f"**{words(r, 1, 2)}**"]
        rows.append([r.choice(cells) for _ in range(columns)])
    return "\n".join("| " + " | ".join(cell.ljust(pad) for cell in row) + " |" for row in rows)


def urls(r: random.Random) -> str:
    """Addresses with paths, questions and anchors."""
    lines = []
    for _ in range(60):
        parts = [
            r.choice([words(r, 1, 1), words(r, 2, 2, "-"), str(r.randrange(10**6)), f"{r.getrandbits(40):x}"])
            for _ in range(r.randrange(6))
        ]
        asked = "&".join(
            f"{words(r, 1, 1)}={r.choice([words(r, 1, 1), f'%{r.randrange(256):02X}', f'{r.getrandbits(60):x}'])}" for _ in range(3)
        )
        host = r.choice(["", "www.", "api."]) + words(r, 1, 1) + r.choice([".example", ".test", ".example:8443"])
        lines.append(r.choice(["https", "http"]) + "://" + "/".join([host, *parts]) + r.choice(["", "?" + asked, "#" + words(r, 1, 1)]))
    return "\n".join(lines)


def ids(r: random.Random) -> str:
    """Uuids, hashes in both cases, short ids of other alphabets."""
    makes = [
        lambda: str(uuid.UUID(int=r.getrandbits(128))),
        lambda: hashlib.sha256(r.randbytes(8)).hexdigest(),
        lambda: hashlib.md5(r.randbytes(8)).hexdigest().upper(),
        lambda: f"{r.getrandbits(28):x}",
        lambda: "".join(r.choices("0123456789ABCDEFGHJKMNPQRSTVWXYZ", k=26)),
        lambda: "".join(r.choices("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-", k=21)),
    ]
    chosen = r.sample(makes, r.randrange(1, 4))
    return r.choice(["\n", " ", ","]).join(r.choice(chosen)() for _ in range(80))


def logs(r: random.Random) -> str:
    """Log lines of one program: timestamps, levels, names, measured values, colours."""
    stamp = r.choice(["{}Z ", "[{}] ", "\x1b[36m{}\x1b[0m ", "app-7c9d8 {} "])
    lines = []
    for number in range(80):
        name = r.choice(
            [words(r, 2, 2, "."), f"[{words(r, 1, 1)}]", f"{words(r, 1, 1)}-{r.randrange(99)}", f"com.{words(r, 2, 3, '.')}.Main"]
        )
        tail = [
            f"{r.randrange(9999)}ms",
            f"id={r.getrandbits(64):x}",
            f"/var/lib/{words(r, 2, 2, '/')}.log",
            f"10.0.{r.randrange(256)}.7:{r.randrange(65536)}",
        ]
        tail += [f"0x{r.getrandbits(64):016x}", f"[{number}/80]", "\x1b[32mok\x1b[0m", f"{r.random() * 100:.2f}%"]
        lines.append(
            stamp.format(_moment(r))
            + r.choice(["INFO", "DEBUG", "WARN ", "ERROR", "level=info"])
            + f" {name} {words(r, 2, 9)} {r.choice(tail)}"
        )
    return "\n".join(lines)


def emoji(r: random.Random) -> str:
    """Emoji with skin tones, joiners and words between."""
    blocks = [(0x1F300, 0x1F64F), (0x1F680, 0x1F6CF), (0x1F900, 0x1F9FF), (0x2600, 0x27BE)]
    after = ["", "\ufe0f", "\u200d", "\U0001f3fd", " ", " ", " " + words(r, 1, 1)]
    return "".join(chr(r.randint(*r.choice(blocks))) + r.choice(after) for _ in range(400))


def base_64(r: random.Random) -> str:
    """Random bytes, in one line or many, in the plain and the address alphabet."""
    return r.choice([base64.b64encode, base64.urlsafe_b64encode, base64.encodebytes])(r.randbytes(r.choice([120, 2_000, 4_000]))).decode(
        "ascii"
    )


def deep(r: random.Random) -> str:
    """Lines far to the right, by spaces or tabs."""
    step = r.choice(["    ", "\t", "  ", "        "])
    return "\n".join(
        step * r.randrange(3, 14) + f"{words(r, 1, 2, '_')}({words(r, 1, 3, ', ')})" + r.choice([":", ";", " {", ""]) for _ in range(120)
    )


MAKES: dict[str, Make] = {
    "json": as_json,
    "yaml": as_yaml,
    "markdown table": table,
    "urls": urls,
    "uuids and hashes": ids,
    "logs": logs,
    "emoji": emoji,
    "base64": base_64,
    "deep indentation": deep,
}


def hostile(r: random.Random) -> list[str]:
    """Texts nobody writes: bytes read as text, long runs, rare scripts, signs that join, every kind of blank."""
    runs = (
        "a A 0 = - \u200b e\u0301 é 中 \x00 !? ab ' a' '\n a' '\\\"' \u0337\u0338 ½⅓² Ａｂ ﷺ \U00012000 \U0001d54f 𒀀𓀀 'S _a_B ١٢ ÿþ".split(
            " "
        )
    )
    rare = [chr(r.choice([r.randrange(0x370, 0x3000), r.randrange(0xA000, 0xD7FF), r.randrange(0x10000, 0x14000)])) for _ in range(1_000)]
    blanks = [" " * 3_000, "\t" * 1_500, "\n" * 1_500, "\r\n" * 700, " \t" * 700, "-" * 997 + " " * 1_003, "\u3000" * 500, " \n" * 700]
    letters = [
        "".join(r.choices(letters, k=1_500))
        for letters in ("aeiou", "bcdfghjklmnpqrstvwxz", "aA", "ACGT", "ءآأؤإئابةتث", "абвгдежз", "あいうえおカキク")
    ]
    noise = [
        r.randbytes(1_500).decode("utf-8", "replace"),
        r.randbytes(1_500).decode("latin-1"),
        "".join(map(chr, r.choices(range(32, 127), k=2_000))),
    ]
    return [run * (1_500 // len(run)) for run in runs] + ["".join(rare)] + blanks + letters + noise


def classes(seed: int) -> dict[str, list[str]]:
    """Every class by name. Another seed gives other generated texts and other parts of the real ones."""
    r = random.Random(seed)
    found = {name: [make(r) for _ in range(EACH)] for name, make in MAKES.items()}
    found["hostile"] = hostile(r)
    standard = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    found["code: Python"] = [part(path.read_text("utf-8", "replace"), r) for path in r.sample(standard, EACH)]
    found["prose: this project's pages"] = [part(path.read_text("utf-8"), r) for path in DOCS]
    for name, texts in from_folder(OWN).items():
        found.setdefault(name, []).extend(texts)
    return found


def part(text: str, r: random.Random) -> str:
    """A stretch of SIZE characters from anywhere in it."""
    start = r.randrange(max(1, len(text) - SIZE))
    return text[start : start + SIZE]


def from_folder(folder: Path) -> dict[str, list[str]]:
    """The texts of a folder by class; a class is a folder's name, or the name of a file that lies there by itself."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = path.parent.name if path.parent != folder else path.stem
            found.setdefault(name, []).append(path.read_text("utf-8", "replace"))
    return found


def cuts(text: str) -> list[str]:
    """The text whole, and stretches of it: what holds for pages must hold for lines."""
    starts = range(0, len(text), max(1, len(text) // 3))
    return [text, *(text[at : at + size] for at in starts for size in (40, 200, 1_000) if at + size < len(text))]
