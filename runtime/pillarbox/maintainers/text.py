"""The word `text`: rows found by the words in them.

Depends on: tables, rule, storage.  Never on: what the texts say; `text_of` is generated from the schema.

Law: the index holds exactly the text of each source row that passes the condition; a search finds the rows
whose text has its words, those written in the open transaction as well. `vocabulary.md` 2.6.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeAlias

from pillarbox.maintainers.rule import Net, OneSource
from pillarbox.storage import Search, StoredKey, stored_text
from pillarbox.tables import Cell, DerivedTable, Row, TableReader, TableWriter
from pillarbox.tables.reader import refuse_limit

#: The target cell of a source row, or None where it takes no part.
TextOf: TypeAlias = Callable[[Row], Cell | None]


class Text(OneSource, Generic[Row]):
    """Keeps a text per source row, under the key of that row."""

    __slots__ = ("_text_of",)

    def __init__(self, source: TableWriter[Row], target: DerivedTable[Any], text_of: TextOf[Row]) -> None:
        super().__init__(source, target)
        self._text_of = text_of

    def add(self, rows: Sequence[Row]) -> None:
        """Put the texts of new source rows."""
        key_of, text_of = self.source.spec.key_of, self._text_of
        self.target.put_new([(key_of(row), cell) for row in rows if (cell := text_of(row)) is not None])

    def apply(self, net: Net) -> None:
        """Put the texts that changed."""
        text_of = self._text_of
        for key, old, new in net:
            was = None if old is None else text_of(old)
            now = None if new is None else text_of(new)
            if was != now:
                self.target.put_known(key, was, now)


class TextReader(TableReader[Row]):
    """Reads an index of words. Generated classes add a typed `search`."""

    __slots__ = ()

    def found(
        self,
        search: Search,
        low: StoredKey | None = None,
        high: StoredKey | None = None,
        *,
        newest_first: bool = True,
        limit: int | None = None,
    ) -> list[StoredKey]:
        """The stored keys with low <= key < high of the source rows found, in key order or its reverse.

        Raises UsageError for a limit below 0.
        """
        refuse_limit(limit)
        return self._engine.search(
            self.spec.layout, search, low, high, newest_first=newest_first, limit=limit
        )


class TextTable(DerivedTable[Row], TextReader[Row]):
    """An index of words in the open transaction."""

    __slots__ = ()

    def found(
        self,
        search: Search,
        low: StoredKey | None = None,
        high: StoredKey | None = None,
        *,
        newest_first: bool = True,
        limit: int | None = None,
    ) -> list[StoredKey]:
        """As `TextReader.found`, with this transaction's writes laid over what is stored."""
        refuse_limit(limit)
        self._settle()
        written = set(self._written_between(low, high))
        # Each written key may hide one that is stored: so many more, and `limit` of them are left for sure.
        asked = None if limit is None else limit + len(written)
        stored = super().found(search, low, high, newest_first=newest_first, limit=asked)
        both: list[Any] = [key for key in stored if key not in written]
        if written:
            cells = TableWriter.cells_at(self, list(written))
            both += [key for key, cell in cells.items() if search.finds(stored_text(cell))]
            both.sort(reverse=newest_first)
        return both if limit is None else both[:limit]
