"""What must hold of tables that steps keep: lists, ranges and the marks of seeds, and bases of a server.

Depends on: maintainers, tables, storage.  Never on: findings; it gives keys and texts.

Law: rows that only the package has written have no fault. A row that was changed, added or taken away
behind its back is told where the rest of the table shows it. Nothing is written, and nothing is guessed:
what a list or a range should be, only who fills them can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, TypeAlias

from pillarbox.maintainers import (
    AnchoredCountTable,
    ListTable,
    MarkerTable,
    RangesTable,
    SeededTable,
    StaleTable,
)
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
    if isinstance(table, MarkerTable):
        yield from _of_marker(engine, table)
    if isinstance(table, AnchoredCountTable):
        yield from _of_anchored(engine, table)
    if isinstance(table, StaleTable):
        yield from _of_stale(engine, table)


def _stored(engine: Engine, spec: TableSpec[Any]) -> Iterator[tuple[Any, Any]]:
    """(key, cell) of every row as it lies in the file."""
    for found in in_slices(partial(engine.scan, spec.layout), _SLICE_ROWS, engine.path, spec.name):
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


def _of_marker(engine: Engine, table: MarkerTable[Any]) -> Iterator[Fault]:
    for key, cell in _stored(engine, table.spec):
        if not table.SHAPE.tracks(key):
            yield table.spec, key, "its group has no marks, `when` leaves it out"
        if table.state_of(cell).count < 0:
            yield table.spec, key, "it counts less than nothing"


def _of_anchored(engine: Engine, table: AnchoredCountTable[Any]) -> Iterator[Fault]:
    shape = table.SHAPE
    for key, cell in _stored(engine, table.spec):
        sums, _ = table.state(cell)
        if not shape.anchored(key):
            if not any(sums):
                yield table.spec, key, "its group has no base and no sums, and yet a row"
        elif any(one < 0 for one, given in zip(sums, shape.given, strict=True) if given):
            yield table.spec, key, "it counts less than nothing"


def _of_stale(engine: Engine, table: StaleTable[Any]) -> Iterator[Fault]:
    for key, cell in _stored(engine, table.spec):
        if table.PACKED.decode(cell)[0] == 0:
            yield table.spec, key, "its version is 0, the first there is is 1"
