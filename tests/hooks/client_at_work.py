"""The hooks' front door as a client uses it: a process of its own for every event, a payload in, an answer out, an exit code."""

import json
import os
import time
import traceback
from pathlib import Path
from typing import NamedTuple

from clew import Clew
from clew.hooks import front
from clew.service.opening import Opened

PAYLOADS = Path(__file__).parents[1] / "surfaces" / "payloads"


class Answer(NamedTuple):
    """What a hook did: its exit code, what it printed, and how long it took in seconds."""

    code: int
    out: bytes
    err: bytes
    seconds: float

    @property
    def text(self):
        """The text put before the agent, "" for silence; fails on an answer of another form than the client reads."""
        if not self.out:
            return ""
        reply = json.loads(self.out)
        assert list(reply) == ["hookSpecificOutput"]
        assert sorted(reply["hookSpecificOutput"]) == ["additionalContext", "hookEventName"]
        return reply["hookSpecificOutput"]["additionalContext"]

    @property
    def refusal(self):
        """Why the tool is not to run, "" when it may; fails on an answer of another form than the client reads."""
        if not self.out:
            return ""
        answer = json.loads(self.out)["hookSpecificOutput"]
        assert sorted(answer) == ["hookEventName", "permissionDecision", "permissionDecisionReason"]
        assert (answer["hookEventName"], answer["permissionDecision"]) == ("PreToolUse", "deny")
        return answer["permissionDecisionReason"]


def forked(argv, stdin, env=None, ahead=0.0):
    """`clew hook argv…` in a child of this process, which has imported everything already and is ready at once.

    Its clock is `ahead` seconds before ours: an agent needs seconds between two calls, and no test waits for them.
    """
    ends = [os.pipe() for _ in range(3)]
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            for n, (reading, writing) in enumerate(ends):
                os.dup2(reading if n == 0 else writing, n)
            os.closerange(3, 64)
            os.environ.update(env or {})
            Opened.__init__.__kwdefaults__["clock"] = lambda: time.time() + ahead
            os._exit(front.main(argv))
        except BaseException:  # noqa: BLE001  # a child must not run the rest of its parent's tests
            os.write(2, traceback.format_exc().encode())
            os._exit(70)
    for n, (reading, writing) in enumerate(ends):
        os.close(reading if n == 0 else writing)
    try:
        rest = memoryview(stdin)
        while rest:
            rest = rest[os.write(ends[0][1], rest) :]
    except BrokenPipeError:
        pass
    os.close(ends[0][1])
    out, err = (b"".join(iter(lambda end=end: os.read(end, 1 << 16), b"")) for end in (ends[1][0], ends[2][0]))
    os.close(ends[1][0])
    os.close(ends[2][0])
    return Answer(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), out, err, time.monotonic() - began)


class Client:
    """An agent program in a folder: `client("UserPromptSubmit", prompt="…")` fires one event of one session."""

    def __init__(self, folder, session="s1"):
        self.folder, self.session, self.ahead = folder, session, 0.0

    def __call__(self, event, *, env=None, client="claude", **fields):
        payload = {"session_id": self.session, "cwd": str(self.folder), "hook_event_name": event, **fields}
        return forked([client, event], json.dumps(payload).encode(), env, self.ahead)

    def clew(self, **how):
        """The store as the hooks see it."""
        return Clew(root=str(self.folder), long_lived=False, **{"clock": lambda: time.time() + self.ahead, **how})

    def log(self):
        """What the log holds of this project, oldest first, once the spool is taken in."""
        with self.clew() as clew:
            clew.take_in()
            return [
                (line["event"], line["text"]) for line in reversed(clew._store.read_log(clew.project().id, limit=1_000)) if line["session"]
            ]


def payload(name, client="claude"):
    """A recorded payload by its file's name."""
    return json.loads((PAYLOADS / client / f"{name}.json").read_text("utf-8"))


PAYLOAD_NAMES = sorted(path.stem for path in (PAYLOADS / "claude").glob("*.json"))
