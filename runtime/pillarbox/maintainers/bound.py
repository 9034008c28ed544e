"""The word `bound`: so many rows of a group, and no more.

Depends on: tables, codec.  Never on: what the rows mean; group and order are generated.

Law: after each put, the rows of a group are the greatest `keep` by order (then by key) of those that were
there and the one that was put. `vocabulary.md` 2.8.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeAlias

from pillarbox.codec import successor
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, PrimaryWriter, Row

#: Stored keys low <= key < high; None is open-ended.
Range: TypeAlias = tuple[StoredKey | None, StoredKey | None]


@dataclass(frozen=True)
class BoundShape(Generic[Row]):
    """The generated half of a `bound`."""

    #: Rows of a group, at least 1.
    keep: int
    #: The stored keys of a row's group.
    range_of: Callable[[Row], Range]
    #: What rows of a group are compared by; the least goes.
    order_of: Callable[[Row], Any]


#: The rows of each group that was put into: (order, key), ascending.
Ranked: TypeAlias = dict[Range, list[tuple[Any, Any]]]


class BoundTable(PrimaryWriter[Row]):
    """A table that lets the least rows of a group go. It reads a group at the first put into it."""

    __slots__ = ()
    #: Set by the generated class.
    BOUND: ClassVar[BoundShape[Any]]
    #: Made by the generated class.
    _ranked: Ranked

    def put_cell(self, key: StoredKey, cell: Cell | None) -> None:
        """As `TableWriter.put_cell`; the old cell is read, since its order must be known."""
        self.put_known(key, self.cell(key), cell)

    def put_known(self, key: StoredKey, old: Cell | None, cell: Cell | None) -> None:
        """As `TableWriter.put_known`; then the least of its group goes, if there is one too many."""
        group = None if cell is None else self._group_of(key, cell)
        super().put_known(key, old, cell)
        self._rank(key, old, cell)
        if group is not None:
            self._let_go(group)

    def put_new(self, entries: Iterable[tuple[StoredKey, Cell]]) -> None:
        """As `TableWriter.put_new`, one after the other."""
        for key, cell in entries:
            self.put_known(key, None, cell)

    def move_cell(self, old_key: StoredKey, key: StoredKey, cell: Cell) -> None:
        """As `TableWriter.move_cell`; then as `put_known`."""
        group = self._group_of(key, cell)
        old, standing = self.cell(old_key), self.cell(key)
        super().move_cell(old_key, key, cell)
        self._rank(old_key, old, None)
        self._rank(key, standing, self.cell(key))
        self._let_go(group)

    def _replace_under(self, prefix: bytes, rows: Iterable[Row]) -> None:
        """As `PrimaryWriter._replace_under`; what goes goes first, for no new row is to make room for it."""
        rows = list(rows)
        stays = {self.key_under(prefix, row) for row in rows}
        stays |= {self.spec.key_of(was) for row in rows if (was := self.replaced_by(row)) is not None}
        for key, cell in self.scan_cells(prefix, successor(prefix)):
            if key not in stays:
                self.drop(key, cell)
        super()._replace_under(prefix, rows)

    def forget(self) -> None:
        """As `TableWriter.forget`."""
        super().forget()
        self._ranked.clear()

    def _group_of(self, key: StoredKey, cell: Cell) -> Range:
        """The group of a row, read if it was not."""
        shape, row = self.BOUND, self.spec.row
        group = shape.range_of(row(key, cell))
        if group not in self._ranked:
            self.enter()
            found = self.scan_cells(*group)
            self._ranked[group] = sorted((shape.order_of(row(at, held)), at) for at, held in found)
        return group

    def _rank(self, key: StoredKey, old: Cell | None, cell: Cell | None) -> None:
        """Take the old row out of its group, and the new one in; of groups that were read."""
        shape = self.BOUND
        for held, comes in ((old, False), (cell, True)):
            if held is None:
                continue
            row = self.spec.row(key, held)
            ranked = self._ranked.get(shape.range_of(row))
            if ranked is None:
                continue
            entry = (shape.order_of(row), key)
            place = bisect_left(ranked, entry)
            there = ranked[place : place + 1] == [entry]
            if comes and not there:
                ranked.insert(place, entry)
            elif there and not comes:
                del ranked[place]

    def _let_go(self, group: Range) -> None:
        ranked = self._ranked[group]
        for _, least in ranked[: max(0, len(ranked) - self.BOUND.keep)]:
            self.drop(least, self.cell(least))
