"""Writers that are killed, and what must be left of their work. Run as a program by test_killed.py: it forks, so it imports once.

`rounds`: a child works at random and says what it begins and what it has done; it is killed at a random moment; the next child finds
exactly what was done, with or without the one thing begun. `points`: one verb is killed before each of its SQL statements in turn.
"""

import json
import os
import random
import shutil
import signal
import sys
import time

import apsw

from clew import Clew, Draft
from clew.model import STATUSES

LONGEST = 0.02  # seconds a child lives at most
POPULATION = 120
EVERY = 50  # rounds between two full examinations


def opened(path):
    """A Clew as short processes open it."""
    return Clew(path, project="trip", embed="hashing", long_lived=False)


def state(clew):
    """{project/summary: [status, detail]} of all there is."""
    everything = clew.list(project="*", statuses=STATUSES, limit=100_000)
    return {f"{m.project}/{m.summary}": [m.status, m.detail] for m in everything}


def sound(clew):
    """What an examination finds wrong, and texts that recall does not find, once a rebuild that was cut short has gone on."""
    if any("half rebuilt" in sentence for sentence in clew.notes()):
        clew.reindex()
    lost = [key for key, (status, _) in state(clew).items() if status == "active" and not found(clew, *key.split("/", 1))]
    return clew.doctor() + lost


def found(clew, project, summary):
    """Whether recall answers a memory's own text with it."""
    return any(hit.memory.summary == summary for hit in clew.recall(summary, project=project, limit=50))


def applied(before, step):
    """The state after a step: the model that the store is held against."""
    verb, names = step
    after = dict(before)
    if verb in ("remember", "import"):
        after |= {f"trip/{name}": ["active", ""] for name in names}
    elif verb == "aside":
        after |= {f"{names[0]}/{name}": ["active", ""] for name in names}
    elif verb == "edit":
        after[f"trip/{names[0]}"] = ["active", names[1]]
    elif verb == "supersede":
        after[f"trip/{names[0]}"] = ["superseded", after[f"trip/{names[0]}"][1]]
    elif verb == "forget":
        after = {key: value for key, value in after.items() if key not in {f"trip/{name}" for name in names}}
    elif verb == "merge":
        after = {key.replace(f"{names[0]}/", "trip/", 1): value for key, value in after.items()}
    return after


def done_by(clew, step, numbers):
    """Do a step for real."""
    verb, names = step
    if verb == "remember":
        clew.remember_many([Draft(name) for name in names])
    elif verb == "import":
        clew.import_jsonl({"summary": name} for name in names)
    elif verb == "aside":
        clew.remember_many([Draft(name) for name in names], project=names[0])
    elif verb == "edit":
        clew.edit(numbers[names[0]], detail=names[1])
    elif verb == "supersede":
        clew.supersede(numbers[names[0]], numbers[names[1]], reason="newer")
    elif verb == "forget":
        clew.forget(*[numbers[name] for name in names])
    elif verb == "merge":
        clew.project_merge(names[0], into="trip")
    elif verb == "reindex":
        clew.reindex()


def chosen(rng, known, label):
    """Some step that can be done where `known` is what there is."""
    here = [key[5:] for key, (status, _) in known.items() if key.startswith("trip/") and status == "active"]
    aside = sorted({key.partition("/")[0] for key in known} - {"trip"})
    if len(known) > POPULATION:
        return "forget", rng.sample([key[5:] for key in known if key.startswith("trip/")], 40)
    verb = rng.choice(["remember", "remember", "remember", "import", "aside", "edit", "supersede", "forget", "merge", "reindex"])
    if verb in ("remember", "import", "aside"):
        return verb, [f"{verb} {label} {i} of the service" for i in range(rng.choice([1, 1, 6]))]
    if verb == "merge" and aside:
        return verb, [rng.choice(aside)]
    if verb == "edit" and here:
        return verb, [rng.choice(here), f"edited at {label}"]
    if verb == "supersede" and len(here) > 1:
        return verb, rng.sample(here, 2)
    if verb == "forget" and here:
        return verb, rng.sample(here, min(2, len(here)))
    return "reindex", []


def forked(work):
    """(pid, file to read from) of a child that runs work(say)."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, os.fdopen(reading, "rb")
    code = 1
    try:
        os.close(reading)
        work(lambda *words: os.write(writing, json.dumps(words).encode() + b"\n"))
        code = 0
    finally:
        if code:
            os.write(writing, json.dumps(["error", repr(sys.exc_info()[1])]).encode() + b"\n")
        os._exit(code)


def heard(child, pipe):
    """Every whole line a child said until it ended, and how it ended."""
    lines = [json.loads(line) for line in pipe.read().splitlines(keepends=True) if line.endswith(b"\n")]
    pipe.close()
    return lines, os.waitpid(child, 0)[1]


def rounds(path, count, seed):
    """Kill `count` children; a sentence for the first thing that is not as it must be."""
    rng = random.Random(seed)
    expected, begun, kills = {}, None, 0
    for number in range(count):

        def work(say, number=number, expected=expected, begun=begun):
            own = random.Random(seed * 1_000_003 + number)
            with opened(path) as clew:
                known = state(clew)
                say("found", known)
                for i in range(1_000):
                    numbers = {m.summary: m.id for m in clew.list(project="*", statuses=STATUSES, limit=100_000)}
                    step = chosen(own, known, f"{number}.{i}")
                    say("begun", step)
                    done_by(clew, step, numbers)
                    known = applied(known, step)
                    say("done", step)

        child, pipe = forked(work)
        time.sleep(rng.random() * LONGEST)
        os.kill(child, signal.SIGKILL)
        lines, status = heard(child, pipe)
        kills += os.WIFSIGNALED(status)
        for word, value in lines:
            if word == "error":
                return f"round {number}: {value}"
            if word == "found":
                if value not in ([expected] if begun is None else [expected, applied(expected, begun)]):
                    return f"round {number}: lost or half done: {difference(expected, value)} after {begun}"
                expected, begun = value, None
            elif word == "begun":
                begun = value
            else:
                expected, begun = applied(expected, value), None
        if number % EVERY == EVERY - 1 or number == count - 1:
            lines, _ = heard(*forked(lambda say: say("sound", sound(opened(path)))))
            if lines != [["sound", []]]:
                return f"round {number}: {lines}"
    return f"sound after {kills} kills, {len(expected)} memories"


def difference(before, after):
    """What two states do not share."""
    return {key: (before.get(key), after.get(key)) for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


def points(path, step, scratch):
    """Kill a step before each of its statements in turn, on a fresh copy each time; (what is wrong, how many kills)."""
    with opened(path) as clew:
        before = state(clew)
    after = applied(before, step)
    for at in range(10_000):
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)
        copy = os.path.join(scratch, "memory.db")
        shutil.copy(path, copy)

        def work(say, at=at, copy=copy):
            with opened(copy) as clew:
                numbers = {m.summary: m.id for m in clew.list(project="*", limit=100_000)}
                die_before(clew._store._db, at)
                done_by(clew, step, numbers)
                clew._store._db.exec_trace = None
                say("finished")

        lines, status = heard(*forked(work))
        with opened(copy) as clew:
            now = state(clew)
            wrong = sound(clew)
        if lines and lines[0][0] == "error":
            return lines, at
        if now not in (before, after) or wrong:
            return [difference(before, now), wrong], at
        if not os.WIFSIGNALED(status):
            return ([] if now == after else ["the whole step changed nothing"]), at
    return ["never finished"], at


def die_before(db: apsw.Connection, at):
    """Let this process be killed before the statement of this number."""
    left = [at]

    def trace(cursor, sql, bindings):
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return True

    db.exec_trace = trace


if __name__ == "__main__":
    if sys.argv[1] == "rounds":
        answer = rounds(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        answer = points(sys.argv[2], json.loads(sys.argv[3]), sys.argv[4])
    sys.stdout.write(json.dumps(answer))
