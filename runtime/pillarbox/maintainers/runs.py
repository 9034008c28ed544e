"""The word `runs`: neighbours that belong together.

Depends on: tables, rule.  Never on: what makes rows belong together; the shape is generated.

Law: within a group, rows in key order, a block is as many neighbours as possible with one value of `same`;
cut from its first row into pieces of `longest`, T(row) = the first row of its piece. A row without a value
has no row here, and separates its neighbours. `vocabulary.md` 2.5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, Generic, TypeAlias

from pillarbox.maintainers.rule import Net, OneSource
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, DerivedTable, Row, TableReader, TableWriter

#: Stored keys low <= key < high; None is open-ended.
Range: TypeAlias = tuple[StoredKey | None, StoredKey | None]
#: Source rows read at a time where a walk goes on.
_SLICE_ROWS: Final = 64
_SLICE_MAX: Final = 1024


@dataclass(frozen=True)
class RunsShape(Generic[Row]):
    """The generated half of a `runs`."""

    #: Rows in a piece, at least 1.
    longest: int
    #: The source keys of a row's group.
    range_of: Callable[[Row], Range]
    #: What neighbours share; None where the row belongs to none.
    same_of: Callable[[Row], Any]
    #: The target cell that names this row as the first.
    cell_of: Callable[[Row], Cell]
    #: The source key that a target row names.
    first_of: Callable[[Any, Cell], StoredKey]


@dataclass(slots=True)
class _Piece:
    """The piece that a walk is in."""

    value: Any
    first: StoredKey
    cell: Cell
    rows: int


#: A source row that came, went or changed its value: (key, value before, value now, a row for its group).
_Change: TypeAlias = tuple[Any, Any, Any, Any]


class Runs(OneSource, Generic[Row]):
    """Mends the runs at changed rows: it walks up from each, as far as first rows change."""

    __slots__ = ("_shape",)

    def __init__(self, source: TableWriter[Row], target: DerivedTable[Any], shape: RunsShape[Row]) -> None:
        super().__init__(source, target)
        self._shape = shape

    def add(self, rows: Sequence[Row]) -> None:
        """Place new rows into their runs."""
        key_of, same_of = self.source.spec.key_of, self._shape.same_of
        if len(rows) > 1 and not self._may_matter(rows):
            return
        self._mend([(key_of(row), None, same_of(row), row) for row in rows])

    def _may_matter(self, rows: Sequence[Row]) -> bool:
        """Whether a new row has a value, or there is a run that one may part."""
        values = list(map(self._shape.same_of, rows))
        has_value = values.count(None) < len(values)
        return has_value or bool(TableWriter.scan_cells(self.target, None, None, limit=1))

    def apply(self, net: Net) -> None:
        """Mend the runs of rows that came, went or changed their value."""
        same_of = self._shape.same_of
        changes: list[_Change] = []
        for key, old, new in net:
            before = None if old is None else same_of(old)
            after = None if new is None else same_of(new)
            # A row that comes or goes without a value may still part its neighbours.
            if before != after or old is None or new is None:
                changes.append((key, before, after, old if new is None else new))
        self._mend(changes)

    def _mend(self, changes: list[_Change]) -> None:
        changes.sort(key=_key)
        target = self.target
        for key, before, after, _ in changes:
            if after is None and before is not None:
                target.put_cell(key, None)
        range_of = self._shape.range_of
        for group, found in groupby(self._mattering(changes), key=lambda each: range_of(each[0][3])):
            self._mend_group(group, list(found))

    def _mattering(self, changes: list[_Change]) -> list[tuple[_Change, Any]]:
        """Those that may matter, each with the target row that it may matter to; None where it has a value.

        One without a value matters to a run right above it only, and then no other change lies between.
        """
        above = _Above(self.target)
        found: list[tuple[_Change, Any]] = []
        last = len(changes) - 1
        for place, change in enumerate(changes):
            seen = None
            if change[1] is None and change[2] is None:
                seen = above.row(change[0])
                if seen is None or (place < last and changes[place + 1][0] < seen):
                    continue
            found.append((change, seen))
        return found

    def _mend_group(self, group: Range, changes: list[tuple[_Change, Any]]) -> None:
        """Walk from each change, in key order, so that what lies below a walk is right."""
        walk = _Walk(self.source, self.target, self._shape, group)
        end: Any = group[1]
        for place, ((key, before, _, _), seen) in enumerate(changes):
            if seen is None or end is None or seen < end:
                walk.mend(key, fresh=before is None, more=len(changes) - place)


class _Above:
    """Target rows above keys that ascend, of any group, without reading where the last one found still lies.

    Of the rows that were there at first: what is written meanwhile lies at changes.
    """

    __slots__ = ("_looked", "_seen", "_target")

    def __init__(self, target: TableReader[Any]) -> None:
        self._target = target
        self._seen: Any = None
        self._looked = False

    def row(self, key: Any) -> Any:
        """The key of the first target row above."""
        if not self._looked or (self._seen is not None and not key < self._seen):
            found = self._target.scan_cells(_after(key), None, limit=1)
            self._seen, self._looked = (found[0][0] if found else None), True
        return self._seen


class _Walk(Generic[Row]):
    """Goes up the rows of one group, from changes in ascending order; no row is read twice."""

    __slots__ = ("_ahead", "_at", "_beside", "_group", "_piece", "_shape", "_source", "_target", "_upto")

    def __init__(
        self, source: TableWriter[Row], target: DerivedTable[Any], shape: RunsShape[Row], group: Range
    ) -> None:
        self._source = source
        self._target = target
        self._shape = shape
        self._group = group
        #: Rows read and not yet gone over, the next one last; those below `_upto`.
        self._ahead: list[tuple[Any, Cell]] = []
        self._upto: Any = None
        #: The last row gone over, and its piece: None where it has no value.
        self._at: Any = None
        self._piece: _Piece | None = None
        #: Whether the next row is the one above it.
        self._beside = False

    def mend(self, key: Any, *, fresh: bool, more: int) -> None:
        """Go over the row at `key` and those above it, as far as they do not stand as they must.

        `fresh`: there was no target row at `key`. `more`: how many changes there are from here on.
        """
        if self._at is not None and key < self._at:
            return
        while (found := self._next(key, more)) is not None:
            at, cell = found
            settled = self._place(at, self._source.spec.row(at, cell), fresh=fresh and at == key)
            # The row at `key` says nothing of the one above it.
            if settled and at != key:
                return

    def _next(self, key: Any, more: int) -> tuple[Any, Cell] | None:
        """The next row, from `key` up."""
        ahead = self._ahead
        while ahead and ahead[-1][0] < key:
            ahead.pop()
            self._beside = False
        if not ahead:
            low = self._upto
            if low is None or low < key:
                low, self._beside = key, False
            limit = min(max(more + 1, 2 if self._upto is None else _SLICE_ROWS), _SLICE_MAX)
            found = self._source.scan_cells(low, self._group[1], limit=limit)
            if not found:
                return None
            ahead.extend(reversed(found))
            self._upto = _after(found[-1][0])
        return ahead.pop()

    def _place(self, at: Any, row: Row, *, fresh: bool) -> bool:
        """Put a row into its piece; whether what lies above it stands as it did."""
        shape = self._shape
        value = shape.same_of(row)
        beside, self._beside, self._at = self._beside, True, at
        if value is None:
            self._piece = None
            return True
        piece = self._piece if beside else self._below(at, value)
        if piece is not None and piece.value == value and piece.rows < shape.longest:
            piece.rows += 1
        else:
            piece = _Piece(value, at, shape.cell_of(row), 1)
        self._piece = piece
        was = None if fresh else self._target.cell(at)
        if was == piece.cell:
            return bool(piece.first == at)
        self._target.put_known(at, was, piece.cell)
        return False

    def _below(self, at: Any, value: Any) -> _Piece | None:
        """The piece that the row below ends, if it has this value."""
        shape, source = self._shape, self._source
        found = source.scan_cells(self._group[0], at, newest_first=True, limit=1)
        if not found or shape.same_of(source.spec.row(*found[0])) != value:
            return None
        cell = self._target.cell(found[0][0])
        assert cell is not None, f"{self._target.spec.name}: a row below has a value and no run"
        first = shape.first_of(found[0][0], cell)
        rows = len(source.scan_cells(first, at, limit=shape.longest))
        return _Piece(value, first, cell, rows)


def _key(change: _Change) -> Any:
    return change[0]


def _after(key: Any) -> Any:
    """The least key above."""
    return key + 1 if isinstance(key, int) else key + b"\0"
