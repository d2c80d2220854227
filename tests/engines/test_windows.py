"""A client's session as its hooks tell it: what was read is known, compaction costs nothing that matters, all can be had back."""

import os
import re

import pytest

from clew import Clew
from clew.engines.observing import observed
from clew.errors import InvalidInput, NotFound
from clew.model import Event

CART = "class Cart:\n    def total(self):\n        return 3\n"


@pytest.fixture
def clew(clew, tmp_path):
    """The store in a folder with two files of code."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "cart.py").write_text(CART)
    (tmp_path / "src" / "shop.py").write_text("def open_shop():\n    return True\n")
    return clew


class Session:
    """One session of an agent: each call is an event a few seconds after the last."""

    def __init__(self, clew, clock, folder, name="s1"):
        self.clew, self.clock, self.folder, self.name, self.count = clew, clock, folder, name, 0

    def __call__(self, kind, **fields):
        self.count += 1
        self.clock.at += 5
        return self.clew.capture(Event(kind, "claude-code", self.name, id=f"{self.name}{self.count}", **fields)).text

    def read(self, path):
        text = (self.folder / path).read_text() if (self.folder / path).exists() else ""
        whole = str(self.folder / path)
        return self("tool", tool="Read", target=whole, path=whole, given={"file_path": whole}, text=text)

    def run(self, command, text, code=0):
        return self("tool", tool="Bash", target=command, given={"command": command}, text=text, exit=code, failed=code != 0)

    def status(self):
        self.clew.take_in()
        return self.clew.working_set(session=self.name)


@pytest.fixture
def session(clew, clock, tmp_path):
    made = Session(clew, clock, tmp_path)
    made("session_start", source="startup")
    made("prompt", text="make the cart round to cents, and do not touch the shop")
    return made


def test_what_was_read_and_run_is_resident_with_its_size(session):
    session.read("src/cart.py")
    session.run("pytest -q", "3 passed in 0.1s")
    found = session.status()
    assert found["residents"] == {"observation": 3}
    assert 0 < found["used"] < found["budget"]
    assert (found["evict_below"], found["fill_mark"]) == (0.10, 0.80)
    assert found["session"] == "s1"


def test_the_models_window_decides_the_budget(clew, clock, tmp_path):
    other = Session(clew, clock, tmp_path, "s2")
    other("session_start", source="startup", model="claude-opus-5-5")
    other("prompt", text="go")
    assert other.status()["budget"] > 500_000


def test_after_a_compaction_the_agent_is_told_what_it_knew(session):
    session.read("src/cart.py")
    session.read("src/shop.py")
    session.clew.remember("Prices are integers of cents", kind="decision")
    session.run("pytest tests/test_cart.py", "E   assert 3 == 4\n=== 1 failed in 0.2s ===", 1)
    session("turn_end", text="The rounding is done.\nNext I will fix the test of the total.")
    session("compact", source="auto")
    pack = session("session_start", source="compact")
    order = ["make the cart round to cents", "Prices are integers of cents", "pytest tests/test_cart.py", "src/cart.py", "Next I will fix"]
    assert [pack.find(part) >= 0 for part in order] == [True] * len(order), pack
    assert "defines Cart" in pack
    assert "changed since read" not in pack
    assert len(pack) <= 4_000
    assert pack.count("<clew-memory") == pack.count("</clew-memory>") == 1


def test_behind_a_nudge_the_task_itself_is_carried_over_too(session):
    session("prompt", text="go on, please")
    session("compact", source="auto")
    pack = session("session_start", source="compact")
    assert pack.index("make the cart round to cents") < pack.index("> go on, please")


def test_a_file_that_changed_since_it_was_read_is_marked(session, tmp_path):
    session.read("src/cart.py")
    session.read("src/shop.py")
    session("compact", source="auto")
    (tmp_path / "src" / "cart.py").write_text(CART + "# more\n")
    pack = session("session_start", source="compact")
    assert "file src/cart.py (changed since read)" in pack
    assert "file src/shop.py:" in pack


def test_what_the_agent_itself_edited_is_not_marked(session, tmp_path):
    session.read("src/cart.py")
    (tmp_path / "src" / "cart.py").write_text(CART + "# more\n")
    whole = str(tmp_path / "src" / "cart.py")
    session("tool", tool="Edit", target=whole, path=whole, given={"file_path": whole, "old_string": "", "new_string": "# more"}, text="")
    session("compact", source="manual")
    assert "changed since read" not in session("session_start", source="compact")


def test_a_compaction_takes_the_window_and_a_read_after_it_is_a_miss(session):
    session.read("src/cart.py")
    session("compact", source="auto")
    session("session_start", source="compact")
    assert session.status()["residents"] == {}
    session.read("src/cart.py")
    found = session.status()
    assert (found["misses"], found["fill_mark"]) == (1, pytest.approx(0.85))


def test_memories_that_the_carry_over_shows_again_were_not_asked_for_and_are_no_misses(session):
    for n in range(3):
        session.clew.remember(f"Prices are integers of cents, rule {n}", kind="decision")
    for _ in range(2):
        session("compact", source="auto")
        assert "rule 2" in session("session_start", source="compact")
        found = session.status()
        assert (found["misses"], found["evict_below"], found["fill_mark"]) == (0, 0.10, 0.80)
        assert found["residents"] == {"decision": 3}


def test_a_session_that_is_resumed_hears_only_what_changed(session, tmp_path):
    session.read("src/cart.py")
    session.read("src/shop.py")
    session("session_end", source="other")
    assert "src/shop.py" not in session("session_start", source="resume")
    (tmp_path / "src" / "cart.py").write_text("x = 1\n")
    pack = session("session_start", source="resume")
    assert "src/cart.py (changed since read)" in pack
    assert "src/shop.py" not in pack


def test_nothing_is_injected_twice_in_one_session_unless_it_changed(session):
    made = session.clew.remember("Prices are integers of cents", kind="decision").memory
    session("compact", source="auto")
    assert "integers of cents" in session("session_start", source="compact")
    assert "integers of cents" not in session("prompt", text="are prices integers of cents here?")
    session.clew.edit(made.id, summary="Prices are integers of tenths of cents")
    assert "tenths of cents" in session("prompt", text="are prices integers of cents here?")


def test_everything_seen_can_be_had_back(session, tmp_path):
    session.read("src/cart.py")
    session.run("make report", "the total is 42\n")
    file = session.clew.restore("src/cart.py")
    assert (file.text, file.changed, file.kind) == (CART, False, "file")
    assert session.clew.restore(file.handle) == file
    assert session.clew.restore("make   report").text == "the total is 42\n"
    (tmp_path / "src" / "cart.py").write_text("x = 1\n")
    again = session.clew.restore(file.handle)
    assert (again.text, again.changed) == ("x = 1\n", True)
    os.remove(tmp_path / "src" / "cart.py")
    with pytest.raises(NotFound, match="defines Cart"):
        session.clew.restore(file.handle)


def test_restoring_what_had_left_is_a_miss(session):
    session.read("src/cart.py")
    session("compact", source="auto")
    session("session_start", source="compact")
    session.clew.take_in()
    session.clew.restore("src/cart.py", session="s1")
    assert session.status()["misses"] == 1


def test_a_memory_is_restored_by_its_number(session):
    made = session.clew.remember("Prices are cents", detail="floats lost a penny").memory
    assert session.clew.restore(f"m:{made.id}").text == "Prices are cents\nfloats lost a penny"
    with pytest.raises(InvalidInput, match="m:12"):
        session.clew.restore("m:x")


@pytest.mark.parametrize("what", ["w:00000000", "src/none.py", "make nothing", "🙈"])
def test_what_was_never_seen_is_said_so(session, what):
    with pytest.raises(NotFound, match="nothing was seen here"):
        session.clew.restore(what)


def test_a_handle_of_another_project_is_named_as_such(session, clock, tmp_path):
    session.read("src/cart.py")
    session.clew.take_in()
    handle = session.clew.restore("src/cart.py").handle
    other = tmp_path / "other"
    other.mkdir()
    with Clew(str(tmp_path / "db" / "memory.db"), root=str(other), embed="off", clock=clock) as elsewhere:
        with pytest.raises(NotFound, match="another project"):
            elsewhere.restore(handle)
        assert elsewhere.working_set() is None


def test_a_session_never_seen_has_no_window(clew, session):
    assert clew.working_set(session="s1")["session"] == "s1", "what waits in the spool counts"
    assert session.clew.working_set(session="nobody") is None
    assert session.clew.working_set()["session"] == "s1"


def test_a_clock_that_goes_backwards_and_a_damaged_window_stop_nothing(session, clock):
    session.read("src/cart.py")
    clock.at -= 5_000
    session.read("src/shop.py")
    assert session.status()["residents"] == {"observation": 3}
    with session.clew._store.transaction():
        session.clew._store.save_window("s1", 1, '{"budget": -3}', clock.at)
    session.read("src/cart.py")
    assert session.status()["residents"] == {"observation": 1}


def test_secrets_in_what_tools_return_never_touch_the_disk(session, tmp_path):
    key = "AKIA" + "Q7WE3RT5YU2IO6PA"
    for before in (0, 900, 990, 1_990):
        session.run(f"echo {before} {key}", "x" * before + f" {key} " + "y" * 5_000)
    session.clew.take_in()
    content = b"".join(file.read_bytes() for file in (tmp_path / "db").iterdir())
    assert key.encode() not in content
    assert key[:12].encode() not in content


def test_what_is_left_out_of_a_long_answer_is_counted():
    event = Event("tool", "c", "s", tool="Bash", target="make", given={"command": "make"}, text="x" * 100_000)
    told = observed(event, "build", "")["seen"]["text"]
    left = int(re.search(r"\(([\d,]+) characters left out\)", told)[1].replace(",", ""))
    assert left == pytest.approx(98_000, abs=10)


def test_a_key_in_lines_never_touches_the_disk_wherever_an_answer_is_cut(session, tmp_path):
    block = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *["MIIEow" * 10] * 50, "-----END RSA PRIVATE KEY-----"])
    for n, (before, after) in enumerate([(0, 900), (0, 0), (800, 900), (9_000, 0), (9_000, 900), (0, 9_000), (2_500, 300)]):
        session.run(f"cat {n}", "x\n" * (before // 2) + block + "\ny" * (after // 2))
    session.clew.take_in()
    assert b"MIIEow" not in b"".join(file.read_bytes() for file in (tmp_path / "db").iterdir())


def test_what_is_left_alone_is_not_observed(session, tmp_path):
    (tmp_path / ".clewignore").write_text("secret/\n")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "plan.md").write_text("# The plan\n")
    session.read("secret/plan.md")
    session.clew.take_in()
    with pytest.raises(NotFound):
        session.clew.restore("secret/plan.md")


@pytest.mark.parametrize("between", ["", "z" * 200_000 + "\n"])
@pytest.mark.parametrize("code", [0, 2])
def test_lines_of_an_answer_that_are_of_a_path_that_is_left_alone_are_not_kept(session, tmp_path, between, code):
    (tmp_path / ".clewignore").write_text("secret/\n*.key\n")
    (tmp_path / "secret").mkdir()
    kept, left = "src/cart.py:3:the tariff of carts\n", "secret/plan.md:1:the hidden tariff\n./id.key:2:hidden too\n"
    session.run("grep -rn tariff", f"{left}{kept}{between}{tmp_path}/secret/plan.md:9:hidden\n{left}{kept}", code)
    session("tool", tool="Glob", target="**/*", given={"pattern": "**/*"}, text="src/cart.py\nsecret/hidden.md\n")
    session.clew.take_in()
    content = b"".join(file.read_bytes() for file in (tmp_path / "db").iterdir())
    assert b"the tariff of carts" in content
    assert b"hidden" not in content


def test_what_little_is_retained_rests_until_it_is_used_again(clew, clock):
    made = clew.remember("The parser is recursive").memory
    clock.at += 60 * 86_400
    assert clew.sweep() == {"resting": 1, "expired": 0}
    assert clew.show(made.id).resting
    assert "recursive" not in clew.context().text
    assert clew.prompt_pack("is the parser recursive?").text == ""
    assert [hit.memory.id for hit in clew.recall("is the parser recursive?")] == [made.id]
    clew.used(made.id)
    clew.take_in()
    assert not clew.show(made.id).resting
    assert "recursive" in clew.context().text


def test_a_memory_that_is_asked_for_by_its_number_rests_no_more(clew, clock):
    made = clew.remember("The parser is recursive").memory
    clock.at += 60 * 86_400
    assert clew.sweep()["resting"] == 1
    clew.restore(f"m:{made.id}")
    found = clew.show(made.id)
    assert (found.resting, found.strength.uses) == (False, 1)
    assert found.strength.stability > made.strength.stability


def test_the_strength_of_a_memory_is_a_curve(clew, clock):
    made = clew.remember("The parser is recursive").memory
    clock.at += 7_200
    found = clew.strength(made.id)
    assert found.now == pytest.approx(0.90)
    assert found.rests_at > clock.at
    with pytest.raises(NotFound):
        clew.strength(99)
