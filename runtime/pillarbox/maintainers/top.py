"""The word `top`: the first rows of a group, folded.

Depends on: tables, codec.  Never on: what the rows mean; group, order and fold are generated.

Law: T(g) = fold of the first N rows of `source` in g, greatest order first; an empty group has no row.
`vocabulary.md` 2.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from pillarbox.codec import successor
from pillarbox.maintainers.rule import Net, OneSource
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, DerivedTable, Row, TableWriter

#: What rows of a group are compared by; greater comes first.
Order: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True)
class TopShape(Generic[Row]):
    """The generated half of a `top`."""

    #: Rows folded per group, at least 1.
    first: int
    #: The target key of a source row's group; None where the row takes no part (another sub-prefix).
    group_of: Callable[[Row], StoredKey | None]
    #: The source prefixes that make up the group of a source row, one per `across` value.
    prefixes_of: Callable[[Row], Sequence[bytes]]
    order_of: Callable[[Row], Order]
    #: The target cell out of the first rows, newest first, at least one.
    fold: Callable[[Sequence[Row]], Cell]
    #: The order stored in a target row, where `fold` keeps the first row's key; None where it does not.
    stored_order: Callable[[Any, Cell], Order] | None


class Top(OneSource, Generic[Row]):
    """Keeps the fold of each group's first rows; reads at most N rows per changed group and sub-prefix."""

    __slots__ = ("_shape",)

    def __init__(self, source: TableWriter[Row], target: DerivedTable[Any], shape: TopShape[Row]) -> None:
        super().__init__(source, target)
        self._shape = shape

    def add(self, rows: Sequence[Row]) -> None:
        """Compare each group's newest arrival with the stored top, or read the group again."""
        arrived: dict[StoredKey, tuple[Order, Row]] = {}
        reread: dict[StoredKey, Row] = {}
        fast = self._shape.stored_order is not None
        order_of = self._shape.order_of
        for group, row in zip(map(self._shape.group_of, rows), rows, strict=True):
            if group is None:
                continue
            if fast:
                order = order_of(row)
                newest = arrived.get(group)
                if newest is None or order > newest[0]:
                    arrived[group] = (order, row)
            else:
                reread[group] = row
        self._fold(arrived, reread)

    def apply(self, net: Net) -> None:
        """Groups that only grew compare their newest arrival with the stored top; others are read again."""
        arrived: dict[StoredKey, tuple[Order, Row]] = {}
        reread: dict[StoredKey, Row] = {}
        shape = self._shape
        fast = shape.stored_order is not None
        for _, old, new in net:
            if old is not None:
                group = shape.group_of(old)
                if group is not None:
                    reread[group] = old
            if new is not None:
                group = shape.group_of(new)
                if group is None:
                    continue
                if old is not None or not fast:
                    reread[group] = new
                else:
                    order = shape.order_of(new)
                    newest = arrived.get(group)
                    if newest is None or order > newest[0]:
                        arrived[group] = (order, new)
        self._fold(arrived, reread)

    def _fold(self, arrived: Mapping[StoredKey, tuple[Order, Row]], reread: Mapping[StoredKey, Row]) -> None:
        if len(arrived) + len(reread) > 1:
            self.target.preload([*arrived, *reread])
        for group, (order, row) in arrived.items():
            if group not in reread:
                self._compare(group, order, row)
        for group, row in reread.items():
            self._read_again(group, row)

    def _compare(self, group: StoredKey, order: Order, row: Row) -> None:
        shape = self._shape
        was = TableWriter.cell(self.target, group)
        assert shape.stored_order is not None
        if was is None or order > shape.stored_order(group, was):
            self.target.put_cell(group, shape.fold((row,)))

    def _read_again(self, group: StoredKey, sample: Row) -> None:
        shape = self._shape
        rows: list[Row] = []
        prefixes = shape.prefixes_of(sample)
        for prefix in prefixes:
            rows += self.source.rows_between(prefix, successor(prefix), newest_first=True, limit=shape.first)
        if len(prefixes) > 1:
            rows.sort(key=shape.order_of, reverse=True)
        cell = shape.fold(rows[: shape.first]) if rows else None
        if self.target.spec.differ(self.target.cell(group), cell):
            self.target.put_cell(group, cell)
