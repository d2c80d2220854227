"""What a connection knows of its words' postings without looking again: where the next one goes, and how many memories hold a word."""

from __future__ import annotations

import json

from clew.store.words import CHUNK, POSTING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import apsw

    End = tuple[int, int, int]  # of a word's last chunk: its key, its postings, its highest id

KEPT = 1 << 16  # words of all projects, some 400 bytes each; then all are let go
NEVER = (0, CHUNK, 0)  # a full chunk that holds nothing: the end of a word that nobody holds yet

# The last chunk of each term, found in one step: where it begins, its size and its highest id.
_LAST = """SELECT j.value, (SELECT printf('%d %d %s', first, length(postings), hex(substr(postings, -8, 4)))
FROM words WHERE project = ?2 AND term = j.value ORDER BY first DESC LIMIT 1) FROM json_each(?1) j"""
# Of at most so many chunks of each term, the last ones, whose pages were written just now: how many there are << 32 | their bytes.
_SIZES = """SELECT j.value, (SELECT count(*) << 32 | sum(length(postings)) FROM (
SELECT postings FROM words WHERE project = ?2 AND term = j.value ORDER BY first DESC LIMIT ?3)) FROM json_each(?1) j"""


class Tails:
    """Right as long as nothing but this connection writes and it says here what it wrote; else to be cleared."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._ends: dict[int, dict[str, End]] = {}  # by project and word
        self._held: dict[int, dict[str, int]] = {}  # how many memories hold it, or -n for n or more

    def forget(self, project: int, terms: Iterable[str]) -> None:
        """Forget words whose postings change otherwise than at their end."""
        ends, held = self._of(project)
        for term in terms:
            ends.pop(term, None)
            held.pop(term, None)

    def ends(self, db: apsw.Connection, project: int, terms: Collection[str]) -> dict[str, End]:
        """The end of each word in a project."""
        known = self._of(project)[0]
        found = {term: known[term] for term in terms if term in known}
        missing = [term for term in terms if term not in found] if len(found) < len(terms) else []
        for term, chunk in db.execute(_LAST, (json.dumps(missing), project)) if missing else ():
            first, size, highest = chunk.split(" ") if chunk else ("0", "0", "")
            last = int(first), int(size) // POSTING.size, int.from_bytes(bytes.fromhex(highest), "little")
            found[term] = last if chunk else NEVER
        return found

    def grown(self, project: int, words: Mapping[str, tuple[End, int, bool]]) -> None:
        """Words have these ends now, so many memories more hold them, and these are all where a word is new."""
        self._bound(len(words))
        ends, held = self._of(project)
        for term, (end, more, new) in words.items():
            ends[term] = end
            if new:
                held[term] = more
            elif held.get(term, -1) >= 0:
                held[term] += more

    def counted(self, db: apsw.Connection, project: int, terms: Sequence[str], *, most: int, chunks: int) -> dict[str, int]:
        """How many memories of a project hold each word; of a word that more than `most` hold any number above it. What is not known of a
        word is read from its last `chunks` chunks: it is left out where it has as many and these hold no more than `most`.
        """
        self._bound(len(terms))
        held = self._of(project)[1]
        counts = {term: held.get(term, -1) for term in terms}
        asked = [term for term, count in counts.items() if -most <= count < 0]
        for term, counted in db.execute(_SIZES, (json.dumps(asked), project, chunks)) if asked else ():
            found, size = divmod(counted or 0, 1 << 32)
            count = size // POSTING.size
            if found < chunks or count > most:
                counts[term] = held[term] = count if found < chunks else -count
        return {term: abs(count) for term, count in counts.items() if count >= 0 or -count > most}

    def _of(self, project: int) -> tuple[dict[str, End], dict[str, int]]:
        return self._ends.setdefault(project, {}), self._held.setdefault(project, {})

    def _bound(self, more: int) -> None:
        if sum(map(len, self._ends.values())) + sum(map(len, self._held.values())) + more > 2 * KEPT:
            self.clear()
