"""Setting up Claude Code: what lands in its files, that a second run changes nothing, that uninstalling gives back every byte."""

import json
import os
from pathlib import Path

import pytest
from client_samples import FOREIGN, OLDER, SAMPLES

from clew.clients import install, jsonc
from clew.clients.table import CLAUDE
from clew.errors import InvalidInput

WORDS = ("/opt/clew/bin/clew",)
EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact", "Stop", "SessionEnd"]


@pytest.fixture
def place(tmp_path):
    """A home of its own with a ~/.claude in it."""
    (tmp_path / "home" / ".claude").mkdir(parents=True)
    return install.Place(str(tmp_path / "home"), {})


@pytest.fixture
def settings(place):
    """~/.claude/settings.json."""
    return os.path.join(place.home, ".claude", "settings.json")


def write(path, text):
    """Exactly these characters, as UTF-8."""
    Path(path).write_bytes(text.encode())


def read(path):
    """The bytes of a file; None where there is none."""
    return Path(path).read_bytes() if os.path.exists(path) else None


def value(path):
    """A file's plain value."""
    return jsonc.read(read(path).decode().removeprefix("\ufeff"), ())


def commands(path):
    """Every hook's command by event."""
    hooks = value(path)["hooks"]
    return {event: [h["command"] for group in hooks[event] for h in group["hooks"]] for event in hooks}


def test_a_fresh_home_gets_every_event_and_the_server(place, settings):
    hooks, server, *skills = install.install(CLAUDE, WORDS, place)
    assert commands(settings) == {event: [f"/opt/clew/bin/clew hook claude {event}"] for event in EVENTS}
    groups = value(settings)["hooks"]
    assert groups["SessionStart"][0]["matcher"] == "startup|resume|clear|compact|fork"
    assert all(handler["timeout"] > 1 for event in EVENTS for handler in groups[event][0]["hooks"])
    wanted = {"type": "stdio", "command": "/opt/clew/bin/clew", "args": ["mcp"], "alwaysLoad": True}
    assert value(os.path.join(place.home, ".claude.json")) == {"mcpServers": {"clew": wanted}}
    assert (hooks.path, hooks.added, hooks.backup) == (settings, tuple(f"hooks.{event}" for event in EVENTS), None)
    assert server.added == ("mcpServers.clew",)
    assert [skill.added for skill in skills] == [("skills.clew-compile",), ("skills.clew-memory",)]
    assert os.stat(settings).st_mode & 0o777 == 0o600


def test_uninstalling_from_a_fresh_home_leaves_no_file_of_ours(place):
    install.install(CLAUDE, WORDS, place)
    install.uninstall(CLAUDE, place)
    assert [os.path.join(folder, name) for folder, _, names in os.walk(place.home) for name in names] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_uninstalling_gives_back_every_byte(name, place, settings):
    server_file = os.path.join(place.home, ".claude.json")
    for path in (settings, server_file):
        write(path, SAMPLES[name])
    install.install(CLAUDE, WORDS, place)
    changed = read(settings), read(server_file)
    assert SAMPLES[name].encode() not in changed
    assert set(EVENTS) <= set(value(settings)["hooks"])
    install.uninstall(CLAUDE, place)
    assert (read(settings), read(server_file)) == (SAMPLES[name].encode(), SAMPLES[name].encode())


@pytest.mark.parametrize("name", SAMPLES)
def test_a_second_run_touches_nothing(name, place, settings):
    write(settings, SAMPLES[name])
    install.install(CLAUDE, WORDS, place)
    before, moment = read(settings), os.stat(settings).st_mtime_ns
    os.utime(settings, ns=(moment - 10**12, moment - 10**12))
    again = install.install(CLAUDE, WORDS, place)
    assert read(settings) == before
    assert os.stat(settings).st_mtime_ns == moment - 10**12
    assert [(change.added, change.updated, change.removed, change.backup) for change in again] == [((), (), (), None)] * 4
    assert len([name for name in os.listdir(os.path.dirname(settings)) if name.endswith(".bak")]) == 1


@pytest.mark.parametrize("name", SAMPLES)
def test_everything_else_keeps_its_value_and_its_order(name, place, settings):
    write(settings, SAMPLES[name])
    before = value(settings) if SAMPLES[name].strip() else {}
    install.install(CLAUDE, WORDS, place)
    after = value(settings)
    assert {key: member for key, member in after.items() if key != "hooks"} == {k: v for k, v in before.items() if k != "hooks"}
    assert [key for key in after if key in before] == list(before)


def test_hooks_of_others_stay_where_they_are(place, settings):
    write(settings, FOREIGN)
    install.install(CLAUDE, WORDS, place)
    found = commands(settings)
    assert found["PostToolUse"] == ["prettier --write", "~/bin/clewless hook claude Stop", "/opt/clew/bin/clew hook claude PostToolUse"]
    assert found["Notification"] == ["say done"]


def test_what_others_add_later_stays_when_ours_goes(place, settings):
    install.install(CLAUDE, WORDS, place)
    text = read(settings).decode()
    text = jsonc.append(text, ("hooks", "Stop"), {"hooks": [{"type": "command", "command": "say done"}]})
    text = jsonc.append(text, ("hooks", "Stop", 0, "hooks"), {"type": "command", "command": "date"})
    write(settings, jsonc.put(text, ("model",), "opus"))
    install.uninstall(CLAUDE, place)
    assert value(settings) == {
        "hooks": {
            "Stop": [
                {"hooks": [{"type": "command", "command": "date"}]},
                {"hooks": [{"type": "command", "command": "say done"}]},
            ]
        },
        "model": "opus",
    }


def test_an_older_install_is_brought_up_to_date_in_its_place(place, settings):
    write(settings, OLDER)
    change, *_ = install.install(CLAUDE, WORDS, place)
    found = commands(settings)
    assert found["Stop"] == ["say done", "/opt/clew/bin/clew hook claude Stop"]
    assert "PostCompact" not in found
    assert {event: found[event] for event in EVENTS if event != "Stop"} == {
        event: [f"/opt/clew/bin/clew hook claude {event}"] for event in EVENTS if event != "Stop"
    }
    start = value(settings)["hooks"]["SessionStart"][0]
    assert (start["matcher"], start["hooks"][0]["timeout"]) == ("startup|resume", 3), "what a person may have set stays"
    assert "args" not in value(settings)["hooks"]["SessionEnd"][0]["hooks"][0]
    assert change.updated == ("hooks.SessionStart", "hooks.Stop", "hooks.SessionEnd")
    assert change.removed == ("hooks.PostCompact",)
    install.uninstall(CLAUDE, place)
    assert value(settings) == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}


def test_a_new_path_changes_the_paths_alone(place, settings):
    write(settings, SAMPLES["commented"])
    install.install(CLAUDE, WORDS, place)
    before = read(settings).decode()
    install.install(CLAUDE, ("/usr/local/bin/clew",), place)
    assert read(settings).decode() == before.replace("/opt/clew/bin/clew", "/usr/local/bin/clew")
    install.uninstall(CLAUDE, place)
    assert read(settings).decode() == SAMPLES["commented"]


def test_what_a_person_added_to_our_server_stays(place):
    path = os.path.join(place.home, ".claude.json")
    mine = {"command": "clew", "args": ["mcp", "--stdio"], "env": {"CLEW_HOME": "/x"}, "alwaysLoad": False}
    write(path, json.dumps({"mcpServers": {"clew": mine}}))
    install.install(CLAUDE, WORDS, place)
    assert value(path)["mcpServers"]["clew"] == {**mine, "command": "/opt/clew/bin/clew", "args": ["mcp"], "type": "stdio"}


def test_a_server_of_another_program_is_not_taken_over(place, settings):
    path = os.path.join(place.home, ".claude.json")
    text = '{"mcpServers": {"clew": {"command": "yarn", "args": ["knit", "mcp"]}}}'
    write(path, text)
    with pytest.raises(InvalidInput, match=r"\.claude\.json: mcpServers\.clew: this name belongs to another server.*--no-mcp"):
        install.install(CLAUDE, WORDS, place)
    assert (read(path), read(settings)) == (text.encode(), None)
    install.install(CLAUDE, WORDS, place, server=False)
    install.uninstall(CLAUDE, place)
    assert read(path) == text.encode()


BROKEN = [
    ('{"hooks": {"Stop": [}}', "1:21", "a value is expected here"),
    ('{\n  "model": "opus"\n  "x": 1\n}', "3:3", "a comma or } is expected here"),
    ('{"hooks": []}', "1:11", "an object is needed here, but a list stands here"),
    ('{"hooks": {"Stop": {}}}', "1:20", "a list is needed here"),
    ('{"hooks": {}, "hooks": {}}', "1:15", "stands here a second time"),
]


@pytest.mark.parametrize(("text", "where", "why"), BROKEN)
def test_a_file_that_cannot_be_edited_is_refused_by_place_and_nothing_is_written(text, where, why, place, settings):
    write(settings, text)
    with pytest.raises(InvalidInput) as caught:
        install.install(CLAUDE, WORDS, place)
    assert str(caught.value).startswith(f"{settings}:{where}: ")
    assert why in str(caught.value)
    assert "Nothing was written" in str(caught.value)
    assert read(settings) == text.encode()
    assert os.listdir(place.home) == [".claude"]


def test_one_broken_file_keeps_the_other_from_being_written(place, settings):
    write(os.path.join(place.home, ".claude.json"), "{")
    with pytest.raises(InvalidInput, match=r"\.claude\.json:1:2: .*the file ends"):
        install.install(CLAUDE, WORDS, place)
    assert read(settings) is None


def test_a_file_that_is_no_utf_8_is_refused(place, settings):
    Path(settings).write_bytes(b'{"a": "\xff"}')
    with pytest.raises(InvalidInput, match="is not UTF-8"):
        install.install(CLAUDE, WORDS, place)


def test_with_the_plugin_switched_on_nothing_is_installed_twice(place, settings):
    text = '{"enabledPlugins": {"clew@market": true}}'
    write(settings, text)
    with pytest.raises(InvalidInput, match=r"plugin clew@market is switched on.*claude plugin uninstall clew@market"):
        install.install(CLAUDE, WORDS, place)
    assert read(settings) == text.encode()


def test_a_dry_run_says_what_would_be_and_writes_nothing(place, settings):
    write(settings, SAMPLES["plain"])
    hooks, server, *_ = install.install(CLAUDE, WORDS, place, dry_run=True)
    assert (read(settings), os.listdir(place.home)) == (SAMPLES["plain"].encode(), [".claude"])
    assert "hook claude Stop" in hooks.after
    assert (server.before, json.loads(server.after)["mcpServers"]["clew"]["args"]) == (None, ["mcp"])


@pytest.mark.parametrize(
    ("left_out", "files"),
    [
        ("hooks", [".claude.json", "SKILL.md", "SKILL.md"]),
        ("server", ["settings.json", "SKILL.md", "SKILL.md"]),
        ("skills", ["settings.json", ".claude.json"]),
    ],
)
def test_hooks_server_or_skills_can_be_left_out(left_out, files, place):
    changes = install.install(CLAUDE, WORDS, place, **{left_out: False})
    assert [os.path.basename(change.path) for change in changes] == files


def test_the_folder_of_the_client_is_where_its_variable_says(tmp_path):
    moved = install.Place(str(tmp_path), {"CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")})
    install.install(CLAUDE, WORDS, moved)
    assert sorted(os.listdir(tmp_path / "elsewhere")) == [".claude.json", "settings.json", "skills"]
    assert os.listdir(tmp_path) == ["elsewhere"]


def test_one_project_gets_files_that_only_its_user_reads(place, tmp_path):
    project = tmp_path / "work" / "app"
    project.mkdir(parents=True)
    here = place._replace(project=str(project))
    install.install(CLAUDE, WORDS, here)
    assert set(commands(project / ".claude" / "settings.local.json")) == set(EVENTS)
    servers = value(os.path.join(place.home, ".claude.json"))["projects"][str(project)]["mcpServers"]
    assert servers["clew"]["command"] == WORDS[0]
    install.uninstall(CLAUDE, here)
    assert os.listdir(project / ".claude") == [], "no skills either: a repository's are everybody's"


def test_without_a_backup_an_emptied_container_is_taken_for_ours(place, settings):
    write(settings, '{"hooks": {}, "model": "opus"}')
    install.install(CLAUDE, WORDS, place)
    os.unlink(settings + ".clew-1.bak")
    install.uninstall(CLAUDE, place)
    assert value(settings) == {"model": "opus"}
