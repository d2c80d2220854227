"""One Clew shared by many threads that write, ask, end and forget at the same time."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from clew.service import Clew
from trips import python

THREADS = 8
EACH = 25
ANIMALS = "aardvark badger caracal dormouse echidna ferret gazelle hedgehog".split()


@pytest.mark.parametrize("where", [":memory:", "threads.db"])
def test_threads_that_share_one_clew_lose_nothing_and_read_whole_states(tmp_path, where):
    start = Barrier(THREADS)
    with Clew(where if where == ":memory:" else str(tmp_path / where), project="p") as clew:

        def work(thread):
            start.wait(timeout=60)
            mine = []
            for i in range(EACH):
                mine.append(clew.remember(f"{ANIMALS[thread]} number{i} lives in the zoo", tags=[ANIMALS[thread]]).memory.id)
                hits = clew.recall(f"which {ANIMALS[thread]} lives in the zoo", limit=100)
                found = {hit.memory.id for hit in hits if ANIMALS[thread] in hit.memory.summary}
                assert found == set(mine)
                if i % 5 == 4:
                    clew.forget(mine.pop(0))
                    clew.done(mine.pop(0))
            return mine

        with ThreadPoolExecutor(THREADS) as pool:
            kept = list(pool.map(work, range(THREADS)))
        assert [sorted(m.id for m in clew.list(tags=[animal], limit=99)) for animal in ANIMALS] == kept
        assert clew.doctor() == []


FIRST = """
import sys
from threading import Barrier, Thread
from clew import Clew
sys.setswitchinterval(1e-6)
start, said = Barrier(8), []
def first(clew, verb):
    start.wait(60)
    try:
        verb(clew)
        said.append("whole")
    except BaseException as error:
        said.append(repr(error))
verbs = [lambda c: c.remember("the cache is Redis"), lambda c: c.recall("cache"), lambda c: c.why("cache"), lambda c: c.context()] * 2
with Clew(sys.argv[1]) as clew:
    threads = [Thread(target=first, args=(clew, verb)) for verb in verbs]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
print(sorted(set(said)))
"""


def test_the_first_calls_of_a_process_may_come_from_many_threads_at_once(tmp_path):
    for n in range(3):
        run = python(FIRST, tmp_path / f"first{n}.db", cwd=tmp_path, CLEW_EMBED="hashing", CLEW_PROJECT=None)
        assert (run.code, run.out.strip(), run.err) == (0, "['whole']", "")
