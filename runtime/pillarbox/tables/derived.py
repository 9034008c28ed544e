"""A table that follows others: who reads it sees what was written so far made of.

Depends on: writer, spec.  Never on: maintainers, whose settling is handed in.

Law: a read inside a transaction sees the rows that follow from every earlier write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pillarbox.storage import Engine, StoredKey
from pillarbox.tables.spec import Cell, Row
from pillarbox.tables.touch_log import TouchLog
from pillarbox.tables.writer import TableWriter

Settle: TypeAlias = Callable[[], None]


def _nothing() -> None:
    """A derived table outside any transaction has nothing to settle."""


class LateTable(TableWriter[Row]):
    """A table that is brought up to date before anybody reads it."""

    __slots__ = ()
    #: Brings it up to date. The slot is that of a class below, for tables have several bases.
    _settle: Settle

    def settle_with(self, settle: Settle) -> None:
        """The transaction says how to bring its tables up to date."""
        self._settle = settle

    def cell(self, key: StoredKey) -> Cell | None:
        """As `TableWriter.cell`, after settling."""
        self._settle()
        return super().cell(key)

    def cells_at(self, keys: Sequence[StoredKey]) -> dict[StoredKey, Cell]:
        """As `TableWriter.cells_at`, after settling."""
        self._settle()
        return super().cells_at(keys)

    def scan_cells(
        self,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, Cell]]:
        """As `TableWriter.scan_cells`, after settling."""
        self._settle()
        return super().scan_cells(low, high, newest_first=newest_first, limit=limit)


class DerivedTable(LateTable[Row]):
    """A table that only its maintainer writes.

    A read settles the pure words first, which nobody can observe.
    """

    __slots__ = ("_settle",)

    def __init__(self, engine: Engine, log: TouchLog) -> None:
        super().__init__(engine, log)
        self._settle = _nothing
