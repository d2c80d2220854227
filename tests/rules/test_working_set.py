"""What leaves a window and what may not: passes, protection, stubs, misses; state in, state and plan out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import InvalidInput, NotFound
from clew.model import KINDS
from clew.rules import fsrs, scoring, threshold, working_set
from clew.rules.working_set import CALLS, LINE, SPARED, Thing, admit, ask, find, next_turn, opened, protected, settle, show, use, used

START = 1_700_000_000.0
BUDGET = 10_000
HOUR = 3_600.0


def thing(handle: str, size: int = 100, **more) -> Thing:
    return Thing(handle, size, **more)


def file(path: str, size: int = 100, *, handle: str = "", **more) -> Thing:
    return Thing(handle or path, size, source=path, tags=scoring.tags_of(path), resolves=True, **more)


def filled(*things: Thing, budget: int = BUDGET, apart: float = 1.0) -> working_set.Window:
    """A window into which those things came one after the other, nothing having left yet."""
    window = opened(budget)
    for n, one in enumerate(things):
        window = admit(window, one, START + n * apart)
    return window


def many(count: int, size: int, **more) -> list[Thing]:
    return [thing(f"x{n}", size, **more) for n in range(count)]


def later(window: working_set.Window) -> float:
    return window.clock.seen + 1.0


# Bad input


@pytest.mark.parametrize("budget", [0, -1, 2.5, True, "9"])
def test_a_budget_that_is_no_number_of_tokens_is_refused(budget):
    with pytest.raises(InvalidInput, match="budget"):
        opened(budget)


@pytest.mark.parametrize(
    ("one", "field"), [(thing("a", -1), "size"), (thing("a", 1.5), "size"), (thing("", 1), "handle"), (thing("a", kind="file"), "kind")]
)
def test_a_thing_that_cannot_be_is_refused_and_names_its_field(one, field):
    with pytest.raises(InvalidInput, match=field):
        admit(opened(BUDGET), one, START)


@pytest.mark.parametrize("verb", [use, ask])
def test_what_was_never_here_is_not_found(verb):
    with pytest.raises(NotFound, match="nowhere"):
        verb(filled(thing("a")), "nowhere", START)


def test_a_clock_that_goes_backwards_loses_nothing_and_counts_nothing():
    window = filled(*many(5, 100), apart=60.0)
    back, plan = settle(window, START - 10 * HOUR)
    assert plan.keep == tuple(f"x{n}" for n in range(5))
    assert (back.clock.active, back.registers) == (window.clock.active, window.registers)
    assert admit(back, thing("y"), START - 9 * HOUR).clock.active == window.clock.active + threshold.GAP


# The three passes


def test_while_there_is_room_and_nothing_has_faded_everything_stays():
    _, plan = settle(filled(*many(10, 100)), START + 20)
    assert (plan.stub, plan.evict) == ((), ())


def test_what_is_retained_below_theta_leaves_by_itself():
    window = filled(thing("old"), *many(CALLS, 10), apart=5.0)._replace(registers=threshold.Registers(theta=0.9))
    short = 30 * 60.0
    assert "old" in settle(window._replace(clock=threshold.Clock(0.95 * short, START)), START)[1].keep
    assert settle(window._replace(clock=threshold.Clock(1.05 * short, START)), START)[1].stub == ("old",)


def test_after_a_thrash_nothing_leaves_by_itself():
    window = filled(thing("old"), *many(CALLS, 10), apart=5.0)
    clock = threshold.Clock(2 * HOUR, START)
    thrashed = threshold.Registers(theta=0.9, quiet_since=2 * HOUR, thrashed=2 * HOUR - 30)
    assert "old" in settle(window._replace(clock=clock, registers=thrashed), START)[1].keep
    assert "old" not in settle(window._replace(clock=clock, registers=thrashed._replace(thrashed=2 * HOUR - 61)), START)[1].keep


def test_one_thing_that_takes_more_than_a_fifth_leaves_when_nothing_protects_it():
    window = filled(thing("big", 2_001), thing("fits", 2_000), *many(CALLS - 1, 10))
    assert "big" in settle(filled(thing("big", 2_001)), START + 1)[1].keep
    _, plan = settle(window, later(window))
    assert plan.stub == ("big",)


def test_up_to_the_mark_nothing_leaves_and_above_it_down_to_a_step_below():
    at_mark = filled(*many(80, 100))
    assert settle(at_mark, later(at_mark))[1].stub == ()
    above = filled(*many(81, 100))
    window, plan = settle(above, later(above))
    assert used(window) <= 0.75 * BUDGET
    assert used(window) > 0.75 * BUDGET - 200
    assert plan.stub[0] == "x0"


def test_the_lowest_score_leaves_first():
    window = filled(*many(40, 100), *(file(f"src/p/{n}.py") for n in range(41)))
    _, plan = settle(window, later(window))
    gone = {*plan.stub, *plan.evict}
    assert gone
    assert all(handle.startswith("x") for handle in gone)


def test_ties_leave_by_last_use_and_then_by_call():
    window = filled(*many(81, 100), apart=0.0)
    _, plan = settle(window, START)
    assert plan.stub[:3] == ("x0", "x1", "x2")


def test_a_window_with_a_raised_mark_fills_further():
    window = filled(*many(90, 100))._replace(registers=threshold.Registers(fill=0.95))
    assert settle(window, later(window))[1].stub == ()


def test_over_the_budget_recent_use_protects_a_tenth_of_it_and_the_last_use_always():
    three = filled(thing("a", 4_000), thing("b", 4_000), thing("c", 4_000))
    assert protected(three) >= {"a", "b", "c"}
    window, plan = settle(three, later(three))
    assert plan.keep == ("b", "c")
    assert used(window) <= BUDGET
    fitting = filled(thing("a", 600), thing("z", 9_000), thing("b", 500), thing("c", 400))
    assert protected(fitting, hard=True) - {""} == {"b", "c"}


def test_a_small_window_is_not_filled_by_what_was_missed():
    window = filled(*many(12, 1), budget=10)
    for n in range(8):
        window = settle(window, later(window))[0]
        window, _ = ask(window, f"x{n}", later(window))
    assert len(protected(window)) > 8
    assert used(settle(window, later(window))[0]) <= 10


def test_what_would_leave_in_vain_stays():
    window = filled(*many(20, 10), *(file(f"src/p/{n}.py", 1_500) for n in range(7)), budget=10_000)
    _, plan = settle(window, later(window))
    assert plan.stub == ("src/p/0.py", "src/p/1.py", "src/p/2.py")
    assert {f"x{n}" for n in range(20)} <= set(plan.keep)


def test_where_nothing_else_may_leave_lines_do():
    window = working_set._out(filled(thing("a", 500), thing("pin", 1_195, pinned=True), budget=1_210), {"a"})
    assert used(window) > 1_210
    assert settle(window, later(window))[1] == working_set.Plan(("pin",), (), ("a",))


# Protection


def test_pinned_and_lasting_kinds_never_leave():
    window = filled(thing("pin", 3_000, pinned=True), thing("goal", 3_000, kind="intent"), thing("who", 3_000, kind="user"), *many(30, 100))
    _, plan = settle(window, later(window) + 90 * 24 * HOUR)
    assert {"pin", "goal", "who"} <= set(plan.keep)


def test_only_the_last_request_of_the_user_is_protected():
    window = filled(thing("first", 3_000, request=True), thing("second", 3_000, request=True), *many(60, 100))
    _, plan = settle(window, later(window))
    assert "second" in plan.keep
    assert "first" not in plan.keep


def test_failures_of_an_open_goal_stay_until_it_closes():
    window = filled(thing("fail", 1_900), *many(70, 100))._replace(failing=("fail",))
    assert "fail" in settle(window, later(window))[1].keep
    assert "fail" not in settle(window._replace(failing=()), later(window))[1].keep


def test_what_one_of_the_last_calls_used_stays_through_the_mark():
    window = filled(*many(85, 100))
    window = use(window, "x0", later(window))
    _, plan = settle(window, later(window))
    assert {"x0", "x83", "x84"} <= set(plan.keep)
    assert "x1" not in plan.keep


def test_what_was_missed_is_spared_for_five_turns():
    window = filled(thing("a", 1_900), *many(70, 100))
    window, plan = settle(window, later(window))
    assert "a" not in plan.keep
    window, _ = ask(window, "a", later(window))
    for _ in range(SPARED):
        assert "a" in protected(window)
        for n in range(CALLS):
            window = admit(window, thing(f"{window.call} {n}", 1), later(window))
        window = next_turn(window, later(window))
    assert "a" not in protected(window)


# Stubs, misses, the way back


def evicted(budget: int = BUDGET) -> working_set.Window:
    """A window from which `src/a.py`, the command and the text have left."""
    three = file("src/a.py", 1_000, handle="f", digest="d1"), thing("q", 1_000, query="make test"), thing("t", 1_000, digest="d2")
    window = filled(*three, *many(70, 100), budget=budget)
    return working_set._out(window, {"f": None, "q": None, "t": None})


def test_what_leaves_has_a_line_and_costs_what_a_line_costs():
    before = filled(thing("a", 1_000), *many(3, 100))
    after = working_set._out(before, {"a": None})
    assert working_set.plan(after).stub == ("a",)
    assert used(after) == used(before) - 1_000 + LINE


def test_what_is_no_larger_than_a_line_leaves_without_one():
    after = working_set._out(filled(thing("a", LINE), *many(3, 100)), {"a": None})
    assert (working_set.plan(after).stub, working_set.plan(after).evict) == ((), ("a",))


def test_lines_take_no_more_than_their_share_and_the_oldest_go_first():
    window = filled(*many(90, 100))
    after = working_set._out(window, {f"x{n}": None for n in range(40)})
    assert len(after.lines) * LINE <= 0.02 * BUDGET
    assert after.lines[-1] == "x39"
    assert working_set.plan(after).evict[0] == "x0"


@pytest.mark.parametrize(("asked", "handle"), [("f", "f"), ("src/a.py", "f"), ("d1", "f"), ("make test", "q"), ("d2", "t")])
def test_what_left_comes_back_by_handle_source_query_or_content(asked, handle):
    window, found = ask(evicted(), asked, START + 200)
    assert found == handle
    assert handle in window.residents
    assert handle not in window.stubs
    assert handle not in window.lines


def test_asking_for_what_left_is_a_miss_and_moves_both_registers():
    before = evicted()
    after, _ = ask(before, "f", START + 100)
    assert after.misses == before.misses + 1
    assert after.registers.fill == pytest.approx(before.registers.fill + 0.05)
    assert after.registers.theta < before.registers.theta or after.registers.theta == threshold.THETA[1]


def test_asking_for_what_is_there_is_a_use_and_no_miss():
    before = filled(thing("a"))
    after, _ = ask(before, "a", START + 100)
    assert (after.misses, after.registers.fill) == (0, 0.80)
    assert after.residents["a"].strength.uses == 1


def test_a_miss_is_a_use_at_low_retrievability_and_never_a_lapse():
    before = evicted()._replace(clock=threshold.Clock(HOUR, START + HOUR), turn=9)
    strength = ask(before, "f", START + HOUR)[0].residents["f"].strength
    assert strength.lapses == 0
    assert strength == fsrs.good(before.stubs["f"].strength, "observation", HOUR)


def test_the_same_file_is_a_miss_whatever_its_content_now():
    window = admit(evicted(), file("src/a.py", 1_200, handle="g", digest="another"), START + 200)
    assert window.misses == 1
    assert window.residents["g"].strength.uses == 1
    assert "f" in window.stubs


@pytest.mark.parametrize(("size", "left"), [(1_000, True), (1_001, True), (200, False)])
def test_a_whole_reading_makes_an_earlier_one_needless_and_a_part_of_it_does_not(size, left):
    window = admit(filled(file("src/a.py", 1_000, handle="f")), file("src/a.py", size, handle="g"), START + 5)
    assert ("f" in working_set.plan(window).evict) is left
    assert "g" in window.residents


def test_an_edit_uses_the_reading_it_was_made_from():
    window = admit(filled(file("src/a.py", 1_000, handle="f"), *many(9, 10)), file("src/a.py", 50, handle="edit"), START + 90)
    assert window.residents["f"].strength.uses == 1
    assert window.evictions == window.misses == 0


def test_a_command_run_again_leaves_only_its_last_output():
    window = filled(thing("one", query="make test", digest="a"), thing("two", query="make test", digest="b"))
    assert working_set.plan(window) == working_set.Plan(("two",), (), ("one",))


def test_two_files_that_hold_the_same_and_two_commands_that_print_nothing_stay_apart():
    window = filled(
        file("a.py", handle="a", digest="d"), file("b.py", handle="b", digest="d"), thing("c", query="true", digest="d"),
        thing("e", query="git add .", digest="d"),
    )  # fmt: skip
    assert set(window.residents) == {"a", "b", "c", "e"}


def test_find_knows_nothing_by_the_empty_name():
    assert find(filled(thing("a")), "") is None


# Grades


def test_a_use_is_graded_once_a_turn_and_not_within_a_minute():
    window = next_turn(filled(thing("a")), START + 30)
    soon = use(window, "a", START + 50)
    assert soon.residents["a"].strength.stability == fsrs.OPENING["observation"]
    graded = use(soon, "a", START + 200)
    assert graded.residents["a"].strength.stability > fsrs.OPENING["observation"]
    same_turn = use(graded, "a", START + 400)
    assert same_turn.residents["a"].strength.stability == graded.residents["a"].strength.stability
    assert same_turn.residents["a"].strength.uses == 3
    assert (
        use(next_turn(same_turn, START + 400), "a", START + 401).residents["a"].strength.stability
        > graded.residents["a"].strength.stability
    )


def test_what_was_merely_shown_gains_nothing():
    window = next_turn(filled(thing("a")), START + 200)
    assert use(window, "a", START + 250, k=0.0).residents["a"].strength == window.residents["a"].strength


# What explains, and what holds for every history


def test_every_resident_is_explained_the_next_to_leave_first():
    window = filled(thing("x"), file("src/p/a.py"), file("src/p/b.py"))
    found = working_set.worths(window)
    assert next(iter(found)) == "x"
    assert [worth.score for worth in found.values()] == sorted(worth.score for worth in found.values())
    assert found["src/p/b.py"].relevance > found["x"].relevance == 0.0


steps = st.lists(
    st.tuples(
        st.sampled_from(("admit", "use", "ask", "turn", "settle")), st.integers(0, 12), st.integers(0, 900), st.floats(-100.0, 2_000.0),
        st.sampled_from(KINDS), st.booleans(),
    ),
    max_size=60,
)  # fmt: skip


@given(steps)
def test_no_history_loses_a_thing_or_passes_the_budget_without_protection(history):
    window, now, known = opened(2_000), START, set()
    for what, number, size, gap, kind, request in history:
        now += gap
        handle = f"h{number}"
        if what == "admit":
            window = admit(window, thing(handle, size, kind=kind, request=request, digest=f"{number}"), now)
            known.add(handle)
        elif what in ("use", "ask") and handle in known:
            window = use(window, handle, now) if what == "use" else ask(window, handle, now)[0]
        elif what == "turn":
            window = next_turn(window, now)
        elif what == "settle":
            window, plan = settle(window, now)
            assert set(plan.keep) | set(plan.stub) | set(plan.evict) == known
            assert len(plan.keep) + len(plan.stub) + len(plan.evict) == len(known)
            kept = set(plan.keep)
            assert used(window) <= 2_000 or kept <= protected(window, hard=True)
        assert set(window.residents) | set(window.stubs) == known
        assert not set(window.residents) & set(window.stubs)
        assert set(window.lines) <= set(window.stubs)


@given(steps)
def test_a_pass_after_a_pass_changes_nothing_more(history):
    window, now = opened(2_000), START
    for _, number, size, gap, kind, request in history:
        now += abs(gap)
        window = admit(window, thing(f"h{number}", size, kind=kind, request=request), now)
    once, plan = settle(window, now)
    again, same = settle(once, now)
    assert plan == same
    assert again == once


# Shown unasked


def test_what_is_shown_again_is_there_and_neither_used_nor_missed():
    window = show(opened(BUDGET), thing("m:1", kind="fact"), START)
    again = show(window, thing("m:1", 150, kind="fact"), START + HOUR)
    assert again.residents["m:1"].strength == window.residents["m:1"].strength
    assert (used(again), again.misses) == (150, 0)


def test_what_had_left_and_is_shown_unasked_is_back_without_a_miss():
    window, _ = settle(filled(thing("big", 2 * BUDGET), thing("m:1", 4_000)), START + 10)
    assert "big" in window.stubs
    back = show(window, thing("big", 500), START + 20)
    assert "big" in back.residents
    assert "big" not in (*back.stubs, *back.lines)
    assert (back.misses, back.registers) == (0, working_set.at(window, START + 20).registers)
