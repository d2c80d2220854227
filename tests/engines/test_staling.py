"""Code that changed since a memory was written makes it stale: once, wherever it is found out, until somebody puts it right."""

import os

import pytest

from clew.engines import staling
from clew.engines.hashes import file_hash
from clew.errors import InvalidInput
from clew.model import Event, Pointer

CART = "class Cart:\n    def total(self):\n        return 3\n"


@pytest.fixture
def cart(tmp_path):
    file = tmp_path / "src" / "cart.py"
    file.parent.mkdir()
    file.write_text(CART)
    return file


@pytest.fixture
def clew(cart, clew):
    """The store in a folder that holds the cart."""
    return clew


def about(clew, path="src/cart.py", text="Prices are integers of cents", **more):
    return clew.remember(text, kind="decision", pointers=[Pointer(path, **more)]).memory


def event(clew, clock, kind, **fields):
    """One event of a session, taken in; the text it put before the agent."""
    clock.at += 61
    said = clew.capture(Event(kind, "claude-code", "s1", id=str(clock.at), **fields)).text
    clew.take_in()
    return said


def touch(clew, clock, path, tool="Read"):
    text = path.read_text() if tool == "Read" else ""
    return event(clew, clock, "tool", tool=tool, target=str(path), path=str(path), given={"file_path": str(path)}, text=text)


def test_a_pointer_keeps_the_hash_of_its_file_and_a_given_one_stays(clew, cart):
    assert about(clew).pointers == (Pointer("src/cart.py", hash=file_hash(str(cart))),)
    assert about(clew, "src/none.py", "Nothing there").pointers == (Pointer("src/none.py"),)
    given = about(clew, text="Given", hash="sha256:abc")
    assert given.pointers[0].hash == "sha256:abc"


@pytest.mark.parametrize("tool", ["Read", "Edit"])
def test_a_file_met_with_another_content_makes_its_memories_stale_once(clew, clock, cart, tool):
    made, other = about(clew), clew.remember("Deploys go out on Tuesdays").memory
    touch(clew, clock, cart, tool)
    assert not clew.show(made.id).stale
    for n in range(3):
        cart.write_text(f"{CART}# {n}\n")
        touch(clew, clock, cart, tool)
    found = clew.show(made.id)
    assert found.stale
    assert found.strength.lapses == 1
    assert found.strength.stability == pytest.approx(0.4 * made.strength.stability)
    assert (found.strength.last_use, found.updated_at) == (made.strength.last_use, made.updated_at)
    assert clew.show(other.id) == other
    assert [line["event"] for line in clew.history(made.id)] == ["stale"]


def test_a_session_that_starts_is_told_which_of_its_memories_are_stale_and_that_is_kept(clew, clock, cart):
    made = about(clew)
    assert ", stale)" not in event(clew, clock, "session_start", source="startup")
    cart.write_text("x = 1\n")
    pack = event(clew, clock, "session_start", source="clear")
    assert f"#{made.id} decision (python, " in pack
    assert ", stale): Prices are integers" in pack
    assert clew.show(made.id).stale
    assert clew.show(made.id).strength.lapses == 1
    event(clew, clock, "session_start", source="clear")
    assert clew.show(made.id).strength.lapses == 1


def test_a_file_that_is_gone_is_another_one(clew, clock, cart):
    made = about(clew)
    os.remove(cart)
    assert ", stale)" in event(clew, clock, "session_start", source="startup")
    assert clew.show(made.id).stale


def test_only_looking_changes_nothing(clew, cart):
    made = about(clew)
    cart.write_text("x = 1\n")
    assert ", stale)" in clew.context().text
    assert clew.show(made.id) == made


def test_the_carry_over_after_a_compaction_says_it_too(clew, clock, cart):
    about(clew)
    event(clew, clock, "session_start", source="startup")
    touch(clew, clock, cart)
    cart.write_text("x = 1\n")
    event(clew, clock, "compact", source="auto")
    pack = event(clew, clock, "session_start", source="compact")
    assert ", stale): Prices are integers" in pack
    assert "src/cart.py (changed since read)" in pack


@pytest.mark.parametrize("how", ["said again", "edited", "pointed anew"])
def test_who_puts_it_right_ends_it_and_the_next_change_counts_anew(clew, clock, cart, how):
    made = about(clew)
    cart.write_text("x = 1\n")
    touch(clew, clock, cart)
    assert clew.show(made.id).stale
    if how == "said again":
        about(clew)
    elif how == "edited":
        clew.edit(made.id, summary="Prices are integers of tenths of cents")
    else:
        clew.edit(made.id, pointers=[Pointer("src/cart.py")])
    found = clew.show(made.id)
    assert not found.stale
    assert found.pointers == (Pointer("src/cart.py", hash=file_hash(str(cart))),)
    touch(clew, clock, cart)
    assert not clew.show(made.id).stale
    cart.write_text("x = 2\n")
    touch(clew, clock, cart)
    assert clew.show(made.id).strength.lapses == 2


def test_what_was_replaced_and_is_said_again_is_not_stale(clew):
    old, new = clew.remember("Prices are floats").memory, clew.remember("Prices are cents").memory
    clew.supersede(old.id, new.id)
    assert not clew.remember("Prices are floats").memory.stale


def test_an_edit_of_its_tags_says_nothing_about_the_code(clew, clock, cart):
    made = about(clew)
    cart.write_text("x = 1\n")
    touch(clew, clock, cart)
    assert clew.edit(made.id, tags=["money"]).memory.stale


def test_a_file_of_the_same_name_elsewhere_is_not_meant(clew, clock, cart, tmp_path):
    made = about(clew)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "cart.py").write_text("x = 1\n")
    touch(clew, clock, tmp_path / "old" / "cart.py")
    assert not clew.show(made.id).stale


def test_what_is_contradicted_is_graded_only_when_it_is_replaced(clew):
    old = clew.remember("The cart service answers on port 7431", kind="fact").memory
    said = clew.remember("The cart service answers on port 8080", kind="fact")
    assert [concern.id for concern in said.concerns] == [old.id]
    assert clew.show(old.id).strength == old.strength
    clew.supersede(old.id, said.memory.id)
    assert clew.show(old.id).strength.lapses == 1


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "huge", "none"])
def test_what_cannot_be_hashed_is_no_trouble(clew, clock, tmp_path, kind):
    path = tmp_path / "odd"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "huge":
        with open(path, "wb") as file:
            file.truncate(1 << 30)
    made = about(clew, "odd")
    assert made.pointers == (Pointer("odd"),)
    event(clew, clock, "session_start", source="startup")
    assert not clew.show(made.id).stale


@pytest.mark.parametrize("pointers", [3, None, "src/cart.py", [3], [Pointer(3)], [Pointer("a", hash=3)], [Pointer("a\0b")]])
def test_broken_pointers_are_refused_by_name_and_change_nothing(clew, pointers):
    made = about(clew)
    for write in (lambda: clew.edit(made.id, pointers=pointers), lambda: clew.remember("x", pointers=pointers)):
        try:
            write()
        except InvalidInput as error:
            assert error.field.startswith("pointers")
        else:
            assert "\0" in pointers[0].path, "only what is cleaned may be taken"


def test_a_pack_looks_at_a_bounded_number_of_files_each_once(clew, tmp_path, monkeypatch):
    made = []
    for n in range(100):
        (tmp_path / f"f{n}.py").write_text(f"x = {n}\n")
        made += [about(clew, f"f{n}.py", f"Decision number {n}"), about(clew, f"f{n}.py", f"Decision number {n} and a half")]
    looked = []
    monkeypatch.setattr(staling, "file_hash", lambda path: looked.append(path) or "0" * 16)
    found = staling.noticed(made, str(tmp_path))
    assert len(looked) == len(set(looked)) == staling.FILES
    assert [memory.stale for memory in found] == [True] * 2 * staling.FILES + [False] * (200 - 2 * staling.FILES)
