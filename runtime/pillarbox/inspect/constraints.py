"""Rows that should have gone by themselves: those without an owner, and those beyond a bound.

Depends on: maintainers, tables, storage.  Never on: findings; it gives keys.

Law: exactly the rows that the table would not hold, had it been there when they were written. Nothing is
written, and no more than one group is held in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from typing import Any, Final

from pillarbox.maintainers import BoundTable, OwnedTable, SharedTable
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, TableReader

_SLICE_ROWS: Final = 10_000


def orphans(table: OwnedTable[Any]) -> Iterator[StoredKey]:
    """The stored keys of rows whose owner is not there."""
    row = table.spec.row
    for found in table.slices(_SLICE_ROWS, stored=True):
        alone = table.without_owner([row(key, cell) for key, cell in found])
        yield from (table.spec.key_of(one) for one in alone)


def misplaced(table: SharedTable[Any]) -> Iterator[tuple[StoredKey, str]]:
    """Shared values that are missing, or have one user: the stored key, and what is wrong."""
    key_of = table.spec.key_of
    users = groupby(_rows(table.users), key=lambda user: user.ref)
    shared = _rows(table)
    value = next(shared, None)
    for ref, found in users:
        many = len(list(islice(found, 2))) > 1
        while value is not None and value.ref < ref:
            if not value.held:
                yield key_of(value), "it has no user, and is not held"
            value = next(shared, None)
        here = value is not None and value.ref == ref
        if many and not here:
            yield table.key_of(ref), "it has more than one user, and is not here"
        if here and value is not None and not many and not value.held:
            yield key_of(value), "it has one user, and is not held"
        if here:
            value = next(shared, None)
    rest = () if value is None else (value, *shared)
    yield from ((key_of(one), "it has no user, and is not held") for one in rest if not one.held)


def _rows(table: TableReader[Any]) -> Iterator[Any]:
    """All stored rows in key order, whatever transaction is open."""
    row = table.spec.row
    for found in table.slices(_SLICE_ROWS, stored=True):
        yield from (row(key, cell) for key, cell in found)


def beyond(table: BoundTable[Any]) -> Iterator[StoredKey]:
    """The stored keys of rows that their group has no room for."""
    shape, row = table.BOUND, table.spec.row

    def range_of(entry: tuple[Any, Cell]) -> Any:
        return shape.range_of(row(*entry))

    slices = table.slices(_SLICE_ROWS, stored=True)
    for _, group in groupby((entry for found in slices for entry in found), key=range_of):
        ranked = sorted((shape.order_of(row(key, cell)), key) for key, cell in group)
        yield from (key for _, key in ranked[: max(0, len(ranked) - shape.keep)])
