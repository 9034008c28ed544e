"""The word `owned`: rows that go when their owner goes.

Depends on: tables.  Never on: what owns what; the keys are generated.

Law: every row's owner exists, whenever anybody looks. An owner that goes takes its rows with it at once, so
that none is left where another owner comes under its key; an owner that moves to another key has gone from
the old one. `vocabulary.md` 2.7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeAlias

from pillarbox.errors import OwnerMissing
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, DerivedTable, Heard, KeptTable, LateTable, Row, TableReader, TableWriter

#: Stored keys low <= key < high; None is open-ended.
Range: TypeAlias = tuple[StoredKey | None, StoredKey | None]


class OwnedTable(LateTable[Row]):
    """A table whose rows go with their owners: any use of it first follows what happened to those."""

    __slots__ = ()
    #: Handed to the generated class.
    _owners: Owners[Any]

    def without_owner(self, rows: Sequence[Row]) -> list[Row]:
        """Those of stored rows whose owner is not stored, whatever transaction is open."""
        return self._owners.lacking(rows)

    def put_cell(self, key: StoredKey, cell: Cell | None) -> None:
        """As `TableWriter.put_cell`, after following."""
        self._settle()
        super().put_cell(key, cell)

    def put_known(self, key: StoredKey, old: Cell | None, cell: Cell | None) -> None:
        """As `TableWriter.put_known`. Who knows the old cell has read it, and so has followed."""
        super().put_known(key, old, cell)

    def move_cell(self, old_key: StoredKey, key: StoredKey, cell: Cell) -> None:
        """As `TableWriter.move_cell`, after following."""
        self._settle()
        super().move_cell(old_key, key, cell)


class Owners(Generic[Row]):
    """Asked at every put of an owned table: is the owner there."""

    __slots__ = ("_key_of", "_owned", "_table", "_told")

    def __init__(self, owned: str, table: TableReader[Any], key_of: Callable[[Row], StoredKey]) -> None:
        """`owned` names the table of the rows; `key_of` gives the stored key of a row's owner."""
        self._owned = owned
        self._table = table
        self._key_of = key_of
        #: Hears of each row that `has` finds without an owner.
        self._told: Callable[[OwnerMissing], None] | None = None

    def has(self, row: Row) -> bool:
        """Whether the owner of a row that is being put exists."""
        table, key = self._table, self._key_of(row)
        if isinstance(table, DerivedTable) and not isinstance(table, KeptTable):
            # An identity is kept row by row; to read it as others do would settle the pure words.
            there = TableWriter.cell(table, key) is not None
        else:
            there = table.cell(key) is not None
        if not there and self._told is not None:
            self._told(self.missing(row))
        return there

    def preload(self, rows: Iterable[Row]) -> None:
        """Read the owners of many rows with one statement."""
        table = self._table
        assert isinstance(table, TableWriter)
        table.preload([self._key_of(row) for row in rows])

    def lacking(self, rows: Sequence[Row]) -> list[Row]:
        """The rows whose owner is not stored."""
        keys = [self._key_of(row) for row in rows]
        found = TableReader.cells_at(self._table, list(dict.fromkeys(keys)))
        return [row for row, key in zip(rows, keys, strict=True) if key not in found]

    def missing(self, row: Row) -> OwnerMissing:
        """The error for a row without an owner."""
        spec = self._table.spec
        return OwnerMissing(self._owned, owner=spec.name, key=spec.key_fields(self._key_of(row)))


def tell_orphans(tx: object, told: Callable[[OwnerMissing], None]) -> None:
    """Tell of each row that is put from now on while its owner is not there, refused or left out."""
    for name in dir(tx):
        table = getattr(tx, name, None)
        if isinstance(table, OwnedTable):
            table._owners._told = told


class Owned:
    """Follows the owners: removes the rows of those that go."""

    __slots__ = ("_owned", "_range_of")
    follows_new = False

    def __init__(self, owned: OwnedTable[Any], range_of: Callable[[Any], Range]) -> None:
        """`range_of` gives the stored keys of the rows that an owner has."""
        self._owned = owned
        self._range_of = range_of

    def follow(self, changes: Sequence[Heard[Any]]) -> None:
        """Take writes of the owners' table, in their order."""
        range_of, owned = self._range_of, self._owned
        for _, old, new in changes:
            if old is None:
                continue
            rows = range_of(old)
            if new is None or range_of(new) != rows:
                for key, cell in owned.scan_cells(*rows):
                    owned.drop(key, cell)

    def follow_new(self, rows: Sequence[Any]) -> None:
        """Nothing: of an owner that comes, no row goes."""


class OwnedByIndex:
    """As `Owned`, where an index of the owned table leads from owners to rows."""

    __slots__ = ("_index", "_key_of", "_owned", "_owner_of", "_range_of", "_row_key_of")
    follows_new = False

    def __init__(
        self,
        owned: OwnedTable[Any],
        index: DerivedTable[Any],
        *,
        key_of: Callable[[Any], StoredKey],
        owner_of: Callable[[Any], StoredKey],
        range_of: Callable[[Any], Range],
        row_key_of: Callable[[Any], StoredKey],
    ) -> None:
        """`key_of` gives an owner's own stored key, `owner_of` that of a row's owner; `range_of` the index
        rows of an owner, `row_key_of` the stored key of the row that an index row stands for.
        """
        self._owned = owned
        self._index = index
        self._key_of = key_of
        self._owner_of = owner_of
        self._range_of = range_of
        self._row_key_of = row_key_of

    def follow(self, changes: Sequence[Heard[Any]]) -> None:
        """Take writes of the owners' table, in their order."""
        for _, old, new in changes:
            if old is not None and (new is None or self._key_of(new) != self._key_of(old)):
                self._remove_rows(old)

    def follow_new(self, rows: Sequence[Any]) -> None:
        """Nothing: of an owner that comes, no row goes."""

    def _remove_rows(self, owner: Any) -> None:
        """The index is as of the last settle: what was written since is looked at row by row."""
        owned, gone = self._owned, self._key_of(owner)
        row = self._index.spec.row
        # Not through the derived table, which would settle the pure words in the middle of a step.
        found = TableWriter.scan_cells(self._index, *self._range_of(owner))
        keys = dict.fromkeys(self._row_key_of(row(key, cell)) for key, cell in found)
        keys.update(dict.fromkeys(owned.unsettled))
        for key, cell in owned.cells_at(list(keys)).items():
            if self._owner_of(owned.spec.row(key, cell)) == gone:
                owned.drop(key, cell)
