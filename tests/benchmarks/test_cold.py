"""Cold processes are measured as they are called: every event has its figures, free and under each lock, and none of them fails."""

import sys

from benchmarks import cold
from clew.service import Clew

EVENTS = [name for name, _, _ in cold.HOOKS]


def test_every_event_the_mcp_server_and_why_have_their_figures(tmp_path, monkeypatch):
    for name, runs in (("RUNS", 1), ("WARM", 1), ("HELD", 1)):
        monkeypatch.setattr(cold, name, runs)
    path = str(tmp_path / "memory.db")
    with Clew(path, project="bench") as clew:
        clew.remember("We chose SQLite over Postgres: one file is easy to back up")
    found = cold.hooks(path, "bench", seed=1) | cold.mcp(path, "bench") | cold.why(path, "bench", seed=1)
    figures = {f"{name}_{end}" for name in EVENTS for end in ("xpass", "wall_ms", "writer_wall_ms", "spool_wall_ms")}
    memory = {f"{name}_rss_mb" for name in EVENTS} if sys.platform == "linux" else set()
    whole = {f"{name}_{end}" for name in ("mcp_list", "why_id", "why_question") for end in ("xpass", "wall_ms")}
    assert found.keys() == figures | memory | whole
    assert min(found.values()) > 0


def test_measuring_leaves_no_lock_and_loses_no_event(tmp_path, monkeypatch):
    for name, runs in (("RUNS", 1), ("WARM", 0), ("HELD", 1)):
        monkeypatch.setattr(cold, name, runs)
    monkeypatch.setattr(cold, "HOOKS", [hook for hook in cold.HOOKS if hook[0] == "hook_after_tool"])
    path = str(tmp_path / "memory.db")
    with Clew(path, project="bench") as clew:
        clew.remember("a memory")
        cold.hooks(path, "bench", seed=1)
        clew.take_in()
        log = clew._store.read_log(clew.project().id, limit=100)
    assert [line["text"] for line in log if line["event"] == "tool"] == ["Bash pytest tests/test_cart.py"] * (
        3 if sys.platform == "linux" else 2
    )
