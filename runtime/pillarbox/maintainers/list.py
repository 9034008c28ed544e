"""The kept word `list`: an explicit order of items per group.

Depends on: tables, codec.  Never on: what the items are; keys and limits are generated.

Law: per group the positions are 0 .. n-1, each item is there once, and n <= limit where there is one. Two
tables say so: rows by (group, position), and positions by (group, item). `vocabulary.md` 2.10.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from struct import Struct
from typing import Any, ClassVar, Final, Generic

from msgspec.structs import replace

from pillarbox.codec import Packed, successor
from pillarbox.errors import RangeError
from pillarbox.storage import Engine, StoredKey
from pillarbox.tables import Cell, KeptTable, Row, TouchLog

_POSITION: Final = Struct(">I").pack


class PlacesTable(KeptTable[Row]):
    """(group, item) -> position. Written by the list whose items it finds."""

    __slots__ = ()
    #: Set by the generated class.
    PACKED: ClassVar[Packed]

    def position(self, key: StoredKey) -> int | None:
        """Where the item is, or None."""
        cell = self.cell(key)
        if cell is None:
            return None
        (position,) = self.PACKED.decode(cell)
        return int(position)


class ListTable(KeptTable[Row], Generic[Row]):
    """(group, position) -> item and record. Generated classes add the typed steps.

    The row struct has the group, `position`, the item and the record. A step reads and writes the rows that
    it shifts, and the last one.
    """

    __slots__ = ("_places",)
    #: Set by the generated class: a static function, from a row to its key in the table of places.
    PLACE_OF: ClassVar[Any]

    def __init__(self, engine: Engine, log: TouchLog, places: PlacesTable[Any]) -> None:
        super().__init__(engine, log)
        self._places = places

    @property
    def places(self) -> PlacesTable[Any]:
        """The table that finds its items."""
        return self._places

    # --------------------------------------------------------------------------------------- steps

    def _place(self, prefix: bytes, row: Row, at: int | None, limit: int) -> None:
        """The item is at this position among the others afterwards, with this record.

        Before the first means the first, beyond the last the last, as does None. Where the list is longer
        than `limit` (0: none), the last others go, and where `at` is None the first. Raises RangeError.
        """
        count = self._count(prefix)
        standing = self._places.position(self._place_of(row))
        others = count - (standing is not None)
        over = max(0, others + 1 - limit) if limit else 0
        if over and at is None:
            rows = self._rows_from(prefix, 0, count)
            self._write(prefix, 0, rows, [*_without(rows, standing), row][over:])
            return
        try:
            target = others - over if at is None else min(max(index(at), 0), others - over)
        except TypeError:
            raise RangeError(f"{self.spec.name}.position", at, "a whole number, or None") from None
        first = target if standing is None else min(target, standing)
        end = count if standing is None or over else max(target, standing) + 1
        rows = self._rows_from(prefix, first, end)
        kept = _without(rows, None if standing is None else standing - first)
        kept.insert(target - first, row)
        self._write(prefix, first, rows, kept[: len(kept) - over])

    def _move(self, prefix: bytes, row: Row, at: int | None, limit: int) -> None:
        """As `_place`, but an item that is there keeps its record."""
        standing = self._places.position(self._place_of(row))
        held = None if standing is None else self.row_at(prefix + _POSITION(standing))
        self._place(prefix, row if held is None else held, at, limit)

    def _unplace(self, prefix: bytes, place: StoredKey) -> bool:
        """Take an item out; whether it was there."""
        standing = self._places.position(place)
        if standing is None:
            return False
        rows = self._rows_from(prefix, standing, None)
        self._write(prefix, standing, rows, rows[1:])
        return True

    def _reorder(self, prefix: bytes, places: Sequence[StoredKey], *, same_set: bool) -> bool:
        """Bring the named items to the front, in this order; the others follow as they were.

        With `same_set` the named items must be all that are there, each once; else nothing happens, and the
        answer is False. Without, those that are not there are passed over.
        """
        rows = self._rows_from(prefix, 0, None)
        by_place = {self._place_of(row): row for row in rows}
        if same_set and (len(places) != len(rows) or by_place.keys() != set(places)):
            return False
        first = {place: by_place.pop(place) for place in places if place in by_place}
        self._write(prefix, 0, rows, [*first.values(), *by_place.values()])
        return True

    def _replace(self, prefix: bytes, rows: Sequence[Row], limit: int) -> None:
        """The list is exactly these items; of two alike the first, and none past `limit`."""
        wanted: dict[StoredKey, Row] = {}
        for row in rows:
            wanted.setdefault(self._place_of(row), row)
        kept = list(wanted.values())
        self._write(prefix, 0, self._rows_from(prefix, 0, None), kept[:limit] if limit else kept)

    def _clear(self, prefix: bytes) -> int:
        """Empty every list whose key begins so; how many items went."""
        gone = self.scan_cells(prefix or None, successor(prefix) if prefix else None)
        for key, cell in gone:
            self._places.put_cell(self._place_of(self.spec.row(key, cell)), None)
            self.put_known(key, cell, None)
        return len(gone)

    # --------------------------------------------------------------------------------------- rows

    def _place_of(self, row: Row) -> StoredKey:
        key: StoredKey = self.PLACE_OF(row)
        return key

    def _count(self, prefix: bytes) -> int:
        last = self.scan_cells(
            prefix or None, successor(prefix) if prefix else None, newest_first=True, limit=1
        )
        return _position_of(last[0][0]) + 1 if last else 0

    def _rows_from(self, prefix: bytes, first: int, end: int | None) -> list[Row]:
        """The rows at first .. end - 1; None is the end of the list."""
        high = successor(prefix) if prefix else None
        return self.rows_between(prefix + _POSITION(first), high if end is None else prefix + _POSITION(end))

    def _write(self, prefix: bytes, first: int, old: Sequence[Row], new: Sequence[Row]) -> None:
        """The rows from `first` on were `old` and are `new`."""
        spec, places = self.spec, self._places
        was = {self._place_of(row): at for at, row in enumerate(old)}
        for at, row in enumerate(new):
            key = prefix + _POSITION(first + at)
            standing: Cell | None = spec.cell_of(old[at]) if at < len(old) else None
            moved = replace(row, position=first + at)  # type: ignore[type-var]  # every row is a struct
            cell = spec.cell_of(moved)
            if spec.differ(standing, cell):
                self.put_known(key, standing, cell)
            place = self._place_of(row)
            if was.pop(place, None) != at:
                places.put_cell(place, places.PACKED.encode(first + at))
        for at in range(len(new), len(old)):
            self.put_known(prefix + _POSITION(first + at), spec.cell_of(old[at]), None)
        for place in was:
            places.put_cell(place, None)


def _position_of(key: Any) -> int:
    """The position that ends a stored key."""
    return int.from_bytes(key[-4:], "big")


def _without(rows: Sequence[Row], at: int | None) -> list[Row]:
    return [row for index, row in enumerate(rows) if index != at]
