"""What must hold of tables that steps keep: lists and ranges, and the marks of seeds.

Depends on: maintainers, tables, storage.  Never on: findings; it gives keys and texts.

Law: rows that only the package has written have no fault. A row that was changed, added or taken away
behind its back is told where the rest of the table shows it. Nothing is written, and nothing is guessed:
what a list or a range should be, only who fills them can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, TypeAlias

from pillarbox.maintainers import ListTable, RangesTable, SeededTable
from pillarbox.storage import Engine, StoredKey, in_slices
from pillarbox.tables import TableSpec

_SLICE_ROWS: Final = 10_000
#: The table, a key of it (None: the table as a whole), and what is wrong there.
Fault: TypeAlias = tuple[TableSpec[Any], StoredKey | None, str]


def kept_faults(engine: Engine, table: object) -> Iterator[Fault]:
    """The faults of a table of a transaction, if it is of one of these words."""
    if isinstance(table, ListTable):
        yield from _of_list(engine, table)
    if isinstance(table, RangesTable):
        yield from _of_ranges(engine, table)
    if isinstance(table, SeededTable):
        yield from _of_marks(engine, table)


def _stored(engine: Engine, spec: TableSpec[Any]) -> Iterator[tuple[Any, Any]]:
    """(key, cell) of every row as it lies in the file."""
    for found in in_slices(partial(engine.scan, spec.layout), _SLICE_ROWS):
        for key, value in found:
            yield key, spec.cell_from(value)


def _of_list(engine: Engine, table: ListTable[Any]) -> Iterator[Fault]:
    spec, places = table.spec, table.places
    group, position, items = None, 0, 0
    for key, cell in _stored(engine, spec):
        row = spec.row(key, cell)
        items += 1
        position = position + 1 if key[:-4] == group else 0
        group = key[:-4]
        if row.position != position:
            yield spec, key, f"its position is {row.position}, the rows before it end at {position - 1}"
            position = row.position
        place = engine.get(places.spec.layout, table.PLACE_OF(row))
        if place is None or places.PACKED.decode(place) != (row.position,):
            yield spec, key, f"{places.spec.name!r} does not find its item there"
    named = sum(1 for _ in _stored(engine, places.spec))
    if named != items:
        yield places.spec, None, f"it places {named} items, {spec.name!r} has {items}"


def _of_ranges(engine: Engine, table: RangesTable[Any]) -> Iterator[Fault]:
    spec, edges = table.spec, table.EDGES
    prefix: bytes | None = None
    reached: bytes | None = b""
    for key, cell in _stored(engine, spec):
        lower, upper = edges.lower(cell), edges.upper(key)
        before, prefix = prefix, edges.raw(key)[: -edges.width]
        if lower > upper:
            yield spec, key, "its lower edge lies above the upper one"
        if lower < edges.first or upper > edges.last:
            yield spec, key, "it goes beyond the first or the last key there is"
        if before == prefix and (reached is None or lower <= reached):
            yield spec, key, "it touches the range before it, or shares keys with it"
        reached = edges.after(upper)


def _of_marks(engine: Engine, table: SeededTable[Any]) -> Iterator[Fault]:
    seeds = table.SEEDS
    for key, cell in _stored(engine, seeds.marks):
        version = seeds.version_in(cell)
        if version is not None and version > seeds.version:
            yield seeds.marks, key, f"it tells of upgrade {version}, the last there is is {seeds.version}"
