"""Which sentences of a text are memories, of which kind, and which is the reason of which."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.rules.prose import DETAIL_CHARS, MOST, kind_of, pieces


def said(text):
    """(summary, kind) of each piece."""
    return [(piece.summary, piece.kind) for piece in pieces(text)]


def reasons(text):
    """(summary, summary of its reason) of each link."""
    found = pieces(text)
    return [(piece.summary, found[at].summary) for piece in found for at in piece.because]


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("We decided to use PostgreSQL for the ledger.", "decision"),
        ("Never log request bodies.", "decision"),
        ("We will keep the old API until June.", "decision"),
        ("Use pnpm instead of npm.", "decision"),
        ("We no longer support Python 3.8.", "decision"),
        ("The library can be adopted bit by bit and needs no plan.", "fact"),
        ("The page tells what was decided.", "fact"),
        ("Ana prefers short answers.", "feedback"),
        ("Please always run the linter first.", "feedback"),
        ("The user wants all dates in ISO form.", "feedback"),
        ("To restore a backup, run `make restore` on the standby.", "procedure"),
        ("Before a release, tag the commit.", "procedure"),
        ("Restart the worker after a schema change.", "procedure"),
        ("The staging database lives in eu-west-1.", "fact"),
        ("Access tokens expire after 15 minutes.", "fact"),
        ("The queue dropped messages when a worker died.", "fact"),
        ("Our vendor bills per call.", "fact"),
    ],
)
def test_a_sentence_that_states_something_has_a_kind(sentence, kind):
    assert kind_of(sentence) == kind


@pytest.mark.parametrize(
    "sentence",
    [
        "Should we use PostgreSQL for the ledger?",
        "Maybe we should use PostgreSQL.",
        "I think the queue is full.",
        "Thanks, that was helpful!",
        "Hello everyone, welcome to the meeting.",
        "I went to lunch at 12.",
        "Sounds good.",
        "It is slow.",
        "This breaks the build.",
        "TODO: the parser needs tests.",
        "The package `annotated-doc` was made for:",
        "You can run the tests from the project root with::",
        "**To restore the backup, run:**",
        "Nice weather today.",
        "",
    ],
)
def test_what_asks_guesses_greets_or_leans_on_another_sentence_is_no_memory(sentence):
    assert kind_of(sentence) == ""


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("We use Postgres because MongoDB lost writes.", ("We use Postgres", "MongoDB lost writes")),
        ("Because the vendor bills per call, we cache every answer.", ("We cache every answer", "The vendor bills per call")),
        ("The vendor bills per call, so we cache every answer.", ("We cache every answer", "The vendor bills per call")),
        ("The queue dropped messages. Therefore we switched to RabbitMQ.", ("We switched to RabbitMQ", "The queue dropped messages")),
        ("The queue dropped messages. That's why we switched to RabbitMQ.", ("We switched to RabbitMQ", "The queue dropped messages")),
        ("We switched to RabbitMQ. The reason is that Redis dropped messages.", ("We switched to RabbitMQ", "Redis dropped messages")),
    ],
)
def test_a_reason_becomes_a_memory_of_its_own_and_a_link(text, link):
    assert reasons(text) == [link]


@pytest.mark.parametrize(
    "text",
    [
        "We use Postgres because of the licence.",
        "We dropped the cache because it was stale.",
        "The client is fast so that users stay.",
        "The queue dropped messages. We use RabbitMQ.",
        "The tests are slow. So far the team has 3 runners.",
        "The client has been stable since version 2.",
    ],
)
def test_what_does_not_stand_alone_or_gives_no_reason_is_not_linked(text):
    assert reasons(text) == []


def test_what_was_a_reason_before_is_known_again():
    text = "We queue in RabbitMQ because Redis dropped jobs.\n\nRedis dropped jobs. Therefore we keep a copy of every upload."
    assert reasons(text) == [("We queue in RabbitMQ", "Redis dropped jobs"), ("We keep a copy of every upload", "Redis dropped jobs")]


def test_the_whole_sentence_stays_as_the_detail_of_what_it_says():
    first, second = pieces("We use Postgres because MongoDB lost writes.")
    assert (first.detail, second.detail) == ("We use Postgres because MongoDB lost writes.", "")


def test_a_sentence_that_leans_on_the_one_before_becomes_its_detail():
    (only,) = pieces("The importer leaks memory. It took us two days to find the cause. Does it still?")
    assert (only.summary, only.detail) == ("The importer leaks memory", "The importer leaks memory. It took us two days to find the cause.")


def test_code_tables_headings_and_quotations_are_not_read():
    text = """---
title: We use YAML here
---
.. note:: We use directives for everything

# We use headings for everything

> We use quotations of others.

| We use | tables |

```sql
-- We use SQL comments
```
<!-- We use comments -->
We use prose.
"""
    assert [summary for summary, _ in said(text)] == ["We use prose"]


def test_list_items_stand_alone_and_wrapped_lines_belong_together():
    text = "- The API listens on\n  port 8080\n- [x] The UI listens on port 3000\n1. Never log request bodies"
    assert [s for s, _ in said(text)] == ["The API listens on port 8080", "The UI listens on port 3000", "Never log request bodies"]


def test_abbreviations_and_versions_do_not_end_a_sentence():
    assert said("Use v1.2 of the parser, e.g. Black needs it.") == [("Use v1.2 of the parser, e.g. Black needs it", "decision")]


def test_what_is_said_twice_is_one_memory():
    assert len(pieces("Never log request bodies. The API is at port 80. Never log request bodies!")) == 2


def test_no_text_gives_more_than_the_bound():
    assert len(pieces("\n\n".join(f"Port {n} is used by service {n}, so we use port {n + 1}." for n in range(300)))) == MOST


@pytest.mark.parametrize("unit", ["We use X. ", "```x\n", "A. B. C. ", "It is so good. ", "word ", "`" * 600 + "\n", "Is it so? "])
def test_a_text_of_a_mebibyte_is_read_however_little_it_says(unit):
    text = "We use Go for all.\n\n" + unit * ((1 << 20) // len(unit))
    found = pieces(text)
    assert found[0].summary == "We use Go for all"
    assert max(len(piece.detail) for piece in found) <= DETAIL_CHARS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("````\nWe use A now.\n```\nWe use B now.\n````\n\nWe use C now.", ["We use C now"]),
        ("~~~\nWe use A now.\n```\n\nWe use B now.", ["We use A now", "We use B now"]),
        ("```sh\nWe use A now.\n``` \nWe use B now.", ["We use B now"]),
        ("**Decision**: we use A now\n**Reason:** the server is slow\n", ["**Decision**: we use A now", "**Reason:** the server is slow"]),
        ("We use A now. Über uns wird nichts gesagt. We use B now.", ["We use A now", "We use B now"]),
        ("We use A now. 我们决定使用 Go。We use B now.", ["We use A now", "We use B now"]),
    ],
)
def test_fences_labels_and_sentences_end_where_their_signs_say(text, expected):
    assert [summary for summary, _ in said(text)] == expected


@given(st.text(max_size=2_000))
def test_any_text_is_read_and_every_reason_is_one_of_its_pieces(text):
    found = pieces(text)
    assert all(0 <= cause < len(found) and cause != at for at, piece in enumerate(found) for cause in piece.because)
    assert all(piece.summary == piece.summary.strip() != "" for piece in found)
