"""The bench of times: how it says a time otherwise, and what it measures of a small set."""

import json
import sys

import pytest
from rich.console import Console

from benchmarks import times


@pytest.mark.parametrize(
    ("question", "form", "said"),
    [
        ("Who owned it from 1811 to 1827?", "between", "Who owned it between 1811 and 1827?"),
        ("Who owned it from May 1811 to Feb 1827?", "between", "Who owned it between May 1811 and Feb 1827?"),
        ("From Berlin, who led it between 1811 and 1827?", "its middle", "From Berlin, who led it in 1819?"),
        ("Who owned it from 1811 to 1827?", "its decade", "Who owned it in the 1810s?"),
        ("Who owned it from 1811 to 1827?", "before", "Who owned it before 1827?"),
        ("Who owned it in 1811?", "after", ""),
        ("Who owned it from 1827 to 1811?", "after", ""),
    ],
)
def test_a_time_is_said_otherwise(question, form, said):
    assert times.asked(question, times.FORMS[form]) == said


def a_set(folder, question="Who led the harbour office from 1990 to 1995?"):
    """A set of one question whose words tell three leaders apart by their years alone."""
    texts = [
        f"{name} led the harbour office of the town from {years}." for name, years in (("Ada", "1970 to 1975"), ("Bo", "1990 to 1995"))
    ]
    texts += [f"The harbour office got its clock number {n} in {1900 + n}." for n in range(9)]
    (folder / "corpus.jsonl").write_text("".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(texts)), "utf-8")
    (folder / "queries.jsonl").write_text(json.dumps({"id": "q", "query": question, "gold": ["1"]}) + "\n", "utf-8")
    return folder


def test_a_set_is_measured_with_and_without_times_in_every_form(tmp_path):
    arms = times.measure(a_set(tmp_path), Console(quiet=True))["arms"]
    assert list(arms) == ["as asked", *times.FORMS]
    for figures in arms.values():
        assert figures["n"] == 1
        assert figures["recall@5"] == 1.0
        assert figures["gain"] == pytest.approx(100 * (figures["recall@5"] - figures["recall@5_without"]))


def test_a_set_without_such_questions_is_refused_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["times", str(a_set(tmp_path, "Who led the harbour office?"))])
    with pytest.raises(SystemExit, match='no question says "from YEAR to YEAR"'):
        times.main()
