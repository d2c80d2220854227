"""The way out of a command's process: who collects what it let go of, and that all it said arrives, made safe."""

import gc
import re
import sys

import pytest

from clew.cli import options, render


@pytest.fixture
def collecting():
    yield
    gc.enable()


@pytest.mark.parametrize("bulk", [False, True])
def test_bulk_work_collects_what_it_lets_go_of(collecting, monkeypatch, tmp_path, bulk):
    monkeypatch.setenv("CLEW_DB", str(tmp_path / "memory.db"))
    gc.disable()
    options.opened("p", long_lived=bulk).close()
    assert gc.isenabled() is bulk


def test_all_that_was_said_arrives_before_the_process_ends(clew):
    for number in range(4):
        clew.ok("remember", f"the ledger has {number} columns", "-d", f"{number}" * 100_000)
    told = clew.ok("list", "--json")
    assert len(told.out) > 400_000  # more than a pipe or a buffer holds
    assert [len(memory["detail"]) for memory in told.json["memories"]] == [100_000] * 4


def test_whatever_no_terminal_should_be_sent_is_taken_out_wherever_it_stands():
    unsafe = re.findall(render._UNSAFE, "".join(map(chr, range(sys.maxunicode + 1))))
    assert len(unsafe) > 2_048
    assert {render.safe(f"a{char}b") for char in unsafe} == {"a\ufffdb"}
    assert all(char not in render.dumped(f"a{char}b") for char in unsafe)
    assert render.safe("tab\there\r\nline") == "tab\there\nline"
