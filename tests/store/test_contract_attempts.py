"""What every backend promises of attempts, and of how far a session has come."""

import pytest
from specimens import NOW, memory

from clew.model import Attempt, Strength
from clew.store.talk import Progress


def attempt(n, **changes):
    base = Attempt(
        0, "s1", n, "test:pytest", "test", "tests/a.py", f"approach-{n}", "fail", "boom", at=NOW + n, fingerprint="f1", place="p1"
    )
    return base._replace(**changes)


@pytest.fixture
def filled(store, project):
    """A store with five attempts at two goals."""
    with store.transaction():
        for n, changes in enumerate(({}, {}, {"outcome": "pass", "fingerprint": "", "place": ""}, {"goal": "edit:b"}, {"session": "s2"})):
            store.add_attempt(project, attempt(n, **changes))
    return store


def test_an_attempt_comes_back_as_it_was_kept(store, project):
    whole = attempt(3, exit=2, failing=4, template="E <n>", version=1, origin="claude-code")
    with store.transaction():
        number = store.add_attempt(project, whole)
    assert store.attempts([project], limit=9) == [whole._replace(id=number)]


def test_attempts_are_found_by_any_of_their_keys_newest_first(filled, project):
    turns = lambda **how: [a.turn for a in filled.attempts([project], limit=9, **how)]  # noqa: E731
    assert turns() == [4, 3, 2, 1, 0]
    assert turns(goal="test:pytest", session="s1") == [2, 1, 0]
    assert turns(fingerprint="f1") == [4, 3, 1, 0]
    assert turns(place="p1", session="s2") == [4]
    assert turns(approach="approach-1") == [1]
    assert turns(target="tests/b.py") == []
    assert turns(since=NOW + 3) == [4, 3]
    assert [a.turn for a in filled.attempts([project], limit=2)] == [4, 3]
    assert filled.attempts([project + 1], limit=9) == []


def test_attempts_are_found_by_a_part_of_their_target_or_goal(filled, project):
    assert [a.turn for a in filled.attempts_naming([project], "a.py", limit=2)] == [4, 3]
    assert [a.turn for a in filled.attempts_naming([project], "edit:", limit=9)] == [3]
    assert filled.attempts_naming([project], "%", limit=9) == []


def test_attempts_are_found_by_a_part_of_what_tells_their_failure(store, project):
    with store.transaction():
        for n in range(3):
            store.add_attempt(project, attempt(n, template=f"tests/a.py::test_{n}\nassert 3 == 4"))
    assert [a.turn for a in store.attempts_telling([project], "assert 3 == 4", limit=2)] == [2, 1]
    assert [a.turn for a in store.attempts_telling([project], "test_1", limit=9)] == [1]
    assert store.attempts_telling([project], "tests/a.py::test\x25", limit=9) == []
    assert store.attempts_telling([project + 1], "assert", limit=9) == []


def test_settled_attempts_are_told_from_open_ones(filled, project):
    first = filled.attempts([project], limit=9)[-1]
    with filled.transaction():
        filled.settle([first.id])
    assert [a.turn for a in filled.attempts([project], limit=9, settled=True)] == [0]
    assert [a.turn for a in filled.attempts([project], limit=9, settled=False)] == [4, 3, 2, 1]


def test_goals_with_a_failure_that_nothing_was_made_of_are_open(filled, project):
    assert filled.open_goals(limit=9) == [(project, "test:pytest"), (project, "edit:b")]  # the one that failed last first
    assert filled.open_goals(limit=1) == [(project, "test:pytest")]
    with filled.transaction():
        filled.settle([a.id for a in filled.attempts([project], limit=9, goal="edit:b")])
    assert filled.open_goals(limit=9) == [(project, "test:pytest")]


def test_what_was_said_last_in_a_session_is_known(store, project):
    with store.transaction():
        for n, (event, session) in enumerate((("prompt", "s1"), ("prompt", "s1"), ("reply", "s1"), ("prompt", "s2"))):
            store.write_log(project, event, text=f"said {n}", origin="c", at=NOW, session=session, turn=n)
    assert store.said([project], "s1", "prompt") == "said 1"
    assert store.said([project], "s1", "prompt", least=9) == ""
    assert store.said([project], "s3", "prompt") == ""
    assert store.said([], "s1", "prompt") == ""


def test_goals_are_listed_by_what_was_tried_last(filled, project):
    assert filled.goals([project], limit=9) == [("test:pytest", 4, 3, NOW, NOW + 4), ("edit:b", 1, 1, NOW + 3, NOW + 3)]
    assert [goal for goal, *_ in filled.goals([project], limit=9, session="s1")] == ["edit:b", "test:pytest"]
    assert len(filled.goals([project], limit=1)) == 1


def test_a_session_remembers_its_agents_steps_and_when_its_user_wrote(store, project):
    assert store.progress("s1") == Progress()
    with store.transaction():
        store.advance_session("s1", project, "cli", at=NOW, turns=1)
        store.advance_calls("s1", asked_at=NOW)
        store.advance_calls("s1", calls=3)
        store.advance_calls("s1", calls=1, asked_at=NOW - 5)  # a line that came late
    assert store.progress("s1") == Progress(1, 4, NOW, last_at=NOW)
    with store.transaction():
        store.end_session("s1", at=NOW + 9, keep_since=NOW)
    assert store.progress("s1") == Progress(1, 4, NOW, last_at=NOW, ended_at=NOW + 9)


def test_a_session_that_is_not_known_does_not_advance(store):
    with store.transaction():
        store.advance_calls("nobody", calls=1)
    assert store.progress("nobody") == Progress()


def test_memories_are_found_by_when_they_were_used_last(store, project):
    with store.transaction():
        for n, (uses, status) in enumerate(((1, "active"), (0, "active"), (2, "active"), (1, "done"), (1, "active"))):
            store.insert(memory(n, strength=Strength(60.0, 5.0, NOW + n, uses), status=status), project)
    assert store.used_between([project], NOW, NOW + 3, limit=9) == [3, 1]
    assert store.used_between([project], NOW, NOW + 9, limit=2) == [5, 3]
    assert store.used_between([project + 1], NOW, NOW + 9, limit=9) == []


def test_when_the_log_was_told_a_text_is_known(store, project):
    with store.transaction():
        for at, text in ((NOW, "a"), (NOW + 5, "a"), (NOW + 7, "b")):
            store.write_log(project, "goal_failed", text=text, origin="c", at=at, session="s1")
    assert store.noted(project, "s1", "goal_failed", "a") == NOW + 5
    assert store.noted(project, "s1", "goal_failed", "c") == 0.0
    assert store.noted(project, "s2", "goal_failed", "a") == 0.0
