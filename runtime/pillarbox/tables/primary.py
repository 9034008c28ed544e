"""A table that steps write: what its generated class need not say for itself.

Depends on: writer, spec, codec, storage, errors.  Never on: the steps, maintainers and transactions.

Law: removing many is `drop` of each; replacing the rows under a prefix leaves exactly the rows given, and
those that are equal untouched.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, NamedTuple

from pillarbox.codec import successor
from pillarbox.errors import UsageError
from pillarbox.storage import StoredKey
from pillarbox.tables.spec import Row, identical, refuse_cell
from pillarbox.tables.writer import TableWriter


class Put(NamedTuple, Generic[Row]):
    """What `put_was` did: the row that was there before (or None), and the row as stored."""

    was: Row | None
    row: Row


class PrimaryWriter(TableWriter[Row]):
    """A table that steps write. Generated classes add what its key, numbers and identity are."""

    __slots__ = ()

    def put(self, row: Row) -> Row:
        """Write a row; gives it as stored."""
        raise NotImplementedError

    def put_was(self, row: Row) -> Put[Row]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def refuse(self, row: Row) -> None:
        """Raise RangeError for a row that cannot be stored; for who stumbled over one and knows no more."""
        spec = self.spec
        if spec.encode is None:  # what is not in its cell is in its key
            spec.key_of(row)
        refuse_cell(spec, spec.cell_of(row))

    def replaced_by(self, row: Row) -> Row | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(self.spec.key_of(row))

    def key_under(self, prefix: bytes, row: Row) -> StoredKey:
        """The key of a row that belongs under a prefix. Raises UsageError for any other."""
        key = self.spec.key_of(row)
        if isinstance(key, bytes) and key.startswith(prefix):
            return key
        raise UsageError(
            f"table {self.spec.name!r}: the row with the key {self.spec.key_fields(key)!r} was given for "
            f"others than those it is of; put it by itself, or leave it out"
        )

    def _remove_from(self, low: StoredKey, end: StoredKey | None) -> int:
        """Remove the rows with low <= key < end; gives how many there were."""
        found = self.scan_cells(low, end)
        for key, cell in found:
            self.drop(key, cell)
        return len(found)

    def _remove_under(self, prefix: bytes) -> int:
        """Remove the rows whose keys begin so; gives how many there were."""
        return self._remove_from(prefix, successor(prefix))

    def _replace_under(self, prefix: bytes, rows: Iterable[Row]) -> None:
        """The rows whose keys begin so are exactly these. Raises UsageError for one that is not of them."""
        kept = set()
        for row in rows:
            stored = row if identical(self.row_at(self.key_under(prefix, row)), row) else self.put(row)
            kept.add(self.spec.key_of(stored))
        for key, cell in self.scan_cells(prefix, successor(prefix)):
            if key not in kept:
                self.drop(key, cell)
