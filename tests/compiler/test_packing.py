"""What is emitted when not everything fits, and how the outcome says so."""

from __future__ import annotations

import json
import random
from random import Random

import pytest
from compiled_requests import Words, compiled, log_of, png, rules

from clew.compiler.answer import full_response, slim_response
from clew.compiler.pipeline import compile_request
from clew.compiler.tokens import counter

FILLER = "The importer keeps orders until somebody looks at them again."
NAMES = "carriers orders parcels refunds quotes vouchers ledgers sessions batches tariffs".split()
ABOUT = [f"Somebody looks after {name}, and the {other} wait for that." for name, other in zip(NAMES, reversed(NAMES), strict=True)]
LONG = "\n\n".join(
    [*ABOUT, "The gateway port is 8443 for 3 tenants since 2026-01-01.", *(text.replace("Somebody", "Nobody") for text in ABOUT)]
)


def kept(outcome) -> list[str]:
    """How much of each fragment is emitted."""
    return [decision.kept for decision in outcome.decisions]


def test_everything_that_fits_is_emitted_in_input_order_with_an_empty_line_between():
    outcome = compiled([{"content": "one\n"}, {"content": "two"}, {"content": "three\n\n"}, {"content": "four"}])
    assert outcome.content == "one\n\ntwo\n\nthree\n\nfour"
    assert (outcome.risk, outcome.warnings, dict(outcome.sources)) == ("low", (), {})


def test_a_budget_of_exactly_what_there_is_cuts_nothing():
    listed = [{"content": f"{FILLER} {name}"} for name in ("a", "b", "c")]
    need = compiled(listed).account.tokens_out
    assert kept(compiled(listed, need)) == ["whole"] * 3
    assert "none" in kept(compiled(listed, need - 1))


def test_critical_goes_before_priority_and_priority_before_relevance():
    listed = [
        {"content": "the gateway port, plainly said once"},
        {"content": "something else said with priority!", "priority": 9},
        {"content": "never do anything of the kind here"},
    ]
    assert kept(compiled(listed, 12, "gateway port")) == ["none", "none", "whole"]
    assert kept(compiled(listed, 22, "gateway port")) == ["none", "whole", "whole"]


def test_of_two_relevant_ones_the_shorter_and_of_equal_ones_the_first_is_taken():
    assert kept(compiled([{"content": "port " * 20}, {"content": "a port here"}], 10, "port")) == ["none", "whole"]
    assert kept(compiled([{"content": f"a port {name}"} for name in "xyz"], 4, "port")) == ["whole", "none", "none"]


def test_a_partly_emitted_fragment_keeps_its_relevant_pieces_in_order_with_a_marker_and_handle():
    outcome = compiled([{"content": LONG}], 70, "gateway port")
    (decision,) = outcome.decisions
    assert decision.kept == "part"
    assert "The gateway port is 8443" in outcome.content
    assert f"whole: {decision.handles[0][:16]}]" in outcome.content
    assert outcome.sources[decision.handles[0]].bytes == LONG.encode()
    assert (decision.rule, decision.classified, decision.risk) == ("budget.externalize", "preserve.exact_values", "high")
    assert decision.lost > 0 == decision.externalised
    assert outcome.warnings[0].startswith("fragment 0 (text): critical content cut")


def test_verbatim_is_whole_or_not_there():
    listed = [{"content": LONG, "metadata": {"verbatim": True}}]
    assert kept(compiled(listed, 70)) == ["none"]
    assert kept(compiled(listed, 700)) == ["whole"]


def test_failures_of_a_log_find_room_beside_pages_that_bear_on_the_query():
    outcome = compiled([{"content": LONG}, {"content": log_of(200), "kind": "log"}, {"content": LONG.replace("8443", "9443")}], 170, "port")
    assert "ERROR worker: job 17 failed: no route to host" in outcome.content
    assert "1 failed" in outcome.content


def test_a_log_whose_failure_found_no_room_reads_high():
    outcome = compiled([{"content": log_of(200), "kind": "log"}], 5)
    assert (outcome.risk, kept(outcome)) == ("high", ["none"])
    assert "failures of a log" in outcome.warnings[0]


def test_a_later_screenshot_of_the_same_target_supersedes_the_earlier_ones():
    shots = [{"content": f"shot {i}", "kind": "screenshot", "media": png(seed=i), "metadata": {"target": t}} for i, t in enumerate("abaa")]
    outcome = compiled(shots)
    assert rules(outcome) == ["retrieve.screenshot_superseded", "media.atomic", "retrieve.screenshot_superseded", "media.atomic"]
    assert [place for place, _ in outcome.media] == [1, 3]
    first = outcome.decisions[0]
    assert (first.action, first.externalised, first.saved) == ("retrieve", first.tokens_in, 0)
    assert [outcome.sources[handle].mime.partition(";")[0] for handle in first.handles] == ["image/png", "text/plain"]
    assert f"[earlier screenshot set aside: {first.handles[0][:16]}]" in outcome.content


def test_screenshots_without_a_target_or_marked_verbatim_stay():
    shots = [{"content": f"s {i}", "kind": "screenshot"} for i in range(2)]
    marked = [{**shot, "metadata": {"target": "a", "verbatim": True}} for shot in shots]
    assert kept(compiled(shots)) == kept(compiled(marked)) == ["whole", "whole"]


def test_images_count_towards_the_budget():
    image = {"content": "", "media": png(300, 250)}  # 100 tokens
    assert compiled([image]).account.tokens_out == 100
    assert kept(compiled([image], 100)) == ["whole"]
    assert kept(compiled([image], 99)) == ["none"]


def test_the_cache_section_is_whole_fragments_in_input_order():
    marked = {"metadata": {"cache": True}}
    listed = [{"content": "body"}, {"content": "one " * 20, **marked}, {"content": "two " * 40, **marked}, {"content": "six", **marked}]
    full = compiled(listed)
    assert full.content[: full.cache_chars] == f"{'one ' * 20}\n\n{'two ' * 40}\n\nsix"
    small = compiled(listed, 30)
    assert small.content[: small.cache_chars] == f"{'one ' * 20}\n\nsix"
    assert (small.risk, kept(small)[2]) == ("high", "none")
    assert [s.name for s in full.sections] == ["cache", "cache", "cache", "body"]


def test_the_cache_section_is_the_same_over_ten_turns_of_changing_queries_budgets_and_bodies():
    marked = [{"content": f"rule {i}: {FILLER}", "metadata": {"cache": True}} for i in range(4)]
    prefixes = set()
    for turn in range(10):
        body = [{"content": f"{FILLER} turn {turn} {n}", "priority": n} for n in range(turn)]
        outcome = compiled([*body[:2], *marked, *body[2:]], 150 + 37 * turn, f"query {turn}")
        prefixes.add(outcome.content[: outcome.cache_chars])
    assert len(prefixes) == 1


def test_savings_have_a_price_where_one_is_named():
    outcome = compiled([{"content": FILLER}] * 3, pricing={"input_per_million": 2.0, "currency": "EUR"})
    assert outcome.account.saved_cost == pytest.approx(outcome.account.saved * 2e-6)
    assert outcome.account.currency == "EUR"
    assert compiled([{"content": FILLER}]).account.saved_cost is None


def test_insights_say_what_the_request_is_made_of():
    listed = [{"content": log_of(300)}, {"content": FILLER}, {"content": FILLER}, {"content": "rules", "metadata": {"cache": True}}]
    assert [insight.code for insight in compiled(listed).insights] == ["logs", "duplicates", "largest", "cache"]
    assert "budget" in [insight.code for insight in compiled(listed, 40).insights]


def test_warnings_are_bounded_and_counted():
    outcome = compiled([{"content": f"never {i} of these words"} for i in range(70)], 3)
    assert len(outcome.warnings) == 51
    assert outcome.warnings[-1].startswith("20 more")


def test_the_answer_is_json_and_ids_lose_no_digit():
    request = {
        "token_budget": 60,
        "fragments": [{"content": LONG, "id": "9007199254740993"}, {"content": "x", "id": 5}, {"content": "", "media": png(9, 9)}],
    }
    outcome = compile_request(request, Words())
    full = json.loads(json.dumps(full_response(outcome)))
    assert [d["id"] for d in full["decisions"]] == ["9007199254740993", 5, None]
    assert full["handles"][0] == {
        "handle": outcome.decisions[0].handles[0],
        "fragment": 0,
        "id": "9007199254740993",
        "bytes": len(LONG),
        "mime": "text/plain; charset=utf-8",
    }
    assert full["account"]["tokens_in"] == outcome.account.tokens_in
    assert [m["mime"] for m in full["media"]] == ["image/png"]
    slim = json.loads(json.dumps(slim_response(outcome)))
    assert slim["content"] == full["content"]
    assert "decisions" not in slim
    assert slim["rules"]["budget.externalize"] == 1
    assert len(json.dumps(slim)) < len(json.dumps(full)) / 2


def test_a_slim_answer_lists_the_handles_that_the_content_does_not_show():
    outcome = compiled([{"content": FILLER * 9}, {"content": "x"}], 6)
    assert slim_response(outcome)["handles"] == list(outcome.decisions[0].handles)


def test_a_piece_that_bears_on_the_query_goes_before_one_that_only_holds_numbers():
    numbers = [f"In {year} the {name} took {year % 7} ms and {year % 11} queries." for year, name in enumerate(NAMES, 2001)]
    text = "\n\n".join([*numbers, "Partial settlements are rounded half to even.", *reversed(numbers)])
    outcome = compiled([{"content": text}], 60, "how are partial settlements rounded?")
    assert outcome.decisions[0].classified == "preserve.exact_values"
    assert "Partial settlements are rounded half to even." in outcome.content


def test_the_failure_in_a_tools_output_finds_room_though_nothing_in_it_repeats():
    dots = "\n".join(f"tests/test_{name}.py {'.' * n} [{n}0%]" for n, name in enumerate(NAMES, 1))
    failure = "E   AssertionError: assert 682 == 3201\nFAILED tests/test_ledgers.py::test_settle\n"
    output = f"$ pytest -x\n{dots}\n{failure}1 failed, 54 passed in 2.1s\n"
    listed = [{"content": output, "kind": "tool_result"}, *({"content": LONG.replace("8443", str(8000 + n))} for n in range(5))]
    outcome = compiled(listed, 260, "gateway port")
    assert failure in outcome.content


def test_without_a_query_a_prohibition_goes_before_values_and_values_before_the_rest():
    text = "\n\n".join([*ABOUT, "It listens on 8443, 9443 and 7443.", "Never restart it."])
    (first, second) = (compiled([{"content": text}], budget).content for budget in (25, 40))
    assert "Never restart it." in first
    assert "8443" not in first
    assert "Never restart it." in second
    assert "8443" in second


@pytest.mark.parametrize("budget", [500, 2_000, 5_000])
def test_thousands_of_short_pieces_that_stand_apart_fill_the_budget_and_do_not_empty_it(budget):
    letters = Random(3)
    words = ["".join(letters.choice("abcdefghij") for _ in range(letters.choice((2, 3, 3, 4, 40)))) for _ in range(5_000)]
    request = {"query": "abc cab", "token_budget": budget, "fragments": [{"content": "\n\n".join(words)}]}
    outcome = compile_request(request, counter())
    assert 0.9 * budget <= outcome.account.tokens_out <= budget


def test_one_paragraph_that_answers_goes_before_many_short_pieces_that_do_not():
    answer = (
        "Sources behind handles are pruned by age: " + " ".join(f"after {name} have been settled," for name in NAMES) + " all of them go."
    )
    code = "\n\n".join(f"import {name}\n\n\n)\n\n[{n}]\n\nsources = {n}" for n, name in enumerate(NAMES * 9))
    listed = [{"content": code, "kind": "code"}, {"content": "\n\n".join([*ABOUT, answer, *ABOUT]), "kind": "code"}]
    outcome = compile_request({"query": "how are sources pruned?", "token_budget": 260, "fragments": listed}, counter())
    assert answer in outcome.content


@pytest.mark.parametrize("forbidden", ["NEVER DELETE.", "You mustn't touch prod.", "Nunca borres la tabla."])
@pytest.mark.parametrize("gap", ["\n", " "])
def test_under_a_small_budget_a_prohibition_stays_though_its_paragraph_has_no_room(forbidden, gap):
    text = gap.join([forbidden, *(f"Words about {one}{two}ing and {two}{one}ed things." for one in "bdfgklmn" for two in "aeiouy")])
    outcome = compile_request({"token_budget": 50, "fragments": [{"content": text}]}, counter())
    assert forbidden in outcome.content
    assert (outcome.risk, outcome.decisions[0].kept) == ("high", "part")


def test_a_first_piece_that_counts_more_than_expected_leaves_the_room_to_another():
    signs = "retry's policy won't __x__ (a) [b] `c` \"d\" hooks; 3.14 #7 f(x) ${y} <z> €5 naïve über".split()
    empty = []
    for seed in range(60):
        r = random.Random(seed)
        listed = [{"content": "\n".join(" ".join(r.choices(signs, k=r.randint(4, 20))) for _ in range(9))} for _ in range(3)]
        outcome = compile_request({"query": "retry policy", "token_budget": 44, "fragments": listed}, counter())
        assert outcome.account.tokens_out <= 44
        empty += [seed] * (outcome.content == "")
    assert empty == []
