"""What every backend promises of windows, observations and memories that rest."""

from specimens import ANY, NOW, kept, memory

from clew.model import Strength
from clew.store.work import Observation


def seen(handle, **changes):
    return Observation("s1", handle, "file", f"src/{handle}.py", "h1", "defines a", "", 10, 1, NOW)._replace(**changes)


def observe(store, project, *observations):
    with store.transaction():
        for one in observations:
            store.observe(project, one)


def test_a_windows_state_is_kept_in_place_of_the_one_before(store, project):
    assert store.window("s1") is None
    with store.transaction():
        store.save_window("s1", project, "{}", NOW)
        store.save_window("s2", project, "{}", NOW - 1)
        store.save_window("s1", project, '{"a": 1}', NOW + 1)
        store.save_window("s1/agent:a7", project, "{}", NOW + 9)
    assert store.window("s1") == '{"a": 1}'
    assert store.latest_window([project]) == "s1"
    assert store.latest_window([project + 1]) is None


def test_what_is_seen_again_is_read_once_more_and_known_as_it_is_now(store, project):
    observe(store, project, seen("a"), seen("a", hash="h2", gist="", text="t", tokens=5, at=NOW + 1))
    (one,) = store.observations([project], limit=9)
    assert one == seen("a", hash="h2", text="t", reads=2, at=NOW + 1)


def test_observations_are_found_by_session_handle_and_target_newest_first(store, project):
    observe(store, project, seen("a"), seen("b", at=NOW + 1), seen("a", session="s2", at=NOW + 2))
    assert [(o.session, o.handle) for o in store.observations([project], limit=9)] == [("s2", "a"), ("s1", "b"), ("s1", "a")]
    assert [o.handle for o in store.observations([project], limit=9, session="s1")] == ["b", "a"]
    assert [o.session for o in store.observations([project], limit=1, handle="a")] == ["s2"]
    assert [o.handle for o in store.observations([project], limit=9, target="src/b.py")] == ["b"]
    assert store.observations([project + 1], limit=9) == []


def test_old_windows_and_observations_are_dropped(store, project):
    observe(store, project, seen("a"), seen("b", at=NOW + 9))
    with store.transaction():
        store.save_window("s1", project, "{}", NOW)
        store.drop_windows(NOW + 1)
    assert store.window("s1") is None
    assert [o.handle for o in store.observations([project], limit=9)] == ["b"]


def test_what_is_old_beside_its_stability_rests_and_is_not_among_the_strongest(store, project):
    def aged(n, seconds, **changes):
        return memory(n, strength=Strength(100.0, 5.0, NOW - seconds), **changes)

    old, young, pinned, ended, lasting = kept(
        store, project, aged(1, 501), aged(2, 499), aged(3, 501, pinned=True), aged(4, 501, status="done"), aged(5, 501, kind="intent")
    )
    with store.transaction():
        assert store.rest(NOW, worn=5.0, lasting=("intent",)) == 1
        assert store.rest(NOW, worn=5.0, lasting=("intent",)) == 0
    assert [m.id for m in store.fetch([old, young, pinned, ended, lasting]).values() if m.resting] == [old]
    assert old not in [m.id for m in store.strongest([project], ANY, limit=9)]
    assert old in [m.id for m in store.select([project], ANY, limit=9)]
