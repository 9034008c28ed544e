"""Rows that a search finds: a stretch of a table of words.

Depends on: rows, lane, storage (what a search is).  Never on: parts.

Law: `rows()` are the rows whose text is found, in the order of their keys. Whether a changed text is found is
told by that text alone; nothing is read for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from pillarbox.storage import Search, StoredKey, search_for, stored_text
from pillarbox.views.lane import Lane
from pillarbox.views.reads import Reads
from pillarbox.views.rows import SourceRows

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
    ) -> list[tuple[StoredKey, bytes | None]]:
        keys = reads.found(self._spec, self.search, low, high, newest_first=self._newest_first, limit=limit)
        return [(key, b"") for key in keys]


class FoundRows(SourceRows[Row]):
    """The source rows of a table of words, which are stored under the keys of their texts."""

    __slots__ = ("found",)

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
        self.lane = self.found = FoundLane(words, newest_first=newest_first)


def _key_itself(key: StoredKey, cell: Cell) -> StoredKey:
    return key
