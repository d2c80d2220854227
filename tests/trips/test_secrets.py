"""No secret reaches the disk by any road: the raw bytes of the file and of its write-ahead log are searched."""

import random

import pytest

from clew import Draft, Pointer, Source
from trips import command, opened

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def fresh(number):
    """An AWS key that nobody has, another one for each number; never written out in a file of this project."""
    return "AKIA" + "".join(random.Random(number).choices(LETTERS, k=16))


def raw(folder):
    """All bytes of all files below a folder."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


ROADS = {
    "summary": lambda clew, s: clew.remember(f"the key is {s} for now"),
    "summary of several lines": lambda clew, s: clew.remember(f"the key\n{s}\nfor now"),
    "summary with colours": lambda clew, s: clew.remember(f"key {s[:7]}\x1b[31m{s[7:]} done"),
    "detail": lambda clew, s: clew.remember("a key", detail=f"it is {s}"),
    "tag": lambda clew, s: clew.remember("a key", tags=["ok", s]),
    "metadata key": lambda clew, s: clew.remember("a key", metadata={s: 1}),
    "metadata value": lambda clew, s: clew.remember("a key", metadata={"k": f"x {s}"}),
    "pointer path": lambda clew, s: clew.remember("a key", pointers=[Pointer(f"src/{s}.py")]),
    "pointer symbol": lambda clew, s: clew.remember("a key", pointers=[Pointer("a.py", symbol=s)]),
    "pointer hash": lambda clew, s: clew.remember("a key", pointers=[Pointer("a.py", hash=s)]),
    "source file": lambda clew, s: clew.remember("a key", source=Source(file=s)),
    "source commit": lambda clew, s: clew.remember("a key", source=Source(commit=s)),
    "source session": lambda clew, s: clew.remember("a key", source=Source(session=s)),
    "batch": lambda clew, s: clew.remember_many([Draft("fine"), Draft(f"key {s}")]),
    "edit": lambda clew, s: clew.edit(1, detail=f"now {s}", tags=[s], metadata={s: s}),
    "edit of an edit": lambda clew, s: (clew.edit(1, detail=f"now {s}"), clew.edit(1, detail="gone")),
    "supersede reason": lambda clew, s: clew.supersede(1, 2, reason=f"because {s}"),
    "done reason": lambda clew, s: clew.done(1, reason=f"because {s}"),
    "import": lambda clew, s: clew.import_jsonl([{"summary": f"key {s}", "detail": s, "tags": [s], "metadata": {s: s}, "reason": s}]),
    "import of a link": lambda clew, s: clew.import_jsonl(
        [{"type": "link", "src": clew.show(1).digest, "relation": s, "dst": clew.show(2).digest}]
    ),
    "question": lambda clew, s: clew.recall(f"what is {s}"),
    "resume": lambda clew, s: clew.resume(f"next: rotate {s}"),
}


@pytest.mark.parametrize("road", ROADS)
def test_a_secret_on_this_road_never_reaches_the_disk(road, tmp_path):
    secret = fresh(road)
    with opened(tmp_path / "memory.db") as clew:
        clew.remember("the first one")
        clew.remember("the second one")
        ROADS[road](clew, secret)
        clew.recall(secret)
        found = raw(tmp_path)
        assert secret.encode() not in found
        assert secret.lower().encode() not in found
        if road not in ("question", "edit of an edit"):
            assert "‹redacted:aws-key›".encode() in found
    assert secret.encode() not in raw(tmp_path)


@pytest.mark.parametrize("name", ["password", "api_key", "DB_PASSWORD", "secret"])
def test_a_value_under_a_secret_name_never_reaches_the_disk(name, tmp_path):
    value = "".join(random.Random(name).choices(LETTERS.lower() + LETTERS, k=24))
    with opened(tmp_path / "memory.db") as clew:
        kept = clew.remember("how to log in", metadata={name: value}).memory
        assert kept.metadata[name].startswith("‹redacted:")
        assert value.encode() not in raw(tmp_path)


def test_what_is_private_never_reaches_the_disk(tmp_path):
    with opened(tmp_path / "memory.db") as clew:
        kept = clew.remember("we <private>zanzibar plan</private> decided", detail="a\n<private>zanzibar\nplan\n</private>\nb").memory
        assert kept.summary == "we ‹redacted:private› decided"
        assert b"zanzibar" not in raw(tmp_path)


def test_the_command_says_what_it_redacted_and_keeps_none_of_it(tmp_path):
    secret = fresh(99)
    told = command("remember", f"the key is {secret}", "-p", "trip", CLEW_DB=str(tmp_path / "memory.db"))
    assert told.code == 0
    assert "aws-key" in told.out + told.err
    assert secret not in told.out + told.err
    assert secret.encode() not in raw(tmp_path)


def test_what_is_forgotten_is_gone_from_the_bytes_with_everything_it_left_behind(tmp_path):
    word = "zanzibarite"
    with opened(tmp_path / "memory.db") as clew:
        clew.remember("kept for good")
        number = clew.remember(f"the {word} decision", detail=f"{word} " * 3_000, tags=[word], metadata={word: word}).memory.id
        clew.edit(number, summary=f"the other {word} decision", pointers=[Pointer(f"src/{word}.py", symbol=word)])
        clew.supersede(number, 1, reason=f"{word} is over")
        clew.remember(f"the other {word} decision", detail=f"{word} " * 3_000, tags=["again"])
        clew.project_move([number], into="elsewhere")
        assert word.encode() in raw(tmp_path)
        (gone,) = clew.forget(number)
        assert gone.left == ()
        assert gone.erased["memories"] == 1
        assert word.encode() not in raw(tmp_path)
        assert clew.doctor() == []
