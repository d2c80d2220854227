"""Which model finds memories, and the rule that text stays near unless somebody says otherwise."""

import pytest

from clew.config import extractor, near
from clew.errors import InvalidInput
from clew.model import Extractor

OLLAMA = {"CLEW_EXTRACTOR": "ollama", "CLEW_EXTRACTOR_MODEL": "small:7b"}


@pytest.mark.parametrize("env", [{}, {"CLEW_EXTRACTOR": ""}, {"CLEW_EXTRACTOR": "rules", "CLEW_EXTRACTOR_URL": "http://127.0.0.1"}])
def test_without_a_name_no_model_is_asked(env):
    assert extractor(env) is None


@pytest.mark.parametrize(
    ("more", "url"),
    [
        ({}, "http://127.0.0.1:11434/api/chat"),
        ({"CLEW_EXTRACTOR_URL": "http://gpu:11434/"}, "http://gpu:11434/api/chat"),
        ({"CLEW_EXTRACTOR": "openai-compatible", "CLEW_EXTRACTOR_URL": "http://10.0.0.3:80/v1/"}, "http://10.0.0.3:80/v1/chat/completions"),
        (
            {"CLEW_EXTRACTOR": "openai-compatible", "CLEW_EXTRACTOR_URL": "http://127.0.0.1:80/v1/chat/completions"},
            "http://127.0.0.1:80/v1/chat/completions",
        ),
    ],
)
def test_a_model_is_named_by_its_address_and_name(more, url):
    found = extractor({**OLLAMA, **more})
    assert found == Extractor({**OLLAMA, **more}["CLEW_EXTRACTOR"], url, "small:7b", "")


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"CLEW_EXTRACTOR": "gpt"}, "CLEW_EXTRACTOR"),
        ({"CLEW_EXTRACTOR_MODEL": ""}, "CLEW_EXTRACTOR_MODEL"),
        ({"CLEW_EXTRACTOR": "openai-compatible"}, "CLEW_EXTRACTOR_URL"),
        ({"CLEW_EXTRACTOR_URL": "ftp://127.0.0.1"}, "CLEW_EXTRACTOR_URL"),
        ({"CLEW_EXTRACTOR_URL": "http://me:pw@127.0.0.1"}, "CLEW_EXTRACTOR_URL"),
        ({"CLEW_EXTRACTOR_URL": "http://[::1"}, "CLEW_EXTRACTOR_URL"),
        ({"CLEW_EXTRACTOR_URL": "https://api.example.com"}, "CLEW_EXTRACTOR_URL"),
        ({"CLEW_EXTRACTOR_URL": "https://api.example.com", "CLEW_EXTRACTOR_ANYWHERE": "no"}, "CLEW_EXTRACTOR_URL"),
        ({"CLEW_EXTRACTOR_KEY": "two words"}, "CLEW_EXTRACTOR_KEY"),
    ],
)
def test_what_is_missing_or_malformed_is_named(more, field):
    with pytest.raises(InvalidInput) as wrong:
        extractor({**OLLAMA, **more})
    assert wrong.value.field == field


def test_an_address_out_in_the_world_is_asked_only_when_somebody_allows_it():
    env = {**OLLAMA, "CLEW_EXTRACTOR_URL": "https://api.example.com", "CLEW_EXTRACTOR_ANYWHERE": "yes"}
    found = extractor(env)
    assert found is not None
    assert found.url == "https://api.example.com/api/chat"


@pytest.mark.parametrize(
    ("host", "is_near"),
    [
        ("localhost", True), ("127.0.0.1", True), ("::1", True), ("192.168.1.7", True), ("10.1.2.3", True), ("fd00::1", True),
        ("169.254.1.1", True), ("gpu", True), ("gpu.local", True), ("box.lan", True), ("8.8.8.8", False), ("2606:4700::1111", False),
        ("example.com", False), ("localhost.example.com", False), ("127.0.0.1.example.com", False),
        ("134744072", False), ("0x8080808", False), ("010.8.8.8", False), ("8.526344", False), ("gpu1", True), ("node.8.lan", True),
    ],
)  # fmt: skip
def test_near_is_judged_by_name_and_number_alone(host, is_near):
    assert near(host) is is_near
