"""The best answers in a new order: the judge's word is added, the work is bounded, and a successor stays above what it replaced."""

from types import SimpleNamespace

from clew.engines import rerank
from clew.model import Hit, Signals


class Judge:
    """Reads a text's last number as its word in hundredths, each text as long as it has letters; counts what it read."""

    most = 4

    def __init__(self):
        self.read = 0

    def asked(self, question):
        return [0] * len(question)

    def told(self, text):
        return [int(text.rpartition(" ")[2])] * len(text)

    def judge(self, asked, told):
        self.read += len(asked) + len(told)
        return told[-1] / 100


def hits(*words, score=0.9, detail=""):
    """Hits from #1 on, a tenth between the scores of two neighbours, each with its word at the end of the summary."""
    made = []
    for number, word in enumerate(words, 1):
        own = score - number / 10
        memory = SimpleNamespace(id=number, summary=f"text {word}", detail=detail)
        made.append(Hit(memory, own, Signals(lexical=0.5, score=own)))
    return made


def order(found):
    return [hit.memory.id for hit in found]


def test_the_word_is_added_to_the_score_and_shown():
    best, second, third = rerank.reordered(Judge(), "q", hits(0, 100, 20), {})
    assert order([best, second, third]) == [2, 1, 3]
    assert (best.score, best.signals.score, best.signals.reread) == (0.7 + rerank.WEIGHT, best.score, 1.0)
    assert best.signals.lexical == 0.5
    assert (second.score, second.signals.reread) == (0.8, 0.0)


def test_a_sure_answer_by_all_other_signals_is_not_overthrown_by_the_word_alone():
    answers = hits(0, 100)
    answers[0] = answers[0]._replace(score=1.2)
    assert order(rerank.reordered(Judge(), "q", answers, {})) == [1, 2]


def test_what_is_not_read_stays_behind_what_was():
    found = rerank.reordered(Judge(), "q", hits(0, 0, 0, 0, 100, 100), {})
    assert order(found) == [1, 2, 3, 4, 5, 6]
    assert [hit.signals.reread for hit in found[3:]] == [0.0, None, None]


def test_the_reading_is_bounded_and_the_bound_is_no_clock():
    judge = Judge()
    long = hits(0, 100, 100, detail="word " * 500 + "100")
    found = rerank.reordered(judge, "q", long, {})
    assert 0 < judge.read <= rerank.PIECES
    assert [hit.signals.reread for hit in found] == [1.0, None, None]


def test_one_text_too_long_to_read_leaves_the_order_as_it_was():
    long = hits(0, 100, detail="x" * rerank.PIECES + " 1")
    assert rerank.reordered(Judge(), "q", long, {}) == long


def test_a_successor_stays_above_what_it_replaced_and_one_that_was_not_found_is_left_out():
    found = rerank.reordered(Judge(), "q", hits(0, 0, 100), {3: [2, 77]})
    assert order(found) == [2, 3, 1]
    assert found[0].score == found[1].score
    assert found[0].signals.reread == 0.0


def test_nothing_found_is_nothing_read():
    judge = Judge()
    assert rerank.reordered(judge, "q", [], {}) == []
    assert judge.read == 0


def test_equal_scores_are_ordered_by_number():
    found = rerank.reordered(Judge(), "q", [hit._replace(score=0.5) for hit in hits(30, 30, 30)][::-1], {})
    assert order(found) == [1, 2, 3]
