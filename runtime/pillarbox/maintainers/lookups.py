"""Point lookups inside a rule: rows of other tables that its rows are made with.

Depends on: tables, codec, storage.  Never on: what is looked up; keys and ways back are generated.

Law: whatever changes in a looked-up table, the keys that `dependents` gives hold every key whose lookups
found another row than before, as far as a row is used; what is made with lookups so follows the change, and
the rest is left alone. `vocabulary.md` 1, principle 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, starmap
from typing import Any, Final, Protocol, TypeAlias

from pillarbox.codec import successor
from pillarbox.maintainers.rule import Net, Nets
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, TableWriter, identical

#: What a rule's functions are called with: the rows it starts from, then the looked-up rows, level by level.
Arguments: TypeAlias = list[Any]
_INT_MAX: Final = (1 << 63) - 1
#: Keys that are read at a time where a change concerns all rows.
_SLICE_ROWS: Final = 10_000


class Dependents(Protocol):
    """From changed rows of a looked-up table to the keys that may be made with them."""

    def keys(self, net: Net) -> Iterable[StoredKey]:
        """Keys in the table of the rule, those that depend on these rows among them."""


@dataclass(frozen=True, slots=True)
class ByKey:
    """The looked-up key holds every part of the own key: `own_key` takes it out of a looked-up row."""

    own_key: Callable[[Any], StoredKey]

    def keys(self, net: Net) -> Iterator[StoredKey]:
        """As `Dependents.keys`. A row keeps its key, so either side of a change will do."""
        own_key = self.own_key
        for _, old, new in net:
            yield own_key(new if old is None else old)


@dataclass(frozen=True, slots=True)
class Via:
    """`table` leads from a looked-up row to the own keys: under `prefix` of that row lie rows that name them.

    It is settled before the rule is. A key that has looked elsewhere since then is not found any more, and
    need not be: what made it look elsewhere has changed, and leads to it by itself.
    """

    table: TableWriter[Any]
    prefix: Callable[[Any], StoredKey]
    own_key: Callable[[Any], StoredKey]

    def keys(self, net: Net) -> Iterator[StoredKey]:
        """As `Dependents.keys`: one scan for each changed row."""
        for _, old, new in net:
            low = self.prefix(new if old is None else old)
            for row in self.table.rows_between(low, _end(low)):
                yield self.own_key(row)


@dataclass(frozen=True, slots=True)
class All:
    """Every row depends on the looked-up one: settings of a whole box."""

    drivers: tuple[TableWriter[Any], ...]

    def keys(self, net: Net) -> Iterator[StoredKey]:
        """As `Dependents.keys`: all there are."""
        for driver in self.drivers:
            for found in driver.slices(_SLICE_ROWS):
                for key, _ in found:
                    yield key


@dataclass(frozen=True, slots=True)
class Lookup:
    """One looked-up row."""

    table: TableWriter[Any]
    #: The looked-up key; None where a part of it is absent. Called with the rows of earlier levels.
    key_of: Callable[..., StoredKey | None]
    dependents: Dependents
    #: Lookups of one level need none of each other: they are read together.
    level: int = 0
    #: What of a row is used, beside that it is there; None: all of it may be.
    uses: Callable[[Any], tuple[Any, ...]] | None = None

    def net(self, nets: Nets) -> Net:
        """What happened to the looked-up table, as far as it matters here."""
        net = nets.net(self.table)
        uses = self.uses
        if not net or uses is None:
            return net
        return [
            change
            for change in net
            if change[1] is None or change[2] is None or not identical(uses(change[1]), uses(change[2]))
        ]

    def row_at(self, key: StoredKey, *, settled: bool) -> Any | None:
        """The row under a key now, or as of the last settle."""
        table = self.table
        # Everything was followed before the settle began: not through what would look for more.
        cell = table.settled_cells((key,)).get(key) if settled else TableWriter.cell(table, key)
        return None if cell is None else table.spec.row(key, cell)


class Lookups:
    """The lookups of one rule, in the order of their levels."""

    __slots__ = ("_every", "_levels", "tables")

    def __init__(self, lookups: Sequence[Lookup]) -> None:
        self._every = tuple(lookups)
        self._levels = [tuple(level) for _, level in groupby(lookups, key=lambda lookup: lookup.level)]
        #: What they look into, each once.
        self.tables = tuple({lookup.table.spec.id: lookup.table for lookup in lookups}.values())

    def dependents(self, nets: Nets) -> dict[StoredKey, None]:
        """The keys that changes of looked-up tables lead to, each once."""
        found: dict[StoredKey, None] = {}
        for lookup in self._every:
            net = lookup.net(nets) if lookup.table.unsettled else ()
            if net:
                found.update(dict.fromkeys(lookup.dependents.keys(net)))
        return found

    def complete(self, calls: Sequence[Arguments], *, settled: bool = False) -> None:
        """Append to each list of arguments the rows that it looks up; None where there is none.

        `settled`: as of the last settle, rather than now. Reads each table with one statement a level.
        """
        if len(calls) == 1:
            (call,) = calls
            for level in self._levels:
                keys = [lookup.key_of(*call) for lookup in level]
                call += [
                    None if key is None else lookup.row_at(key, settled=settled)
                    for lookup, key in zip(level, keys, strict=True)
                ]
            return
        for level in self._levels:
            asked = [list(starmap(lookup.key_of, calls)) for lookup in level]
            rows = self._rows(level, asked, settled)
            found = [
                map(rows[lookup.table.spec.id].get, keys) for lookup, keys in zip(level, asked, strict=True)
            ]
            for call, more in zip(calls, zip(*found, strict=True), strict=True):
                call += more

    def _rows(
        self, level: Sequence[Lookup], asked: Sequence[Sequence[StoredKey | None]], settled: bool
    ) -> Mapping[int, Mapping[Any, Any]]:
        """The rows under the keys that a level asks for, by table."""
        wanted: dict[int, dict[Any, None]] = {}
        for lookup, keys in zip(level, asked, strict=True):
            wanted.setdefault(lookup.table.spec.id, {}).update(dict.fromkeys(keys))
        for mine in wanted.values():
            mine.pop(None, None)
        return {
            table.spec.id: rows_at(table, list(wanted[table.spec.id]), settled=settled)
            for table in self.tables
            if table.spec.id in wanted
        }


def rows_at(
    table: TableWriter[Any], keys: Sequence[StoredKey], *, settled: bool = False
) -> Mapping[StoredKey, Any]:
    """The rows under these keys now, or as of the last settle; absent ones are missing."""
    row = table.spec.row
    if len(keys) == 1 and not settled:
        cell = table.cell(keys[0])
        return {} if cell is None else {keys[0]: row(keys[0], cell)}
    cells: Mapping[StoredKey, Cell] = table.settled_cells(keys) if settled else table.cells_at(keys)
    if table.spec.decode is not None:  # a cell is the row
        return cells
    return {key: row(key, cell) for key, cell in cells.items()}


def _end(low: StoredKey) -> StoredKey | None:
    """The end of the keys that begin with this one; None where nothing lies behind them."""
    if isinstance(low, int):
        return None if low == _INT_MAX else low + 1
    return successor(low)
