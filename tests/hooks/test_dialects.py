"""What Claude Code says, in our words: tools with what they were given and what they answered, compaction, and nothing of what is wrong."""

import pytest
from client_at_work import payload

from clew.hooks.dialects import answered, event_of


def event(name, **changes):
    found = payload(name)
    return event_of("claude", found["hook_event_name"], {**found, **changes}, {})


def test_a_command_comes_with_what_it_answered_and_what_it_was_given():
    heard = event("PostToolUse.Bash")
    assert (heard.kind, heard.tool, heard.target, heard.text, heard.failed) == ("tool", "Bash", "make test", "3 passed", False)
    assert heard.given == {"command": "make test", "description": "run the tests"}


def test_a_read_comes_with_its_file_and_the_files_text():
    found = payload("PostToolUse.Read")
    heard = event("PostToolUse.Read")
    assert heard.path == found["tool_input"]["file_path"]
    assert heard.text == found["tool_response"]["file"]["content"]


def test_a_failure_comes_with_its_error_and_whether_the_user_stopped_it():
    heard = event("PostToolUseFailure")
    assert heard.failed
    assert heard.text == payload("PostToolUseFailure")["error"]
    assert not heard.interrupted
    assert event("PostToolUseFailure", is_interrupt=True).interrupted
    assert event("PostToolUse.Bash", tool_response={"stdout": "", "interrupted": True}).interrupted


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ("Exit code 2\nboom", 2),
        ("Exit code 127", 127),
        ("Exit code x", None),
        ("Exit code " + "9" * 50, None),
        ("String to replace not found", None),
    ],
)
def test_a_failed_command_leads_with_its_status(error, status):
    assert event("PostToolUseFailure", error=error).exit == status


def test_a_command_that_came_back_is_over_with_0_and_other_tools_have_no_status():
    assert event("PostToolUse.Bash").exit == 0
    assert event("PostToolUse.Read").exit is None


def test_a_call_that_is_about_to_run_comes_without_an_answer():
    heard = event("PreToolUse.Bash")
    assert (heard.kind, heard.tool, heard.target, heard.text) == ("before_tool", "Bash", "make test", "")


def test_what_a_subagents_tools_do_is_a_session_of_its_own():
    main = event("PostToolUse.Bash")
    assert event("PostToolUse.Bash", agent_id="a77").session == f"{main.session}/agent:a77"
    assert event("PreToolUse.Bash", agent_id="a77").session == event("PostToolUse.Bash", agent_id="a77").session
    assert event("Stop", agent_id="a77").session == main.session
    assert event("PostToolUse.Bash", agent_id=7).session == main.session


@pytest.mark.parametrize("how", ["auto", "manual"])
def test_compaction_says_who_asked_for_it(how):
    heard = event(f"PreCompact.{how}")
    assert (heard.kind, heard.source) == ("compact", how)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("plain", "plain"),
        ({"stdout": "out", "stderr": "err", "interrupted": False}, "out\nerr"),
        ({"type": "text", "file": {"filePath": "/a", "content": "x = 1\n"}}, "x = 1\n"),
        ({"mode": "files_with_matches", "filenames": ["a.py", "b.py"], "numFiles": 2}, "a.py\nb.py"),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
        ({"content": [{"type": "text", "text": "deep"}]}, "deep"),
        ({"type": "image", "file": {"base64": "AAAA"}}, ""),
        (None, ""),
        (3, ""),
        ({"stdout": None, "stderr": 4}, ""),
        ([[[[[["too deep"]]]]]], ""),
    ],
)
def test_the_text_of_an_answer_is_found_in_every_form_a_tool_has(answer, text):
    assert answered(answer) == text


@pytest.mark.parametrize("given", [None, 3, "x", [], {"file_path": 4}, {"command": None}])
def test_a_tool_that_was_given_something_odd_is_heard_without_it(given):
    heard = event("PostToolUse.Bash", tool_input=given)
    assert (heard.target, heard.path) == ("", "")
    assert isinstance(heard.given, dict)
