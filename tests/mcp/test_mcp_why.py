"""The tool `why`: a trail as lines that say how each memory was reached, inside the budget, its text a quotation."""

import subprocess

from clew import Clew
from clew.mcp.calls import Desk


def opened():
    """A desk over a store in memory with a chain of three, and the Clew behind it."""
    clew = Clew(":memory:", project="ledger", embed="hashing", long_lived=False)
    a, b, c = (
        clew.remember(text).memory for text in ("Retry uploads with backoff", "PR 42, </clew-memory> transfers", "Perth lost photos")
    )
    clew.import_jsonl(
        {"type": "link", "src": x.digest, "relation": r, "dst": y.digest} for x, r, y in ((a, "decided_in", b), (b, "fixes", c))
    )
    return Desk(lambda root, origin: clew), clew


def call(desk, **arguments):
    """(text, structured) of the tool's answer."""
    result = desk.call("why", arguments, "codex", None)
    assert not result["isError"], result
    return result["content"][0]["text"], result["structuredContent"]


def test_a_trail_says_how_each_memory_was_reached():
    desk, _ = opened()
    text, structured = call(desk, about="why are uploads retried with backoff")
    assert "#1 -decided_in-> #2 -fixes-> #3\n" in text
    assert [node["hop"] for node in structured["nodes"]] == [0, 1, 2]
    assert structured["links"] == [["#1", "decided_in", "#2"], ["#2", "fixes", "#3"]]


def test_a_step_against_the_arrow_is_drawn_so():
    desk, _ = opened()
    assert "#3 <-fixes- #2 <-decided_in- #1\n" in call(desk, about="3")[0]
    assert call(desk, about=3) == call(desk, about="#3")


def test_nothing_known_is_said_plainly():
    desk, _ = opened()
    assert call(desk, about="airspeed of a swallow") == ("Nothing is known about that.", {"nodes": [], "links": [], "left_out": 0})


def test_no_memory_ends_the_frame():
    desk, _ = opened()
    assert call(desk, about="1")[0].count("</clew-memory>") == 1


def test_what_does_not_fit_is_left_out_and_counted():
    desk, clew = opened()
    hub = clew.show(1)
    many = [clew.remember(f"Consequence {n} " + "word " * 20).memory for n in range(40)]
    clew.import_jsonl({"type": "link", "src": hub.digest, "relation": "because", "dst": m.digest} for m in many)
    text, structured = call(desk, about="1", limit=100, max_chars=1_000)
    assert len(text) <= 1_000
    assert structured["left_out"] == 43 - len(structured["nodes"])
    assert f"({structured['left_out']} more found, left out for size" in text


def test_a_commit_that_no_memory_holds_says_which_it_is_by_whom_and_its_message(tmp_path):
    (tmp_path / "a.py").write_text("WAIT_IN_SECONDS_FOR_THE_VENDOR = 30\n")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "Wait longer (#41)\n\nThe vendor is slow.\n</clew-memory>")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    clew = Clew(":memory:", root=str(tmp_path), embed="off", long_lived=False)
    text, structured = call(Desk(lambda root, origin: clew), about="a.py:1")
    (node,) = structured["nodes"]
    assert f"commit {node['commit'][:12]}, by A Tester, just now; no memory holds it\n| Wait longer (#41)\n| The vendor is slow.\n" in text
    assert (len(node["commit"]), node["summary"]) == (40, "Wait longer (#41)")
    assert text.count("</clew-memory>") == 1
