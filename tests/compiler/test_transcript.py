"""Transcripts of every client give the same fragments for the same session; whatever else they hold, the limits and the words are kept."""

import json
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.compiler import transcript_fragments
from clew.compiler.request import parse_request
from clew.compiler.transcript import fragments_of
from clew.limits import FRAGMENT_BYTES, FRAGMENTS

SAMPLES = Path(__file__).parent / "transcripts"
CLIENTS = ["claude.jsonl", "codex.jsonl", "gemini.json", "gemini.jsonl", "opencode.json", "qwen.jsonl", "roles.jsonl"]
ASKED = "The checkout test fails. Never touch the payment table."
PATH = "/home/dev/shop/src/cart.js"
GIF = b64encode(b"GIF89a" + bytes(20)).decode()


def sample(name):
    return fragments_of((SAMPLES / name).read_text("utf-8"))


def lines(rows):
    return "\n".join(json.dumps(row) for row in rows)


def claude(role, content, **more):
    return {"type": role, "uuid": "u", "message": {"role": role, "content": content}, **more}


def result(content, key="t"):
    return claude("user", [{"type": "tool_result", "tool_use_id": key, "content": content}])


def call(name, arguments, key="t"):
    return claude("assistant", [{"type": "tool_use", "id": key, "name": name, "input": arguments}])


@pytest.mark.parametrize("name", CLIENTS)
def test_every_client_tells_the_same_session(name):
    found = sample(name)
    seen = [f for f in found if not (f["metadata"]["role"] == "assistant" and "tool" in f["metadata"])]
    assert [f["kind"] for f in seen] == ["text", "text", "code", "log", "screenshot", "text", "text"]
    assert [f["metadata"]["turn"] for f in seen] == [1, 1, 1, 1, 1, 2, 2]
    assert [f["metadata"]["role"] for f in seen] == ["user", "assistant", "tool", "tool", "tool", "user", "assistant"]
    assert [f.get("path") for f in seen] == [None, None, PATH, None, None, None, None]
    assert seen[0]["content"] == ASKED
    assert seen[2]["content"].startswith("export const LIMIT = 30;\n")
    assert seen[3]["content"].endswith("ERROR checkout: expected 402, got 500\n")
    assert seen[3]["metadata"]["command"] == "npm test"
    assert seen[4]["metadata"]["target"] == "http://localhost:3000/cart"
    assert seen[4]["media"]["mime"] == "image/png"


@pytest.mark.parametrize("name", CLIENTS)
def test_every_call_is_there_with_its_arguments(name):
    calls = [f for f in sample(name) if f["metadata"]["role"] == "assistant" and "tool" in f["metadata"]]
    assert len(calls) == 3
    assert PATH in calls[0]["content"] and "npm test" in calls[1]["content"] and "localhost:3000" in calls[2]["content"]


@pytest.mark.parametrize("name", [path.name for path in sorted(SAMPLES.iterdir())])
def test_what_a_transcript_gives_is_a_valid_request(name):
    found = sample(name)
    assert len(parse_request({"query": "q", "token_budget": 100, "fragments": found}).fragments) == len(found) >= 5
    said = " ".join(f["content"] for f in found)
    assert "from a hook" not in said and "subagent" not in said and "not said by the user" not in said and "plugin" not in said


def test_event_lines_of_opencode_are_read():
    assert [f["kind"] for f in sample("opencode-events.jsonl")] == ["text", "text", "code", "text", "log", "text", "screenshot", "text"]


def test_plain_text_is_cut_at_its_speakers():
    found = sample("plain.txt")
    roles = [(f["metadata"]["role"], f["metadata"]["turn"], f["kind"]) for f in found]
    assert roles == [("user", 1, "text"), ("assistant", 1, "text"), ("tool", 1, "log"), ("user", 2, "text"), ("assistant", 2, "text")]
    assert found[-1]["content"] == "Changed the status to 402; the test passes."


@pytest.mark.parametrize("text", ["Only some prose.", "{ a brace begins it\nbut it is prose", "[1, 2]", '{"a": 1}', "nothing: to see"])
def test_what_is_no_transcript_is_one_text_of_the_user(text):
    assert fragments_of(text) == [{"content": text, "kind": "text", "metadata": {"turn": 1, "role": "user"}}]


@pytest.mark.parametrize("text", ["", " \n", "[]"])
def test_nothing_gives_nothing_but_its_own_text(text):
    assert [f["content"] for f in fragments_of(text)] == ([text] if text.strip() else [])


def test_the_cut_off_last_line_of_a_running_session_is_passed_over():
    text = lines([claude("user", ASKED), claude("assistant", [{"type": "text", "text": "Yes"}])]) + '\n{"type":"user","mess'
    assert [f["content"] for f in fragments_of(text)] == [ASKED, "Yes"]


def test_the_clients_own_summary_is_marked_as_one():
    found = fragments_of(lines([claude("user", "Earlier: …", isCompactSummary=True), claude("user", ASKED)]))
    assert [f["metadata"].get("summary") for f in found] == [True, None]


@pytest.mark.parametrize(
    ("name", "arguments", "content", "kind", "path", "part"),
    [
        ("Read", {"file_path": "/a/notes.md"}, "# Notes", "markdown", "/a/notes.md", None),
        ("Read", {"file_path": "/a/b.py", "offset": 40, "limit": 9}, "x = 1", "code", "/a/b.py", {"offset": 40, "limit": 9}),
        ("Edit", {"file_path": "/a/b.py", "old_string": "x"}, "The file has been updated.", "tool_result", None, None),
        ("Bash", {"command": "sed -n '10,20p' src/a.go"}, "func a() {}", "code", "src/a.go", ["sed", "-n", "'10,20p'"]),
        ("Bash", {"command": "cat a.log | grep x"}, "x", "tool_result", None, None),
        ("Bash", {"command": "git diff"}, "diff --git a/x b/x\n", "diff", None, None),
        ("shell", {"command": ["bash", "-lc", "cat package.json"]}, "{}", "json", "package.json", None),
        ("Grep", {"path": "/a", "pattern": "x"}, "/a/b.py:1:x", "tool_result", None, None),
    ],
)
def test_a_result_has_its_kind_its_path_and_its_range(name, arguments, content, kind, path, part):
    found = fragments_of(lines([claude("user", ASKED), call(name, arguments), result(content)]))[-1]
    assert (found["content"], found["kind"], found.get("path"), found["metadata"].get("range")) == (content, kind, path, part)


def test_the_same_page_shown_twice_has_one_target_and_a_pasted_image_none():
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": GIF}}
    shot = [call("browser_screenshot", {}), result([image])]
    found = [f for f in fragments_of(lines([claude("user", [image]), *shot, *shot])) if f["kind"] == "screenshot"]
    assert [f["metadata"].get("target") for f in found] == [None, "browser_screenshot", "browser_screenshot"]


def test_an_image_that_is_too_large_or_broken_leaves_a_line():
    broken = {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "?"}}
    large = {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "A" * ((4 << 20) + 4)}}
    found = fragments_of(lines([claude("user", [broken, large])]))
    assert [f["kind"] for f in found] == ["text", "text"]
    assert [f["content"].partition(": ")[2] for f in found] == ["not readable]", "larger than an attachment may be]"]


def test_a_result_over_the_limit_is_parted_and_nothing_is_lost():
    text = "".join(f"line {n} of the output\n" for n in range(90_000))
    found = [f for f in fragments_of(lines([call("Bash", {"command": "ls"}), result(text)])) if f["metadata"]["role"] == "tool"]
    assert len(found) == 3
    assert "".join(f["content"] for f in found) == text
    assert max(len(f["content"].encode()) for f in found) <= FRAGMENT_BYTES


def test_a_session_of_too_many_pieces_joins_the_oldest():
    rows = [claude("user", f"wish {n}") for n in range(FRAGMENTS + 500)]
    found = fragments_of(lines(rows))
    assert len(found) == FRAGMENTS
    assert "\n".join(f["content"] for f in found).split("\n") == [f"wish {n}" for n in range(FRAGMENTS + 500)]
    assert found[-1]["metadata"] == {"turn": FRAGMENTS + 500, "role": "user"}


def test_too_many_images_leave_a_line_that_counts_them(monkeypatch):
    monkeypatch.setattr(transcript_fragments, "FRAGMENTS", 3)
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": GIF}}
    found = fragments_of(lines([claude("user", [image] * 5)]))
    assert [f["content"] for f in found] == ["[3 earlier attachments left out]", "", ""]


def test_codex_without_items_is_read_from_its_events():
    rows = [{"type": "event_msg", "payload": {"type": kind, "message": kind}} for kind in ("user_message", "agent_message", "token_count")]
    assert [(f["content"], f["metadata"]["role"]) for f in fragments_of(lines(rows))] == [
        ("user_message", "user"),
        ("agent_message", "assistant"),
    ]


WORDS = ["user", "text", "tool_use", "tool_result", "response_item", "message", "function_call_output", "gemini", "tool", "image"]
KEYS = "type message role content parts part payload info state tool_use_id toolCalls result id name input source data $set output".split()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)


@given(st.lists(JSON, min_size=1, max_size=4))
def test_rows_of_any_shape_are_read_without_an_error(rows):
    for text in (lines(rows), json.dumps(rows), json.dumps({"messages": rows})):
        for fragment in fragments_of(text):
            assert fragment["content"] or "media" in fragment
        parse_request({"query": "", "token_budget": 1, "fragments": fragments_of(text)})


@given(st.text())
def test_any_text_is_read_without_an_error_and_none_of_its_words_is_lost(text):
    said = "".join(fragment["content"] for fragment in fragments_of(text))
    if "{" not in text and "[" not in text and ":" not in text:
        assert said == (text if text.strip() else "")


def test_json_deeper_than_the_reader_can_go_is_plain_text():
    text = "[" * 100_000
    assert fragments_of(text)[0]["content"] == text
