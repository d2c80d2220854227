"""The grammar of times by examples, and what a memory's times are worth."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.model import Memory, Source, Strength
from clew.rules import times

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()


def at(*civil):
    """UTC seconds of a civil date."""
    return datetime(*civil, tzinfo=UTC).timestamp()


def memory(summary, **fields):
    """A memory that says `summary`."""
    made = Memory(1, "0" * 32, "p", "fact", "active", summary, "", (), {}, "x", Source(), (), NOW, NOW, 1, Strength(1, 5, 0))
    return made._replace(**fields)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("what changed in 2019?", at(2019, 1, 1), at(2020, 1, 1)),
        ("who owned it from 1811 to 1827", at(1811, 1, 1), at(1828, 1, 1)),
        ("between 1990 and 1995", at(1990, 1, 1), at(1996, 1, 1)),
        ("what did we decide in March 2023", at(2023, 3, 1), at(2023, 4, 1)),
        ("the outage of 14 March 2023", at(2023, 3, 14), at(2023, 3, 15)),
        ("the outage of Dec 31st, 2023", at(2023, 12, 31), at(2024, 1, 1)),
        ("released 2023-12", at(2023, 12, 1), at(2024, 1, 1)),
        ("released 2024-02-29", at(2024, 2, 29), at(2024, 3, 1)),
        ("music of the 1990s", at(1990, 1, 1), at(2000, 1, 1)),
        ("what was known before 2015", float("-inf"), at(2015, 1, 1)),
        ("since March 2023", at(2023, 3, 1), float("inf")),
        ("after March 2023", at(2023, 4, 1), float("inf")),
        ("in the early 1990s", at(1990, 1, 1), at(1994, 1, 1)),
        ("the mid-1990s", at(1993, 1, 1), at(1997, 1, 1)),
        ("late in the day of the late 1990s", at(1996, 1, 1), at(2000, 1, 1)),
        ("from Apr 1944 until 1949", at(1944, 4, 1), at(1950, 1, 1)),
        ("the mayor of 1999 to 2008, what did he win in 2005?", at(2005, 1, 1), at(2006, 1, 1)),
        ("the mayor of 1999 to 2008, what did he win in 2009?", at(2009, 1, 1), at(2010, 1, 1)),
        ("From 1932 to 1950, what was the school called, chartered in 1894 by the town?", at(1932, 1, 1), at(1951, 1, 1)),
        ("The importer, written in March 2023, when we still had Oracle: why was it dropped after 2024?", at(2025, 1, 1), float("inf")),
        ("In 2019, or in 2021, we moved the office", at(2019, 1, 1), at(2022, 1, 1)),
        ("after 1990 and before 1995", at(1991, 1, 1), at(1995, 1, 1)),
        ("the crash of 1929 and that of 1987", at(1929, 1, 1), at(1988, 1, 1)),
        ("what did we do yesterday", at(2026, 11, 29), at(2026, 11, 30)),
        ("what did we do today", at(2026, 11, 30), at(2026, 12, 1)),
        ("three days ago", NOW - 3.5 * times.DAY, NOW - 2.5 * times.DAY),
        ("in the last two weeks", NOW - 14 * times.DAY, NOW + times.DAY),
        ("what broke in May", at(2026, 5, 1), at(2026, 6, 1)),
        ("what did we decide last December", at(2025, 12, 1), at(2026, 1, 1)),
        ("since March", at(2026, 3, 1), float("inf")),
        ("before the 3rd of November", float("-inf"), at(2026, 11, 3)),
        ("the outage on Dec 24", at(2025, 12, 24), at(2025, 12, 25)),
        ("what did we agree on Friday", at(2026, 11, 27), at(2026, 11, 28)),  # NOW is a Monday
        ("what did we agree last Monday", at(2026, 11, 23), at(2026, 11, 24)),
        ("since Sunday", at(2026, 11, 29), float("inf")),
        ("what broke last week", NOW - 14 * times.DAY, NOW + times.DAY),
        ("since yesterday", at(2026, 11, 29), float("inf")),
        ("before last week", float("-inf"), NOW - 14 * times.DAY),
        ("until two days ago", float("-inf"), NOW - 2.5 * times.DAY),
        ("before last Friday", float("-inf"), at(2026, 11, 27)),
        ("the season 2019-21", at(2019, 1, 1), at(2022, 1, 1)),
        ("from 2019-2021", at(2019, 1, 1), at(2022, 1, 1)),
        ("in 2019/2020 we moved", at(2019, 1, 1), at(2021, 1, 1)),
        ("the 2019 release took 1500 ms", at(2019, 1, 1), at(2020, 1, 1)),
    ],
)
def test_a_question_names_this_time(question, start, end):
    assert times.asked(question, NOW) == (start, end)


@pytest.mark.parametrize(
    "question",
    [
        "which database did we pick",
        "port 8080 is taken",
        "why 5 retries",
        "version 1.2023.4",
        "the manylinux2014 tag",
        "what listens on port 2024",
        "Error 2023 and exit code 1999",
        "cp1252 and x_2010",
        "issue #1987",
        "what may we do",
        "the last may be wrong",
        "how we march on",
        "who owns the sunday job",
        "on 31 June",
        "2023-13-40",
        "2025-02-29",
        "31 April 2025",
        "2025-00-10",
        "the last resort",
        "1500% more",
        "before 1990 and after 1995",
        "retry after 1200 seconds",
        "why is the buffer 1024 bytes, or 2048-bit",
        "a limit of 2000 rows and at least 1500",
        "a picture of 1024x768 or 1920×1080",
        "it costs $2000 or 1999€",
        "what did commit 2019abc and PR 2019 do",
        "2019-19",
    ],
)
def test_a_question_without_a_time_names_none(question):
    assert times.asked(question, NOW) is None


def test_what_is_pasted_behind_a_question_asks_for_no_time():
    assert times.asked("why does it fail?" + " " * times.ASKED + "2024-05-01", NOW) is None
    assert times.asked(" " * (times.ASKED - 5) + "2019 and 2024", NOW) == (at(2019, 1, 1), at(2020, 1, 1))


@given(st.text(max_size=200), st.floats(0, 4e9))
def test_no_text_breaks_the_grammar(question, now):
    span = times.asked(question, now)
    assert span is None or span.start <= span.end


@given(st.dates())
def test_days_are_counted_as_the_calendar_does(day):
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    assert times._start(day.year, day.month, day.day) == (midnight - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()


def test_a_memory_speaks_of_the_years_it_names_and_of_when_it_is_valid():
    spoken = times.of_memory(memory("Built 1794, sold 1916-1920", valid_from=at(2000, 1, 1)))
    named = ((1794, 1794), (1916, 1916), (1916, 1920), (1920, 1920))
    assert spoken[:4] == tuple((at(first, 1, 1), at(last + 1, 1, 1)) for first, last in named)
    assert spoken[4] == (at(2000, 1, 1), float("inf"))
    assert times.of_memory(memory("1995–98"))[1] == (at(1995, 1, 1), at(1999, 1, 1))
    assert times.of_memory(memory("Use PostgreSQL on port 5432")) == ()


def fit(question, summary, **fields):
    """How well a memory fits the time of a question."""
    return times.fit(times.asked(question, NOW), times.of_memory(memory(summary, **fields)))


def test_a_memory_of_that_time_fits_better_than_one_beside_it_and_that_better_than_a_distant_one():
    inside, beside, distant = (fit("from 1990 to 1995", f"It was {year}") for year in (1992, 1996, 1950))
    assert inside > beside > distant >= 0.0


def test_who_names_an_end_fits_better_than_who_names_a_year_between():
    begins, ends, between = (fit("from 1990 to 1998", f"It was {year}") for year in (1990, 1998, 1994))
    assert begins > ends > between


def test_the_nearest_to_the_one_end_of_an_open_time_fits_best():
    for question, years in (("after 1990", (1991, 1999, 1970)), ("since 1990", (1990, 1999, 1970)), ("before 1990", (1989, 1975, 2010))):
        near, far, outside = (fit(question, f"It was {year}") for year in years)
        assert near > far > outside


def test_what_is_a_little_off_a_week_is_off_by_days():
    assert fit("yesterday", "Deploys are frozen", valid_from=NOW - 40 * times.DAY, valid_to=NOW - 30 * times.DAY) < 0.01


def test_a_memory_that_names_both_ends_fits_wholly():
    assert fit("from 1990 to 1995", "Coach 1990-1995") == pytest.approx(1.0)


def test_a_memory_without_a_time_says_nothing():
    assert fit("in 1990", "He was a coach") is None


def test_when_it_was_valid_counts_like_a_year_it_names():
    assert fit("in March 2023", "Deploys are frozen", valid_from=at(2023, 3, 5), valid_to=at(2023, 3, 20)) > 0.8
    assert fit("in March 2023", "Deploys are frozen", valid_to=at(2020, 1, 1)) < 0.1


def test_what_began_then_fits_better_than_what_holds_ever_since_long_ago_and_that_better_than_what_is_over():
    for question in ("yesterday", "last week", "since last week"):
        began, ever, over = (
            fit(question, "Deploys are frozen", valid_from=NOW - 1.2 * times.DAY),
            fit(question, "Deploys are frozen", valid_from=NOW - 900 * times.DAY),
            fit(question, "Deploys are frozen", valid_from=NOW - 900 * times.DAY, valid_to=NOW - 500 * times.DAY),
        )
        assert began > 0.7 > ever > 0.3 > over


@pytest.mark.parametrize(
    ("question", "days", "counts"),
    [
        ("last week", 3, True),
        ("since last week", 3, True),
        ("this year", 200, True),
        ("last week", 30, False),
        ("since 2019", 3, False),
        ("before last week", 30, False),
    ],
)
def test_when_it_was_written_counts_where_the_question_speaks_of_lately(question, days, counts):
    kept = memory("Deploys are frozen", recorded_at=NOW - days * times.DAY)
    assert bool(times.written(kept, times.asked(question, NOW))) is counts


def test_what_fits_is_lifted_by_its_own_score_and_by_that_of_the_best_one():
    lifted = [times.lifted(score, 1.0, fit, 0.5) for score, fit in ((0.2, 1.0), (0.4, 1.0), (0.4, 0.5), (0.4, None), (0.4, 0.0))]
    assert lifted[1] > lifted[2] > lifted[3] > lifted[4] == 0.4
    assert lifted[0] > 0.2 * (1 + times.GAIN)


def test_what_only_happens_to_be_of_that_time_gains_a_third_of_what_is_about_the_subject_too():
    off, on = (times.lifted(0.4, 1.0, 1.0, about) - 0.4 for about in (0.0, 1.0))
    assert on == pytest.approx(3 * off)


@pytest.mark.parametrize(
    ("summary", "lexical", "about"),
    [
        (["cache", "server"], 0.1, 1.0),  # the question names all that the summary does
        (["cache", "server", "of", "redi"], 0.1, 0.5),
        (["queue"], 0.7, 0.7),  # it says much of what the question says
        ([], 0.0, 0.0),
    ],
)
def test_a_memory_is_about_the_question_by_its_summary_or_by_its_words(summary, lexical, about):
    assert times.about(summary, {"cache", "server", "decid"}, lexical) == about


@given(st.integers(1, 9_998), st.integers(0, 364 * 86_400))
def test_a_month_without_its_year_is_the_last_that_has_begun(year, into):
    now = datetime(year, 1, 1, tzinfo=UTC).timestamp() + into
    assert times.asked("what did we do in January", now) == (at(year, 1, 1), at(year, 2, 1))


PIECES = [*sorted(times._HINTS), "1999", "x7", "_", " ", " ", " the ", " in ", "on ", ".", ",", "'s", "-", "why", "MAY", "ſ", "İ", "\u2028"]


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_what_is_looked_at_first_passes_over_no_time(question):
    assert times._hinted(question) or not times._pattern(times._ANY).search(question)


def test_a_question_without_a_time_compiles_nothing(monkeypatch):
    monkeypatch.setattr(times, "_pattern", None)
    assert times.asked("why do we retry the upload twice, and who marked it", NOW) is None
