"""The word `index`: one row per source row (or per element of it) that passes a condition.

Depends on: tables, errors.  Never on: what the rows mean; `rows_of` is generated from the schema.

Law: target = rows_of(source). With `unique`, two source rows never share a target key.
`vocabulary.md` 2.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeAlias

from pillarbox.errors import UniqueViolation
from pillarbox.maintainers.rule import Net, OneSource
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, DerivedTable, Row, TableWriter

#: The target rows of source rows, in their order. Of rows with one key the last counts.
RowsOf: TypeAlias = Callable[[Iterable[Row]], Iterable[tuple[StoredKey, Cell]]]


class Index(OneSource, Generic[Row]):
    """Keeps an index whose keys name their source row, so that no target row needs to be read.

    A target key holds the whole source key, hence no other source row can own it, and the old target
    rows follow from the old source row.
    """

    __slots__ = ("_rows_of",)

    def __init__(self, source: TableWriter[Row], target: DerivedTable[Any], rows_of: RowsOf[Row]) -> None:
        super().__init__(source, target)
        self._rows_of = rows_of

    def add(self, rows: Sequence[Row]) -> None:
        """Put the rows of new source rows."""
        entries = self._rows_of(rows)
        if entries:
            self.target.put_new(entries)

    def apply(self, net: Net) -> None:
        """As `exchange`."""
        self.exchange(*sides(net))

    def exchange(self, old: Sequence[Row], new: Sequence[Row]) -> None:
        """Remove rows(before) minus rows(after), put the rest; equal rows stay untouched."""
        rows_of, put = self._rows_of, self.target.put_known
        # All at once: what follows from one source row never has the key of what follows from another.
        before, after = dict(rows_of(old)), dict(rows_of(new))
        for key, cell in after.items():
            was = before.pop(key, None)
            if was != cell:
                put(key, was, cell)
        for key, was in before.items():
            put(key, was, None)


def sides(net: Net) -> tuple[list[Any], list[Any]]:
    """The rows that are replaced or removed, and those that are put, of what happened to one table."""
    before: list[Any] = []
    after: list[Any] = []
    for _, old, new in net:
        if old is not None:
            before.append(old)
        if new is not None:
            after.append(new)
    return before, after


class UniqueIndex(OneSource, Generic[Row]):
    """An index whose key need not name its source row: each target row has one owner, or the commit fails."""

    __slots__ = ("_rows_of",)

    def __init__(self, source: TableWriter[Row], target: DerivedTable[Any], rows_of: RowsOf[Row]) -> None:
        super().__init__(source, target)
        self._rows_of = rows_of

    def add(self, rows: Sequence[Row]) -> None:
        """Put the rows of new source rows."""
        rows_of = self._rows_of
        self._put([entry for row in rows for entry in dict(rows_of((row,))).items()])

    def apply(self, net: Net) -> None:
        """Take old rows away first, so that a key may pass from one row to another in one transaction."""
        target = self.target
        rows_of = self._rows_of
        old, new = sides(net)
        going = rows_of(old)
        # A row may ask for one key twice; two rows may not.
        coming = [entry for row in new for entry in dict(rows_of((row,))).items()]
        target.preload([key for key, _ in coming])
        for key, cell in going:
            target.put_known(key, cell, None)
        self._put(coming)

    def _put(self, coming: Sequence[tuple[StoredKey, Cell]]) -> None:
        target = self.target
        target.preload([key for key, _ in coming])
        for key, cell in coming:
            if target.cell(key) is not None:
                raise self._violation(key)
            target.put_cell(key, cell)

    def _violation(self, key: StoredKey) -> UniqueViolation:
        spec = self.target.spec
        return UniqueViolation(spec.name, source=self.source.spec.name, key=spec.key_fields(key))


class Identity(Generic[Row]):
    """The identity of a table: a unique index that is kept row by row, since every put asks it.

    `key_of` and `cell_of` give the identity row of a source row; `owner_of` gives back the source row's
    stored key out of an identity row.
    """

    __slots__ = ("_cell_of", "_owner_of", "key_of", "source", "target")
    #: Set when the transaction is wired: the source table holds its identity, so it comes second.
    source: TableWriter[Row]

    def __init__(
        self,
        target: DerivedTable[Any],
        key_of: Callable[[Row], StoredKey],
        cell_of: Callable[[Row], Cell],
        owner_of: Callable[[Any, Cell], StoredKey],
    ) -> None:
        self.target = target
        self.key_of = key_of
        self._cell_of = cell_of
        self._owner_of = owner_of

    @property
    def sources(self) -> tuple[TableWriter[Row], ...]:
        """As `Filler.sources`."""
        return (self.source,)

    def preload(self, rows: Iterable[Row]) -> list[StoredKey]:
        """Read the identities of many rows with one statement; the stored keys of their owners."""
        return self.preload_at(map(self.key_of, rows))

    def preload_at(self, keys: Iterable[StoredKey]) -> list[StoredKey]:
        """As `preload`, by the identities' keys."""
        target, keys = self.target, list(keys)
        target.preload(keys)
        owner_of = self._owner_of
        return [owner_of(key, cell) for key in keys if (cell := TableWriter.cell(target, key)) is not None]

    def owner(self, row: Row) -> StoredKey | None:
        """The stored key of the row that has this row's identity, or None."""
        return self.owner_at(self.key_of(row))

    def owner_at(self, key: StoredKey) -> StoredKey | None:
        """The stored key of the row whose identity has this key, or None."""
        # Not through the derived table, which would settle the pure words at every put.
        cell = TableWriter.cell(self.target, key)
        return None if cell is None else self._owner_of(key, cell)

    def take(self, row: Row) -> None:
        """The row is stored now: its identity is its own."""
        self.take_at(self.key_of(row), row)

    def take_at(self, key: StoredKey, row: Row) -> None:
        """As `take`, by the identity's key."""
        self.target.put_cell(key, self._cell_of(row))

    def add(self, rows: Sequence[Row]) -> None:
        """Fill an empty identity table from stored rows; two rows with one identity are refused."""
        key_of = self.source.spec.key_of
        for row in rows:
            owner = self.owner(row)
            if owner is not None and owner != key_of(row):
                spec = self.target.spec
                identity = spec.key_fields(self.key_of(row))
                raise UniqueViolation(spec.name, source=self.source.spec.name, key=identity)
            self.take(row)

    def release(self, row: Row) -> None:
        """The row is gone."""
        self.target.put_cell(self.key_of(row), None)
