"""What reaches an agent by itself, over a store in memory with a clock of our own."""

import pytest

from clew import Clew, InvalidInput
from clew.engines import context
from clew.model import Event, Pack

DAY = 86_400.0


@pytest.fixture
def clew(clock, tmp_path):
    with Clew(":memory:", root=str(tmp_path), clock=clock) as made:
        yield made


def test_resume_pointers_lead_and_the_newest_comes_first(clew, clock):
    for n in range(7):
        clew.resume(f"next: step {n}")
        clock.at += 60
    clew.remember("a decision", kind="decision")
    pack = clew.context()
    assert pack.ids[: context.RESUMES - 2] == (7, 6, 5)
    assert pack.text.index("## Resume here") < pack.text.index("## Decisions")


def test_a_pointer_that_is_done_leads_no_more(clew):
    clew.resume("next: step one")
    clew.done(1)
    assert list(clew.resume()) == []
    assert clew.context() == Pack("", (), 0)


def test_use_and_pins_decide_what_is_shown(clew, clock):
    for n in range(60):
        clew.remember(f"decision number {n} about the {'long ' * 30}thing", kind="decision")
        clock.at += 60
    clew.pin(3)
    shown = clew.context().ids
    assert shown[0] == 3
    assert 60 in shown
    assert 4 not in shown


def test_the_users_own_project_is_read_along(clew):
    clew.remember("I like tabs", kind="user", project="@user")
    clew.remember("this project uses spaces")
    text = clew.context().text
    assert "tabs" in text
    assert "spaces" in text


@pytest.mark.parametrize("end", ["supersede", "done", "expire"])
def test_what_no_longer_holds_is_in_no_pack(clew, clock, end):
    clew.remember("the port of the cart service is 7431", ttl=DAY)
    if end == "supersede":
        newer = clew.remember("the cart service listens on a socket now")
        clew.supersede(1, newer.memory.id)
    elif end == "done":
        clew.done(1)
    else:
        clock.at += 2 * DAY
    assert "7431" not in clew.context().text
    assert 1 not in clew.prompt_pack("which port does the cart service have?").ids


def test_a_budget_out_of_bounds_is_refused(clew):
    for budget in (0, 399, 100_001):
        with pytest.raises(InvalidInput, match="budget"):
            clew.context(budget=budget)
        with pytest.raises(InvalidInput, match="budget"):
            clew.prompt_pack("which port?", budget=budget)


def test_asking_for_packs_writes_nothing(clew):
    clew.remember("the port of the cart service is 7431")
    before = clew.show(1)
    clew.context()
    clew.prompt_pack("which port does the cart service have?", session="s")
    assert clew.show(1) == before
    assert clew.take_in() == 0


def test_a_store_in_memory_captures_too(clew, clock):
    clew.remember("the port of the cart service is 7431")
    pack = clew.capture(Event("prompt", "c", "s", text="which port does the cart service have?"))
    assert pack.ids == (1,)
    assert clew.capture(Event("prompt", "c", "s", text="again: which port does the cart service have?")).ids == ()
    assert clew.take_in() == 2
    assert clew.take_in() == 0
    assert clew._store.shown("s") == {1: clew.show(1).updated_at}
