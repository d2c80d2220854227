"""What a tool's recall brings counts as used, once the store is next written."""

from clew import Clew
from clew.mcp.calls import Desk


def test_what_recall_answers_with_is_marked_used(tmp_path):
    database = str(tmp_path / "memory.db")
    with Clew(database, project="p", embed="hashing") as clew:
        kept = clew.remember("Use tabs for indentation").memory
        env = {"CLEW_DB": database, "CLEW_PROJECT": "p", "CLEW_EMBED": "hashing"}
        desk = Desk(lambda root, origin: Clew(origin=origin, env=env, long_lived=False))
        answer = desk.call("recall", {"question": "tabs for indentation"}, "claude-code", None)
        desk.close()
        assert [m["id"] for m in answer["structuredContent"]["memories"]] == [kept.id]
        assert clew.show(kept.id).strength.uses == 0
        clew.take_in()
        assert clew.show(kept.id).strength.uses == 1
