"""Links that a text states in words, near misses of them, and what a memory is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_entities import memory

from clew.model import Source
from clew.rules.cues import MOST, cues, subjects
from clew.rules.entities import of_memory


def told(summary, **fields):
    one = memory(summary, **fields)
    return cues(one, of_memory(one))


STATED = [
    ("use Postgres because of #12", ("because", "ticket:#12")),
    ("retry, due to the issue #1", ("because", "ticket:#1")),
    ("caused by PR 12", ("because", "pr:pr 12")),
    ("this replaces “Use MySQL for the ledger”", ("supersedes", "title:use mysql for the ledger")),
    ('pick Argo instead of "Deploys go through Jenkins."', ("supersedes", "title:deploys go through jenkins")),
    ("supersedes the decision in ADR-7", ("supersedes", "ticket:adr-7")),
    ("supersedes ADR-7", ("supersedes", "ticket:adr-7")),
    ("reverts 1a2b3c4d5e", ("reverts", "commit:1a2b3c4")),
    ("Revert: commit `9f8e7d6`", ("reverts", "commit:9f8e7d6")),
    ("fixes #12", ("fixes", "ticket:#12")),
    ("Closes: owner/repo#12", ("fixes", "ticket:owner/repo#12")),
    ("depends on PROJ-123", ("depends_on", "ticket:proj-123")),
    ("it requires PEP 484", ("depends_on", "ticket:pep-484")),
    ("a duplicate of memory #7", ("duplicates", "memory:7")),
    ("duplicates memory #7", ("duplicates", "memory:7")),
    ("is the same as clew#8", ("duplicates", "memory:8")),
    ("was decided in mem:9", ("decided_in", "memory:9")),
    ("contradicts memory 9", ("contradicts", "memory:9")),
    ("superseded by PR 14", ("supersedes", "pr:pr 14", True)),
    ("fixed in commit abc1234", ("fixes", "commit:abc1234", True)),
    ("this blocks #15", ("depends_on", "ticket:#15", True)),
    ("we do not depend on #12", None),
    ("it doesn't fix #12", None),
    ("we have to fix #12 soon", None),
    ("because we like it", None),
    ("because of the 12 of them, not #13", None),
    ("fixes the layout, and #12 is another story", None),
    ("a prefix #12 of it", None),
    ('he left because "it rained"', ("because", "title:it rained")),
    ("instead of 3.11", None),
    ("requires Python 3.11 and v2", None),
]


@pytest.mark.parametrize(("text", "expected"), STATED, ids=[text for text, _ in STATED])
def test_a_wording_states_this_link_and_no_other(text, expected):
    assert [tuple(cue)[: len(expected or ())] for cue in told(text)] == ([expected] if expected else [])


def test_one_cue_may_name_several_ends():
    assert [cue.key for cue in told("fixes #12, #13 and PROJ-4; later #15")] == ["ticket:#12", "ticket:#13", "ticket:proj-4"]


def test_the_first_wording_counts_where_two_name_the_same_end():
    assert [tuple(cue) for cue in told("because of #12, which fixes #12")] == [("because", "ticket:#12", False)]


def test_what_the_memory_itself_is_about_is_no_end():
    assert told("#12: fixes #12 and #13") == (("fixes", "ticket:#13", False),)


def test_the_detail_is_read_too():
    assert told("a thing", detail="It is so\nbecause of\n#12.") == (("because", "ticket:#12", False),)


ABOUT = [
    ("#12: Retry storms", {"ticket:#12"}),
    ("[PROJ-7] login fails", {"ticket:proj-7"}),
    ("Issue 12 is back", {"ticket:#12"}),
    ("PR 14 – add retry", {"pr:pr 14", "ticket:#14"}),
    ("Add retry (#14)", {"pr:pr 14", "ticket:#14"}),
    ("Add retry (!14)", {"pr:pr 14", "ticket:#14"}),
    ("ADR 7: use Postgres", {"ticket:adr-7"}),
    ("Fixes #12", set()),
    ("see #12", set()),
    ("3.11 is out", set()),
    ("2024 was long", set()),
]


@pytest.mark.parametrize(("summary", "expected"), ABOUT, ids=[summary for summary, _ in ABOUT])
def test_a_memory_is_about_what_leads_its_summary(summary, expected):
    assert {key for key in subjects(memory(summary)) if not key.startswith("title:")} == expected


def test_a_memory_is_about_its_tags_its_numbers_and_its_commit():
    given = {
        "tags": ("#12", "PROJ-3", "well-known", "2024"),
        "metadata": {"pr": 15, "Issue": "PROJ-9", "ok": True, "ticket": 1.5, "sha": "1a2b3c4d"},
    }
    expected = {"ticket:#12", "ticket:proj-3", "pr:pr 15", "ticket:#15", "ticket:proj-9", "commit:1a2b3c4", "commit:abcdef1", "title:x"}
    assert subjects(memory("x", source=Source(commit="abcdef123456"), **given)) == expected


@pytest.mark.parametrize("length", [80, 81, 200])
def test_a_title_is_met_by_its_quotation_whatever_its_length(length):
    title = f"{'Use one queue a team and never share it with anybody else. ' * 4}"[: length - 1] + "x"
    (key,) = subjects(memory(title))
    assert [cue.key for cue in cues(memory(f'two queues now, because of "{title}"'), ())] == [key]
    assert subjects(memory(title[:-1] + "y")) != {key}


def test_a_short_title_is_spelt_out_and_a_long_one_is_not_kept_as_it_is():
    assert subjects(memory("X" * 80)) == {f"title:{'x' * 80}"}
    assert max(map(len, subjects(memory("y" * 81)))) < 30


def test_a_long_summary_is_no_title_to_be_quoted():
    assert subjects(memory("x" * 201)) == frozenset()
    assert subjects(memory("The X (old).")) == {"title:x"}


PARTS = [
    "because of ",
    "fixes ",
    "#12",
    ", ",
    " and ",
    '"',
    "“a b c”",
    "PR 3",
    "memory #4",
    "not ",
    "1a2b3c4",
    "commit ",
    "\n",
    "PROJ-1",
    "(",
    "#",
    "`",
]


@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join))
def test_any_mixture_of_wordings_states_few_links_and_the_same_again(text):
    found = told(text)
    assert found == told(text)
    assert len(found) <= MOST
    assert len({cue.key for cue in found}) == len(found)
    subjects(memory(text or "x"))


@pytest.mark.parametrize("piece", ["because of ", "fixes #", "#1, ", '"', "the ", "because of the ", "not ", "1a", "fixes #12 and ", "(("])
def test_a_long_run_of_anything_ends_soon(piece):
    assert len(told("x", detail=piece * 10_000)) <= MOST
