"""The rule table: which rule a fragment meets first, and what each rule is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_requests import compiled, log_of, png, rules

from clew.compiler.classify import ALWAYS, OUTSIDE, RULE_IDS, RULES

TABLE = "media.atomic preserve.marked_verbatim cache.stable_prefix delta.reread preserve.code_fence preserve.negative_constraint".split()
TABLE += "abstract.log_collapse preserve.exact_values preserve.url preserve.default".split()
LATER = "drop.duplicate drop.near_duplicate budget.externalize retrieve.screenshot_superseded".split()
PAGE = Path(__file__).parents[2] / "docs" / "compiler.md"


def classified(content: str, **fields: object) -> str:
    """The rule of the table that one fragment meets."""
    return compiled([{"content": content, **fields}]).decisions[0].classified


def test_the_rule_ids_are_the_public_ones_in_their_order():
    assert [rule.id for rule in RULES] == TABLE
    assert list(OUTSIDE) == LATER
    assert list(RULE_IDS) == TABLE + LATER


def test_every_rule_is_on_the_page():
    page = PAGE.read_text("utf-8")
    assert [rule for rule in RULE_IDS if f"`{rule}`" not in page] == []


@pytest.mark.parametrize(
    ("content", "fields", "rule"),
    [
        ("caption", {"media": png(), "metadata": {"verbatim": True}}, "media.atomic"),
        ("never", {"metadata": {"verbatim": True, "cache": True}}, "preserve.marked_verbatim"),
        ("never", {"metadata": {"cache": True}}, "cache.stable_prefix"),
        ("x", {"metadata": {"cache": False, "verbatim": False}}, "preserve.default"),
        ("a = b", {"kind": "code"}, "preserve.code_fence"),
        ("see\n```\na\n```\n", {}, "preserve.code_fence"),
        ("see\n  ~~~\nan open one", {}, "preserve.code_fence"),
        ("a ``` inside a line", {}, "preserve.default"),
        ("Never do it at 10 20 30, https://a.example", {}, "preserve.negative_constraint"),
        (log_of(40), {}, "abstract.log_collapse"),
        (log_of(40), {"kind": "log"}, "abstract.log_collapse"),
        ("ports 8080, 8443 and v1.2 at https://a.example", {}, "preserve.exact_values"),
        ("from 2026-01-01 with 3 workers", {}, "preserve.default"),
        ("1. one\n2. two\n3. three\n4. four", {}, "preserve.default"),
        ("at https://a.example", {}, "preserve.url"),
        ("at HTTP://A.example", {}, "preserve.url"),
        ("at ftp://a.example", {}, "preserve.default"),
        ("plain words", {}, "preserve.default"),
        ("", {}, "preserve.default"),
    ],
)
def test_the_first_rule_that_fits_wins(content, fields, rule):
    assert classified(content, **fields) == rule


@pytest.mark.parametrize(
    "line",
    [
        "Never push to main.",
        "You MUST NOT log card numbers",
        "do not retry",
        "Don’t touch the ledger",
        "The table cannot be altered while it runs",
        "No deploys without a second reviewer",
        "Les clés ne doivent pas quitter le coffre",
        "Jamais le vendredi",
        "Accès interdit",
        "Das darf nicht gelöscht werden",
        "Niemals von Hand",
        "Ohne Freigabe geht nichts live",
        "Nunca reinicies el primario",
        "Está prohibido borrar",
        "não deve apagar",
        "É proibido",
        "不要删除备份",
        "严禁手工修改",
        "再起動してはいけません",
        "本番では使わないでください",
    ],
)
def test_a_prohibition_is_seen_in_seven_languages(line):
    assert classified(f"some words before\n{line}\nand after") == "preserve.negative_constraint"


@pytest.mark.parametrize(
    "line", ["a sans-serif face", "x = sin(y)", "using business logic", "nevertheless it works", "the niece of a friend", "knotted"]
)
def test_what_only_looks_like_a_prohibition_is_none(line):
    assert classified(line) == "preserve.default"


def test_a_machine_that_says_cannot_forbids_nothing():
    log = log_of(60).replace("no route to host", "cannot connect to host, do not retry")
    outcome = compiled([{"content": log, "kind": "log"}])
    assert rules(outcome) == ["abstract.log_collapse"]
    assert "cannot connect to host, do not retry" in outcome.content


def test_a_disabled_rule_is_passed_over():
    text = "Never before 10:00, 11:00 or 12:00, https://a.example"
    off: list[str] = []
    seen = []
    for rule in ("preserve.negative_constraint", "preserve.exact_values", "preserve.url"):
        off.append(rule)
        seen.append(compiled([{"content": text}], disabled_rules=off).decisions[0].rule)
    assert seen == ["preserve.exact_values", "preserve.url", "preserve.default"]


def test_the_rules_a_request_cannot_do_without_stay():
    assert set(ALWAYS) <= set(RULE_IDS)
    outcome = compiled([{"content": "c", "media": png()}, {"content": "words " * 50}], 5, disabled_rules=list(RULE_IDS))
    assert [d.classified for d in outcome.decisions] == ["media.atomic", "preserve.default"]
    assert rules(outcome) == ["budget.externalize"] * 2


def test_disabling_the_stages_outside_the_table_turns_them_off():
    twice = [{"content": "the same words"}, {"content": "the same words"}, {"content": "The same  words!"}]
    assert rules(compiled(twice)) == ["preserve.default", "drop.duplicate", "drop.near_duplicate"]
    assert rules(compiled(twice, disabled_rules=["drop.duplicate", "drop.near_duplicate"])) == ["preserve.default"] * 3
    assert rules(compiled(twice, near_duplicates=False)) == ["preserve.default", "drop.duplicate", "preserve.default"]
    shots = [{"content": f"shot {i}", "kind": "screenshot", "metadata": {"target": "home"}} for i in range(2)]
    assert rules(compiled(shots))[0] == "retrieve.screenshot_superseded"
    assert rules(compiled(shots, disabled_rules=["retrieve.screenshot_superseded"]))[0] == "preserve.default"
