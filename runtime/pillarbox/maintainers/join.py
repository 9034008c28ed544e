"""The word `join`: one row per key of its drivers, made with rows that are looked up.

Depends on: tables, lookups.  Never on: what is joined; `row_of` is generated from the schema.

Law: T(k) = row(k) for every key k of a driver where `when(k)` holds; no other key has a row.
`vocabulary.md` 2.4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from pillarbox.maintainers.lookups import Arguments, Lookup, Lookups, rows_at
from pillarbox.maintainers.rule import Nets, OneSource
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, DerivedTable, TableWriter

#: The target cell, or None where there is to be no row. Called with the driver's row (of several drivers:
#: the fields of the key, then a row or None of each), and with the looked-up rows.
RowOf: TypeAlias = Callable[..., Cell | None]
#: Rows that are held decoded at a time.
_SLICE_ROWS: Final = 10_000


class Join:
    """Makes the rows again whose drivers or lookups changed, each once, and writes those that differ.

    The keys of all drivers are the keys of the target. Reads the target, each driver and each looked-up
    table with one statement (a looked-up table with one a level).
    """

    __slots__ = ("_drivers", "_lookups", "_row_of", "source", "sources", "target")
    pure = True

    def __init__(
        self,
        drivers: Sequence[TableWriter[Any]],
        target: DerivedTable[Any],
        lookups: Sequence[Lookup],
        row_of: RowOf,
    ) -> None:
        self._drivers = tuple(drivers)
        self._lookups = Lookups(lookups)
        self._row_of = row_of
        self.source = drivers[0]
        every = (*drivers, *self._lookups.tables)
        self.sources = tuple({table.spec.id: table for table in every}.values())
        self.target = target

    def settle(self, nets: Nets) -> None:
        """As `Rule.settle`."""
        dirty: dict[StoredKey, None] = {}
        for driver in self._drivers:
            dirty.update(dict.fromkeys(nets.keys(driver)))
        dirty.update(self._lookups.dependents(nets))
        if dirty:
            self.make(list(dirty))

    def add(self, rows: Sequence[Any]) -> None:
        """As `Filler.add`, for rows of the first driver; `FurtherDriver` is for the others."""
        self.make(list(map(self.source.spec.key_of, rows)))

    def make(self, keys: Sequence[StoredKey]) -> None:
        """Make the rows under these keys as they should be now."""
        for start in range(0, len(keys), _SLICE_ROWS):
            self._make(keys[start : start + _SLICE_ROWS])

    def _make(self, keys: Sequence[StoredKey]) -> None:
        calls = self._calls(keys)
        self._lookups.complete(list(calls.values()))
        target, row_of, differ = self.target, self._row_of, self.target.spec.differ
        if len(keys) > 1:
            target.preload(keys)
        for key in keys:
            call = calls.get(key)
            cell = None if call is None else row_of(*call)
            if differ(TableWriter.cell(target, key), cell):
                target.put_cell(key, cell)

    def _calls(self, keys: Sequence[StoredKey]) -> dict[StoredKey, Arguments]:
        """What `row_of` is called with, but for the lookups, for each key that a driver has."""
        found = [rows_at(driver, keys) for driver in self._drivers]
        if len(found) == 1:
            return {key: [row] for key, row in found[0].items()}
        key_fields = self.target.spec.key_fields
        sides = zip(keys, zip(*[map(rows.get, keys) for rows in found], strict=True), strict=True)
        nothing = (None,) * len(found)
        return {key: [key_fields(key), *rows] for key, rows in sides if rows != nothing}


class FurtherDriver(OneSource):
    """Fills a join from a driver that is not its first; following it is the join's own affair."""

    __slots__ = ("_join",)

    def __init__(self, source: TableWriter[Any], join: Join) -> None:
        super().__init__(source, join.target)
        self.sources = join.sources
        self._join = join

    def settle(self, nets: Nets) -> None:
        """As `Rule.settle`: the join has done it."""

    def add(self, rows: Sequence[Any]) -> None:
        """As `Filler.add`."""
        self._join.make(list(map(self.source.spec.key_of, rows)))


def joined(
    drivers: Sequence[TableWriter[Any]],
    target: DerivedTable[Any],
    lookups: Sequence[Lookup],
    row_of: RowOf,
) -> tuple[Join | FurtherDriver, ...]:
    """The rules of one join."""
    join = Join(drivers, target, lookups, row_of)
    return (join, *(FurtherDriver(driver, join) for driver in drivers[1:]))
