"""The write-behind cache of one table inside a transaction.

Depends on: flushed, spec, touch_log, storage.  Never on: maintainers, transactions, which drive it.

Laws. A read inside the transaction sees every earlier write of it. `before` of a key is its cell as the
transaction began, however often it was written since. Nothing reaches the engine until `flush`.

The first write of a key need not know what was there: the old cell is then UNKNOWN until someone needs
it, and all unknown cells of a table are read with one statement. Where no rule looks at the table, nobody
does before `flush`.

One cache serves all transactions: what one has seen and committed spares the next one the reads.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from types import NoneType
from typing import Any, Final

from pillarbox.storage import Engine, StoredKey
from pillarbox.tables.flushed import ALL_NONE, UNKNOWN, FlushedTable
from pillarbox.tables.spec import Cell, Row
from pillarbox.tables.touch_log import TouchLog

#: Bound on the cells that one table keeps between transactions.
_KNOWN_MAX: Final = 4_096


class TableWriter(FlushedTable[Row]):
    """One table of the open transaction. Reused from one transaction to the next.

    Where its transaction says so, it remembers the cells that the last ones have seen.

    `log` is shared by all tables of a transaction; a table enters itself when it first writes, or
    reads what it does not know, so that a commit asks only the tables it touched.
    """

    __slots__ = (
        "_is_entered",
        "_log",
        "_order",
        "remembers",
    )

    def __init__(self, engine: Engine, log: TouchLog) -> None:
        super().__init__(engine)
        self._log = log
        log.every.append(self)
        #: Whether what a transaction saw may spare the next one a read.
        self.remembers = False
        #: Whether the log holds it.
        self._is_entered = False
        #: All written keys, sorted, while someone scans; None when stale.
        self._order: list[StoredKey] | None = None

    # ------------------------------------------------------------------------------------- reads

    def cell(self, key: StoredKey) -> Cell | None:
        """The cell as this transaction sees it."""
        if not self._log.open:
            raise self._log.closed(f"table {self.spec.name!r}")
        cells = self._cells
        if key in cells:
            return cells[key]
        self.enter()
        found = cells[key] = super().cell(key)
        return found

    def enter(self, wakes: int = 0) -> None:
        """Have this table told when the transaction ends: from now on it holds something of it.

        `wakes` are bits of those who are to look at it. Raises UsageError when no transaction is open.
        """
        log = self._log
        if not self._is_entered:
            if not log.open:
                raise log.closed(f"table {self.spec.name!r}")
            log.append(self)
            self._is_entered = True
        log.woken |= wakes

    def cells_at(self, keys: Sequence[StoredKey]) -> dict[StoredKey, Cell]:
        """As `TableReader.cells_at`, through the cache."""
        self.preload(keys)
        cells = self._cells
        return {key: cell for key in keys if (cell := cells[key]) is not None}

    def settled_cells(self, keys: Sequence[StoredKey]) -> dict[StoredKey, Cell]:
        """As `cells_at`, as they were when the last settle ended."""
        if self._is_unread:
            self._resolve()
        self.preload(keys)
        cells, touched = self._cells, self.unsettled
        found = ((key, touched[key] if key in touched else cells[key]) for key in keys)
        return {key: cell for key, cell in found if cell is not None}

    def preload(self, keys: Iterable[StoredKey]) -> None:
        """Read the keys that the cache does not hold, with one statement."""
        if not self._log.open:
            raise self._log.closed(f"table {self.spec.name!r}")
        cells = self._cells
        missing = [key for key in dict.fromkeys(keys) if key not in cells]
        if not missing:
            return
        self.enter()
        if len(missing) == 1:
            cells[missing[0]] = super().cell(missing[0])
        else:
            found = super().cells_at(missing)
            for key in missing:
                cells[key] = found.get(key)

    def scan_cells(
        self,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, Cell]]:
        """As `TableReader.scan_cells`, with this transaction's writes laid over the stored rows."""
        if not self._log.open:
            raise self._log.closed(f"table {self.spec.name!r}")
        written = self._written_between(low, high, newest_first, limit)
        if not written:
            return super().scan_cells(low, high, newest_first=newest_first, limit=limit)
        cells = self._cells
        # Each written key may hide one stored row: so many more, and `limit` of them are left for sure.
        asked = None if limit is None else limit + len(written)
        stored = super().scan_cells(low, high, newest_first=newest_first, limit=asked)
        hidden = set(written)
        merged = [entry for entry in stored if entry[0] not in hidden]
        for key in written:
            if cells[key] is not None:
                merged.append((key, cells[key]))
        merged.sort(key=_first, reverse=newest_first)
        return merged if limit is None else merged[:limit]

    def _written_between(
        self,
        low: StoredKey | None,
        high: StoredKey | None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[StoredKey]:
        """The keys written in this transaction within the bounds, sorted.

        Those behind `limit` rows that are there are left out: whoever wants no more never gets to them.
        """
        if not self.unsettled and not self.began:
            return []
        order = self._order
        if order is None:
            order = self._order = sorted({*self.unsettled, *self.began})
        start = 0 if low is None else bisect_left(order, low)
        end = len(order) if high is None else bisect_left(order, high)
        if limit is not None and end - start > limit:
            cells, rows = self._cells, 0
            for at in range(end - 1, start - 1, -1) if newest_first else range(start, end):
                rows += cells[order[at]] is not None
                if rows >= limit:
                    return order[at:end] if newest_first else order[start : at + 1]
        return order[start:end]

    # ------------------------------------------------------------------------------------ writes

    def put_cell(self, key: StoredKey, cell: Cell | None) -> None:
        """Set a cell; None removes it. The old cell stays unread if it was not read before."""
        cells = self._cells
        touched = self.unsettled
        if key not in touched:
            if not touched:
                self.enter(self.wakes)
            old = touched[key] = cells.get(key, UNKNOWN)
            if old is UNKNOWN:
                self._is_unread = True
            if self._order is not None and key not in self.began:
                insort(self._order, key)
        elif self.replaced is not None:
            self.replaced.append(cells[key])
        cells[key] = cell

    def put_known(self, key: StoredKey, old: Cell | None, cell: Cell | None) -> None:
        """Set a cell whose old value the caller can prove without reading (a pure word can)."""
        cells = self._cells
        touched = self.unsettled
        if key not in touched:
            if not touched:
                self.enter(self.wakes)
            touched[key] = cells.get(key, old)
            if self._order is not None and key not in self.began:
                insort(self._order, key)
        elif self.replaced is not None:
            self.replaced.append(cells[key])
        cells[key] = cell

    def wake(self) -> None:
        """Have those look who look at what is written here, though nothing was."""
        self._log.woken |= self.wakes

    def move_cell(self, old_key: StoredKey, key: StoredKey, cell: Cell) -> None:
        """Put a row under another key than it had."""
        self.put_cell(old_key, None)
        self.put_cell(key, cell)

    def drop(self, key: StoredKey, cell: Cell) -> None:
        """Remove a row that is there, and what goes with it."""
        self.put_known(key, cell, None)

    def put_new(self, entries: Iterable[tuple[StoredKey, Cell]]) -> None:
        """Set cells that the caller can prove were not there; of cells with one key the last counts."""
        new = dict(entries)
        if not new:
            return
        cells = self._cells
        if not new.keys().isdisjoint(cells.keys()):
            for key, cell in new.items():
                self.put_known(key, None, cell)
        else:
            if not self.unsettled:
                self.enter(self.wakes)
            self.unsettled.update(dict.fromkeys(new))
            cells.update(new)
            if self._order is not None:
                self._order.extend(new)
                self._order.sort()  # of a long run and a short one, which is faster than all anew

    # ------------------------------------------------------------------------- settle and commit

    def changed_keys(self) -> list[StoredKey]:
        """The keys of `net`, without the rows."""
        return [key for key, _, _ in self._net_cells()]

    def fresh(self) -> list[Row] | None:
        """The rows since the last settle where each is under a new key; None where any key is not new."""
        if self._is_unread:
            self._resolve()
        touched = self.unsettled
        if set(map(type, touched.values())) != ALL_NONE:
            return None
        cells: list[Any] = list(map(self._cells.__getitem__, touched))
        if NoneType in set(map(type, cells)):
            return None
        return cells if self.spec.decode is not None else list(map(self.spec.row, touched, cells))

    def net(self) -> list[tuple[StoredKey, Row | None, Row | None]]:
        """(key, old row, new row) since the last settle, without the keys that ended as they were."""
        net, row = self._net_cells(), self.spec.row
        if self.spec.decode is not None:
            return net
        return [
            (key, None if old is None else row(key, old), None if new is None else row(key, new))
            for key, old, new in net
        ]

    def _net_cells(self) -> list[tuple[StoredKey, Cell | None, Cell | None]]:
        if self._is_unread:
            self._resolve()
        cells, differ = self._cells, self.spec.differ
        net: list[tuple[StoredKey, Cell | None, Cell | None]] = []
        for key, old in self.unsettled.items():
            new = cells[key]
            if new is not old and (old is None or old != new or differ(old, new)):
                net.append((key, old, new))
        return net

    def undo(self) -> None:
        """What was written is not stored. Before `forget`."""
        for keys in (self.unsettled, self.began):
            for key in keys:
                self._cells.pop(key, None)

    def distrust(self) -> None:
        """The stored rows may have changed otherwise."""
        self._cells.clear()

    def forget(self) -> None:
        """The transaction is over: what was written is stored, or was undone."""
        if not self.remembers or len(self._cells) > _KNOWN_MAX:
            self._cells.clear()
        self.unsettled, self.began, self._order = {}, {}, None
        self._is_unread = self._began_unread = self._is_entered = False


def _first(entry: tuple[StoredKey, Cell]) -> StoredKey:
    return entry[0]
