"""What every backend promises of its two searches: the answers of a plain search over all documents, whatever happened before."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from specimens import ANY, EVERYTHING, NOW, SATURATION, cosine, document, kept, memory, scored, vector

from clew.model import Filter
from clew.store.searches import Asked, Document, Statistics
from clew.store.vectors import BLOCK
from clew.store.words import CHUNK, ids_of, pack

# One store for all examples of a test: each begins by emptying it.
repeated = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
seeds = st.integers(0, 2**32 - 1)
QUESTION = [Asked("w0", 0.7, ("w0",)), Asked("w1", 1.3, ("w1",)), Asked("w9", 2.0, ("w9", "w10", "w11"), "w2"), Asked("no", 1.0, ("no",))]


def filled(store, project, chance, size):
    """`size` memories inserted and indexed in one transaction, as their documents."""
    numbers = kept(store, project, *(memory(chance.getrandbits(120)) for _ in range(size)))
    documents = [document(n, project, chance) for n in numbers]
    with store.transaction():
        store.index(documents)
    return documents


def emptied(store):
    with store.transaction():
        for m in store.select([p.id for p in store.projects()], EVERYTHING, limit=10**6):
            store.erase(m.id)
        store.wipe_index()


def by_words(store, scope, asked=QUESTION, which=ANY, limit=50):
    answer = store.lexical(scope, asked, which, limit=limit, saturation=SATURATION)
    return list(zip(answer.ids, answer.bm25, answer.covered, strict=True))


def check_same(found, expected, limit=50):
    """The same memories in the same order, scores equal but for the last bits."""
    assert [i for i, _, _ in found] == [i for i, _, _ in expected[:limit]]
    for got, due in zip(found, expected, strict=False):
        assert got[1:] == pytest.approx(due[1:], rel=1e-12)


def check_agrees(store, documents, project):
    """Everything the searches say is what the documents say."""
    terms = sorted({t for d in documents for t in d.counts} | {"no"})
    holding = {t: n for t in terms if (n := sum(t in d.counts for d in documents))}
    mean = sum(d.length for d in documents) / len(documents) if documents else 0.0
    assert store.statistics([project], terms) == Statistics(len(documents), mean, holding)
    check_same(by_words(store, [project]), scored(documents, QUESTION, SATURATION))
    asked = vector(random.Random(5))
    near = store.nearest([project], asked, ANY, limit=len(documents) + 1)
    assert near.cosines == {d.id: pytest.approx(cosine(asked, d.vector)) for d in documents if d.vector}
    assert near.scanned == sum(1 for d in documents if d.vector)
    assert store.check() == []


@repeated
@given(seeds, st.integers(0, 60))
def test_the_searches_say_what_a_plain_search_says(store, project, seed, size):
    emptied(store)
    check_agrees(store, filled(store, project, random.Random(seed), size), project)


@pytest.mark.parametrize("size", [CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, BLOCK, 3 * BLOCK + 1])
def test_nothing_is_lost_where_chunks_and_blocks_end(store, project, size):
    chance = random.Random(size)
    numbers = kept(store, project, *(memory(i) for i in range(size)))
    documents = [Document(n, project, {"every": 1, f"w{n % 3}": 2}, 3, vector(chance)) for n in numbers]
    for at in range(0, size, 50):
        with store.transaction():
            store.index(documents[at : at + 50])
    check_agrees(store, documents, project)


@repeated
@given(seeds, st.lists(st.sampled_from(["add", "add many", "take", "change", "wipe and rebuild"]), min_size=5, max_size=25))
def test_any_history_leaves_the_index_that_a_fresh_build_makes(store, project, seed, history):
    emptied(store)
    chance = random.Random(seed)
    held: dict[int, Document] = {}
    for step in history:
        if step in ("add", "add many"):
            held |= {d.id: d for d in filled(store, project, chance, 1 if step == "add" else chance.randint(2, 150))}
        elif step == "take" and held:
            gone = [held.pop(n) for n in chance.sample(sorted(held), min(len(held), chance.randint(1, 20)))]
            with store.transaction():
                store.unindex(gone)
                for d in gone:
                    store.erase(d.id)
        elif step == "change" and held:
            changed = [document(n, project, chance) for n in chance.sample(sorted(held), min(len(held), chance.randint(1, 20)))]
            with store.transaction():
                store.unindex([held[d.id] for d in changed])
                store.index(changed)
            held |= {d.id: d for d in changed}
        elif step == "wipe and rebuild":
            with store.transaction():
                store.wipe_index()
                store.index(list(held.values()))
        if chance.random() < 0.3:
            check_agrees(store, list(held.values()), project)  # what a search keeps for the next one must not outlive a change
    check_agrees(store, list(held.values()), project)


def test_taking_out_what_was_never_indexed_changes_nothing(store, project):
    chance = random.Random(1)
    documents = filled(store, project, chance, 5)
    with store.transaction():
        store.unindex([document(10**6, project, chance)])
    check_agrees(store, documents, project)


def test_a_transaction_that_fails_leaves_the_searches_as_they_were(store, project):
    chance = random.Random(2)
    documents = filled(store, project, chance, 30)
    check_agrees(store, documents, project)
    with pytest.raises(KeyError), store.transaction():
        filled_inside = [document(n, project, chance) for n in (10**6, 10**6 + 1)]
        store.index(filled_inside)
        store.unindex(documents[:3])
        store.nearest([project], vector(chance), ANY, limit=3)
        by_words(store, [project])
        raise KeyError
    check_agrees(store, documents, project)


def test_a_document_without_a_vector_is_found_by_words_alone(store, project):
    (number,) = kept(store, project, memory(1))
    with store.transaction():
        store.index([Document(number, project, {"w0": 1}, 1)])
    assert [i for i, _, _ in by_words(store, [project])] == [number]
    assert store.nearest([project], vector(random.Random(1)), ANY, limit=5).cosines == {}


def test_a_scope_of_several_projects_is_one_search(store, project):
    chance = random.Random(3)
    with store.transaction():
        other = store.add_project(uid="uid:2", name="two", path="", at=0.0)
        third = store.add_project(uid="uid:3", name="three", path="", at=0.0)
    mine, theirs, hidden = (filled(store, p, chance, 40) for p in (project, other, third))
    check_same(by_words(store, [project, other]), scored(mine + theirs, QUESTION, SATURATION))
    near = store.nearest([project, other], vector(chance), ANY, limit=500)
    assert set(near.cosines) == {d.id for d in mine + theirs}
    assert not set(near.cosines) & {d.id for d in hidden}
    assert store.statistics([project, third], []).documents == 80
    assert by_words(store, []) == []
    assert store.nearest([], vector(chance), ANY, limit=5).cosines == {}


@pytest.mark.parametrize(
    "which",
    [
        ANY,
        Filter(NOW, kinds=("decision",)),
        Filter(NOW, tags=("t",)),
        Filter(NOW, include_superseded=True),
        Filter(NOW, since=30.0),
        Filter(NOW, spoken=(2_990.0, 3_001.0)),
        Filter(NOW, spoken=(2_990.0, 3_000.0)),
        Filter(5.0),
    ],
)
@pytest.mark.parametrize("narrow", [5_000, 10])
def test_a_filter_holds_inside_both_searches(store, project, which, narrow, monkeypatch):
    monkeypatch.setattr("clew.store.sqlite_index.NARROW", narrow)
    chance = random.Random(4)
    fields = [
        {"kind": chance.choice(["fact", "decision"]), "tags": chance.choice([(), ("t",)]), "status": chance.choice(["active", "done"]),
         "expires_at": chance.choice([None, 900.0, 2_000.0]), "valid_from": chance.choice([None, 20.0, 3_000.0])}
        for _ in range(120)
    ]  # fmt: skip
    numbers = kept(store, project, *(memory(i, **f) for i, f in enumerate(fields)))
    documents = [document(n, project, chance) for n in numbers]
    with store.transaction():
        store.index(documents)
    allowed = {m.id for m in store.select([project], which, limit=999)}
    assert 0 < len(allowed) < len(numbers)
    check_same(by_words(store, [project], which=which, limit=7), scored(documents, QUESTION, SATURATION, allowed), 7)
    asked = vector(chance)
    assert set(store.nearest([project], asked, which, limit=500).cosines) == allowed
    nearest = store.nearest([project], asked, which, limit=5)
    assert set(nearest.cosines) <= allowed
    assert (len(nearest.cosines), nearest.scanned) == (5, 120)
    monkeypatch.setattr("clew.store.sqlite_index.NARROW", 5_000)
    assert store.nearest([project], asked, which, limit=5) == nearest


def test_a_memory_that_ends_is_gone_from_the_next_search(store, project):
    documents = filled(store, project, random.Random(6), 30)
    best = by_words(store, [project])[0][0]
    with store.transaction():
        store.save(store.fetch([best])[best]._replace(status="done"), project)
    assert best not in [i for i, _, _ in by_words(store, [project])]
    assert best not in store.nearest([project], documents[0].vector, ANY, limit=99).cosines


def test_the_nearest_by_sign_bits_hold_nearly_all_of_the_true_ten(store, project):
    chance = random.Random(7)
    topics = [[chance.gauss(0, 30) for _ in range(256)] for _ in range(30)]

    def about(topic):
        return bytes(max(-127, min(127, round(v + chance.gauss(0, 25)))) & 0xFF for v in topic)

    numbers = kept(store, project, *(memory(i) for i in range(800)))
    documents = [Document(n, project, {}, 0, about(chance.choice(topics))) for n in numbers]
    with store.transaction():
        store.index(documents)
    found = 0
    for question in [about(chance.choice(topics)) for _ in range(5)]:
        true = sorted(documents, key=lambda d: -cosine(question, d.vector))[:10]
        found += len({d.id for d in true} & set(store.nearest([project], question, ANY, limit=60).cosines))
    assert found >= 49


def test_cosines_are_also_given_for_memories_that_are_asked_for(store, project):
    chance = random.Random(8)
    documents = filled(store, project, chance, 50)
    asked = vector(chance)
    near = store.nearest([project], asked, ANY, limit=3, also=[d.id for d in documents[:20]] + [10**9])
    assert {d.id for d in documents[:20]} < set(near.cosines)
    assert len(near.cosines) <= 23


def test_longer_words_are_told_with_how_many_hold_them(store, project):
    numbers = kept(store, project, *(memory(i) for i in range(4)))
    counts = [{"auth": 1, "author": 1}, {"authority": 1}, {"authority": 2, "b": 1}, {"aut": 1}]
    with store.transaction():
        store.index([Document(n, project, c, 2, b"") for n, c in zip(numbers, counts, strict=True)])
    assert store.longer([project], "auth", most=9) == [("authority", 2), ("author", 1)]
    assert store.longer([project], "auth", most=1) == [("authority", 2)]
    assert store.longer([project], "authority", most=9) == []


def test_ties_go_to_the_lower_number_also_at_the_cut(store, project):
    numbers = kept(store, project, *(memory(i) for i in range(700)))
    with store.transaction():
        store.index([Document(n, project, {"w0": 1}, 4, bytes([1] * 256)) for n in numbers])
    assert [i for i, _, _ in by_words(store, [project], limit=5)] == numbers[:5]
    assert sorted(store.nearest([project], bytes([1] * 256), ANY, limit=5).cosines) == numbers[:5]


def test_counts_beyond_what_a_posting_holds_are_kept_at_its_ceiling(store, project):
    (number,) = kept(store, project, memory(1))
    long = Document(number, project, {"w0": 70_000}, 80_000, b"")
    with store.transaction():
        store.index([long])
    assert by_words(store, [project])[0][0] == number
    with store.transaction():
        store.unindex([long])
    assert by_words(store, [project]) == []
    assert store.statistics([project], ["w0"]) == Statistics(0, 0.0, {})


@pytest.fixture
def worded(store, project):
    """(store, project, numbers of 400 memories): words that one, two, three, eight and all of them hold, and one of another project."""
    numbers, apart = list(range(1, 401)), 401
    elsewhere = store.add_project(uid="root:rarest", name="rarest", path="", at=1.0)
    held = {"once": 1, "twice": 2, "thrice": 3, "eight": 8, "common": 400}
    docs = [Document(i, project, {w: 1 for w, most in held.items() if at < most}, 2) for at, i in enumerate(numbers)]
    with store.transaction():
        store.index([*docs, Document(apart, elsewhere, {"once": 1, "twice": 1}, 2)])
    return store, project, numbers, elsewhere, apart


WORDS = ["common", "eight", "once", "absent", "thrice", "twice"]


def test_the_rarest_words_that_two_or_more_hold_come_first_with_who_holds_them(worded):
    store, project, numbers, _, _ = worded
    found = store.rarest([project], WORDS, most=100, wanted=2)
    assert list(found.items()) == [(word, pack((i, 1, 2) for i in numbers[:most])) for word, most in (("twice", 2), ("thrice", 3))]


def test_words_that_more_than_the_most_hold_are_left_out_however_many_are_wanted(worded):
    store, project, numbers, _, _ = worded
    assert list(store.rarest([project], WORDS, most=100, wanted=9)) == ["twice", "thrice", "eight"]
    everyone = store.rarest([project], WORDS, most=400, wanted=9)
    assert (list(everyone), ids_of(everyone["common"])) == (["twice", "thrice", "eight", "common"], numbers)
    assert list(store.rarest([project], WORDS, most=399, wanted=9)) == ["twice", "thrice", "eight"]


def test_which_words_are_known_is_told_over_all_projects_of_the_scope(worded):
    store, project, _, elsewhere, _ = worded
    assert store.known([project], WORDS) == {"common", "eight", "once", "thrice", "twice"}
    assert store.known([elsewhere], WORDS) == {"once", "twice"}
    assert store.known([elsewhere, project], ["absent", "eight", "twice"]) == {"eight", "twice"}
    assert store.known([], WORDS) == store.known([project], []) == set()


def test_the_rarest_words_are_counted_over_all_projects_of_the_scope(worded):
    store, project, numbers, elsewhere, apart = worded
    found = store.rarest([project, elsewhere], WORDS, most=100, wanted=2)
    assert {term: sorted(ids_of(packed)) for term, packed in found.items()} == {"once": [numbers[0], apart], "thrice": numbers[:3]}
    assert store.rarest([], WORDS, most=100, wanted=2) == store.rarest([project], [], most=100, wanted=2) == {}


def test_a_word_that_was_common_is_rare_again_when_most_who_held_it_are_taken_out(worded):
    store, project, numbers, _, _ = worded
    assert "common" not in store.rarest([project], WORDS, most=100, wanted=9)
    with store.transaction():
        store.unindex([Document(i, project, {"common": 1}, 2) for i in numbers[5:]])
    assert store.rarest([project], WORDS, most=100, wanted=9)["common"] == pack((i, 1, 2) for i in numbers[:5])
