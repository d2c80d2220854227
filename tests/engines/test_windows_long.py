"""One long session of an agent, by lot: nothing is put before it twice in one window unless it changed, and its window stays whole."""

import random
import re

import pytest

from clew.engines import windows
from clew.model import Event
from clew.rules import working_set as rules

SUBJECTS = ("parser", "cache", "invoice", "login", "search", "mailer", "backup", "report")
STEPS = 300
SHOWN = re.compile(r"^- #(\d+) ", re.M)


class Agent:
    """Does something at random and keeps what it was shown in this window, in the state it was shown in."""

    def __init__(self, clew, clock, folder, seed):
        self.clew, self.clock, self.folder, self.lot = clew, clock, folder, random.Random(seed)
        self.seen, self.count, self.twice, self.shown = {}, 0, [], 0
        self.notes = []

    def fire(self, kind, **fields):
        self.count += 1
        self.clock.at += self.lot.choice([3, 3, 20, 90, 4_000])
        text = self.clew.capture(Event(kind, "claude-code", "s1", id=str(self.count), **fields)).text
        if self.lot.random() < 0.5:
            self.clew.take_in()
        for number in map(int, SHOWN.findall(text)):
            state = self.clew.show(number).updated_at
            self.shown += 1
            if self.seen.get(number) == state:
                self.twice.append((self.count, kind, number))
            self.seen[number] = state

    def step(self):
        about = self.lot.choice(SUBJECTS)
        what = self.lot.choices(
            ["prompt", "read", "write", "run", "remember", "edit", "compact", "resume", "clear", "recall"], (9, 8, 3, 6, 4, 2, 1, 1, 1, 2)
        )[0]
        path = self.folder / f"{about}.py"
        whole = str(path)
        if what == "prompt":
            self.fire("prompt", text=f"how does the {about} number {self.lot.randrange(5)} keep its entries, and why?")
        elif what == "read":
            self.fire("tool", tool="Read", target=whole, path=whole, given={"file_path": whole}, text=path.read_text())
        elif what == "write":
            path.write_text(f"def {about}_{self.count}(): pass\n" * self.lot.randrange(1, 400))
            self.fire("tool", tool="Write", target=whole, path=whole, given={"file_path": whole}, text="")
        elif what == "run":
            command, bad = f"make {about}", self.lot.random() < 0.4
            self.fire("tool", tool="Bash", target=command, given={"command": command}, text=f"{about}\n", exit=int(bad), failed=bad)
        elif what == "remember":
            kind = self.lot.choice(["decision", "fact", "procedure"])
            text = f"The {about} number {len(self.notes)} keeps {self.count} entries"
            self.notes.append(self.clew.remember(text, kind=kind).memory.id)
        elif what == "edit" and self.notes:
            self.clew.edit(self.lot.choice(self.notes), summary=f"The {about} keeps {self.count} entries now")
        elif what == "recall":
            self.clew.recall(f"{about} entries")
        elif what == "compact":
            self.fire("compact", source="auto")
            self.seen = {}
            self.fire("session_start", source="compact")
        elif what == "clear":
            self.seen = {}
            self.fire("session_start", source="clear")
        else:
            self.fire("session_start", source="resume")


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_injected_twice_in_one_window_unless_it_changed(clew, clock, tmp_path, seed):
    for subject in SUBJECTS:
        (tmp_path / f"{subject}.py").write_text(f"def {subject}(): pass\n")
    agent = Agent(clew, clock, tmp_path, seed)
    agent.fire("session_start", source="startup")
    for _ in range(STEPS):
        agent.step()
    clew.take_in()
    assert agent.twice == []
    assert agent.shown > 30, "something was shown"
    window = windows.of(clew._store, "s1")
    assert not window.residents.keys() & window.stubs.keys()
    assert set(window.lines) <= window.stubs.keys()
    assert rules.used(window) > 0
    assert clew.notes() == []
