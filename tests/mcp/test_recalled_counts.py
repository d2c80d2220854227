"""What a tool's recall brings counts as used, once the store is next written; in Claude Code its session's window has it then."""

import pytest

from clew import Clew
from clew.mcp.calls import Desk
from clew.model import Event

TABS = "Use tabs for indentation"


@pytest.fixture
def place(tmp_path):
    """A Clew on a store of its own, and a desk over the same store."""
    env = {"CLEW_DB": str(tmp_path / "memory.db"), "CLEW_PROJECT": "p", "CLEW_EMBED": "hashing"}
    desk = Desk(lambda root, origin: Clew(origin=origin, env=env, long_lived=False))
    with Clew(env=env, long_lived=False) as clew:
        yield clew, desk
    desk.close()


def test_what_recall_answers_with_is_marked_used(place):
    clew, desk = place
    kept = clew.remember(TABS).memory
    answer = desk.call("recall", {"question": "tabs for indentation"}, "claude-code", None)
    assert [m["id"] for m in answer["structuredContent"]["memories"]] == [kept.id]
    assert clew.show(kept.id).strength.uses == 0
    clew.take_in()
    assert clew.show(kept.id).strength.uses == 1


def test_the_window_of_the_session_that_asked_has_what_recall_brought(place, monkeypatch):
    clew, desk = place
    clew.remember(TABS)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s1")
    desk.call("recall", {"question": "tabs for indentation"}, "claude-code", None)
    clew.take_in()
    assert clew.working_set(session="s1")["residents"] == {"fact": 1}


def test_another_program_started_in_that_session_s_shell_is_not_taken_for_it(place, monkeypatch):
    clew, desk = place
    clew.remember(TABS)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s1")
    desk.call("recall", {"question": "tabs for indentation"}, "codex-mcp-client", None)
    assert clew.take_in() == 1
    assert clew.working_set(session="s1") is None


def test_what_a_pack_has_shown_is_not_shown_again_because_the_session_asked_for_it_too(place):
    clew, _ = place
    kept = clew.remember(TABS).memory
    clew.take_in()
    ask = "which tabs for indentation?"
    assert kept.id in clew.capture(Event("prompt", "claude-code", "s1", text=ask)).ids
    clew.used(kept.id, session="s1")
    assert clew.prompt_pack(ask, session="s1").ids == ()
    clew.take_in()
    assert clew.prompt_pack(ask, session="s1").ids == ()
