"""The loop in this process over real pipes: lines of every size, waiting for roots, who reads slowly."""

import json
import os
import threading

import pytest

from clew.mcp.protocol import Protocol
from clew.mcp.server import Lines, main, serve


class Pipe:
    """A pipe whose reading end is given to Lines."""

    def __init__(self):
        self.out, self.into = os.pipe()

    def write(self, data):
        os.write(self.into, data)

    def end(self):
        os.close(self.into)


@pytest.fixture
def pipe():
    made = Pipe()
    yield made
    os.close(made.out)


def all_lines(lines):
    found = []
    while lines.next():
        found.append(lines.line)
    return found


def fed(pipe, data):
    """Write from a thread: more than a pipe holds."""

    def feed():
        view = memoryview(data)
        while view:
            view = view[os.write(pipe.into, view) :]
        pipe.end()

    thread = threading.Thread(target=feed)
    thread.start()
    return thread


def test_lines_come_as_they_were_sent_and_the_last_needs_no_end(pipe):
    pipe.write(b"one\n\ntwo\r\nthr")
    pipe.write(b"ee")
    pipe.end()
    assert all_lines(Lines(pipe.out)) == [b"one", b"", b"two\r", b"three"]


@pytest.mark.parametrize("size", [10, 11, 200_000])
def test_a_line_over_the_bound_is_skipped_to_its_end(pipe, size):
    thread = fed(pipe, b"a" * size + b"\nnext\n" + b"b" * size)
    long = b"a" * size if size <= 10 else None
    assert all_lines(Lines(pipe.out, 10)) == [long, b"next", long and b"b" * size]
    thread.join()


def test_an_end_without_a_line_is_the_end(pipe):
    pipe.end()
    assert all_lines(Lines(pipe.out)) == []


def test_ready_knows_what_has_arrived(pipe):
    lines = Lines(pipe.out)
    assert lines.ready(0) is False
    pipe.write(b"one\ntwo\n")
    assert lines.ready(0) is True
    assert lines.next()
    assert lines.ready(0) is True  # the second is here already
    assert lines.next()
    assert lines.ready(0) is False
    pipe.end()
    assert lines.ready(0) is True


def test_a_client_that_never_names_its_roots_is_answered_all_the_same(pipe):
    sent = []

    def call(tool, arguments, client, root):
        pipe.end()
        return {"root": root}

    protocol = Protocol(call, tools=[{"name": "recall"}], instructions="", server={})
    messages = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {"roots": {}}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "recall"}},
    ]
    pipe.write(b"".join(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in messages))
    serve(protocol, Impatient(pipe.out), sent.append)
    assert [json.loads(line)["id"] for line in sent] == [1, 1, 2]
    assert json.loads(sent[-1])["result"] == {"root": None}


class Impatient(Lines):
    """Lines that wait for nobody."""

    def ready(self, seconds):
        return super().ready(0)


def test_help_and_unknown_words_are_answered_without_serving(capsys):
    assert main(["--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: clew mcp")
    assert main(["--port", "3"]) == 2
    assert capsys.readouterr().err.startswith("usage: clew mcp")
