"""Settings: the flag, else the environment, else the default; what cannot be a path is refused by its name."""

import os

import pytest

from clew.config import exclusions, settings, usable_path
from clew.errors import InvalidInput

HOME = {"HOME": "/home/ann"}


@pytest.mark.parametrize(
    ("path", "env", "database"),
    [
        (None, {}, "/home/ann/.clew/memory.db"),
        (None, {"CLEW_HOME": "/data"}, "/data/memory.db"),
        (None, {"CLEW_HOME": "~/mine"}, "/home/ann/mine/memory.db"),
        (None, {"CLEW_HOME": "~"}, "/home/ann/memory.db"),
        (None, {"CLEW_HOME": "", "CLEW_DB": " "}, "/home/ann/.clew/memory.db"),
        (None, {"CLEW_DB": "/x/y.db", "CLEW_HOME": "/data"}, "/x/y.db"),
        (None, {"CLEW_DB": "~/y.db"}, "/home/ann/y.db"),
        (None, {"CLEW_DB": "/x/../y.db"}, "/y.db"),
        (None, {"CLEW_DB": ":memory:"}, ":memory:"),
        (None, {"CLEW_HOME": "/mit leer/ümläut 🧵"}, "/mit leer/ümläut 🧵/memory.db"),
        ("/flag.db", {"CLEW_DB": "/x/y.db"}, "/flag.db"),
        (":memory:", {"CLEW_DB": "/x/y.db"}, ":memory:"),
        ("~other/x.db", {}, None),
    ],
)
def test_the_store_lies_where_flag_environment_and_default_say_in_this_order(path, env, database):
    found = settings(path, None, HOME | env).database
    assert found == (os.path.abspath(path) if database is None else database)


def test_a_relative_path_starts_from_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert settings("a.db", None, HOME).database == str(tmp_path / "a.db")


CHOICES = [
    (None, {}, "static"),
    (None, {"CLEW_EMBED": " "}, "static"),
    (None, {"CLEW_EMBED": "off"}, "off"),
    ("off", {"CLEW_EMBED": "static"}, "off"),
]


@pytest.mark.parametrize(("flag", "env", "embed"), CHOICES)
def test_the_embedder_is_chosen_in_the_same_order(flag, env, embed):
    assert settings(None, flag, HOME | env).embed == embed


def test_a_home_that_is_empty_counts_as_none_and_windows_has_another_name_for_it():
    assert settings(None, None, {"HOME": "", "USERPROFILE": "/users/ann"}).home == "/users/ann"


@pytest.mark.parametrize("name", ["CLEW_DB", "CLEW_HOME"])
@pytest.mark.parametrize("text", ["a\0b", "a\nb", "a\x1bb", "a\u2028b", "a\udcffb"])
def test_a_character_that_no_path_may_hold_is_refused_by_the_setting_that_has_it(name, text):
    with pytest.raises(InvalidInput) as caught:
        settings(None, None, HOME | {name: "/x/" + text})
    assert caught.value.field == name
    assert str(caught.value).isascii()
    assert "\n" not in str(caught.value)


def test_a_path_flag_is_refused_as_a_path():
    with pytest.raises(InvalidInput) as caught:
        settings("\n", None, HOME)
    assert caught.value.field == "path"


def test_a_usable_path_is_absolute():
    assert usable_path("~/x", "path", "/home/ann") == "/home/ann/x"
    assert os.path.isabs(usable_path("x", "path", "/home/ann"))


def test_what_is_left_alone_is_named_by_a_file_and_by_the_environment(tmp_path):
    env = {"CLEW_EXCLUDE": os.pathsep.join(("*.pem", "/private/"))}
    assert exclusions("", env) == ("", "*.pem\n/private/")
    assert exclusions(str(tmp_path), {}) == ("", "")
    (tmp_path / ".clewignore").write_bytes(b"\xef\xbb\xbfsecrets/\n")
    assert exclusions(str(tmp_path), env) == ("secrets/\n", "*.pem\n/private/")


def test_what_is_no_file_excludes_nothing(tmp_path):
    (tmp_path / ".clewignore").mkdir()
    assert exclusions(str(tmp_path), {}) == ("", "")
