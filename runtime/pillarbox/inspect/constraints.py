"""Rows that should have gone by themselves: those without an owner, and those beyond a bound.

Depends on: maintainers, tables, storage.  Never on: findings; it gives keys.

Law: exactly the rows that the table would not hold, had it been there when they were written. Nothing is
written, and no more than one group is held in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Any, Final

from pillarbox.maintainers import BoundTable, OwnedTable
from pillarbox.storage import StoredKey, in_slices
from pillarbox.tables import Cell, TableReader

_SLICE_ROWS: Final = 10_000


def orphans(table: OwnedTable[Any]) -> Iterator[StoredKey]:
    """The stored keys of rows whose owner is not there."""
    row = table.spec.row
    for found in in_slices(partial(TableReader.scan_cells, table), _SLICE_ROWS):
        alone = table.without_owner([row(key, cell) for key, cell in found])
        yield from (table.spec.key_of(one) for one in alone)


def beyond(table: BoundTable[Any]) -> Iterator[StoredKey]:
    """The stored keys of rows that their group has no room for."""
    shape, row = table.BOUND, table.spec.row

    def range_of(entry: tuple[Any, Cell]) -> Any:
        return shape.range_of(row(*entry))

    slices = in_slices(partial(TableReader.scan_cells, table), _SLICE_ROWS)
    for _, group in groupby((entry for found in slices for entry in found), key=range_of):
        ranked = sorted((shape.order_of(row(key, cell)), key) for key, cell in group)
        yield from (key for _, key in ranked[: max(0, len(ranked) - shape.keep)])
