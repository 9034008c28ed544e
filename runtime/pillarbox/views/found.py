"""Rows that a search finds: stretches of a table of words, by key and by relevance.

Depends on: rows, lane, storage (what a search is).  Never on: parts.

Law: `rows()` are the rows whose text is found: in the order of their keys, or those first in which what is
looked for stands most often. Whether a changed text is found is told by that text alone. By key nothing is
read for it; by relevance all that is found is looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from pillarbox.storage import Search, StoredKey, search_for, stored_text
from pillarbox.views.interests import Delta, Interests, Routed
from pillarbox.views.lane import Lane
from pillarbox.views.reads import Reads
from pillarbox.views.rows import SourceRows, Stretch

if TYPE_CHECKING:
    from pillarbox.tables import Cell, TableSpec

Row = TypeVar("Row")


class FoundLane(Lane[bytes]):
    """Keys of a table of words whose text is found. Nothing is held of the texts."""

    __slots__ = ("search",)

    def __init__(self, words: TableSpec[Any], *, newest_first: bool) -> None:
        super().__init__(words, self._found, newest_first=newest_first)
        #: Set before `load`.
        self.search: Search = search_for("")

    def _found(self, key: StoredKey, cell: Cell) -> bytes | None:
        return b"" if self.search.finds(stored_text(cell)) else None

    def _page(
        self, reads: Reads, low: StoredKey | None, high: StoredKey | None, limit: int | None
    ) -> tuple[list[Any], list[Any]]:
        keys = reads.found(self.spec, self.search, low, high, newest_first=self._newest_first, limit=limit)
        return keys, [b""] * len(keys)


class FoundRows(SourceRows[Row]):
    """The source rows of a table of words, which are stored under the keys of their texts."""

    __slots__ = ("_found",)

    def __init__(
        self,
        words: TableSpec[Any],
        source: TableSpec[Row],
        *,
        newest_first: bool,
        where: Callable[[Row], bool] | None = None,
    ) -> None:
        index = replace(words, row=_key_itself)
        super().__init__(index, source, lambda key: key, newest_first=newest_first, where=where)
        self.lane = self._found = FoundLane(words, newest_first=newest_first)

    def look_for(self, search: Search) -> None:
        """What `load` is to find."""
        self._found.search = search


class RankedRows(Stretch[Row]):
    """The source rows of a table of words, the most relevant first; among equals in the order of their keys.

    Rows are walked until enough of them count; each that was walked is listened to.
    """

    __slots__ = (
        "_interests",
        "_limit",
        "_newest_first",
        "_order",
        "_search",
        "_shown",
        "_source",
        "_walked",
        "_where",
        "_words",
    )

    def __init__(
        self,
        words: TableSpec[Any],
        source: TableSpec[Row],
        *,
        newest_first: bool,
        where: Callable[[Row], bool] | None = None,
    ) -> None:
        self._words = words
        self._source = source
        self._newest_first = newest_first
        self._where = where
        self._search: Search = search_for("")
        self._limit: int | None = 0
        #: The keys of all that is found, the best first.
        self._order: list[StoredKey] = []
        #: The keys that were walked and their rows, and those of them that count.
        self._walked: dict[StoredKey, Row | None] = {}
        self._shown: dict[StoredKey, Row] = {}
        self.entered = self.left = ()

    def bind(self, view: object, interests: Interests) -> None:
        """Belong to a view."""
        self.view = view
        self._interests = interests

    def look_for(self, search: Search) -> None:
        """What `load` is to find."""
        self._search = search

    def clear(self) -> None:
        """Hold nothing, and unregister every source row."""
        self._order = []
        self._listen({})
        self.entered, self.left = (), list(self._shown.values())
        self._shown = {}

    def load(
        self,
        reads: Reads,
        low: StoredKey | None,
        high: StoredKey | None,
        count: int | None,
        old: Mapping[StoredKey, Row],
    ) -> None:
        """As `Stretch.load`; the whole table is looked through."""
        self._limit = count
        self._order = self._ranked(reads)
        self._walk(reads, {}, old)

    def fold(self, reads: Reads, deltas: Sequence[Delta], routed: Routed) -> None:
        """As `Stretch.fold`."""
        again = any(self._finds(before) or self._finds(after) for _, before, after in deltas)
        if again:
            self._order = self._ranked(reads)
        if again or self in routed:
            self._walk(reads, {key: row for key, row in self._walked.items() if row is not None}, {})
        else:
            self.entered = self.left = ()

    def rows(self) -> tuple[Row, ...]:
        """As `Stretch.rows`."""
        return tuple(self._shown.values())

    def row_keys(self) -> Sequence[StoredKey]:
        """As `Stretch.row_keys`."""
        return list(self._shown)

    def row_of(self, key: StoredKey) -> Row | None:
        """As `Sink.row_of`."""
        return self._walked.get(key)

    def _finds(self, cell: Cell | None) -> bool:
        return cell is not None and self._search.finds(stored_text(cell))

    def _ranked(self, reads: Reads) -> list[StoredKey]:
        words, search = self._words, self._search
        keys = reads.found(words, search, None, None, newest_first=self._newest_first, limit=None)
        texts = reads.texts(words, keys)
        return sorted(keys, key=lambda key: -search.weight(stored_text(texts[key])))

    def _walk(self, reads: Reads, known: Mapping[StoredKey, Row], old: Mapping[StoredKey, Row]) -> None:
        """Read on until enough rows count. `known` is as `held` in `Reads.rows`, `old` as in `load`."""
        limit, where = self._limit, self._where
        walked: dict[StoredKey, Row | None] = {}
        shown: dict[StoredKey, Row] = {}
        while len(walked) < len(self._order) and (limit is None or len(shown) < limit):
            missing = None if limit is None else len(walked) + limit - len(shown)
            keys = self._order[len(walked) : missing]
            found = reads.rows(self._source, keys, known)
            for key in keys:
                row = found.get(key)
                row = walked[key] = old[key] if key in old and old[key] == row else row
                if row is not None and (where is None or where(row)):
                    shown[key] = row
        self._listen(walked)
        before, self._shown = self._shown, shown
        self.entered = [row for key, row in shown.items() if before.get(key) is not row]
        self.left = [row for key, row in before.items() if shown.get(key) is not row]

    def _listen(self, walked: dict[StoredKey, Row | None]) -> None:
        table, before = self._source.id, self._walked
        self._interests.add_all(table, [key for key in walked if key not in before], self)
        self._interests.remove_all(table, [key for key in before if key not in walked], self)
        self._walked = walked


def _key_itself(key: StoredKey, cell: Cell) -> StoredKey:
    return key
