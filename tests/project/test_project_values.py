"""Paths and remotes in the one spelling they are compared in."""

from __future__ import annotations

import pytest

from clew.project import local_path, normal_path, normal_remote

# ---- values


@pytest.mark.parametrize(
    ("path", "windows", "expected"),
    [
        ("/Home/App", False, "/Home/App"),
        ("/a\\b", False, "/a\\b"),
        ("/cafe\u0301", False, "/café"),
        ("/\udce9", False, "/\\udce9"),
        ("C:\\Users\\Me\\App", True, "c:/users/me/app"),
        ("\\\\?\\C:\\Long", True, "c:/long"),
        ("\\\\?\\UNC\\Server\\Share", True, "//server/share"),
        ("\\\\Server\\Share", True, "//server/share"),
        ("C:\\CAFE\u0301", True, "c:/café"),
    ],
)
def test_a_path_is_compared_in_one_spelling(path, windows, expected):
    assert normal_path(path, windows) == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://host.example/owner/repo",
        "https://host.example/owner/repo.git",
        "https://HOST.example/owner/repo/",
        "https://user:p@ss@host.example:8443/owner/repo.git/",
        "ssh://git@host.example:2222/owner/repo",
        "git@host.example:owner/repo.git",
        "host.example:/owner/repo",
        "git://host.example/owner/repo",
        "git+ssh://git@host.example/owner/repo",
        " https://host.example/owner/repo\n",
    ],
)
def test_every_way_to_write_a_remote_is_one_identity(url):
    assert normal_remote(url) == "host.example/owner/repo"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://host.example/Owner/Repo", "host.example/Owner/Repo"),
        ("ssh://git@[::1]:22/owner/repo", "::1/owner/repo"),
        ("/srv/git/repo.git", "/srv/git/repo"),
        ("/srv/git/repo/.git", "/srv/git/repo"),
        ("file:///srv/git/repo.git/", "/srv/git/repo"),
        ("../sibling", "../sibling"),
        ("./odd:name", "./odd:name"),
    ],
)
def test_a_remote_keeps_what_tells_it_apart(url, expected):
    assert normal_remote(url) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/a b", "/a b"),
        ("file:///a%20b", "/a b"),
        ("FILE://localhost/caf%C3%A9", "/café"),
        ("file:///C:/work", "C:/work"),
        ("C:\\work", "C:\\work"),
        ("C:/work", "C:/work"),
        ("host:path", None),
        ("https://host/path", None),
    ],
)
def test_a_local_path_is_told_from_an_address(text, expected):
    assert local_path(text) == expected
