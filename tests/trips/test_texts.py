"""Whatever text is handed in: it is kept and found, or refused in a sentence; one-line fields come back as one line."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew import ClewError, Draft, InvalidInput, Pointer, Source
from clew.limits import TEXT_BYTES
from trips import command, opened, python

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
NASTY = {
    "emoji": "decided 👩‍👩‍👧‍👦 🏳️‍🌈 to ship",
    "right to left": "قررنا استخدام قاعدة البيانات השתמשנו במסד",
    "combining flood": "z" + "\u0301" * 400 + " algo",
    "unspaced": "我们决定使用关系数据库来保存账本" * 20,
    "mixed": "naïve café ﬁle Ⅷ ½ ß İstanbul",
    "astral": "𝒻𝓊𝓃𝒸𝓉𝒾ℴ𝓃 𐍈 𓀀 done",
    "private use": "\ue000\uf8ff icon",
    "words of 2000 letters": "a" * 450,
    "operators": 'NEAR(a b) OR "x" AND col:* -y ^z \'); DROP TABLE memories;--',
    "percent": "100% _under_ \\back\\ 'quote' \"double\" %s {0}",
}
ONE_LINE = "red\x1b[31m alert\x07 a\tb\u2028c\u2029d\x85e\u202ef\x00"[:-1]


@pytest.fixture(scope="module")
def shared():
    """One store in memory, with nothing of the disk in it, for tests that only need some store."""
    with opened(":memory:") as clew:
        yield clew


@pytest.mark.parametrize("name", NASTY)
def test_a_strange_text_is_kept_as_it_is_and_found_by_itself(name, shared):
    text = NASTY[name]
    kept = shared.remember(text, detail=text).memory
    assert (kept.summary, kept.detail) == (text, text)
    assert shared.recall(text)[0].memory.id == kept.id


def test_every_one_line_field_comes_back_as_one_line(shared):
    kept = shared.remember(
        ONE_LINE + " the summary",
        detail="lines\nof detail stay",
        tags=[ONE_LINE],
        metadata={ONE_LINE: 1},
        pointers=[Pointer("src/" + ONE_LINE, symbol=ONE_LINE, hash=ONE_LINE)],
        source=Source(file=ONE_LINE, commit=ONE_LINE, session=ONE_LINE),
    ).memory
    other = shared.remember("something newer").memory
    gone = shared.supersede(kept.id, other.id, reason=ONE_LINE)
    fields = [kept.summary, *kept.tags, *kept.metadata, *kept.pointers[0][:2], kept.pointers[0].hash, *kept.source[:3], gone.reason]
    assert len(fields) == 10
    assert [field for field in fields if CONTROL.search(field)] == []
    assert {field for field in fields if field.endswith("alert a b c d ef")} == set(fields[1:]) - {kept.summary}
    assert kept.detail == "lines\nof detail stay"


REFUSED = {
    "a NUL": ("with \x00 in it", "NUL"),
    "a lone surrogate": ("with \ud800 in it", "surrogate"),
    "nothing": ("   \n\t ", "is empty"),
    "only controls": ("\x1b[0m\x07", "is empty"),
    "only what is private": ("<private>all of it</private>", "private"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_text_is_refused_by_name_and_leaves_nothing(name, tmp_path):
    text, why = REFUSED[name]
    with opened(tmp_path / "memory.db") as clew:
        with pytest.raises(InvalidInput, match=why) as caught:
            clew.remember(text)
        assert caught.value.field == "summary"
        with pytest.raises(InvalidInput, match=why):
            clew.remember_many([Draft("fine"), Draft(text)])
        assert clew.projects() == []


def test_a_megabyte_is_kept_and_found(tmp_path):
    filler = "lorem ipsum dolor sit amet " * 40_000
    detail = (filler[: TEXT_BYTES - 200] + " zanzibarite")[: TEXT_BYTES - 100]
    with opened(tmp_path / "memory.db") as clew:
        kept = clew.remember("a very long text", detail=detail).memory
        assert clew.show(kept.id).detail == detail
        assert clew.recall("zanzibarite")[0].memory.id == kept.id
        with pytest.raises(InvalidInput, match="1,048,576"):
            clew.remember("a longer text", detail=detail + "x" * 200)
        assert clew.forget(kept.id)[0].left == ()
        assert clew.doctor() == []
    assert b"zanzibarite" not in (tmp_path / "memory.db").read_bytes()


HUGE = """
import resource, sys
from clew import Clew, InvalidInput
text = "x" * 100_000_000
clew = Clew(sys.argv[1], project="trip", embed="hashing", long_lived=False)
clew.remember("some memory")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for field in ("summary", "detail"):
    try:
        clew.remember(**({"summary": "short"} | {field: text}))
    except InvalidInput as error:
        print(error)
assert clew.recall(text) == []
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000)
"""


def test_a_hundred_megabytes_are_refused_before_anything_walks_over_them(tmp_path):
    told = python(HUGE, tmp_path / "memory.db")
    assert told.err == ""
    summary, detail, bounded = told.out.splitlines()
    assert summary.startswith("summary: 100,000,000 bytes; one memory holds at most 1,048,576")
    assert detail.startswith("detail: 100,000,000 bytes; one memory holds at most 1,048,576")
    assert bounded == "True"


def test_a_hundred_megabytes_from_standard_input_are_refused_too(tmp_path):
    told = command("remember", "-", stdin=b"word " * 20_000_000, cwd=tmp_path)
    assert (told.code, told.out) == (2, "")
    assert "1,048,576" in told.err
    assert "Traceback" not in told.err


BOMBS = {
    "10,000 tags": {"tags": [f"tag{i}" for i in range(10_000)]},
    "a tag of a megabyte": {"tags": ["x" * 1_000_000]},
    "10,000 names": {"metadata": {f"k{i}": i for i in range(10_000)}},
    "a value of a megabyte": {"metadata": {"k": "x" * 1_000_000}},
    "nested": {"metadata": {"k": {"k": {}}}},
    "a list": {"metadata": {"k": [1]}},
    "none": {"metadata": {"k": None}},
    "a number without end": {"metadata": {"k": 10**5_000}},
    "infinity": {"metadata": {"k": float("inf")}},
    "not a number": {"metadata": {"k": float("nan")}},
    "no name": {"metadata": {"": 1}},
    "two names that look the same": {"metadata": {"a": 1, "a\x07": 2}},
    "a number for tags": {"tags": 7},
    "a text for tags": {"tags": "db"},
    "a text for metadata": {"metadata": "x"},
    "a text for a pointer": {"pointers": ["a.py"]},
    "1,000 pointers": {"pointers": [Pointer(f"{i}.py") for i in range(1_000)]},
    "line 0": {"pointers": [Pointer("a.py", line=0)]},
    "a text for a source": {"source": "a.py"},
    "a turn below 0": {"source": Source(turn=-1)},
    "a turn without end": {"source": Source(turn=10**30)},
    "a ttl of nothing": {"ttl": 0},
    "a ttl without end": {"ttl": 10**400},
    "a ttl that is no number": {"ttl": float("nan")},
    "a time without end": {"valid_from": -(10**400)},
    "times in the wrong order": {"valid_from": 2.0, "valid_to": 1.0},
    "an unknown kind": {"kind": "rumour"},
    "a kind that is no text": {"kind": ["fact"]},
}


@pytest.mark.parametrize("name", BOMBS)
def test_what_goes_over_a_limit_is_refused_by_name(name, shared):
    before = shared.projects()
    with pytest.raises(InvalidInput) as caught:
        shared.remember("text that is fine", **BOMBS[name])
    assert caught.value.field.partition(".")[0] in BOMBS[name]
    assert len(str(caught.value)) < 400
    assert shared.projects() == before


ANY_TEXT = st.text(st.characters() | st.sampled_from("\n\r\x1b\x00\u2028\u202e\ud800[]<>‹›\x85 "), max_size=300)
NUMBER = st.integers() | st.floats()
ANY = st.one_of(
    st.none(), st.booleans(), NUMBER, ANY_TEXT, st.lists(ANY_TEXT, max_size=4), st.dictionaries(ANY_TEXT, NUMBER | ANY_TEXT, max_size=4)
)


@settings(max_examples=300)
@given(summary=ANY_TEXT, detail=ANY_TEXT, tags=st.lists(ANY_TEXT, max_size=4), metadata=st.dictionaries(ANY_TEXT, ANY_TEXT, max_size=3))
def test_any_text_is_kept_as_one_line_or_refused(shared, summary, detail, tags, metadata):
    try:
        kept = shared.remember(summary, detail=detail, tags=tags, metadata=metadata).memory
    except InvalidInput:
        return
    lines = [kept.summary, *kept.tags, *kept.metadata]
    assert [line for line in lines if CONTROL.search(line) or not line] == []
    assert shared.show(kept.id) == kept
    json.dumps(kept, allow_nan=False)
    again = shared.remember(kept.summary, detail=kept.detail, kind=kept.kind)
    assert (again.memory.id, again.created, again.redacted) == (kept.id, False, ())


@settings(max_examples=300)
@given(field=st.sampled_from(["kind", "detail", "tags", "metadata", "pointers", "source", "valid_from", "valid_to", "ttl"]), value=ANY)
def test_any_value_in_any_field_is_kept_or_refused(shared, field, value):
    try:
        kept = shared.remember("a text that is fine", **{field: value}).memory
    except InvalidInput as refusal:
        assert refusal.field.partition(".")[0] in (field, "text", "valid_to")
    else:
        assert shared.show(kept.id) == kept


@settings(max_examples=200)
@given(question=ANY_TEXT, tags=st.lists(ANY_TEXT, max_size=2), moment=st.none() | st.integers() | st.floats())
def test_any_question_is_answered_or_refused(shared, question, tags, moment):
    try:
        hits = shared.recall(question, tags=tags, as_of=moment)
    except InvalidInput as refusal:
        assert refusal.field in ("question", "tags", "as_of")
    else:
        assert len(hits) <= 10


@settings(max_examples=200)
@given(ref=st.integers() | ANY_TEXT | st.floats())
def test_any_reference_is_found_or_refused(shared, ref):
    for verb in (shared.show, shared.done, shared.pin):
        try:
            found = verb(ref)
        except ClewError as refusal:
            assert getattr(refusal, "field", "id") == "id"
        else:
            assert shared.show(found.id) == found


def test_what_the_command_prints_cannot_steer_a_terminal(tmp_path):
    how = {"CLEW_DB": str(tmp_path / "memory.db"), "CLEW_EMBED": "hashing"}
    nasty = "wipe \x1b]0;title\x07\x1b[2J\x1b[31mscreen\x9b31m"
    assert command("remember", nasty, "--detail", nasty, "--tag", nasty, "-p", "trip", **how).code == 0
    for words in (("recall", "wipe screen", "-p", "trip"), ("list", "-p", "trip"), ("show", "1")):
        told = command(*words, **how)
        assert told.code == 0
        assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", told.out + told.err) == []


ASKED = {
    "a limit of nothing": lambda clew: clew.recall("x", limit=0),
    "a limit that is text": lambda clew: clew.recall("x", limit="5"),
    "a list of nothing": lambda clew: clew.list(limit=0),
    "a kind that is no list": lambda clew: clew.recall("x", kinds=5),
    "a kind that is text": lambda clew: clew.recall("x", kinds="fact"),
    "tags that are no list": lambda clew: clew.list(tags=5),
    "an unknown status": lambda clew: clew.list(statuses=["gone"]),
    "an unknown fusion": lambda clew: clew.recall("x", fusion=3),
    "a question that is bytes": lambda clew: clew.recall(b"x"),
    "an empty question": lambda clew: clew.recall(" "),
    "a project without a name": lambda clew: clew.recall("x", project=" "),
    "a project of half a character": lambda clew: clew.recall("x", project="\ud800"),
    "a copy over the store's folder": lambda clew: clew.backup("/"),
    "memories to move that are a number": lambda clew: clew.project_move(5, into="x"),
    "a project's name that is nothing": lambda clew: clew.project_rename("p", None),
    "drafts that are text": lambda clew: clew.remember_many("ab"),
    "drafts that are a number": lambda clew: clew.remember_many(5),
    "tags of prose that are text": lambda clew: clew.remember_extracted("We use Kafka for events.", tags="db"),
    "tags of prose that are a number": lambda clew: clew.remember_extracted("We use Kafka for events.", tags=5),
    "a window of half a character": lambda clew: clew.working_set(session="\udcff"),
    "a window beyond all numbers": lambda clew: clew.working_set(session=10**30),
    "attempts up to a text": lambda clew: clew.attempts(limit="5"),
    "what a tool was given that is a number": lambda clew: clew.before_attempt("make", given=5),
    "an output of bytes": lambda clew: clew.attempt("make", output=b"x", exit=1),
    "a handle that is a number": lambda clew: clew.retrieve_source(5),
    "a model that is nothing": lambda clew: clew.suggest_budget(None),
    "a span of text": lambda clew: clew.prune_sources(older_than="5"),
    "a transcript of bytes": lambda clew: clew.compile_transcript(b"x"),
    "a thing to restore that is a number": lambda clew: clew.restore(5),
    "a prompt that is nothing": lambda clew: clew.prompt_pack(None),
    "a failure of half a character": lambda clew: clew.tried("bad \udcff bytes"),
    "a failure that is a number": lambda clew: clew.tried(5),
    "a session of half a character": lambda clew: clew.attempt("make", session="\udcff", exit=1),
    "attempts of half a character": lambda clew: clew.attempts(goal="\udcff"),
    "goals of half a character": lambda clew: clew.goals(session="\udcff"),
    "alarms of half a character": lambda clew: clew.alarms(session="\udcff"),
    "an exit beyond all numbers": lambda clew: clew.attempt("make", exit=10**20),
    "an exit that is text": lambda clew: clew.attempt("make", exit="1"),
    "a pack up to a text": lambda clew: clew.context(budget="900"),
    "working contexts up to a text": lambda clew: clew.list_working_context(limit="5"),
    "a copy to a number": lambda clew: clew.backup(5),
    "a project that is a number": lambda clew: clew.recall("x", project=5),
    "a project of bytes": lambda clew: clew.project(b"x"),
    "another project that is a list": lambda clew: clew.project_move([1], into=["a"]),
    "an export of a number": lambda clew: list(clew.export_jsonl(project=5)),
    "an import of a number": lambda clew: clew.import_jsonl(5),
    "an import of a summary that is nothing": lambda clew: clew.import_jsonl([{"summary": None}]),
    "links that are a number": lambda clew: clew.remember("x", links=5),
    "links that are text": lambda clew: clew.remember("x", links="ab"),
    "a link of one end": lambda clew: clew.remember("x", links=[("because",)]),
    "links that are nothing": lambda clew: clew.remember("x", links=None),
    "reasons that are bytes": lambda clew: clew.remember("x", because=b"x"),
    "reasons that are nothing": lambda clew: clew.remember("x", because=None),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_cannot_be_asked_is_refused_by_name(name, shared):
    shared.remember("there is a project now")
    with pytest.raises(InvalidInput):
        ASKED[name](shared)


def test_a_list_may_ask_for_more_than_there_can_be(shared):
    assert len(shared.list(limit=10**30)) >= 1


def test_a_copy_over_the_store_itself_is_refused(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path) as clew:
        clew.remember("kept")
        for target in (path, f"{path}-wal", tmp_path / "x" / ".." / "memory.db"):
            with pytest.raises(InvalidInput, match="is the store itself"):
                clew.backup(str(target))
        assert clew.doctor() == []
