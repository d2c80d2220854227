"""Claude Code, driven through a session's life: does what was decided reach the model each time its window is new?"""

from __future__ import annotations

import json

from scripts.clients.mock_model import Model
from scripts.clients.sandbox import Check, Sandbox

DECISION = "We chose SQLite over Postgres because one file is easy to back up"
HIDDEN = "The invoice numbers are drawn from the sequence kumquat"
LATER = "The cart service answers on port 7431"
LATEST = "The mailer waits ten seconds before it tries again"
RECALL = '⟦call mcp__clew__recall {"question": "database choice"}⟧'
FAILING = '⟦call Bash {"command": "false", "description": "a command that fails"}⟧'
CART = "class Cart:\n    def total(self):\n        return 3\n"
CHECK = "echo 'E   AssertionError: total is 3, not 4'\nexit 1\n"
WORK = "make the total of the cart four, and leave the shop alone"
TRY = '⟦call Bash {"command": "sh check.sh", "description": "run the test"}⟧'
REFUSED, WARNED = "this very approach failed 3 times", "the same approach failed 3 times"
FAILURE = "(3 times): E AssertionError: total is 3"
RECORDS = "×3, sh check.sh (run, exit 1)"  # one line for three that say the same
FULL = 100_000  # tokens at which the client is told to compact
LOUD = "2026-11-30T10:50:20Z ERROR db: connection refused"
FILLERS = 60  # memories newer than HIDDEN, so that the opening pack has no room for it


def drive(box: Sandbox, model: Model) -> list[Check]:
    """Every check of this client, in the order of a session's life."""
    config = box.home / ".claude"
    config.mkdir()
    (config / "settings.json").write_text(json.dumps({"permissions": {"allow": ["mcp__clew", "Bash"]}}))
    box.env |= {
        "CLAUDE_CONFIG_DIR": str(config), "ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "no-key", "IS_SANDBOX": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
    }  # fmt: skip
    box.memory("remember", HIDDEN, "--kind", "fact")
    lines = [{"summary": f"Fact number {n} about the parser of module {n}", "kind": "fact"} for n in range(FILLERS)]
    box.run([box.clew, "import", "jsonl", "-"], stdin="\n".join(map(json.dumps, lines)) + "\n")
    box.memory("remember", DECISION, "--kind", "decision")
    box.memory("setup", "claude")
    session, first = _ask(box, model, "how are invoice numbers made?")
    _, called = _ask(box, model, "--resume", session, f"go on {RECALL} {FAILING}")
    checks = [*_first_window(model, first, called), *_later_windows(box, model, session, called[-1].count(DECISION))]
    return [*checks, *_work(box, model), *_full_window(box, model), *_long_output(box, model), *_kept(box)]


def _ask(box: Sandbox, model: Model, *words: str, stdin: str = "") -> tuple[str, list[str]]:
    """(the session's id, the requests of the turn as the model saw them)."""
    before = len(model.requests)
    command = [box.binary("@anthropic-ai/claude-code-*/claude*"), "-p", "--model", "claude-sonnet-4-5", "--output-format", "json"]
    done = box.run([*command, *words], stdin=stdin)
    try:
        session = json.loads(done.stdout.strip().splitlines()[-1]).get("session_id", "")
    except (ValueError, IndexError):
        session = ""
    return session, [request.text for request in model.since(before)] or [f"no request: {done.stdout[-300:]} {done.stderr[-300:]}"]


def _first_window(model: Model, first: list[str], called: list[str]) -> list[Check]:
    tools = next((request.tools for request in model.requests if request.tools), ())
    return [
        Check("session start: the decision is in the first request", DECISION in first[0], first[0][-300:]),
        Check("prompt: the memory asked about rides with it", HIDDEN in first[0], first[0][-300:]),
        Check("MCP: the tools are offered in the first request", "mcp__clew__recall" in tools, " ".join(tools)),
        Check(
            "MCP: recall returns the decision", len(called) > 1 and called[1].count(DECISION) > called[0].count(DECISION), called[-1][-300:]
        ),
    ]


def _later_windows(box: Sandbox, model: Model, session: str, said: int) -> list[Check]:
    box.memory("remember", LATER, "--kind", "decision")
    _, resumed = _ask(box, model, "--resume", session, "thanks")
    _, _ = _ask(box, model, "--resume", session, "/compact keep the plan")
    _, compacted = _ask(box, model, "--resume", session, "tell me about zebras")
    box.memory("remember", LATEST, "--kind", "decision")
    other, forked = _ask(box, model, "--resume", session, "--fork-session", "what about giraffes?")
    lines = [{"type": "user", "message": {"role": "user", "content": text}} for text in ("/clear", "what now?")]
    streamed = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--resume", session)
    _, cleared = _ask(box, model, *streamed, stdin="".join(json.dumps(line) + "\n" for line in lines))
    return [
        Check("resume: what is new since is there", LATER in resumed[-1], resumed[-1][-300:]),
        Check("resume: what the session knows is not said twice", resumed[-1].count(DECISION) == said, resumed[-1][-300:]),
        Check("compact: the decision is there again", DECISION in compacted[-1] and "summed up" in compacted[-1], compacted[-1][-300:]),
        Check(
            "fork: the new session is told what is known",
            other != session and LATEST in forked[-1] and "zebras" in forked[-1],
            forked[-1][-300:],
        ),
        Check("clear: the decision is there again", DECISION in cleared[-1] and "zebras" not in cleared[-1], cleared[-1][-300:]),
    ]


def _work(box: Sandbox, model: Model) -> list[Check]:
    """A session that reads a file, fails at the same thing again and again, and loses its window."""
    (box.project / "cart.py").write_text(CART)
    (box.project / "check.sh").write_text(CHECK)
    read = f'⟦call Read {{"file_path": "{box.project / "cart.py"}"}}⟧'
    session, tried = _ask(box, model, f"{WORK} {read} {TRY} {TRY} {TRY} {TRY}")
    (box.project / "cart.py").write_text(CART + "# four\n")
    _ask(box, model, "--resume", session, "/compact")
    _, carried = _ask(box, model, "--resume", session, "go on")
    return [
        Check(
            "a failure met three times: the warning is in the next request", len(tried) > 4 and WARNED in tried[4], str(tried[4:5])[-900:]
        ),
        Check(
            "the fourth identical try is refused, and the model is told why, with the three records",
            REFUSED in tried[-1] and RECORDS in tried[-1],
            tried[-1].rpartition("tool_result")[2][:900],
        ),
        Check("compact: the last request is carried over word for word", f"> {WORK}" in carried[-1], carried[-1][-900:]),
        Check(
            "compact: the file read before is carried over, with what is known of it",
            "cart.py" in carried[-1] and "defines Cart" in carried[-1],
            carried[-1][-900:],
        ),
        Check(
            "compact: a file that changed since it was read is marked", "cart.py (changed since read)" in carried[-1], carried[-1][-900:]
        ),
        Check("compact: what the open goal failed with is carried over", FAILURE in carried[-1], carried[-1][-900:]),
    ]


def _full_window(box: Sandbox, model: Model) -> list[Check]:
    """A window that the client compacts by itself, in the middle of a turn."""
    read = f'⟦call Read {{"file_path": "{box.project / "cart.py"}"}}⟧'
    box.env["CLAUDE_CODE_AUTO_COMPACT_WINDOW"] = str(FULL)
    _, seen = _ask(box, model, f"{WORK} ⟦cost {FULL}⟧ {read} {read} {read}")
    del box.env["CLAUDE_CODE_AUTO_COMPACT_WINDOW"]
    carried = [text for text in seen if "window was compacted" in text]
    last = carried[-1] if carried else seen[-1]
    return [
        Check(
            "compaction by the client itself: the carry-over is in the next request",
            f"> {WORK}" in last and "- file cart.py" in last,
            last[-900:],
        )
    ]


def _long_output(box: Sandbox, model: Model) -> list[Check]:
    """A command that prints far more than a window wants, without and with leave to compile it."""
    steps = [f"2026-11-30T10:{n // 60:02}:{n % 60:02}Z INFO worker-{n % 3} fetched batch {n} in {n % 90}ms\n" for n in range(3_000)]
    (box.project / "build.log").write_text("".join([*steps, LOUD, "\n"]))
    look = 'look at it ⟦call Bash {"command": "cat build.log", "description": "read the log"}⟧'
    _, whole = _ask(box, model, look)
    box.env["CLEW_COMPILE_OUTPUT"] = "800"
    _, compiled = _ask(box, model, look)
    del box.env["CLEW_COMPILE_OUTPUT"]
    return [
        Check("the skills are offered", "clew-memory" in whole[0] and "clew-compile" in whole[0], whole[0][-300:]),
        Check("long output: left to the client unless it is asked for", "clew compiled" not in whole[-1], whole[-1][-900:]),
        Check(
            "long output, asked for: the model sees the failure at its end, and the handle of all of it",
            LOUD in compiled[-1] and "clew sources show src:" in compiled[-1],
            compiled[-1][-900:],
        ),
    ]


def _kept(box: Sandbox) -> list[Check]:
    status = json.loads(box.memory("status", "--json"))
    return [Check("no hook had trouble", not status["notes"], str(status["notes"]))]
