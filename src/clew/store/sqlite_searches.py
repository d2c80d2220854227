"""The two searches of the SQLite file, as methods."""

from __future__ import annotations

import json

from clew.store import sql, sqlite_care, sqlite_index
from clew.store.sqlite_open import Connected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.model import Filter
    from clew.store.searches import Asked, Document, Lexical, Near, Saturation, Statistics


class Searches(Connected):
    """The parts of `base.Store` about words and vectors."""

    def index(self, documents: Sequence[Document]) -> None:
        """See Store."""
        self._cache.agree(self._db)
        self._indexed(lambda db: sqlite_index.add(db, self._cache.tails, documents))

    def unindex(self, documents: Sequence[Document]) -> None:
        """See Store."""
        self._indexed(lambda db: sqlite_index.remove(db, self._cache.tails, documents))

    def wipe_index(self) -> None:
        """See Store."""
        self._cache.tails.clear()
        tables = ("words", "signs", "vectors", "metadata")
        damaged = sqlite_care.damaged(self.path, tables)
        for table in tables:
            if table in damaged:
                sqlite_care.abandon(self._db, table)
            else:
                self._rows(f"DELETE FROM {table}")
        self._rows("UPDATE projects SET documents = 0, length = 0, reshaped = reshaped + 1")
        self._rows(f"INSERT INTO metadata ({sqlite_care.METADATA}) {sqlite_care.DESCRIBED}")

    def statistics(self, scope: Sequence[int], terms: Sequence[str]) -> Statistics:
        """See Store."""
        return self._search(lambda db: sqlite_index.statistics(db, self._cache, scope, terms))  # type: ignore[no-any-return]

    def known(self, scope: Sequence[int], terms: Sequence[str]) -> set[str]:
        """See Store."""
        return self._search(lambda db: sqlite_index.known(db, scope, terms))  # type: ignore[no-any-return]

    def rarest(self, scope: Sequence[int], terms: Sequence[str], *, most: int, wanted: int) -> dict[str, bytes]:
        """See Store."""
        return self._search(lambda db: sqlite_index.rarest(db, self._cache, scope, terms, most=most, wanted=wanted))  # type: ignore[no-any-return]

    def longer(self, scope: Sequence[int], prefix: str, *, most: int) -> list[tuple[str, int]]:
        """See Store."""
        return self._search(lambda db: sqlite_index.longer(db, scope, prefix, most))  # type: ignore[no-any-return]

    def lexical(self, scope: Sequence[int], asked: Sequence[Asked], which: Filter, *, limit: int, saturation: Saturation) -> Lexical:
        """See Store."""
        return self._search(  # type: ignore[no-any-return]
            lambda db: sqlite_index.lexical(db, self._cache, scope, asked, which, limit=limit, saturation=saturation)
        )

    def nearest(self, scope: Sequence[int], vector: bytes, which: Filter, *, limit: int, also: Sequence[int] = ()) -> Near:
        """See Store."""
        return self._search(  # type: ignore[no-any-return]
            lambda db: sqlite_index.nearest(db, self._cache, scope, vector, which, limit=limit, also=also)
        )

    def has_turns(self, scope: Sequence[int]) -> bool:
        """See Store."""
        statement = f"SELECT 1 FROM memories WHERE project IN ({sql.marks(len(scope))}) AND session IS NOT NULL LIMIT 1"
        return self._row(statement, tuple(scope)) is not None

    def turns(self, ids: Sequence[int]) -> dict[int, tuple[str, int]]:
        """See Store."""
        statement = """SELECT m.id, session, turn FROM json_each(?) j JOIN memories m ON m.id = j.value
            WHERE session IS NOT NULL AND turn IS NOT NULL"""
        return {row[0]: (row[1], row[2]) for row in self._rows(statement, (json.dumps(list(ids)),))}
